package types

import (
	"math"
	"testing"
)

func TestHoldsIsTheTableOfImplicitConversions(t *testing.T) {
	implicit := map[Kind][]Kind{
		Bool: {I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64},
		I8:   {I16, I32, I64, F16, BF16, F32, F64},
		I16:  {I32, I64, F16, BF16, F32, F64},
		I32:  {I64, F16, BF16, F32, F64},
		I64:  {F16, BF16, F32, F64},
		U8:   {I16, I32, I64, U16, U32, U64, F16, BF16, F32, F64},
		U16:  {I32, I64, U32, U64, F16, BF16, F32, F64},
		U32:  {I64, U64, F16, BF16, F32, F64},
		U64:  {F16, BF16, F32, F64},
		F16:  {F32, F64},
		BF16: {F32, F64},
		F32:  {F64},
	}
	for _, from := range Kinds {
		want := map[Kind]bool{from: true}
		for _, to := range implicit[from] {
			want[to] = true
		}
		for _, to := range Kinds {
			if got := Holds(from, to); got != want[to] {
				t.Errorf("Holds(%s, %s) = %v", from, to, got)
			}
		}
	}
	if Holds(Invalid, Invalid) || Holds(Invalid, I32) {
		t.Error("Holds accepts the invalid kind")
	}
}

// An integer kind that holds another gives back each of its extremes.
func TestIntegerKindsThatHoldOthersLoseNothing(t *testing.T) {
	for _, from := range intKinds {
		for _, to := range intKinds {
			lossless := true
			for _, w := range []Word{Lowest(from), Highest(from)} {
				lossless = lossless && bigInt(from, w).Cmp(bigInt(to, Convert(w, from, to))) == 0
			}
			if lossless != Holds(from, to) {
				t.Errorf("Holds(%s, %s) = %v, but the extremes survive: %v", from, to, Holds(from, to), lossless)
			}
		}
	}
}

func TestPromoteAndCommon(t *testing.T) {
	for _, c := range []struct{ a, b, want Kind }{
		{Bool, Bool, I32}, {U8, U8, I32}, {I8, U16, I32}, {U8, I32, I32}, {U8, U32, U32}, {U16, U64, U64}, {Bool, U32, U32},
		{I8, U32, Invalid}, {I32, U32, Invalid}, {I64, U64, Invalid}, {I32, U64, Invalid}, {U32, I64, I64}, {I32, I64, I64},
		{U32, U64, U64}, {I32, F32, F32}, {I64, F32, F32}, {U64, F16, F16}, {U8, F16, F16}, {F16, F16, F16}, {F16, F32, F32},
		{F16, BF16, Invalid}, {BF16, F64, F64}, {F32, F64, F64}, {Bool, F16, F16}, {BF16, BF16, BF16},
	} {
		for _, pair := range [2][2]Kind{{c.a, c.b}, {c.b, c.a}} {
			got, ok := Common(pair[0], pair[1])
			if got != c.want || ok != (c.want != Invalid) {
				t.Errorf("Common(%s, %s) = %s, %v; want %s", pair[0], pair[1], got, ok, c.want)
			}
		}
	}
	for _, k := range Kinds {
		if got, _ := Common(k, k); got != Promote(k) {
			t.Errorf("Common(%s, %s) = %s, want its promoted kind %s", k, k, got, Promote(k))
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		k         Kind
		low, high Word
	}{
		{Bool, 0, 1}, {I8, Int(-128), 127}, {I16, Int(-32768), 32767}, {I32, Int(-1 << 31), 1<<31 - 1},
		{I64, Int(-1 << 63), 1<<63 - 1}, {U8, 0, 255}, {U16, 0, 65535}, {U32, 0, 1<<32 - 1}, {U64, 0, 1<<64 - 1},
		{F16, Float(math.Inf(-1)), Float(math.Inf(1))}, {BF16, Float(math.Inf(-1)), Float(math.Inf(1))},
		{F32, Float(math.Inf(-1)), Float(math.Inf(1))}, {F64, Float(math.Inf(-1)), Float(math.Inf(1))},
	} {
		if Lowest(c.k) != c.low || Highest(c.k) != c.high {
			t.Errorf("%s goes from %#x to %#x, want %#x to %#x", c.k, Lowest(c.k), Highest(c.k), c.low, c.high)
		}
	}
}
