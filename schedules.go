package imgc

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// A Text is a text and what diagnostics call it.
type Text struct{ Name, Text string }

// schedules reads the schedules of a program, then those of the file that came with it.
func schedules(file *syntax.File, extra *Text, typed *hast.Program, mode Mode, diags *diag.List) [][]*schedule.Schedule {
	lists := [][]*schedule.Schedule{schedule.Read(file, typed, diags)}
	if extra != nil {
		more := parser.Parse(source.NewFile(extra.Name, extra.Text), diags)
		for _, d := range more.Decls {
			if _, ok := d.(*syntax.Schedule); !ok {
				diags.Errorf(diag.BadSchedule, d.Span(), "a file of schedules holds nothing but schedules")
			}
		}
		lists = append(lists, schedule.Read(more, typed, diags))
	}
	for _, list := range lists {
		for _, s := range list {
			refuse(s, typed, mode, diags)
		}
	}
	return lists
}

// schedule is the schedule of a pipeline on a device; nil where there is none.
func (p *Program) schedule(pipeline string, to target) *schedule.Schedule {
	for i := len(p.schedules) - 1; i >= 0; i-- {
		if s := schedule.For(p.schedules[i], pipeline, to.names); s != nil {
			return s
		}
	}
	return nil
}

// refuse reports the decisions of a schedule that stages cannot follow.
func refuse(s *schedule.Schedule, typed *hast.Program, mode Mode, diags *diag.List) {
	for _, p := range typed.Pipelines {
		if p.Name != s.Pipeline {
			continue
		}
		hast.WalkSteps(p.Steps, func(step hast.Step) {
			stage, ok := step.(*hast.Stage)
			if !ok {
				return
			}
			for _, d := range s.Stages {
				if d.Name != stage.Name {
					continue
				}
				if why := lower.Refuse(stage, d.Decisions, mode); why != "" {
					diags.Errorf(diag.IllegalDecision, d.At, "%s cannot be carried out like this: %s", d.Name, why)
				}
			}
		})
	}
}
