package clike

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// saturate is a saturating conversion between integer kinds: what the target cannot hold is cut off first, and then a plain conversion
// does. It is no saturating conversion of the target language: ptxas (12.4 to 13.5) turns that of a negated value into comparisons with the
// value itself, so that the smallest one, which is its own negative, becomes the largest of the target.
func (s *scope) saturate(e *kir.Convert) Form {
	from, to := e.X.Type().Kind, e.T.Kind
	work := types.Scalar(from)
	if from.Bits() < 32 {
		work.Kind = types.I32 // what C computes with
	}
	x := e.X
	if work.Kind != from {
		x = &kir.Convert{Typed: kir.Typed{T: work}, X: x, Exact: true}
	}
	cut := func(op ops.Op, bound types.Word) {
		x = &kir.Op{Typed: kir.Typed{T: work}, Op: op, Args: []kir.Expr{x, &kir.Const{Typed: kir.Typed{T: work}, Words: []types.Word{bound}}}}
	}
	if from.IsSigned() {
		if to.IsUnsigned() {
			cut(ops.Max, types.Int(0))
		} else if to.Bits() < from.Bits() {
			cut(ops.Max, types.Int(-1<<(to.Bits()-1)))
		}
	}
	magnitude := func(k types.Kind) int { // bits of the greatest value
		if k.IsSigned() {
			return k.Bits() - 1
		}
		return k.Bits()
	}
	if n := magnitude(to); n < magnitude(from) {
		cut(ops.Min, types.Int(1<<n-1))
	}
	return s.cast(s.expr(x), to)
}
