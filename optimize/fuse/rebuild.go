package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// Pipeline is the pipeline with its groups as stages.
func (g *Groups) Pipeline() *hast.Pipeline {
	gone := map[*hast.Image]bool{}
	steps, changed := g.rewritten(g.pipeline.Steps, gone, func(s *hast.Stage) []hast.Step {
		x := g.of(s)
		if x.into[0] != x {
			return nil
		}
		s = g.together(x)
		for _, m := range s.Inner {
			gone[m] = true
		}
		return []hast.Step{s}
	})
	if !changed {
		return g.pipeline
	}
	return g.with(steps, gone)
}

// with is the pipeline with other steps and without the images that are not stored any more, whose extents are tested all the same.
func (g *Groups) with(steps []hast.Step, gone map[*hast.Image]bool) *hast.Pipeline {
	out := *g.pipeline
	out.Steps, out.Images, out.Checks = steps, nil, slices.Clone(g.pipeline.Checks)
	if out.Declared == nil {
		out.Declared = g.pipeline.Images
	}
	for _, m := range g.pipeline.Images {
		if !gone[m] {
			out.Images = append(out.Images, m)
		} else if check := g.sized(m); check != nil {
			out.Checks = append(out.Checks, check)
		}
	}
	out.Pyramids = slices.DeleteFunc(slices.Clone(g.pipeline.Pyramids), func(p *hast.Pyramid) bool { return goes(p, gone) })
	return &out
}

// sized is the test of the extents of an image that is not stored any more, nil where they are those of an image that is passed.
func (g *Groups) sized(m *hast.Image) *hast.Check {
	if m.Scalar || m.Of != nil { // see own
		return nil
	}
	for _, p := range g.pipeline.Params {
		if p.Image != nil && slices.EqualFunc(p.Image.Extent, m.Extent, hast.Equal) {
			return nil
		}
	}
	text := m.Name
	for _, n := range m.Extent {
		text += "[" + hast.Text(n) + "]"
	}
	return &hast.Check{Cond: hast.Possible(m), Message: fmt.Sprintf("%s needs extents from 1 to %d", text, hast.MaxExtent), At: m.At}
}

// goes reports whether the one image of a pyramid is not stored any more.
func goes(p *hast.Pyramid, gone map[*hast.Image]bool) bool {
	for m := range gone {
		if m.Of == p {
			return true
		}
	}
	return false
}

// rewritten is a list of steps with each stage replaced by what f makes of it; gone are the images that do not start anew any
// more, once all of the list has been seen.
func (g *Groups) rewritten(list []hast.Step, gone map[*hast.Image]bool, f func(*hast.Stage) []hast.Step) (out []hast.Step, changed bool) {
	for _, s := range list {
		if x, ok := s.(*hast.Stage); ok {
			y := f(x)
			out, changed = append(out, y...), changed || len(y) != 1 || y[0] != s
			continue
		}
		inside, c := g.inside(s, gone, f)
		out, changed = append(out, inside), changed || c
	}
	if !changed {
		return list, false
	}
	return slices.DeleteFunc(out, func(s hast.Step) bool {
		switch s := s.(type) {
		case *hast.Fresh:
			return gone[s.Image]
		case *hast.FreshPyramid:
			return goes(s.Pyramid, gone)
		}
		return false
	}), true
}

// inside is a step with the stages in it rewritten.
func (g *Groups) inside(s hast.Step, gone map[*hast.Image]bool, f func(*hast.Stage) []hast.Step) (hast.Step, bool) {
	switch s := s.(type) {
	case *hast.IfHost:
		x := *s
		var c1, c2 bool
		x.Then, c1 = g.rewritten(s.Then, gone, f)
		x.Else, c2 = g.rewritten(s.Else, gone, f)
		if c1 || c2 {
			return &x, true
		}
	case *hast.ForHost:
		x := *s
		var c bool
		if x.Body, c = g.rewritten(s.Body, gone, f); c {
			return &x, true
		}
	case *hast.WhileHost:
		x := *s
		var c bool
		if x.Body, c = g.rewritten(s.Body, gone, f); c {
			return &x, true
		}
	case *hast.Traverse:
		x := *s
		var c bool
		if x.Body, c = g.rewritten(s.Body, gone, f); c {
			x.Body = hast.Into(x.Body, s, &x)
			return &x, true
		}
	case *hast.Descend:
		x := *s
		var c bool
		if x.Between, c = g.rewritten(s.Between, gone, f); c {
			return &x, true
		}
	}
	return s, false
}
