package fuse

import (
	"imgc/hast"
	"imgc/optimize/gather"
	"imgc/optimize/memo"
)

// Gather is a pipeline in which a stage whose instances write blocks has one for each pixel; why says why it cannot be, as the end of a sentence.
func Gather(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, why string) {
	return Of(p, 0).gather(s)
}

func (g *Groups) gather(s *hast.Stage) (out *hast.Pipeline, why string) {
	next, why := g.made.gathered(s)
	if why != "" {
		return g.pipeline, why
	}
	return g.replace(map[*hast.Stage]*hast.Stage{s: next}, nil), ""
}

// A gathered is a stage of pixels, or why a stage cannot be one.
type gathered struct {
	stage *hast.Stage
	why   string
}

// gathered is a stage that writes blocks with an instance for each pixel.
func (p *parts) gathered(s *hast.Stage) (*hast.Stage, string) {
	o := memo.Of(&p.gathers, s, func() (o gathered) {
		o.stage, o.why = gather.Stage(s)
		return o
	})
	return o.stage, o.why
}

// Gather is Gather.
func (m *Made) Gather(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, why string) {
	c := memo.Of(&m.gathering, stepOf{p, s}, func() (c change) {
		c.pipeline, c.why = m.of(p).gather(s)
		return c
	})
	return c.pipeline, c.why
}
