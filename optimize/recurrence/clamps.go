package recurrence

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Distances, counters that saturate and maxima that decay are x[i] = min(max(x[i-1] + a, b), c), or parts of that after each other. Such steps are one of the same
// form together: a chunk adds what its steps add, and keeps the pixel between what it makes of the least and of the greatest one. Where it makes the same of both,
// what has been added does not matter any more. So its map is three numbers: these two, and the sum.
//
// All of that is so of numbers that do not wrap. Of integers of 8 and 16 bits, the kinds of what is added tell; 32 bits are begun from pixels as far from 0 as
// farPixel, and the map is not used where a step leaves farEnough, or for a pixel farther from 0.
const (
	farPixel  = 1 << 28
	farEnough = 1 << 29
)

// A span is what an integer lies in.
type span struct{ lo, hi int64 }

func (s span) in(t span) bool { return s.lo >= t.lo && s.hi <= t.hi }

func kindSpan(k types.Kind) span { return span{types.Lowest(k).Int(), types.Highest(k).Int()} }

// small reports whether spans of a kind fit where they are computed.
func small(k types.Kind) bool { return k.IsInt() && k.Bits() <= 32 }

// ends are the pixels that a chunk is begun from.
func (st *state) ends() span {
	if st.elem().Kind == types.I32 {
		return span{-farPixel, farPixel}
	}
	return kindSpan(st.elem().Kind)
}

// between is what pixels before lie in.
func (st *state) between() span {
	if st.elem().Kind == types.I32 {
		return span{-farEnough, farEnough}
	}
	return kindSpan(st.elem().Kind)
}

// isClamp reports whether all that becomes of the pixel before in a step is that something is added and that it is kept within bounds.
func (r *recurrence) isClamp(st *state) bool {
	switch st.elem().Kind {
	case types.U8, types.I8, types.U16, types.I16, types.I32:
		return st.order == 1 && r.clamp(st.store.Value, st)
	}
	return false
}

func (r *recurrence) clamp(e hast.Expr, st *state) bool {
	if r.sources(e) == 0 {
		return true // whatever the pixel before
	}
	if _, fits := r.spanOf(e, st); !fits {
		return false
	}
	switch e := e.(type) {
	case *hast.Load:
		_, ok := r.back[e]
		return ok
	case *hast.Ref:
		return r.lets[e.Var] != nil && r.clamp(r.lets[e.Var], st)
	case *hast.Convert:
		return (e.How == hast.Wrap || e.How == hast.Saturate) && r.clamp(e.X, st)
	case *hast.Select:
		return r.sources(e.Cond) == 0 && r.clamp(e.Then, st) && r.clamp(e.Else, st)
	case *hast.Op:
		if x, _ := r.sides(e); x != nil {
			return r.clamp(x, st)
		}
	}
	return false
}

// sides are the operand that the pixel before goes into, and the other one; nil of operators that are no part of a clamp.
func (r *recurrence) sides(e *hast.Op) (x, a hast.Expr) {
	if e.Op == ops.Clamp && r.sources(e.Args[1])|r.sources(e.Args[2]) == 0 {
		return e.Args[0], e.Args[1]
	}
	if len(e.Args) != 2 {
		return nil, nil
	}
	x, a = e.Args[0], e.Args[1]
	switch e.Op {
	case ops.Add, ops.Min, ops.Max:
		if r.sources(x) == 0 {
			x, a = a, x
		}
	case ops.Sub:
	default:
		return nil, nil
	}
	if r.sources(a) != 0 {
		return nil, nil
	}
	return x, a
}

// spanOf is what an integer lies in; fits is false where it may wrap.
func (r *recurrence) spanOf(e hast.Expr, st *state) (s span, fits bool) {
	kind := e.Type().Kind
	if !small(kind) {
		return span{}, false
	}
	all := kindSpan(kind)
	switch e := e.(type) {
	case *hast.Const:
		s = span{e.Words[0].Int(), e.Words[0].Int()}
		for _, w := range e.Words {
			s = s.with(span{w.Int(), w.Int()})
		}
		return s, true
	case *hast.Load:
		if _, ok := r.back[e]; ok {
			return st.between(), true
		}
	case *hast.Ref:
		if x := r.lets[e.Var]; x != nil {
			return r.spanOf(x, st)
		}
	case *hast.Convert:
		return r.spanOfConvert(e, st)
	case *hast.Select:
		s, ok1 := r.spanOf(e.Then, st)
		t, ok2 := r.spanOf(e.Else, st)
		return s.with(t), ok1 && ok2
	case *hast.Op:
		return r.spanOfOp(e, st)
	}
	return all, r.sources(e) == 0
}

func (r *recurrence) spanOfConvert(e *hast.Convert, st *state) (span, bool) {
	all := kindSpan(e.T.Kind)
	inner, ok := r.spanOf(e.X, st)
	switch {
	case !ok:
		return all, r.sources(e) == 0
	case e.How == hast.Saturate:
		return span{min(max(inner.lo, all.lo), all.hi), max(min(inner.hi, all.hi), all.lo)}, true
	case inner.in(all):
		return inner, true
	}
	return all, r.sources(e) == 0
}

func (r *recurrence) spanOfOp(e *hast.Op, st *state) (span, bool) {
	all, fits := kindSpan(e.T.Kind), true
	args := make([]span, len(e.Args))
	for i, a := range e.Args {
		s, ok := r.spanOf(a, st)
		args[i], fits = s, fits && ok
	}
	if !fits || len(args) < 2 {
		return all, r.sources(e) == 0
	}
	s, x, y := all, args[0], args[1]
	switch e.Op {
	case ops.Clamp:
		s = span{min(max(x.lo, y.lo), args[2].lo), min(max(x.hi, y.hi), args[2].hi)}
	case ops.Add:
		s = span{x.lo + y.lo, x.hi + y.hi}
	case ops.Sub:
		s = span{x.lo - y.hi, x.hi - y.lo}
	case ops.Min:
		s = span{min(x.lo, y.lo), min(x.hi, y.hi)}
	case ops.Max:
		s = span{max(x.lo, y.lo), max(x.hi, y.hi)}
	default:
		return all, r.sources(e) == 0
	}
	if s.in(all) {
		return s, true
	}
	return all, r.sources(e) == 0
}

// with is what holds both.
func (s span) with(t span) span { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }

// sumType is what sums of what is added are in.
func (st *state) sumType() types.Type { return st.elem().WithKind(types.I32) }

// fromOther is a value of the body with another variable for the pixel before.
func (r *recurrence) fromOther(e hast.Expr, before *hast.Var) hast.Expr {
	return hast.Map(e, func(x hast.Expr) hast.Expr {
		switch x := x.(type) {
		case *hast.Load:
			if _, ok := r.back[x]; ok {
				return ref(before)
			}
		case *hast.Ref:
			if r.from[x.Var] != 0 {
				return r.fromOther(r.lets[x.Var], before)
			}
		}
		return nil
	})
}

// added is what a value adds to the pixel before, where that goes into it.
func (r *recurrence) added(e hast.Expr, st *state) hast.Expr {
	none := number(st.sumType(), 0)
	if r.sources(e) == 0 {
		return none
	}
	switch e := e.(type) {
	case *hast.Ref:
		return r.added(r.lets[e.Var], st)
	case *hast.Convert:
		return r.added(e.X, st)
	case *hast.Select:
		then, els := r.added(e.Then, st), r.added(e.Else, st)
		if hast.Equal(then, els) {
			return then
		}
		return choose(e.Cond, then, els)
	case *hast.Op:
		x, a := r.sides(e)
		sum := r.added(x, st)
		if e.Op == ops.Add || e.Op == ops.Sub {
			a = convert(a, st.sumType())
			if isZero(sum) && e.Op == ops.Add {
				return a
			}
			return op(e.Op, sum, a)
		}
		return sum
	}
	return none
}

func isZero(e hast.Expr) bool {
	c, ok := e.(*hast.Const)
	return ok && c.Words[0].Int() == 0
}

// nextEnds takes what becomes of the greatest pixel, and the sum, one instance further; the pixel before is what becomes of the least one.
func (w *rewriter) nextEnds(st *state, l *local) []hast.Stmt {
	out := []hast.Stmt{
		set(l.sum, op(ops.Add, ref(l.sum), w.added(st.store.Value, st))),
		set(l.high, w.fromOther(st.store.Value, l.high)),
	}
	if l.safe != nil {
		out = append(out, set(l.safe, every(append([]hast.Expr{ref(l.safe)}, w.inside(ref(l.state[0]), ref(l.high), st.between())...))))
	}
	return out
}

// inside are the conditions that two values are within a span.
func (w *rewriter) inside(low, high hast.Expr, s span) []hast.Expr {
	t := low.Type()
	return []hast.Expr{everywhere(compareAll(ops.Ge, low, number(t, s.lo))), everywhere(compareAll(ops.Le, high, number(t, s.hi)))}
}

// clamped is what a chunk makes of a pixel.
func (w *rewriter) clamped(c *carried, x, chunk hast.Expr) hast.Expr {
	t := c.state.sumType()
	sum := op(ops.Add, convert(x, t), w.load(c.sum, chunk))
	low, high := convert(w.load(c.value[0], chunk), t), convert(w.load(c.high, chunk), t)
	return convert(op(ops.Max, op(ops.Min, sum, high), low), c.state.elem())
}

// composeClamps takes what a group's members so far make of a state through the map of the next.
func (w *rewriter) composeClamps(c *carried, low *hast.Var, l *local, member hast.Expr) (out []hast.Stmt) {
	if c.safe != nil {
		safe := hast.Compare(ops.Ne, w.load(c.safe, member), number(i32, 0))
		conds := append([]hast.Expr{ref(l.safe), safe}, w.inside(ref(low), ref(l.high), c.state.ends())...)
		out = append(out, set(l.safe, every(conds)))
	}
	return append(out,
		set(low, w.clamped(c, ref(low), member)),
		set(l.high, w.clamped(c, ref(l.high), member)),
		set(l.sum, op(ops.Add, ref(l.sum), w.load(c.sum, member))))
}
