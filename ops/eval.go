package ops

import (
	"fmt"

	"imgc/types"
)

// Meanings of one, two and three components of one kind k: canonical words in, a canonical word out.
type (
	unary   = func(k types.Kind, a types.Word) types.Word
	binary  = func(k types.Kind, a, b types.Word) types.Word
	ternary = func(k types.Kind, a, b, c types.Word) types.Word
)

// A meaning has a function for each class of kinds that its op is defined on.
type meaning[F any] struct{ bools, ints, floats F }

func (m *meaning[F]) of(k types.Kind) F {
	switch {
	case k.IsFloat():
		return m.floats
	case k.IsInt():
		return m.ints
	}
	return m.bools
}

// Eval is the reference meaning of op on components of kind k, as many as op's arity. The result's kind follows from
// op's Result: k for Same, bool for Truth, i32 for Index.
//
// Integers wrap at the width of k, which may be any width. On floats, + - * / sqrt fma and whatever is exact are rounded
// once, to nearest even; mix and smoothstep round each step of their formula; the other functions are computed in float64
// and rounded from there. The count of a shift may be a word of any integer kind, since only its low bits matter.
//
// Eval panics where op is not defined on k or is of whole vectors; a typed program asks for neither.
func Eval(op Op, k types.Kind, args ...types.Word) types.Word {
	switch len(args) {
	case 1:
		if f := unaries[op].of(k); f != nil {
			return f(k, args[0])
		}
	case 2:
		if f := binaries[op].of(k); f != nil {
			return f(k, args[0], args[1])
		}
	case 3:
		if f := ternaries[op].of(k); f != nil {
			return f(k, args[0], args[1], args[2])
		}
	}
	panic(fmt.Sprintf("internal error: operator %s has no meaning for %d operands of kind %s", op, len(args), k))
}

// Defined is true where Eval, or EvalVector for an op of whole vectors, has a meaning for op on operands of kind k.
func Defined(op Op, k types.Kind) bool {
	if op == None || op >= count || k == types.Invalid {
		return false
	}
	return unaries[op].of(k) != nil || binaries[op].of(k) != nil || ternaries[op].of(k) != nil || vectors[op].of(k) != nil
}
