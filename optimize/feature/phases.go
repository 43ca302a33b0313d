package feature

import (
	"imgc/hast"
	"imgc/optimize/block"
)

// phasedOf counts the operations of an instance that knows where it is in the periods of its coordinates; nil where that makes no difference.
func phasedOf(s *hast.Stage, fast bool) *Phased {
	w := newWalker(s, fast)
	w.every = &[2]int{1, 1}
	w.stage(s)
	if *w.every == [2]int{1, 1} {
		return nil
	}
	return &Phased{Every: *w.every, Ops: w.out.Ops}
}

// isPhase reports whether a value depends on remainders of coordinates alone, by numbers that are then of those that blocks have to be multiples of.
func (w *walker) isPhase(e *hast.Op) bool {
	if w.every == nil {
		return false
	}
	list, ok := w.scope.Repeats(e)
	every, varies := *w.every, false
	for _, p := range list {
		dim := w.dimension(p.Var)
		if dim < 0 {
			ok = ok && p.Var == nil
			continue
		}
		varies = true
		for m := every[dim]; every[dim]%p.N != 0; {
			every[dim] += m
		}
	}
	if ok = ok && varies; ok {
		*w.every = every
	}
	return ok
}

// dimension is 0 of the last variable of the stage, 1 of the one before, and else -1.
func (w *walker) dimension(v *hast.Var) int {
	n := len(w.scope.Iterators)
	for dim := range min(n, len(w.every)) {
		if w.scope.Iterators[n-1-dim] == v {
			return dim
		}
	}
	return -1
}

// either counts the sides of a condition: the dearer one or, where it is known for each instance of a block which one that takes, half of both. It reports whether that is known.
func (w *walker) either(cond hast.Expr, then, els func()) bool {
	if w.every == nil || !w.isFixed(cond) {
		w.branch(then, els)
		return false
	}
	was := w.times
	w.times = was / 2
	then()
	els()
	w.times = was
	return true
}

// placeOf is the form of a coordinate on an axis of an image.
func (w *walker) placeOf(e hast.Expr, m *hast.Image, axis int) form {
	f := w.formOf(e)
	if f.known || w.scope == nil {
		return f
	}
	if _, _, channel := block.Axes(m); axis == channel {
		if _, ok := w.scope.Repeats(e); ok {
			return offsets(0, int64(block.Channels(m)-1))
		}
	}
	p, ok := w.scope.Phases(e)
	if !ok {
		return f
	}
	s, ok := p.Places()
	if !ok {
		return f
	}
	n := int64(s.Div)
	return form{coef: map[*hast.Var]int64{p.Var: int64(s.Stride)}, lo: n * int64(s.Lo), hi: n * int64(s.Hi), div: n, known: true, periodic: true}
}

// meet are two axes as of blocks of the same period, where places go on alike on both and one of them is periodic.
func (a Axis) meet(b Axis) (u, v Axis, ok bool) {
	if !a.Known || !b.Known || a.Var == nil || a.Var != b.Var || a.Host || b.Host {
		return a, b, false
	}
	s, t, ok := a.span().Meet(b.span())
	if !ok {
		return a, b, false
	}
	return a.of(s), a.of(t), true
}

func (a Axis) span() block.Span {
	s := block.Span{Stride: int(a.Mul), Lo: int(a.Lo), Hi: int(a.Hi), Div: int(a.Div), Periodic: a.Periodic}
	if s.Div == 1 {
		s.Div = 0
	}
	if s.Periodic {
		s.Lo, s.Hi = s.Lo/s.Div, s.Hi/s.Div
	}
	return s
}

func (a Axis) of(s block.Span) Axis {
	n := int64(s.Div)
	return Axis{Var: a.Var, Mul: int64(s.Stride), Div: n, Lo: n * int64(s.Lo), Hi: n * int64(s.Hi), Known: true, Periodic: true}
}

// Divides reports whether blocks of n instances reach the same places, from their own first one on.
func (a Axis) Divides(n int64) bool { return a.span().Divides(int(n)) }

// Reached is how many places n instances reach beside each other.
func (a Axis) Reached(n float64) float64 {
	switch {
	case a.Periodic:
		return float64(a.Mul)*(n/float64(a.Div)-1) + float64(a.Span())
	case a.Div > 1:
		return max(1, float64(a.Mul)*n/float64(a.Div)) + float64(a.Span()-1)
	}
	return float64(a.Mul)*(n-1) + float64(a.Span())
}

// Apart reports whether neighbouring instances, or those of neighbouring periods, reach no places in common.
func (a Axis) Apart() bool {
	if a.Periodic || a.Div > 1 {
		return a.Span() <= max(1, a.Mul)
	}
	return a.Span() <= a.Mul
}
