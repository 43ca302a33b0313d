package opencl

import (
	"maps"

	"imgc/emit/clike"
	"imgc/ops"
	"imgc/types"
)

type spell = clike.Spelling

func call(name string) spell { return spell{Call: name} }

// scalar is a function that is not trusted with vectors: PoCL's sin, cos and tan of a vector are wrong in all lanes where one
// lane is large.
func scalar(name string) spell { return spell{Call: name, Scalars: true} }

// operators are C's, and the built-in functions that OpenCL has beyond them.
var operators = clike.Operators(own)

var own = clike.Table{
	ops.Sin:      clike.Floating(scalar("sin")),
	ops.Cos:      clike.Floating(scalar("cos")),
	ops.Tan:      clike.Floating(scalar("tan")),
	ops.Step:     clike.Floating(call("step")),
	ops.IsNan:    clike.Floating(spell{Call: "isnan", Gives: types.Bool}),
	ops.IsInf:    clike.Floating(spell{Call: "isinf", Gives: types.Bool}),
	ops.Popcount: clike.Integral(call("popcount")),
	ops.Clz:      clike.Integral(call("clz")),
}

// natives are the functions that devices have instructions for, which compilers do not take for the options of fast mode alone. They are
// those that nvcc's --use_fast_math takes, and square roots.
var natives = []ops.Op{ops.Exp, ops.Exp2, ops.Log, ops.Log2, ops.Log10, ops.Sin, ops.Cos, ops.Sqrt, ops.Rsqrt}

// fastOperators are those of programs in fast mode. Native functions are of f32 alone.
func fastOperators() clike.Table {
	table := maps.Clone(own)
	for _, op := range natives {
		s := operators[op][clike.Floats].Any
		single := s
		single.Call = "native_" + s.Call
		if own := "imgc_native_" + s.Call; dialect.Support.Has(own + "_f32") {
			single = spell{Support: own + "_$", Scalars: true}
		}
		table[op] = map[clike.Class]clike.Row{clike.Floats: {Exact: s, Any: s, Single: single}}
	}
	return clike.Operators(table)
}
