package ratios

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A position is a number that an instance computes of one variable of its stage, and of variables of loops:
//
//	(num*x + off[x mod len(off)])/den + the terms
//
// x is nil, and off one number, of what does not depend on the instance. Floors of positions are positions, and differences of them.
type position struct {
	x     *hast.Var
	num   int64
	off   []int64
	den   int64
	terms []term // each variable once, in the order of the text
	// thirds is how often what floats compute has been rounded, since it is none that floats have, as quotients by 3; 2 stands for more.
	thirds int
	exact  int64 // but for that, floats of 32 bits are exact for all x below this, and integers do not wrap
}

// A term is so many times a variable of a loop.
type term struct {
	v    *hast.Var
	coef int64
}

// Bounds on positions: ratios of small numbers have few phases, and what is small is exact as a float for many coordinates.
const (
	mostPhases = 16
	mostDen    = 64
	mostNum    = 32
	farOff     = 1 << 12 // of what is added to a position
)

// number is a constant that is a fraction; false of all others.
func number(v float64) (position, bool) {
	n := v * mostDen
	if n != math.Trunc(n) || math.Abs(v) > farOff {
		return position{}, false
	}
	return position{off: []int64{int64(n)}, den: mostDen, exact: hast.MaxExtent}.checked()
}

// ofStage is a variable of the stage, from 0 on.
func ofStage(v *hast.Var) position {
	return position{x: v, num: 1, off: []int64{0}, den: 1, exact: hast.MaxExtent}
}

// ofLoop is a variable of a loop.
func ofLoop(v *hast.Var) position {
	return position{off: []int64{0}, den: 1, terms: []term{{v, 1}}, exact: hast.MaxExtent}
}

// constant is the fraction that a position is; false where it depends on a variable.
func (p position) constant() (num, den int64, ok bool) {
	return p.off[0], p.den, p.x == nil && len(p.terms) == 0
}

// checked is a position in lowest terms, if it is within the bounds.
func (p position) checked() (position, bool) {
	g := gcd(p.den, abs(p.num))
	for _, c := range p.off {
		g = gcd(g, abs(c))
	}
	out := p
	out.num, out.den, out.off = p.num/g, p.den/g, make([]int64, len(p.off))
	for i, c := range p.off {
		out.off[i] = c / g
		if abs(out.off[i]) > farOff*out.den {
			return p, false
		}
	}
	if same(out.off) {
		out.off = out.off[:1]
	}
	out.terms = slices.DeleteFunc(slices.Clone(p.terms), func(t term) bool { return t.coef == 0 })
	return out, out.den <= mostDen && abs(out.num) <= mostNum && len(out.off) <= mostPhases
}

func same(list []int64) bool {
	return !slices.ContainsFunc(list, func(n int64) bool { return n != list[0] })
}

// significand is the bits that floats of 32 bits hold.
const significand = 24

// of is a position as a value of a kind: exact where its numerator is no longer than that holds. Loops are taken to be short: their variables lie within farOff.
func (p position) of(k types.Kind) position {
	holds := int64(1) << significand
	switch {
	case k == types.I64:
		return p
	case k == types.I32:
		holds = math.MaxInt32
	case p.thirds > 0 || p.den&(p.den-1) != 0:
		p.thirds = min(2, p.thirds+1)
	}
	for _, c := range p.off {
		p.exact = min(p.exact, p.below(holds-abs(c)))
	}
	return p
}

// below is for which x a numerator is less than a number, whatever the terms are.
func (p position) below(n int64) int64 {
	for _, t := range p.terms {
		n -= abs(t.coef) * farOff * p.den
	}
	if p.num == 0 {
		return p.exact
	}
	return n / abs(p.num)
}

// plus is p + k*q.
func (p position) plus(q position, k int64) (position, bool) {
	if p.x != nil && q.x != nil && p.x != q.x {
		return p, false
	}
	den, n := lcm(p.den, q.den), int(lcm(int64(len(p.off)), int64(len(q.off))))
	a, b := den/p.den, k*(den/q.den)
	out := position{x: p.x, num: a*p.num + b*q.num, off: make([]int64, n), den: den, thirds: max(p.thirds, q.thirds), exact: min(p.exact, q.exact)}
	if out.x == nil {
		out.x = q.x
	}
	for i := range out.off {
		out.off[i] = a*p.off[i%len(p.off)] + b*q.off[i%len(q.off)]
	}
	out.terms = slices.Clone(p.terms)
	for _, t := range q.terms {
		at := slices.IndexFunc(out.terms, func(u term) bool { return u.v == t.v })
		if at < 0 {
			out.terms = append(out.terms, term{t.v, k * t.coef})
			continue
		}
		out.terms[at].coef += k * t.coef
	}
	return out.checked()
}

// times is p * num / den.
func (p position) times(num, den int64) (position, bool) {
	if den < 0 {
		num, den = -num, -den
	}
	out := p
	out.num, out.den, out.off, out.terms = p.num*num, p.den*den, slices.Clone(p.off), slices.Clone(p.terms)
	for i := range out.off {
		out.off[i] *= num
	}
	for i, t := range out.terms {
		if t.coef*num%den != 0 {
			return p, false
		}
		out.terms[i].coef = t.coef * num / den
	}
	return out.checked()
}

// period is after how many instances a position has gone on by a whole number.
func (p position) period() int64 { return lcm(p.den/gcd(p.den, abs(p.num)), int64(len(p.off))) }

// at is num*i + off of instance i of the first period.
func (p position) at(i int64) int64 { return p.num*i + p.off[i%int64(len(p.off))] }

// floor is the greatest whole number that is not above.
func (p position) floor() (position, bool) {
	n := p.period()
	if n > mostPhases {
		return p, false
	}
	out := p
	out.off = make([]int64, n)
	for i := range n {
		out.off[i] = ops.FloorQuotient(p.at(i), p.den)*p.den - p.num*i
	}
	return out.checked()
}

// whole reports whether a position is one for all instances.
func (p position) whole() bool {
	n := p.period()
	for i := range n {
		if p.at(i)%p.den != 0 {
			return false
		}
	}
	return p.num*n%p.den == 0
}

// natural reports whether a position is never below 0, so that it is rounded towards that as floor does.
func (p position) natural() bool {
	if p.num < 0 || len(p.terms) > 0 {
		return false
	}
	for i := range p.period() {
		if p.at(i) < 0 {
			return false
		}
	}
	return true
}

// meets0 reports whether a position may be 0 for some instance.
func (p position) meets0() bool {
	n := int64(len(p.off))
	for i, c := range p.off {
		switch {
		case len(p.terms) > 0, p.num == 0 && c == 0:
			return true
		case p.num != 0 && c%p.num == 0 && -c/p.num >= 0 && -c/p.num%n == int64(i):
			return true
		}
	}
	return false
}

// quotient is a whole position as floor((num*x + k)/den) of small numbers; false where it is none.
func (p position) quotient() (num, k, den int64, ok bool) {
	n := p.period()
	for k = p.off[0]; k < p.off[0]+p.den; k++ {
		fits := true
		for i := range n {
			fits = fits && ops.FloorQuotient(p.num*i+k, p.den)*p.den == p.at(i)
		}
		if fits {
			return p.num, k, p.den, true
		}
	}
	return 0, 0, 0, false
}

func abs(n int64) int64 { return max(n, -n) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func lcm(a, b int64) int64 { return a / gcd(a, b) * b }
