package borders

import (
	"slices"

	"imgc/hast"
)

// withoutUnread is a body without those of some variables that nothing reads any more, but for what is computed for others of them.
func withoutUnread(list []hast.Stmt, some map[*hast.Var]bool) []hast.Stmt {
	read := map[*hast.Var]bool{}
	for n := -1; n != len(read); {
		n = len(read)
		noteReads(list, some, read)
	}
	return drop(list, func(v *hast.Var) bool { return some[v] && !read[v] })
}

// noteReads notes the variables that are read by what is not for variables that nothing has been found to read.
func noteReads(list []hast.Stmt, some, read map[*hast.Var]bool) {
	note := func(e hast.Expr) {
		hast.Walk(e, func(e hast.Expr) {
			if r, ok := e.(*hast.Ref); ok {
				read[r.Var] = true
			}
		})
	}
	for _, s := range list {
		if onlyFor(s, func(v *hast.Var) bool { return some[v] && !read[v] }) {
			continue
		}
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			note(e)
		}
		for _, body := range bodies {
			noteReads(body, some, read)
		}
	}
}

// onlyFor reports whether a statement does nothing but to give variables values.
func onlyFor(s hast.Stmt, vars func(*hast.Var) bool) bool {
	more := func(s hast.Stmt) bool { return !onlyFor(s, vars) }
	switch s := s.(type) {
	case *hast.Define:
		return vars(s.Var)
	case *hast.Set:
		return vars(s.Var)
	case *hast.If:
		return len(s.Then)+len(s.Else) > 0 && !slices.ContainsFunc(s.Then, more) && !slices.ContainsFunc(s.Else, more)
	}
	return false
}

// drop is a list of statements without those that do nothing but to give variables values.
func drop(list []hast.Stmt, vars func(*hast.Var) bool) (out []hast.Stmt) {
	for _, s := range list {
		if !onlyFor(s, vars) {
			out = append(out, hast.MapBodies(s, func(list []hast.Stmt) []hast.Stmt { return drop(list, vars) }))
		}
	}
	return out
}
