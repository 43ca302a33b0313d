package hast

import "slices"

// WithoutUnread is a body without those of some variables that nothing reads any more, but for what is computed for others of them.
func WithoutUnread(list []Stmt, some map[*Var]bool) []Stmt {
	read := map[*Var]bool{}
	for n := -1; n != len(read); {
		n = len(read)
		noteReads(list, some, read)
	}
	return WithoutVars(list, func(v *Var) bool { return some[v] && !read[v] })
}

// noteReads notes the variables that are read by what is not for variables that nothing has been found to read.
func noteReads(list []Stmt, some, read map[*Var]bool) {
	note := func(e Expr) {
		Walk(e, func(e Expr) {
			if r, ok := e.(*Ref); ok {
				read[r.Var] = true
			}
		})
	}
	for _, s := range list {
		if onlyFor(s, func(v *Var) bool { return some[v] && !read[v] }) {
			continue
		}
		exprs, bodies := Parts(s)
		for _, e := range exprs {
			note(e)
		}
		for _, body := range bodies {
			noteReads(body, some, read)
		}
	}
}

// onlyFor reports whether a statement does nothing but to give variables values.
func onlyFor(s Stmt, vars func(*Var) bool) bool {
	more := func(s Stmt) bool { return !onlyFor(s, vars) }
	switch s := s.(type) {
	case *Define:
		return vars(s.Var)
	case *Set:
		return vars(s.Var)
	case *If:
		return len(s.Then)+len(s.Else) > 0 && !slices.ContainsFunc(s.Then, more) && !slices.ContainsFunc(s.Else, more)
	}
	return false
}

// WithoutVars is a list of statements without those that do nothing but to give some variables values.
func WithoutVars(list []Stmt, vars func(*Var) bool) (out []Stmt) {
	for _, s := range list {
		if !onlyFor(s, vars) {
			out = append(out, MapBodies(s, func(list []Stmt) []Stmt { return WithoutVars(list, vars) }))
		}
	}
	return out
}
