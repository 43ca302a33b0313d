package ratios

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A place is what position has found.
type place struct {
	position
	ok bool
}

// position is a number as a position; false where it is none.
func (f *finder) position(e hast.Expr) (position, bool) {
	p, known := f.places[e]
	if !known {
		p = f.placed(e)
		f.places[e] = p
	}
	return p.position, p.ok
}

func (f *finder) placed(e hast.Expr) place {
	t := e.Type()
	if !t.IsScalar() || !isFloat(t.Kind) && !isLong(t.Kind) {
		return place{}
	}
	p, ok := f.exactly(e)
	if ok && !isName(e) {
		p = p.of(t.Kind)
	}
	return place{p, ok}
}

// isFloat and isLong report whether positions may be of a kind: integers of fewer bits wrap.
func isFloat(k types.Kind) bool { return k == types.F32 || k == types.F64 }
func isLong(k types.Kind) bool  { return k == types.I32 || k == types.I64 }

// isName reports whether an expression is a variable, whose value is computed elsewhere.
func isName(e hast.Expr) bool {
	_, ok := e.(*hast.Ref)
	return ok
}

// exactly is a position before it is rounded.
func (f *finder) exactly(e hast.Expr) (position, bool) {
	switch e := e.(type) {
	case *hast.Const:
		if e.T.Kind.IsFloat() {
			return number(e.Words[0].Float())
		}
		return number(float64(e.Words[0].Int()))
	case *hast.Ref:
		p, known := f.known[e.Var]
		return p, known
	case *hast.Convert:
		return f.converted(e)
	case *hast.Op:
		return f.computed(e)
	}
	return position{}, false
}

// converted is a position of another kind.
func (f *finder) converted(e *hast.Convert) (position, bool) {
	p, ok := f.position(e.X)
	switch {
	case !ok || e.How != hast.Wrap:
		return p, false
	case isFloat(e.T.Kind) || !isFloat(e.X.Type().Kind) || p.whole():
		return p, true
	case p.natural():
		return p.floor()
	}
	return p, false
}

// computed is a position that an operator makes of others.
func (f *finder) computed(e *hast.Op) (position, bool) {
	p, ok := f.position(e.Args[0])
	if !ok {
		return p, false
	}
	switch e.Op {
	case ops.Neg:
		return signed(e.T.Kind, p, -1, 1)
	case ops.Floor:
		return p.floor()
	case ops.Ceil:
		return p, p.whole()
	case ops.Trunc:
		if p.natural() {
			return p.floor()
		}
		return p, p.whole()
	case ops.Fract:
		return rest(p, 1)
	case ops.Clamp:
		return p, beyond(e.Args[1], -1) && beyond(e.Args[2], 1)
	}
	if len(e.Args) != 2 {
		return p, false
	}
	q, ok := f.position(e.Args[1])
	if !ok {
		return p, false
	}
	return combined(e.Op, p, q, e.T.Kind)
}

// signed is p * num / den. A zero that floats have below 0 is none that positions know.
func signed(k types.Kind, p position, num, den int64) (position, bool) {
	if k.IsFloat() && num <= 0 && p.meets0() {
		return p, false
	}
	return p.times(num, den)
}

// combined is what an operator makes of two positions of a kind.
func combined(op ops.Op, p, q position, k types.Kind) (position, bool) {
	float := k.IsFloat()
	switch op {
	case ops.Add:
		return p.plus(q, 1)
	case ops.Sub:
		return p.plus(q, -1)
	case ops.Mul:
		if num, den, ok := q.constant(); ok {
			return signed(k, p, num, den)
		}
		if num, den, ok := p.constant(); ok {
			return signed(k, q, num, den)
		}
		return p, false
	}
	num, den, ok := q.constant()
	if !ok || num <= 0 {
		return p, false
	}
	switch {
	case op == ops.Div && float:
		return p.times(den, num)
	case op == ops.FloorDiv, op == ops.Div && p.natural():
		if p, ok = p.times(den, num); ok {
			return p.floor()
		}
	case op == ops.Mod && !float, op == ops.Rem && !float && p.natural():
		return rest(p, num/den)
	}
	return p, false
}

// rest is what is left of a position by a number.
func rest(p position, by int64) (position, bool) {
	q, ok := p.times(1, by)
	if ok {
		q, ok = q.floor()
	}
	if !ok {
		return p, false
	}
	return p.plus(q, -by)
}

// beyond reports whether a number is farther away than any position that floats hold, below 0 or above.
func beyond(e hast.Expr, sign float64) bool {
	c, ok := e.(*hast.Const)
	return ok && c.T.Kind.IsFloat() && sign*c.Words[0].Float() >= 1<<significand
}
