package ops

import (
	"math/bits"

	"imgc/types"
)

type (
	integer interface{ int64 | uint64 }
	number  interface{ integer | float64 }
)

// Operators that Go and the language define alike, once the result is wrapped or rounded.

func neg[T number](a T) T               { return -a }
func add[T number](a, b T) T            { return a + b }
func sub[T number](a, b T) T            { return a - b }
func mul[T number](a, b T) T            { return a * b }
func complement[T integer](a T) T       { return ^a }
func and[T integer](a, b T) T           { return a & b }
func or[T integer](a, b T) T            { return a | b }
func xor[T integer](a, b T) T           { return a ^ b }
func equal[T number](a, b T) bool       { return a == b }
func unequal[T number](a, b T) bool     { return a != b }
func less[T number](a, b T) bool        { return a < b }
func atMost[T number](a, b T) bool      { return a <= b }
func greater[T number](a, b T) bool     { return a > b }
func atLeast[T number](a, b T) bool     { return a >= b }
func minInt[T integer](a, b T) T        { return min(a, b) }
func maxInt[T integer](a, b T) T        { return max(a, b) }
func clampInt[T integer](x, lo, hi T) T { return min(max(x, lo), hi) }

// quo and rem truncate; a divisor of 0 gives 0. Go defines MIN / -1 as MIN and MIN % -1 as 0.

func quo[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

func rem[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// FloorQuotient is a divided by b, rounded down; 0 where b is.
func FloorQuotient[T integer](a, b T) T {
	q := quo(a, b)
	if r := rem(a, b); r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q
}

// mod leaves a remainder that has the sign of the divisor.
func mod[T integer](a, b T) T {
	r := rem(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// absSigned of the smallest value wraps to itself.
func absSigned(a int64) int64 { return max(a, -a) }

func identity(a uint64) uint64 { return a }

func signSigned(a int64) int64 { return min(max(a, -1), 1) }

func signUnsigned(a uint64) uint64 { return min(a, 1) }

// The count of a shift is taken modulo the width of the left operand. Widths are powers of two and words of negative counts
// are sign-extended, so that masking is right for a count of any integer kind.

func shl(k types.Kind, a, n types.Word) types.Word {
	return types.Wrap(k, a<<shiftCount(k, n))
}

func shr(k types.Kind, a, n types.Word) types.Word {
	if k.IsSigned() {
		return types.Int(a.Int() >> shiftCount(k, n))
	}
	return a >> shiftCount(k, n)
}

func shiftCount(k types.Kind, n types.Word) uint64 { return n.Uint() & uint64(k.Bits()-1) }

func popcount(k types.Kind, a types.Word) types.Word {
	return types.Int(int64(bits.OnesCount64(types.Bits(k, a))))
}

// clz counts the zeros above the highest one within the kind's width; of 0 it is the width.
func clz(k types.Kind, a types.Word) types.Word {
	return types.Int(int64(bits.LeadingZeros64(types.Bits(k, a)) - 64 + k.Bits()))
}
