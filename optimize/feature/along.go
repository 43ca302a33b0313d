package feature

import (
	"imgc/hast"
	"imgc/optimize/memo"
)

// follows is which coordinate of the instance an expression depends on.
type follows int

const (
	followsNone  follows = iota // constants and values of the host
	followsX                    // the last variable of the stage
	followsY                    // the one before
	followsBoth                 // both of them
	followsOther                // others, or pixels
)

// alongOne counts an expression that follows one coordinate alone, of which a block has as many values as it has columns, or rows; false where it does not.
func (w *walker) alongOne(e hast.Expr) bool {
	if w.along || w.scope == nil || w.times != 1 {
		return false
	}
	f := w.followsOf(e)
	if f != followsX && f != followsY {
		return false
	}
	before := w.out.Ops
	w.along = true
	w.expr(e)
	w.along = false
	for p, n := range w.out.Ops {
		w.out.Along[f-followsX][p] += n - before[p]
	}
	return true
}

// followsOf finds out which coordinate an expression depends on.
func (w *walker) followsOf(e hast.Expr) follows {
	return memo.Of(&w.follows, e, func() (f follows) {
		switch e := e.(type) {
		case *hast.Ref:
			return w.followsVar(e.Var)
		case *hast.Load, *hast.Window, *hast.Reduce, *hast.Call:
			return followsOther
		}
		hast.EachOperand(e, func(x hast.Expr) {
			f = f.with(w.followsOf(x))
		})
		return f
	})
}

// with is what an expression of two depends on.
func (f follows) with(g follows) follows {
	switch {
	case f == g || g == followsNone:
		return f
	case f == followsNone:
		return g
	case f == followsOther || g == followsOther:
		return followsOther
	}
	return followsBoth
}

// followsVar is followsOf a variable.
func (w *walker) followsVar(v *hast.Var) follows {
	switch dim := w.dimension(v); {
	case dim >= 0:
		return followsX + follows(dim)
	case v.Class.OfHost():
		return followsNone
	case v.Class == hast.Value && w.scope.Lets[v] != nil:
		return w.followsOf(w.scope.Lets[v])
	}
	return followsOther
}
