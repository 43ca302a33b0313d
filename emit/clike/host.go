package clike

import (
	"imgc/emit/ctree"
	"imgc/kir"
)

// HostExpr translates a host expression; name gives the C expression of each host variable. Lowering has marked what cannot
// leave 64 bits as exact; all else is written with the dialect's general spelling, a checked or saturating function.
func (u *Unit) HostExpr(e kir.Expr, name func(v *kir.Var) ctree.Expr) ctree.Expr {
	s := &scope{Unit: u, names: u.names, host: name}
	return s.typed(e)
}

// HostText is a host expression for a reader's eye: with plain operators and without the widening that lowering adds.
func (u *Unit) HostText(e kir.Expr, name func(v *kir.Var) ctree.Expr) ctree.Expr {
	plain := *u.Dialect
	plain.Suffix = nil
	s := &scope{Unit: NewUnit(&plain), names: u.names, host: name}
	return s.expr(asWritten(e)).X
}

func asWritten(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Convert:
		if e.Exact {
			return asWritten(e.X)
		}
	case *kir.Op:
		plain := *e
		plain.Exact = true
		plain.Args = make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			plain.Args[i] = asWritten(a)
		}
		return &plain
	}
	return e
}
