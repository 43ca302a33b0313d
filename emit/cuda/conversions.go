package cuda

import (
	"imgc/emit/clike"
	"imgc/types"
)

// conversions cut integers by functions, and take bits by others.
var conversions = clike.Conversions{
	Integers: func(from types.Kind) spell { return spell{Support: "imgc_sat_$_" + wide(from).String()} },
	Bits:     spell{Support: "imgc_bits_@_$"},
	Within:   func(_, _ types.Kind) string { return "trunc" },
}

// wide is the integer kind that a kind under 32 bits is promoted to.
func wide(k types.Kind) types.Kind {
	if k.Bits() < 32 {
		return types.I32
	}
	return k
}
