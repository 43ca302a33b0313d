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
