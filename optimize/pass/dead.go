package pass

import (
	"maps"
	"slices"

	"imgc/kir"
)

// dead removes the variables that a body declares and nothing reads, with what assigns them, until there are none. Expressions have
// no effect, so that nothing else goes with them.
func dead(body []kir.Stmt) []kir.Stmt {
	for {
		used := needed(body)
		removed := false
		body = stmts(body, func(s kir.Stmt) []kir.Stmt {
			if useless(s, used) {
				removed = true
				return nil
			}
			return []kir.Stmt{s}
		})
		if !removed {
			return body
		}
	}
}

// needed are the variables whose values something uses, and all that are declared elsewhere. What items leave in local memory for each other is not where none looks.
func needed(body []kir.Stmt) func(v *kir.Var) bool {
	read, declared := kir.ReadVars(body), map[*kir.Var]bool{}
	kir.WalkStmts(body, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok {
			declared[d.Var] = d.Var.Space == kir.Private || d.Var.Space == kir.Local
		}
	}, func(kir.Expr) {})
	return func(v *kir.Var) bool { return read[v] || !declared[v] }
}

func useless(s kir.Stmt, needed func(v *kir.Var) bool) bool {
	switch s := s.(type) {
	case *kir.Decl:
		return !needed(s.Var)
	case *kir.Assign:
		return !needed(s.Var)
	case *kir.LoadRun:
		return !needed(s.Var)
	case *kir.Store:
		return !needed(s.Buffer)
	case *kir.If:
		return len(s.Then) == 0 && len(s.Else) == 0
	case *kir.For:
		return len(s.Body) == 0
	}
	return false
}

// uncalled takes out the funcs that no kernel calls, not by way of others either, and the tables that nothing reads: compilers of kernels
// warn of them.
func uncalled(p *kir.Program) {
	called := map[*kir.Func]bool{}
	read := map[*kir.Var]bool{}
	var look func(body []kir.Stmt)
	call := func(f *kir.Func) {
		if !called[f] {
			called[f] = true
			look(f.Body)
		}
	}
	look = func(body []kir.Stmt) {
		kir.WalkStmts(body, func(s kir.Stmt) {
			if s, ok := s.(*kir.CallInto); ok {
				call(s.Func)
			}
		}, func(e kir.Expr) {
			if e, ok := e.(*kir.Call); ok {
				call(e.Func)
			}
		})
		maps.Copy(read, kir.Uses(body))
	}
	for _, k := range p.Kernels {
		look(k.Body)
	}
	p.Funcs = slices.DeleteFunc(p.Funcs, func(f *kir.Func) bool { return !called[f] })
	p.Tables = slices.DeleteFunc(p.Tables, func(t *kir.Table) bool { return !read[t.Var] })
}
