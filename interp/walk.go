package interp

import "imgc/hast"

// nodes is how much code an expression makes, roughly.
func nodes(e hast.Expr) int {
	n := 1
	if w, ok := e.(*hast.Window); ok {
		n = w.T.Words()
	}
	for _, x := range children(e) {
		n += nodes(x)
	}
	return n
}

// children lists the expressions that e is made of; those of a border rule, which are constants, are left out.
func children(e hast.Expr) []hast.Expr {
	switch e := e.(type) {
	case *hast.Op:
		return e.Args
	case *hast.Convert:
		return []hast.Expr{e.X}
	case *hast.Splat:
		return []hast.Expr{e.X}
	case *hast.Select:
		return []hast.Expr{e.Cond, e.Then, e.Else}
	case *hast.Vec:
		return e.Parts
	case *hast.Swizzle:
		return []hast.Expr{e.X}
	case *hast.Array:
		return e.Elems
	case *hast.Elem:
		return append([]hast.Expr{e.X}, e.Index...)
	case *hast.Transpose:
		return []hast.Expr{e.X}
	case *hast.MatMul:
		return []hast.Expr{e.X, e.Y}
	case *hast.Reshape:
		return []hast.Expr{e.X}
	case *hast.Call:
		return e.Args
	}
	return otherChildren(e)
}

func otherChildren(e hast.Expr) (list []hast.Expr) {
	switch e := e.(type) {
	case *hast.Load:
		for _, coord := range e.Index {
			list = append(list, coord.X)
		}
	case *hast.Window:
		for _, ax := range e.Axes {
			list = append(list, ax.Start.X)
		}
	case *hast.Reduce:
		for _, r := range e.Space.Ranges {
			list = append(list, r.Lo, r.Hi)
		}
		for _, x := range []hast.Expr{e.Where, e.Elem, e.Init} {
			if x != nil {
				list = append(list, x)
			}
		}
	}
	return list
}
