package overlap

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
)

// A span is what a variable lies in: between numbers, from the first row or column of the block on if it has a base.
type span struct {
	lo, hi int64
	base   int // 0 for rows, 1 for columns, -1 for none
}

// edges are what the first row and column of a block have to be for all reads to be inside of the images.
type edges struct {
	least [2]int64
	most  []edge
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
		if s.Points != nil {
			if len(s.Points) > 0 {
				lo := slices.MinFunc(s.Points, func(p, q []int64) int { return int(p[k] - q[k]) })
				hi := slices.MaxFunc(s.Points, func(p, q []int64) int { return int(p[k] - q[k]) })
				b.spans[v] = span{lo[k], hi[k], -1}
			}
			continue
		}
		r := s.Ranges[k]
		n, known := block.TripCount(r)
		lo, _ := hast.Number(r.Lo)
		if known && n > 0 {
			last := lo + (n-1)*r.Step
			b.spans[v] = span{min(lo, last), max(lo, last), -1}
		}
	}
}

// spanOf is what a sum of variables and numbers lies in; false where that is not known.
func (b *blocking) spanOf(e hast.Expr) (out span, known bool) {
	terms, n := linear.Terms(e)
	out = span{n, n, -1}
	for _, t := range terms {
		r, ok := t.X.(*hast.Ref)
		if !ok {
			return out, false
		}
		s, ok := b.spans[r.Var]
		switch {
		case !ok || s.base >= 0 && (t.Minus || out.base >= 0):
			return out, false
		case t.Minus:
			out.lo, out.hi = out.lo-s.hi, out.hi-s.lo
		default:
			out.lo, out.hi, out.base = out.lo+s.lo, out.hi+s.hi, max(out.base, s.base)
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
		b.edges.least[at.base] = max(b.edges.least[at.base], -at.lo)
		c.Below = false
	}
	if c.Above {
		b.edges.note(at.base, at.hi, m.Extent[axis])
		c.Above = false
	}
	return c
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
	return cond
}
