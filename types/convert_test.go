package types

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var (
	intKinds   = []Kind{I8, I16, I32, I64, U8, U16, U32, U64}
	floatKinds = []Kind{F16, BF16, F32, F64}
)

// extremes are the integers of kind k that conversions get wrong: the ends, powers of two, and what lies beside the
// middles between floats.
func extremes(k Kind) []Word {
	values := []Word{0, 1, 2, Int(-1), Int(-2), Lowest(k), Lowest(k) + 1, Highest(k), Highest(k) - 1}
	for shift := range k.Bits() {
		for _, precision := range []int{8, 11, 24, 53} {
			p := Word(1)<<shift | Word(1)<<shift>>precision // half a last place above a power of two
			odd := p | Word(1)<<shift>>(precision-1)        // half a last place above an odd value
			values = append(values, p, p-1, p+1, odd, odd-1, odd+1, -p, -p-1, -p+1, -odd)
		}
	}
	for i, w := range values {
		values[i] = Wrap(k, w)
	}
	return values
}

func randomInts(k Kind, n int) []Word {
	random := rand.New(rand.NewPCG(5, uint64(k)))
	words := make([]Word, n)
	for i := range words {
		words[i] = Wrap(k, Word(random.Uint64()>>random.IntN(64)))
	}
	return words
}

func bigInt(k Kind, w Word) *big.Int {
	if k.IsSigned() {
		return big.NewInt(w.Int())
	}
	return new(big.Int).SetUint64(w.Uint())
}

func wordOf(k Kind, v *big.Int) Word {
	if k.IsSigned() {
		return Int(v.Int64())
	}
	return Uint(v.Uint64())
}

func TestIntegersWrapAndClampLikeBigIntegers(t *testing.T) {
	for _, from := range intKinds {
		inputs := append(extremes(from), randomInts(from, 1000)...)
		for _, to := range intKinds {
			low, high := bigInt(to, Lowest(to)), bigInt(to, Highest(to))
			modulus := new(big.Int).Lsh(big.NewInt(1), uint(to.Bits()))
			for _, w := range inputs {
				v := bigInt(from, w)
				wrapped := new(big.Int).Sub(v, low)
				wrapped.Mod(wrapped, modulus).Add(wrapped, low)
				if got, want := Convert(w, from, to), wordOf(to, wrapped); got != want {
					t.Fatalf("%s(%v as %s) = %#x, want %#x", to, v, from, got, want)
				}
				clamped := v
				if v.Cmp(low) < 0 {
					clamped = low
				} else if v.Cmp(high) > 0 {
					clamped = high
				}
				if got, want := Saturate(w, from, to), wordOf(to, clamped); got != want {
					t.Fatalf("sat<%s>(%v as %s) = %#x, want %#x", to, v, from, got, want)
				}
			}
		}
	}
}

// roundInt is the exact rounding of v to a float kind; integers never fall among its subnormal values.
func roundInt(k Kind, v *big.Int) float64 {
	f := new(big.Float).SetPrec(uint(k.Precision())).SetMode(big.ToNearestEven).SetInt(v)
	r, _ := f.Float64()
	if k == F16 && math.Abs(r) > 65504 {
		return math.Inf(v.Sign())
	}
	return r
}

func TestIntegersRoundOnceToFloats(t *testing.T) {
	for _, from := range intKinds {
		for _, w := range append(extremes(from), randomInts(from, 5000)...) {
			for _, to := range floatKinds {
				want := roundInt(to, bigInt(from, w))
				if got := Convert(w, from, to).Float(); !same(got, want) {
					t.Fatalf("%s(%v as %s) = %b, want %b", to, bigInt(from, w), from, got, want)
				}
				if got := Saturate(w, from, to).Float(); !same(got, want) {
					t.Fatalf("sat<%s>(%v as %s) = %b, want %b", to, bigInt(from, w), from, got, want)
				}
			}
		}
	}
}

// Through f64 the first of these would become the middle between two f32, and then the even one.
func TestLongIntegersDoNotRoundTwice(t *testing.T) {
	for _, c := range []struct {
		w    Word
		from Kind
		to   Kind
		want float64
	}{
		{Int(1<<62 + 1<<38 + 1), I64, F32, 0x1p62 + 0x1p39},
		{Int(-(1<<62 + 1<<38 + 1)), I64, F32, -0x1p62 - 0x1p39},
		{Int(1<<62 + 1<<38), I64, F32, 0x1p62},
		{Uint(1<<63 + 1<<39 + 1), U64, F32, 0x1p63 + 0x1p40},
		{Uint(1<<63 + 1<<55 + 1), U64, BF16, 0x1p63 + 0x1p56},
		{Uint(math.MaxUint64), U64, F32, 0x1p64},
		{Uint(math.MaxUint64), U64, F16, math.Inf(1)},
		{Int(65519), I32, F16, 65504},
		{Int(65520), I32, F16, math.Inf(1)},
		{Int(-65520), I64, F16, math.Inf(-1)},
		{Int(1<<53 + 1), I64, F64, 0x1p53},
		{Int(1<<24 + 1), I32, F32, 0x1p24},
		{Int(1<<24 + 3), I32, F32, 0x1p24 + 4},
	} {
		if got := Convert(c.w, c.from, c.to).Float(); got != c.want {
			t.Errorf("%s(%#x as %s) = %b, want %b", c.to, c.w, c.from, got, c.want)
		}
	}
}

func TestFloatsToIntegers(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		v              float64
		to             Kind
		trunc, nearest int64
	}{
		{1.5, I32, 1, 2}, {2.5, I32, 2, 2}, {-1.5, I32, -1, -2}, {-2.5, I32, -2, -2}, {0.5, U8, 0, 0}, {-0.5, U8, 0, 0},
		{-0.5, I8, 0, 0}, {-0.51, I8, 0, -1}, {255.4, U8, 255, 255}, {255.5, U8, 255, 255}, {254.5, U8, 254, 254},
		{256, U8, 255, 255}, {1e30, U8, 255, 255}, {-1, U8, 0, 0}, {-1e30, U8, 0, 0}, {nan, U8, 0, 0}, {inf, U8, 255, 255},
		{-inf, U8, 0, 0}, {127.5, I8, 127, 127}, {-128.5, I8, -128, -128}, {-128.9, I8, -128, -128}, {-129, I8, -128, -128},
		{nan, I64, 0, 0}, {inf, I32, math.MaxInt32, math.MaxInt32}, {-inf, I32, math.MinInt32, math.MinInt32},
		{math.MaxInt32 + 0.75, I32, math.MaxInt32, math.MaxInt32}, {math.MaxInt32 - 0.25, I32, math.MaxInt32 - 1, math.MaxInt32},
		{0x1p31, I32, math.MaxInt32, math.MaxInt32}, {-0x1p31, I32, math.MinInt32, math.MinInt32}, {0x1p31, U32, 1 << 31, 1 << 31},
		{0x1p32, U32, math.MaxUint32, math.MaxUint32}, {0x1p63, I64, math.MaxInt64, math.MaxInt64},
		{-0x1p63, I64, math.MinInt64, math.MinInt64}, {-0x1.0000000000001p63, I64, math.MinInt64, math.MinInt64},
		{0x1p63 - 1024, I64, math.MaxInt64 - 1023, math.MaxInt64 - 1023}, {0x1p63, U64, math.MinInt64, math.MinInt64},
		{0x1p64 - 2048, U64, -2048, -2048}, {0x1p64, U64, -1, -1}, {inf, U64, -1, -1}, {-1, U64, 0, 0}, {nan, U64, 0, 0},
	} {
		if got := Convert(Float(c.v), F64, c.to); got != Int(c.trunc) {
			t.Errorf("%s(%v) = %d, want %d", c.to, c.v, got.Int(), c.trunc)
		}
		if got := Saturate(Float(c.v), F64, c.to); got != Int(c.nearest) {
			t.Errorf("sat<%s>(%v) = %d, want %d", c.to, c.v, got.Int(), c.nearest)
		}
	}
}

func TestEveryHalfToSmallIntegers(t *testing.T) {
	for b := range 1 << 16 {
		w := FromBits(F16, uint64(b))
		for _, to := range []Kind{I8, U8, I16, U16} {
			want := int64(0)
			if v := w.Float(); v == v {
				want = int64(min(max(math.Trunc(v), -0x1p40), 0x1p40))
			}
			want = min(max(want, Lowest(to).Int()), Highest(to).Int())
			if got := Convert(w, F16, to).Int(); got != want {
				t.Fatalf("%s(%v) = %d, want %d", to, w.Float(), got, want)
			}
		}
	}
}

func TestBoolConversions(t *testing.T) {
	for _, c := range []struct {
		w    Word
		from Kind
		to   Kind
		want Word
	}{
		{Int(-3), I8, Bool, 1}, {0, U64, Bool, 0}, {1 << 32, U64, Bool, 1}, {Float(0.25), F32, Bool, 1}, {Float(0), F16, Bool, 0},
		{Float(math.Copysign(0, -1)), F32, Bool, 0}, {Float(math.NaN()), F64, Bool, 1}, {1, Bool, I32, 1}, {1, Bool, U8, 1},
		{0, Bool, I8, 0}, {1, Bool, F16, Float(1)}, {0, Bool, F64, Float(0)}, {1, Bool, Bool, 1},
	} {
		if got := Convert(c.w, c.from, c.to); got != c.want {
			t.Errorf("%s(%#x as %s) = %#x, want %#x", c.to, c.w, c.from, got, c.want)
		}
		if got := Saturate(c.w, c.from, c.to); got != c.want {
			t.Errorf("sat<%s>(%#x as %s) = %#x, want %#x", c.to, c.w, c.from, got, c.want)
		}
	}
}

func TestFloatToFloatRoundsOnce(t *testing.T) {
	for _, c := range []struct {
		v    float64
		to   Kind
		want float64
	}{
		{1 + 0x1p-11 + 0x1p-40, F16, 1 + 0x1p-10}, // by way of f32 it would be 1
		{1 + 0x1p-8 + 0x1p-40, BF16, 1 + 0x1p-7},
		{1 + 0x1p-11, F16, 1}, {1 + 0x1p-24, F32, 1}, {1 + 0x1.8p-23, F32, 1 + 0x1p-22},
		{1e39, F32, math.Inf(1)}, {-1e39, BF16, math.Inf(-1)}, {0x1p-150, F32, 0}, {0.1, F64, 0.1},
	} {
		if got := Convert(Float(c.v), F64, c.to).Float(); got != c.want {
			t.Errorf("%s(%b) = %b, want %b", c.to, c.v, got, c.want)
		}
		if got := Saturate(Float(c.v), F64, c.to).Float(); got != c.want {
			t.Errorf("sat<%s>(%b) = %b, want %b", c.to, c.v, got, c.want)
		}
	}
}

func TestConversionsReturnCanonicalWords(t *testing.T) {
	inputs := map[Kind][]Word{Bool: {0, 1}}
	for _, k := range intKinds {
		inputs[k] = extremes(k)
	}
	for _, k := range floatKinds {
		for _, v := range []float64{0, 0.3, -1.5, 250.7, -70000, 0x1p31, 0x1p63, 0x1p64, 1e30, -1e30, math.Inf(1), math.Inf(-1)} {
			inputs[k] = append(inputs[k], Float(Round(k, v)))
		}
	}
	for _, from := range Kinds {
		for _, to := range Kinds {
			for _, w := range inputs[from] {
				for name, got := range map[string]Word{"Convert": Convert(w, from, to), "Saturate": Saturate(w, from, to)} {
					if got != FromBits(to, Bits(to, got)) {
						t.Fatalf("%s(%#x, %s, %s) = %#x is not a word of %s", name, w, from, to, got, to)
					}
				}
			}
		}
	}
}
