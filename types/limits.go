package types

import "math"

// limits has one row for each kind: its extremes as words, and for integers as floats too. least is the smallest value,
// past the largest plus one, and float64 holds both exactly.
var limits = [...]struct {
	low, high   Word
	least, past float64
}{
	Bool: {low: 0, high: 1},
	I8:   {Int(math.MinInt8), Int(math.MaxInt8), -0x1p7, 0x1p7},
	I16:  {Int(math.MinInt16), Int(math.MaxInt16), -0x1p15, 0x1p15},
	I32:  {Int(math.MinInt32), Int(math.MaxInt32), -0x1p31, 0x1p31},
	I64:  {Int(math.MinInt64), Int(math.MaxInt64), -0x1p63, 0x1p63},
	U8:   {0, math.MaxUint8, 0, 0x1p8},
	U16:  {0, math.MaxUint16, 0, 0x1p16},
	U32:  {0, math.MaxUint32, 0, 0x1p32},
	U64:  {0, math.MaxUint64, 0, 0x1p64},
	F16:  {low: infinity(-1), high: infinity(1)},
	BF16: {low: infinity(-1), high: infinity(1)},
	F32:  {low: infinity(-1), high: infinity(1)},
	F64:  {low: infinity(-1), high: infinity(1)},
}

func infinity(sign int) Word { return Float(math.Inf(sign)) }

// Lowest is the least value of the kind: false, the smallest integer, minus infinity. A maximum over nothing has it.
func Lowest(k Kind) Word { return limits[k].low }

// Highest is the greatest value of the kind: true, the largest integer, plus infinity. A minimum over nothing has it.
func Highest(k Kind) Word { return limits[k].high }

// Holds is true where a value of kind from converts to kind to without being asked: bool to any number, an integer to an
// integer kind that holds all its values, an integer to any float kind (which rounds), f16 and bf16 to f32 and f64, f32 to
// f64, and every kind to itself.
func Holds(from, to Kind) bool {
	switch {
	case from == to:
		return from != Invalid
	case from == Bool:
		return to.IsNumeric()
	case from.IsInt() && to.IsInt():
		return from.Bits() < to.Bits() && (from.IsUnsigned() || to.IsSigned())
	case from.IsInt():
		return to.IsFloat()
	case from.IsFloat():
		return to == F64 || to == F32 && from != F64
	}
	return false
}

// Promote is the kind in which an operand of kind k takes part in arithmetic: i32 for bool and integers under 32 bits, as
// in C, and k itself for all others.
func Promote(k Kind) Kind {
	if k == Bool || k.IsInt() && k.Bits() < 32 {
		return I32
	}
	return k
}

// Common is the kind in which operands of kinds a and b are computed: the promoted kind of one of them to which both
// convert without being asked. It is false where there is none, as for i32 and u32, i8 and u32 or f16 and bf16; the program
// then has to say what it wants. The rule looks at the operands before promotion, so that u8 and u32 give u32, as in C.
func Common(a, b Kind) (Kind, bool) {
	for _, k := range [2]Kind{Promote(a), Promote(b)} {
		if Holds(a, k) && Holds(b, k) {
			return k, true
		}
	}
	return Invalid, false
}
