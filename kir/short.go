package kir

import "math"

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
