package fuse

import (
	"imgc/hast"
	"imgc/optimize/memo"
	"imgc/optimize/overlap"
)

// Overlap is a pipeline in which the instances of a stage are blocks of those that it had, which share the sums over windows that loops compute in each of their rounds; why says why it
// cannot be, as the end of a sentence.
func Overlap(p *hast.Pipeline, s *hast.Stage, size [2]int, floats bool) (out *hast.Pipeline, why string) {
	return Of(p, 0).overlap(s, size, floats)
}

func (g *Groups) overlap(s *hast.Stage, size [2]int, floats bool) (out *hast.Pipeline, why string) {
	if g.of(s).levels {
		return g.pipeline, "it is in the body of a traverse"
	}
	next, why := g.made.overlapped(s, size, floats)
	if why != "" {
		return g.pipeline, why
	}
	q := *g.pipeline
	q.Steps, _ = g.rewritten(q.Steps, nil, func(y *hast.Stage) []hast.Step {
		if y == s {
			return []hast.Step{next}
		}
		return []hast.Step{y}
	})
	return &q, ""
}

// A blocksOf is a stage in blocks of a size.
type blocksOf struct {
	stage *hast.Stage
	size  [2]int
}

// overlapping is what has become of one.
type overlapping struct {
	stage *hast.Stage
	why   string
}

// overlapped is a stage in blocks.
func (p *parts) overlapped(s *hast.Stage, size [2]int, floats bool) (*hast.Stage, string) {
	o := memo.Of(&p.overlaps, blocksOf{s, size}, func() (o overlapping) {
		o.stage, o.why = overlap.Stage(s, size, floats)
		return o
	})
	return o.stage, o.why
}

// Overlap is Overlap, in blocks of the best size where none is given.
func (m *Made) Overlap(p *hast.Pipeline, s *hast.Stage, size [2]int) (out *hast.Pipeline, of [2]int, why string) {
	if size == [2]int{} {
		if size = memo.Of(&m.sizes, s, func() [2]int { return overlap.Size(s, m.opts.Floats) }); size == [2]int{} {
			return p, size, "nothing is shared"
		}
	}
	c := memo.Of(&m.overlapping, sizedOf{stepOf{p, s}, size}, func() (c change) {
		c.pipeline, c.why = m.of(p).overlap(s, size, m.opts.Floats)
		return c
	})
	return c.pipeline, size, c.why
}

// A sizedOf is a stage of a pipeline in blocks of a size.
type sizedOf struct {
	stepOf
	size [2]int
}
