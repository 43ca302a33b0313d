package types

import (
	"math"
	"math/rand/v2"
	"testing"
)

var narrowFloats = []Kind{F16, BF16}

// layout has the constants of IEEE 754's interchange formats, and of bfloat16, as those documents give them.
var layout = map[Kind]struct {
	fraction, bias int
	max, tiny      float64 // the largest finite and the smallest positive value
}{
	F16:  {10, 15, 65504, 0x1p-24},
	BF16: {7, 127, 0x1.fep127, 0x1p-133},
	F32:  {23, 127, math.MaxFloat32, math.SmallestNonzeroFloat32},
}

// value is the meaning of 16 stored bits by the definition of the formats, in terms of integers and a power of two.
func value(k Kind, b uint16) float64 {
	f := layout[k]
	fraction, exponent := int(b)&(1<<f.fraction-1), int(b)>>f.fraction&(1<<(15-f.fraction)-1)
	v := math.Ldexp(float64(fraction+1<<f.fraction), exponent-f.bias-f.fraction)
	switch {
	case exponent == 1<<(15-f.fraction)-1 && fraction != 0:
		v = math.NaN()
	case exponent == 1<<(15-f.fraction)-1:
		v = math.Inf(1)
	case exponent == 0:
		v = math.Ldexp(float64(fraction), 1-f.bias-f.fraction)
	}
	if b>>15 == 1 {
		v = math.Copysign(v, -1)
	}
	return v
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func TestEvery16BitFloatIsReadAndWrittenExactly(t *testing.T) {
	for _, k := range narrowFloats {
		for b := range 1 << 16 {
			w := FromBits(k, uint64(b))
			if want := value(k, uint16(b)); !same(w.Float(), want) {
				t.Fatalf("%s bits %#04x read as %v, want %v", k, b, w.Float(), want)
			}
			if got := Bits(k, w); got != uint64(b) {
				t.Fatalf("%s bits %#04x come back as %#04x", k, b, got)
			}
			if v := w.Float(); !same(Round(k, v), v) {
				t.Fatalf("Round(%s, %v) = %v changes a value of the kind", k, v, Round(k, v))
			}
		}
	}
}

// Between each pair of neighbours, the middle goes to the even one and what is next to the middle to the nearer one. The
// neighbour above the largest value is taken to be the next power of two; it becomes infinity.
func TestRoundTo16BitsAtEveryMidpoint(t *testing.T) {
	for _, k := range narrowFloats {
		infinite := int(Bits(k, Float(math.Inf(1))))
		for b := range infinite {
			low, high := value(k, uint16(b)), value(k, uint16(b+1))
			above := high
			if b+1 == infinite {
				above = low + (low - value(k, uint16(b-1)))
			}
			middle := low + (above-low)/2
			even := low
			if b%2 == 1 {
				even = high
			}
			for _, c := range []struct{ v, want float64 }{
				{middle, even},
				{math.Nextafter(middle, 0), low},
				{math.Nextafter(middle, math.Inf(1)), high},
			} {
				if got := Round(k, c.v); !same(got, c.want) {
					t.Fatalf("Round(%s, %b) = %b, want %b", k, c.v, got, c.want)
				}
				if got := Round(k, -c.v); !same(got, -c.want) {
					t.Fatalf("Round(%s, %b) = %b, want %b", k, -c.v, got, -c.want)
				}
				if got := FromBits(k, Bits(k, Float(c.v))).Float(); !same(got, c.want) {
					t.Fatalf("%b is stored as the %s %b, want %b", c.v, k, got, c.want)
				}
			}
		}
	}
}

func TestRoundToF32AtMidpoints(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		b := random.Uint32() & 0x7fffffff % 0x7f800000
		low, high := float64(math.Float32frombits(b)), float64(math.Float32frombits(b+1))
		if b+1 == 0x7f800000 {
			continue
		}
		middle := low + (high-low)/2
		even := low
		if b%2 == 1 {
			even = high
		}
		if got := Round(F32, middle); got != even {
			t.Fatalf("Round(f32, %b) = %b, want %b", middle, got, even)
		}
		if got := Round(F32, math.Nextafter(middle, high)); got != high {
			t.Fatalf("just above %b: %b, want %b", middle, got, high)
		}
	}
}

func TestRoundAtTheEndsOfTheRange(t *testing.T) {
	inf := math.Inf(1)
	for _, k := range []Kind{F16, BF16, F32} {
		f := layout[k]
		_, exponent := math.Frexp(f.max)
		middle := f.max + math.Ldexp(1, exponent-f.fraction-2) // half a last place above the largest value
		for _, c := range []struct{ v, want float64 }{
			{f.max, f.max}, {math.Nextafter(middle, 0), f.max}, {middle, inf}, {2 * f.max, inf}, {inf, inf}, {math.MaxFloat64, inf},
			{f.tiny, f.tiny}, {f.tiny / 2, 0}, {f.tiny * 0.75, f.tiny}, {f.tiny * 1.5, 2 * f.tiny}, {f.tiny * 2.5, 2 * f.tiny},
			{math.SmallestNonzeroFloat64, 0}, {0, 0},
		} {
			for _, sign := range []float64{1, -1} {
				v, want := math.Copysign(c.v, sign), math.Copysign(c.want, sign)
				if got := Round(k, v); !same(got, want) {
					t.Errorf("Round(%s, %g) = %g, want %g", k, v, got, want)
				}
			}
		}
		if got := Round(k, math.NaN()); got == got {
			t.Errorf("Round(%s, NaN) = %g", k, got)
		}
	}
	if v := 0x1.fffffffffffffp-1022; Round(F64, v) != v {
		t.Error("Round(f64, v) is not v")
	}
}

func TestPublishedHalfPrecisionValues(t *testing.T) {
	for _, c := range []struct {
		k    Kind
		v    float64
		bits uint64
	}{
		{F16, 1, 0x3c00}, {F16, -2, 0xc000}, {F16, 65504, 0x7bff}, {F16, 65519.99, 0x7bff}, {F16, 65520, 0x7c00},
		{F16, 0x1p-14, 0x0400}, {F16, 0x1p-24, 0x0001}, {F16, 0x1p-25, 0x0000}, {F16, 1.0 / 3, 0x3555},
		{F16, 1 + 0x1p-10, 0x3c01}, {F16, 1 - 0x1p-11, 0x3bff}, {F16, math.Copysign(0, -1), 0x8000},
		{F16, math.Inf(-1), 0xfc00}, {F16, math.Pi, 0x4248},
		{BF16, 1, 0x3f80}, {BF16, -2, 0xc000}, {BF16, 0x1.fep127, 0x7f7f}, {BF16, math.Inf(1), 0x7f80},
		{BF16, math.Pi, 0x4049}, {BF16, 1.0 / 3, 0x3eab}, {BF16, 0x1p-126, 0x0080}, {BF16, 0x1p-133, 0x0001},
		{F32, 1.0 / 3, 0x3eaaaaab}, {F32, math.Pi, 0x40490fdb}, {F64, 1, 0x3ff0000000000000},
	} {
		if got := Bits(c.k, Float(c.v)); got != c.bits {
			t.Errorf("%v as %s has bits %#x, want %#x", c.v, c.k, got, c.bits)
		}
	}
}
