package access

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// A hostwriter copies an expression for the host: the host's definitions are substituted. It fails on what the host cannot
// compute at entry, and on floating-point arithmetic of a body, which may round otherwise on the device.
type hostwriter struct {
	s      *scope
	failed bool
}

func (h *hostwriter) all(es []hast.Expr) []hast.Expr {
	out := make([]hast.Expr, len(es))
	for i, e := range es {
		out[i] = h.rewrite(e)
	}
	return out
}

func (h *hostwriter) rewrite(e hast.Expr) hast.Expr {
	if k := e.Type().Kind; h.failed || !h.s.host && k.IsFloat() {
		h.failed = true
		return e
	}
	switch e := e.(type) {
	case *hast.Const:
		return e
	case *hast.Ref:
		return h.ref(e)
	case *hast.Op:
		return &hast.Op{Typed: e.Typed, Op: e.Op, Args: h.all(e.Args)}
	case *hast.Convert:
		return &hast.Convert{Typed: e.Typed, X: h.rewrite(e.X), How: e.How}
	case *hast.Select:
		return &hast.Select{Typed: e.Typed, Cond: h.rewrite(e.Cond), Then: h.rewrite(e.Then), Else: h.rewrite(e.Else)}
	case *hast.Swizzle:
		return &hast.Swizzle{Typed: e.Typed, X: h.rewrite(e.X), Lanes: e.Lanes}
	}
	if !h.s.host {
		h.failed = true // the host need not be able to compute what a body may
		return e
	}
	return h.compound(e)
}

// compound copies what makes and takes apart vectors and arrays.
func (h *hostwriter) compound(e hast.Expr) hast.Expr {
	switch e := e.(type) {
	case *hast.Splat:
		return &hast.Splat{Typed: e.Typed, X: h.rewrite(e.X)}
	case *hast.Vec:
		return &hast.Vec{Typed: e.Typed, Parts: h.all(e.Parts)}
	case *hast.Array:
		return &hast.Array{Typed: e.Typed, Elems: h.all(e.Elems)}
	case *hast.Elem:
		return &hast.Elem{Typed: e.Typed, X: h.rewrite(e.X), Index: h.all(e.Index), InRange: e.InRange}
	case *hast.Call:
		return &hast.Call{Typed: e.Typed, Func: e.Func, Args: h.all(e.Args)}
	}
	h.failed = true
	return e
}

func (h *hostwriter) ref(e *hast.Ref) hast.Expr {
	if e.Var.Class == hast.SizeVar || e.Var.Class == hast.ScalarIn || e.Var.Class == hast.HostLevel {
		return e
	}
	if def := definer(e.Var, h.s); def != nil {
		if f, ok := def.frame.(assigned); ok && f.value != nil {
			inner := &hostwriter{s: def.up}
			value := inner.rewrite(f.value)
			h.failed = h.failed || inner.failed
			return value
		}
	}
	h.failed = true
	return e
}

var i64 = types.Scalar(types.I64)

func number(k int64) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: i64}, Words: []types.Word{types.Int(k)}}
}

func wideOp(op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: hast.Typed{T: i64}, Op: op, Args: args}
}

func truthOp(op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool)}, Op: op, Args: args}
}

// wide converts the value of a host expression to i64, so that arithmetic on it cannot wrap.
func wide(e hast.Expr) hast.Expr {
	if e.Type() == i64 {
		return e
	}
	return &hast.Convert{Typed: hast.Typed{T: i64, At: e.Span()}, X: e}
}

// widened is a host expression of kind i32 computed in i64 throughout.
func widened(e hast.Expr) hast.Expr {
	switch e := e.(type) {
	case *hast.Const:
		if e.Name == "" {
			return number(e.Words[0].Int())
		}
	case *hast.Op:
		switch e.Op {
		case ops.Neg, ops.Add, ops.Sub, ops.Mul, ops.Div, ops.Rem, ops.Min, ops.Max, ops.Clamp, ops.Abs, ops.Mod, ops.FloorDiv:
			args := make([]hast.Expr, len(e.Args))
			for i, arg := range e.Args {
				args[i] = widened(arg)
			}
			return wideOp(e.Op, args...)
		}
	case *hast.Select:
		return &hast.Select{Typed: hast.Typed{T: i64, At: e.At}, Cond: e.Cond, Then: widened(e.Then), Else: widened(e.Else)}
	}
	return wide(e)
}

// An exporter writes what the prover found about parameters as host expressions of kind i64.
type exporter struct {
	a      *analysis
	failed bool // something in it is not known at entry
}

// linear is the sum of the terms and the constant; the terms have positive coefficients.
func (x *exporter) linear(terms []prove.Term, constant int64) hast.Expr {
	var sum hast.Expr
	for _, t := range terms {
		e := x.variable(t.Var)
		if t.Coef != 1 {
			e = wideOp(ops.Mul, number(t.Coef), e)
		}
		if sum == nil {
			sum = e
		} else {
			sum = wideOp(ops.Add, sum, e)
		}
	}
	switch {
	case sum == nil:
		return number(constant)
	case constant > 0:
		return wideOp(ops.Add, sum, number(constant))
	case constant < 0:
		return wideOp(ops.Sub, sum, number(-constant))
	}
	return sum
}

// sum is any linear expression: what is subtracted comes last.
func (x *exporter) sum(l prove.Lin) hast.Expr {
	plus, minus := split(l)
	if len(minus) == 0 {
		return x.linear(plus, l.Constant())
	}
	if len(plus) == 0 {
		return wideOp(ops.Sub, number(l.Constant()), x.linear(minus, 0))
	}
	e := x.linear(plus, 0)
	for _, t := range minus {
		e = wideOp(ops.Sub, e, x.linear([]prove.Term{t}, 0))
	}
	switch k := l.Constant(); {
	case k > 0:
		return wideOp(ops.Add, e, number(k))
	case k < 0:
		return wideOp(ops.Sub, e, number(-k))
	}
	return e
}

// split separates the terms by sign and makes all coefficients positive.
func split(l prove.Lin) (plus, minus []prove.Term) {
	for _, t := range l.Terms() {
		if t.Coef > 0 {
			plus = append(plus, t)
		} else {
			minus = append(minus, prove.Term{Coef: -t.Coef, Var: t.Var})
		}
	}
	return plus, minus
}

func (x *exporter) variable(v prove.Var) hast.Expr {
	if d, ok := x.a.sys.Def(v); ok {
		return x.defined(d)
	}
	s := x.a.symbols[v]
	if s == nil || s.origin == nil {
		x.failed = true
		return number(0)
	}
	return wide(s.origin)
}

var definedOps = map[prove.DefOp]ops.Op{
	prove.FloorDiv: ops.FloorDiv, prove.TruncDiv: ops.Div, prove.Min: ops.Min, prove.Max: ops.Max, prove.Abs: ops.Abs, prove.Product: ops.Mul,
}

func (x *exporter) defined(d prove.Def) hast.Expr {
	args := make([]hast.Expr, len(d.Args))
	for i, arg := range d.Args {
		args[i] = x.sum(arg)
	}
	switch d.Op {
	case prove.Select:
		return &hast.Select{Typed: hast.Typed{T: i64}, Cond: x.condition(d.Cond), Then: args[0], Else: args[1]}
	case prove.FloorDiv:
		if x.a.intervalOf(d.Args[0]).Lo >= 0 {
			return wideOp(ops.Div, args[0], number(d.Divisor)) // what users write
		}
		return wideOp(ops.FloorDiv, args[0], number(d.Divisor))
	case prove.TruncDiv:
		return wideOp(ops.Div, args[0], number(d.Divisor))
	}
	e := args[0]
	for _, arg := range args[1:] {
		e = wideOp(definedOps[d.Op], e, arg)
	}
	if d.Op == prove.Abs {
		e = wideOp(ops.Abs, e)
	}
	return e
}

// condition is a formula as a host expression of kind bool.
func (x *exporter) condition(f prove.Formula) hast.Expr {
	switch f := f.(type) {
	case prove.Atom:
		return x.atom(f)
	case prove.And:
		return x.joined(ops.LAnd, f)
	case prove.Or:
		return x.joined(ops.LOr, f)
	}
	x.failed = true
	return truthOp(ops.LAnd)
}

func (x *exporter) joined(op ops.Op, parts []prove.Formula) hast.Expr {
	if len(parts) == 0 {
		return &hast.Const{Typed: hast.Typed{T: types.Scalar(types.Bool)}, Words: []types.Word{types.Truth(op == ops.LAnd)}}
	}
	e := x.condition(parts[0])
	for _, f := range parts[1:] {
		e = truthOp(op, e, x.condition(f))
	}
	return e
}

// relations are the operators of an atom as it stands, and with its sides exchanged.
var relations = map[prove.Rel][2]ops.Op{
	prove.NonNegative: {ops.Ge, ops.Le}, prove.Zero: {ops.Eq, ops.Eq}, prove.NonZero: {ops.Ne, ops.Ne},
}

// atom compares two sides without minus signs, a lone constant on the right: "W >= 2", "W > k", "x + 3 <= 2*W".
func (x *exporter) atom(f prove.Atom) hast.Expr {
	if f.Lin.IsUnknown() {
		x.failed = true
	}
	plus, minus := split(f.Lin)
	k, rel := f.Lin.Constant(), relations[f.Rel]
	switch {
	case k == -1 && f.Rel == prove.NonNegative && len(plus) > 0 && len(minus) > 0:
		return truthOp(ops.Gt, x.linear(plus, 0), x.linear(minus, 0))
	case len(plus) == 0 && len(minus) > 0:
		return truthOp(rel[1], x.linear(minus, 0), number(k))
	case len(minus) == 0 || k < 0:
		return truthOp(rel[0], x.linear(plus, 0), x.linear(minus, -k))
	}
	return truthOp(rel[0], x.linear(plus, k), x.linear(minus, 0))
}
