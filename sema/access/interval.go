package access

import (
	"math"

	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// An interval is lo to hi, both included. Arithmetic stops at plus and minus beyond, which stand for "no bound".
type interval struct{ lo, hi int64 }

// beyond is outside of every integer kind of up to 32 bits and leaves room for sums in int64.
const beyond = 1 << 61

var anything = interval{-beyond, beyond}

// kindInterval is the range of an integer or bool kind; of 64-bit kinds it is anything that the kind's sign allows.
func kindInterval(k types.Kind) interval {
	switch {
	case k == types.Bool:
		return interval{0, 1}
	case k.Bits() == 64 && k.IsUnsigned():
		return interval{0, beyond}
	case k.Bits() == 64 || !k.IsInt():
		return anything
	case k.IsUnsigned():
		return interval{0, 1<<k.Bits() - 1}
	}
	return interval{-1 << (k.Bits() - 1), 1<<(k.Bits()-1) - 1}
}

func (iv interval) within(o interval) bool { return iv.lo >= o.lo && iv.hi <= o.hi }
func (iv interval) bounded() bool          { return iv.lo > -beyond || iv.hi < beyond }
func (iv interval) add(o interval) interval {
	return interval{limit(iv.lo + o.lo), limit(iv.hi + o.hi)}
}
func (iv interval) join(o interval) interval { return interval{min(iv.lo, o.lo), max(iv.hi, o.hi)} }
func (iv interval) meet(o interval) interval {
	m := interval{max(iv.lo, o.lo), min(iv.hi, o.hi)}
	if m.lo > m.hi {
		return iv // the facts contradict each other: either bound is as good
	}
	return m
}

func (iv interval) scale(k int64) interval {
	if k < 0 {
		return interval{product(iv.hi, k), product(iv.lo, k)}
	}
	return interval{product(iv.lo, k), product(iv.hi, k)}
}

func (iv interval) times(o interval) interval {
	a, b, c, d := product(iv.lo, o.lo), product(iv.lo, o.hi), product(iv.hi, o.lo), product(iv.hi, o.hi)
	return interval{min(a, b, c, d), max(a, b, c, d)}
}

func limit(v int64) int64 { return min(max(v, -beyond), beyond) }

// product saturates; it is computed in floating point only to see whether it fits.
func product(a, b int64) int64 {
	if f := float64(a) * float64(b); math.Abs(f) >= beyond {
		return limit(int64(math.Copysign(beyond, f)))
	}
	return a * b
}

// facts says that v lies in the interval.
func (iv interval) facts(v prove.Lin) []prove.Formula {
	var out []prove.Formula
	if iv.lo > -beyond {
		out = append(out, prove.GE(v, prove.K(iv.lo)))
	}
	if iv.hi < beyond {
		out = append(out, prove.LE(v, prove.K(iv.hi)))
	}
	return out
}

// intervalOf bounds a linear expression by the intervals of its variables.
func (a *analysis) intervalOf(l prove.Lin) interval {
	if l.IsUnknown() {
		return anything
	}
	sum := interval{limit(l.Constant()), limit(l.Constant())}
	for _, t := range l.Terms() {
		sum = sum.add(a.limitsOf(t.Var).scale(t.Coef))
	}
	return sum
}

// limitsOf is the interval of a variable, computed from its arguments where it has a definition.
func (a *analysis) limitsOf(v prove.Var) interval {
	if iv, ok := a.limits[v]; ok {
		return iv
	}
	iv := anything
	if d, ok := a.sys.Def(v); ok {
		iv = a.definedInterval(d)
	}
	a.limits[v] = iv
	return iv
}

func (a *analysis) definedInterval(d prove.Def) interval {
	args := make([]interval, len(d.Args))
	for i, arg := range d.Args {
		args[i] = a.intervalOf(arg)
	}
	x := args[0]
	switch d.Op {
	case prove.FloorDiv:
		return a.quotients(d, x, ops.FloorQuotient[int64])
	case prove.TruncDiv:
		return a.quotients(d, x, func(n, d int64) int64 { return n / d })
	case prove.Min:
		return interval{min(x.lo, args[1].lo), min(x.hi, args[1].hi)}
	case prove.Max:
		return interval{max(x.lo, args[1].lo), max(x.hi, args[1].hi)}
	case prove.Abs:
		return absolute(x)
	case prove.Select:
		return x.join(args[1])
	case prove.Product:
		for _, o := range args[1:] {
			x = x.times(o)
		}
		return x
	}
	return anything
}

func absolute(x interval) interval {
	most := max(x.hi, -x.lo)
	if x.lo <= 0 && x.hi >= 0 {
		return interval{0, most}
	}
	return interval{min(max(x.lo, -x.lo), max(x.hi, -x.hi)), most}
}
