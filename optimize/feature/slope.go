package feature

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/memo"
)

// A Slope is how far a place moves along an axis of an image from one instance to the next one along a coordinate.
type Slope struct {
	By    float64
	Known bool // else the host, or where the instance is, decides, and By is 0
}

// Slopes are those along x, the last variable of the stage, and along y, the one before.
type Slopes [2]Slope

// still are the slopes of what is the same for all instances.
var still = Slopes{{Known: true}, {Known: true}}

// Moves reports whether it is not the same for all instances along the coordinate.
func (s Slope) Moves() bool { return !s.Known || s.By != 0 }

// times is the slope of so many times what has this one.
func (s Slope) times(k float64) Slope {
	s.By *= k
	return s
}

// plus is that of a sum with what has another one.
func (s Slope) plus(t Slope) Slope { return Slope{s.By + t.By, s.Known && t.Known}.orUnknown() }

// with is that of something else that is computed from both: known where neither moves.
func (s Slope) with(t Slope) Slope { return Slope{Known: !s.Moves() && !t.Moves()} }

func (s Slope) orUnknown() Slope {
	if !s.Known {
		s.By = 0
	}
	return s
}

// each are slopes made of those of one or two operands, coordinate by coordinate.
func (s Slopes) each(t Slopes, f func(s, t Slope) Slope) Slopes {
	return Slopes{f(s[0], t[0]), f(s[1], t[1])}
}

// slopesOf are those of a value that follows the coordinates of the instance and values of the host alone.
func (w *walker) slopesOf(e hast.Expr) Slopes {
	return memo.Of(&w.slopes, e, func() Slopes {
		switch e := e.(type) {
		case *hast.Ref:
			return w.slopesOfVar(e.Var)
		case *hast.Convert:
			return w.slopesOf(e.X)
		case *hast.Op:
			if s, ok := w.slopesOfOp(e); ok {
				return s
			}
		}
		out := still
		hast.EachOperand(e, func(x hast.Expr) { out = out.each(w.slopesOf(x), Slope.with) })
		return out
	})
}

// slopesOfVar are those of a variable, as followsVar has it.
func (w *walker) slopesOfVar(v *hast.Var) Slopes {
	out := still
	switch dim := w.dimension(v); {
	case dim >= 0:
		out[dim].By = 1
	case v.Class == hast.Value && w.scope.Lets[v] != nil:
		return w.slopesOf(w.scope.Lets[v])
	}
	return out
}

// slopesOfOp are those of operators under which slopes stay known: sums, products with constants, and what rounds, or keeps within bounds that do not move.
func (w *walker) slopesOfOp(e *hast.Op) (out Slopes, ok bool) {
	args := make([]Slopes, len(e.Args))
	for i, x := range e.Args {
		args[i] = w.slopesOf(x)
	}
	by := func(k float64) Slopes { return args[0].each(still, func(s, _ Slope) Slope { return s.times(k) }) }
	switch e.Op {
	case ops.Add:
		return args[0].each(args[1], Slope.plus), true
	case ops.Sub:
		return args[0].each(args[1], func(s, t Slope) Slope { return s.plus(t.times(-1)) }), true
	case ops.Neg:
		return by(-1), true
	case ops.Floor, ops.Ceil, ops.Round, ops.Trunc:
		return args[0], true
	case ops.Min, ops.Max, ops.Clamp:
		bounds := still
		for _, s := range args[1:] {
			bounds = bounds.each(s, Slope.with)
		}
		return args[0], bounds == still
	case ops.Mul:
		if k, ok := scalarOf(e.Args[1]); ok {
			return by(k), true
		}
		if k, ok := scalarOf(e.Args[0]); ok {
			args[0] = args[1]
			return by(k), true
		}
	case ops.Div:
		if k, ok := scalarOf(e.Args[1]); ok && k != 0 && e.T.Kind.IsFloat() {
			return by(1 / k), true
		}
	}
	return out, false
}

// scalarOf is the value of a constant that is one number.
func scalarOf(e hast.Expr) (float64, bool) {
	c, ok := e.(*hast.Const)
	switch {
	case !ok || !c.T.IsScalar():
		return 0, false
	case c.T.Kind.IsFloat():
		return c.Words[0].Float(), true
	}
	return float64(c.Words[0].Int()), c.T.Kind.IsInt()
}
