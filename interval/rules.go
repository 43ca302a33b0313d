package interval

import (
	"math/bits"

	"imgc/ops"
)

// A bounder bounds what an operator makes of values of 64 bits. Where that may leave 64 bits it reports false, and the ends outside are the last that there are.
type bounder = func(operands) (Interval, bool)

// An opener reports on which sides operands without bounds leave the result without one.
type opener = func(operands) (down, up bool)

// A rule is what is known of an operator. Those that have no opens hand the ends of an operand on as they are, or have bounds of their own.
type rule struct {
	bound bounder
	opens opener
}

// rules are by operator; bool operands are 0 and 1.
var rules = [...]rule{
	ops.Neg:    {negative, opensNegative},
	ops.BitNot: {always(func(a operands) Interval { return complement(a[0]) }), nil},
	ops.Not:    {always(func(a operands) Interval { return Interval{1 - a[0].Hi, 1 - a[0].Lo} }), nil},

	ops.Add: {sum, opensSum},
	ops.Sub: {difference, opensDifference},
	ops.Mul: {product, opensProduct},

	ops.Div:      {quotients(truncated), opensQuotient},
	ops.FloorDiv: {quotients(ops.FloorQuotient[int64]), opensQuotient},
	ops.Rem:      {always(remainders), nil},
	ops.Mod:      {always(modulos), nil},

	ops.Min: {always(func(a operands) Interval { return lesser(a[0], a[1]) }), nil},
	ops.Max: {always(func(a operands) Interval { return greater(a[0], a[1]) }), nil},
	ops.Clamp: {always(func(a operands) Interval {
		return lesser(greater(a[0], a[1]), a[2])
	}), nil},
	ops.Abs:  {magnitude, nil},
	ops.Sign: {always(func(a operands) Interval { return Interval{sign(a[0].Lo), sign(a[0].Hi)} }), nil},

	ops.And: {always(func(a operands) Interval { return both(a[0], a[1]) }), nil},
	ops.Or:  {always(either), nil},
	ops.Xor: {always(differing), nil},
	ops.Shl: {shiftedUp, opensShift},
	ops.Shr: {shiftedDown, opensShift},

	ops.Popcount: {always(func(a operands) Interval { return ones(a[0]) }), nil},
	ops.Clz:      {always(func(operands) Interval { return Interval{0, 64} }), nil},

	ops.Lt:   {always(func(a operands) Interval { return below(a[0], a[1]) }), nil},
	ops.Le:   {always(func(a operands) Interval { return not(below(a[1], a[0])) }), nil},
	ops.Gt:   {always(func(a operands) Interval { return below(a[1], a[0]) }), nil},
	ops.Ge:   {always(func(a operands) Interval { return not(below(a[0], a[1])) }), nil},
	ops.Eq:   {always(func(a operands) Interval { return equal(a[0], a[1]) }), nil},
	ops.Ne:   {always(func(a operands) Interval { return not(equal(a[0], a[1])) }), nil},
	ops.LAnd: {always(func(a operands) Interval { return lesser(a[0], a[1]) }), nil},
	ops.LOr:  {always(func(a operands) Interval { return greater(a[0], a[1]) }), nil},
}

// always is for operators whose results are of 64 bits where their operands are.
func always(f func(operands) Interval) bounder {
	return func(a operands) (Interval, bool) { return f(a), true }
}

// Sums, differences and products.

func sum(a operands) (Interval, bool) {
	lo, okLo := add(a[0].Lo, a[1].Lo)
	hi, okHi := add(a[0].Hi, a[1].Hi)
	return Interval{lo, hi}, okLo && okHi
}

func opensSum(a operands) (down, up bool) {
	return a[0].Lo == least || a[1].Lo == least, a[0].Hi == greatest || a[1].Hi == greatest
}

func difference(a operands) (Interval, bool) {
	lo, okLo := subtract(a[0].Lo, a[1].Hi)
	hi, okHi := subtract(a[0].Hi, a[1].Lo)
	return Interval{lo, hi}, okLo && okHi
}

func opensDifference(a operands) (down, up bool) {
	return a[0].Lo == least || a[1].Hi == greatest, a[0].Hi == greatest || a[1].Lo == least
}

func negative(a operands) (Interval, bool) { return difference(operands{Point(0), a[0]}) }

func opensNegative(a operands) (down, up bool) { return a[0].Hi == greatest, a[0].Lo == least }

func product(a operands) (Interval, bool) { return corners(multiply, a[0], a[1]) }

func opensProduct(a operands) (down, up bool) {
	downs, ups := opensFactor(a[0], a[1])
	down, up = opensFactor(a[1], a[0])
	return down || downs, up || ups
}

// opensFactor is of products by a factor a that has no bound.
func opensFactor(a, by Interval) (down, up bool) {
	down = a.Hi == greatest && by.Lo < 0 || a.Lo == least && by.Hi > 0
	up = a.Hi == greatest && by.Hi > 0 || a.Lo == least && by.Lo < 0
	return down, up
}

// corners bounds a function that is monotonic in each argument by its values at the ends.
func corners(f func(x, y int64) (int64, bool), a, b Interval) (Interval, bool) {
	r, all := Interval{greatest, least}, true
	for _, x := range [2]int64{a.Lo, a.Hi} {
		for _, y := range [2]int64{b.Lo, b.Hi} {
			v, ok := f(x, y)
			r, all = r.Join(Point(v)), all && ok
		}
	}
	return r, all
}

// Divisions. Quotients are monotonic where divisors are above 0, and where they are below.

func truncated(n, d int64) int64 { return n / d }

// quotients is of a division that rounds in some way.
func quotients(round func(n, d int64) int64) bounder {
	f := func(n, d int64) (int64, bool) {
		if n == least && d == -1 {
			return greatest, false
		}
		return round(n, d), true
	}
	return func(a operands) (Interval, bool) {
		n, d := a[0], a[1]
		if d.Lo >= 1 && d.Hi < greatest {
			return corners(f, n, d)
		}
		r, ok := Interval{greatest, least}, true
		if d.Hi >= 1 {
			r, _ = corners(f, n, Interval{max(d.Lo, 1), d.Hi})
		}
		if d.Lo <= -1 {
			var other Interval
			other, ok = corners(f, n, Interval{d.Lo, min(d.Hi, -1)})
			r = r.Join(other)
		}
		if d.Holds(0) || d.open() { // without a bound, a divisor brings everything to 0, or to -1, which that of 64 bits may not
			r = r.Join(Point(0))
		}
		return r, ok
	}
}

func opensQuotient(a operands) (down, up bool) {
	down = a[0].Lo == least && a[1].Hi >= 1 || a[0].Hi == greatest && a[1].Lo <= -1
	up = a[0].Hi == greatest && a[1].Hi >= 1 || a[0].Lo == least && a[1].Lo <= -1
	return down, up
}

// remainders have the sign of the dividend, and are nearer to 0 than both.
func remainders(a operands) Interval {
	n, d := a[0], a[1]
	m, _ := magnitude(operands{d})
	if m.Lo > n.Hi && -m.Lo < n.Lo {
		return n
	}
	if m.Hi == greatest {
		return n.Join(Point(0))
	}
	most := max(m.Hi-1, 0)
	return Interval{min(max(n.Lo, -most), 0), max(min(n.Hi, most), 0)}
}

// modulos have the sign of the divisor, and are nearer to 0.
func modulos(a operands) Interval {
	n, d := a[0], a[1]
	if n.Lo >= 0 && n.Hi < d.Lo {
		return n
	}
	r := Interval{min(d.Lo, 0), max(d.Hi, 0)}
	if r.Lo != least && r.Lo != 0 {
		r.Lo++
	}
	if r.Hi != greatest && r.Hi != 0 {
		r.Hi--
	}
	switch {
	case n.Lo >= 0: // it is no less, or has the other sign
		r.Hi = min(r.Hi, n.Hi)
	case n.Hi <= 0:
		r.Lo = max(r.Lo, n.Lo)
	}
	return r
}

// Order and size.

func lesser(a, b Interval) Interval  { return Interval{min(a.Lo, b.Lo), min(a.Hi, b.Hi)} }
func greater(a, b Interval) Interval { return Interval{max(a.Lo, b.Lo), max(a.Hi, b.Hi)} }

func magnitude(a operands) (Interval, bool) {
	x := a[0]
	if x.Lo >= 0 {
		return x, true
	}
	minus, ok := negative(a)
	if x.Hi <= 0 {
		return minus, ok
	}
	return Interval{0, max(x.Hi, minus.Hi)}, ok
}

func sign(v int64) int64 { return min(max(v, -1), 1) }

// What is compared with an end that may be no bound is not decided.

func below(a, b Interval) Interval {
	return decided(a.Hi < b.Lo, a.Lo >= b.Hi && a.Lo > least && b.Hi < greatest)
}

func equal(a, b Interval) Interval {
	return decided(a.isPoint() && a == b && !a.open(), a.Hi < b.Lo || b.Hi < a.Lo)
}

func not(a Interval) Interval { return Interval{1 - a.Hi, 1 - a.Lo} }

// decided is a condition that is known to hold, or not to hold.
func decided(yes, no bool) Interval {
	switch {
	case yes:
		return Point(1)
	case no:
		return Point(0)
	}
	return Bool
}

// Bits, of numbers in two's complement: -1 has all of them.

// complement swaps ends with and without a bound, too: that of the least value of 64 bits is the greatest.
func complement(a Interval) Interval { return Interval{^a.Hi, ^a.Lo} }

// both bounds &, which has no bits that one of its operands lacks.
func both(a, b Interval) Interval {
	switch {
	case a.Lo >= 0 && b.Lo >= 0:
		return Interval{0, min(a.Hi, b.Hi)}
	case a.Lo >= 0:
		return Interval{0, a.Hi}
	case b.Lo >= 0:
		return Interval{0, b.Hi}
	}
	r := Interval{-1 << width(a, b), max(a.Hi, b.Hi)}
	if a.Hi < 0 && b.Hi < 0 {
		r.Hi = min(a.Hi, b.Hi)
	}
	return r
}

// either bounds |, which is the complement of what both complements have; and of two numbers that are not negative it is at least the greater one.
func either(a operands) Interval {
	r := complement(both(complement(a[0]), complement(a[1])))
	if a[0].Lo >= 0 && a[1].Lo >= 0 {
		r.Lo = max(a[0].Lo, a[1].Lo)
	}
	return r
}

// ones bounds how many bits are 1. Of the numbers from 0 to n none has more than those of the form 2^k - 1 among them.
func ones(a Interval) Interval {
	if a.Lo < 0 || a.Hi == greatest { // which may stand for what no i64 holds
		return Interval{0, 64}
	}
	return Interval{min(a.Lo, 1), int64(bits.Len64(uint64(a.Hi)+1) - 1)}
}

// differing bounds ^, which is negative where one operand is.
func differing(a operands) Interval {
	r := Interval{-1 << width(a[0], a[1]), 1<<width(a[0], a[1]) - 1}
	switch equal(below(a[0], Point(0)), below(a[1], Point(0))) {
	case Point(1):
		r.Lo = 0
	case Point(0):
		r.Hi = -1
	}
	return r
}

// width is how many bits numbers have beside their sign.
func width(a, b Interval) int {
	n := 0
	for _, v := range [4]int64{a.Lo, a.Hi, b.Lo, b.Hi} {
		n = max(n, bits.Len64(uint64(v^v>>63)))
	}
	return n
}

// Shifts, by counts that are not negative and below 64.

func shiftedUp(a operands) (Interval, bool) {
	if !a[1].Within(Interval{0, 62}) {
		return All, false
	}
	return corners(func(x, n int64) (int64, bool) { return multiply(x, 1<<n) }, a[0], a[1])
}

func shiftedDown(a operands) (Interval, bool) {
	if !a[1].Within(Interval{0, 63}) {
		return All, false
	}
	return corners(func(x, n int64) (int64, bool) { return x >> n, true }, a[0], a[1])
}

func opensShift(a operands) (down, up bool) { return a[0].Lo == least, a[0].Hi == greatest }
