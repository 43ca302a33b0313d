package clike

import (
	"imgc/kir"
	"imgc/types"
)

// Conversions between scalars, by support functions whose names all targets have; what differs between them is given.
type Conversions struct {
	Integers func(from types.Kind) Spelling // of integers of kind from to others of fewer values
	Bits     Spelling                       // the bits of an integer for those of a float, or the other way round
	// Within is the word in the names of support functions that cut floats that are known to be in range to integers of a kind; "" for a cast. NVIDIA's compilers
	// make F2I of a cast to u8, and of what saturates F2IP, which takes a quarter of its time: enlarging fourfold took 345 us on an H200 in CUDA, and 310.
	Within func(from, to types.Kind) string
}

// Spell spells a conversion between two kinds of scalars. Casts to floats round to nearest even. f16 and bf16 are reached by
// way of f32, or by functions of their own where two roundings would differ from one.
func (t Conversions) Spell(from, to types.Kind, how kir.How, exact bool) Spelling {
	switch {
	case how == kir.Bitcast:
		return t.bitcast(from, to)
	case to == types.Bool:
		return spell{Infix: "!="}
	case from == types.Bool:
		return spell{Cast: true}
	case to == types.F16 || to == types.BF16:
		return toNarrow(from, to)
	case to.IsFloat():
		if Held(from) == to {
			return spell{Same: true}
		}
		return spell{Cast: true}
	case from.IsFloat():
		return t.toInteger(Held(from), to, how, exact)
	}
	return t.Integers(from)
}

// toInteger converts a float of kind from, f32 or f64.
func (t Conversions) toInteger(from, to types.Kind, how kir.How, exact bool) spell {
	word := "trunc"
	if how == kir.Saturate {
		word = "nearest"
	} else if exact {
		word = t.Within(from, to)
	}
	if word == "" {
		return spell{Cast: true}
	}
	return spell{Support: "imgc_" + word + "_$_" + from.String()}
}

// toNarrow rounds to f16 or bf16. Every f16 that is an integer or overflows is found by way of f32; for bf16, whose range is
// that of f32, wide integers need care.
func toNarrow(from, to types.Kind) spell {
	switch {
	case from == types.F64:
		return spell{Support: "imgc_$_f64"}
	case to == types.BF16 && from.IsInt() && from.Bits() >= 32:
		if from.IsSigned() {
			return spell{Support: "imgc_bf16_i64"}
		}
		return spell{Support: "imgc_bf16_u64"}
	case from.IsInt() && from.Bits() == 8:
		return spell{Cast: true} // 8 bits fit both
	}
	return spell{Support: "imgc_$"}
}

// bitcast takes the bits of memory for another kind.
func (t Conversions) bitcast(from, to types.Kind) spell {
	switch {
	case to == types.Bool:
		return spell{Infix: "!="}
	case from == types.Bool:
		return spell{Cast: true}
	case Narrow(from) && Narrow(to):
		return spell{Support: "imgc_bits_@_$"}
	case Narrow(to):
		return spell{Support: "imgc_from_$"}
	case Narrow(from):
		if to.IsSigned() {
			return spell{Support: "imgc_to_@", Gives: types.U16}
		}
		return spell{Support: "imgc_to_@"}
	case from.IsInt() && to.IsInt():
		return spell{Cast: true}
	}
	return t.Bits
}

// Narrow reports whether values of a kind are held in a wider one.
func Narrow(k types.Kind) bool { return k == types.F16 || k == types.BF16 }
