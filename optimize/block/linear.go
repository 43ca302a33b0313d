package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// A Linear is an integer Stride*Var + c, where c lies in Lo..Hi; with a Div, the floor of that divided by Div. Var is an iteration
// variable of the stage; nil where the value does not depend on one.
type Linear struct {
	Var    *hast.Var
	Stride int64
	Lo, Hi int64
	Div    int64 // 0 of what is not divided
}

// Single reports whether c is one number.
func (l Linear) Single() bool { return l.Lo == l.Hi }

// besides reports whether two values differ, whatever the variable of either is: by less than from one value of it to the next.
func (l Linear) besides(m Linear) bool {
	apart := max(l.Lo-m.Lo, m.Lo-l.Lo)
	return l.Single() && m.Single() && l.Var == m.Var && l.Stride == m.Stride && l.Div+m.Div == 0 && apart > 0 && (l.Var == nil || apart < l.Stride)
}

// farthest bounds what takes part in a Linear, so that nothing wraps.
const farthest = 1 << 20

// A Scope knows the variables of a body: what range a variable of a loop has, and what a let stands for.
type Scope struct {
	Iterators []*hast.Var
	Range     func(v *hast.Var) (lo, hi int64, ok bool)
	Lets      map[*hast.Var]hast.Expr
	// Divided are the variables from 0 on that may be divided: blocks start at multiples of their extents.
	Divided []*hast.Var
	// Planes are variables of loops that count planes, which all instances of a block take together (Stage.Legs).
	Planes []*hast.Var
	// Near are the least numbers that variables have to be below for what is said of coordinates to hold (hast.Near); of those without one it holds of all instances.
	Near map[*hast.Var]int64
}

// overPlanes reports whether a space is that of a loop over planes.
func (s *Scope) overPlanes(of hast.Space) bool {
	return len(of.Vars) == 1 && slices.Contains(s.Planes, of.Vars[0])
}

// ScopeOf is that of a stage's body before anything of it is known.
func ScopeOf(s *hast.Stage) *Scope {
	none := func(*hast.Var) (int64, int64, bool) { return 0, 0, false }
	return &Scope{Iterators: s.Space.Vars, Lets: map[*hast.Var]hast.Expr{}, Range: none, Divided: Counting(s)}
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
	case *hast.Select:
		return s.near(e)
	case *hast.Op:
		if len(e.Args) != 2 {
			return Linear{}, false
		}
		x, ok := s.Linear(e.Args[0])
		if !ok { // and so without the second, as in phasesOfOp
			return Linear{}, false
		}
		y, ok := s.Linear(e.Args[1])
		if !ok {
			return Linear{}, false
		}
		if e.Op == ops.Div || e.Op == ops.FloorDiv || e.Op == ops.Shr {
			return s.divide(e.Op, x, y)
		}
		return combine(e.Op, x, y)
	}
	return Linear{}, false
}

func (s *Scope) variable(v *hast.Var) (Linear, bool) {
	for _, i := range s.Iterators {
		if i == v {
			return Linear{Var: v, Stride: 1}, true
		}
	}
	if slices.Contains(s.Planes, v) {
		return Linear{Var: v, Stride: 1}, true
	}
	if lo, hi, ok := s.Range(v); ok {
		return Linear{Lo: lo, Hi: hi}.checked()
	}
	if e := s.Lets[v]; e != nil {
		return s.Linear(e)
	}
	return Linear{}, false
}

// near is a choice where instances are near.
func (s *Scope) near(e *hast.Select) (Linear, bool) {
	v, below, ok := e.IsNear()
	if !ok || !s.IsNear(v, below) {
		return Linear{}, false
	}
	return s.Linear(e.Then)
}

// IsNear reports whether a variable is below a number in what is said of instances.
func (s *Scope) IsNear(v *hast.Var, below int64) bool {
	n, known := s.Near[v]
	return known && n <= below
}

// divide is x divided by a constant. Below 0 ops.Div is no floor.
func (s *Scope) divide(op ops.Op, x, y Linear) (Linear, bool) {
	by := y.Lo
	if op == ops.Shr && by >= 0 && by < 16 {
		by = 1 << by
	}
	if y.Var != nil || !y.Single() || by < 1 || x.Var == nil || x.Div != 0 || !slices.Contains(s.Divided, x.Var) || op == ops.Div && x.Lo < 0 {
		return Linear{}, false
	}
	x.Div = by
	return x.checked()
}

func combine(op ops.Op, x, y Linear) (Linear, bool) {
	switch op {
	case ops.Sub:
		if y.Div != 0 {
			return Linear{}, false
		}
		y.Stride, y.Lo, y.Hi = -y.Stride, -y.Hi, -y.Lo
		fallthrough
	case ops.Add:
		if x.Var != nil && y.Var != nil && x.Var != y.Var {
			return Linear{}, false
		}
		if x.Var == nil {
			x, y = y, x
		}
		if y.Div != 0 || x.Div != 0 && y.Var != nil {
			return Linear{}, false
		}
		n := max(1, x.Div) // a number beside the quotient is so many times that below the line
		return Linear{x.Var, x.Stride + y.Stride, x.Lo + n*y.Lo, x.Hi + n*y.Hi, x.Div}.checked()
	case ops.Mul:
		if x.Var == nil && x.Single() {
			x, y = y, x
		}
		if y.Var != nil || !y.Single() || x.Div != 0 {
			return Linear{}, false
		}
		c := y.Lo
		return Linear{x.Var, c * x.Stride, min(c*x.Lo, c*x.Hi), max(c*x.Lo, c*x.Hi), 0}.checked()
	}
	return Linear{}, false
}

func (l Linear) checked() (Linear, bool) {
	if l.Stride == 0 {
		l.Var = nil
	}
	if l.Var == nil && l.Div != 0 {
		return l, false
	}
	ok := l.Lo >= -farthest && l.Hi <= farthest && l.Stride >= -farthest && l.Stride <= farthest
	return l, ok
}
