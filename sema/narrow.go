package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/interval"
	"imgc/ops"
	"imgc/syntax"
	"imgc/types"
)

// Warnings of integers that lose what the result is meant to hold.

// warnQuotient reports a quotient of two integers that are written as numbers, which is 0 where a fraction is meant.
func (e *env) warnQuotient(x *syntax.Binary, a, b operand) {
	if x.Op != "/" || !isLiteral(x.X) || !isLiteral(x.Y) || !a.valid() || !b.valid() || !a.typ.Kind.IsInt() || !b.typ.Kind.IsInt() {
		return
	}
	if p, q := a.con.nums[0].i, b.con.nums[0].i; p.Sign() != 0 && p.CmpAbs(q) < 0 {
		e.warnf(diag.TooNarrow, x.At, "%s is 0, the quotient of two integers", excerpt(x.At)).Note("write %s.0 / %s for a fraction", excerpt(a.at), excerpt(b.at))
	}
}

func isLiteral(x syntax.Expr) bool {
	lit, ok := syntax.Unparen(x).(*syntax.Lit)
	return ok && lit.Kind == syntax.IntLit
}

// warnWrapped reports a sum or product in 32 bits that becomes a kind which holds more, and which intervals show to wrap around before.
func (e *env) warnWrapped(o operand, k types.Kind) {
	own := o.typ.Kind
	if own != types.I32 && own != types.U32 || !k.IsFloat() && k.Bits() < 64 {
		return
	}
	switch x := o.x.(type) {
	case *hast.Reduce:
		if x.Op == hast.Sum && k.IsInt() && !sumOfPixels(x).Within(interval.OfKind(own)) {
			e.warnf(diag.TooNarrow, o.at, "this sum of %s may wrap around before it becomes %s", own, k).Note("convert what is added: sum(%s(e) for ...)", k)
		}
	case *hast.Op:
		if all, known := ofPixels(x); x.Op == ops.Mul && known && !all.Within(interval.OfKind(own)) {
			e.warnf(diag.TooNarrow, o.at, "this product of %s may wrap around before it becomes %s: exactly, it reaches %d", own, k, max(all.Hi, -all.Lo)).
				Note("convert a factor: %s(a) * b", k)
		}
	}
}

// sumOfPixels bounds a sum as if it did not wrap around; that of numbers of which nothing is known is a point.
func sumOfPixels(x *hast.Reduce) interval.Interval {
	term, known := ofPixels(x.Elem)
	if !known {
		return interval.Point(0)
	}
	return term.Times(pointsOf(x.Space))
}

// pointsOf bounds how many points a space has.
func pointsOf(s hast.Space) interval.Interval {
	points := interval.Point(int64(len(s.Points)))
	if s.Points == nil {
		points = interval.Point(1)
		for _, r := range s.Ranges {
			n, known := evaluate.Value(hast.Trips(r, r.Lo.Span()))
			if !known {
				return interval.AtLeast(0)
			}
			points = points.Times(interval.Point(n[0].Int()))
		}
	}
	return points.Join(interval.Point(0))
}

// ofPixels bounds products of constants and integers of up to 16 bits as if none wrapped around. Others are scalars, extents and coordinates, whose kinds say little about
// what they are.
func ofPixels(x hast.Expr) (interval.Interval, bool) {
	k := x.Type().Kind
	switch x := x.(type) {
	case *hast.Const:
		if v, ok := hast.Number(x); ok {
			return interval.Point(v), true
		}
		return interval.All, false
	case *hast.Convert:
		if k.IsInt() && k.Bits() <= 16 {
			return interval.OfKind(k), true
		}
		return ofPixels(x.X)
	case *hast.Load, *hast.Elem:
		return interval.OfKind(k), k.IsInt() && k.Bits() <= 16
	case *hast.Op:
		if x.Op != ops.Mul || !k.IsInt() {
			return interval.All, false
		}
		a, some := ofPixels(x.Args[0])
		b, all := ofPixels(x.Args[1])
		return a.Times(b), some && all
	}
	return interval.All, false
}
