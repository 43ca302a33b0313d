package interval

import (
	"math"

	"imgc/types"
)

// An Interval is the integers from Lo to Hi, both included.
type Interval struct{ Lo, Hi int64 }

const (
	least    = math.MinInt64
	greatest = math.MaxInt64
)

// All is every value of 64 bits with a sign; among numbers of any size, all of them.
var All = Interval{least, greatest}

// Bool is what a condition may be.
var Bool = Interval{0, 1}

// Between is the numbers from lo to hi.
func Between(lo, hi int64) Interval { return Interval{lo, hi} }

// Point is a single number.
func Point(v int64) Interval { return Interval{v, v} }

// AtLeast is the numbers from lo on.
func AtLeast(lo int64) Interval { return Interval{lo, greatest} }

// OfKind is every value of an integer kind, those of a bool; of floats, All. Of u64 the greatest values have no number here: it has no greatest one.
func OfKind(k types.Kind) Interval {
	switch {
	case k == types.Bool:
		return Bool
	case k == types.U64:
		return AtLeast(0)
	case k == types.I64, !k.IsInt():
		return All
	case k.IsUnsigned():
		return Interval{0, 1<<k.Bits() - 1}
	}
	return Interval{-1 << (k.Bits() - 1), 1<<(k.Bits()-1) - 1}
}

// OfWord is the value of a constant of an integer kind or of bools. Those of u64 that have no number here are beyond the greatest one.
func OfWord(k types.Kind, w types.Word) Interval {
	if k == types.U64 && w.Uint() > greatest {
		return Point(greatest)
	}
	return Point(w.Int())
}

// Within reports whether all of a lies in b.
func (a Interval) Within(b Interval) bool { return b.Lo <= a.Lo && a.Hi <= b.Hi }

// Holds reports whether a number lies in a.
func (a Interval) Holds(v int64) bool { return a.Lo <= v && v <= a.Hi }

// isPoint reports whether a is a single number.
func (a Interval) isPoint() bool { return a.Lo == a.Hi }

// Join is the least interval with all of a and b.
func (a Interval) Join(b Interval) Interval { return Interval{min(a.Lo, b.Lo), max(a.Hi, b.Hi)} }

// Meet is the part that a and b share; a where they share nothing: the code is dead then, or the facts contradict each other, and either bound is as good.
func (a Interval) Meet(b Interval) Interval {
	m := Interval{max(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	if m.Lo > m.Hi {
		return a
	}
	return m
}

// Counting bounds what a variable has in the rounds of a loop that counts from lo, by a step, as long as hi is not reached; false where there is no round.
func Counting(lo, hi Interval, step int64) (iv Interval, runs bool) {
	if iv = (Interval{lo.Lo, hi.Minus(Point(1)).Hi}); step < 0 {
		iv = Interval{hi.Plus(Point(1)).Lo, lo.Hi}
	}
	return iv, iv.Lo <= iv.Hi
}

// Limit brings numbers into an interval: those outside to its ends.
func (a Interval) Limit(to Interval) Interval {
	return Interval{min(max(a.Lo, to.Lo), to.Hi), max(min(a.Hi, to.Hi), to.Lo)}
}

// Convert is what a value of one kind of integers or bools is as one of another, and reports whether it stays the number that it is.
func (a Interval) Convert(from, to types.Kind) (iv Interval, exact bool) {
	if from == types.U64 && to == types.I64 && a.Hi == greatest {
		return All, false // it may be one that has no number here
	}
	return a.Wrap(to), a.Within(OfKind(to))
}

// Wrap is what becomes of numbers that are cut to the bits of a kind: the same distance between them where all wrap alike, else any value of it.
func (a Interval) Wrap(k types.Kind) Interval {
	all := OfKind(k)
	if a.Within(all) || !k.IsInt() || k.Bits() == 64 || !a.Within(Interval{-1 << 62, 1 << 62}) {
		return a.orAll(all)
	}
	turns := (a.Lo - all.Lo) >> k.Bits() << k.Bits()
	return Interval{a.Lo - turns, a.Hi - turns}.orAll(all)
}

// orAll is a where it lies in all, else that.
func (a Interval) orAll(all Interval) Interval {
	if a.Within(all) {
		return a
	}
	return all
}

// Plus, Minus and Times are of numbers of any size, as Unbounded.

// Plus bounds sums.
func (a Interval) Plus(b Interval) Interval { return open(sum, opensSum, operands{a, b}) }

// Minus bounds differences.
func (a Interval) Minus(b Interval) Interval {
	return open(difference, opensDifference, operands{a, b})
}

// Times bounds products.
func (a Interval) Times(b Interval) Interval { return open(product, opensProduct, operands{a, b}) }
