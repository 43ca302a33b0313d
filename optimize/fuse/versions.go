package fuse

import (
	"slices"
	"strings"

	"imgc/hast"
)

// versions is the pipeline with an image of its own for what a stage puts in the place of all pixels of one that has been written before, as
// in l = gain*l: each of the two is then written by one stage, which may be fused with what reads it.
func versions(p *hast.Pipeline) *hast.Pipeline {
	g := Of(p, 0)
	for _, m := range p.Images {
		if second := g.rewrites(m); second != nil {
			return g.version(m, second)
		}
	}
	return p
}

// rewrites is the second stage that writes all of a local image; nil where there is none, or where what it replaces may be needed later.
func (g *Groups) rewrites(m *hast.Image) *stage {
	u := g.uses[m]
	if u == nil || m.Dir != hast.Local || m.View != nil || m.Zero || m.Scalar || u.other || len(u.writers) < 2 || !g.own(m) || m.Of != nil && len(m.Of.Over) > 1 {
		return nil
	}
	var all []*stage
	for _, s := range slices.Concat(u.writers, u.readers) {
		all = append(all, g.of(s))
	}
	for _, s := range all {
		if !same(s.list, all[0].list) || s.levels && m.Of == nil {
			return nil
		}
	}
	writers := inOrder(all[:len(u.writers):len(u.writers)])
	for _, s := range all[len(u.writers):] {
		if s.index <= writers[0].index {
			return nil
		}
	}
	if replaces(writers[0].Stage, m) == nil || replaces(writers[1].Stage, m) == nil {
		return nil
	}
	return writers[1]
}

// replaces is the store by which each instance of a stage writes its own pixel of an image, as the last that it does; nil where that is
// not so.
func replaces(s *hast.Stage, m *hast.Image) *hast.Store {
	if s.Where != nil || s.Scan != nil || len(s.Fused) > 0 || len(s.Body) == 0 {
		return nil
	}
	last, ok := s.Body[len(s.Body)-1].(*hast.Store)
	if !ok || last.Image != m || last.Updates() || last.Skip || !s.Fills(last) {
		return nil
	}
	stores := 0
	hast.EachStore(s.Body, func(st *hast.Store) {
		if st.Image.Base() == m {
			stores++
		}
	})
	if stores > 1 {
		return nil
	}
	return last
}

// version is the pipeline in which a stage writes another image than m, and those behind it use that.
func (g *Groups) version(m *hast.Image, second *stage) *hast.Pipeline {
	n := *m
	name, level, isLevel := strings.Cut(m.Name, "[")
	if n.Name = name + "_next"; isLevel {
		n.Name += "[" + level
	}
	out := *g.pipeline
	if m.Of != nil {
		family := *m.Of
		family.Name += "_next"
		n.Of = &family
		out.Pyramids = append(slices.Clone(out.Pyramids), &family)
	}
	at := slices.Index(out.Images, m)
	out.Images = slices.Insert(slices.Clone(out.Images), at+1, &n)
	if out.Declared == nil {
		out.Declared = g.pipeline.Images
	}
	from := map[*hast.Image]*hast.Image{m: &n}
	out.Steps, _ = g.rewritten(out.Steps, nil, func(s *hast.Stage) []hast.Step {
		x := g.of(s)
		if !same(x.list, second.list) || x.index < second.index || !touches(append(read(s), written(s)...), []*hast.Image{m}) {
			return []hast.Step{s}
		}
		if x != second {
			s = reading(s, from)
		}
		return []hast.Step{writing(s, from)}
	})
	return &out
}

// writing is a stage that writes other images in the place of some.
func writing(s *hast.Stage, to map[*hast.Image]*hast.Image) *hast.Stage {
	out := *s
	out.Body = hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr { return e })
	hast.WalkBody(out.Body, func(st hast.Stmt) {
		if st, ok := st.(*hast.Store); ok && to[st.Image] != nil {
			st.Image = to[st.Image]
		}
	}, nil)
	return &out
}
