package lower

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// Parts that items of a group compute from memory, in blocks as a strip has them: what they read is loaded by vectors into registers,
// where the rows that neighbouring instances share are loaded once, and only what they compute goes to local memory. A tile that were
// loaded there first would be stored and read once more for nothing.

// tiling is how a group computes a tile by these decisions.
func tiling(d schedule.Decisions) block.Tiling {
	return block.TilingOf(d.Tile, d.Item, d.Local == schedule.Direct, d.Local == schedule.Sweep)
}

// fromMemory computes what a part keeps for later ones, block by block.
func (l *sharedTile) fromMemory(p *fusedPart) {
	left, across, down := l.tiling.Blocks(p.Part)
	rows := l.tiling.BlockRows(p.Part)
	l.spread(1, down, 1, func(v kir.Expr) {
		l.spread(0, across, 1, func(u kir.Expr) {
			b := l.body
			corner := [2]kir.Expr{
				b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(l.own[0]))), i32(int64(-left))),
				b.op(i32T, ops.Add, b.op(i32T, ops.Mul, v, i32(int64(rows))), i32(int64(p.Y.Lo))),
			}
			l.blockFromMemory(p, [2]int{l.own[0], rows}, corner, nil)
		})
	})
}

// blockFromMemory computes one block, whose first instance is at a corner that is seen from the tile. Blocks that do not lie inside of the
// image are computed one by one, each instance for the place that its border rule takes for it. Of the item's own block, what the
// sweep has loaded for itself is not loaded again; of others, own is nil.
func (l *sharedTile) blockFromMemory(p *fusedPart, size [2]int, corner [2]kir.Expr, own *fusion) {
	b := l.body
	m := &fusedPart{strip: p.strip, Part: p.Part, keeps: p.keeps}
	m.item, m.tall, m.windows, m.outputs = size, size[1], nil, nil
	var fresh []*window
	var inside []kir.Expr
	for _, w := range p.Windows {
		x := own.holds(w)
		switch {
		case x == nil:
			x = m.window(w)
			fresh = append(fresh, x)
		case own.whole != nil:
			inside = append(inside, own.whole)
		}
		m.windows = append(m.windows, x)
	}
	for dim := range m.first {
		if p.variable(dim) == nil {
			continue
		}
		corner[dim] = b.once("corner", corner[dim])
		m.first[dim] = b.once("first", b.op(i32T, ops.Add, p.first[dim], corner[dim]))
		inside = append(inside, b.op(boolType, ops.Ge, m.first[dim], i32(0)),
			b.op(boolType, ops.Le, b.op(i32T, ops.Add, m.first[dim], i32(int64(size[dim]))), p.end[dim]))
	}
	m.conditions(inside...)
	windows := m.windows
	m.outputs = p.outputs
	each := func(at func(dim int)) {
		p.kernelBuilder.blocks = &m.strip
		b.unrolled("v", size[1], func(v kir.Expr) {
			rounds := b.rounds
			if size[0] <= abreast {
				b.rounds = kir.WrittenOut
			}
			defer func() { b.rounds = rounds }()
			b.unrolled("u", size[0], func(u kir.Expr) {
				for dim, k := range []kir.Expr{u, v} {
					m.at[dim], m.to[dim] = k, b.op(i32T, ops.Add, corner[dim], k)
					at(dim)
				}
				m.instance(m.stage)
			})
		})
	}
	m.either(func() {
		for _, w := range fresh {
			m.declareWindow(w)
			m.fetchWhole(w)
		}
		each(func(dim int) {
			if m.beyond[dim] = nil; m.variable(dim) != nil {
				l.iterate(m, dim, b.op(i32T, ops.Add, p.first[dim], m.to[dim]))
			}
		})
	}, func() {
		b.rounds = kir.Looped
		defer func() { b.rounds = kir.WrittenOut }()
		m.windows = make([]*window, len(windows)) // instances load what they read
		read := l.read(p, m.first)
		one := b.inside(false, func() {
			each(func(dim int) {
				m.first[dim] = p.first[dim]
				l.fold(m, dim)
			})
		})
		b.emit(&kir.If{Placed: b.placed(), Cond: read, Then: one})
	})
}

// abreast is how many places of a row are written out where blocks are computed one by one, so that their loads are on their way together: blocks
// at the ends of images are the last to be done in small images. Kernels for masks of 7 and 15 have no more registers for that.
const abreast = 4

// read is the condition that a block begins before the last place that instances of the whole read. Of groups that reach beyond the end of an
// image some have blocks without such a place, which one by one would take as long as all else: a chain of masks of 7 took 7.1 us
// on an H200 for 1920 x 1080 pixels, whose rows end in the middle of a tile.
func (l *sharedTile) read(p *fusedPart, first [2]kir.Expr) (cond kir.Expr) {
	b := l.body
	for dim, s := range []block.Span{p.X, p.Y} {
		if p.variable(dim) != nil {
			last := b.op(i32T, ops.Sub, l.end[dim], i32(1))
			reach := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, last, i32(int64(s.Stride))), i32(int64(s.Hi)))
			cond = b.and(cond, b.op(boolType, ops.Le, first[dim], reach))
		}
	}
	return cond
}
