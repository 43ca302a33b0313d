package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/coarse"
)

const (
	// coarseInstances is how many instances of a stage of coarseOps operations one work-group computes in less than a launch takes: masks of 5 x 5 of
	// 64 x 64 pixels take 1.2 us on an H200, and a launch that waits for the one before it 2.1.
	coarseInstances, coarseOps = 4096, 50
	// coarseLevels is how many levels are written out: halving leaves one pixel of 64 x 64 at the seventh.
	coarseLevels = 8
)

// together has one work-group compute the coarse levels of the traverses of which it can, from where they turn out to be small; not where launches may be a graph. On an
// H200 a Gaussian pyramid of 4096 x 4096 pixels takes 59 us instead of 62 through OpenCL, and of 1024 x 1024 34 instead of 67, but in graphs of CUDA 48.8 instead of 47.4, and 26.3 instead of
// 21.5 of 1920 x 1080.
func (p *Plan) together(t Target) {
	if t.Graphs || t.Model.Class == archmodels.CPU {
		return
	}
	for _, c := range p.Choices {
		x, _ := coarse.Of(p.Pipeline, c.Stage.Of)
		if x == nil || !p.short(coarse.Stages(x)) {
			continue
		}
		d := c.Picked.Decisions
		d.Coarse = [3]int{min(loopItems, t.Model.Limits.GroupSize.Int(256)), p.soonTogether(coarse.Stages(x)), levelsTogether(x)}
		if d.Coarse[2] > 1 && t.Legal(c.Stage.Of, d) == "" {
			c.Picked.Decisions = d
		}
	}
}

// soonTogether is how many instances of each of some stages a work-group computes sooner than a launch: a power of two, by the stage that takes longest.
func (p *Plan) soonTogether(stages []*hast.Stage) int {
	ops := float64(coarseOps)
	for _, c := range p.Choices {
		if slices.Contains(stages, c.Stage.Of) {
			ops = max(ops, c.Stage.Ops.Total())
		}
	}
	n := 1
	for float64(2*n) <= coarseInstances*coarseOps/ops {
		n *= 2
	}
	return n
}

// levelsTogether is how many coarse levels of a traverse are written out; 0 where a kernel cannot have two.
func levelsTogether(t *hast.Traverse) int {
	most := coarseLevels
	if n, known := hast.Number(t.Levels.Count); known {
		most = min(most, int(n))
	}
	for ; most > 1; most-- {
		if coarse.RefuseLevels(t, most) == "" {
			return most
		}
	}
	return 0
}
