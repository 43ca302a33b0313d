package pass

import (
	"imgc/kir"
	"imgc/types"
)

// Quotients of small integers take a product by the reciprocal of the divisor, which compilers find once where several divide by the same, unless each division
// is behind a condition: that nothing be divided by zero, say, which is no fault here. nvcc keeps a branch around seven operations, and with it a reciprocal for
// each pixel. What such a quotient reads must be there in any case.

// early has quotients of small integers that a choice may not need computed before it.
func early(body []kir.Stmt) []kir.Stmt {
	e := &earlier{counts: map[*kir.Var][2]int64{}}
	kir.WalkStmts(body, e.loop, nil)
	return stmts(body, e.statement)
}

// An earlier knows the loops of a body whose bounds are constants, by what counts them: from the first number to before the second.
type earlier struct{ counts map[*kir.Var][2]int64 }

func (e *earlier) loop(s kir.Stmt) {
	if loop, ok := s.(*kir.For); ok {
		lo, from := number(loop.Lo)
		hi, to := number(loop.Hi)
		if from && to {
			e.counts[loop.Var] = [2]int64{lo, hi}
		}
	}
}

// statement is a statement behind the quotients of its choices.
func (e *earlier) statement(s kir.Stmt) []kir.Stmt {
	return behindNames(s, "quotient", func(root kir.Expr, name func(kir.Expr) kir.Expr) kir.Expr { return e.named(root, root, false, name) })
}

// named is a part of an expression with those of its quotients under names that the expression may not need, and may compute nevertheless.
func (e *earlier) named(x, root kir.Expr, maybe bool, name func(kir.Expr) kir.Expr) kir.Expr {
	if q, ok := x.(*kir.Op); ok && maybe && q.Short && kir.DividesShort(q.Op, q.T) && e.safe(q, root) {
		return name(q)
	}
	operands := kir.Operands(x)
	in, changed := make([]kir.Expr, len(operands)), false
	for i, part := range operands {
		in[i] = e.named(part, root, maybe || conditional(x, i), name)
		changed = changed || in[i] != part
	}
	if !changed {
		return x
	}
	return with(x, in)
}

// safe reports whether a part of an expression may be computed in any case: it has no effects, and reads what is there for certain, or is read in any case.
func (e *earlier) safe(part, root kir.Expr) bool {
	ok := true
	kir.Walk(part, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Const, *kir.Ref, *kir.Op, *kir.Convert, *kir.GlobalID, *kir.LocalID, *kir.GroupID:
		case *kir.Elem:
			ok = ok && (e.inside(x) || always(x, root))
		case *kir.Load:
			ok = ok && (x.Safe || always(x, root))
		default:
			ok = false
		}
	})
	return ok
}

// always reports whether an expression is computed wherever another one is, of which it is a part or reads the same.
func always(x, of kir.Expr) bool {
	if kir.ExprText(x) == kir.ExprText(of) && same(x, of) {
		return true
	}
	if choice, ok := of.(*kir.Select); ok {
		return always(x, choice.Cond) || always(x, choice.Then) && always(x, choice.Else)
	}
	for i, part := range kir.Operands(of) {
		if !conditional(of, i) && always(x, part) {
			return true
		}
	}
	return false
}

// mostPlaces is how many places of an array are looked at.
const mostPlaces = 64

// inside reports whether an element of an array is one for all rounds of the loops that its place depends on, of which there is one.
func (e *earlier) inside(x *kir.Elem) bool {
	for d, place := range x.Index {
		counter, count, known := e.counter(place)
		if !known || count[1]-count[0] > mostPlaces || x.Var.Space != kir.Private {
			return false
		}
		for n := count[0]; n < count[1]; n++ {
			at, err := kir.Eval(place, map[*kir.Var]types.Value{counter: {Type: types.Scalar(types.I32), Words: []types.Word{types.Int(n)}}})
			if err != nil || at.Words[0].Int() < 0 || at.Words[0].Int() >= int64(x.Var.Type.Dims[d]) {
				return false
			}
		}
	}
	return true
}

// counter is what a place depends on, with its numbers: one loop, or none, whose place is one number.
func (e *earlier) counter(place kir.Expr) (v *kir.Var, count [2]int64, known bool) {
	count, known = [2]int64{0, 1}, true
	kir.Walk(place, func(x kir.Expr) {
		r, ok := x.(*kir.Ref)
		if !ok {
			return
		}
		n, counted := e.counts[r.Var]
		known = known && counted && (v == nil || v == r.Var)
		v, count = r.Var, n
	})
	return v, count, known
}
