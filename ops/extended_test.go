package ops

import (
	"math"
	"math/big"
	"testing"

	"imgc/types"
)

func TestLogarithmsOfPowersAreExact(t *testing.T) {
	for n := -1074; n <= 1023; n++ {
		if got := log2(math.Ldexp(1, n)); got != float64(n) {
			t.Errorf("log2(2^%d) = %v", n, got)
		}
	}
	for n := range 23 { // float64 has these powers of ten exactly
		if got := log10(math.Pow10(n)); got != float64(n) {
			t.Errorf("log10(1e%d) = %v", n, got)
		}
	}
}

func TestPowersOfIntegersAreExact(t *testing.T) {
	for base := int64(-20); base <= 20; base++ {
		exact := big.NewInt(1)
		for n := range 13 { // up to 20^12, below 2^53
			want := float64(exact.Int64())
			if got := pow(float64(base), float64(n)); got != want {
				t.Errorf("pow(%d, %d) = %v, want %v", base, n, got, want)
			}
			exact.Mul(exact, big.NewInt(base))
		}
	}
}

func TestPowAtTheEndsOfTheRange(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ x, y, want float64 }{
		{2, -1074, math.SmallestNonzeroFloat64}, {2, -1080, 0}, {2, 1023, 0x1p1023}, {2, 1024, inf}, {-2, 1025, -inf},
		{-2, -1081, math.Copysign(0, -1)}, {1, 1e300, 1}, {-1, 1e300, 1}, {-1, 3, -1}, {1 - 0x1p-53, 1e300, 0},
		{1 + 0x1p-52, 1e300, inf}, {1 - 0x1p-53, -1e300, inf}, {4, 0.5, 2}, {math.SmallestNonzeroFloat64, 0.5, 0x1p-537},
		{-8, 1.0 / 3, math.NaN()}, {0, -1, inf}, {math.Copysign(0, -1), -3, -inf}, {inf, -1, 0}, {0.5, inf, 0},
	} {
		got := pow(c.x, c.y)
		if math.Float64bits(got) != math.Float64bits(c.want) && !(got != got && c.want != c.want) {
			t.Errorf("pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestExpAtTheEndsOfTheRange(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{709.782712893384, 1.797693134862273e308}, {709.8, math.Inf(1)}, {1e300, math.Inf(1)}, {-745.1, math.SmallestNonzeroFloat64},
		{-746, 0}, {math.Inf(-1), 0}, {math.Inf(1), math.Inf(1)}, {1, math.E}, {0, 1}, {0x1p-60, 1},
	} {
		if got := exp(c.x); math.Abs(got-c.want) > 1e-13*c.want {
			t.Errorf("exp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	if !math.IsNaN(exp(math.NaN())) {
		t.Error("exp(NaN) is a number")
	}
}

func TestPiHasItsPublishedDigits(t *testing.T) {
	const digits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
	want, _, err := big.ParseFloat(digits, 10, anglePrecision, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	pi := new(big.Float).Mul(rightAngle(), big.NewFloat(2))
	if d, _ := new(big.Float).Sub(pi, want).Float64(); math.Abs(d) > 1e-109 {
		t.Errorf("pi is off by %g", d)
	}
	rest := new(big.Float).Copy(rightAngle())
	for _, part := range rightAngleParts {
		rest.Sub(rest, big.NewFloat(part))
	}
	if d, _ := rest.Float64(); math.Abs(d) > 0x1p-161 {
		t.Errorf("the parts of pi/2 leave %g", d)
	}
}

// The sines of these angles are published as hard cases of argument reduction.
func TestSinesOfAnglesNextToMultiplesOfARightAngle(t *testing.T) {
	for _, c := range []struct{ x, sine float64 }{
		{math.Pi, 1.2246467991473532e-16},
		{1e22, -0.8522008497671888}, // Ng, Argument reduction for huge arguments: good to the last bit, 1992
		{6381956970095103 * 0x1p797, 1},
	} {
		got := Eval(Sin, types.F64, types.Float(c.x)).Float()
		if math.Abs(got-c.sine) > 0x1p-52*math.Abs(c.sine) {
			t.Errorf("sin(%g) = %v, want %v", c.x, got, c.sine)
		}
	}
	// The float64 closest to a multiple of pi/2: 5.3e18 right angles and 4.7e-19 (Muller, Elementary functions, 2006).
	if got := cos(6381956970095103 * 0x1p797); math.Abs(math.Abs(got)-4.6871659242546277e-19) > 1e-33 {
		t.Errorf("the cosine of the hardest angle = %v", got)
	}
}
