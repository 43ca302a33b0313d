package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// Work-items that take a line of a scan each read what several steps need of other images (block.Ahead) before they compute any of these steps. What is left
// of the line takes its steps one by one.

// An aheadRead is what an item has read of an image for some steps.
type aheadRead struct {
	*block.Ahead
	v *kir.Var // steps x pixels, or steps
}

// aheadReads are those at hand, and which of the steps is being computed.
type aheadReads struct {
	list []*aheadRead
	step kir.Expr
}

// mostAhead bounds the components that are read ahead: they are registers.
const mostAhead = 128

// refuseAhead says why items cannot read what n steps need ahead, as the end of a sentence; "" where they can.
func refuseAhead(s *hast.Stage, d schedule.Decisions) string {
	n := d.Ahead
	d.Place, d.Ahead, d.Tile, d.Unroll, d.Resident = 0, 0, [2]int{}, 0, 0
	if d != (schedule.Decisions{}) {
		return "ahead stands with tile, unroll and resident alone"
	}
	switch {
	case s.Scan == nil:
		return "it is no scan"
	case s.Scan.Meet():
		return "its lines along the scan touch pixels together, so that each step waits for the one before"
	}
	reads := block.Components(block.AheadOf(s))
	switch {
	case reads == 0:
		return "its steps read nothing that is known before they are computed"
	case n*reads > mostAhead:
		return fmt.Sprintf("%d steps read %d components ahead, and %d is the most", n, n*reads, mostAhead)
	}
	return ""
}

// inAdvance runs inner for the steps of a scan, so many at a time of which all is read first.
func (k *kernelBuilder) inAdvance(s *hast.Stage, n int, inner func()) {
	b, axis := k.body, s.Scan.Axis
	reads := &aheadReads{}
	for _, a := range block.AheadOf(s) {
		t := a.Image.Elem.Array(n)
		if a.Along >= 0 {
			t = a.Image.Elem.Array(n, a.Count)
		}
		reads.list = append(reads.list, &aheadRead{a, b.declare(identifier(a.Image)+"_ahead", t, true, nil)})
	}
	v, r := s.Space.Vars[axis], s.Space.Ranges[axis]
	count := k.scalar(v.Name+"_count", i32T, k.count(r), interval.Between(0, hast.MaxExtent))
	step := func(counter kir.Expr) {
		if backwards(s) {
			counter = b.op(i32T, ops.Sub, sub(count, i32(1)), counter)
		}
		k.iterator(v, r, counter)
	}
	from := b.loopVar(v.Name+"_from", interval.Between(0, hast.MaxExtent-1))
	several := &kir.For{Placed: b.placed(), Var: from, Lo: i32(0), Hi: sub(count, i32(int64(n-1))), Step: int64(n), Exact: true}
	each := func(f func(u kir.Expr)) {
		u := b.loopVar("u", interval.Between(0, int64(n)-1))
		body := b.inside(false, func() {
			step(b.op(i32T, ops.Add, ref(from), ref(u)))
			f(ref(u))
		})
		b.emit(&kir.For{Placed: b.placed(), Var: u, Lo: i32(0), Hi: i32(int64(n)), Step: 1, Rounds: kir.WrittenOut, Body: body})
	}
	several.Body = b.inside(false, func() {
		each(func(u kir.Expr) { k.readAhead(reads, u) })
		each(func(u kir.Expr) {
			reads.step, k.ahead = u, reads
			inner()
			k.ahead = nil
		})
	})
	b.emit(several)
	rest := b.loopVar(v.Name+"_step", interval.Between(0, hast.MaxExtent-1))
	left := &kir.For{Placed: b.placed(), Var: rest, Lo: sub(count, b.op(i32T, ops.Rem, count, i32(int64(n)))), Hi: count, Step: 1, Rounds: kir.Looped}
	left.Body = b.inside(false, func() {
		step(ref(rest))
		inner()
	})
	b.emit(left)
}

// readAhead reads what a step needs.
func (k *kernelBuilder) readAhead(reads *aheadReads, u kir.Expr) {
	b := k.body
	for _, a := range reads.list {
		read := func(coords []hast.Coord, idx ...kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: a.v, Index: append([]kir.Expr{u}, idx...), Value: b.load(a.Image, coords, a.Rule)})
		}
		if a.Along < 0 {
			read(a.Index)
			continue
		}
		if run := k.run(a.Image, a.Along, a.Count); run > 0 && !slices.ContainsFunc(a.Index, func(c hast.Coord) bool { return c.Below || c.Above }) {
			coords := make([]hast.Expr, len(a.Index))
			for i, c := range a.Index {
				coords[i] = c.X
			}
			k.inRuns(a.Image, kir.Reads, coords, a.Along, a.Count, run, func(buf *buffer, at kir.Expr, first int) kir.Stmt {
				return &kir.LoadRun{Placed: b.placed(), Var: a.v, Index: []kir.Expr{u, i32(int64(first))}, Buffer: buf.v, Offset: at, Count: run}
			})
			continue
		}
		b.eachElem(a.Image.Elem.Array(a.Count), func(idx []kir.Expr) {
			coords := slices.Clone(a.Index)
			coords[a.Along] = b.coordinate(idx[0], a.Index[a.Along])
			read(coords, idx[0])
		})
	}
}

// coordinate is one that a kernel has, in the place of another one.
func (b *body) coordinate(i kir.Expr, like hast.Coord) hast.Coord {
	at := like.X.Span()
	v := &hast.Var{Name: "i", Type: i32T, Class: hast.Value, At: at}
	b.vars[v] = i
	return hast.Coord{X: &hast.Ref{Typed: hast.Typed{T: i32T, At: at}, Var: v}}
}

// fromAhead is what has been read ahead; nil where it has not.
func (k *kernelBuilder) fromAhead(m *hast.Image, index []hast.Coord, rule *hast.Rule) kir.Expr {
	if k.ahead == nil {
		return nil
	}
	for _, a := range k.ahead.list {
		if !a.Has(m, index, rule) {
			continue
		}
		if a.Along < 0 {
			return k.body.elemOf(a.v, []kir.Expr{k.ahead.step})
		}
		i := k.body.expr(index[a.Along].X)
		if rangeOf(i, k.body.bounds).Within(interval.Between(0, int64(a.Count)-1)) {
			return k.body.elemOf(a.v, []kir.Expr{k.ahead.step, i})
		}
	}
	return nil
}
