package imgc

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/finest"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/normal"
	"imgc/optimize/rotate"
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
	// With their finest levels by themselves, traverses have all the names that they have without, and some besides; so have pipelines of which blocks are computed.
	p.updates = p.updateStages()
	all := func(*hast.Pipeline, *hast.Traverse, func() *hast.Pipeline) bool { return true }
	typed := p.parallel(forms{apart: all, turns: all, blocks: func(string) bool { return true }})
	for i, q := range typed.Pipelines {
		both := *q
		both.Steps = append(both.Steps[:len(both.Steps):len(both.Steps)], p.updates[q.Name].stay...)
		typed.Pipelines[i] = &both
	}
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
			apart := func(_ *hast.Pipeline, t *hast.Traverse, _ func() *hast.Pipeline) bool {
				return hasApart(levelsOf(s, t), t)
			}
			turns := func(_ *hast.Pipeline, t *hast.Traverse, _ func() *hast.Pipeline) bool {
				rotated, _ := rotationSaid(t, func(stage *hast.Stage) schedule.Decisions { return s.Stage(stage.Name) })
				return rotated
			}
			p.refuseLevels(s, apart, diags)
			refuse(s, needed(p.parallel(forms{takes, apart, func(string) bool {
				gathered, said := p.gatheredBy(s)
				return gathered || !said
			}, func(string) bool { return !s.ByRows() }, func(_ string, copy *hast.Stage) bool { return s.Named(copy.Name) == nil }, turns})), p.options.Mode, diags)
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

// Unheeded are the devices that the schedules of the file of the options are for, where there are some and none of them is for what is planned
// for: the architecture of the options, and d unless it is nil. Such a file changes nothing. The interpreter heeds none anyway.
func (p *Program) Unheeded(d *Device) (devices []string) {
	if p.options.Schedule == nil || d != nil && d.IsReference() {
		return nil
	}
	to := p.target()
	if d != nil {
		to = d.target(p)
	}
	for _, s := range p.schedules[len(p.schedules)-1] {
		if s.Device == "" || s.Suits(to.names) {
			return nil
		}
		if !slices.Contains(devices, s.Device) {
			devices = append(devices, s.Device)
		}
	}
	return devices
}

// updateStages are the stages of pipelines that there are in one form of their updates alone, by the names of the pipelines: where they stay, and where reductions stand for them.
type updateStages map[string]struct{ stay, gathered []hast.Step }

// updateStages are those of the program.
func (p *Program) updateStages() updateStages {
	opts := normal.Options{Exact: p.options.Mode == Strict}
	if !normal.Gathers(p.typed, opts) {
		return nil
	}
	out := updateStages{}
	stay, gathered := p.parallel(forms{gather: func(string) bool { return false }}), p.parallel(forms{})
	for i, q := range stay.Pipelines {
		x := out[q.Name]
		x.stay, x.gathered = without(q, gathered.Pipelines[i]), without(gathered.Pipelines[i], q)
		out[q.Name] = x
	}
	return out
}

// without are the stages of a pipeline whose names another one does not have.
func without(q, other *hast.Pipeline) (list []hast.Step) {
	names := map[string]bool{}
	hast.WalkStages(other.Steps, func(_ []hast.Step, s *hast.Stage) { names[s.Name] = true })
	hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) {
		if !names[s.Name] {
			list = append(list, s)
		}
	})
	return list
}

// gatheredBy is whether a schedule is for updates that have become reductions, by the names of its stages; said is false where it names none that there are in
// one form alone.
func (p *Program) gatheredBy(s *schedule.Schedule) (gathered, said bool) {
	names := func(step hast.Step) bool { return s.Named(step.(*hast.Stage).Name) != nil }
	of := p.updates[s.Pipeline]
	switch {
	case slices.ContainsFunc(of.stay, names):
		return false, true
	case slices.ContainsFunc(of.gathered, names):
		return true, true
	}
	return false, false
}

// levelsOf is what a schedule says of the levels of a traverse.
func levelsOf(s *schedule.Schedule, t *hast.Traverse) schedule.Levels {
	return levelsSaid(t, func(stage *hast.Stage) schedule.Decisions { return s.Stage(stage.Name) })
}

// refuseLevels reports where a schedule wants the finest level of a traverse by itself, or the second one, that cannot be, or of none, or one rotated that cannot be with the finest levels by themselves as it has them.
func (p *Program) refuseLevels(s *schedule.Schedule, apart levelChoice, diags *diag.List) {
	refuse := func(d *schedule.Stage, what, why string) {
		if why != "" {
			diags.Errorf(diag.IllegalDecision, d.At, what+": %s", d.Name, why)
		}
	}
	p.eachLevel(s, forms{apart: apart}, func(q *hast.Pipeline, t *hast.Traverse, d *schedule.Stage) {
		if d.Rotated != 0 {
			refuse(d, "the traverse of %s cannot be rotated", rotate.Refuse(q, t))
		}
		if t.Apart == 1 && hasApart(d.Finest, t) {
			refuse(d, "the second level of %s cannot be by itself", finest.Refuse(q, t))
		}
	})
	inside := map[string]bool{}
	p.eachLevel(s, forms{}, func(q *hast.Pipeline, t *hast.Traverse, d *schedule.Stage) {
		inside[d.Name] = true
		if hasApart(d.Finest, t) {
			refuse(d, "the finest level of %s cannot be by itself", finest.Refuse(q, t))
		}
	})
	for _, d := range s.Stages {
		if (d.Finest != 0 || d.Rotated != 0) && !inside[d.Name] {
			diags.Errorf(diag.IllegalDecision, d.At, "%s is in no traverse, so that there is nothing to say of its levels", d.Name)
		}
	}
}

// eachLevel calls f for what a schedule says of the stages inside of the traverses of its pipeline, in some form of it.
func (p *Program) eachLevel(s *schedule.Schedule, form forms, f func(*hast.Pipeline, *hast.Traverse, *schedule.Stage)) {
	for _, q := range p.parallel(form).Pipelines {
		if q.Name != s.Pipeline {
			continue
		}
		for _, t := range finest.Traverses(q) {
			hast.WalkStages(t.Body, func(_ []hast.Step, stage *hast.Stage) {
				if d := s.Named(stage.Name); d != nil {
					f(q, t, d)
				}
			})
		}
	}
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
		asked := map[string]bool{}
		fused, refused := fuse.Apply(p, fusing(mode), func(stage *hast.Stage) schedule.Decisions {
			asked[stage.Name] = true
			return s.Stage(stage.Name)
		})
		for _, r := range refused {
			diags.Errorf(diag.IllegalDecision, at(r.Stage.Name), "%s cannot be %s: %s", r.Stage.Name, r.What, r.Why)
		}
		for _, d := range s.Stages {
			if s.Makes(d.Name) && !asked[d.Name] {
				diags.Errorf(diag.IllegalDecision, d.At, "nothing that is decided of stages of %s makes one that is called %s", s.Pipeline, d.Name)
			}
		}
		hast.WalkStages(fused.Steps, func(before []hast.Step, stage *hast.Stage) {
			if why := lower.RefuseLast(fused.Steps, before, stage, s.Stage); why != "" {
				diags.Errorf(diag.IllegalDecision, at(stage.Name), "%s cannot be done by a last group: %s", stage.Name, why)
			}
			if why := lower.RefuseWithin(stage, s.Stage(stage.Name), mode, lower.MostLocal); why != "" { // targets see whether they have as much
				diags.Errorf(diag.IllegalDecision, at(stage.Name), "%s cannot be carried out like this: %s", stage.Name, why)
			}
		})
	}
}
