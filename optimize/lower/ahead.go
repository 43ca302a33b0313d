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
	return refuseReads(s, n)
}

// refuseFetch is refuseAhead of the steps of chunks.
func refuseFetch(s *hast.Stage, d schedule.Decisions) string {
	n := d.Fetch
	d.Place, d.Fetch, d.Tile, d.Unroll, d.Resident = 0, 0, [2]int{}, 0, 0
	if d != (schedule.Decisions{}) {
		return "fetch stands with tile, unroll and resident alone"
	}
	if steps := block.StepsOf(s); steps == nil || steps.Loop == nil {
		return "it runs no chunks of a scan's lines"
	}
	return refuseReads(s, n)
}

// refuseReads says why no reads of n steps can be made together.
func refuseReads(s *hast.Stage, n int) string {
	reads := block.Components(block.AheadOf(s))
	switch {
	case reads == 0:
		return "its steps read nothing that is known before they are computed"
	case n*reads > mostAhead:
		return fmt.Sprintf("%d steps read %d components ahead, and %d is the most", n, n*reads, mostAhead)
	}
	return ""
}

// lineInAdvance runs inner for the steps of a scan, so many at a time of which all is read first.
func (k *kernelBuilder) lineInAdvance(s *hast.Stage, n int, inner func()) {
	axis := s.Scan.Axis
	v, r := s.Space.Vars[axis], s.Space.Ranges[axis]
	count := k.scalar(v.Name+"_count", i32T, k.rounds(r), interval.Between(0, hast.MaxExtent))
	k.inAdvance(block.AheadOf(s), n, v.Name, count, func(counter kir.Expr) {
		if backwards(s) {
			counter = k.body.op(i32T, ops.Sub, sub(count, i32(1)), counter)
		}
		k.iterator(v, r, counter)
	}, inner)
}

// chunkInAdvance is the same for the steps of a chunk.
func (k *kernelBuilder) chunkInAdvance(loop *hast.For) {
	b, v, r := k.body, loop.Space.Vars[0], loop.Space.Ranges[0]
	lo, hi := b.once("lo", b.expr(r.Lo)), b.once("hi", b.expr(r.Hi))
	stride := max(r.Step, -r.Step)
	length := b.op(i32T, ops.Sub, hi, lo)
	if r.Step < 0 {
		length = b.op(i32T, ops.Sub, lo, hi)
	}
	if stride > 1 {
		length = b.op(i32T, ops.Div, b.op(i32T, ops.Add, length, i32(stride-1)), i32(stride))
	}
	count := b.declare(v.Name+"_count", i32T, false, b.op(i32T, ops.Max, length, i32(0)))
	b.bounds[count] = interval.Between(0, hast.MaxExtent)
	k.inAdvance(k.fetches, k.decided.Fetch, v.Name, ref(count), func(counter kir.Expr) {
		if r.Step != 1 {
			counter = opExpr(i32T, ops.Mul, []kir.Expr{counter, i32(r.Step)}, true)
		}
		at := b.declare(v.Name, i32T, false, opExpr(i32T, ops.Add, []kir.Expr{lo, counter}, true))
		b.bounds[at] = loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), r.Step)
		if r.Step > 0 && stable(hi) {
			b.limits[at] = hi
		}
		b.vars[v] = ref(at)
	}, func() { b.stmts(loop.Body) })
}

// inAdvance runs inner for so many steps, n at a time of which all is read first; at gives the variable of the steps its value in one.
func (k *kernelBuilder) inAdvance(list []*block.Ahead, n int, name string, count kir.Expr, at func(counter kir.Expr), inner func()) {
	b := k.body
	reads := &aheadReads{}
	for _, a := range list {
		t := a.Image.Elem.Array(n)
		if a.Along >= 0 {
			t = a.Image.Elem.Array(n, a.Count)
		}
		reads.list = append(reads.list, &aheadRead{a, b.declare(identifier(a.Image)+"_ahead", t, true, nil)})
	}
	from := b.loopVar(name+"_from", interval.Between(0, hast.MaxExtent-1))
	several := &kir.For{Placed: b.placed(), Var: from, Lo: i32(0), Hi: sub(count, i32(int64(n-1))), Step: int64(n), Exact: true}
	each := func(f func(u kir.Expr)) {
		u := b.loopVar("u", interval.Between(0, int64(n)-1))
		body := b.inside(false, func() {
			at(b.op(i32T, ops.Add, ref(from), ref(u)))
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
	rest := b.loopVar(name+"_step", interval.Between(0, hast.MaxExtent-1))
	left := &kir.For{Placed: b.placed(), Var: rest, Lo: sub(count, b.op(i32T, ops.Rem, count, i32(int64(n)))), Hi: count, Step: 1, Rounds: kir.Looped}
	left.Body = b.inside(false, func() {
		at(ref(rest))
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
