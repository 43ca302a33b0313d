package access

import (
	"math"

	"imgc/hast"
	"imgc/hast/claims"
	"imgc/interval"
	"imgc/sema/prove"
)

// claim notes what the analysis takes the value of an expression for, if tests have asked for it. It says nothing inside of a func that is looked at for the
// arguments of one call, since the same expression has other values in other calls; nor of the host, which computes before it has checked what its values rest on.
func (a *analysis) claim(e hast.Expr, l prove.Lin, s *scope) {
	if a.claims == nil || l.IsUnknown() || s.host || s.ofCall() {
		return
	}
	c := claims.Claim{Within: a.intervalOf(l), Multiple: l.PowerOfTwo()}
	if a.closed(l) {
		c.Form = &claims.Form{Text: l.String(), Of: func(value func(*hast.Var) (int64, bool)) (int64, bool) { return a.valueOf(l, value) }}
	}
	a.claims.Add(e, c)
}

// ofCall reports whether a scope has the arguments of a call.
func (s *scope) ofCall() bool {
	for ; s != nil; s = s.up {
		if _, ok := s.frame.(bound); ok {
			return true
		}
	}
	return false
}

// closed reports whether a number is made of variables of the program alone.
func (a *analysis) closed(l prove.Lin) bool {
	_, ok := a.valueOf(l, func(*hast.Var) (int64, bool) { return 1, true })
	return ok
}

// valueOf computes a number by the values of variables.
func (a *analysis) valueOf(l prove.Lin, value func(*hast.Var) (int64, bool)) (int64, bool) {
	if l.IsUnknown() {
		return 0, false
	}
	sum := interval.Point(l.Constant())
	for _, t := range l.Terms() {
		v, ok := a.variableValue(t.Var, value)
		if !ok {
			return 0, false
		}
		sum = sum.Plus(interval.Point(v).Times(interval.Point(t.Coef)))
	}
	return sum.Lo, sum.Within(told)
}

func (a *analysis) variableValue(v prove.Var, value func(*hast.Var) (int64, bool)) (int64, bool) {
	d, defined := a.sys.Def(v)
	if !defined {
		s := a.symbols[v]
		if s == nil || s.v == nil || a.names[s.v].String() != prove.V(v).String() {
			return 0, false // hidden, or how many steps a loop has made
		}
		return value(s.v)
	}
	args := make([]interval.Interval, len(d.Args))
	for i, l := range d.Args {
		n, ok := a.valueOf(l, value)
		if !ok {
			return 0, false
		}
		args[i] = interval.Point(n)
	}
	op, known := operators[d.Op]
	if !known || d.Op == prove.Select {
		return 0, false
	}
	if d.Op == prove.FloorDiv || d.Op == prove.TruncDiv {
		args = append(args[:1], interval.Point(d.Divisor))
	}
	iv := args[0]
	if len(args) == 1 {
		iv = interval.Unbounded(op, iv)
	}
	for _, x := range args[1:] {
		iv = interval.Unbounded(op, iv, x)
	}
	return iv.Lo, iv.Lo == iv.Hi && iv.Lo != math.MinInt64 && iv.Lo != math.MaxInt64
}
