package imgc

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// A Text is a text and what diagnostics call it.
type Text struct{ Name, Text string }

// readSchedules reads the schedules of a program, then those of the file that came with it. They are for the stages that are carried
// out.
func (p *Program) readSchedules(file *syntax.File, extra *Text, diags *diag.List) [][]*schedule.Schedule {
	typed := p.parallel(nil)
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
			takes := func(pipeline string, st *hast.Stage) bool {
				return pipeline == s.Pipeline && s.Stage(st.Name).Whole()
			}
			refuse(s, p.parallel(takes), p.options.Mode, diags)
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
		at := func(name string) source.Span {
			for _, d := range s.Stages {
				if d.Name == name {
					return d.At
				}
			}
			return s.At
		}
		fused, refused := fuse.Apply(p, fusing(mode), func(stage *hast.Stage) schedule.Decisions { return s.Stage(stage.Name) })
		for _, r := range refused {
			diags.Errorf(diag.IllegalDecision, at(r.Stage.Name), "%s cannot be %s: %s", r.Stage.Name, r.What, r.Why)
		}
		hast.WalkStages(fused.Steps, func(before []hast.Step, stage *hast.Stage) {
			if why := lower.RefuseLast(before, stage, s.Stage); why != "" {
				diags.Errorf(diag.IllegalDecision, at(stage.Name), "%s cannot be done by a last group: %s", stage.Name, why)
			}
			if why := lower.RefuseWithin(stage, s.Stage(stage.Name), mode, lower.MostLocal); why != "" { // targets see whether they have as much
				diags.Errorf(diag.IllegalDecision, at(stage.Name), "%s cannot be carried out like this: %s", stage.Name, why)
			}
		})
	}
}
