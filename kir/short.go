package kir

import (
	"math"

	"imgc/ops"
	"imgc/types"
)

// ShortQuotient is how large the quotient of a Mod or Rem is at most that is Short: f32 holds the whole number next to it, and its product by the reciprocal
// of the divisor is less than a quarter from it.
const ShortQuotient = 1 << 20

// ShortDivisor reports whether a Mod or Rem of f32 by a constant can be Short: x less the multiple of y that is next to it is then an f32 also where
// rounding takes one that is next but for 2^-22. Where y lies just above or below a power of two it need not be: 0.5 - 2^-25 less 1 + 2^-23
// is no f32.
func ShortDivisor(y float64) bool {
	const few = 0x1p-21
	part, power := math.Frexp(y)
	return y > 0 && power >= -100 && power <= 100 && (part == 0.5 || part > 0.5+few && part < 1-few)
}

// ShortDividend and ShortInteger are how large the operands of a Div, Rem, FloorDiv or Mod of i32 are at most that is Short. Half a unit more than the dividend, away from zero,
// is at least half a part of the divisor away from what would give another quotient. The reciprocal of the divisor, times that, lies within 3.5 * 2^-23 of itself
// (2.5 ulp of a reciprocal of OpenCL's, where native ones have one, and the rounding of the product), which is less as long as it is below 2^20.
const (
	ShortDividend = 1 << 20
	ShortInteger  = 1 << 22
)

// ByBits reports whether Short has a meaning for a Max of a type: of floats of at most 32 bits, of which one is 0 and the other one is not NaN, the bits of the greater one are
// those of the greater integer.
func ByBits(t types.Type) bool {
	return t.Kind.IsFloat() && t.Kind.Bits() <= 32 && !Wide(t)
}

// DividesShort reports whether an operator on a type may be a Short division of integers: one of i32, or a Div or Rem of several side by side.
func DividesShort(op ops.Op, t types.Type) bool {
	whole := op == ops.FloorDiv || op == ops.Mod
	return t.Kind == types.I32 && (t.IsScalar() && whole || (t.IsScalar() || Wide(t)) && (op == ops.Div || op == ops.Rem))
}
