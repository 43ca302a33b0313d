package lower

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Reductions of one stage over the same points share one loop over them, so that each pixel is read once.

// A sharer is one reduction while its points are taken.
type sharer struct {
	reduce *hast.Reduce // over the item's own points
	reducer
	before func(atHand)         // a block of points
	after  func()               // a block of points
	point  func(place kir.Expr) // takes the element at the current point
	join   func() kir.Expr      // of all items
}

// A block is at hand when its points are about to be taken; each does something with all of them.
type atHand struct {
	place
	along *hast.Var // that runs along its line
	each  func(point func(place kir.Expr))
}

// teamReduce is a reduction whose points the items of the group share; nil where they do not.
func (b *body) teamReduce(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.team == nil || !b.kernel.team.shares[e] {
		return nil
	}
	t := b.kernel.team
	if x := t.done[e]; x != nil {
		return x
	}
	var same []*hast.Reduce
	for _, r := range t.order {
		if r == e || t.done[r] == nil && samePoints(r.Space, e.Space) && b.known(r) {
			same = append(same, r)
		}
	}
	list := make([]*sharer, len(same))
	for i, r := range same {
		list[i] = b.sharer(r)
		list[i].begin()
	}
	b.takeShared(e.Space, same, list)
	for i, r := range same {
		t.done[r] = b.joinedOf(r, list[i])
	}
	return t.done[e]
}

// samePoints reports whether two spaces are the same. Those with the same variables need not be: a stage that is inlined more than once has them
// over ranges that may depend on where its pixels are read.
func samePoints(x, y hast.Space) bool {
	same := func(a, b hast.Range) bool {
		return a.Step == b.Step && hast.Equal(a.Lo, b.Lo) && hast.Equal(a.Hi, b.Hi)
	}
	return slices.Equal(x.Vars, y.Vars) && slices.EqualFunc(x.Ranges, y.Ranges, same)
}

// known reports whether all values that a reduction reads are there.
func (b *body) known(r *hast.Reduce) bool {
	own := slices.Clone(r.Space.Vars)
	ok := true
	see := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			own = append(own, e.Space.Vars...)
		case *hast.Ref:
			local := e.Var.Class == hast.Value || e.Var.Class == hast.Loop
			ok = ok && (!local || b.vars[e.Var] != nil || slices.Contains(own, e.Var))
		}
	}
	hast.Walk(r.Elem, see)
	if r.Where != nil {
		hast.Walk(r.Where, see)
	}
	return ok
}

// takeShared lowers the loops of an item over its points.
func (b *body) takeShared(s hast.Space, same []*hast.Reduce, list []*sharer) {
	t := b.kernel.team
	each := func(f func(*sharer)) {
		for _, x := range list {
			f(x)
		}
	}
	if t.width == 1 {
		own := s
		own.Ranges = slices.Clone(s.Ranges)
		r := &own.Ranges[sharedAxis(s)]
		r.Lo = b.shifted(r.Lo, b.op(i32T, ops.Mul, ref(t.item), i32(r.Step)))
		r.Step *= int64(t.size)
		if slices.ContainsFunc(same, func(r *hast.Reduce) bool { return r.Ways > 0 }) {
			own = lastFirst(own)
		}
		b.loop(own, func() {
			each(func(x *sharer) {
				x.before(atHand{})
				x.point(i32(0))
				x.after()
			})
		})
		return
	}
	k := &taker{v: s.Vars[len(s.Vars)-1], width: t.width, stage: block.PointStage(t.stage, s, same)}
	k.what = block.Analyze(k.stage, t.unroll)
	k.before = func(p place) {
		here := atHand{p, k.v, func(point func(kir.Expr)) { b.kernel.eachPoint(k, p, false, point) }}
		each(func(x *sharer) { x.before(here) })
	}
	k.point = func(place kir.Expr) { each(func(x *sharer) { x.point(place) }) }
	k.after = func() { each(func(x *sharer) { x.after() }) }
	lines := func() { b.kernel.takeLines(k, s, ref(t.item), t.size, t.lines) }
	if b.kernel.decided.Flat == 0 {
		lines()
		return
	}
	b.kernel.takeOneLine(k, s, lines)
}

// lastFirst is a space in the order in which reductions in several ways take its points.
func lastFirst(s hast.Space) hast.Space {
	n := len(s.Vars) - 1
	return hast.Space{
		Vars:   append([]*hast.Var{s.Vars[n]}, s.Vars[:n]...),
		Ranges: append([]hast.Range{s.Ranges[n]}, s.Ranges[:n]...),
	}
}

// sharer is how the items carry out their part of a reduction.
func (b *body) sharer(e *hast.Reduce) *sharer {
	switch {
	case e.Op == hast.ArgMin || e.Op == hast.ArgMax:
		return b.shareArg(e)
	case rounds(e):
		return b.shareSums(e)
	case e.Op == hast.Sum && b.kernel.team.width > 1 && narrowed(e) != nil:
		return b.shareDots(e, b.shareNarrow(e))
	}
	x := b.plainSharer(e, b.reducer(e, trips(e.Space)))
	x.join = func() kir.Expr { return b.joined(e.T, e.Op, []kir.Expr{b.once("own", x.end())}) }
	return b.shareExtremes(e, b.shareDots(e, x))
}

// shareDots adds blocks of bytes that lie in words by dot products where it can, and takes the points of others as they are taken otherwise.
func (b *body) shareDots(e *hast.Reduce, otherwise *sharer) *sharer {
	if b.kernel.decided.Dot4 == 0 || e.Op != hast.Sum {
		return otherwise
	}
	x := *otherwise
	var sum kir.Expr // of the block at hand; nil where its points are taken one by one
	x.before = func(p atHand) {
		if sum = b.blockDots(e); sum == nil {
			otherwise.before(p)
		}
	}
	x.point = func(place kir.Expr) {
		if sum == nil {
			otherwise.point(place)
		}
	}
	x.after = func() {
		if sum == nil {
			otherwise.after()
			return
		}
		x.step(b.convert(e.T, sum, kir.Wrap))
	}
	return &x
}

// blockDots is what a sum adds of all points of a block, four of them at a time, each times the weight that it has at every point, or two of them together; nil where it
// adds something else.
func (b *body) blockDots(e *hast.Reduce) kir.Expr {
	t, width := b.kernel.blocks, b.kernel.team.width
	if t == nil {
		return nil
	}
	if each := t.combiner().Dots(e, width); each != nil {
		sum := kir.Expr(i32(each.Plus * int64(width)))
		for _, p := range each.Places() {
			weights := uconst(int64(uint8(each.Taps[p])) * 0x01010101)
			for u := 0; u < width; u += 4 {
				sum = &kir.Dot4{Typed: kir.Typed{T: i32T}, Bytes: t.fourAt(p, u), Weights: weights, Acc: sum}
			}
		}
		return b.once("sum", sum)
	}
	pair := t.combiner().Pairs(e, width)
	if pair == nil {
		return nil
	}
	sum := kir.Expr(i32(0))
	for u := 0; u < width; u += 4 {
		sum = &kir.Pairs{Typed: kir.Typed{T: i32T}, Op: pair.Op, X: t.fourAt(pair.X, u), Y: t.fourAt(pair.Y, u), Acc: sum}
	}
	return b.once("sum", sum)
}

// fourAt are the bytes that four neighbours read at a tap, from one that is so many behind the first of the block.
func (t *strip) fourAt(p block.Tap, behind int) kir.Expr {
	w := t.windows[p.Window]
	at := t.element(&w.tile, t.rowOf(p), w.lead.size+p.X, 0)
	return &kir.FourBytes{Typed: kir.Typed{T: u32T}, Var: w.array, Index: at[:1], At: t.body.op(i32T, ops.Add, at[1], i32(int64(behind)))}
}

func (b *body) plainSharer(e *hast.Reduce, r reducer) *sharer {
	x := &sharer{reduce: e, reducer: r, before: func(atHand) {}, after: func() {}}
	x.point = func(kir.Expr) { b.reducePoint(e, r) }
	return x
}

// shareSums keeps a sum for each place of a block: which values are added in which order depends on the places of the points alone.
func (b *body) shareSums(e *hast.Reduce) *sharer {
	width := b.kernel.team.width
	op := foldOps[e.Op]
	var sums *kir.Var
	x := &sharer{reduce: e, before: func(atHand) {}, after: func() {}}
	x.begin = func() {
		sums = b.declare(e.Op.String(), e.T.Array(width), true, nil)
		b.unrolled("u", width, func(u kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: sums, Index: []kir.Expr{u}, Value: b.identity(e.Op, e.T)})
		})
	}
	x.point = func(place kir.Expr) {
		b.reducePoint(e, reducer{step: func(elem kir.Expr) {
			at := []kir.Expr{place}
			b.emit(&kir.Assign{Placed: b.placed(), Var: sums, Index: at, Value: b.op(e.T, op, b.elemOf(sums, at), elem)})
		}})
	}
	x.join = func() kir.Expr {
		own := make([]kir.Expr, width)
		for i := range own {
			own[i] = b.elemOf(sums, consts([]int64{int64(i)}))
		}
		if !sameOrder(e, b.kernel.team.size*width) { // no order is kept, and one value of each item is joined sooner than several
			own = []kir.Expr{halves(own, func(x, y kir.Expr) kir.Expr { return b.once("both", b.op(e.T, op, x, y)) })}
		}
		return b.joined(e.T, e.Op, own)
	}
	return x
}

// narrowed is what a sum in 64 bits adds as the small integers that they are; nil where they are none.
func narrowed(e *hast.Reduce) hast.Expr {
	if x := unwidened(e); x != nil && small(x) {
		return x
	}
	return nil
}

// unwidened is what a sum in 64 bits adds as the integers that they were before; nil where they were none.
func unwidened(e *hast.Reduce) hast.Expr {
	c, ok := e.Elem.(*hast.Convert)
	if !ok || !e.T.Kind.IsInt() || e.T.Kind.Bits() != 64 || c.How != hast.Wrap || !c.X.Type().Kind.IsInt() && c.X.Type().Kind != types.Bool {
		return nil
	}
	return c.X
}

// fitsNarrow reports whether 32 bits hold the sum of a block in 64, by what the images may hold that it reads: products of differences of bytes are added in a quarter of the operations.
func (b *body) fitsNarrow(e *hast.Reduce) bool {
	x := unwidened(e)
	if x == nil || small(x) {
		return x != nil
	}
	most := int64(math.MaxInt32) / int64(b.kernel.team.width)
	return b.kernel.plan.contents.of(x).Within(interval.Between(-most, most))
}

// small reports whether an expression has values of 16 bits at most.
func small(e hast.Expr) bool {
	k := e.Type().Kind
	if c, ok := e.(*hast.Convert); ok && k.IsInt() && k.Bits() >= 32 && c.How == hast.Wrap {
		return small(c.X) && (!k.IsUnsigned() || !c.X.Type().Kind.IsSigned())
	}
	return k == types.Bool || k.IsInt() && k.Bits() <= 16
}

// shareNarrow adds the values of a block in 32 bits, which hold the sum, and blocks in 64.
func (b *body) shareNarrow(e *hast.Reduce) *sharer {
	width := int64(b.kernel.team.width)
	small := *e
	small.T = e.T.WithKind(types.I32)
	small.Elem = &hast.Convert{Typed: hast.Typed{T: small.T, At: e.Elem.Span()}, X: unwidened(e)}
	total := b.reducer(e, trips(e.Space))
	x := &sharer{reduce: e, reducer: total}
	var few reducer
	x.before = func(atHand) {
		few = b.reducer(&small, width)
		few.begin()
	}
	x.point = func(kir.Expr) { b.reducePoint(&small, few) }
	x.after = func() { total.step(b.convert(e.T, few.end(), kir.Wrap)) }
	x.join = func() kir.Expr { return b.joined(e.T, e.Op, []kir.Expr{b.once("own", x.end())}) }
	return x
}
