package pass

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A sum of conditions that are worth different powers of two, as local binary patterns are and what a comparison of neighbours is remembered by, takes a
// selection and an addition for each of them. Where an addition may be left out by a condition of its own, it alone does: a chosen sum, n + 4 or n, is one
// instruction. ptxas gathers the others' conditions in the bits of a register besides, and where it has none left to hold them (13.5, for sm_90)
// takes all of a word for two bits of it: on an H200 a histogram of eight comparisons wrote far outside of its bins.

// weigh has multiples of conditions that are added to a value, or set in its bits, chosen with it.
func weigh(body []kir.Stmt) []kir.Stmt {
	w := weighing{}
	kir.WalkStmts(body, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok && d.Init != nil && d.Var.Const {
			w[d.Var] = d.Init
		}
	}, nil)
	return stmts(body, w.statement)
}

// A weighing knows what variables that never change are.
type weighing map[*kir.Var]kir.Expr

// statement is a statement behind the values that its choices are made of.
func (w weighing) statement(s kir.Stmt) []kir.Stmt { return behindNames(s, "bits", w.chosen) }

// chosen is an expression whose sums with multiples of conditions are choices, but for parts that it may not need. Other operands of such sums get names.
func (w weighing) chosen(x kir.Expr, name func(kir.Expr) kir.Expr) kir.Expr {
	operands := kir.Operands(x)
	in, changed := make([]kir.Expr, len(operands)), false
	for i, part := range operands {
		in[i] = part
		if !conditional(x, i) {
			in[i] = w.chosen(part, name)
		}
		changed = changed || in[i] != part
	}
	if changed {
		x = with(x, in)
	}
	sum, ok := x.(*kir.Op)
	if !ok || !gathers(sum) {
		return x
	}
	for i, term := range sum.Args {
		if m, ok := w.multiple(term); ok {
			return m.joined(sum, sum.Args[1-i], name)
		}
	}
	return x
}

// gathers reports whether an operator adds integers of words, or sets bits of one in another.
func gathers(o *kir.Op) bool {
	return (o.Op == ops.Add || o.Op == ops.Or || o.Op == ops.Xor) && o.T.IsScalar() && (o.T.Kind == types.I32 || o.T.Kind == types.U32)
}

// A multiple is a condition that is worth a number of 2 or more.
type multiple struct {
	of    kir.Expr
	worth *kir.Const
}

// multiple is what a term is a multiple of a condition by, itself or as a variable.
func (w weighing) multiple(term kir.Expr) (multiple, bool) {
	product, ok := w.behind(term).(*kir.Op)
	if !ok || !product.T.IsScalar() || product.Op != ops.Mul && product.Op != ops.Shl {
		return multiple{}, false
	}
	for i, factor := range product.Args {
		n, constant := number(factor)
		if !constant || product.Op == ops.Shl && (i != 1 || n < 0 || n > 31) {
			continue
		}
		if product.Op == ops.Shl {
			n = 1 << n
		}
		truth, ok := w.behind(product.Args[1-i]).(*kir.Convert)
		if n >= 2 && ok && truth.X.Type() == types.Scalar(types.Bool) {
			return multiple{truth.X, &kir.Const{Typed: product.Typed, Words: []types.Word{types.Convert(types.Int(n), types.I64, product.T.Kind)}}}, true
		}
	}
	return multiple{}, false
}

// behind is what a variable that never changes is, and other expressions themselves. What is read is not followed: memory may be another by then.
func (w weighing) behind(x kir.Expr) kir.Expr {
	if r, ok := x.(*kir.Ref); ok && w[r.Var] != nil && settled(w[r.Var]) {
		return w[r.Var]
	}
	return x
}

// settled reports whether an expression is of variables that never change and constants alone.
func settled(x kir.Expr) bool {
	ok := true
	kir.Walk(x, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Const, *kir.Op, *kir.Convert:
		case *kir.Ref:
			ok = ok && x.Var.Const
		default:
			ok = false
		}
	})
	return ok
}

// joined is a sum, or what else joins bits, of a value and a multiple: chosen by its condition.
func (m multiple) joined(sum *kir.Op, value kir.Expr, name func(kir.Expr) kir.Expr) kir.Expr {
	if r, ok := value.(*kir.Ref); !ok || !r.Var.Const {
		value = name(value)
	}
	// What fits where the multiple may be its number fits with the number: what a value may be is known of it alone, and not of the condition, too.
	both := &kir.Op{Typed: sum.Typed, Op: sum.Op, Args: []kir.Expr{value, m.worth}, Exact: sum.Exact}
	return &kir.Select{Typed: sum.Typed, Cond: m.of, Then: both, Else: value}
}
