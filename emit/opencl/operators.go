package opencl

import (
	"imgc/emit/clike"
	"imgc/ops"
	"imgc/types"
)

type (
	row   = clike.Row
	spell = clike.Spelling
)

func infix(op string) spell     { return spell{Infix: op} }
func prefix(op string) spell    { return spell{Prefix: op} }
func wrapping(op string) spell  { return spell{Infix: op, Wraps: true} }
func call(name string) spell    { return spell{Call: name} }
func support(name string) spell { return spell{Support: "imgc_" + name + "_$", Scalars: true} }

// scalar is a function that is not trusted with vectors: PoCL's sin, cos and tan of a vector are wrong in all lanes where one
// lane is large.
func scalar(name string) spell { return spell{Call: name, Scalars: true} }

func plain(s spell) row           { return row{Exact: s, Any: s} }
func either(exact, any spell) row { return row{Exact: exact, Any: any} }
func ints(s, u row) clikeRows     { return clikeRows{clike.Signed: s, clike.Unsigned: u} }
func floats(s spell) clikeRows    { return clikeRows{clike.Floats: plain(s)} }
func bools(s spell) clikeRows     { return clikeRows{clike.Bools: plain(s)} }
func numbers(s, u, f row) clikeRows {
	return clikeRows{clike.Signed: s, clike.Unsigned: u, clike.Floats: f}
}
func anything(s spell) clikeRows {
	return clikeRows{clike.Bools: plain(s), clike.Signed: plain(s), clike.Unsigned: plain(s), clike.Floats: plain(s)}
}

type clikeRows = map[clike.Class]row

// operators spells every operator. Signed arithmetic that may wrap is done in unsigned integers; divisions by what may be zero,
// and those of MIN by -1, are functions. fmin and fmax ignore NaN as the language does; OpenCL's min, max and clamp of floats
// leave it open.
var operators = clike.Table{
	ops.Neg:    numbers(either(prefix("-"), spell{Prefix: "-", Wraps: true}), plain(prefix("-")), plain(prefix("-"))),
	ops.Not:    bools(prefix("!")),
	ops.BitNot: ints(plain(prefix("~")), plain(prefix("~"))),
	ops.Add:    numbers(either(infix("+"), wrapping("+")), plain(infix("+")), plain(infix("+"))),
	ops.Sub:    numbers(either(infix("-"), wrapping("-")), plain(infix("-")), plain(infix("-"))),
	ops.Mul:    numbers(either(infix("*"), wrapping("*")), plain(infix("*")), plain(infix("*"))),
	ops.Div:    numbers(either(infix("/"), support("div")), either(infix("/"), support("div")), plain(infix("/"))),
	ops.Rem:    numbers(either(infix("%"), support("rem")), either(infix("%"), support("rem")), plain(call("fmod"))),
	ops.And:    ints(plain(infix("&")), plain(infix("&"))),
	ops.Or:     ints(plain(infix("|")), plain(infix("|"))),
	ops.Xor:    ints(plain(infix("^")), plain(infix("^"))),
	ops.Shl: ints(either(infix("<<"), spell{Infix: "<<", Wraps: true, Masked: true}),
		either(infix("<<"), spell{Infix: "<<", Masked: true})),
	ops.Shr:  ints(either(infix(">>"), spell{Infix: ">>", Masked: true}), either(infix(">>"), spell{Infix: ">>", Masked: true})),
	ops.LAnd: bools(infix("&&")),
	ops.LOr:  bools(infix("||")),
	ops.Eq:   anything(infix("==")),
	ops.Ne:   anything(infix("!=")),
	ops.Lt:   numbers(plain(infix("<")), plain(infix("<")), plain(infix("<"))),
	ops.Le:   numbers(plain(infix("<=")), plain(infix("<=")), plain(infix("<="))),
	ops.Gt:   numbers(plain(infix(">")), plain(infix(">")), plain(infix(">"))),
	ops.Ge:   numbers(plain(infix(">=")), plain(infix(">=")), plain(infix(">="))),

	ops.Abs:      numbers(plain(support("abs")), plain(spell{Same: true}), plain(call("fabs"))),
	ops.Sign:     numbers(plain(support("sign")), plain(support("sign")), plain(support("sign"))),
	ops.Min:      numbers(plain(call("min")), plain(call("min")), plain(call("fmin"))),
	ops.Max:      numbers(plain(call("max")), plain(call("max")), plain(call("fmax"))),
	ops.Mod:      numbers(plain(support("mod")), either(infix("%"), support("rem")), plain(support("mod"))),
	ops.FloorDiv: ints(plain(support("floordiv")), either(infix("/"), support("div"))),

	ops.Floor:      floats(call("floor")),
	ops.Ceil:       floats(call("ceil")),
	ops.Round:      floats(call("round")),
	ops.Trunc:      floats(call("trunc")),
	ops.Fract:      floats(support("fract")),
	ops.Sqrt:       floats(call("sqrt")),
	ops.Rsqrt:      floats(call("rsqrt")),
	ops.Cbrt:       floats(call("cbrt")),
	ops.Exp:        floats(call("exp")),
	ops.Exp2:       floats(call("exp2")),
	ops.Log:        floats(call("log")),
	ops.Log2:       floats(call("log2")),
	ops.Log10:      floats(call("log10")),
	ops.Sin:        floats(scalar("sin")),
	ops.Cos:        floats(scalar("cos")),
	ops.Tan:        floats(scalar("tan")),
	ops.Asin:       floats(call("asin")),
	ops.Acos:       floats(call("acos")),
	ops.Atan:       floats(call("atan")),
	ops.Sinh:       floats(call("sinh")),
	ops.Cosh:       floats(call("cosh")),
	ops.Tanh:       floats(call("tanh")),
	ops.Pow:        floats(call("pow")),
	ops.Atan2:      floats(call("atan2")),
	ops.Hypot:      floats(call("hypot")),
	ops.Fma:        floats(call("fma")),
	ops.Mix:        floats(support("mix")),
	ops.Step:       floats(call("step")),
	ops.Smoothstep: floats(support("smoothstep")),
	ops.IsNan:      floats(spell{Call: "isnan", Gives: types.Bool}),
	ops.IsInf:      floats(spell{Call: "isinf", Gives: types.Bool}),

	ops.Popcount: ints(plain(call("popcount")), plain(call("popcount"))),
	ops.Clz:      ints(plain(call("clz")), plain(call("clz"))),
}
