package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// Where it does not matter which part of a reduction has which points, the groups of a launch take those of images without gaps as one line: items find
// what they load by their number alone, lines need not be as long as groups take at once, and none has a line more than others. It is for small images, of
// which an item has a block or few, so that finding it takes as long as loading it. The sum of 1920 x 1080 bytes takes 2.2 us so on an H200, and 2.5 line by line.

// longest is how many points a line has at most of which blocks are counted in 32 bits.
const longest = 1 << 29

// isOneLine reports whether groups may take the points of a stage's reduction as those of one line.
func isOneLine(s *hast.Stage, unroll int) bool {
	points, _ := block.OneLine(s, unroll)
	return points != nil
}

// onOneLine lowers a stage whose groups take points as those of one line, for images that are one, and for all others in a kernel of its own, which takes their lines. What the other
// one needs besides would cost each time: the sum of 1920 x 1080 bytes took 2.27 us on an H200 in one kernel for both, of 32 registers, and takes 2.16 in its own, of 17. The last group goes on in either.
func (pl *planner) onOneLine(s *hast.Stage, d schedule.Decisions) {
	behind := pl.lastBehind()
	pl.inCommon = map[string]*hast.Image{}
	steps := func(d schedule.Decisions) (k *kernelBuilder, steps []kir.Step) {
		steps = pl.inside(func() {
			if k = pl.stageAs(s, d); behind != nil {
				pl.stage(behind)
			}
		})
		return k, steps
	}
	k, line := steps(d)
	if k.oneLine == nil {
		pl.emit(line...)
	} else {
		d.Flat = 0
		_, lines := steps(d)
		pl.emit(&kir.IfHost{Cond: k.oneLine, Then: line, Else: lines})
		pl.whole = nil
	}
	pl.inCommon = nil
}

// lastBehind takes the stage that the last group goes on with out of the steps behind the one at hand, if that is decided.
func (pl *planner) lastBehind() *hast.Stage {
	s, ok := pl.next.(*hast.Stage)
	if !ok || pl.decisions(s).Last == 0 || pl.decisions(s).Copies[0] > 0 { // the last of its own groups does what comes before updates in copies
		return nil
	}
	pl.late[s] = true
	return s
}

// takeOneLine takes the points of all groups as those of one line, which the host finds them to be.
func (k *kernelBuilder) takeOneLine(t *taker, s hast.Space, others func()) {
	b, line := k.body, *t
	line.stage, line.what = block.OneLine(k.team.stage, k.decided.Unroll)
	line.within, line.lo = interval.Between(0, longest), i32(0)
	points, is := k.onLine(&line)
	if points == nil {
		others()
		return
	}
	k.oneLine = both(k.oneLine, is)
	line.hi = k.scalar("points", i32T, points, interval.Between(0, longest))
	of := k.team
	parts, _ := block.TripCount(of.stage.Space.Ranges[0])
	all := parts * int64(of.size*line.width)
	first := b.op(i32T, ops.Mul, b.value(of.stage.Space.Vars[0]), i32(int64(of.size)))
	start := b.op(i32T, ops.Mul, b.op(i32T, ops.Add, first, ref(of.item)), i32(int64(line.width)))
	for _, v := range s.Vars {
		b.vars[v] = i32(0) // nothing depends on it
	}
	k.takeApart(&line, start, all, of.lines)
}

// onLine is how many points the images have that a taker reads, and whether they lie without gaps, start where vectors may and are whole blocks, host values. nil where it reads none.
func (k *kernelBuilder) onLine(t *taker) (points, is kir.Expr) {
	s := k.lineTurn(t, i32(0))
	if s == nil {
		return nil, nil
	}
	s.arrange()
	points = s.instances()
	rest := opExpr(i64T, ops.Rem, []kir.Expr{points, i64(int64(t.width))}, true)
	is = both(s.gapless(), opExpr(boolType, ops.Eq, []kir.Expr{rest, i64(0)}, true))
	is = both(is, opExpr(boolType, ops.Le, []kir.Expr{points, i64(longest)}, true))
	if starts := s.starts(); starts != nil {
		is = both(is, starts)
	}
	return points, is
}

// takeApart takes blocks of one line, some at once, which lie as many points apart as all groups take.
func (k *kernelBuilder) takeApart(t *taker, start kir.Expr, apart int64, atOnce int) {
	b := k.body
	v := b.loopVar(t.v.Name+"0", t.within)
	body := b.inside(false, func() {
		blocks, conds := make([]*strip, atOnce), make([]kir.Expr, atOnce)
		for i := range blocks {
			at := ref(v)
			if i > 0 {
				next := b.declare(t.v.Name+"0", i32T, false, b.op(i32T, ops.Add, ref(v), i32(int64(i)*apart)))
				b.bounds[next] = interval.Between(0, t.within.Hi+int64(i)*apart)
				at, conds[i] = ref(next), b.op(boolType, ops.Lt, ref(next), t.hi)
			}
			blocks[i] = k.lineTurn(t, at)
			k.fetchIf(blocks[i], conds[i])
		}
		for i, s := range blocks {
			k.takeLoaded(t, place{at: s.first[0]}, s, conds[i])
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: start, Hi: t.hi, Step: int64(atOnce) * apart, Rounds: kir.Looped, Body: body, Exact: true})
}

// lineTurn is turn of a block of one line.
func (k *kernelBuilder) lineTurn(t *taker, at kir.Expr) *strip {
	s := k.turn(t, place{at: at})
	if s != nil {
		s.flat = true
	}
	return s
}

// joinedOf is what an instance has of a reduction. Where a group takes points of one line it does not matter either which of its instances has which: all items join what they have, for the first
// instance, and the others have nothing.
func (b *body) joinedOf(e *hast.Reduce, x *sharer) kir.Expr {
	t := b.kernel.team
	if b.kernel.decided.Flat == 0 || t.slot == nil {
		return x.join()
	}
	apart := *t
	t.size, t.groups, t.item, t.slot = t.all(), 1, t.within, nil
	all := x.join()
	t.size, t.groups, t.item, t.slot = apart.size, apart.groups, apart.item, apart.slot
	return &kir.Select{Typed: kir.Typed{T: e.T}, Cond: b.op(boolType, ops.Eq, ref(t.slot), i32(0)), Then: all, Else: b.identity(e.Op, e.T)}
}
