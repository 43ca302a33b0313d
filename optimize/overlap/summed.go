package overlap

import (
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
)

// summed is a list of statements in which loops that do nothing but to add up what instances share are sums. Others stay loops, in which what is added may take long and is computed once for
// all that it is added to.
func (b *blocking) summed(list []hast.Stmt) []hast.Stmt {
	for i := range list {
		if next := b.sumsOf(list, i); next != nil {
			return b.summed(next)
		}
	}
	return list
}

// sumsOf is the list with sums in the place of the loop at i; nil where that is none.
func (b *blocking) sumsOf(list []hast.Stmt, i int) []hast.Stmt {
	loop, ok := list[i].(*hast.For)
	if !ok {
		return nil
	}
	space, body := accumulate.Nest(loop)
	sums := added(space, body)
	if len(sums) == 0 {
		return nil
	}
	out := slices.Clone(list[:i])
	by := map[*hast.Var]hast.Expr{}
	for v, r := range sums {
		at := accumulate.DefinedAs0(list[:i], v)
		if at < 0 || accumulate.Changes(list, v) != 1 || b.windowOf(r) == nil {
			return nil
		}
		own := *v
		own.Class = hast.Value
		by[v] = hast.RefTo(&own)
		out[at] = &hast.Define{Var: &own, Init: r, At: loop.At}
	}
	now := func(e hast.Expr) hast.Expr { return hast.Replaced(e, by) }
	return append(out, hast.MapStmts(list[i+1:], now)...)
}

// added are the sums that a loop makes of variables; none where it does anything else.
func added(space hast.Space, body []hast.Stmt) map[*hast.Var]*hast.Reduce {
	lets, sums := map[*hast.Var]hast.Expr{}, map[*hast.Var]*hast.Reduce{}
	for _, s := range body {
		switch s := s.(type) {
		case *hast.Define:
			if s.Var.Class != hast.Value || s.Init == nil || s.Var.Type.IsArray() {
				return nil
			}
			lets[s.Var] = hast.Replaced(s.Init, lets)
		case *hast.Set:
			op, term := accumulate.Of(s)
			if term == nil || op != hast.Sum || sums[s.Var] != nil {
				return nil
			}
			sums[s.Var] = &hast.Reduce{Typed: hast.Typed{T: s.Var.Type, At: s.At}, Op: hast.Sum, Space: space, Elem: hast.Replaced(term, lets)}
		default:
			return nil
		}
	}
	return sums
}
