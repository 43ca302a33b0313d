package kir

import (
	"math"
	"strings"
	"testing"

	"imgc/ops"
	"imgc/types"
)

func TestEvalComputesHostExpressions(t *testing.T) {
	n, flag, g := fixedVar("n", i64T), fixedVar("flag", boolT), fixedVar("g", f32T)
	env := map[*Var]types.Value{n: types.Of(types.I64, 7), flag: types.Of(types.Bool, 1), g: types.Of(types.F32, types.Float(1.5))}
	v2 := types.Vector(types.F32, 2)
	i64 := func(v float64) Expr { return number(types.I64, v) }
	zero := apply(ops.Div, i64T, read(n), i64(0))
	tooBig := apply(ops.Mul, i64T, i64(1<<40), i64(1<<40))
	for _, c := range []struct {
		e    Expr
		want []types.Word
	}{
		{apply(ops.Add, i64T, apply(ops.Mul, i64T, read(n), i64(3)), i64(1)), []types.Word{22}},
		{apply(ops.FloorDiv, i64T, apply(ops.Neg, i64T, read(n)), i64(2)), []types.Word{types.Int(-4)}},
		{zero, []types.Word{0}},
		{apply(ops.Lt, boolT, read(n), i64(8)), []types.Word{1}},
		{apply(ops.LOr, boolT, read(flag), apply(ops.Lt, boolT, tooBig, i64(0))), []types.Word{1}},
		{&Select{Typed{i64T}, read(flag), read(n), tooBig, true}, []types.Word{7}},
		{&Convert{Typed{i32T}, read(g), Wrap, false}, []types.Word{1}},
		{&Convert{Typed{i32T}, read(g), Saturate, false}, []types.Word{2}},
		{&Convert{Typed{types.Scalar(types.U32)}, read(g), Bitcast, false}, []types.Word{types.Word(math.Float32bits(1.5))}},
		{apply(ops.Mul, f32T, read(g), number(types.F32, 0.5)), []types.Word{types.Float(0.75)}},
		{apply(ops.Mul, v2, &Vec{Typed{v2}, []Expr{read(g)}}, &Vec{Typed{v2}, []Expr{number(types.F32, 2), number(types.F32, 4)}}),
			[]types.Word{types.Float(3), types.Float(6)}},
		{&Lanes{Typed{f32T}, &Vec{Typed{v2}, []Expr{read(g), number(types.F32, 4)}}, []int{1}}, []types.Word{types.Float(4)}},
		{apply(ops.Add, i32T, number(types.I32, math.MaxInt32), number(types.I32, 1)), []types.Word{types.Int(math.MinInt32)}},
	} {
		got, err := Eval(c.e, env)
		if err != nil || got.Type != c.e.Type() || len(got.Words) != len(c.want) {
			t.Errorf("%s gives %v, %v", ExprText(c.e), got, err)
			continue
		}
		for i := range c.want {
			if got.Words[i] != c.want[i] {
				t.Errorf("%s gives %#x, want %#x", ExprText(c.e), got.Words, c.want)
			}
		}
	}
}

func TestEvalRefusesWhatDoesNotFit(t *testing.T) {
	n := fixedVar("n", i64T)
	lowest := &Const{Typed{i64T}, []types.Word{types.Lowest(types.I64)}, ""}
	minusOne := number(types.I64, -1)
	for _, c := range []struct {
		n    int64
		e    Expr
		want string
	}{
		{math.MaxInt64, apply(ops.Add, i64T, read(n), number(types.I64, 1)), "n + 1 does not fit 64 bits"},
		{math.MinInt64, apply(ops.Sub, i64T, read(n), number(types.I64, 1)), "does not fit"},
		{math.MaxInt64 / 2, apply(ops.Mul, i64T, read(n), number(types.I64, 3)), "does not fit"},
		{-1, apply(ops.Mul, i64T, read(n), lowest), "does not fit"},
		{math.MinInt64, apply(ops.Mul, i64T, read(n), minusOne), "does not fit"},
		{math.MinInt64, apply(ops.Neg, i64T, read(n)), "does not fit"},
		{math.MinInt64, apply(ops.Abs, i64T, read(n)), "does not fit"},
		{-1, apply(ops.Div, i64T, lowest, read(n)), "does not fit"},
		{62, apply(ops.Shl, i64T, number(types.I64, 2), read(n)), "does not fit"},
		{1 << 31, &Convert{Typed{i32T}, read(n), Wrap, true}, "n is 2147483648, which does not fit i32"},
		{0, read(fixedVar("m", i64T)), "m has no value"},
		{0, &GlobalID{Typed{i32T}, 0}, "no host expression"},
		{0, apply(ops.Sqrt, i64T, read(n)), "has no meaning"},
	} {
		got, err := Eval(c.e, map[*Var]types.Value{n: types.Of(types.I64, types.Int(c.n))})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with n = %d gives %v, %v; want an error with %q", ExprText(c.e), c.n, got.Words, err, c.want)
		}
	}
}

func TestEvalOfProductsFindsJustThoseThatDoNotFit(t *testing.T) {
	values := []int64{0, 1, -1, 2, 3, 1 << 31, -(1 << 31), 1 << 32, math.MaxInt64, math.MinInt64, math.MaxInt64 / 3, 3037000499, 3037000500}
	for _, x := range values {
		for _, y := range values {
			fits := float64(x)*float64(y) < 0x1p63-0x1p12 && float64(x)*float64(y) > -0x1p63+0x1p12
			sure := math.Abs(float64(x)*float64(y)) > 0x1p63+0x1p12
			if got := productLeaves64(x, y); got && fits || !got && sure {
				t.Errorf("%d * %d leaves 64 bits: %v", x, y, got)
			}
		}
	}
}

func TestDump(t *testing.T) {
	want := `program copy contract
table t: i32[2][2] = 1 2 3 4
func double(v: u8): i32
    return i32(v) * 2
kernel copy(src: global u8 r, pitch: i64, dst: global u8 w) group 1x1x1
    let x: i32 = id.x
    dst[i64(x)] := sat u8~(double(src[pitch + i64(x)]))
pipeline copy
    in src: u8[N] lines -1
    out dst: u8[N] lines -1
    size N: src.extent(0) = 1*N + 0
    check N >= 1 else "too small"
    launch copy(src, src_offset, dst) over N, 1, 1
`
	if got := Dump(newCopy().Program); got != want {
		t.Errorf("got\n%s", got)
	}
}
