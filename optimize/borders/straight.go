package borders

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Conditions of a loop are brought to where pixels are read.

// straight is a list of statements in a loop in which what is done under conditions is done under one that stands right around it: of if (c) continue; rest it is if (!c) rest, and of
// if (c) for (...) rest it is for (...) if (c) rest. Last says that the round ends behind the list.
func straight(list []hast.Stmt, last bool) (out []hast.Stmt, changed bool) {
	for i, s := range list {
		switch x := s.(type) {
		case *hast.If:
			if last && skips(x) {
				rest, _ := straight(list[i+1:], true)
				not := &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool), At: x.At}, Op: ops.Not, Args: []hast.Expr{x.Cond}}
				rest, _ = guarded(not, rest, x)
				return append(out, rest...), true
			}
			if len(x.Else) == 0 {
				then, inner := straight(x.Then, last && i == len(list)-1)
				then, moved := guarded(x.Cond, then, x)
				out, changed = append(out, then...), changed || inner || moved
				continue
			}
		case *hast.For:
			body, inner := straight(x.Body, true)
			out, changed = append(out, &hast.For{Space: x.Space, Body: body, At: x.At}), changed || inner
			continue
		}
		out = append(out, s)
	}
	return out, changed
}

// skips reports whether a statement ends a round of a loop under a condition, and does nothing else.
func skips(s *hast.If) bool {
	if len(s.Then) != 1 || len(s.Else) > 0 {
		return false
	}
	_, ok := s.Then[0].(*hast.Continue)
	return ok
}

// guarded is a list of statements under a condition, which goes past lets without pixels into the loop or the condition that is all there is else.
func guarded(cond hast.Expr, list []hast.Stmt, at *hast.If) (out []hast.Stmt, moved bool) {
	if n := len(list) - 1; n >= 0 && !slices.ContainsFunc(list[:n], func(s hast.Stmt) bool { return !isFree(s) }) {
		switch x := list[n].(type) {
		case *hast.For:
			body, _ := guarded(cond, x.Body, at)
			return append(slices.Clone(list[:n]), &hast.For{Space: x.Space, Body: body, At: x.At}), true
		case *hast.If:
			if len(x.Else) == 0 {
				then, _ := guarded(hast.And(cond, x.Cond), x.Then, at)
				return append(slices.Clone(list[:n]), then...), true
			}
		}
	}
	return []hast.Stmt{&hast.If{Cond: cond, Then: list, At: at.At}}, false
}

// isFree reports whether a statement is a let that can be computed everywhere: it reads no pixels, nor elements that may be in range under a condition alone.
func isFree(s hast.Stmt) bool {
	d, ok := s.(*hast.Define)
	if !ok || d.Var.Class != hast.Value || d.Init == nil || !hast.Fixed(d.Init) {
		return false
	}
	free := true
	hast.Walk(d.Init, func(e hast.Expr) {
		_, element := e.(*hast.Elem)
		free = free && !element
	})
	return free
}

// hasConditions reports whether there are conditions among statements.
func hasConditions(list []hast.Stmt) (found bool) {
	hast.WalkBody(list, func(s hast.Stmt) {
		_, ok := s.(*hast.If)
		found = found || ok
	}, nil)
	return found
}
