package access

import (
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
)

// Intervals here are of numbers of any size, as variables of the prover are: an end at the least or greatest value of 64 bits is no bound.

// beyond is outside of every integer kind of up to 32 bits. The prover gets no greater numbers, so that its sums have room in 64 bits.
const beyond = 1 << 61

// told is what the prover is told of.
var told = interval.Between(-beyond+1, beyond-1)

// factsOf says that v lies in an interval.
func factsOf(iv interval.Interval, v prove.Lin) []prove.Formula {
	var out []prove.Formula
	if iv.Lo >= told.Lo {
		out = append(out, prove.GE(v, prove.K(iv.Lo)))
	}
	if iv.Hi <= told.Hi {
		out = append(out, prove.LE(v, prove.K(iv.Hi)))
	}
	return out
}

// intervalOf bounds a linear expression by the intervals of its variables, and of the remainders in it.
func (a *analysis) intervalOf(l prove.Lin) interval.Interval {
	if l.IsUnknown() {
		return interval.All
	}
	sum := interval.Point(l.Constant())
	for _, t := range l.Terms() {
		sum = sum.Plus(a.limitsOf(t.Var).Times(interval.Point(t.Coef)))
	}
	for _, t := range l.Terms() {
		if iv, ok := a.withRemainder(l, t); ok {
			return iv.Meet(sum)
		}
	}
	return sum
}

// withRemainder bounds an expression of which a term is -n*d*floordiv(e, d), by n*mod(e, d); false where it has no n*e.
func (a *analysis) withRemainder(l prove.Lin, t prove.Term) (iv interval.Interval, ok bool) {
	d, defined := a.sys.Def(t.Var)
	if !defined || d.Op != prove.FloorDiv || t.Coef%d.Divisor != 0 {
		return iv, false
	}
	n, e := -t.Coef/d.Divisor, d.Args[0]
	rest := l.Sub(prove.V(t.Var).Scale(t.Coef)).Sub(e.Scale(n))
	if rest.IsUnknown() || len(rest.Terms()) >= len(l.Terms())-1 {
		return iv, false
	}
	remainder := interval.Unbounded(ops.Mod, a.intervalOf(e), interval.Point(d.Divisor))
	return a.intervalOf(rest).Plus(remainder.Times(interval.Point(n))), true
}

// limitsOf is the interval of a variable, computed from its arguments where it has a definition.
func (a *analysis) limitsOf(v prove.Var) interval.Interval {
	if iv, ok := a.limits[v]; ok {
		return iv
	}
	iv := interval.All
	if d, ok := a.sys.Def(v); ok {
		iv = a.definedInterval(d)
	}
	a.limits[v] = iv
	return iv
}

// operators are those by which variables are defined.
var operators = map[prove.DefOp]ops.Op{
	prove.FloorDiv: ops.FloorDiv, prove.TruncDiv: ops.Div, prove.Min: ops.Min, prove.Max: ops.Max, prove.Abs: ops.Abs, prove.Product: ops.Mul,
}

func (a *analysis) definedInterval(d prove.Def) interval.Interval {
	x, op := a.intervalOf(d.Args[0]), operators[d.Op]
	switch d.Op {
	case prove.FloorDiv, prove.TruncDiv:
		return a.quotients(op, d, x)
	case prove.Abs:
		return interval.Unbounded(op, x)
	}
	for _, arg := range d.Args[1:] {
		if y := a.intervalOf(arg); d.Op == prove.Select {
			x = x.Join(y)
		} else {
			x = interval.Unbounded(op, x, y)
		}
	}
	return x
}
