package accumulate

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// reductions are those that statements accumulate by.
var reductions = map[ops.Op]hast.ReduceOp{ops.Add: hast.Sum, ops.Min: hast.Min, ops.Max: hast.Max}

// Of is what a statement adds to the variable that it changes, or has it be the least or the greatest of; nil where it does anything else. Sums are of kinds that need no
// conversion, so that they are those of a reduction.
func Of(s *hast.Set) (by hast.ReduceOp, term hast.Expr) {
	x, ok := s.Value.(*hast.Op)
	if !ok || len(s.Index) > 0 || !s.Var.Type.IsScalar() && !s.Var.Type.IsVector() || x.T != s.Var.Type {
		return 0, nil
	}
	by, known := reductions[x.Op]
	if !known || by == hast.Sum && types.Promote(x.T.Kind) != x.T.Kind {
		return 0, nil
	}
	for i, a := range x.Args {
		if hast.IsVar(a, s.Var) && x.Args[1-i].Type() == x.T {
			return by, x.Args[1-i]
		}
	}
	return 0, nil
}

// Summand is what a statement adds to the variable that it changes; nil where it does anything else.
func Summand(s *hast.Set) hast.Expr {
	if by, x := Of(s); by == hast.Sum {
		return x
	}
	return nil
}

// Nest is the space and the body of a loop, with those of a loop that is all that is in it.
func Nest(loop *hast.For) (hast.Space, []hast.Stmt) {
	space, body := loop.Space, loop.Body
	for len(body) == 1 {
		inner, ok := body[0].(*hast.For)
		if !ok || space.Points != nil || inner.Space.Points != nil || slices.ContainsFunc(inner.Space.Ranges, func(r hast.Range) bool {
			return hast.Names(r.Lo, space.Vars) || hast.Names(r.Hi, space.Vars)
		}) {
			break
		}
		space = hast.Space{Vars: slices.Concat(space.Vars, inner.Space.Vars), Ranges: slices.Concat(space.Ranges, inner.Space.Ranges)}
		body = inner.Body
	}
	return space, body
}

// DefinedAs0 is where a list defines a variable as 0; -1 where it does not.
func DefinedAs0(list []hast.Stmt, v *hast.Var) int {
	return slices.IndexFunc(list, func(s hast.Stmt) bool {
		d, ok := s.(*hast.Define)
		return ok && d.Var == v && IsZero(d.Init)
	})
}

// IsZero reports whether a value is the one that sums begin with.
func IsZero(e hast.Expr) bool {
	if s, ok := e.(*hast.Splat); ok {
		e = s.X
	}
	c, ok := e.(*hast.Const)
	return e == nil || ok && !slices.ContainsFunc(c.Words, func(w types.Word) bool { return w != 0 })
}

// Changes is how often the statements of a list change a variable, or read it before they first do.
func Changes(list []hast.Stmt, v *hast.Var) (n int) {
	hast.WalkBody(list, func(s hast.Stmt) {
		if s, ok := s.(*hast.Set); ok && s.Var == v {
			n++
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok && r.Var == v && n == 0 {
			n = 2
		}
	})
	return n
}
