package normal

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// exactly bounds the sums of integers that f32 holds, and thus all that are added up on the way.
const exactly = 1 << 24

// most bounds the points of a mean that are counted: those of a window.
const most = 1 << 12

// mean is what takes the place of the mean of a window; nil where an expression stays.
func mean(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Mean || r.Where != nil || r.T.Kind != types.F32 {
		return nil
	}
	points, ok := block.Points(r.Space, most)
	if !ok || len(points) == 0 {
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
	count := &hast.Const{Typed: hast.Typed{T: r.T, At: r.At}, Words: make([]types.Word, r.T.Words())}
	for i := range count.Words {
		count.Words[i] = types.Float(float64(n))
	}
	return &hast.Op{Typed: hast.Typed{T: r.T, At: r.At}, Op: ops.Div, Args: []hast.Expr{total, count}}
}

// small reports whether the sum of n integers of a kind is exact in f32.
func small(k types.Kind, n int64) bool { return k.IsInt() && k.Bits() <= 16 && n<<k.Bits() <= exactly }
