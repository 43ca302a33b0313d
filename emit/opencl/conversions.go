package opencl

import (
	"fmt"

	"imgc/emit/clike"
	"imgc/kir"
	"imgc/types"
)

// conversions are casts; integers that need more are cut by clike before.
var conversions = clike.Conversions{
	Integers: func(types.Kind) spell { return spell{Cast: true} },
	Bits:     spell{Call: "as_$T"},
	Within: func(from, to types.Kind) string {
		if from == types.F32 && to == types.U8 {
			return "within"
		}
		return ""
	},
}

// vectorConversion spells the conversions of whole vectors that OpenCL has.
func vectorConversion(from, to types.Type, how kir.How, exact bool) spell {
	if from.Kind == types.Bool || to.Kind == types.Bool || clike.Narrow(from.Kind) || clike.Narrow(to.Kind) {
		return spell{}
	}
	if from.Kind.IsFloat() && to.Kind.IsInt() && how != kir.Bitcast && !(exact && how == kir.Wrap) {
		return spell{} // what is out of range needs care, component by component
	}
	name := valueTypes[to.Kind] + fmt.Sprint(to.Lanes)
	if how == kir.Bitcast {
		return spell{Call: "as_" + name}
	}
	switch {
	case to.Kind.IsFloat():
	case from.Kind.IsInt() && how == kir.Wrap && !exact && clike.OpaqueCut(from.Kind, to.Kind).Support != "":
		return spell{}
	case from.Kind.IsFloat():
		name += "_rtz"
	case how == kir.Saturate && !types.Holds(from.Kind, to.Kind) && !exact:
		return spell{} // clike.saturate says why
	}
	return spell{Call: "convert_" + name}
}
