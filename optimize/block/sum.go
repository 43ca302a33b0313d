package block

import "imgc/hast"

// Sums are the combinations of bytes that a body of definitions and stores computes, each as large as it is in the text; those that
// a reduction takes together, at its first point. Points of reductions are written out up to unroll of them.
func Sums(s *hast.Stage, what *Stage, unroll int) []*Combination {
	if what.Alone != "" {
		return nil
	}
	c := &census{Combiner: Combiner{Stage: what, Unroll: unroll, Lets: map[*hast.Var]*Combination{}}}
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
	return c.sums
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
	sums []*Combination
}

// look looks at an expression and what is in it.
func (c *census) look(e hast.Expr) *Combination {
	if found := c.Of(e); found != nil {
		if _, named := e.(*hast.Ref); !named && len(found.Taps) > 0 {
			c.sums = append(c.sums, found)
		}
		return found
	}
	if r, ok := e.(*hast.Reduce); ok {
		if points, ok := Points(r.Space, c.Unroll); ok && len(points) > 0 {
			c.Bind(r.Space.Vars, points[0])
		}
	}
	hast.EachOperand(e, func(x hast.Expr) { c.look(x) })
	return nil
}
