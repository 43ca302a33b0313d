package block

import (
	"imgc/hast"
	"imgc/ops"
)

// A Linear is an integer Stride*Var + c, where c lies in Lo..Hi. Var is an iteration variable of the stage; nil where the value does
// not depend on one.
type Linear struct {
	Var    *hast.Var
	Stride int64
	Lo, Hi int64
}

// Single reports whether c is one number.
func (l Linear) Single() bool { return l.Lo == l.Hi }

// farthest bounds what takes part in a Linear, so that nothing wraps.
const farthest = 1 << 20

// A Scope knows the variables of a body: what range a variable of a loop has, and what a let stands for.
type Scope struct {
	Iterators []*hast.Var
	Range     func(v *hast.Var) (lo, hi int64, ok bool)
	Lets      map[*hast.Var]hast.Expr
}

// Linear takes an expression apart; false where it is not of that form.
func (s *Scope) Linear(e hast.Expr) (Linear, bool) {
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() {
			c := e.Words[0].Int()
			return Linear{Lo: c, Hi: c}.checked()
		}
	case *hast.Ref:
		return s.variable(e.Var)
	case *hast.Op:
		if len(e.Args) != 2 {
			return Linear{}, false
		}
		x, okX := s.Linear(e.Args[0])
		y, okY := s.Linear(e.Args[1])
		if okX && okY {
			return combine(e.Op, x, y)
		}
	}
	return Linear{}, false
}

func (s *Scope) variable(v *hast.Var) (Linear, bool) {
	for _, i := range s.Iterators {
		if i == v {
			return Linear{Var: v, Stride: 1}, true
		}
	}
	if lo, hi, ok := s.Range(v); ok {
		return Linear{Lo: lo, Hi: hi}.checked()
	}
	if e := s.Lets[v]; e != nil {
		return s.Linear(e)
	}
	return Linear{}, false
}

func combine(op ops.Op, x, y Linear) (Linear, bool) {
	switch op {
	case ops.Sub:
		y.Stride, y.Lo, y.Hi = -y.Stride, -y.Hi, -y.Lo
		fallthrough
	case ops.Add:
		if x.Var != nil && y.Var != nil && x.Var != y.Var {
			return Linear{}, false
		}
		if x.Var == nil {
			x.Var = y.Var
		}
		return Linear{x.Var, x.Stride + y.Stride, x.Lo + y.Lo, x.Hi + y.Hi}.checked()
	case ops.Mul:
		if x.Var == nil && x.Single() {
			x, y = y, x
		}
		if y.Var != nil || !y.Single() {
			return Linear{}, false
		}
		c := y.Lo
		return Linear{x.Var, c * x.Stride, min(c*x.Lo, c*x.Hi), max(c*x.Lo, c*x.Hi)}.checked()
	}
	return Linear{}, false
}

func (l Linear) checked() (Linear, bool) {
	if l.Stride == 0 {
		l.Var = nil
	}
	ok := l.Lo >= -farthest && l.Hi <= farthest && l.Stride >= -farthest && l.Stride <= farthest
	return l, ok
}
