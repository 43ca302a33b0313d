package normal

import (
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/types"
)

// WithoutZeros is what takes the place of a sum of which some points have the weight 0 in a constant array: the sum over the others. Nil where an expression stays. Integers are the same;
// floats are but for pixels that are infinite or no numbers.
func WithoutZeros(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Sum || r.Ways != 0 {
		return nil
	}
	points, known := block.Points(r.Space, most)
	if !known {
		return nil
	}
	var left [][]int64
	factors := hast.Factors(r.Elem)
	for _, p := range points {
		if !hasZero(factors, r.Space.Vars, p) {
			left = append(left, p)
		}
	}
	if len(left) == 0 || len(left) == len(points) {
		return nil
	}
	x := *r
	x.Space = hast.Space{Vars: r.Space.Vars, Points: left}
	x.Elem = hast.Map(r.Elem, WithoutZeros)
	return &x
}

// hasZero reports whether one of some factors is an entry of a constant array that is 0 at a point.
func hasZero(factors []hast.Expr, vars []*hast.Var, p []int64) bool {
	for _, f := range factors {
		if all, ok := f.(*hast.Splat); ok {
			f = all.X
		}
		if e, ok := f.(*hast.Elem); ok && ofConstant(e) {
			c := e.X.(*hast.Const)
			if at, known := block.EntryAt(e.Index, c.T.Shape(), vars, p); known && !types.Convert(c.Words[at], c.T.Kind, types.Bool).Truth() {
				return true
			}
		}
	}
	return false
}

// ofIntegers is that of sums of integers.
func ofIntegers(e hast.Expr) hast.Expr {
	if !e.Type().Kind.IsInt() {
		return nil
	}
	return WithoutZeros(e)
}
