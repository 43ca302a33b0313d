package interp

import (
	"math"

	"imgc/hast"
	"imgc/types"
)

// claimed compiles an integer of which something is claimed so that each value is held against that.
func (c *compiler) claimed(e hast.Expr, x intExpr) intExpr {
	claim, ok := c.b.claims[e]
	if !ok {
		return x
	}
	at, k := e.Span(), e.Type().Kind
	equal := make([]intFn, len(claim.Equal))
	for i, form := range claim.Equal {
		equal[i] = c.int(form).eval
	}
	return intCode(func(fr *frame) int64 {
		v := x.eval(fr)
		if k == types.U64 && v < 0 { // more than 63 bits hold, which no claim but an open one takes
			if claim.Hi != math.MaxInt64 {
				throw(at, "a value of %d is claimed to be at most %d", uint64(v), claim.Hi)
			}
			return v
		}
		if v < claim.Lo || v > claim.Hi {
			throw(at, "a value of %d is claimed to be %d to %d", v, claim.Lo, claim.Hi)
		}
		for _, f := range equal {
			if w := f(fr); w == v {
				return v
			}
		}
		if len(equal) > 0 {
			throw(at, "a value of %d is claimed to be %d", v, equal[len(equal)-1](fr))
		}
		return v
	})
}
