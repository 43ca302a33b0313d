package lower

import (
	"math"
	"slices"

	"imgc/interval"
	"imgc/ops"
)

// A span bounds a float that is a number for certain, both ends included; the zero span says that nothing is known.
type span struct {
	lo, hi float64
	known  bool
}

// bounded is the span between two ends, where they are of a size that is followed.
func bounded(lo, hi float64) span { return span{lo, hi, true}.kept() }

// spanOfInts has the floats that integers of an interval become, before they are rounded.
func spanOfInts(iv interval.Interval) span { return bounded(float64(iv.Lo), float64(iv.Hi)) }

// maxSpan is how large the ends of spans are at most, so that nothing overflows that is computed of two.
const maxSpan = 1 << 60

func (s span) within(t span) bool { return s.known && t.lo <= s.lo && s.hi <= t.hi }

// kept is a span whose ends are of a size that is followed.
func (s span) kept() span {
	if s.known && -maxSpan <= s.lo && s.lo <= s.hi && s.hi <= maxSpan {
		return s
	}
	return span{}
}

func (s span) join(t span) span {
	if !s.known || !t.known {
		return span{}
	}
	return bounded(min(s.lo, t.lo), max(s.hi, t.hi))
}

// rounded has room for the rounding of what lies in a span to f32, of numbers that are not normal as well.
func (s span) rounded() span {
	const part, least = 0x1p-22, 0x1p-140
	if !s.known {
		return s
	}
	return bounded(s.lo-math.Abs(s.lo)*part-least, s.hi+math.Abs(s.hi)*part+least)
}

// nearest has what lies in a span rounded to the nearest f32: rounding keeps order, so that ends that are f32 stay. Devices may take what is not normal for 0.
func (s span) nearest() span {
	if !s.known {
		return s
	}
	lo, hi := float32(s.lo), float32(s.hi)
	if float64(lo) > s.lo {
		lo = math.Nextafter32(lo, float32(math.Inf(-1)))
	}
	if float64(hi) < s.hi {
		hi = math.Nextafter32(hi, float32(math.Inf(1)))
	}
	const normal = 0x1p-126
	if 0 < lo && lo < normal {
		lo = 0
	}
	if -normal < hi && hi < 0 {
		hi = 0
	}
	return bounded(float64(lo), float64(hi))
}

// spanOf bounds what an operator gives for operands that are bounded.
func spanOf(op ops.Op, p []wideValue) span {
	args := make([]span, len(p))
	for i, a := range p {
		args[i] = a.span
	}
	return spanIn(op, args).rounded()
}

// spanIn bounds what an operator gives before it is rounded.
func spanIn(op ops.Op, args []span) span {
	f := spans[op]
	if f == nil {
		return span{}
	}
	for _, a := range args {
		if !a.known {
			return span{}
		}
	}
	return f(args)
}

var spans = map[ops.Op]func(a []span) span{
	ops.Neg: func(a []span) span { return bounded(-a[0].hi, -a[0].lo) },
	ops.Abs: func(a []span) span {
		return bounded(max(0, a[0].lo, -a[0].hi), max(-a[0].lo, a[0].hi))
	},
	ops.Add: func(a []span) span { return bounded(a[0].lo+a[1].lo, a[0].hi+a[1].hi) },
	ops.Sub: func(a []span) span { return bounded(a[0].lo-a[1].hi, a[0].hi-a[1].lo) },
	ops.Mul: func(a []span) span { return product(a[0], a[1]) },
	ops.Fma: func(a []span) span {
		p := product(a[0], a[1])
		if !p.known {
			return span{}
		}
		return bounded(p.lo+a[2].lo, p.hi+a[2].hi)
	},
	ops.Min: func(a []span) span { return bounded(min(a[0].lo, a[1].lo), min(a[0].hi, a[1].hi)) },
	ops.Max: func(a []span) span { return bounded(max(a[0].lo, a[1].lo), max(a[0].hi, a[1].hi)) },
	ops.Clamp: func(a []span) span {
		return bounded(min(max(a[0].lo, a[1].lo), a[2].lo), min(max(a[0].hi, a[1].hi), a[2].hi))
	},
	ops.Floor: func(a []span) span { return bounded(math.Floor(a[0].lo), math.Floor(a[0].hi)) },
	ops.Ceil:  func(a []span) span { return bounded(math.Ceil(a[0].lo), math.Ceil(a[0].hi)) },
	ops.Trunc: func(a []span) span { return bounded(math.Trunc(a[0].lo), math.Trunc(a[0].hi)) },
	ops.Sqrt: func(a []span) span {
		if a[0].lo < 0 {
			return span{}
		}
		return bounded(math.Sqrt(a[0].lo), math.Sqrt(a[0].hi))
	},
}

func product(a, b span) span {
	corners := [4]float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	return bounded(slices.Min(corners[:]), slices.Max(corners[:]))
}
