package interval

import (
	"math/bits"

	"imgc/ops"
	"imgc/types"
)

// operands are the intervals of as many as an operator of integers has. They are values, so that those of the many operators that are looked at need no memory.
type operands [3]Interval

// ruleOf is the row of an operator, and its operands; false where it has none.
func ruleOf(op ops.Op, args []Interval) (r rule, in operands, ok bool) {
	if int(op) >= len(rules) || rules[op].bound == nil || len(args) > len(in) {
		return r, in, false
	}
	copy(in[:], args)
	return rules[op], in, true
}

// Of bounds what an operator makes of values of 64 bits, as a number; false where it may be none of 64 bits, or nothing is known.
func Of(op ops.Op, args ...Interval) (Interval, bool) {
	r, in, ok := ruleOf(op, args)
	if !ok {
		return All, false
	}
	return r.bound(in)
}

// Unbounded bounds what an operator makes of numbers of any size.
func Unbounded(op ops.Op, args ...Interval) Interval {
	r, in, ok := ruleOf(op, args)
	if !ok {
		return All
	}
	return open(r.bound, r.opens, in)
}

// open has no bound where operands without one leave none.
func open(bound bounder, opens opener, in operands) Interval {
	iv, _ := bound(in)
	if opens == nil || !in.open() {
		return iv
	}
	down, up := opens(in)
	if down {
		iv.Lo = least
	}
	if up {
		iv.Hi = greatest
	}
	return iv
}

// open reports whether one of the operands may have no bound.
func (in *operands) open() bool {
	return in[0].open() || in[1].open() || in[2].open()
}

func (a Interval) open() bool { return a.Lo == least || a.Hi == greatest }

// InKind bounds what an operator gives on operands of kind k, and reports whether that is what it is of numbers: that nothing is cut to the bits of the result.
func InKind(op ops.Op, k types.Kind, args ...Interval) (iv Interval, exact bool) {
	r, in, ok := ruleOf(op, args)
	to := resultOf(op, k)
	if !ok {
		return OfKind(to), false
	}
	if !countFits(op, k, args) {
		in[1] = Interval{0, int64(k.Bits()) - 1}
	}
	if iv, exact = r.bound(in); k == types.U64 {
		iv = open(r.bound, r.opens, in)
	}
	if !exact {
		return OfKind(to), false
	}
	if op == ops.Popcount || op == ops.Clz {
		iv = iv.Meet(Interval{0, int64(k.Bits())})
	}
	if op == ops.Clz && in[0].Lo >= 0 && in[0].Hi != greatest {
		iv = Interval{zeros(k, in[0].Hi), zeros(k, in[0].Lo)}
	}
	return iv.Wrap(to), iv.Within(OfKind(to))
}

// zeros is how many bits of kind k are above the highest one of v.
func zeros(k types.Kind, v int64) int64 { return int64(k.Bits() - bits.Len64(uint64(v))) }

// resultOf is the kind of what an operator gives.
func resultOf(op ops.Op, k types.Kind) types.Kind {
	switch op.Info().Result {
	case ops.Truth, ops.Flag:
		return types.Bool
	case ops.Index:
		return types.I32
	}
	return k
}

// countFits reports whether the count of a shift, if op is one, lies below the width of kind k: others are taken modulo that.
func countFits(op ops.Op, k types.Kind, args []Interval) bool {
	return op != ops.Shl && op != ops.Shr || args[1].Within(Interval{0, int64(k.Bits()) - 1})
}

// divides are the operators that give 0 for a divisor of 0.
var divides = [...]bool{ops.Div: true, ops.Rem: true, ops.Mod: true, ops.FloorDiv: true}

// Plain reports whether an operator on operands of kind k stays clear of what processors and languages leave open, or have other forms for: of integers with a
// sign that wrap, or that are shifted up and below 0, of divisors that are not known to be above 0, of counts of the width or more.
func Plain(op ops.Op, k types.Kind, args ...Interval) bool {
	division := int(op) < len(divides) && divides[op]
	switch {
	case !countFits(op, k, args), division && args[1].Lo < 1:
		return false
	case k.IsUnsigned() && !division:
		return true
	case op == ops.Shl && args[0].Lo < 0:
		return false
	}
	_, exact := InKind(op, k, args...)
	return exact
}
