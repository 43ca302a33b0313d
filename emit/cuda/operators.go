package cuda

import (
	"imgc/emit/clike"
	"imgc/ops"
	"imgc/types"
)

type (
	row   = clike.Row
	spell = clike.Spelling
	rows  = map[clike.Class]row
)

func infix(op string) spell     { return spell{Infix: op} }
func prefix(op string) spell    { return spell{Prefix: op} }
func wrapping(op string) spell  { return spell{Infix: op, Wraps: true} }
func call(name string) spell    { return spell{Call: name} }
func support(name string) spell { return spell{Support: "imgc_" + name + "_$"} }

func plain(s spell) row           { return row{Exact: s, Any: s} }
func either(exact, any spell) row { return row{Exact: exact, Any: any} }
func ints(s, u row) rows          { return rows{clike.Signed: s, clike.Unsigned: u} }
func floats(s spell) rows         { return rows{clike.Floats: plain(s)} }
func bools(s spell) rows          { return rows{clike.Bools: plain(s)} }
func numbers(s, u, f row) rows    { return rows{clike.Signed: s, clike.Unsigned: u, clike.Floats: f} }
func anything(s spell) rows {
	return rows{clike.Bools: plain(s), clike.Signed: plain(s), clike.Unsigned: plain(s), clike.Floats: plain(s)}
}

// operators spells every operator. Signed arithmetic that may wrap is done in unsigned integers; divisions by what may be zero, and
// those of MIN by -1, are functions. fmin and fmax ignore NaN as the language does.
//
// In strict programs the product of floats is a function that no compiler fuses with a sum, and quotients and roots are ones that no
// option makes approximate.
func operators(strict bool) clike.Table {
	product, quotient, root := infix("*"), infix("/"), call("sqrt")
	if strict {
		product, quotient, root = support("product"), support("quotient"), support("root")
	}
	return clike.Table{
		ops.Neg:    numbers(either(prefix("-"), spell{Prefix: "-", Wraps: true}), plain(prefix("-")), plain(prefix("-"))),
		ops.Not:    bools(prefix("!")),
		ops.BitNot: ints(plain(prefix("~")), plain(prefix("~"))),
		ops.Add:    numbers(either(infix("+"), wrapping("+")), plain(infix("+")), plain(infix("+"))),
		ops.Sub:    numbers(either(infix("-"), wrapping("-")), plain(infix("-")), plain(infix("-"))),
		ops.Mul:    numbers(either(infix("*"), wrapping("*")), plain(infix("*")), plain(product)),
		ops.Div:    numbers(either(infix("/"), support("div")), either(infix("/"), support("div")), plain(quotient)),
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
		ops.Sqrt:       floats(root),
		ops.Rsqrt:      floats(call("rsqrt")),
		ops.Cbrt:       floats(call("cbrt")),
		ops.Exp:        floats(call("exp")),
		ops.Exp2:       floats(call("exp2")),
		ops.Log:        floats(call("log")),
		ops.Log2:       floats(call("log2")),
		ops.Log10:      floats(call("log10")),
		ops.Sin:        floats(call("sin")),
		ops.Cos:        floats(call("cos")),
		ops.Tan:        floats(call("tan")),
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
		ops.Step:       floats(support("step")),
		ops.Smoothstep: floats(support("smoothstep")),
		ops.IsNan:      floats(spell{Support: "imgc_isnan_$", Gives: types.Bool}),
		ops.IsInf:      floats(spell{Support: "imgc_isinf_$", Gives: types.Bool}),

		ops.Popcount: ints(plain(bits("popcount")), plain(bits("popcount"))),
		ops.Clz:      ints(plain(bits("clz")), plain(bits("clz"))),
	}
}

// bits is a function that counts bits, of integers of either sign.
func bits(name string) spell { return spell{Support: "imgc_" + name + "_$", Gives: types.I32} }
