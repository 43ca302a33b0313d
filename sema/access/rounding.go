package access

import (
	"math"

	"imgc/ops"
)

// Sums, differences, products and quotients of floats are rounded as the floating-point mode has it: each by itself, a product and a sum at once, or, in fast mode, in another order
// and with a reciprocal in place of a division, which devices have coarse ones of. Bounds have room for all of these: so much of the sizes that went into them, and what devices may take for 0.
// Beyond mostFollowed nothing is said, so that nothing overflows in any order.
const (
	roundingPart = 0x1p-18
	dividingPart = 0x1p-12
	leastFloat   = 0x1p-120
	mostFollowed = 1 << 24
)

// roundedOps bounds operators that round.
var roundedOps = map[ops.Op]func(x, y floats) floats{
	ops.Add: func(x, y floats) floats {
		return rounded(floats{x.lo + y.lo, x.hi + y.hi, false}, (x.size()+y.size())*roundingPart)
	},
	ops.Sub: func(x, y floats) floats {
		return rounded(floats{x.lo - y.hi, x.hi - y.lo, false}, (x.size()+y.size())*roundingPart)
	},
	ops.Mul: func(x, y floats) floats { return products(x, y, roundingPart) },
	ops.Div: func(x, y floats) floats {
		if y.lo <= leastFloat && y.hi >= -leastFloat {
			return anyFloat
		}
		return products(x, floats{1 / y.hi, 1 / y.lo, false}, dividingPart)
	},
}

// size is the greatest magnitude.
func (f floats) size() float64 { return math.Max(math.Abs(f.lo), math.Abs(f.hi)) }

// followed reports whether a float is a number of a size that is followed.
func (f floats) followed() bool { return !f.nan && f.size() <= mostFollowed }

// products are rounded by a part of theirs.
func products(x, y floats, part float64) floats {
	a, b, c, d := x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi
	p := floats{math.Min(math.Min(a, b), math.Min(c, d)), math.Max(math.Max(a, b), math.Max(c, d)), false}
	out := rounded(p, p.size()*part)
	if p.lo >= 0 { // a sign is never lost
		out.lo = math.Max(out.lo, 0)
	}
	return out
}

// rounded has room for rounding by so much.
func rounded(f floats, by float64) floats {
	room := by + leastFloat
	return floats{f.lo - room, f.hi + room, false}
}

// roundedBy bounds an operator of two numbers that rounds; ok is false of all others.
func roundedBy(op ops.Op, args []floats) (out floats, ok bool) {
	f := roundedOps[op]
	if f == nil || len(args) != 2 || !args[0].followed() || !args[1].followed() {
		return anyFloat, false
	}
	out = f(args[0], args[1])
	return out, out.followed()
}
