package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// An extractor takes reductions out of the expressions of a statement that are the same wherever they stand: each becomes a let before it. Of sum(exp(src[j][y][x] - max(src[k][y][x] for k in 0:8))
// for j in 0:8) the maximum is computed once, and not for each j.
type extractor struct {
	takes func(r *hast.Reduce, inside []*hast.Var) bool // whether a reduction that stands in others, with some variables, is one
	lets  []hast.Stmt
	of    []*hast.Reduce // of each let
}

// invariant is a list of statements without reductions in others that are the same at all points of these.
func invariant(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		x := &extractor{takes: func(r *hast.Reduce, inside []*hast.Var) bool { return len(inside) > 0 && !hast.Names(r, inside) }}
		s = x.statement(hast.MapBodies(s, invariant))
		out = append(append(out, x.lets...), s)
	}
	return out
}

// statement is one with references to lets in the place of what is taken out of it.
func (x *extractor) statement(s hast.Stmt) hast.Stmt {
	switch s.(type) {
	case *hast.Define, *hast.Set, *hast.Store:
	default:
		return s
	}
	before := len(x.lets)
	taken := hast.MapStmts([]hast.Stmt{s}, func(e hast.Expr) hast.Expr { return x.expr(e, nil) })
	if len(x.lets) == before {
		return s
	}
	return hast.MapStmts(taken, func(e hast.Expr) hast.Expr { return hast.Map(e, x.known) })[0]
}

// expr is an expression that is always computed, in reductions with some variables.
func (x *extractor) expr(e hast.Expr, inside []*hast.Var) hast.Expr {
	return hast.MapCertain(e, func(e hast.Expr) hast.Expr {
		r, ok := e.(*hast.Reduce)
		switch {
		case !ok:
			return nil
		case !r.T.IsArray() && x.takes(r, inside):
			return x.let(r)
		}
		n, known := block.Count(r.Space, most)
		if !known || n == 0 || r.Where != nil {
			return e
		}
		out := *r
		out.Elem = x.expr(r.Elem, append(slices.Clip(inside), r.Space.Vars...))
		if out.Elem == r.Elem {
			return e
		}
		return &out
	})
}

// let is a reference to the let of a reduction, which is there once.
func (x *extractor) let(r *hast.Reduce) hast.Expr {
	if e := x.known(r); e != nil {
		return e
	}
	v := &hast.Var{Name: r.Op.String(), Type: r.T, Class: hast.Value, At: r.At}
	x.lets, x.of = append(x.lets, &hast.Define{Var: v, Init: r, At: r.At}), append(x.of, r)
	return hast.RefTo(v)
}

// known is a reference to the let that an expression is the value of; nil where there is none.
func (x *extractor) known(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok {
		return nil
	}
	if i := slices.IndexFunc(x.of, func(of *hast.Reduce) bool { return sameReduction(of, r) }); i >= 0 {
		return hast.RefTo(x.lets[i].(*hast.Define).Var)
	}
	return nil
}

// sameReduction reports whether two reductions are over the same points of the same, each with variables of its own.
func sameReduction(x, y *hast.Reduce) bool {
	if x == y {
		return true
	}
	if x.Op != y.Op || x.T != y.T || x.Ways != y.Ways || x.Where != nil || y.Where != nil || x.Init != nil || y.Init != nil || x.Func != y.Func {
		return false
	}
	a, b := x.Space, y.Space
	if len(a.Vars) != len(b.Vars) || !slices.EqualFunc(a.Points, b.Points, func(p, q []int64) bool { return slices.Equal(p, q) }) {
		return false
	}
	if !slices.EqualFunc(a.Ranges, b.Ranges, func(r, s hast.Range) bool {
		return hast.Equal(r.Lo, s.Lo) && hast.Equal(r.Hi, s.Hi) && r.Step == s.Step
	}) {
		return false
	}
	return hast.Equal(x.Elem, hast.Map(y.Elem, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok {
			if k := slices.Index(b.Vars, r.Var); k >= 0 {
				return hast.RefTo(a.Vars[k])
			}
		}
		return nil
	}))
}
