package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/schedule"
)

// A Refusal says why a stage is not fused though a schedule wants it.
type Refusal struct {
	Stage *hast.Stage
	Why   string // the end of a sentence
}

// Apply fuses the stages of a pipeline for which place says so, from the last one up; those that cannot be stay by themselves.
// Reductions of at most unroll points will be written out.
func Apply(p *hast.Pipeline, unroll int, place func(s *hast.Stage) schedule.Placement) (*hast.Pipeline, []Refusal) {
	g := Of(p, unroll)
	var refused []Refusal
	for _, s := range slices.Backward(g.Stages()) {
		if place(s) != schedule.Fuse {
			continue
		}
		if why := g.Fuse(s); why != "" {
			refused = append(refused, Refusal{s, why})
		}
	}
	return g.Pipeline(), refused
}
