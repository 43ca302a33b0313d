package ops

import (
	"fmt"

	"imgc/types"
)

type vector = func(k types.Kind, a, b []types.Word) []types.Word

var vectors = [count]meaning[vector]{
	Dot:       {floats: func(k types.Kind, a, b []types.Word) []types.Word { return []types.Word{dot(k, a, b)} }},
	Cross:     {floats: cross},
	Length:    {floats: func(k types.Kind, a, _ []types.Word) []types.Word { return []types.Word{length(k, a)} }},
	Normalize: {floats: normalize},
	Any:       {bools: anyOf},
	All:       {bools: allOf},
}

// EvalVector is the reference meaning of the ops of whole vectors, on the 2 to 4 components of a, and of b where op has two
// operands. It returns one word for dot, length, any and all, else as many as a has. Every step of a formula is rounded
// to k, sums from left to right. EvalVector panics where op is not defined on k.
func EvalVector(op Op, k types.Kind, a, b []types.Word) []types.Word {
	if f := vectors[op].of(k); f != nil {
		return f(k, a, b)
	}
	panic(fmt.Sprintf("internal error: operator %s has no meaning for vectors of kind %s", op, k))
}

func dot(k types.Kind, a, b []types.Word) types.Word {
	sum := Eval(Mul, k, a[0], b[0])
	for i := 1; i < len(a); i++ {
		sum = Eval(Add, k, sum, Eval(Mul, k, a[i], b[i]))
	}
	return sum
}

// cross is the product of the first three components; a fourth is 0, as in OpenCL.
func cross(k types.Kind, a, b []types.Word) []types.Word {
	product := make([]types.Word, len(a))
	for i := range 3 {
		j, l := (i+1)%3, (i+2)%3
		product[i] = Eval(Sub, k, Eval(Mul, k, a[j], b[l]), Eval(Mul, k, a[l], b[j]))
	}
	return product
}

// length is sqrt(dot(a, a)), without precautions against overflow.
func length(k types.Kind, a []types.Word) types.Word { return Eval(Sqrt, k, dot(k, a, a)) }

// normalize is a / length(a), and a itself where its length is 0, as in OpenCL.
func normalize(k types.Kind, a, _ []types.Word) []types.Word {
	unit := append([]types.Word(nil), a...)
	size := length(k, a)
	if size.Float() == 0 {
		return unit
	}
	for i, x := range unit {
		unit[i] = Eval(Div, k, x, size)
	}
	return unit
}

func anyOf(_ types.Kind, a, _ []types.Word) []types.Word {
	result := types.Truth(false)
	for _, w := range a {
		result |= w
	}
	return []types.Word{result}
}

func allOf(_ types.Kind, a, _ []types.Word) []types.Word {
	result := types.Truth(true)
	for _, w := range a {
		result &= w
	}
	return []types.Word{result}
}
