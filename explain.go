package imgc

import (
	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// A Plan is a schedule for a pipeline on a device, with the reason and the predicted cost of each decision.
type Plan = plan.Plan

// defaultSize is what a size name stands for where nothing else is said: a plan for large images is good for small ones, too.
const defaultSize = 4096

// Explain plans every pipeline of the program for an architecture. Sizes are the extents that the predictions are for, by the names
// of the program; a name without one is 4096. A schedule of the program for this architecture takes precedence in running and
// building, and is not asked here.
func (p *Program) Explain(arch *Architecture, sizes map[string]int64) ([]*Plan, error) {
	return p.ExplainFor(TargetOpenCL, arch, sizes)
}

// ExplainFor is Explain for kernels that are written in a language: some have what others have not.
func (p *Program) ExplainFor(lang Target, arch *Architecture, sizes map[string]int64) (plans []*Plan, err error) {
	defer guard(&err, "planning %s", p.File())
	p = p.PlannedFor(sizes)
	to := target{lang: lang, model: arch}
	to.known = newPlanning(to.denseRGB())
	with := p.planTarget(to)
	takes := func(_ string, s *hast.Stage) bool { return plan.Whole(s, with) }
	for _, q := range p.ready(forms{takes, p.paysApart(to, takes), func(string) bool { return to.gathers() }, func(string) bool { return to.inBlocks() }, func(string, *hast.Stage) bool { return true }, p.paysRotated(to, takes)}, to).Pipelines {
		plan := p.plan(q, to)
		plan.Weigh()
		plans = append(plans, plan)
	}
	return plans, nil
}

func (p *Program) planTarget(to target) plan.Target {
	can, trials := capabilities[to.lang], &to.known.trials
	out := plan.Target{
		Model: to.model.WithUsual(), Known: &to.known.Known, Matrix: can.MatrixUnits, Bounds: can.Bounds, Copies: to.copies(), Graphs: can.Graphs, Descents: can.Descents, Halves: can.FloatHalves, Fusing: fusing(p.options.Mode), Fast: p.options.Mode == Fast,
		Local: to.local(), Legal: func(s *hast.Stage, d schedule.Decisions) string {
			return trials.Refuse(s, d, p.options.Mode, to.tiles(d))
		},
		EndsApart: func(s *hast.Stage, d schedule.Decisions) bool { return trials.EndsApart(s, d, p.options.Mode) },
		Size: func(v *hast.Var) int64 {
			if n, ok := p.sizes[v.Name]; ok {
				return n
			}
			return defaultSize
		},
	}
	out.Fusing.Rows = !to.inBlocks()
	if !can.LastByFence || to.model != nil && (to.model.Features.PTX.Yes() || to.model.Class == archmodels.CPU) {
		out.Behind = lower.Behind(can.LastGroup)
	}
	return out
}
