package evaluate

import (
	"slices"

	"imgc/hast"
)

// Closed reports whether an expression is computed with constants and known variables alone, so that Over can compute it.
func Closed(x hast.Expr, known func(*hast.Var) bool) bool {
	switch x := x.(type) {
	case *hast.Ref:
		return known(x.Var)
	case *hast.Load, *hast.Window:
		return false
	case *hast.Call:
		if x.Func.Extern != nil {
			return false // what it computes is known to a device
		}
	case *hast.Reduce:
		return closedReduce(x, known)
	}
	closed := true
	hast.EachOperand(x, func(o hast.Expr) { closed = closed && Closed(o, known) })
	return closed
}

// closedReduce is Closed of a reduction, whose variables are known in it. Those that keep several partial results are left to who computes them.
func closedReduce(x *hast.Reduce, known func(*hast.Var) bool) bool {
	if x.Ways != 0 {
		return false
	}
	inside := func(v *hast.Var) bool { return slices.Contains(x.Space.Vars, v) || known(v) }
	closed := true
	hast.EachOperand(x, func(o hast.Expr) { closed = closed && Closed(o, inside) })
	return closed && (x.Func == nil || x.Func.Extern == nil)
}
