package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// What instances of a block share of their moving sums.

// shareSums leaves an instance, of a block of so many, of the operations of its moving sums those that it has where these are shared.
func (s *shape) shareSums(w *work, sums []*block.Moving, size [2]int, out *feature.Ops) {
	if !w.anyOrder {
		return
	}
	for _, m := range sums {
		n := size[m.Dim]
		if !m.Shared(n) {
			continue
		}
		lanes, points := float64(m.Of.T.Lanes), float64(m.N)
		out[feature.FMA] -= lanes * max(0, points-float64(m.Additions(n))/float64(n))
		out[feature.Convert] -= lanes * bytesIn(m.Elem) * (points - float64(m.N+n-1)/float64(n))
	}
	out[feature.FMA], out[feature.Convert] = max(0, out[feature.FMA]), max(0, out[feature.Convert])
}

// shares reports whether instances that items compute from memory share moving sums.
func (w *work) shares() bool {
	return w.anyOrder && slices.ContainsFunc(w.stage.Parts, func(p *feature.Part) bool { return len(p.Moving) > 0 })
}

// bytesIn is how many conversions of pixels to floats a term has, for each component.
func bytesIn(e hast.Expr) (n float64) {
	hast.Walk(e, func(e hast.Expr) {
		if c, ok := e.(*hast.Convert); ok && c.T.Kind.IsFloat() && c.X.Type().Kind.IsInt() {
			n++
		}
	})
	return n
}

// blockOf is how many instances of a part are computed from memory at once by an item.
func (s *shape) blockOf(p *block.Part) [2]int { return [2]int{int(s.ix), s.tiling.BlockRows(p)} }

// sharesIn does so for a part that items compute from memory; not in sweeps, whose times were measured without.
func (s *shape) sharesIn(w *work, i int, out *feature.Ops) {
	p := w.stage.Parts[i]
	if !s.local || s.tiling.Sweep || len(p.Moving) == 0 {
		return
	}
	for _, x := range w.group.Parts {
		if x.Of == p.Of && s.tiling.FromMemory(w.group, x) {
			s.shareSums(w, p.Moving, s.blockOf(x), out)
		}
	}
}
