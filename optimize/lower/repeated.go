package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
)

// What a statement has in several places, as the coordinate of a sample stands in the index of each pixel around it, is one node of hast. Where it reads
// pixels, lowering it again would give as many expressions, of which no later pass can tell that memory has not changed between them: it gets a variable.
// What reads none has one name by once, or by the pass share.

// repeats are the nodes that the statement at hand has in several places, and the variables that hold what they compute.
type repeats struct {
	nodes map[hast.Expr]bool
	vars  map[hast.Expr]*kir.Var
}

// statement lowers one statement, with what it repeats.
func (b *body) statement(s hast.Stmt) {
	defer func(was repeats) { b.repeats = was }(b.repeats)
	b.repeats = repeatsIn(s)
	b.stmt(s)
}

// repeatsIn finds the operators and conversions that the expressions of a statement share. Those within reductions have another value at each point.
func repeatsIn(s hast.Stmt) repeats {
	r := repeats{} // most statements have none
	seen := map[hast.Expr]bool{}
	var visit func(e hast.Expr)
	visit = func(e hast.Expr) {
		switch e.(type) {
		case *hast.Reduce:
			return
		case *hast.Op, *hast.Convert:
			if seen[e] {
				if r.nodes == nil {
					r.nodes, r.vars = map[hast.Expr]bool{}, map[hast.Expr]*kir.Var{}
				}
				r.nodes[e] = true
				if !mayJoin(e) {
					return
				}
			}
			seen[e] = true
		}
		hast.EachOperand(e, visit)
	}
	exprs, _ := hast.Parts(s)
	for _, e := range exprs {
		if e != nil {
			visit(e)
		}
	}
	return r
}

// expr lowers an expression of scalar or vector type. What an expression needs beforehand is emitted as statements.
func (b *body) expr(e hast.Expr) kir.Expr {
	if !b.repeats.nodes[e] {
		return b.exprOnce(e)
	}
	if v := b.repeats.vars[e]; v != nil && b.sees(v) {
		return ref(v)
	}
	x := b.exprOnce(e)
	if !x.Type().IsScalar() || simple(x) || stable(x) || mayJoin(e) {
		return x
	}
	v := b.declare(repeatedName(e), x.Type(), false, x)
	b.repeats.vars[e] = v
	return ref(v)
}

// mayJoin reports whether compilers may join an expression with the sum around it: products of floats stay where they are, so that bits do not depend on
// how often they are used.
func mayJoin(e hast.Expr) bool {
	op, ok := e.(*hast.Op)
	return ok && op.T.Kind.IsFloat() && (op.Op == ops.Mul || op.Op == ops.Neg && mayJoin(op.Args[0]))
}

// repeatedName is a name for what a node computes.
func repeatedName(e hast.Expr) string {
	switch e := e.(type) {
	case *hast.Convert:
		if e.X.Type().Kind.IsFloat() && e.T.Kind.IsInt() {
			return "whole"
		}
	case *hast.Op:
		if e.Op == ops.Floor {
			return "floored"
		}
	}
	return "common"
}
