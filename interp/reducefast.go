package interp

import (
	"imgc/hast"
	"imgc/types"
)

// Reductions of one component that are common have closures without words in between.

// intReduce compiles a reduction whose result is an integer or bool.
func (c *compiler) intReduce(e *hast.Reduce) intExpr {
	switch {
	case e.Elem.Type().Words() > 1 || e.Elem.Type().Kind.IsFloat():
	case e.Op == hast.Sum, e.Op == hast.Count:
		return c.intSum(e)
	case e.Op == hast.Any:
		return c.decide(e, 1)
	case e.Op == hast.All:
		return c.decide(e, 0)
	}
	b := c.reduceBlock(e)
	return intCode(func(fr *frame) int64 {
		b.run(fr)
		return int64(fr.w[b.at])
	})
}

// intSum adds in 64 bits and wraps once, which is the same as to wrap each time.
func (c *compiler) intSum(e *hast.Reduce) intExpr {
	k := e.T.Kind
	if terms := c.intTerms(e); terms != nil {
		return intCode(func(fr *frame) int64 {
			sum := int64(0)
			for _, f := range terms {
				sum += f(fr)
			}
			return wrapInt(k, sum)
		})
	}
	to := c.reserve(1)
	run := c.forEach(e, func() stmtFn {
		f := c.int(e.Elem).eval
		return func(fr *frame) control {
			fr.w[to] += types.Int(f(fr))
			return next
		}
	})
	return intCode(func(fr *frame) int64 {
		fr.w[to] = 0
		run(fr)
		return wrapInt(k, fr.w[to].Int())
	})
}

func wrapInt(k types.Kind, v int64) int64 {
	if k == types.I32 {
		return int64(int32(v))
	}
	return types.Wrap(k, types.Int(v)).Int()
}

// decide compiles any (wanted 1) and all (wanted 0): the reduction ends at the first element that is as wanted.
func (c *compiler) decide(e *hast.Reduce, wanted int64) intExpr {
	run := c.forEach(e, func() stmtFn {
		f := c.int(e.Elem).eval
		return func(fr *frame) control {
			if f(fr) == wanted {
				return leave
			}
			return next
		}
	})
	return intCode(func(fr *frame) int64 {
		if run(fr) == leave {
			return wanted
		}
		return 1 - wanted
	})
}

// floatReduce compiles a reduction whose result is a float.
func (c *compiler) floatReduce(e *hast.Reduce) floatExpr {
	if e.Op == hast.Sum && e.Ways == 0 && e.Elem.Type().Words() == 1 && e.T.Kind.Bits() >= 32 {
		if terms := c.floatTerms(e); terms != nil {
			if e.T.Kind == types.F32 {
				return floatCode(sumFloats[float32](terms))
			}
			return floatCode(sumFloats[float64](terms))
		}
	}
	b := c.reduceBlock(e)
	return floatCode(func(fr *frame) float64 {
		b.run(fr)
		return fr.w[b.at].Float()
	})
}

// sumFloats rounds after each term: both operands are of type T.
func sumFloats[T floating](terms []floatFn) floatFn {
	return func(fr *frame) float64 {
		sum := T(0)
		for _, f := range terms {
			sum += T(f(fr))
		}
		return float64(sum)
	}
}

// intTerms compiles the elements of a reduction over few known points without condition; nil for others.
func (c *compiler) intTerms(e *hast.Reduce) []intFn {
	if e.Where != nil {
		return nil
	}
	points, ok := c.unroll(e.Space, nodes(e.Elem))
	if !ok {
		return nil
	}
	terms := make([]intFn, 0, len(points))
	for _, p := range points {
		c.atPoint(e.Space, p, func() { terms = append(terms, c.int(e.Elem).eval) })
	}
	return terms
}

func (c *compiler) floatTerms(e *hast.Reduce) []floatFn {
	if e.Where != nil {
		return nil
	}
	points, ok := c.unroll(e.Space, nodes(e.Elem))
	if !ok {
		return nil
	}
	terms := make([]floatFn, 0, len(points))
	for _, p := range points {
		c.atPoint(e.Space, p, func() { terms = append(terms, c.float(e.Elem).eval) })
	}
	return terms
}
