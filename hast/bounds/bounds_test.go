package bounds_test

import (
	"testing"

	"imgc/hast"
	"imgc/hast/bounds"
	"imgc/interval"
	"imgc/ops"
	"imgc/types"
)

// TestOf has a pixel of which something is known, and a variable of which nothing is.
func TestOf(t *testing.T) {
	i32 := types.Scalar(types.I32)
	pixel := &hast.Load{Typed: hast.Typed{T: i32}}
	v := &hast.Ref{Typed: hast.Typed{T: i32}, Var: &hast.Var{Type: i32}}
	known := func(e hast.Expr) (interval.Interval, bool) { return interval.Between(-20, 300), e == hast.Expr(pixel) }
	to := func(k types.Kind, how hast.How, x hast.Expr) hast.Expr {
		return &hast.Convert{Typed: hast.Typed{T: types.Scalar(k)}, X: x, How: how}
	}
	vector := &hast.Const{Typed: hast.Typed{T: types.Vector(types.I32, 2)}, Words: []types.Word{types.Int(7), types.Int(-1)}}
	test := hast.Binary(ops.Lt, v, hast.Int(3))
	for _, c := range []struct {
		name string
		e    hast.Expr
		want interval.Interval
	}{
		{"a variable", v, interval.OfKind(types.I32)},
		{"a pixel", pixel, interval.Between(-20, 300)},
		{"a product", hast.Binary(ops.Mul, pixel, hast.Int(2)), interval.Between(-40, 600)},
		{"a remainder of anything", hast.Binary(ops.Rem, v, hast.Int(8)), interval.Between(-7, 7)},
		{"a choice", &hast.Select{Typed: hast.Typed{T: i32}, Cond: test, Then: hast.Int(9), Else: hast.Int(-2)}, interval.Between(-2, 9)},
		{"a byte", to(types.U8, hast.Wrap, pixel), interval.Between(0, 255)},
		{"a saturated byte", to(types.I8, hast.Saturate, hast.Binary(ops.Max, pixel, hast.Int(0))), interval.Between(0, 127)},
		{"bits", to(types.U32, hast.Bitcast, pixel), interval.OfKind(types.U32)},
		{"a float", to(types.I32, hast.Wrap, &hast.Const{Typed: hast.Typed{T: types.Scalar(types.F32)}, Words: []types.Word{types.Float(3)}}), interval.OfKind(types.I32)},
		{"components", vector, interval.Between(-1, 7)},
		{"one of them", &hast.Swizzle{Typed: hast.Typed{T: i32}, X: vector, Lanes: []int{0}}, interval.Between(-1, 7)},
		{"a pixel and a number", &hast.Vec{Typed: hast.Typed{T: vector.T}, Parts: []hast.Expr{pixel, hast.Int(512)}}, interval.Between(-20, 512)},
		{"a number in all", &hast.Splat{Typed: hast.Typed{T: vector.T}, X: hast.Int(512)}, interval.Point(512)},
		{"a condition", to(types.I32, hast.Wrap, hast.Binary(ops.Lt, pixel, hast.Int(301))), interval.Point(1)},
	} {
		if got := bounds.Of(c.e, known); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
	if got := bounds.Of(pixel, nil); got != interval.OfKind(types.I32) {
		t.Errorf("a pixel of which nothing is known: %v", got)
	}
}
