package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/schedule"
)

// A Refusal says why a stage is not fused or inlined though a schedule wants it.
type Refusal struct {
	Stage *hast.Stage
	Why   string // the end of a sentence
}

// Apply fuses and inlines the stages of a pipeline for which place says so, from the last one up; those that cannot be stay by
// themselves. Reductions of at most unroll points will be written out.
func Apply(p *hast.Pipeline, unroll int, place func(s *hast.Stage) schedule.Placement) (*hast.Pipeline, []Refusal) {
	var refused []Refusal
	refuse := func(s *hast.Stage, why string) {
		if why != "" {
			refused = append(refused, Refusal{s, why})
		}
	}
	for _, s := range slices.Backward(Of(p, unroll).Stages()) {
		if place(s) != schedule.Inline {
			continue
		}
		var why string
		for _, now := range Of(p, unroll).Stages() { // as it has become by what is inlined into it
			if now.Name == s.Name {
				p, why = Inline(p, now)
			}
		}
		refuse(s, why)
	}
	g := Of(p, unroll)
	for _, s := range slices.Backward(g.Stages()) {
		if place(s) == schedule.Fuse {
			refuse(s, g.Fuse(s))
		}
	}
	return g.Pipeline(), refused
}
