package host

import (
	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// hostTypes are C99's names of the kinds of host values.
var hostTypes = map[types.Kind]string{
	types.Bool: "int",
	types.I8:   "int8_t", types.I16: "int16_t", types.I32: "int32_t", types.I64: "int64_t",
	types.U8: "uint8_t", types.U16: "uint16_t", types.U32: "uint32_t", types.U64: "uint64_t",
	types.F16: "float", types.BF16: "float", types.F32: "float", types.F64: "double",
}

// c99 is the dialect of host expressions: sizes and scalars only, so neither vectors nor memory nor work-items.
var c99 = &clike.Dialect{
	Reserved:   words,
	Types:      hostTypes,
	Memory:     hostTypes,
	Suffix:     map[types.Kind]string{types.U32: "u", types.I64: "LL", types.U64: "uLL", types.F32: "f"},
	Inf:        map[types.Kind]string{types.F32: "INFINITY", types.F64: "(double)INFINITY"},
	NaN:        map[types.Kind]string{types.F32: "NAN", types.F64: "(double)NAN"},
	MinInt64:   "INT64_MIN",
	CallSuffix: map[types.Kind]string{types.F32: "f"},
	Ops:        hostOperators,
	Conversion: hostConversion,
	True:       "1",
	False:      "0",
	Support:    arithmetic(),
}

func arithmetic() *clike.Library {
	l, err := clike.ReadLibrary(files, "arith")
	if err != nil {
		panic("internal error: " + err.Error()) // embedded and tested
	}
	return l
}

type spell = clike.Spelling

// hostOperators spells what a host expression may contain.
var hostOperators = func() clike.Table {
	t := clike.Table{}
	row := func(op ops.Op, c clike.Class, exact, any spell) {
		if t[op] == nil {
			t[op] = map[clike.Class]clike.Row{}
		}
		t[op][c] = clike.Row{Exact: exact, Any: any}
	}
	support := func(name string) spell { return spell{Support: "imgc_" + name + "_$"} }
	for op, sign := range map[ops.Op]string{
		ops.Eq: "==", ops.Ne: "!=", ops.Lt: "<", ops.Le: "<=", ops.Gt: ">", ops.Ge: ">=",
	} {
		for _, c := range []clike.Class{clike.Bools, clike.Signed, clike.Unsigned, clike.Floats} {
			row(op, c, spell{Infix: sign}, spell{Infix: sign})
		}
	}
	for op, sign := range map[ops.Op]string{ops.LAnd: "&&", ops.LOr: "||"} {
		row(op, clike.Bools, spell{Infix: sign}, spell{Infix: sign})
	}
	row(ops.Not, clike.Bools, spell{Prefix: "!"}, spell{Prefix: "!"})
	for op, s := range map[ops.Op]struct{ sign, name string }{
		ops.Add: {"+", "add"}, ops.Sub: {"-", "sub"}, ops.Mul: {"*", "mul"}, ops.Div: {"/", "div"}, ops.Rem: {"%", "rem"},
		ops.Shl: {"<<", "shl"}, ops.Shr: {">>", "shr"}, ops.And: {"&", ""}, ops.Or: {"|", ""}, ops.Xor: {"^", ""},
	} {
		plain := spell{Infix: s.sign}
		any := plain
		if s.name != "" {
			any = support(s.name)
		}
		unsigned := plain
		switch op {
		case ops.Div, ops.Rem:
			unsigned = any
		case ops.Shl, ops.Shr:
			plain, unsigned = any, spell{Infix: s.sign, Masked: true}
		}
		row(op, clike.Signed, plain, any)
		row(op, clike.Unsigned, spell{Infix: s.sign}, unsigned)
		if s.sign == "%" {
			row(op, clike.Floats, spell{Call: "fmod"}, spell{Call: "fmod"})
		} else {
			row(op, clike.Floats, spell{Infix: s.sign}, spell{Infix: s.sign})
		}
	}
	row(ops.Neg, clike.Signed, spell{Prefix: "-"}, support("neg"))
	row(ops.Neg, clike.Unsigned, spell{Prefix: "-"}, spell{Prefix: "-"})
	row(ops.Neg, clike.Floats, spell{Prefix: "-"}, spell{Prefix: "-"})
	for _, c := range []clike.Class{clike.Signed, clike.Unsigned} {
		row(ops.BitNot, c, spell{Prefix: "~"}, spell{Prefix: "~"})
		row(ops.Min, c, support("min"), support("min"))
		row(ops.Max, c, support("max"), support("max"))
	}
	for op, name := range map[ops.Op]string{ops.Popcount: "popcount", ops.Clz: "clz"} {
		s := support(name)
		s.Gives = types.I32
		row(op, clike.Signed, s, s)
		row(op, clike.Unsigned, s, s)
	}
	for op, name := range map[ops.Op]string{ops.Abs: "abs", ops.Sign: "sign", ops.Mod: "mod", ops.FloorDiv: "floordiv"} {
		row(op, clike.Signed, support(name), support(name))
	}
	row(ops.Abs, clike.Unsigned, spell{Same: true}, spell{Same: true})
	row(ops.Mod, clike.Unsigned, support("rem"), support("rem"))
	row(ops.FloorDiv, clike.Unsigned, support("div"), support("div"))
	for op, name := range map[ops.Op]string{
		ops.Abs: "fabs", ops.Min: "fmin", ops.Max: "fmax", ops.Floor: "floor", ops.Ceil: "ceil", ops.Round: "round",
		ops.Trunc: "trunc", ops.Sqrt: "sqrt", ops.Cbrt: "cbrt", ops.Exp: "exp", ops.Exp2: "exp2", ops.Log: "log",
		ops.Log2: "log2", ops.Log10: "log10", ops.Sin: "sin", ops.Cos: "cos", ops.Tan: "tan", ops.Asin: "asin",
		ops.Acos: "acos", ops.Atan: "atan", ops.Sinh: "sinh", ops.Cosh: "cosh", ops.Tanh: "tanh", ops.Pow: "pow",
		ops.Atan2: "atan2", ops.Hypot: "hypot", ops.Fma: "fma",
	} {
		row(op, clike.Floats, spell{Call: name}, spell{Call: name})
	}
	for op, name := range map[ops.Op]string{
		ops.Mod: "mod", ops.Sign: "sign", ops.Mix: "mix", ops.Fract: "fract", ops.Rsqrt: "rsqrt", ops.Step: "step",
		ops.Smoothstep: "smoothstep",
	} {
		row(op, clike.Floats, support(name), support(name))
	}
	row(ops.IsNan, clike.Floats, spell{Call: "isnan", Gives: types.Bool}, spell{Call: "isnan", Gives: types.Bool})
	row(ops.IsInf, clike.Floats, spell{Call: "isinf", Gives: types.Bool}, spell{Call: "isinf", Gives: types.Bool})
	return t
}()

// hostConversion spells conversions of host scalars. C leaves a float out of the integer's range undefined.
func hostConversion(from, to types.Kind, how kir.How, exact bool) spell {
	switch {
	case how == kir.Bitcast && from != to:
		return spell{Support: "imgc_as_$_@"}
	case to == types.Bool:
		return spell{Infix: "!="}
	case from.IsFloat() && to.IsInt() && how == kir.Saturate:
		return spell{Support: "imgc_round_$"}
	case from.IsFloat() && to.IsInt():
		return spell{Support: "imgc_to_$"}
	case to.IsFloat() && clike.Held(from) == clike.Held(to):
		return spell{Same: true}
	case how == kir.Saturate && to.IsInt() && !exact:
		return spell{Support: "imgc_sat_$"}
	}
	return spell{Cast: true}
}

// expr is a host value as C.
func (v *pipeline) expr(e kir.Expr) string { return v.unit.hostExpr(v.scalars(e), v.vars) }

// scalars is a scalar expression without vectors in it, which C does not have.
func (v *pipeline) scalars(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Op:
		args := make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = v.scalars(a)
		}
		return &kir.Op{Typed: e.Typed, Op: e.Op, Args: args, Exact: e.Exact}
	case *kir.Convert:
		return &kir.Convert{Typed: e.Typed, X: v.scalars(e.X), How: e.How, Exact: e.Exact}
	case *kir.Select:
		return &kir.Select{Typed: e.Typed, Cond: v.scalars(e.Cond), Then: v.scalars(e.Then), Else: v.scalars(e.Else), Lazy: e.Lazy}
	case *kir.Lanes:
		if len(e.Lanes) == 1 {
			return v.scalars(v.lane(e.X, e.Lanes[0]))
		}
	}
	return e
}

// label is a host value as the program would write it, for messages.
func (v *pipeline) label(e kir.Expr) string {
	return kir.HostText(v.scalars(e), func(hv *kir.Var) string { return v.labels[hv] })
}

// value is the same for users of the library, who need not have the program: constants are not named there.
func (v *pipeline) value(e kir.Expr) string {
	return kir.ValueText(v.scalars(e), func(hv *kir.Var) string { return v.labels[hv] })
}

// A unit collects the support functions that host expressions need.
type unit struct{ *clike.Unit }

func newUnit() *unit { return &unit{clike.NewUnit(c99)} }

func (u *unit) hostExpr(e kir.Expr, names map[*kir.Var]string) string {
	return ctree.Text(u.HostExpr(e, func(v *kir.Var) ctree.Expr { return ctree.Name(names[v]) }))
}

// definitions is the text of the support functions asked for so far.
func (u *unit) definitions() string {
	file := &ctree.File{Decls: u.Support()}
	text, _ := ctree.Print(file, ctree.Options{})
	return text
}
