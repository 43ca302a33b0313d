package linear_test

import (
	"testing"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

func TestPartsOfSums(t *testing.T) {
	i32 := types.Scalar(types.I32)
	h, w := hast.RefTo(&hast.Var{Name: "h", Type: i32}), hast.RefTo(&hast.Var{Name: "w", Type: i32})
	sum := func(x, y hast.Expr) hast.Expr { return hast.Binary(ops.Add, x, y) }
	less := func(x, y hast.Expr) hast.Expr { return hast.Binary(ops.Sub, x, y) }
	times := func(x, y hast.Expr) hast.Expr { return hast.Binary(ops.Mul, x, y) }
	for _, c := range []struct {
		x    hast.Expr
		want string
	}{
		{less(sum(h, w), h), "w"},
		{less(h, less(h, w)), "w"},
		{sum(h, times(hast.Int(2), less(w, h))), "((2 * w) - h)"},
		{times(less(hast.Int(3), w), hast.Int(-4)), "((4 * w) - 12)"},
		{&hast.Op{Typed: hast.Typed{T: i32}, Op: ops.Neg, Args: []hast.Expr{sum(h, hast.Int(1))}}, "(-1 - h)"},
		{sum(times(h, w), times(h, w)), "(2 * (h * w))"},
		{less(w, w), "0"},
		{sum(times(times(h, hast.Int(1<<30)), hast.Int(4)), w), "w"},
	} {
		if got := hast.Text(linear.Of(linear.Parts(c.x))); got != c.want {
			t.Errorf("%s is %s, not %s", hast.Text(c.x), got, c.want)
		}
	}
}
