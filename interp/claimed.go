package interp

import "imgc/hast"

// claimed compares each value of an integer expression with what proofs have claimed of it, where Options.Claims has that. A value outside of a claim is a fault of
// the proofs.
func (c *compiler) claimed(e hast.Expr, x intExpr) intExpr {
	list := c.b.claims.Of(e)
	if len(list) == 0 {
		return x
	}
	k, where, eval := e.Type().Kind, e.Span(), x.eval
	value := func(fr *frame) func(v *hast.Var) (int64, bool) {
		return func(v *hast.Var) (int64, bool) {
			if at, ok := c.slots[v]; ok {
				return fr.w[at].Int(), true
			}
			return 0, false
		}
	}
	unrolled := map[*hast.Var]int64{} // what loops that are written out count at this place
	for v, n := range c.constants {
		unrolled[v] = n
	}
	return intCode(func(fr *frame) int64 {
		n, slot := eval(fr), value(fr)
		for _, claim := range list {
			broken := claim.Broken(n, k, func(v *hast.Var) (int64, bool) {
				if n, ok := unrolled[v]; ok {
					return n, true
				}
				if words, ok := c.b.values[v]; ok {
					return words[0].Int(), true
				}
				return slot(v)
			})
			if broken != "" {
				throw(where, "a claim of the proofs does not hold: %s", broken)
			}
		}
		return n
	})
}
