package lower

import (
	"math"
	"testing"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestRangesOfExpressions has what is known of operators and conversions of variables.
func TestRangesOfExpressions(t *testing.T) {
	long, small, word := &kir.Var{Type: types.Scalar(types.U64)}, &kir.Var{Type: i32T}, &kir.Var{Type: types.Scalar(types.U32)}
	vars := map[*kir.Var]interval.Interval{small: interval.Between(-3, 9), word: interval.Between(0, 3)}
	op := func(op ops.Op, args ...kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: args[0].Type()}, Op: op, Args: args}
	}
	to := func(k types.Kind, how kir.How, x kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(k)}, X: x, How: how}
	}
	for _, c := range []struct {
		name string
		e    kir.Expr
		want interval.Interval
	}{
		{"a value of u64", ref(long), interval.AtLeast(0)},
		{"half of it, which all bits but one hold", op(ops.Shr, ref(long), intConst(types.U64, 1)), interval.AtLeast(0)},
		{"as one with a sign", to(types.I64, kir.Wrap, ref(long)), interval.All},
		{"a few bits of it", to(types.I32, kir.Wrap, op(ops.And, ref(long), intConst(types.U64, 7))), interval.Between(0, 7)},
		{"what wraps", op(ops.Sub, ref(word), intConst(types.U32, 5)), interval.Between(1<<32-5, 1<<32-2)},
		{"what may wrap", op(ops.Sub, ref(word), intConst(types.U32, 2)), interval.OfKind(types.U32)},
		{"a quotient by what may be 0", op(ops.Div, i32(100), ref(small)), interval.Between(-100, 100)},
		{"a shift by any count", op(ops.Shr, ref(small), to(types.I32, kir.Wrap, ref(long))), interval.Between(-3, 9)},
		{"cut", to(types.U8, kir.Wrap, ref(small)), interval.Between(0, 255)},
		{"saturated", to(types.U8, kir.Saturate, ref(small)), interval.Between(0, 9)},
		{"the same", to(types.I8, kir.Wrap, ref(small)), interval.Between(-3, 9)},
	} {
		if got := rangeOf(c.e, vars); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// TestRangesOfTheHost has the host compute i32 in 64 bits, and other kinds as they are.
func TestRangesOfTheHost(t *testing.T) {
	size := func(k types.Kind) (*hast.Var, hast.Expr) {
		v := &hast.Var{Type: types.Scalar(k)}
		return v, &hast.Ref{Typed: hast.Typed{T: v.Type}, Var: v}
	}
	a, x := size(types.I32)
	b, y := size(types.U32)
	pl := &planner{bounds: map[*hast.Var]interval.Interval{a: interval.Between(1, math.MaxInt32), b: interval.Between(0, 3)}}
	number := func(e hast.Expr, n int64) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: e.Type()}, Words: []types.Word{types.Int(n)}}
	}
	for _, c := range []struct {
		name  string
		e     hast.Expr
		want  interval.Interval
		plain bool
	}{
		{"a sum of i32", hast.Binary(ops.Add, x, number(x, 1)), interval.Between(2, 1<<31), true},
		{"a difference of u32 that wraps", hast.Binary(ops.Sub, y, number(y, 5)), interval.Between(1<<32-5, 1<<32-2), true},
		{"a quotient by a size", hast.Binary(ops.Div, number(x, 100), x), interval.Between(0, 100), true},
		{"a quotient by what may be 0", hast.Binary(ops.Div, number(y, 100), y), interval.Between(0, 100), false},
	} {
		if got := pl.hostInterval(c.e); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
		if got := pl.hostExact(c.e.(*hast.Op)); got != c.plain {
			t.Errorf("%s is plain: %v", c.name, got)
		}
	}
}
