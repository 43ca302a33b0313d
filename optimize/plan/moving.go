package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// What instances of a block share of their moving sums.

// shareSums leaves an instance, of a block of so many, of the operations of its moving sums those that it has where these are shared.
func (s *shape) shareSums(w *work, sums []*block.Moving, size [2]int, out *feature.Ops) {
	for _, m := range sums {
		n := size[m.Dim]
		if !w.mayShare(m) || !m.Shared(n) {
			continue
		}
		pipe, each := feature.FMA, 1.0
		if m.Extreme() {
			pipe, each = feature.Logic, feature.PerExtreme
		}
		lanes, points := float64(m.Of.T.Lanes), float64(m.N)
		out[pipe] -= each * lanes * max(0, points-float64(m.Operations(n))/float64(n))
		out[feature.Convert] -= lanes * bytesIn(m.Elem) * (points - float64(m.N+n-1)/float64(n))
	}
	for _, pipe := range []feature.Pipe{feature.FMA, feature.Logic, feature.Convert} {
		out[pipe] = max(0, out[pipe])
	}
}

// mayShare reports whether instances may share a moving sum: floats are added in another order then.
func (w *work) mayShare(m *block.Moving) bool { return w.anyOrder || m.Extreme() }

// shares reports whether instances that items compute from memory share moving sums.
func (w *work) shares() bool {
	return slices.ContainsFunc(w.stage.Parts, func(p *feature.Part) bool { return slices.ContainsFunc(p.Moving, w.mayShare) })
}

// sharesSums reports whether these are sums, some of them.
func (w *work) sharesSums() bool {
	sum := func(m *block.Moving) bool { return !m.Extreme() && w.mayShare(m) }
	return slices.ContainsFunc(w.stage.Parts, func(p *feature.Part) bool { return slices.ContainsFunc(p.Moving, sum) })
}

// sharing says that instances of the blocks of a group share extremes, in a form to be appended; "" where they do not.
func (w *work) sharing(d schedule.Decisions) string {
	shares := func(m *block.Moving) bool { return m.Extreme() && m.Shared(d.Item[m.Dim]) }
	fused := slices.ContainsFunc(w.stage.Parts, func(p *feature.Part) bool { return slices.ContainsFunc(p.Moving, shares) })
	if !fused && !slices.ContainsFunc(w.stage.Moving, shares) {
		return ""
	}
	return "; neighbours choose once between what their windows have in common"
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
