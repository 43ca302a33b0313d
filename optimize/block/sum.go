package block

import (
	"math/bits"

	"imgc/hast"
	"imgc/ops"
)

// Sums are the combinations of bytes that a body of definitions and stores computes, each as large as it is in the text; those that
// a reduction takes together, at its first point. Points of reductions are written out up to unroll of them.
func Sums(s *hast.Stage, what *Stage, unroll int) (sums []*Combination) {
	EachSum(s, what, unroll, func(_ hast.Expr, c *Combination) { sums = append(sums, c) })
	return sums
}

// EachSum calls a function with each of them, and with the expression that it stands for: the sum as it is, or divided by a power of two where that is a byte, which sums so much larger
// have in one of their bytes.
func EachSum(s *hast.Stage, what *Stage, unroll int, f func(hast.Expr, *Combination)) {
	if what.Alone != "" {
		return
	}
	c := &census{Combiner: Combiner{Stage: what, Unroll: unroll, Lets: map[*hast.Var]*Combination{}}, found: f}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if d, ok := st.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil {
			c.Lets[d.Var] = c.look(d.Init)
			return
		}
		exprs, _ := hast.Parts(st)
		for _, e := range exprs {
			c.look(e)
		}
	}, nil)
}

// MaskSums calls a function with each reduction of a body that combines several bytes, by itself.
func MaskSums(s *hast.Stage, what *Stage, unroll int, f func(*hast.Reduce, *Combination)) {
	if what.Alone != "" {
		return
	}
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			c := &Combiner{Stage: what, Unroll: unroll} // which knows the variables of this reduction, and of no other
			if sum := c.Of(r); sum != nil && len(sum.Taps) > 1 {
				f(r, sum)
			}
		}
	})
}

type census struct {
	Combiner
	found func(hast.Expr, *Combination)
}

// look looks at an expression and what is in it.
func (c *census) look(e hast.Expr) *Combination {
	if found := c.Of(e); found != nil {
		if _, named := e.(*hast.Ref); !named && len(found.Taps) > 0 {
			c.found(e, found)
		}
		return found
	}
	if sum := c.divided(e); sum != nil {
		c.found(e, sum)
		return nil
	}
	if r, ok := e.(*hast.Reduce); ok {
		if points, ok := Points(r.Space, c.Unroll); ok && len(points) > 0 {
			c.Bind(r.Space.Vars, points[0])
		}
	}
	hast.EachOperand(e, func(x hast.Expr) { c.look(x) })
	return nil
}

// divided is a sum of which a value is the quotient by a power of two, if that is a byte; nil where it is none.
func (c *census) divided(e hast.Expr) *Combination {
	switch e := e.(type) {
	case *hast.Convert:
		if e.How != hast.Bitcast && e.X.Type().Kind.IsInt() && e.T.IsScalar() && e.T.Kind.IsInt() {
			return c.divided(e.X)
		}
	case *hast.Op:
		if len(e.Args) != 2 {
			return nil
		}
		by, known := c.Constant(e.Args[1])
		n, ok := ShiftOf(e.Op, by)
		sum := c.Of(e.Args[0])
		if !known || !ok || n < 1 || n > 8 || sum == nil || len(sum.Taps) == 0 {
			return nil
		}
		if lo, hi := sum.Bounds(); lo >= 0 && hi>>n <= 255 {
			return sum
		}
	}
	return nil
}

// ShiftOf is by how many bits an operator with a constant shifts what is not negative to the right; ok is false of others than shifts and divisions by powers of two.
func ShiftOf(op ops.Op, by int64) (n int64, ok bool) {
	switch {
	case op == ops.Shr:
		return by, by >= 0
	case op == ops.Div || op == ops.FloorDiv:
		return int64(bits.TrailingZeros64(uint64(by))), by > 0 && by&(by-1) == 0
	}
	return 0, false
}
