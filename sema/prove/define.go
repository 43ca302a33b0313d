package prove

import (
	"fmt"
	"slices"
	"strings"
)

// DefOp says how a defined variable follows from its arguments.
type DefOp uint8

// The definitions.
const (
	FloorDiv  DefOp = iota // Args[0] / Divisor, rounded down
	TruncDiv               // Args[0] / Divisor, rounded toward zero
	Min                    // of Args[0] and Args[1]
	Max                    // of Args[0] and Args[1]
	Abs                    // of Args[0]
	Product                // of all Args, each a single variable
	Select                 // Cond ? Args[0] : Args[1]
	Remainder              // Args[0] - Divisor*floordiv(Args[0], Divisor); in the clauses of a Check only
)

// Def is the definition of a variable that stands for something that is not linear.
type Def struct {
	Op      DefOp
	Args    []Lin
	Divisor int64   // of the divisions, > 0
	Cond    Formula // of Select
}

// definition is what the prover knows about a DefOp.
type definition struct {
	// name is the canonical name of the variable: equal definitions are one variable.
	name func(d Def) string
	// facts relates the variable to its arguments as strongly as linear conditions can.
	facts func(v Lin, d Def) Formula
	// value computes it.
	value func(d Def, args []int64) (int64, bool)
}

var definitions = [...]definition{
	FloorDiv: {
		name:  floorDivName,
		facts: func(q Lin, d Def) Formula { return remainderIn(d.Args[0], q, d.Divisor, 0, d.Divisor-1) },
		value: func(d Def, args []int64) (int64, bool) { return floorDiv(args[0], d.Divisor), true },
	},
	TruncDiv: {
		name: func(d Def) string { return fmt.Sprintf("%v / %d", parenthesized(d.Args[0]), d.Divisor) },
		facts: func(q Lin, d Def) Formula {
			e, last := d.Args[0], d.Divisor-1
			return And{
				// What both cases share needs no case split.
				remainderIn(e, q, d.Divisor, -last, last),
				Or{
					And{GE(e, K(0)), remainderIn(e, q, d.Divisor, 0, last)},
					And{LT(e, K(0)), remainderIn(e, q, d.Divisor, -last, 0)},
				},
			}
		},
		value: func(d Def, args []int64) (int64, bool) { return args[0] / d.Divisor, true },
	},
	Min: {
		name: func(d Def) string { return fmt.Sprintf("min(%v, %v)", d.Args[0], d.Args[1]) },
		facts: func(m Lin, d Def) Formula {
			a, b := d.Args[0], d.Args[1]
			return And{LE(m, a), LE(m, b), Or{EQ(m, a), EQ(m, b)}}
		},
		value: func(_ Def, args []int64) (int64, bool) { return min(args[0], args[1]), true },
	},
	Max: {
		name: func(d Def) string { return fmt.Sprintf("max(%v, %v)", d.Args[0], d.Args[1]) },
		facts: func(m Lin, d Def) Formula {
			a, b := d.Args[0], d.Args[1]
			return And{GE(m, a), GE(m, b), Or{EQ(m, a), EQ(m, b)}}
		},
		value: func(_ Def, args []int64) (int64, bool) { return max(args[0], args[1]), true },
	},
	Abs: {
		name: func(d Def) string { return fmt.Sprintf("abs(%v)", d.Args[0]) },
		facts: func(m Lin, d Def) Formula {
			e := d.Args[0]
			return And{GE(m, e), GE(m, e.Neg()), Or{EQ(m, e), EQ(m, e.Neg())}}
		},
		value: func(_ Def, args []int64) (int64, bool) { return max(args[0], -args[0]), true },
	},
	Product: {
		name: func(d Def) string { return string(productOf(factorsOf(d))) },
		facts: func(p Lin, d Def) Formula {
			if len(d.Args) == 2 && d.Args[0].Equal(d.Args[1]) {
				// A square of integers is at least both the number and its negative.
				return And{GE(p, d.Args[0]), GE(p, d.Args[0].Neg())}
			}
			return True // what depends on the facts about the factors is found in products.go
		},
		value: func(_ Def, args []int64) (int64, bool) {
			p, ok := int64(1), true
			for _, a := range args {
				if p, ok = mul(p, a); !ok {
					return 0, false
				}
			}
			return p, true
		},
	},
	Select: {
		name: func(d Def) string { return fmt.Sprintf("(%v ? %v : %v)", d.Cond, d.Args[0], d.Args[1]) },
		facts: func(v Lin, d Def) Formula {
			return Or{And{d.Cond, EQ(v, d.Args[0])}, And{Not(d.Cond), EQ(v, d.Args[1])}}
		},
		// The condition is no number: Model.Value evaluates it and passes the chosen argument.
		value: func(_ Def, args []int64) (int64, bool) { return args[0], true },
	},
	Remainder: {
		name: func(d Def) string { return fmt.Sprintf("mod(%v, %d)", d.Args[0], d.Divisor) },
		facts: func(r Lin, d Def) Formula {
			q := V(Var(floorDivName(d)))
			return And{Between(r, 0, d.Divisor-1), EQ(r.addScaled(q, d.Divisor), d.Args[0])}
		},
		value: func(d Def, args []int64) (int64, bool) {
			return args[0] - d.Divisor*floorDiv(args[0], d.Divisor), true
		},
	},
}

func floorDivName(d Def) string { return fmt.Sprintf("floordiv(%v, %d)", d.Args[0], d.Divisor) }

// remainderIn is lo <= e - d*q <= hi.
func remainderIn(e, q Lin, d, lo, hi int64) Formula { return Between(e.Sub(q.Scale(d)), lo, hi) }

// parenthesized prints an expression as an operand of * or /, so that different definitions have different names.
func parenthesized(e Lin) string {
	if len(e.terms) != 1 || e.terms[0].Coef != 1 || e.constant != 0 || isQuotient(e.terms[0].Var) {
		return "(" + e.String() + ")"
	}
	return e.String()
}

// isQuotient reports whether the name of a variable reads as a quotient, x / 2.
func isQuotient(v Var) bool {
	depth := 0
	for _, r := range v {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// table holds the definitions of all systems that were forked from one. Names are canonical, so it only ever grows and
// never changes meaning.
type table map[Var]Def

// define returns the variable of a definition.
func (t table) define(d Def) Lin {
	for _, a := range d.Args {
		if a.unknown {
			return Unknown
		}
	}
	v := Var(definitions[d.Op].name(d))
	t[v] = d
	return V(v)
}

// factors returns what a variable is the product of, itself if it is no product.
func (t table) factors(v Var) []Var {
	d, ok := t[v]
	if !ok || d.Op != Product {
		return []Var{v}
	}
	return factorsOf(d)
}

// factorsOf are those of the definition of a product.
func factorsOf(d Def) []Var {
	out := make([]Var, len(d.Args))
	for i, a := range d.Args {
		out[i] = a.terms[0].Var
	}
	return out
}

// productOf is the variable of the product of some, as parenthesized prints these.
func productOf(factors []Var) Var {
	var b strings.Builder
	for i, f := range factors {
		if i > 0 {
			b.WriteByte('*')
		}
		if isQuotient(f) {
			b.WriteString("(" + string(f) + ")")
		} else {
			b.WriteString(string(f))
		}
	}
	return Var(b.String())
}

// product multiplies out. New products of variables get a variable if grow is set; if not, ok is false where one would
// be needed.
func (t table) product(a, b Lin, grow bool) (product Lin, ok bool) {
	sum := a.Scale(b.constant).Add(b.Scale(a.constant)).addScaled(K(a.constant), -b.constant)
	for _, s := range a.terms {
		for _, u := range b.terms {
			factors := slices.Concat(t.factors(s.Var), t.factors(u.Var))
			slices.Sort(factors)
			v := productOf(factors)
			if _, known := t[v]; !known {
				if !grow {
					return Lin{}, false
				}
				d := Def{Op: Product, Args: make([]Lin, len(factors))}
				for i, f := range factors {
					d.Args[i] = V(f)
				}
				t[v] = d
			}
			c, fits := mul(s.Coef, u.Coef)
			if !fits {
				return Unknown, true
			}
			sum = sum.addScaled(V(v), c)
		}
	}
	return sum, true
}

// Div is e / d rounded down, for any constant d; as in the language, division by 0 gives 0.
func (s *System) Div(e Lin, d int64) Lin {
	switch {
	case e.unknown:
		return e
	case d == 0:
		return K(0)
	case d < 0:
		if d = -d; d < 0 {
			return Unknown
		}
		e = e.Neg()
	}
	// What d divides leaves the quotient: (d*a + b) / d = a + b/d.
	whole, rest := Lin{constant: floorDiv(e.constant, d)}, Lin{constant: e.constant - d*floorDiv(e.constant, d)}
	common := d
	for _, t := range e.terms {
		if t.Coef%d == 0 {
			whole.terms = append(whole.terms, Term{t.Coef / d, t.Var})
		} else {
			rest.terms = append(rest.terms, t)
			common = gcd(common, t.Coef)
		}
	}
	if len(rest.terms) == 0 {
		return whole
	}
	// What is left has a common factor perhaps: (g*a + r) / (g*d) = (a + r/g) / d.
	reduced := Lin{constant: floorDiv(rest.constant, common)}
	for _, t := range rest.terms {
		reduced.terms = append(reduced.terms, Term{t.Coef / common, t.Var})
	}
	return whole.Add(s.defs.define(Def{Op: FloorDiv, Args: []Lin{reduced}, Divisor: d / common}))
}

// Mod is e - d*floordiv(e, d), in 0..d-1 for d > 0, and 0 for d = 0.
func (s *System) Mod(e Lin, d int64) Lin {
	if d == 0 {
		return K(0)
	}
	return e.addScaled(s.Div(e, d), -d)
}

// withRemainders writes e - d*floordiv(e, d) as mod(e, d).
func (s *System) withRemainders(l Lin) Lin {
	for _, t := range l.terms {
		d, ok := s.defs[t.Var]
		if !ok || d.Op != FloorDiv || t.Coef%d.Divisor != 0 {
			continue
		}
		times := -t.Coef / d.Divisor
		rest := l.addScaled(V(t.Var), -t.Coef).addScaled(d.Args[0], -times)
		if len(rest.terms) < len(l.terms)-1 {
			r := s.defs.define(Def{Op: Remainder, Args: d.Args, Divisor: d.Divisor})
			return s.withRemainders(rest.addScaled(r, times))
		}
	}
	return l
}

// TruncDiv is the / of the language: e / d rounded toward zero, and 0 for d = 0.
func (s *System) TruncDiv(e Lin, d int64) Lin {
	switch {
	case e.unknown:
		return e
	case d == 0:
		return K(0)
	case d < 0:
		if d = -d; d < 0 {
			return Unknown
		}
		e = e.Neg()
	}
	if d == 1 {
		return e
	}
	if e.IsConstant() {
		return K(e.constant / d)
	}
	return s.defs.define(Def{Op: TruncDiv, Args: []Lin{e}, Divisor: d})
}

// Rem is the % of the language: e - d*(e / d), with the sign of e, and 0 for d = 0.
func (s *System) Rem(e Lin, d int64) Lin {
	if d == 0 {
		return K(0)
	}
	return e.addScaled(s.TruncDiv(e, d), -d)
}

// Shr is e >> bits, which rounds down.
func (s *System) Shr(e Lin, bits uint) Lin {
	if bits > 62 {
		return Unknown
	}
	return s.Div(e, 1<<bits)
}

// BitAnd is e & mask in two's complement. Each run of ones from bit a up to bit b gives e mod 2^b - e mod 2^a.
func (s *System) BitAnd(e Lin, mask int64) Lin {
	if mask < 0 {
		return e.Sub(s.BitAnd(e, ^mask))
	}
	var sum Lin
	for bit := uint(0); mask>>bit != 0; {
		if mask>>bit&1 == 0 {
			bit++
			continue
		}
		low := bit
		for mask>>bit&1 == 1 {
			bit++
		}
		if bit > 62 {
			return Unknown
		}
		sum = sum.Add(s.Mod(e, 1<<bit)).Sub(s.Mod(e, 1<<low))
	}
	return sum
}

// Min is the smaller of two expressions.
func (s *System) Min(a, b Lin) Lin {
	if d := a.Sub(b); d.IsConstant() {
		if d.constant <= 0 {
			return a
		}
		return b
	}
	return s.symmetric(Min, a, b)
}

// Max is the larger of two expressions.
func (s *System) Max(a, b Lin) Lin {
	if d := a.Sub(b); d.IsConstant() {
		if d.constant >= 0 {
			return a
		}
		return b
	}
	return s.symmetric(Max, a, b)
}

// symmetric defines a function whose arguments may be exchanged, in one order for both.
func (s *System) symmetric(op DefOp, a, b Lin) Lin {
	if b.String() < a.String() {
		a, b = b, a
	}
	return s.defs.define(Def{Op: op, Args: []Lin{a, b}})
}

// Clamp is min(max(e, lo), hi).
func (s *System) Clamp(e, lo, hi Lin) Lin { return s.Min(s.Max(e, lo), hi) }

// Abs is the absolute value.
func (s *System) Abs(e Lin) Lin {
	if e.IsConstant() {
		return K(max(e.constant, -e.constant))
	}
	return s.defs.define(Def{Op: Abs, Args: []Lin{e}})
}

// Select is cond ? a : b.
func (s *System) Select(cond Formula, a, b Lin) Lin {
	if a.Equal(b) && !a.unknown {
		return a
	}
	if vague(cond) {
		return Unknown // two conditions that print as "?" need not be the same
	}
	return s.defs.define(Def{Op: Select, Args: []Lin{a, b}, Cond: cond})
}

// Product is a*b, multiplied out. A product of two variables is a variable of its own, about which as much is known as
// follows from the facts about its factors: H*W >= 1 from H >= 1 and W >= 1.
func (s *System) Product(a, b Lin) Lin {
	p, _ := s.defs.product(a, b, true)
	return p
}

// apply defines the same of other arguments.
func (s *System) apply(d Def, args []Lin) Lin {
	switch d.Op {
	case FloorDiv:
		return s.Div(args[0], d.Divisor)
	case TruncDiv:
		return s.TruncDiv(args[0], d.Divisor)
	case Remainder:
		return s.Mod(args[0], d.Divisor)
	case Min:
		return s.Min(args[0], args[1])
	case Max:
		return s.Max(args[0], args[1])
	case Abs:
		return s.Abs(args[0])
	case Select:
		return s.Select(d.Cond, args[0], args[1])
	}
	product := args[0]
	for _, a := range args[1:] {
		product = s.Product(product, a)
	}
	return product
}

// Def returns the definition of a variable that an operation on the system made, so that a caller can evaluate one that
// occurs in a Clause.
func (s *System) Def(v Var) (Def, bool) {
	d, ok := s.defs[v]
	return d, ok
}
