package access

import (
	"imgc/hast"
	"imgc/sema/prove"
)

// A division is /, %, floordiv or mod: a form for constant divisors, and whether the result is the quotient.
type division struct {
	constant func(a *analysis, n prove.Lin, d int64) prove.Lin
	quotient bool
}

func (d division) apply(a *analysis, x []hast.Expr, s *scope) prove.Lin {
	n, m := a.exact(x[0], s), a.exact(x[1], s)
	switch {
	case n.IsUnknown() || m.IsUnknown():
		return prove.Unknown
	case m.IsConstant():
		return d.constant(a, n, m.Constant())
	case a.intervalOf(n).lo < 0 && !a.sysHolds(prove.GE(n, prove.K(0))),
		a.intervalOf(m).lo < 1 && !a.sysHolds(prove.GE(m, prove.K(1))):
		return prove.Unknown
	}
	// n >= 0 and m >= 1 whatever the scope: all four operators agree, and n = q*m + r with 0 <= r < m.
	key := n.String() + " / " + m.String()
	q := a.keyedSymbol(key, &symbol{
		text: text(x[0]) + " / " + text(x[1]), limits: interval{0, a.intervalOf(n).hi},
	}, func(q prove.Lin) []prove.Formula {
		rest := n.Sub(a.sys.Product(q, m))
		return []prove.Formula{prove.LE(q, n), prove.GE(rest, prove.K(0)), prove.LT(rest, m)}
	})
	if d.quotient {
		return q
	}
	return n.Sub(a.sys.Product(q, m))
}

func (a *analysis) quotient(n prove.Lin, d int64) prove.Lin {
	if a.intervalOf(n).lo >= 0 && d > 0 {
		return a.sys.Div(n, d)
	}
	return a.sys.TruncDiv(n, d)
}

func (a *analysis) remainder(n prove.Lin, d int64) prove.Lin {
	if a.intervalOf(n).lo >= 0 && d > 0 {
		return a.sys.Mod(n, d)
	}
	return a.sys.Rem(n, d)
}

func (a *analysis) floored(n prove.Lin, d int64) prove.Lin { return a.sys.Div(n, d) }
func (a *analysis) modulo(n prove.Lin, d int64) prove.Lin  { return a.sys.Mod(n, d) }

// sysHolds reports whether f follows from what holds at entry alone.
func (a *analysis) sysHolds(f prove.Formula) bool { return a.holds(nil, f) }
