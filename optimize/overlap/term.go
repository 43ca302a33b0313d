package overlap

import (
	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// A window is a sum over the places around an instance, of terms that depend on the place and not on the instance that looks at it.
type window struct {
	of     *hast.Reduce
	lo, hi [2]int64  // distances of its first and last rows and columns
	term   hast.Expr // at the place (row, column) of the block
}

// tall and wide are the extents of a window.
func (w *window) tall() int { return int(w.hi[0]-w.lo[0]) + 1 }
func (w *window) wide() int { return int(w.hi[1]-w.lo[1]) + 1 }

// alike reports whether two windows are over the same places.
func (w *window) alike(x *window) bool { return w.lo == x.lo && w.hi == x.hi }

// fewest is how many places a window has that is worth sharing.
const fewest = 6

// windowOf takes a reduction apart; nil where it is no sum that instances share.
func (b *blocking) windowOf(e hast.Expr) *window {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Sum || r.Where != nil || r.Ways != 0 || !b.adds(r.T) || len(r.Space.Vars) != 2 || r.Space.Points != nil {
		return nil
	}
	for rows := range 2 {
		if w := b.over(r, rows); w != nil {
			return w
		}
	}
	return nil
}

// adds reports whether values of a type may be added in any order, or rows first.
func (b *blocking) adds(t types.Type) bool {
	return t.IsScalar() && (t.Kind.IsInt() && t.Kind.Bits() >= 32 || b.floats && t.Kind == types.F32)
}

// over is a window whose rows are counted by one of the variables of a sum; nil where it is none.
func (b *blocking) over(r *hast.Reduce, rows int) *window {
	w := &window{of: r}
	by := [2]*hast.Var{r.Space.Vars[rows], r.Space.Vars[1-rows]}
	for k, at := range [2]int{rows, 1 - rows} {
		g := r.Space.Ranges[at]
		lo, known := hast.Number(g.Lo)
		hi, too := hast.Number(g.Hi)
		if !known || !too || g.Step != 1 || hi <= lo {
			return nil
		}
		w.lo[k], w.hi[k] = lo, hi-1
	}
	if w.tall()*w.wide() < fewest || w.tall() == 1 && w.wide() == 1 {
		return nil
	}
	w.term = b.placed(r.Elem, by)
	if !b.ofPlace(w.term, by) {
		return nil
	}
	return w
}

// placed is a term with the place that it is at, in the variables of the block, in the place of an instance and the distance from it. What is left of these stays.
func (b *blocking) placed(e hast.Expr, by [2]*hast.Var) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if e.Type() != i32 {
			return nil
		}
		if x, ok := e.(*hast.Op); !ok || x.Op != ops.Add && x.Op != ops.Sub {
			return nil
		}
		terms, n := linear.Terms(e)
		found := false
		for k, v := range b.vars() {
			if i, j := plus(terms, v), plus(terms, by[k]); i >= 0 && j >= 0 {
				terms[i] = linear.Term{X: hast.RefTo(b.place[k])}
				terms, found = append(terms[:j:j], terms[j+1:]...), true
			}
		}
		if !found {
			return nil
		}
		for i, t := range terms {
			terms[i].X = b.placed(t.X, by)
		}
		return linear.Sum(terms, n)
	})
}

// plus is where a variable is added; -1 where it is not.
func plus(terms []linear.Term, v *hast.Var) int {
	for i, t := range terms {
		if !t.Minus && hast.IsVar(t.X, v) {
			return i
		}
	}
	return -1
}

// ofPlace reports whether a term is computed from its place, and from what is the same for all instances of a block.
func (b *blocking) ofPlace(e hast.Expr, by [2]*hast.Var) bool {
	places, ok := 0, true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			if e.Var == b.place[0] || e.Var == b.place[1] {
				places++
				return
			}
			ok = ok && e.Var != by[0] && e.Var != by[1] && b.same(e.Var)
		case *hast.Load:
			ok = ok && e.Image.Lower == nil
		case *hast.Window, *hast.Reduce, *hast.Call:
			ok = false
		}
	})
	return ok && places > 0
}

// same reports whether a variable has the same value for all instances of a block.
func (b *blocking) same(v *hast.Var) bool {
	return v.Class.OfHost() || b.uniform[v]
}

// sameFor reports whether an expression, which reads no pixels, has the same value for all instances of a block.
func (b *blocking) sameFor(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			ok = ok && b.same(e.Var)
		case *hast.Load, *hast.Window, *hast.Reduce:
			ok = false
		}
	})
	return ok
}

var i32 = types.Scalar(types.I32)
