package prove

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Var names an integer variable: an iterator, a loop variable, a size, a scalar, a value read from memory. Two variables
// are the same exactly if their names are. Names of the caller's must not look like the names that the definitions of a
// System make ("floordiv(y, 2)", "H*W", "min(a, b)"), so identifiers and identifiers with a suffix such as "#3" are fine.
type Var string

// Prime names the variable of the second instance in questions about two instances (see Distinct): y' for y.
func Prime(v Var) Var { return v + "'" }

// Term is one product of a linear expression.
type Term struct {
	Coef int64 // never 0
	Var  Var
}

// Lin is a linear expression with integer coefficients, c0 + c1*v1 + c2*v2 + ..., immutable. Arithmetic that leaves the
// range of int64 gives Unknown: facts that contain it are ignored and obligations that contain it are never proved. The zero value is the constant 0.
type Lin struct {
	terms    []Term // sorted by variable, no coefficient is 0
	constant int64
	unknown  bool
}

// Unknown is an expression about whose value nothing is known, not even that it equals itself.
var Unknown = Lin{unknown: true}

// V is the expression that is just the variable.
func V(v Var) Lin { return Lin{terms: []Term{{1, v}}} }

// K is a constant expression.
func K(k int64) Lin { return Lin{constant: k, unknown: k == math.MinInt64} }

// Terms returns the products, sorted by variable. The caller must not change them.
func (l Lin) Terms() []Term { return l.terms }

// Constant returns the constant part.
func (l Lin) Constant() int64 { return l.constant }

// IsConstant reports whether the expression is a known constant.
func (l Lin) IsConstant() bool { return len(l.terms) == 0 && !l.unknown }

// IsUnknown reports whether the expression is Unknown.
func (l Lin) IsUnknown() bool { return l.unknown }

// Coef returns the coefficient of v, 0 where it does not occur.
func (l Lin) Coef(v Var) int64 {
	for _, t := range l.terms {
		if t.Var == v {
			return t.Coef
		}
	}
	return 0
}

// Add returns l + m.
func (l Lin) Add(m Lin) Lin { return l.addScaled(m, 1) }

// Sub returns l - m.
func (l Lin) Sub(m Lin) Lin { return l.addScaled(m, -1) }

// Plus returns l + k.
func (l Lin) Plus(k int64) Lin { return l.addScaled(K(k), 1) }

// Neg returns -l.
func (l Lin) Neg() Lin { return l.Scale(-1) }

// Scale returns k*l.
func (l Lin) Scale(k int64) Lin { return Lin{}.addScaled(l, k) }

// addScaled returns l + k*m.
func (l Lin) addScaled(m Lin, k int64) Lin {
	sum := Lin{unknown: l.unknown || m.unknown || k == math.MinInt64}
	combine := func(a, b int64) int64 {
		r, ok := mulAdd(a, b, k)
		if !ok {
			sum.unknown = true
		}
		return r
	}
	if sum.unknown {
		return sum
	}
	sum.constant = combine(l.constant, m.constant)
	a, b := l.terms, m.terms
	for len(a)+len(b) > 0 {
		var t Term
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Var < b[0].Var:
			t, a = a[0], a[1:]
		case len(a) == 0 || b[0].Var < a[0].Var:
			t, b = Term{combine(0, b[0].Coef), b[0].Var}, b[1:]
		default:
			t, a, b = Term{combine(a[0].Coef, b[0].Coef), a[0].Var}, a[1:], b[1:]
		}
		if t.Coef != 0 {
			sum.terms = append(sum.terms, t)
		}
	}
	if sum.unknown {
		return Unknown
	}
	return sum
}

// PowerOfTwo returns the greatest power of two that divides the expression whatever its variables are: 1<<62 of 0.
func (l Lin) PowerOfTwo() int64 {
	all := l.constant | 1<<62
	for _, t := range l.terms {
		all |= t.Coef
	}
	if l.unknown {
		return 1
	}
	return all & -all
}

// Equal reports whether the expressions are term by term the same.
func (l Lin) Equal(m Lin) bool {
	return l.unknown == m.unknown && l.constant == m.constant && slices.Equal(l.terms, m.terms)
}

// String prints the expression as a user would write it: "2*y - x + 1".
func (l Lin) String() string {
	if l.unknown {
		return "?"
	}
	var b strings.Builder
	// Positive products first, so that no expression starts with a minus that it does not need.
	for _, sign := range []int64{1, -1} {
		for _, t := range l.terms {
			if sign*t.Coef > 0 {
				writeTerm(&b, t)
			}
		}
	}
	switch {
	case b.Len() == 0:
		return strconv.FormatInt(l.constant, 10)
	case l.constant > 0:
		b.WriteString(" + " + strconv.FormatInt(l.constant, 10))
	case l.constant < 0:
		b.WriteString(" - " + strconv.FormatInt(-l.constant, 10))
	}
	return b.String()
}

func writeTerm(b *strings.Builder, t Term) {
	switch {
	case b.Len() == 0 && t.Coef < 0:
		b.WriteString("-")
	case b.Len() > 0 && t.Coef < 0:
		b.WriteString(" - ")
	case b.Len() > 0:
		b.WriteString(" + ")
	}
	c := max(t.Coef, -t.Coef)
	switch {
	case c == 1:
		b.WriteString(string(t.Var))
	case isQuotient(t.Var):
		b.WriteString(strconv.FormatInt(c, 10) + "*(" + string(t.Var) + ")")
	default:
		b.WriteString(strconv.FormatInt(c, 10) + "*" + string(t.Var))
	}
}

// mulAdd returns a + b*k, false where that leaves the symmetric range -(2^63-1)..2^63-1, in which negation is safe.
func mulAdd(a, b, k int64) (int64, bool) {
	p, ok := mul(b, k)
	if !ok {
		return 0, false
	}
	s := a + p
	if (s > a) != (p > 0) && p != 0 || s == math.MinInt64 {
		return 0, false
	}
	return s, true
}

func mul(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	if a == math.MinInt64 || b == math.MinInt64 || p == math.MinInt64 || p/b != a {
		return 0, false
	}
	return p, true
}

// floorDiv returns the quotient rounded down, for d > 0.
func floorDiv(n, d int64) int64 {
	q := n / d
	if n%d < 0 {
		q--
	}
	return q
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
