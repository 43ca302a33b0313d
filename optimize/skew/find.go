package skew

import (
	"fmt"
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A slanted is a scan whose instances write a pixel of an image at a place that runs along one of its axes with the steps, and is shifted from line to line.
type slanted struct {
	stage *hast.Stage
	lets  map[*hast.Var]hast.Expr
	// ranges are those of variables of reductions and loops, where they are constant
	ranges map[*hast.Var][2]int64
	guard  *hast.If // under its condition, which is that the place is one of the image, it writes the pixel
	store  *hast.Store
	along  int      // the axis that is slanted
	at     []affine // the place, by axis
	most   []affine // the last index of each axis
	// ranges of the variables with which there is an instance for each pixel; part where the scan does not write all of them
	ranged []hast.Range
	checks []*hast.Check // which the entry makes because of these
	part   bool
}

// Steps lie in a ring of lines, of which a launch may write less than half while others still read those of the steps before.
const (
	ring     = 256
	mostBack = 64
)

// find is what a stage is that writes and reads an image along slanted lines; nil of others. Its body is definitions, a condition, and stores behind that.
func find(s *hast.Stage) *slanted {
	if !s.Scan.Meet() || s.Where != nil || len(s.Fused) > 0 {
		return nil
	}
	x := &slanted{stage: s, lets: map[*hast.Var]hast.Expr{}, ranges: constantRanges(s.Body)}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class == hast.Value && st.Init != nil {
				x.lets[st.Var] = st.Init
			}
		case *hast.Store:
		case *hast.If:
			if x.guard != nil || len(st.Else) > 0 {
				return nil
			}
			x.guard = st
		default:
			return nil
		}
	}
	if x.guard == nil {
		return nil
	}
	for _, st := range x.guard.Then {
		if d, ok := st.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil {
			x.lets[d.Var] = d.Init
		}
	}
	for _, st := range x.guard.Then {
		if st, ok := st.(*hast.Store); ok && x.takes(st) {
			return x
		}
	}
	return nil
}

// constantRanges are the first and the last values of the variables of reductions and loops that have constant bounds.
func constantRanges(body []hast.Stmt) map[*hast.Var][2]int64 {
	out := map[*hast.Var][2]int64{}
	space := func(s hast.Space) {
		for i, r := range s.Ranges {
			lo, known := hast.Number(r.Lo)
			hi, too := hast.Number(r.Hi)
			if known && too && r.Step == 1 && lo < hi {
				out[s.Vars[i]] = [2]int64{lo, hi - 1}
			}
		}
	}
	hast.WalkBody(body, func(st hast.Stmt) {
		if f, ok := st.(*hast.For); ok {
			space(f.Space)
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			space(r.Space)
		}
	})
	return out
}

// takes looks at whether a store is of what the scan carries along slanted lines.
func (x *slanted) takes(st *hast.Store) bool {
	m := st.Image
	if st.Updates() || st.Skip || m.View != nil || m.Of != nil || m.Lower != nil || m.Spread || m.Rank() < 2 || m.Rank() != len(x.stage.Space.Vars) {
		return false
	}
	x.store, x.along, x.at, x.most = st, -1, nil, nil
	return x.alone() && x.place() && x.comes() && x.carried()
}

// alone reports whether nothing else of the body writes the image.
func (x *slanted) alone() bool {
	count := 0
	hast.EachStore(x.stage.Body, func(st *hast.Store) {
		if st.Image.Base() == x.store.Image {
			count++
		}
	})
	return count == 1
}

// place finds how the pixel lies that an instance writes: x = t - a*y + c along one axis, for the variable of the scan t, and other variables by themselves.
func (x *slanted) place() bool {
	t := x.steps()
	for axis, e := range x.store.Index {
		at, ok := form(e, x.lets)
		extent, known := form(x.store.Image.Extent[axis], nil)
		if !ok || !known {
			return false
		}
		x.at, x.most = append(x.at, at), append(x.most, extent.more(-1))
		if at.of[t] != 0 {
			if at.of[t] != 1 || x.along >= 0 || len(x.offset(at).of) == len(at.of)-1 {
				return false
			}
			x.along = axis
		} else if x.line(axis) < 0 {
			return false
		}
	}
	return x.along >= 0 && x.apart()
}

// offset is the part of a place along the slanted axis that is the same for all instances.
func (x *slanted) offset(at affine) affine {
	out := at
	for v, n := range at.of {
		if v.Class == hast.Iterator {
			out = out.plus(affine{of: map[*hast.Var]int64{v: 1}}, -n)
		}
	}
	return out
}

// apart reports whether each variable but that of the scan is the place along an axis of its own.
func (x *slanted) apart() bool {
	seen := map[int]bool{}
	for _, axis := range x.others() {
		seen[x.line(axis)] = true
	}
	return len(seen) == len(x.at)-1
}

// steps is the variable of the scan.
func (x *slanted) steps() *hast.Var { return x.stage.Space.Vars[x.stage.Scan.Axis] }

// line is the variable that is the place along an axis, by its number in the space; -1 where none is.
func (x *slanted) line(axis int) int {
	return slices.IndexFunc(x.stage.Space.Vars, func(v *hast.Var) bool {
		return len(x.at[axis].of) == 1 && x.at[axis].of[v] == 1 && x.at[axis].k == 0
	})
}

// others are the axes beside the slanted one.
func (x *slanted) others() (list []int) {
	for axis := range x.at {
		if axis != x.along {
			list = append(list, axis)
		}
	}
	return list
}

// within are the sums that are 0 or more where the place is one of the image.
func (x *slanted) within() (list []affine) {
	for axis, at := range x.at {
		list = append(list, at, x.most[axis].plus(at, -1))
	}
	return list
}

// inside reports whether the guard holds wherever the place is one of the image. (That it holds nowhere else is what the store rests on.)
func (x *slanted) inside() bool {
	known := x.within()
	var holds func(e hast.Expr) bool
	holds = func(e hast.Expr) bool {
		c, ok := e.(*hast.Op)
		if !ok || len(c.Args) != 2 {
			return false
		}
		if c.Op == ops.LAnd {
			return holds(c.Args[0]) && holds(c.Args[1])
		}
		d, ok := x.difference(c)
		return ok && d.atLeast(known)
	}
	return holds(x.guard.Cond)
}

// difference is the sum that is 0 or more where a comparison holds.
func (x *slanted) difference(c *hast.Op) (affine, bool) {
	if c.Args[0].Type() != types.Scalar(types.I32) {
		return affine{}, false
	}
	a, known := form(c.Args[0], x.lets)
	b, too := form(c.Args[1], x.lets)
	if !known || !too {
		return affine{}, false
	}
	switch c.Op {
	case ops.Ge:
		return a.plus(b, -1), true
	case ops.Gt:
		return a.plus(b, -1).more(-1), true
	case ops.Le:
		return b.plus(a, -1), true
	case ops.Lt:
		return b.plus(a, -1).more(-1), true
	}
	return affine{}, false
}

// comes finds ranges with which instances come to all pixels: the scan's own, or larger ones where it leaves out some.
func (x *slanted) comes() bool {
	x.ranged, x.checks = x.stage.Space.Ranges, nil
	if all := x.covers() && x.complete(); all || !x.simple() {
		x.part = !x.inside()
		return all
	}
	x.ranged, x.part = slices.Clone(x.ranged), true
	for _, axis := range x.others() {
		x.ranged[x.line(axis)] = hast.Range{Lo: hast.Int(0), Hi: x.store.Image.Extent[axis], Step: 1}
	}
	first, last := x.firstAndLast()
	end := last.more(1)
	x.ranged[x.stage.Scan.Axis] = hast.Range{Lo: first.expr(), Hi: end.expr(), Step: 1}
	x.check(ops.Ge, first, math.MinInt32)
	x.check(ops.Le, end, math.MaxInt32)
	return first.ofSizes() && end.ofSizes() && !slices.ContainsFunc(x.stage.Space.Ranges, func(r hast.Range) bool { return r.Step != 1 })
}

// check has the entry check that an end of the steps is one of i32.
func (x *slanted) check(op ops.Op, end affine, most int64) {
	if _, known := end.number(); known {
		return
	}
	than := map[ops.Op]string{ops.Ge: ">=", ops.Le: "<="}[op]
	x.checks = append(x.checks, &hast.Check{
		Cond:    hast.Compare(op, end.wide(), wide(most)),
		Message: fmt.Sprintf("the range of %s needs %s %s %d, because indices are of type i32", x.steps().Name, hast.Text(end.expr()), than, most),
		At:      x.stage.At,
	})
}

// simple reports whether instances that the scan does not have may run what stands before its guard: values that are computed with coordinates.
func (x *slanted) simple() bool {
	return !slices.ContainsFunc(x.stage.Body, func(st hast.Stmt) bool {
		d, ok := st.(*hast.Define)
		if !ok {
			return st != hast.Stmt(x.guard)
		}
		_, known := form(hast.RefTo(d.Var), x.lets)
		return !known
	})
}

// covers reports whether the variables beside that of the scan go through the axes of the image.
func (x *slanted) covers() bool {
	return !slices.ContainsFunc(x.others(), func(axis int) bool { return !x.stage.Space.Ranges[x.line(axis)].Covers(x.store.Image, axis) })
}

// complete reports whether the steps come to all pixels of the image, if there are lines of all.
func (x *slanted) complete() bool {
	r := x.stage.Space.Ranges[x.stage.Scan.Axis]
	lo, known := form(r.Lo, nil)
	hi, too := form(r.Hi, nil)
	if !known || !too || r.Step != 1 {
		return false
	}
	first, last := x.firstAndLast()
	return first.plus(lo, -1).atLeast(x.most) && hi.more(-1).plus(last, -1).atLeast(x.most)
}

// firstAndLast are the steps that come to the first and the last pixel of the image: from t = a*y - c at the least.
func (x *slanted) firstAndLast() (first, last affine) {
	offset := x.offset(x.at[x.along])
	first, last = affine{}.plus(offset, -1), x.most[x.along].plus(offset, -1)
	for _, axis := range x.others() {
		switch a := x.slope(axis); {
		case a > 0:
			last = last.plus(x.most[axis], a)
		case a < 0:
			first = first.plus(x.most[axis], a)
		}
	}
	return first, last
}

// slope is by how many steps the pixels of a line come behind those beside them in the line before it along an axis.
func (x *slanted) slope(axis int) int64 {
	return -x.at[x.along].of[x.stage.Space.Vars[x.line(axis)]]
}

// A distance is how far from its own place an instance reads: in steps, and along each axis. Variables of reductions may be in it.
type distance struct {
	steps affine
	by    []affine
}

// own reports whether it is the instance's own place.
func (d distance) own() bool {
	return !slices.ContainsFunc(d.by, func(by affine) bool { return by.k != 0 || len(by.of) > 0 })
}

// distance is that of a read of the image; false where it depends on where the instance is.
func (x *slanted) distance(l *hast.Load) (d distance, ok bool) {
	for axis, c := range l.Index {
		at, known := form(c.X, x.lets)
		if !known {
			return d, false
		}
		by := at.plus(x.at[axis], -1)
		if _, _, known := by.between(x.ranges); !known {
			return d, false
		}
		d.by = append(d.by, by)
		if axis == x.along {
			d.steps = d.steps.plus(by, 1)
		} else {
			d.steps = d.steps.plus(by, x.slope(axis))
		}
	}
	return d, true
}

// isBefore reports whether all of what lies so far away has been written in steps before, and, in some, whether any has. All else is as it was before the scan.
func (x *slanted) isBefore(d distance) (all, some bool) {
	lo, hi, _ := d.steps.between(x.ranges)
	if x.stage.Scan.Down {
		lo, hi = -hi, -lo
	}
	return hi < 0 && lo >= -mostBack, lo < 0
}

// carried reports whether what steps read of what others have written is known by the step, and some is.
func (x *slanted) carried() bool {
	found, good := false, true
	var outside hast.Expr
	x.eachRead(func(e hast.Expr) {
		l, ok := e.(*hast.Load)
		if !ok {
			good = false
			return
		}
		d, ok := x.distance(l)
		all, some := x.isBefore(d)
		if good = good && ok && l.Image == x.store.Image && all == some; !all || l.Rule == nil {
			found = found || all
			return
		}
		found = true
		good = good && l.Rule.Kind == hast.Constant && (outside == nil || hast.Equal(outside, l.Rule.Value))
		outside = l.Rule.Value
	})
	return good && found
}

// eachRead visits the reads of the image, or of parts of it.
func (x *slanted) eachRead(visit func(e hast.Expr)) {
	hast.WalkBody(x.stage.Body, nil, func(e hast.Expr) {
		switch l := e.(type) {
		case *hast.Load:
			if l.Image.Base() == x.store.Image {
				visit(e)
			}
		case *hast.Window:
			if l.Image.Base() == x.store.Image {
				visit(e)
			}
		}
	})
}
