package cuda

import (
	"maps"

	"imgc/emit/clike"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

type spell = clike.Spelling

func support(name string) spell { return spell{Support: "imgc_" + name + "_$"} }

// halves are functions for operators on the halves of words. In strict programs those of floats that others could be fused with are ones that no compiler fuses.
func halves(strict bool) map[types.Kind]map[ops.Op]string {
	words := map[ops.Op]string{
		ops.Neg: "neg", ops.Abs: "abs", ops.Add: "add", ops.Sub: "sub", ops.Mul: "mul", ops.Fma: "fma", ops.Min: "min", ops.Max: "max",
		ops.Eq: "eq", ops.Ne: "ne", ops.Lt: "lt", ops.Le: "le", ops.Gt: "gt", ops.Ge: "ge",
	}
	if strict {
		words[ops.Add], words[ops.Sub], words[ops.Mul] = "sum", "difference", "product"
	}
	out := map[types.Kind]map[ops.Op]string{types.U16: {ops.Min: "imgc_min_u16x2", ops.Max: "imgc_max_u16x2"}, types.F16: {}, types.BF16: {}}
	for op, word := range words {
		for _, k := range []types.Kind{types.F16, types.BF16} {
			if kir.HaveHalves(op, k) {
				out[k][op] = "imgc_" + word + "_" + k.String() + "x2"
			}
		}
	}
	return out
}

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
