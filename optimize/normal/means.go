package normal

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// exactly bounds the sums of integers that f32 holds, and thus all that are added up on the way.
const exactly = 1 << 24

// most bounds the points of a mean that are counted, those of a window, and the entries of a mask.
const most = 1 << 12

// mean is what takes the place of a mean that counts all of its points; nil where an expression stays.
func mean(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Mean || r.Where != nil {
		return nil
	}
	points, ok := block.Points(r.Space, most)
	switch {
	case !ok && r.Space.Points == nil:
		return byCount(r)
	case !ok || len(points) == 0 || r.T.Kind != types.F32:
		return nil
	}
	n := int64(len(points))
	sum := *r
	sum.Op = hast.Sum
	sum.Elem = hast.Map(r.Elem, mean)
	var total hast.Expr = &sum
	if c, ok := sum.Elem.(*hast.Convert); ok && small(c.X.Type().Kind, n) {
		sum.T = r.T.WithKind(types.I32)
		sum.Elem = &hast.Convert{Typed: hast.Typed{T: sum.T, At: r.At}, X: c.X}
		total = &hast.Convert{Typed: hast.Typed{T: r.T, At: r.At}, X: &sum}
	}
	return &hast.Op{Typed: hast.Typed{T: r.T, At: r.At}, Op: ops.Div, Args: []hast.Expr{total, number(r.T, types.Float(float64(n)), r)}}
}

// small reports whether the sum of n integers of a kind is exact in f32.
func small(k types.Kind, n int64) bool { return k.IsInt() && k.Bits() <= 16 && n<<k.Bits() <= exactly }

// byCount is the mean over ranges of lengths that are known at run time: the sum over how many values they have, 0 of none. Groups share sums.
func byCount(r *hast.Reduce) hast.Expr {
	sum := *r
	sum.Op = hast.Sum
	sum.Elem = hast.Map(r.Elem, mean)
	i64 := types.Scalar(types.I64)
	n := hast.Binary(ops.Max, hast.PointCount(r.Space, r.At), number(i64, types.Int(1), r)) // the sum of none is 0
	var count hast.Expr = &hast.Convert{Typed: hast.Typed{T: types.Scalar(r.T.Kind), At: r.At}, X: n}
	if !r.T.IsScalar() {
		count = &hast.Splat{Typed: hast.Typed{T: r.T, At: r.At}, X: count}
	}
	return hast.Binary(ops.Div, &sum, count)
}

// number is a constant in the place of a reduction, the same in all lanes.
func number(t types.Type, w types.Word, of *hast.Reduce) *hast.Const {
	words := make([]types.Word, t.Words())
	for i := range words {
		words[i] = w
	}
	return &hast.Const{Typed: hast.Typed{T: t, At: of.At}, Words: words}
}
