package clike

import (
	"maps"

	"imgc/ops"
)

type (
	row   = Row
	rows  = map[Class]Row
	spell = Spelling
)

func infix(op string) spell       { return spell{Infix: op} }
func prefix(op string) spell      { return spell{Prefix: op} }
func wrapping(op string) spell    { return spell{Infix: op, Wraps: true} }
func call(name string) spell      { return spell{Call: name} }
func support(name string) spell   { return spell{Support: "imgc_" + name + "_$", Scalars: true} }
func plain(s spell) row           { return row{Exact: s, Any: s} }
func either(exact, any spell) row { return row{Exact: exact, Any: any} }
func ints(s, u row) rows          { return rows{Signed: s, Unsigned: u} }
func floats(s spell) rows         { return Floating(s) }
func bools(s spell) rows          { return rows{Bools: plain(s)} }
func numbers(s, u, f row) rows    { return rows{Signed: s, Unsigned: u, Floats: f} }
func anything(s spell) rows {
	return rows{Bools: plain(s), Signed: plain(s), Unsigned: plain(s), Floats: plain(s)}
}

// Floating is how an operator of floats is written.
func Floating(s Spelling) map[Class]Row { return rows{Floats: plain(s)} }

// Integral is how an operator of integers of either sign is written.
func Integral(s Spelling) map[Class]Row { return ints(plain(s), plain(s)) }

// Operators are the spellings that languages with C's operators share, with those that a target has of its own, by operator and
// class, in place of them.
func Operators(own Table) Table {
	table := maps.Clone(common)
	for op, classes := range own {
		merged := maps.Clone(table[op])
		if merged == nil {
			merged = rows{}
		}
		maps.Copy(merged, classes)
		table[op] = merged
	}
	return table
}

// common spells the operators. Signed arithmetic that may wrap is done in unsigned integers; divisions by what may be zero, and those
// of MIN by -1, are functions. fmin and fmax ignore NaN as the language does; min, max and clamp of floats need not.
var common = Table{
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
}
