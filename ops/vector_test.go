package ops

import (
	"math"
	"testing"

	"imgc/types"
)

func wordsOf(v ...float64) []types.Word {
	words := make([]types.Word, len(v))
	for i, x := range v {
		words[i] = types.Float(x)
	}
	return words
}

func TestVectorOps(t *testing.T) {
	third := float64(float32(1) / 3)
	for _, c := range []struct {
		op   Op
		k    types.Kind
		a, b []types.Word
		want []types.Word
	}{
		{Dot, types.F32, wordsOf(1, 2, 3), wordsOf(4, 5, 6), wordsOf(32)},
		{Dot, types.F32, wordsOf(0x1p24, 1, 1), wordsOf(1, 1, 1), wordsOf(0x1p24)}, // each 1 is lost
		{Dot, types.F32, wordsOf(1, 1, 0x1p24), wordsOf(1, 1, 1), wordsOf(0x1p24 + 2)},
		{Dot, types.F64, wordsOf(0x1p24, 1, 1), wordsOf(1, 1, 1), wordsOf(0x1p24 + 2)},
		{Dot, types.F16, wordsOf(300, 1), wordsOf(300, 1), wordsOf(math.Inf(1))},
		{Cross, types.F32, wordsOf(1, 0, 0), wordsOf(0, 1, 0), wordsOf(0, 0, 1)},
		{Cross, types.F32, wordsOf(1, 2, 3), wordsOf(4, 5, 6), wordsOf(-3, 6, -3)},
		{Cross, types.F32, wordsOf(1, 2, 3, 9), wordsOf(4, 5, 6, 9), wordsOf(-3, 6, -3, 0)},
		{Length, types.F32, wordsOf(3, 4), nil, wordsOf(5)},
		{Length, types.F16, wordsOf(1, 2, 2), nil, wordsOf(3)},
		{Normalize, types.F32, wordsOf(1, 2, 2), nil, wordsOf(third, float64(float32(2)/3), float64(float32(2)/3))},
		{Normalize, types.F32, wordsOf(0, 0, 0), nil, wordsOf(0, 0, 0)},
		{Normalize, types.F64, wordsOf(0, -4), nil, wordsOf(0, -1)},
		{Any, types.Bool, []types.Word{0, 0, 1}, nil, []types.Word{1}},
		{Any, types.Bool, []types.Word{0, 0}, nil, []types.Word{0}},
		{All, types.Bool, []types.Word{1, 1, 1}, nil, []types.Word{1}},
		{All, types.Bool, []types.Word{1, 0, 1, 1}, nil, []types.Word{0}},
	} {
		got := EvalVector(c.op, c.k, c.a, c.b)
		if len(got) != len(c.want) {
			t.Errorf("%s of %s gives %d words, want %d", c.op, c.k, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s of %s on %#x and %#x: component %d is %#x, want %#x", c.op, c.k, c.a, c.b, i, got[i], c.want[i])
			}
		}
	}
}

func TestVectorOpsLeaveTheirOperandsAlone(t *testing.T) {
	a, b := wordsOf(1, 2, 3), wordsOf(4, 5, 6)
	for _, op := range []Op{Dot, Cross, Length, Normalize} {
		EvalVector(op, types.F32, a, b)
	}
	for i := range a {
		if a[i] != types.Float(float64(i+1)) || b[i] != types.Float(float64(i+4)) {
			t.Fatalf("operands changed to %#x and %#x", a, b)
		}
	}
}
