package ops

import (
	"math"

	"imgc/types"
)

// The functions of this file get components exactly as float64. For a kind of p significand bits, rounding the float64
// result of + - * / or sqrt again gives the correctly rounded one where 53 >= 2p + 2, which is so for f32, f16 and bf16
// (Figueroa, When is double rounding innocuous?, 1995). A product that goes into a sum is converted explicitly, which
// keeps Go from fusing the two.

func divide(a, b float64) float64 { return a / b }

// fract is x - floor(x), and so rounds to 1 just below an integer.
func fract(x float64) float64 { return x - math.Floor(x) }

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// signFloat is 0 of NaN and keeps the sign of zero, as in OpenCL.
func signFloat(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x != x:
		return 0
	}
	return x
}

// minFloat is IEEE 754's minimumNumber: NaN loses against a number, and -0 is less than +0. A device may return either
// zero.
func minFloat(a, b float64) float64 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return min(a, b)
}

// maxFloat is IEEE 754's maximumNumber, with the same rules.
func maxFloat(a, b float64) float64 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return max(a, b)
}

// clampFloat of NaN is lo.
func clampFloat(x, lo, hi float64) float64 { return minFloat(maxFloat(x, lo), hi) }

// modFloat is the remainder of a floored division: the exact fmod(x, y), plus y where the signs differ. Zero takes the sign
// of y; of y = 0 or infinite x it is NaN.
func modFloat(x, y float64) float64 {
	r := math.Mod(x, y)
	switch {
	case r == 0:
		return math.Copysign(r, y)
	case (r < 0) != (y < 0):
		return r + y
	}
	return r
}

func step(edge, x float64) float64 {
	if x < edge {
		return 0
	}
	return 1
}

// mix and smoothstep are their formulas with every step rounded, as a program that spelled them out would compute them.

func mix(k types.Kind, a, b, t types.Word) types.Word {
	d := types.Round(k, b.Float()-a.Float())
	p := types.Round(k, float64(d*t.Float()))
	return rounded(k, a.Float()+p)
}

func smoothstep(k types.Kind, a, b, x types.Word) types.Word {
	from := types.Round(k, x.Float()-a.Float())
	width := types.Round(k, b.Float()-a.Float())
	t := clampFloat(types.Round(k, from/width), 0, 1)
	square := types.Round(k, t*t)
	twice := types.Round(k, 2*t)
	return rounded(k, square*types.Round(k, 3-twice))
}

// fma is a * b + c rounded once. A product of two narrower floats is exact in float64. Their sum with c is rounded to odd
// there, which leaves the rounding to the kind as if the sum had been exact (Boldo and Melquiond, Emulation of FMA and
// correctly rounded sums, 2008).
func fma(k types.Kind, a, b, c types.Word) types.Word {
	if k == types.F64 {
		return types.Float(math.FMA(a.Float(), b.Float(), c.Float()))
	}
	return rounded(k, addToOdd(float64(a.Float()*b.Float()), c.Float()))
}

// addToOdd is a + b where that is exact, else the one of the two neighbours of the sum whose last bit is 1. The sum must not
// overflow.
func addToOdd(a, b float64) float64 {
	exact := sum(a, b)
	s := exact.hi
	if math.IsInf(s, 0) || s != s {
		return s
	}
	u := math.Float64bits(s)
	if exact.lo == 0 || u&1 == 1 {
		return s
	}
	if (exact.lo > 0) == (s > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}

// sinh and cosh take the exponential of half the argument where the whole would overflow before them.

const halveAbove = 709

func sinh(x float64) float64 {
	if math.Abs(x) > halveAbove {
		e := math.Exp(math.Abs(x) / 2)
		return math.Copysign(e/2*e, x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if math.Abs(x) > halveAbove {
		e := math.Exp(math.Abs(x) / 2)
		return e / 2 * e
	}
	return math.Cosh(x)
}
