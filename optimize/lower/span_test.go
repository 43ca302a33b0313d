package lower

import (
	"testing"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

func TestSpansHoldWhatOperandsComeTo(t *testing.T) {
	given := func(s ...span) []wideValue {
		out := make([]wideValue, len(s))
		for i := range s {
			out[i].span = s[i]
		}
		return out
	}
	for _, c := range []struct {
		op      ops.Op
		args    []span
		in, has span // what the result lies in, and what it has at least
	}{
		{ops.Sub, []span{bounded(0, 255), bounded(0, 255)}, bounded(-255.001, 255.001), bounded(-255, 255)},
		{ops.Mul, []span{bounded(-2, 3), bounded(-5, 4)}, bounded(-15.001, 12.001), bounded(-15, 12)},
		{ops.Abs, []span{bounded(-2, 3)}, bounded(-0.001, 3.001), bounded(0, 3)},
		{ops.Abs, []span{bounded(2, 3)}, bounded(1.999, 3.001), bounded(2, 3)},
		{ops.Fma, []span{bounded(1, 2), bounded(3, 4), bounded(-1, 1)}, bounded(1.999, 9.001), bounded(2, 9)},
		{ops.Max, []span{bounded(-4, 2), bounded(1, 1)}, bounded(0.999, 2.001), bounded(1, 2)},
	} {
		if got := spanOf(c.op, given(c.args...)); !got.within(c.in) || !c.has.within(got) {
			t.Errorf("%s of %v lies in %v", c.op, c.args, got)
		}
	}
	for _, args := range [][]span{{bounded(1, 2), {}}, {bounded(1<<40, 1<<41), bounded(1<<40, 1<<41)}} {
		if got := spanOf(ops.Mul, given(args...)); got.known {
			t.Errorf("the product of %v has the span %v", args, got)
		}
	}
	if got := spanOf(ops.Div, given(bounded(1, 2), bounded(1, 2))); got.known {
		t.Errorf("a quotient has the span %v", got)
	}
}

func TestRoundingToF32KeepsOrder(t *testing.T) {
	for _, c := range []struct{ in, want span }{
		{bounded(0, 1<<28), bounded(0, 1<<28)},
		{bounded(0, 1<<24+1), bounded(0, 1<<24+2)},
		{bounded(-1<<24-1, 0), bounded(-1<<24-2, 0)},
		{bounded(0x1p-130, 1), bounded(0, 1)},
		{bounded(-1, -0x1p-130), bounded(-1, 0)},
		{span{}, span{}},
	} {
		if got := c.in.nearest(); got != c.want {
			t.Errorf("%v rounded lies in %v, not %v", c.in, got, c.want)
		}
	}
}

// TestSpansOfFloats follows floats through kir.
func TestSpansOfFloats(t *testing.T) {
	f32T := types.Scalar(types.F32)
	number := func(v float64) kir.Expr { return constant(f32T, []types.Word{types.Float(v)}, "") }
	unknown := ref(&kir.Var{Name: "u", Type: f32T, Const: true})
	x := &kir.Var{Name: "x", Type: i32T, Const: true}
	coordinate := &kir.Convert{Typed: kir.Typed{T: f32T}, X: ref(x), Exact: true}
	op := func(o ops.Op, args ...kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: f32T}, Op: o, Args: args, Exact: true}
	}
	unit := op(ops.Clamp, unknown, number(0), number(1))
	for _, c := range []struct {
		what     string
		e        kir.Expr
		any, all span // in strict mode and in fast mode
	}{
		{"an eighth of a coordinate", op(ops.Div, coordinate, number(8)), bounded(0, 1<<27), bounded(0, 1<<27)},
		{"a third of one", op(ops.Div, coordinate, number(3)), span{}, span{}},
		{"its floor", op(ops.Floor, op(ops.Div, coordinate, number(8))), bounded(0, 1<<27), bounded(0, 1<<27)},
		{"what may be NaN", unknown, span{}, span{}},
		{"half of what may be anything", op(ops.Div, unknown, number(2)), span{}, span{}},
		{"the sum with a product that is not followed", op(ops.Fma, op(ops.Mul, number(1<<30), number(1<<29)), number(1<<20), number(1)), span{}, span{}},
		{"a clamp of what may be NaN", unit, bounded(0, 1), span{}},
		{"a product with it", op(ops.Mul, unit, number(256)), bounded(0, 256), span{}},
		{"the least of a number and what may be NaN", op(ops.Min, unknown, number(1)), span{}, span{}},
		{"a difference", op(ops.Sub, coordinate, number(0.5)), bounded(-0.5, 1<<30), span{}},
	} {
		for mode, want := range map[kir.Mode]span{kir.Strict: c.any, kir.Contract: c.any, kir.Fast: c.all} {
			b := (&lowering{opts: Options{Mode: mode}}).newBody()
			b.bounds[x] = interval.Between(0, 1<<30-1)
			if got := b.spanOf(c.e); got != want {
				t.Errorf("%s lies in %v in mode %v, not %v", c.what, got, mode, want)
			}
		}
	}
}
