package lower

import (
	"slices"

	"imgc/kir"
)

// called are the funcs that kernels need, and those of other files. Others would be text that compilers warn of: a func of the program may
// be carried out without a call, as updates by components are.
func called(p *kir.Program) []*kir.Func {
	need := map[*kir.Func]bool{}
	mark := func(body []kir.Stmt) {
		kir.WalkStmts(body, func(s kir.Stmt) {
			if c, ok := s.(*kir.CallInto); ok {
				need[c.Func] = true
			}
		}, func(e kir.Expr) {
			if c, ok := e.(*kir.Call); ok {
				need[c.Func] = true
			}
		})
	}
	for _, k := range p.Kernels {
		mark(k.Body)
	}
	for _, f := range slices.Backward(p.Funcs) { // callees stand first
		if need[f] {
			mark(f.Body)
		}
	}
	return slices.DeleteFunc(p.Funcs, func(f *kir.Func) bool { return !need[f] && f.Foreign == nil })
}
