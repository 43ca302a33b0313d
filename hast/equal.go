package hast

import "slices"

// Equal is true where two expressions are the same computation of the same variables and pixels. It may be false of expressions
// that are equal for another reason: H + W and W + H.
func Equal(x, y Expr) bool {
	if x.Type() != y.Type() {
		return false
	}
	switch x := x.(type) {
	case *Const:
		y, ok := y.(*Const)
		return ok && slices.Equal(x.Words, y.Words)
	case *Ref:
		y, ok := y.(*Ref)
		return ok && x.Var == y.Var
	case *Op:
		y, ok := y.(*Op)
		return ok && x.Op == y.Op && slices.EqualFunc(x.Args, y.Args, Equal)
	case *Convert:
		y, ok := y.(*Convert)
		return ok && x.How == y.How && Equal(x.X, y.X)
	case *Splat:
		y, ok := y.(*Splat)
		return ok && Equal(x.X, y.X)
	case *Select:
		y, ok := y.(*Select)
		return ok && Equal(x.Cond, y.Cond) && Equal(x.Then, y.Then) && Equal(x.Else, y.Else)
	case *Swizzle:
		y, ok := y.(*Swizzle)
		return ok && slices.Equal(x.Lanes, y.Lanes) && Equal(x.X, y.X)
	case *Load:
		y, ok := y.(*Load)
		return ok && x.Image == y.Image && x.Rule == y.Rule && slices.EqualFunc(x.Index, y.Index, func(a, b Coord) bool { return Equal(a.X, b.X) })
	}
	return false
}
