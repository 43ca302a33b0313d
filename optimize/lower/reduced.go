package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A stage whose pixels are reduced where they are computed (hast.Stage.Reduced) has as many persistent groups as the reduction has parts. An item reduces what it would store, or has
// stored, of its block of a tile to variables of its own. At last the items of a group join what they have, and leave it as the part of the group.

// A reducing is what a kernel reduces, while it is lowered.
type reducing struct {
	of     *hast.Stage
	from   [2]kir.Expr // the first instance of a block that may be moved which no other block reduces; else nil
	list   []*sharer
	pixels map[*hast.Image]*hast.Var // what stands for the pixel at hand
}

// reduced lowers a stage with the one that reduces what it computes.
func (k *kernelBuilder) reduced(s *hast.Stage) shape {
	b := k.body
	r := &reducing{of: s, pixels: map[*hast.Image]*hast.Var{}}
	k.reducing = r
	team := k.accumulators(len(s.Space.Vars))
	k.team = team
	for _, e := range block.Reductions(s.Reduced) {
		x := r.sharer(b, e)
		x.begin()
		r.list = append(r.list, x)
	}
	k.team = nil // what an instance computes is its own
	k.throughTiles(s, ref(team.item), &kir.GroupID{Typed: kir.Typed{T: i32T}}, block.Parts(s))
	k.team = team
	k.leaveParts(s.Reduced)
	items := i64(block.Parts(s) * int64(team.size))
	return shape{items: [3]kir.Expr{items, i64(1), i64(1)}, group: [3]int{team.size, 1, 1}, shared: team.decls}
}

// accumulators is the group where its items join what they have, and go on with the stage behind. Each reduces so many points at once. Groups are lines, along which lie the rows of items
// that have a tile.
func (k *kernelBuilder) accumulators(vars int) *team {
	d, group := k.decided, k.group(vars)
	t := &team{size: group[0] * group[1], groups: 1, width: d.Item[0] * max(1, d.Item[1]), parts: map[types.Kind]*kir.Var{}, used: map[types.Kind]int{}}
	t.place(k.body)
	return t
}

// reduceByPlace lowers a block where it is moved if it is not whole: in the kernel for images whose lines start anywhere, which those have as well whose lines do not end with a block. So the other one
// is for whole blocks alone. What a block that is moved has in common with its neighbour is reduced by that.
func (t *strip) reduceByPlace(p placing) {
	first := t.first
	moved := func() {
		if t.loose {
			t.reducing.from[0] = t.ownFirst(0, p.margins.right)
		}
		if p.margins.down {
			t.reducing.from[1] = t.ownFirst(1, p.margins.below)
		}
		t.move(p.margins, t.loose, p.fast)
		t.reducing.from = [2]kir.Expr{}
	}
	if t.loose {
		t.body.either(t.room(p), moved, func() {
			t.first = first
			p.slow()
		})
		return
	}
	c := t.body.conjunction()
	if starts := t.starts(); starts != nil {
		c.need(starts)
	}
	c.need(t.met(p, t.onHost())...)
	end := t.plan.hostExpr(t.rangeOf(t.what.X).Hi)
	c.need(opExpr(boolType, ops.Eq, []kir.Expr{opExpr(i64T, ops.Rem, []kir.Expr{end, i64(int64(t.item[0]))}, true), i64(0)}, true))
	for _, w := range p.margins.ends {
		_, pixel, _ := block.Axes(w.Image)
		c.need(w.endsWith(hostOp, mul(end, i64(int64(w.X.Stride))), t.plan.hostExpr(w.Image.Extent[pixel])))
	}
	t.even = c.all
	moved()
}

// ownFirst is the first instance, on an axis, of a block that movedFirst moves which the block before it does not have. That one may have been moved as well, and ends before this one begins.
func (t *strip) ownFirst(dim, behind int) kir.Expr {
	b, first := t.body, t.first[dim]
	last := b.op(i32T, ops.Sub, t.end[dim], i32(int64(t.item[dim])))
	if behind == 0 {
		return first
	}
	before := b.op(i32T, ops.Min, first, b.op(i32T, ops.Sub, t.end[dim], i32(int64(behind))))
	return b.once("own", &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Ge, first, last), Then: before, Else: first})
}

// notBefore is the condition that an instance of a block that has been moved is one of its own; nil for always.
func (t *strip) notBefore(dim int, at kir.Expr) kir.Expr {
	b, from := t.body, t.reducing.from[dim]
	if from == nil {
		return nil
	}
	return b.op(boolType, ops.Ge, b.op(i32T, ops.Add, t.first[dim], at), from)
}

// ofPixels is a reduction with variables in the place of the pixels that it reads.
func (r *reducing) ofPixels(e *hast.Reduce) *hast.Reduce {
	out := *e
	out.Elem = hast.Map(e.Elem, func(x hast.Expr) hast.Expr {
		load, ok := x.(*hast.Load)
		if !ok {
			return nil
		}
		v := r.pixels[load.Image]
		if v == nil {
			v = &hast.Var{Name: load.Image.Name + "_pixel", Type: load.T, Class: hast.Value, At: load.At}
			r.pixels[load.Image] = v
		}
		return &hast.Ref{Typed: load.Typed, Var: v}
	})
	return &out
}

// sharer is how an item carries out its part of a reduction, of the points of its blocks.
func (r *reducing) sharer(b *body, e *hast.Reduce) *sharer {
	of := r.ofPixels(e)
	if e.Op == hast.Sum && b.fitsNarrow(e) {
		return b.shareNarrow(of)
	}
	x := b.plainSharer(of, b.reducer(of, trips(e.Space)))
	x.join = func() kir.Expr { return b.joined(e.T, e.Op, []kir.Expr{b.once("own", x.end())}) }
	return x
}

// reduceBlock runs compute, which reduces the rows of a block.
func (t *strip) reduceBlock(compute func()) {
	if t.reducing == nil {
		compute()
		return
	}
	for _, x := range t.reducing.list {
		x.before(atHand{})
	}
	compute()
	for _, x := range t.reducing.list {
		x.after()
	}
}

// reduceRow reduces what the instances in a row of the block have computed, of a block that is not whole those that lie in the iteration. Rows are reduced as soon as they
// are computed: 128 gradients of bytes that waited for each other took ptxas more registers than there are.
func (t *strip) reduceRow(row kir.Expr, whole bool) {
	if t.reducing == nil {
		return
	}
	b := t.body
	_, inside := t.rowAt(row)
	if own := t.notBefore(1, row); own != nil {
		inside = b.and(inside, own)
	}
	b.when(inside, func() {
		b.unrolled("u", t.item[0], func(u kir.Expr) {
			inside := t.notBefore(0, u)
			if !whole {
				inside = t.columnInside(u)
			}
			b.when(inside, func() { t.reducePixels(row, u) })
		})
	})
}

// reducePixels reduces the pixels of an instance of the block.
func (t *strip) reducePixels(row, u kir.Expr) {
	b, r := t.body, t.reducing
	for _, o := range t.outputs {
		v := r.pixels[o.Image]
		if v == nil {
			continue
		}
		lanes := make([]kir.Expr, o.per)
		for c := range lanes {
			col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(o.per))), i32(int64(o.lead+c)))
			lanes[c] = t.component(&o.tile, b.op(i32T, ops.Add, row, i32(int64(o.top))), col)
		}
		if b.vars[v] = lanes[0]; len(lanes) > 1 {
			b.vars[v] = b.once("pixel", &kir.Vec{Typed: kir.Typed{T: v.Type}, Parts: lanes})
		}
	}
	for _, x := range r.list {
		x.point(i32(0))
	}
}

// leaveParts has the items of a group join what they have, and the first one leave it as the part of the group.
func (k *kernelBuilder) leaveParts(s *hast.Stage) {
	b := k.body
	b.totals = map[*hast.Reduce]kir.Expr{}
	for i, e := range block.Reductions(s) {
		b.totals[e] = k.reducing.list[i].join()
	}
	for i, v := range s.Space.Vars {
		k.iterator(v, s.Space.Ranges[i], &kir.GroupID{Typed: kir.Typed{T: i32T}})
	}
	b.teamStmts(s)
}
