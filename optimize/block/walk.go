package block

import "imgc/hast"

func some(list ...hast.Expr) (out []hast.Expr) {
	for _, e := range list {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

func bounds(s hast.Space) (out []hast.Expr) {
	for _, r := range s.Ranges {
		out = append(out, r.Lo, r.Hi)
	}
	return out
}

// exprs lists the expressions directly in a statement.
func exprs(s hast.Stmt) []hast.Expr {
	switch s := s.(type) {
	case *hast.Define:
		return some(s.Init)
	case *hast.Set:
		return append(some(s.Value), s.Index...)
	case *hast.Store:
		return append(some(s.Value), s.Index...)
	case *hast.If:
		return some(s.Cond)
	case *hast.While:
		return some(s.Cond)
	case *hast.Return:
		return some(s.Value)
	case *hast.For:
		return bounds(s.Space)
	}
	return nil
}

// bodies lists the statement lists inside a statement.
func bodies(s hast.Stmt) [][]hast.Stmt {
	switch s := s.(type) {
	case *hast.If:
		return [][]hast.Stmt{s.Then, s.Else}
	case *hast.For:
		return [][]hast.Stmt{s.Body}
	case *hast.While:
		return [][]hast.Stmt{s.Body}
	}
	return nil
}
