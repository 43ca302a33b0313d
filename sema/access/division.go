package access

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
)

// A division is /, %, floordiv or mod: a form for constant divisors, whether the result is the quotient, and whether that is rounded down.
type division struct {
	constant func(a *analysis, n prove.Lin, d int64) prove.Lin
	quotient bool
	down     bool
}

func (d division) apply(a *analysis, x []hast.Expr, s *scope) prove.Lin {
	n, m := a.exact(x[0], s), a.exact(x[1], s)
	switch {
	case n.IsUnknown() || m.IsUnknown():
		return prove.Unknown
	case m.IsConstant():
		return d.constant(a, n, m.Constant())
	case a.intervalOf(m).Lo < 1 && !a.sysHolds(prove.GE(m, prove.K(1))):
		return prove.Unknown
	}
	var q prove.Lin
	switch negative := a.intervalOf(n).Lo < 0 && !a.sysHolds(prove.GE(n, prove.K(0))); {
	case !negative:
		q = a.divided(n, m, text(x[0])+" / "+text(x[1]), interval.Between(0, a.intervalOf(n).Hi)) // all four operators agree
	case d.down:
		q = a.divided(n, m, "floordiv("+text(x[0])+", "+text(x[1])+")", a.intervalOf(n).Join(interval.Interval{}))
	default:
		return prove.Unknown
	}
	if d.quotient {
		return q
	}
	return n.Sub(a.sys.Product(q, m))
}

// divided is the quotient q of n, rounded down, by m, which is at least 1 whatever the scope: n = q*m + r with 0 <= r < m.
func (a *analysis) divided(n, m prove.Lin, text string, limits interval.Interval) prove.Lin {
	key := fmt.Sprint(n, " / ", m, limits.Lo < 0)
	return a.keyedSymbol(key, &symbol{text: text, limits: limits}, func(q prove.Lin) []prove.Formula {
		rest := n.Sub(a.sys.Product(q, m))
		facts := []prove.Formula{prove.GE(rest, prove.K(0)), prove.LT(rest, m)}
		if limits.Lo >= 0 {
			facts = append(facts, prove.LE(q, n))
		}
		return facts
	})
}

func (a *analysis) quotient(n prove.Lin, d int64) prove.Lin {
	if a.intervalOf(n).Lo >= 0 && d > 0 {
		return a.sys.Div(n, d)
	}
	return a.sys.TruncDiv(n, d)
}

func (a *analysis) remainder(n prove.Lin, d int64) prove.Lin {
	if a.intervalOf(n).Lo >= 0 && d > 0 {
		return a.sys.Mod(n, d)
	}
	return a.sys.Rem(n, d)
}

func (a *analysis) floored(n prove.Lin, d int64) prove.Lin { return a.sys.Div(n, d) }
func (a *analysis) modulo(n prove.Lin, d int64) prove.Lin  { return a.sys.Mod(n, d) }

// sysHolds reports whether f follows from what holds at entry alone.
func (a *analysis) sysHolds(f prove.Formula) bool { return a.holds(nil, f) }
