package borders

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A condition is one under which pixels are read: all of some sums are at most 0.
type condition []terms

// conditionOf takes a condition, or its contrary, apart; nil where it is of another form.
func (b *bordering) conditionOf(cond hast.Expr, not bool) condition {
	value := b.values.value(cond)
	if value == nil || !value.Type().IsScalar() {
		return nil
	}
	return b.ranges.allOf(value, not)
}

// allOf is that of a value.
func (r *ranges) allOf(cond hast.Expr, not bool) condition {
	x, ok := cond.(*hast.Op)
	switch {
	case !ok:
		return nil
	case x.Op == ops.Not:
		return r.allOf(x.Args[0], !not)
	case x.Op == ops.LAnd && !not || x.Op == ops.LOr && not:
		one, two := r.allOf(x.Args[0], not), r.allOf(x.Args[1], not)
		if one == nil || two == nil {
			return nil
		}
		return slices.Concat(one, two)
	}
	if at := r.atMost0(cond, not); at != nil {
		return condition{*at}
	}
	return r.unsignedBelow(x, not)
}

// unsignedBelow is that of u32(i) < u32(n), which is i >= 0 && i < n in one, as C programmers have it.
func (r *ranges) unsignedBelow(x *hast.Op, not bool) condition {
	op := x.Op
	if not {
		op = contrary[op]
	}
	var i, n hast.Expr
	switch op {
	case ops.Lt:
		i, n = r.unsigned(x.Args[0]), r.unsigned(x.Args[1])
	case ops.Gt:
		n, i = r.unsigned(x.Args[0]), r.unsigned(x.Args[1])
	}
	if i == nil || n == nil {
		return nil
	}
	if at, _ := r.of(n); at.Lo < 0 {
		return nil
	}
	return condition{terms{}.minus(termsOf(i)), termsOf(i).minus(termsOf(n)).plus(1)}
}

// unsigned is the exact integer that has been made one without a sign; nil where there is none.
func (r *ranges) unsigned(e hast.Expr) hast.Expr {
	if c, ok := e.(*hast.Convert); ok && c.T == types.Scalar(types.U32) && c.How == hast.Wrap && r.exact(c.X) {
		return c.X
	}
	return nil
}

// atMost0 is a comparison of integers, or its contrary, as a sum that is at most 0 where it holds, and more where not; nil where it is none of integers that are exact.
func (r *ranges) atMost0(cond hast.Expr, not bool) *terms {
	x, ok := cond.(*hast.Op)
	if ok && x.Op == ops.Not {
		return r.atMost0(x.Args[0], !not)
	}
	if !ok || len(x.Args) != 2 || !r.exact(x.Args[0]) || !r.exact(x.Args[1]) {
		return nil
	}
	a, b, op := x.Args[0], x.Args[1], x.Op
	if not {
		op = contrary[op]
	}
	switch op {
	case ops.Gt, ops.Ge:
		a, b = b, a
	case ops.Eq:
		switch {
		case r.isLeast(a, b): // where it is equal it is at most that
		case r.isGreatest(a, b):
			a, b = b, a
		default:
			return nil
		}
	case ops.Lt, ops.Le:
	default:
		return nil
	}
	out := termsOf(a).minus(termsOf(b))
	if op == ops.Lt || op == ops.Gt {
		out.n++
	}
	return &out
}

// contrary are comparisons that hold where others do not.
var contrary = map[ops.Op]ops.Op{ops.Lt: ops.Ge, ops.Ge: ops.Lt, ops.Gt: ops.Le, ops.Le: ops.Gt, ops.Eq: ops.Ne, ops.Ne: ops.Eq}

// isLeast reports whether a number is the least that an integer may be.
func (r *ranges) isLeast(x, e hast.Expr) bool {
	at, _ := r.of(x)
	n, known := hast.Number(e)
	return known && n == at.Lo
}

// isGreatest reports whether an integer is the last value of a variable that counts up.
func (r *ranges) isGreatest(x, e hast.Expr) bool {
	v, ok := x.(*hast.Ref)
	return ok && r.ends[v.Var] != nil && same(r.ends[v.Var], e, 1)
}
