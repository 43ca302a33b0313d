package fuse

import (
	"cmp"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Sums of columns that are added, or taken from each other, as for the difference of two blurs, are one sum of all their terms. Where an item goes down its rows it has one sum that
// has begun for each row then, and not one for each mask: the difference of blurs of 9 x 9 and 13 x 13 pixels, 8192 x 8192, took 0.217 ms on an H200 by two sums, which take
// 166 registers, and takes 0.195 by one, which takes 127.

// A restSum is a sum along the axis that is left of what a separator has summed along the other one: of columns, where rows come first.
type restSum struct {
	*separator
	of      *product
	weights []types.Word
	base    hast.Expr // of the row or column that places are counted from
	lo      int64     // the first one
	pixel   hast.Load // without its place
}

// along is the sum with a variable for its places.
func (c restSum) along(place *hast.Var) *hast.Reduce {
	load := c.pixel
	lead, y, x := c.axes()
	for _, v := range append(slices.Clone(lead), y, x) {
		load.Index = append(load.Index, hast.Coord{X: hast.RefTo(v)})
	}
	left := 1 - c.axis()
	at := along(c.of.loads[0], left)
	at.X = binary(i32, ops.Add, c.base, hast.RefTo(place))
	load.Index[len(lead)+left] = at
	return c.of.weighted(place, c.weights, c.lo, converted(&load, c.of.of.T))
}

// fromTerms is the sum with places counted from what is no number in its base.
func (c restSum) fromTerms() restSum {
	terms, n := linear.Terms(c.base)
	c.base, c.lo = linear.Sum(terms, 0), c.lo+n
	return c
}

// note notes a sum of columns that may be joined with others: of floats, in any order. Those of integers are put together as combinations of bytes.
func (z *separator) note(sum *hast.Reduce, c restSum) {
	if z.first == schedule.ColumnsFirst || sum.Op != hast.Sum || !sum.T.Kind.IsFloat() {
		return
	}
	if z.terms == nil {
		z.terms = map[*hast.Reduce][]restSum{}
	}
	z.terms[sum] = []restSum{c.fromTerms()}
}

// negative is a sum of columns below zero.
func (c restSum) negative() restSum {
	c.weights = slices.Clone(c.weights)
	for i, w := range c.weights {
		c.weights[i] = types.Float(-w.Float())
	}
	return c
}

// join has the sums and differences of sums of columns be sums by themselves. Definitions that only these read are part of them.
func (z *separator) join(body []hast.Stmt) []hast.Stmt {
	if len(z.terms) < 2 {
		return body
	}
	lets := z.lets(body)
	read := map[*hast.Var]bool{}
	out := hast.MapStmts(body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr { return z.joined(e, lets, read) })
	})
	return hast.WithoutUnread(out, read)
}

// lets are the sums of columns by the variables that are defined as them and are read once, where nothing is done several times.
func (z *separator) lets(body []hast.Stmt) map[*hast.Var]*hast.Reduce {
	lets, reads := map[*hast.Var]*hast.Reduce{}, map[*hast.Var]int{}
	for _, s := range body {
		switch s := s.(type) {
		case *hast.Define:
			if r, ok := s.Init.(*hast.Reduce); ok && z.terms[r] != nil && s.Var.Class == hast.Value {
				lets[s.Var] = r
			}
		case *hast.Store:
		default:
			return nil
		}
	}
	hast.WalkBody(body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			reads[r.Var]++
		}
	})
	for v := range lets {
		if reads[v] != 1 {
			delete(lets, v)
		}
	}
	return lets
}

// joined is what takes the place of a sum or a difference; nil for others. It notes the variables that stand for sums that it has joined.
func (z *separator) joined(e hast.Expr, lets map[*hast.Var]*hast.Reduce, read map[*hast.Var]bool) hast.Expr {
	if _, ok := e.(*hast.Reduce); ok {
		return e
	}
	op, ok := e.(*hast.Op)
	if !ok || len(op.Args) != 2 || op.Op != ops.Add && op.Op != ops.Sub {
		return nil
	}
	out := *op
	out.Args = make([]hast.Expr, 2)
	for i, x := range op.Args {
		out.Args[i] = hast.Map(x, func(e hast.Expr) hast.Expr { return z.joined(e, lets, read) })
	}
	terms := z.allTerms(&out, lets)
	switch {
	case terms != nil:
	case out.Args[0] == op.Args[0] && out.Args[1] == op.Args[1]:
		return op
	default:
		return &out
	}
	for _, x := range out.Args {
		if r, ok := x.(*hast.Ref); ok {
			read[r.Var] = true
		}
	}
	return z.oneOf(op, terms)
}

// allTerms are the sums of columns that a sum or difference is the sum of, of rows that are counted from one; nil where it is of anything else.
func (z *separator) allTerms(op *hast.Op, lets map[*hast.Var]*hast.Reduce) (terms []restSum) {
	for i, x := range op.Args {
		sum, _ := x.(*hast.Reduce)
		if r, ok := x.(*hast.Ref); ok {
			sum = lets[r.Var]
		}
		if sum == nil || z.terms[sum] == nil || sum.T != op.T {
			return nil
		}
		for _, t := range z.terms[sum] {
			if i == 1 && op.Op == ops.Sub {
				t = t.negative()
			}
			if len(terms) > 0 && !hast.Equal(t.base, terms[0].base) {
				return nil
			}
			terms = append(terms, t)
		}
	}
	return terms
}

// oneOf is the sum of the terms of some sums of columns, row by row.
func (z *separator) oneOf(of *hast.Op, terms []restSum) *hast.Reduce {
	row := &hast.Var{Name: "i", Type: i32, Class: hast.Loop, At: of.At}
	which := &hast.Var{Name: "part", Type: i32, Class: hast.Loop, At: of.At}
	out := &hast.Reduce{Typed: of.Typed, Op: hast.Sum, Space: hast.Space{Vars: []*hast.Var{row, which}}}
	for k, t := range slices.Backward(terms) {
		sum := t.along(row)
		for _, p := range sum.Space.Points {
			out.Space.Points = append(out.Space.Points, []int64{p[0], int64(k)})
		}
		if out.Elem == nil {
			out.Elem = sum.Elem
			continue
		}
		is := &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool), At: of.At}, Op: ops.Eq, Args: []hast.Expr{hast.RefTo(which), hast.Int(int64(k))}}
		out.Elem = &hast.Select{Typed: of.Typed, Cond: is, Then: sum.Elem, Else: out.Elem}
	}
	slices.SortFunc(out.Space.Points, func(p, q []int64) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	z.terms[out] = terms
	return out
}
