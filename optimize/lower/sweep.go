package lower

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// A tile of which a group shares the first parts alone. What these read lies in memory; items compute them there in blocks, as with direct,
// first what lies around the tile, in blocks of one row that all items take in turn, and then each its own block, of which it keeps what it
// will read again. When all have done so, each item computes the other parts for itself, as a fusion in which what is shared is an
// image in local memory: row by row, in registers. So groups wait once, and what a later part computes is neither stored nor
// read again, at the price that neighbouring items compute its frame twice.

// sweepOwn lowers the tile so.
func (l *sharedTile) sweepOwn() {
	f := l.ownSweep()
	f.hold()
	for _, p := range l.parts {
		l.frame(p)
		l.memoryBlock(p, l.own, f.corner, f).compute(false)
	}
	l.wait()
	for _, p := range l.parts {
		l.storeAll(p)
	}
	l.blocks = f.strip
	f.leave()
	f.either(func() { f.apart(f.bounded(), f.block) }, f.inLoops)
}

// ownSweep is the fusion of the parts that the item computes for itself, of its own block.
func (l *sharedTile) ownSweep() *fusion {
	b, own := l.body, *l.strip
	f := &fusion{strip: &own, group: l.group.Swept(l.decided.Unroll), tiles: map[*block.Window]*window{}}
	f.stage, f.what = f.group.Last().Of, f.group.Last().Stage
	f.item, f.tall = l.own, l.own[1]
	for dim, first := range l.strip.first {
		f.corner[dim] = b.once("corner", b.op(i32T, ops.Mul, l.lane[dim], i32(int64(l.own[dim]))))
		if first != nil {
			f.first[dim] = b.once("first", b.op(i32T, ops.Add, first, f.corner[dim]))
		}
	}
	l.blocks = f.strip
	f.arrange()
	for _, w := range f.group.Windows {
		x := f.tiles[w]
		x.near = l.keptOf(w)
		x.held = x.near == nil && w.X.Lo == w.X.Hi && w.Y.Lo == w.Y.Hi
	}
	f.conditions(f.regular()...)
	return f
}

// keptOf is the tile in local memory that holds what is read of an image; nil where that is in memory.
func (l *sharedTile) keptOf(w *block.Window) *window {
	for t, x := range l.tiles {
		if t.Image == w.Image {
			return x
		}
	}
	return nil
}

// hold loads what is read of no more than the block, at once: it is on its way while the frame is computed.
func (f *fusion) hold() {
	var held []*window
	for _, w := range f.windows {
		if w.held {
			f.declareWindow(w)
			held = append(held, w)
		}
	}
	if len(held) == 0 {
		return
	}
	f.either(func() {
		for _, w := range held {
			f.fetchWhole(w)
		}
	}, func() {})
}

// holds is what a sweep has loaded of a window; nil where it has not. There is none without a sweep.
func (f *fusion) holds(w *block.Window) *window {
	if f == nil {
		return nil
	}
	for _, x := range f.windows {
		if x.held && x.Place.Same(w.Place) {
			return x
		}
	}
	return nil
}

// leave ends items that have no instances.
func (f *fusion) leave() {
	b := f.body
	var none kir.Expr
	for dim, first := range f.first {
		if first != nil {
			none = b.or(none, b.op(boolType, ops.Ge, first, f.end[dim]))
		}
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: none, Then: []kir.Stmt{&kir.Return{Placed: b.placed()}}})
}

// frame computes what a part keeps around the tile: rows above and below in all their width, and blocks on both sides of all others.
func (l *sharedTile) frame(p *fusedPart) {
	b := l.body
	left, across, _ := l.tiling.Blocks(p.Part)
	before, wide, high, above := left/l.own[0], l.item[0]/l.own[0], l.item[1], -p.Y.Lo
	lines, sides := (above+p.Y.Hi)*across, across-wide
	n, items := lines+sides*high, l.size[0]*l.size[1]
	if n == 0 {
		return
	}
	index := b.op(i32T, ops.Add, l.lane[0], b.op(i32T, ops.Mul, l.lane[1], i32(int64(l.size[0]))))
	b.unrolled("round", ceilDiv(n, items), func(round kir.Expr) {
		i := b.once("cell", b.op(i32T, ops.Add, index, b.op(i32T, ops.Mul, round, i32(int64(items)))))
		l.below(i, n, func() {
			u, v := kir.Expr(nil), kir.Expr(nil)
			if lines > 0 {
				u = b.op(i32T, ops.Sub, b.op(i32T, ops.Rem, i, i32(int64(across))), i32(int64(before)))
				v = b.beside(b.op(i32T, ops.Div, i, i32(int64(across))), above, high)
			}
			if sides > 0 {
				k := b.op(i32T, ops.Max, b.op(i32T, ops.Sub, i, i32(int64(lines))), i32(0))
				inLines := b.op(boolType, ops.Lt, i, i32(int64(lines)))
				u = b.choice(inLines, u, b.beside(b.op(i32T, ops.Rem, k, i32(int64(sides))), before, wide))
				v = b.choice(inLines, v, b.op(i32T, ops.Div, k, i32(int64(sides))))
			}
			l.memoryBlock(p, [2]int{l.own[0], 1}, [2]kir.Expr{b.op(i32T, ops.Mul, u, i32(int64(l.own[0]))), v}, nil).compute(false)
		})
	})
}

// beside is the i-th place of those that lie beside 0..n-1, of which so many come before.
func (b *body) beside(i kir.Expr, before, n int) kir.Expr {
	at := b.once("at", b.op(i32T, ops.Sub, i, i32(int64(before))))
	return b.choice(b.op(boolType, ops.Lt, at, i32(0)), at, b.op(i32T, ops.Add, at, i32(int64(n))))
}

// choice is x where cond holds, and else y, which is all there is where x is nil.
func (b *body) choice(cond, x, y kir.Expr) kir.Expr {
	if x == nil {
		return y
	}
	return b.once("at", &kir.Select{Typed: kir.Typed{T: i32T}, Cond: cond, Then: x, Else: y})
}

// copyNear copies row r of a window from the group's tile.
func (t *strip) copyNear(w *window, r kir.Expr) {
	b, near := t.body, w.near
	row := b.op(i32T, ops.Add, r, i32(int64(w.Y.Lo-near.Y.Lo)))
	row = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, t.corner[1], i32(int64(w.Y.Stride))), row)
	first := b.op(i32T, ops.Mul, t.corner[0], i32(int64(w.X.Stride*w.per)))
	b.unrolled("u", w.cols, func(u kir.Expr) {
		col := b.op(i32T, ops.Add, first, b.op(i32T, ops.Add, u, i32(int64(near.lead.size-w.lead.size))))
		value := b.elemOf(near.array, []kir.Expr{row, col})
		b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{r, u}, Value: value})
	})
}
