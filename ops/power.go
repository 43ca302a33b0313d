package ops

import (
	"math"

	"imgc/types"
)

// Whole powers from leastPower to mostPower are products, so that they are the same in every mode and on every device, and cost what products cost: the function of a device
// takes some 60 instructions, and fast ones lose the sign of the base. Further ones would be rounded too often for the error that pow may have.
const (
	leastPower = -8
	mostPower  = 16
)

// IsProduct reports whether x to the power y is made of products.
func IsProduct(y float64) bool {
	return y == math.Trunc(y) && leastPower <= y && y <= mostPower
}

// Product is x to a whole power, by squares from the exponent's first digit on: x^13 is ((x^2 * x)^2)^2 * x. Negative powers are those of the reciprocal, whose powers overflow and
// vanish where they should. Values are whatever the caller computes with: one is 1, and the operators are those of it.
func Product[V any](n int, x, one V, mul, div func(a, b V) V) V {
	if n == 0 {
		return one
	}
	if n < 0 {
		x, n = div(one, x), -n
	}
	digit := 1
	for digit*2 <= n {
		digit *= 2
	}
	out := x
	for digit /= 2; digit > 0; digit /= 2 {
		if out = mul(out, out); n&digit != 0 {
			out = mul(out, x)
		}
	}
	return out
}

// ProductKind is the kind in which products of a kind are rounded: floats of 16 bits are computed in f32, and rounded once.
func ProductKind(k types.Kind) types.Kind {
	if k == types.F64 {
		return k
	}
	return types.F32
}

// raised is pow on every kind of floats.
func raised(k types.Kind, x, y types.Word) types.Word {
	n := y.Float()
	if !IsProduct(n) {
		return rounded(k, pow(x.Float(), n))
	}
	in := ProductKind(k)
	mul := func(a, b float64) float64 { return types.Round(in, a*b) }
	div := func(a, b float64) float64 { return types.Round(in, a/b) }
	return rounded(k, Product(int(n), x.Float(), 1, mul, div))
}
