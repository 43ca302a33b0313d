package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/feature"
	"imgc/optimize/loops"
)

const (
	// loopInstances is how many instances of a stage one work-group computes sooner than all of the device, with a launch for each round.
	loopInstances = 8192
	// loopOps is how many operations an instance of it may have: a group has one unit for all.
	loopOps = 200
	// loopItems is how many work-items such a group has at most, so that instances that depend on each other's are computed in few turns.
	loopItems = 1024
)

// inOneGroup has one work-group run the loops that it can, where their images turn out to be small: those of coarse levels of a pyramid do.
func (p *Plan) inOneGroup(t Target) {
	if t.Model.Class == archmodels.CPU {
		return
	}
	for _, c := range p.Choices {
		l, _ := loops.Of(p.Pipeline, c.Stage.Of)
		if l == nil || p.rests[c.Stage.Of.Name] || !p.short(loops.Stages(l)) {
			continue
		}
		d := c.Picked.Decisions
		d.Loops = [2]int{min(loopItems, t.Model.Limits.GroupSize.Int(256)), min(loopInstances, held(l))}
		if t.Legal(c.Stage.Of, d) == "" {
			c.Picked.Decisions = d
		}
	}
}

// held is how many pixels of each image of a loop have room in local memory.
func held(l *hast.ForHost) int {
	bytes := 0
	for _, t := range loops.Touches(l) {
		bytes += int(feature.PixelBytes(t.Image))
	}
	n := loops.Local / max(1, bytes)
	if n > kir.RunBytes { // whole runs of each image
		n -= n % kir.RunBytes
	}
	return n
}

// short reports whether instances of stages do little.
func (p *Plan) short(stages []*hast.Stage) bool {
	return !slices.ContainsFunc(p.Choices, func(c *Choice) bool {
		s := c.Stage
		return slices.Contains(stages, s.Of) && (s.Class == feature.Global || s.Open || s.Uneven || s.Ops.Total() > loopOps)
	})
}
