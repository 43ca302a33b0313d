package pass

import "imgc/kir"

// spread marks the tables of which the work-items of a group may read different elements at a time.
func spread(p *kir.Program) {
	tables := map[*kir.Var]*kir.Table{}
	for _, t := range p.Tables {
		tables[t.Var] = t
	}
	if len(tables) == 0 {
		return
	}
	differs := differing(p)
	for _, body := range bodies(p) {
		kir.WalkStmts(body, nil, func(e kir.Expr) {
			if e, ok := e.(*kir.Elem); ok && tables[e.Var] != nil && differs.any(e.Index) {
				tables[e.Var].Spread = true
			}
		})
	}
}

// bodies are those of all kernels and funcs.
func bodies(p *kir.Program) [][]kir.Stmt {
	var all [][]kir.Stmt
	for _, k := range p.Kernels {
		all = append(all, k.Body)
	}
	for _, f := range p.Funcs {
		all = append(all, f.Body)
	}
	return all
}

// unlike are the private variables whose values may differ between the work-items of a group that are at the same statement. Which of
// them leave a loop early is not looked at.
type unlike map[*kir.Var]bool

// differing finds those of a program.
func differing(p *kir.Program) unlike {
	u := unlike{}
	for before := -1; before < len(u); {
		before = len(u)
		for _, body := range bodies(p) {
			u.stmts(body, false)
		}
	}
	return u
}

// stmts adds the variables that statements make differ, some being whether a condition that differs decides who runs them.
func (u unlike) stmts(list []kir.Stmt, some bool) {
	for _, s := range list {
		u.args(s)
		if v := assigned(s); v != nil && v.Space == kir.Private && (some && !declares(s) || u.any(kir.Exprs(s))) {
			u[v] = true
		}
		within := some
		switch s := s.(type) {
		case *kir.If:
			within = some || u.expr(s.Cond)
		case *kir.While:
			within = some || u.expr(s.Cond)
		case *kir.For: // those that are in a round are in the same one, if they begin together
			if u.expr(s.Lo) {
				u[s.Var] = true
			}
			within = some || u.expr(s.Lo) || u.expr(s.Hi)
		}
		for _, b := range kir.Bodies(s) {
			u.stmts(b, within)
		}
	}
}

// declares reports whether a variable begins with a statement, so that nobody has an older value of it.
func declares(s kir.Stmt) bool {
	_, ok := s.(*kir.Decl)
	return ok
}

// assigned is the private variable whose value a statement decides, nil where there is none.
func assigned(s kir.Stmt) *kir.Var {
	switch s := s.(type) {
	case *kir.CallInto:
		return s.Out
	case *kir.MatrixSum:
		return s.Acc
	}
	return kir.Written(s)
}

// args hands on to the parameters of funcs what differs of arguments.
func (u unlike) args(s kir.Stmt) {
	hand := func(f *kir.Func, args []kir.Expr) {
		for i, x := range args {
			if v := f.Params[i]; v.Space == kir.Private && u.expr(x) {
				u[v] = true
			}
		}
	}
	if c, ok := s.(*kir.CallInto); ok {
		hand(c.Func, c.Args)
	}
	for _, e := range kir.Exprs(s) {
		kir.Walk(e, func(e kir.Expr) {
			if c, ok := e.(*kir.Call); ok {
				hand(c.Func, c.Args)
			}
		})
	}
}

func (u unlike) any(list []kir.Expr) bool {
	for _, e := range list {
		if u.expr(e) {
			return true
		}
	}
	return false
}

// expr reports whether the value of an expression may differ.
func (u unlike) expr(e kir.Expr) (differs bool) {
	kir.Walk(e, func(e kir.Expr) {
		switch e := e.(type) {
		case *kir.GlobalID, *kir.LocalID, *kir.Shuffle:
			differs = true
		case *kir.Ref:
			differs = differs || u[e.Var]
		case *kir.Elem:
			differs = differs || u[e.Var]
		case *kir.Load:
			differs = differs || u[e.Buffer]
		case *kir.FourBytes:
			differs = differs || u[e.Var]
		}
	})
	return differs
}
