package kir

import (
	"testing"

	"imgc/ops"
	"imgc/types"
)

func TestHostExpressionsReadAsWritten(t *testing.T) {
	i64, i32 := types.Scalar(types.I64), types.Scalar(types.I32)
	h, w := &Ref{Typed{i64}, &Var{Name: "H", Type: i64}}, &Ref{Typed{i64}, &Var{Name: "W", Type: i64}}
	n := func(v int64) Expr { return &Const{Typed: Typed{i64}, Words: []types.Word{types.Int(v)}} }
	op := func(o ops.Op, args ...Expr) Expr { return &Op{Typed: Typed{i64}, Op: o, Args: args} }
	less := &Op{Typed: Typed{types.Scalar(types.Bool)}, Op: ops.Lt, Args: []Expr{h, w}}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{op(ops.Div, op(ops.Add, h, n(1)), n(2)), "(H + 1)/2"},
		{op(ops.Add, op(ops.Mul, n(2), h), w), "2*H + W"},
		{op(ops.Sub, h, op(ops.Sub, w, n(1))), "H - (W - 1)"},
		{op(ops.Sub, op(ops.Sub, h, w), n(1)), "H - W - 1"},
		{op(ops.Neg, op(ops.Add, h, n(-3))), "-(H + -3)"},
		{op(ops.Max, h, op(ops.Shr, w, n(2))), "max(H, W >> 2)"},
		{&Convert{Typed: Typed{i32}, X: &Convert{Typed: Typed{i32}, X: h, Exact: true}}, "i32(H)"},
		{op(ops.Mul, &Select{Typed: Typed{i64}, Cond: less, Then: h, Else: w}, n(3)), "(H < W ? H : W)*3"},
		{&Const{Typed: Typed{i64}, Words: []types.Word{7}, Name: "RADIUS"}, "RADIUS"},
		{&Vec{Typed: Typed{types.Vector(types.I32, 2)}, Parts: []Expr{h, w}}, "i32x2(H, W)"},
	} {
		if got := HostText(c.e, nil); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	source := func(v *Var) string { return "src." + v.Name }
	if got := HostText(op(ops.Mul, h, w), source); got != "src.H*src.W" {
		t.Error(got)
	}
	most := &Const{Typed: Typed{i64}, Words: []types.Word{7}, Name: "MOST"}
	if got := ValueText(op(ops.Mul, most, op(ops.Add, w, n(1))), source); got != "7*(src.W + 1)" {
		t.Error(got)
	}
}
