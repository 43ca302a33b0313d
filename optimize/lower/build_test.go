package lower

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestIntegersComparedWithThemselves holds that comparisons of equal products are decided, and of nothing else.
func TestIntegersComparedWithThemselves(t *testing.T) {
	w, h := ref(&kir.Var{Name: "w", Type: i64T}), ref(&kir.Var{Name: "h", Type: i64T})
	f := ref(&kir.Var{Name: "f", Type: types.Scalar(types.F32)})
	for _, c := range []struct {
		name string
		op   ops.Op
		x, y kir.Expr
		want int64 // -1: undecided
	}{
		{"w*2 <= 2*w", ops.Le, mul(w, i64(2)), mul(i64(2), w), 1},
		{"w*h < h*w", ops.Lt, mul(w, h), mul(h, w), 0},
		{"w == w", ops.Eq, w, w, 1},
		{"w != w", ops.Ne, w, w, 0},
		{"w <= h", ops.Le, w, h, -1},
		{"w*2 <= 3*w", ops.Le, mul(w, i64(2)), mul(i64(3), w), -1},
		{"f == f", ops.Eq, f, f, -1}, // false of NaN
	} {
		got := int64(-1)
		if n, known := constInt(hostOp(boolType, c.op, c.x, c.y)); known {
			got = n
		}
		if got != c.want {
			t.Errorf("%s is %d, wanted %d", c.name, got, c.want)
		}
	}
}
