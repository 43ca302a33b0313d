package opencl

import (
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
var operators = clike.Operators(clike.Table{
	ops.Sin:      clike.Floating(scalar("sin")),
	ops.Cos:      clike.Floating(scalar("cos")),
	ops.Tan:      clike.Floating(scalar("tan")),
	ops.Step:     clike.Floating(call("step")),
	ops.IsNan:    clike.Floating(spell{Call: "isnan", Gives: types.Bool}),
	ops.IsInf:    clike.Floating(spell{Call: "isinf", Gives: types.Bool}),
	ops.Popcount: clike.Integral(call("popcount")),
	ops.Clz:      clike.Integral(call("clz")),
})
