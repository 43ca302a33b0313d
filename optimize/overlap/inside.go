package overlap

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
)

// A span is what a variable lies in: between numbers, from the first row or column of the block on if it has a base, and from a value of the host on if there is one.
type span struct {
	lo, hi    int64
	base      int          // 0 for rows, 1 for columns, -1 for none
	low, high *linear.Term // of the host, beside lo and hi; nil for none
}

// negative is a value of the host that is taken away, if there is one.
func negative(t *linear.Term) *linear.Term {
	if t == nil {
		return nil
	}
	return &linear.Term{X: t.X, Minus: !t.Minus}
}

// edges are what the first row and column of a block have to be for all reads to be inside of the images.
type edges struct {
	least [2]int64
	most  []edge
	host  []hast.Expr // conditions with values of the host
}

// An edge is the end of an image, which the first row or column and as much as past have to lie below.
type edge struct {
	base int
	past int64
	end  hast.Expr
}

// note enters that the first row or column plus as much as past lies below an end.
func (g *edges) note(base int, past int64, end hast.Expr) {
	for i, e := range g.most {
		if e.base == base && hast.Equal(e.end, end) {
			g.most[i].past = max(e.past, past)
			return
		}
	}
	g.most = append(g.most, edge{base, past, end})
}

// bind notes what the variables of a space lie in, where that is known.
func (b *blocking) bind(s hast.Space) {
	for k, v := range s.Vars {
		if s.Points == nil {
			if at, known := ofRange(s.Ranges[k]); known {
				b.spans[v] = at
			}
		} else if len(s.Points) > 0 {
			lo := slices.MinFunc(s.Points, func(p, q []int64) int { return int(p[k] - q[k]) })
			hi := slices.MaxFunc(s.Points, func(p, q []int64) int { return int(p[k] - q[k]) })
			b.spans[v] = span{lo: lo[k], hi: hi[k], base: -1}
		}
	}
}

// ofRange is what the values of a range lie in that has some; false where neither numbers nor the host say that.
func ofRange(r hast.Range) (at span, known bool) {
	at.base = -1
	if n, counted := block.TripCount(r); counted {
		first, _ := hast.Number(r.Lo)
		last := first + (n-1)*r.Step
		at.lo, at.hi = min(first, last), max(first, last)
		return at, n > 0
	}
	if r.Step != 1 {
		return at, false
	}
	end := func(e hast.Expr, n *int64, of **linear.Term) bool {
		if c, number := hast.Number(e); number {
			*n = c
			return true
		}
		*of = &linear.Term{X: e}
		return hast.SameForAll(e)
	}
	known = end(r.Lo, &at.lo, &at.low) && end(r.Hi, &at.hi, &at.high)
	at.hi--
	return at, known
}

// spanOf is what a sum of variables and numbers lies in; false where that is not known.
func (b *blocking) spanOf(e hast.Expr) (out span, known bool) {
	terms, n := linear.Terms(e)
	out = span{lo: n, hi: n, base: -1}
	for _, t := range terms {
		r, ok := t.X.(*hast.Ref)
		if !ok {
			return out, false
		}
		s, ok := b.spans[r.Var]
		if t.Minus {
			s.lo, s.hi, s.low, s.high = -s.hi, -s.lo, negative(s.high), negative(s.low)
		}
		if !ok || s.base >= 0 && (t.Minus || out.base >= 0) || s.low != nil && out.low != nil || s.high != nil && out.high != nil {
			return out, false
		}
		out.lo, out.hi, out.base = out.lo+s.lo, out.hi+s.hi, max(out.base, s.base)
		if s.low != nil {
			out.low = s.low
		}
		if s.high != nil {
			out.high = s.high
		}
	}
	return out, true
}

// free is an expression whose reads know that they are inside, where that follows from where the block is.
func (b *blocking) free(e hast.Expr) hast.Expr {
	if !b.inside {
		return e
	}
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		l, ok := e.(*hast.Load)
		if !ok {
			return nil
		}
		x, marked := *l, false
		x.Index = slices.Clone(l.Index)
		for k, c := range x.Index {
			x.Index[k] = b.freeOf(l.Image, k, c)
			marked = marked || x.Index[k].Below || x.Index[k].Above
		}
		if !marked {
			x.Rule = nil
		}
		return &x
	})
}

// freeOf is a coordinate that is known to be inside, if that follows.
func (b *blocking) freeOf(m *hast.Image, axis int, c hast.Coord) hast.Coord {
	at, known := b.spanOf(c.X)
	if c.X = b.free(c.X); !known || at.base < 0 || m.Lower != nil {
		return c
	}
	if c.Below {
		b.edges.notBelow(at, hast.RefTo(b.first[at.base]))
		c.Below = false
	}
	if c.Above {
		b.edges.notAbove(at, hast.RefTo(b.first[at.base]), m.Extent[axis])
		c.Above = false
	}
	return c
}

// notBelow enters that what lies in a span is not below 0. No value of the host makes a side of a comparison wrap around.
func (g *edges) notBelow(at span, first hast.Expr) {
	switch t := at.low; {
	case t == nil:
		g.least[at.base] = max(g.least[at.base], -at.lo)
	case t.Minus:
		g.enter(hast.Compare(ops.Le, t.X, hast.Plus(first, at.lo)))
	default:
		g.enter(hast.Compare(ops.Ge, t.X, hast.Binary(ops.Sub, hast.Int(-at.lo), first)))
	}
}

// notAbove enters that it is below an end.
func (g *edges) notAbove(at span, first, end hast.Expr) {
	switch t := at.high; {
	case t == nil:
		g.note(at.base, at.hi, end)
	case t.Minus:
		g.enter(hast.Compare(ops.Gt, t.X, hast.Binary(ops.Sub, hast.Plus(first, at.hi), end)))
	default:
		g.enter(hast.Compare(ops.Lt, t.X, hast.Binary(ops.Sub, hast.Plus(end, -at.hi), first)))
	}
}

// enter adds a condition once.
func (g *edges) enter(cond hast.Expr) {
	if !slices.ContainsFunc(g.host, func(e hast.Expr) bool { return hast.Equal(e, cond) }) {
		g.host = append(g.host, cond)
	}
}

// lies is the condition under which a block is as a whole in the iteration, and all that it reads in the images.
func (b *blocking) lies() (cond hast.Expr) {
	for k, v := range b.first {
		b.edges.note(k, int64(b.size[k]-1), b.end(k))
		if least := b.edges.least[k]; least > 0 {
			cond = hast.And(cond, hast.Compare(ops.Ge, hast.RefTo(v), hast.Int(least)))
		}
	}
	for _, e := range b.edges.most {
		cond = hast.And(cond, hast.Compare(ops.Lt, hast.Plus(hast.RefTo(b.first[e.base]), e.past), e.end))
	}
	for _, c := range b.edges.host {
		cond = hast.And(cond, c)
	}
	return cond
}
