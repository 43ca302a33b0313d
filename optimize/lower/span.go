package lower

import (
	"math"

	"imgc/ops"
)

// A span bounds a float that is a number for certain, both ends included; the zero span says that nothing is known.
type span struct{ lo, hi float64 }

// maxSpan is how large the ends of spans are at most, so that nothing overflows that is computed of two.
const maxSpan = 1 << 60

func (s span) known() bool { return s != span{} }

func (s span) within(t span) bool { return s.known() && t.lo <= s.lo && s.hi <= t.hi }

// kept is a span whose ends are of a size that is followed.
func (s span) kept() span {
	if -maxSpan <= s.lo && s.lo <= s.hi && s.hi <= maxSpan {
		return s
	}
	return span{}
}

// rounded has room for the rounding of what lies in a span to f32, of numbers that are not normal as well.
func (s span) rounded() span {
	const part, least = 0x1p-22, 0x1p-140
	return span{s.lo - math.Abs(s.lo)*part - least, s.hi + math.Abs(s.hi)*part + least}.kept()
}

// spanOf bounds what an operator gives for operands that are bounded.
func spanOf(op ops.Op, p []wideValue) span {
	f := spans[op]
	if f == nil {
		return span{}
	}
	args := make([]span, len(p))
	for i, a := range p {
		if args[i] = a.span; !a.span.known() {
			return span{}
		}
	}
	return f(args).rounded()
}

var spans = map[ops.Op]func(a []span) span{
	ops.Neg: func(a []span) span { return span{-a[0].hi, -a[0].lo} },
	ops.Abs: func(a []span) span {
		return span{max(0, a[0].lo, -a[0].hi), max(-a[0].lo, a[0].hi)}
	},
	ops.Add: func(a []span) span { return span{a[0].lo + a[1].lo, a[0].hi + a[1].hi} },
	ops.Sub: func(a []span) span { return span{a[0].lo - a[1].hi, a[0].hi - a[1].lo} },
	ops.Mul: func(a []span) span { return product(a[0], a[1]) },
	ops.Fma: func(a []span) span {
		p := product(a[0], a[1])
		return span{p.lo + a[2].lo, p.hi + a[2].hi}
	},
	ops.Min: func(a []span) span { return span{min(a[0].lo, a[1].lo), min(a[0].hi, a[1].hi)} },
	ops.Max: func(a []span) span { return span{max(a[0].lo, a[1].lo), max(a[0].hi, a[1].hi)} },
}

func product(a, b span) span {
	corners := [4]float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	s := span{corners[0], corners[0]}
	for _, c := range corners {
		s = span{min(s.lo, c), max(s.hi, c)}
	}
	return s
}
