package plan

import (
	"imgc/hast"
	"imgc/optimize/finest"
	"imgc/optimize/schedule"
)

// mostLevels is how many levels of a pyramid a stage is planned for: those that are coarser take little, whatever is decided.
const mostLevels = 5

// levels are the works of stages at each of the finest levels, for a pipeline that has come of another one. What is known of them at the finest one is
// taken from there, unless a pyramid has gone, with whose levels its extents may be known.
func (g *grouper) levels(from, p *hast.Pipeline) func(s *hast.Stage, level int) *work {
	var evals []func(hast.Expr) int64
	for level := range mostLevels {
		evals = append(evals, evaluator(g.target.Size, settled(p, level)))
	}
	return func(s *hast.Stage, level int) *work {
		w := g.work(s)
		if level == 0 && len(from.Pyramids) == len(p.Pyramids) {
			return w
		}
		out := newWork(w.stage, g.target.Model, evals[level])
		out.looks = w.looks
		return out
	}
}

// atLevels is the work of a stage at the finest level that it runs at, with those at coarser ones that are computed by the same decisions. Items of many
// pixels are the best for large levels, and leave most of the device idle at coarse ones: on an H100 relaxation of 2048 x 2048 pixels and five coarser levels
// took 1.42 ms in items of 4 x 8, and 1.34 of 4 x 1.
func atLevels(s *hast.Stage, p *hast.Pipeline, at func(s *hast.Stage, level int) *work) *work {
	first := firstLevel(s, p)
	w := at(s, first)
	w.coarser = nil // of another plan
	if !w.leveled() {
		return w
	}
	last := w
	for level := first + 1; level < mostLevels; level++ {
		next := at(s, level)
		if next.instances >= last.instances || next.instances < w.fewAtLevel() {
			break
		}
		w.coarser, last = append(w.coarser, next), next
	}
	return w
}

// firstLevel is the finest level that a stage runs at, where that is said by a condition around it: 0, or 1.
func firstLevel(s *hast.Stage, p *hast.Pipeline) (level int) {
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		t, ok := step.(*hast.Traverse)
		if !ok {
			return
		}
		for _, x := range t.Body {
			if !finest.Skipped(x, t.Levels) {
				continue
			}
			hast.WalkSteps([]hast.Step{x}, func(x hast.Step) {
				if x == hast.Step(s) {
					level = 1
				}
			})
		}
	})
	return level
}

// fewAtLevel is how many instances of a stage at levels of a pyramid are so few that they are computed one by one.
func (w *work) fewAtLevel() float64 {
	return float64(smallPerUnit * w.model.Rates.Units.Int(16))
}

// atCoarser is the predicted time of a stage at the coarser levels.
func (w *work) atCoarser(d schedule.Decisions) (t float64) {
	for _, c := range w.coarser {
		c.matrix, c.descends, c.fast, c.halves = w.matrix, w.descends, w.fast, w.halves
		t += c.cost(d).Total()
	}
	return t
}
