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
		{"(w+1)/2 == (w+1)/2", ops.Eq, div(add(w, i64(1)), i64(2)), div(add(w, i64(1)), i64(2)), 1},
		{"w/h <= h/w", ops.Le, div(w, h), div(h, w), -1},
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

// TestDecidedConditions holds that a condition is dropped where another one decides, and the other one where it does not.
func TestDecidedConditions(t *testing.T) {
	open := hostOp(boolType, ops.Lt, ref(&kir.Var{Name: "w", Type: i64T}), i64(3))
	yes, no := intConst(types.Bool, 1), intConst(types.Bool, 0)
	for _, c := range []struct {
		op      ops.Op
		x, y, z kir.Expr
	}{
		{ops.LOr, yes, open, yes}, {ops.LOr, open, yes, yes}, {ops.LOr, no, open, open}, {ops.LOr, open, no, open},
		{ops.LAnd, yes, open, open}, {ops.LAnd, open, yes, open}, {ops.LAnd, no, open, no}, {ops.LAnd, open, no, no},
	} {
		if got := hostOp(boolType, c.op, c.x, c.y); got != c.z {
			t.Errorf("%v of %v and %v is %v, wanted %v", c.op, c.x, c.y, got, c.z)
		}
	}
}
