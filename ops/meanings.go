package ops

import (
	"math"

	"imgc/types"
)

// The meanings of the ops, by arity. Columns that an op leaves out are kinds that it is not defined on: a typed program
// has promoted or converted the operands (bool to i32, integers to floats where a function is of floats).

var unaries = [count]meaning[unary]{
	Neg:    {ints: ints1(neg[int64], neg[uint64]), floats: floats1(neg[float64])},
	Not:    {bools: func(_ types.Kind, a types.Word) types.Word { return a ^ 1 }},
	BitNot: {ints: ints1(complement[int64], complement[uint64])},

	Abs:  {ints: ints1(absSigned, identity), floats: floats1(math.Abs)},
	Sign: {ints: ints1(signSigned, signUnsigned), floats: floats1(signFloat)},

	Floor: {floats: floats1(math.Floor)},
	Ceil:  {floats: floats1(math.Ceil)},
	Round: {floats: floats1(math.Round)},
	Trunc: {floats: floats1(math.Trunc)},
	Fract: {floats: floats1(fract)},
	Sqrt:  {floats: floats1(math.Sqrt)},
	Rsqrt: {floats: floats1(rsqrt)},
	Cbrt:  {floats: floats1(math.Cbrt)},
	Exp:   {floats: floats1(exp)},
	Exp2:  {floats: floats1(math.Exp2)},
	Log:   {floats: floats1(log)},
	Log2:  {floats: floats1(log2)},
	Log10: {floats: floats1(log10)},
	Sin:   {floats: floats1(sin)},
	Cos:   {floats: floats1(cos)},
	Tan:   {floats: floats1(tan)},
	Asin:  {floats: floats1(asin)},
	Acos:  {floats: floats1(acos)},
	Atan:  {floats: floats1(math.Atan)},
	Sinh:  {floats: floats1(sinh)},
	Cosh:  {floats: floats1(cosh)},
	Tanh:  {floats: floats1(math.Tanh)},
	IsNan: {floats: floatTest(math.IsNaN)},
	IsInf: {floats: floatTest(func(a float64) bool { return math.IsInf(a, 0) })},

	Popcount: {ints: popcount},
	Clz:      {ints: clz},
}

var binaries = [count]meaning[binary]{
	Add: {ints: ints2(add[int64], add[uint64]), floats: floats2(add[float64])},
	Sub: {ints: ints2(sub[int64], sub[uint64]), floats: floats2(sub[float64])},
	Mul: {ints: ints2(mul[int64], mul[uint64]), floats: floats2(mul[float64])},
	Div: {ints: ints2(quo[int64], quo[uint64]), floats: floats2(divide)},
	Rem: {ints: ints2(rem[int64], rem[uint64]), floats: floats2(math.Mod)},
	And: {ints: ints2(and[int64], and[uint64])},
	Or:  {ints: ints2(or[int64], or[uint64])},
	Xor: {ints: ints2(xor[int64], xor[uint64])},
	Shl: {ints: shl},
	Shr: {ints: shr},

	LAnd: {bools: func(_ types.Kind, a, b types.Word) types.Word { return a & b }},
	LOr:  {bools: func(_ types.Kind, a, b types.Word) types.Word { return a | b }},

	Eq: {bools: sameWord, ints: sameWord, floats: floatOrder(equal[float64])},
	Ne: {bools: otherWord, ints: otherWord, floats: floatOrder(unequal[float64])},
	Lt: {ints: intOrder(less[int64], less[uint64]), floats: floatOrder(less[float64])},
	Le: {ints: intOrder(atMost[int64], atMost[uint64]), floats: floatOrder(atMost[float64])},
	Gt: {ints: intOrder(greater[int64], greater[uint64]), floats: floatOrder(greater[float64])},
	Ge: {ints: intOrder(atLeast[int64], atLeast[uint64]), floats: floatOrder(atLeast[float64])},

	Min:      {ints: ints2(minInt[int64], minInt[uint64]), floats: floats2(minFloat)},
	Max:      {ints: ints2(maxInt[int64], maxInt[uint64]), floats: floats2(maxFloat)},
	Mod:      {ints: ints2(mod[int64], rem[uint64]), floats: floats2(modFloat)},
	FloorDiv: {ints: ints2(FloorQuotient[int64], quo[uint64])},

	Pow:   {floats: raised},
	Atan2: {floats: floats2(atan2)},
	Hypot: {floats: floats2(math.Hypot)},
	Step:  {floats: floats2(step)},
}

var ternaries = [count]meaning[ternary]{
	Clamp:      {ints: ints3(clampInt[int64], clampInt[uint64]), floats: floats3(clampFloat)},
	Fma:        {floats: fma},
	Mix:        {floats: mix},
	Smoothstep: {floats: smoothstep},
}

// The adapters read words as numbers of the kind's class and bring the result back into the kind.

func ints1(signed func(a int64) int64, unsigned func(a uint64) uint64) unary {
	return func(k types.Kind, a types.Word) types.Word {
		if k.IsSigned() {
			return types.Wrap(k, types.Int(signed(a.Int())))
		}
		return types.Wrap(k, types.Uint(unsigned(a.Uint())))
	}
}

func ints2(signed func(a, b int64) int64, unsigned func(a, b uint64) uint64) binary {
	return func(k types.Kind, a, b types.Word) types.Word {
		if k.IsSigned() {
			return types.Wrap(k, types.Int(signed(a.Int(), b.Int())))
		}
		return types.Wrap(k, types.Uint(unsigned(a.Uint(), b.Uint())))
	}
}

func ints3(signed func(a, b, c int64) int64, unsigned func(a, b, c uint64) uint64) ternary {
	return func(k types.Kind, a, b, c types.Word) types.Word {
		if k.IsSigned() {
			return types.Wrap(k, types.Int(signed(a.Int(), b.Int(), c.Int())))
		}
		return types.Wrap(k, types.Uint(unsigned(a.Uint(), b.Uint(), c.Uint())))
	}
}

func intOrder(signed func(a, b int64) bool, unsigned func(a, b uint64) bool) binary {
	return func(k types.Kind, a, b types.Word) types.Word {
		if k.IsSigned() {
			return types.Truth(signed(a.Int(), b.Int()))
		}
		return types.Truth(unsigned(a.Uint(), b.Uint()))
	}
}

func floats1(f func(a float64) float64) unary {
	return func(k types.Kind, a types.Word) types.Word { return rounded(k, f(a.Float())) }
}

func floats2(f func(a, b float64) float64) binary {
	return func(k types.Kind, a, b types.Word) types.Word { return rounded(k, f(a.Float(), b.Float())) }
}

func floats3(f func(a, b, c float64) float64) ternary {
	return func(k types.Kind, a, b, c types.Word) types.Word {
		return rounded(k, f(a.Float(), b.Float(), c.Float()))
	}
}

func floatTest(f func(a float64) bool) unary {
	return func(_ types.Kind, a types.Word) types.Word { return types.Truth(f(a.Float())) }
}

func floatOrder(f func(a, b float64) bool) binary {
	return func(_ types.Kind, a, b types.Word) types.Word { return types.Truth(f(a.Float(), b.Float())) }
}

func rounded(k types.Kind, v float64) types.Word { return types.Float(types.Round(k, v)) }

// A canonical word has one form for each value, so that equality needs no class.
func sameWord(_ types.Kind, a, b types.Word) types.Word  { return types.Truth(a == b) }
func otherWord(_ types.Kind, a, b types.Word) types.Word { return types.Truth(a != b) }
