package lower

import (
	"strings"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/types"
)

// pyramids declares what counts levels, then the families of images.
func (pl *planner) pyramids() {
	for _, c := range pl.src.Counted {
		pl.countLevels(c.Levels, c.Name)
	}
	for _, p := range pl.src.Pyramids {
		for _, l := range p.Over {
			pl.countLevels(l, p.Name)
		}
	}
	hast.WalkSteps(pl.src.Steps, func(s hast.Step) {
		if t, ok := s.(*hast.Traverse); ok {
			pl.countLevels(t.Levels, t.Names[0])
		}
	})
	for _, p := range pl.src.Pyramids {
		pl.pyramid(p)
	}
}

// countLevels lowers what counts levels, once.
func (pl *planner) countLevels(l *hast.Levels, name string) {
	if pl.levels[l] != nil {
		return
	}
	i64 := types.Scalar(types.I64)
	out := &kir.Levels{Name: name, Level: pl.hostVar(l.Level, i64), Count: pl.hostExpr(l.Count), At: l.At}
	pl.bounds[l.Level] = interval.Between(0, kir.MaxLevels-1)
	for _, s := range l.Scaled {
		scaled := &kir.Scaled{Var: pl.hostVar(s.Var, i64), Finest: pl.hostExpr(s.Finest), Factor: s.Factor}
		for _, v := range s.Finer {
			scaled.Finer = append(scaled.Finer, pl.hostVar(v, i64))
			pl.bounds[v] = interval.Between(1, hast.MaxExtent)
		}
		pl.bounds[s.Var] = interval.Between(1, hast.MaxExtent)
		out.Scaled = append(out.Scaled, scaled)
	}
	pl.levels[l] = out
	pl.out.Levels = append(pl.out.Levels, out)
}

// over is what counts the levels that an expression is computed at.
func (pl *planner) over(list []*hast.Levels) []*kir.Levels {
	var out []*kir.Levels
	for _, l := range list {
		out = append(out, pl.levels[l])
	}
	return out
}

// pyramid lowers a family of images. Of what levels an image outside of it depends on, only its own decides which it is.
func (pl *planner) pyramid(p *hast.Pyramid) *kir.Pyramid {
	out := &kir.Pyramid{Name: p.Name, Elem: p.Elem, Over: pl.over(pl.needed(p)), Zero: p.Zero, At: p.At}
	for _, e := range p.Extent {
		out.Extent = append(out.Extent, pl.hostExpr(e))
	}
	last, _ := constInt(out.Extent[len(out.Extent)-1])
	out.LineAxis = kir.LineAxis(len(out.Extent), last)
	if p.Used != nil {
		out.Used = pl.hostExpr(p.Used)
	}
	pl.families[p] = out
	pl.out.Pyramids = append(pl.out.Pyramids, out)
	return out
}

// needed is Over without the outer levels that the family does not depend on.
func (pl *planner) needed(p *hast.Pyramid) []*hast.Levels {
	var list []*hast.Levels
	for _, l := range p.Over[:len(p.Over)-1] {
		depends := p.Used != nil && hast.Mentions(p.Used, l)
		for _, e := range p.Extent {
			depends = depends || hast.Mentions(e, l)
		}
		if depends {
			list = append(list, l)
		}
	}
	return append(list, p.Own())
}

// beside makes the image of a further family with an image for each of m's: its pixels wider, or locks.
func (pl *planner) beside(m, like *hast.Image) {
	if like.Of == nil {
		return
	}
	f := &hast.Pyramid{
		Name: m.Name, Elem: m.Elem, Over: like.Of.Over, Extent: like.Of.Extent, Lower: like.Of.Lower, Used: like.Of.Used,
		Zero: m.Zero, At: m.At,
	}
	m.Of, m.Index = f, like.Index
	pl.pyramid(f)
}

// traversal lowers the steps of pyramids; false for others.
func (pl *planner) traversal(s hast.Step) bool {
	switch s := s.(type) {
	case *hast.Traverse:
		pl.traverse(s)
	case *hast.Descend:
		pl.emit(&kir.Descend{Of: pl.traverses[s.Of], Times: pl.hostExpr(s.Times), Between: pl.steps(s.Between)})
	case *hast.FreshPyramid:
		if s.Pyramid.Zero {
			pl.emit(&kir.ClearPyramid{Pyramid: pl.families[s.Pyramid]})
		}
	case *hast.SwapPyramids:
		pl.emit(&kir.SwapPyramids{A: pl.families[s.A], B: pl.families[s.B]})
	default:
		return false
	}
	return true
}

// startAnew gives an image that was declared again its first contents; one that moves is laid out again.
func (pl *planner) startAnew(m *hast.Image) {
	pl.resize(m)
	if m.Zero {
		pl.emit(&kir.Clear{Image: pl.images[m]})
	}
}

// resize lays an image out by the extents that it has now, if they may have changed.
func (pl *planner) resize(m *hast.Image) {
	if im := pl.images[m]; im.Of != nil && im.Of.Moves() {
		pl.emit(&kir.Resize{Image: im})
	}
}

// identifier is what generated code calls an image: g, g_coarser, g_finer and g_2 for g[0], g[+1], g[-1] and g[2].
func identifier(m *hast.Image) string {
	name, level, isLevel := strings.Cut(strings.TrimSuffix(m.Name, "]"), "[")
	if !isLevel || level == "0" {
		return name
	}
	side, far := map[byte]string{'+': "_coarser", '-': "_finer"}[level[0]], strings.TrimLeft(level, "+-")
	switch {
	case side == "":
		return name + "_" + far
	case far == "1":
		return name + side
	}
	return name + side + far
}
