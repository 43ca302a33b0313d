package cuda

import (
	"maps"

	"imgc/emit/clike"
	"imgc/ops"
	"imgc/types"
)

type spell = clike.Spelling

func support(name string) spell { return spell{Support: "imgc_" + name + "_$"} }

// bits is a function that counts bits, of integers of either sign.
func bits(name string) spell { return spell{Support: "imgc_" + name + "_$", Gives: types.I32} }

// operators are C's. In strict programs the product of floats is a function that no compiler fuses with a sum, and quotients and
// roots are ones that no option makes approximate.
func operators(strict bool) clike.Table {
	own := clike.Table{
		ops.IsNan:    clike.Floating(spell{Support: "imgc_isnan_$", Gives: types.Bool}),
		ops.IsInf:    clike.Floating(spell{Support: "imgc_isinf_$", Gives: types.Bool}),
		ops.Popcount: clike.Integral(bits("popcount")),
		ops.Clz:      clike.Integral(bits("clz")),
	}
	if strict {
		maps.Copy(own, clike.Table{
			ops.Mul:  clike.Floating(support("product")),
			ops.Div:  clike.Floating(support("quotient")),
			ops.Sqrt: clike.Floating(support("root")),
		})
	}
	return clike.Operators(own)
}
