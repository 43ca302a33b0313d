package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/schedule"
)

// Whether sums and extremes of windows are computed along rows, and then along columns, and where what comes of it is.

// separate tries to compute sums of a stage along one axis, and then along the other: in an order, or where none is decided, in that which takes less time. It returns the stages for what comes
// first.
func (g *grouper) separate(s *hast.Stage, decided schedule.Order) (parts []*hast.Stage) {
	orders, next, best := []schedule.Order{decided}, g.pipeline, math.Inf(1)
	if decided == 0 {
		orders, best = []schedule.Order{schedule.RowsFirst, schedule.ColumnsFirst}, g.cost(s)
	}
	for _, first := range orders {
		with, list := g.made.Separate(g.pipeline, s, first)
		if len(list) == 0 || decided == 0 && first == schedule.ColumnsFirst && !columnsMayPay(s, list) {
			continue
		}
		if time := g.apartTime(with, list, s, first); decided != 0 || time < best {
			next, parts, best, g.sep[s.Name] = with, list, time, first
		}
	}
	if len(parts) > 0 {
		g.replace(next, parts)
	}
	return parts
}

// columnsMayPay reports whether it is worth looking at sums along columns first: of several planes, which rows would have above and below each tile as well.
func columnsMayPay(s *hast.Stage, parts []*hast.Stage) bool {
	return planes(parts) > 1 && !sumsBytes(parts) && !readsInSteps(s)
}

// planes is how many numbers some parts have for each of their instances.
func planes(parts []*hast.Stage) (n int) {
	for _, part := range parts {
		hast.EachStore(part.Body, func(st *hast.Store) { n += int(st.Image.Elem.Lanes) })
	}
	return n
}

// apartTime is the predicted time of a stage that is separated, to be held against others.
func (g *grouper) apartTime(next *hast.Pipeline, parts []*hast.Stage, s *hast.Stage, first schedule.Order) float64 {
	if first == schedule.ColumnsFirst {
		return surelyColumns * g.fused(next, parts)
	}
	return g.inRows(next, parts, s)
}

// surelyColumns is by how much longer sums count of which columns come first: a guided filter with colours took 4.0 ms on an H200 so, for 2.9 that are predicted. Of one mask both orders took as
// long (7 x 7 floats of 8192 x 8192 in 138 to 141 and 145 us).
const surelyColumns = 1.1

// placeParts says where the pixels of parts of a separated stage are, if that is decided. A line for the stage was made for one kernel, unless there is one for the part, too.
func (g *grouper) placeParts(parts []*hast.Stage, of schedule.Decisions) {
	for _, part := range parts {
		g.places[part.Name] = g.target.decided(part).Place
		if g.free(part) && of.Separate != 0 && of.Place != 0 {
			g.places[part.Name] = schedule.Fuse
		}
	}
}

// inRows is the predicted time of a stage that is separated, in one kernel with its rows or, of bytes alone and where that cannot be, behind them.
func (g *grouper) inRows(next *hast.Pipeline, parts []*hast.Stage, s *hast.Stage) float64 {
	one := g.fused(next, parts)
	switch {
	case !sumsBytes(parts) && !math.IsInf(one, 1):
		return one
	case slices.ContainsFunc(parts, readsInSteps):
		return math.Inf(1)
	}
	two := g.cost(g.made.Of(next).Named(s.Name))
	for _, part := range parts {
		two += g.cost(part)
	}
	return surelyBytes * min(one, two)
}

// fusePart makes a stage that has come of another a part of it. Rows of bytes stay by themselves where that is decided, or takes less time: they have forms then that they have in no
// group of stages, several bytes in a register.
func (g *grouper) fusePart(s *hast.Stage, place schedule.Placement) {
	self, into := g.groups.Into(s)
	next := g.groups.Clone()
	n := &Grouping{Stage: s, Tried: schedule.Fuse, Why: next.Fuse(s)}
	switch {
	case place == schedule.Root || place == schedule.Join:
		g.own[s.Name] = true
		return
	case n.Why == "" && (place == schedule.Fuse || !sumsPlainBytes(s)):
		g.groups = next
		return
	case n.Why == "":
		n.Apart = g.cost(self)
		for _, x := range into {
			n.Apart += g.cost(x)
		}
		for _, last := range next.Ends(s) {
			n.Together += g.cost(last)
		}
		if n.Together <= n.Apart {
			g.groups = next
			return
		}
	}
	g.own[s.Name] = true
	for _, x := range into {
		n.Into = append(n.Into, x.Name)
	}
	if len(n.Into) > 0 {
		g.list = append(g.list, n)
	}
}

// writesVectors reports whether a stage writes pixels of several components.
func writesVectors(s *hast.Stage) (found bool) {
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || st.Image.Elem.Lanes > 1 })
	return found
}

// surelyBytes is by how much longer separated sums and extremes of bytes count, of which the model knows less than of the forms that they have as they are, several in a register.
const surelyBytes = 1.15

// sumsBytes reports whether all parts of a separated stage sum bytes as integers, or take the least or greatest of them, for which devices have better forms: several in a
// register. Of products of bytes they have none.
func sumsBytes(parts []*hast.Stage) bool {
	return !slices.ContainsFunc(parts, func(p *hast.Stage) bool { return !sumsPlainBytes(p) })
}

// readsInSteps reports whether instances beside each other read an image more than one pixel apart: windows have less in common then, and the model takes what is read for less than
// it is where only some columns are summed.
func readsInSteps(s *hast.Stage) (found bool) {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if load, ok := e.(*hast.Load); ok {
			hast.Walk(load.Index[len(load.Index)-1].X, func(e hast.Expr) {
				x, ok := e.(*hast.Op)
				found = found || ok && x.Op != ops.Add && x.Op != ops.Sub
			})
		}
	})
	return found
}

// sumsPlainBytes reports whether what a part adds up are integers, of which each is made of one byte.
func sumsPlainBytes(part *hast.Stage) bool {
	bytes := false
	hast.WalkBody(part.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok && r.T.Kind.IsInt() {
			reads, small := 0, true
			hast.Walk(r.Elem, func(e hast.Expr) {
				if load, ok := e.(*hast.Load); ok {
					reads, small = reads+1, small && load.Image.Elem.Kind.Bits() == 8
				}
			})
			bytes = reads == 1 && small
		}
	})
	return bytes
}

// separating is what becomes of a pipeline when the sums of one stage are separated that are not so far; nil where there are none. By itself
// such a stage may be bound by memory, so that separating brings nothing; fused with those that it reads, or in what it is inlined into, it is bound by its sums: corners of bytes took 0.201 ms
// on an H200 whole and 0.181 separated (through OpenCL 0.200 and 0.185).
func separating(p *hast.Pipeline, s *hast.Stage, t Target, eval func(hast.Expr) int64, so *grouper) *grouper {
	if so.sep[s.Name] != 0 || t.decided(s).Place != 0 || !so.sums || so.whole {
		return nil
	}
	if so.groups.Named(s.Name) != nil && len(so.groups.Stages()) < 2 { // it is alone
		return nil
	}
	if _, parts := so.made.Separate(p, s, schedule.RowsFirst); len(parts) == 0 || sumsBytes(parts) {
		return nil
	}
	decided := t.decided
	t.Decided = func(x *hast.Stage) schedule.Decisions {
		d := decided(x)
		if d.Separate = so.sep[x.Name]; x.Name == s.Name {
			d.Separate = schedule.RowsFirst
		}
		return d
	}
	return grouping(p, t, eval, so.tries)
}
