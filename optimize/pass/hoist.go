package pass

import "imgc/kir"

// hoist moves declarations of values that never change before a condition where both of its branches start with them. Values that
// read memory stay where they are: only there may their place be inside.
func hoist(body []kir.Stmt) []kir.Stmt {
	return stmts(body, func(s kir.Stmt) []kir.Stmt {
		branch, ok := s.(*kir.If)
		if !ok {
			return []kir.Stmt{s}
		}
		var out []kir.Stmt
		for len(branch.Then) > 0 && len(branch.Else) > 0 {
			x, y := constDecl(branch.Then[0]), constDecl(branch.Else[0])
			if x == nil || y == nil || x.Var.Type != y.Var.Type || kir.ExprText(x.Init) != kir.ExprText(y.Init) || !same(x.Init, y.Init) {
				break
			}
			out = append(out, x)
			branch.Then = branch.Then[1:]
			branch.Else = replaced(branch.Else[1:], y.Var, x.Var)
		}
		return append(out, s)
	})
}

// constDecl is the declaration of a value that only depends on other values; nil where the statement is none.
func constDecl(s kir.Stmt) *kir.Decl {
	d, ok := s.(*kir.Decl)
	if !ok || d.Init == nil || !d.Var.Const || d.Var.Space != kir.Private || d.Var.Type.IsArray() {
		return nil
	}
	pure := true
	kir.Walk(d.Init, func(e kir.Expr) {
		switch e := e.(type) {
		case *kir.Ref:
			pure = pure && e.Var.Const
		case *kir.Const, *kir.Op, *kir.Convert, *kir.Select, *kir.Vec, *kir.Lanes, *kir.GlobalID, *kir.LocalID, *kir.GroupID:
		default:
			pure = false
		}
	})
	if !pure {
		return nil
	}
	return d
}

// same reports whether two expressions that read alike are of the same variables.
func same(x, y kir.Expr) bool {
	if kir.ValueOf(x) != kir.ValueOf(y) {
		return false
	}
	a, b := kir.Operands(x), kir.Operands(y)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// replaced is a body with one variable read in the place of another.
func replaced(body []kir.Stmt, old, by *kir.Var) []kir.Stmt {
	return exprs(body, func(e kir.Expr) kir.Expr {
		if r, ok := e.(*kir.Ref); ok && r.Var == old {
			return &kir.Ref{Typed: r.Typed, Var: by}
		}
		return e
	})
}
