package fuse

import (
	"slices"

	"imgc/hast"
)

// Split is a pipeline in which some of the stages that read what s writes compute it themselves, wherever they read it: those that read their own pixels of it
// alone, which compute nothing twice, and those that it cannot be fused with, as where data says what they read. The others, which it can be fused with
// one by one, are left to read it. Inlined are the names of the ones, left the stages that are the others. Why says why there are not both, or
// why it cannot be, as the end of a sentence; then the pipeline is as it is.
func Split(p *hast.Pipeline, s *hast.Stage, unroll int) (out *hast.Pipeline, inlined []string, left []*hast.Stage, why string) {
	return Of(p, unroll).splitOff(s)
}

func (g *Groups) splitOff(s *hast.Stage) (out *hast.Pipeline, inlined []string, left []*hast.Stage, why string) {
	p, x, in := g.pipeline, g.of(s), g.made.inliner(s)
	if in.long != "" && !straight(s) {
		return p, nil, nil, in.long
	}
	readers, why := g.computing(x)
	if why != "" {
		return p, nil, nil, why
	}
	var themselves []*hast.Stage
	for _, r := range readers {
		if !g.ownPixels(r, s) && g.fusesWith(x, g.of(r)) {
			left = append(left, r)
		} else {
			themselves, inlined = append(themselves, r), append(inlined, r.Name)
		}
	}
	switch {
	case len(left) == 0:
		return p, nil, nil, "no stage that reads it at other places than its own can have it fused"
	case len(themselves) == 0:
		return p, nil, nil, "all that read it can have it fused, and none reads its own pixels alone"
	}
	replaced, why := g.instead(x, in, themselves)
	if why != "" {
		return p, nil, nil, why
	}
	return g.replace(replaced, map[*hast.Image]bool{}), inlined, left, ""
}

// ownPixels reports whether the instances of a stage read what another one writes at their own pixels alone.
func (g *Groups) ownPixels(r, s *hast.Stage) bool {
	mine := g.of(s).written
	return ownPixel(r, func(m *hast.Image) bool { return touches(mine, []*hast.Image{m}) })
}

// fusesWith reports whether one of the stages that read what x writes could have it fused if there were no others.
func (g *Groups) fusesWith(x, reader *stage) bool {
	if g.moves(x, reader, false) != "" || len(x.parts)+len(reader.parts)+len(reader.beside) > 0 {
		return false
	}
	alone := *reader
	alone.parts = []*stage{x}
	return g.made.whyApart(g.together(&alone), g.opts) == ""
}

// Shared reports whether several stages read what another one writes, which may be split between them.
func (g *Groups) Shared() bool {
	return slices.ContainsFunc(g.pipeline.Images, func(m *hast.Image) bool {
		u := g.uses[m]
		return u != nil && g.inner(m) && len(u.writers) == 1 && len(u.readers) > 1
	})
}
