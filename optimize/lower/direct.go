package lower

import (
	"slices"

	"imgc/hast"
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

// fromMemory computes what a part keeps for later ones, block by block. Where items compute several and it is decided so (interior), groups of which all blocks are
// whole have code of their own, without what any of them needs at the ends of images: written out once for each turn, that is most of the kernel, and more than units keep at hand.
func (l *sharedTile) fromMemory(p *fusedPart) {
	left, across, down := l.tiling.Blocks(p.Part)
	size := [2]int{l.own[0], l.tiling.BlockRows(p.Part)}
	corner := func(u, v kir.Expr) [2]kir.Expr {
		b := l.body
		return [2]kir.Expr{
			b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(size[0]))), i32(int64(-left))),
			b.op(i32T, ops.Add, b.op(i32T, ops.Mul, v, i32(int64(size[1]))), i32(int64(p.Y.Lo))),
		}
	}
	blocks := func(whole bool) func() {
		return func() {
			l.spread(1, down, 1, func(v kir.Expr) {
				l.spread(0, across, 1, func(u kir.Expr) { l.memoryBlock(p, size, corner(u, v), nil).compute(whole) })
			})
		}
	}
	if across <= l.size[0] && down <= l.size[1] || l.decided.Interior == 0 {
		blocks(false)()
		return
	}
	all := l.body.conjunction()
	var first *memoryBlock
	for _, at := range [][2]int64{{0, 0}, {int64(across) - 1, int64(down) - 1}} {
		first = l.memoryBlock(p, size, corner(i32(at[0]), i32(at[1])), nil)
		all.need(first.wholly()...)
	}
	l.body.either(all.all, func() {
		l.atOnce = first.atOnce()
		defer func() { l.atOnce = 0 }()
		blocks(true)()
	}, func() {
		l.looped = true
		defer func() { l.looped = false }()
		blocks(false)()
	})
}

// loadedAtOnce is how many components items load for several turns at once, at most, where they look for extremes: compilers load those of all turns that are written out before they compute, and
// spill what they are told to have no registers for (1312 bytes of 31 x 31 floats, with 11 turns of 34 and 128 registers).
const loadedAtOnce = 96

// atOnce is how many turns are written out to be loaded at once; 0 for all, as of sums, which were measured so.
func (m *memoryBlock) atOnce() int {
	sums := block.MovingSums(m.part.stage)
	if !slices.ContainsFunc(sums, (*block.Moving).Extreme) {
		return 0
	}
	loaded := 0
	for _, w := range m.fresh {
		loaded += w.rows * w.cols
	}
	return max(1, loadedAtOnce/max(1, loaded))
}

// A memoryBlock is a block that an item computes from memory.
type memoryBlock struct {
	*fusedPart // what computes it: the part with windows and places of its own
	tile       *sharedTile
	part       *fusedPart // as the group has it
	size       [2]int
	corner     [2]kir.Expr // its first instance, seen from the tile
	start      [2]kir.Expr // the same in the image
	stands     [2]bool     // it is computed where the row is that stands for its own
	fresh      []*window   // those that it loads
	inside     []kir.Expr  // what holds where all of it is in its image
}

// memoryBlock is one block, whose first instance is at a corner that is seen from the tile. Of the item's own block, what the sweep has loaded for itself is not
// loaded again; of others, own is nil.
func (l *sharedTile) memoryBlock(p *fusedPart, size [2]int, corner [2]kir.Expr, own *fusion) *memoryBlock {
	m := &memoryBlock{fusedPart: &fusedPart{strip: p.strip, Part: p.Part, keeps: p.keeps}, tile: l, part: p, size: size, corner: corner}
	m.item, m.tall, m.windows, m.outputs = size, size[1], nil, nil
	m.stands[1] = own == nil && l.rowStands(p, size[1])
	m.find(own)
	m.settle()
	return m
}

// wholly is what holds where the block lies in its image and vectors load all that it reads. Of blocks in a row, and of rows of them, all are such where the
// first and the last are.
func (m *memoryBlock) wholly() []kir.Expr { return m.wholeIf(m.inside...).list }

// compute computes the block. If it is not known to be whole, one that reads beyond what vectors load of an image has the pixels loaded one by one, and one that
// does not lie inside of its own image is computed one by one, each instance for the place that its border rule takes for it.
func (m *memoryBlock) compute(whole bool) {
	within := m.tile.body.conjunction()
	if within.need(m.inside...); whole {
		m.wholly()
		within.all = nil
	} else {
		m.conditions(m.inside...)
	}
	m.outputs = m.part.outputs
	m.tile.body.either(within.all, m.together, m.oneByOne)
}

// find makes the windows that the item has not loaded for itself.
func (m *memoryBlock) find(own *fusion) {
	for _, w := range m.part.Windows {
		x := own.holds(w)
		switch {
		case x == nil:
			x = m.window(w)
			m.fresh = append(m.fresh, x)
		case own.whole != nil:
			m.inside = append(m.inside, own.whole)
		}
		m.windows = append(m.windows, x)
	}
}

// settle finds where the block is, and when that is inside of its image.
func (m *memoryBlock) settle() {
	b, p := m.body, m.part
	for dim := range m.first {
		if p.variable(dim) == nil {
			continue
		}
		m.corner[dim] = b.once("corner", m.corner[dim])
		m.start[dim] = b.once("first", b.op(i32T, ops.Add, p.first[dim], m.corner[dim]))
		if m.stands[dim] {
			m.inside = append(m.inside, m.tile.reads(p, dim, m.start[dim]))
			m.first[dim] = b.once("stands", m.tile.standsFor(p, dim, m.start[dim]))
			continue
		}
		m.first[dim] = m.start[dim]
		m.inside = append(m.inside, b.op(boolType, ops.Ge, m.first[dim], i32(0)),
			b.op(boolType, ops.Le, b.op(i32T, ops.Add, m.first[dim], i32(int64(m.size[dim]))), p.end[dim]))
	}
}

// each computes the instances, having placed them in each dimension; with sums that they share, where there are such.
func (m *memoryBlock) each(sums *movingBlock, place func(dim int)) {
	b := m.body
	m.part.kernelBuilder.blocks = &m.strip
	sums.compute(1)
	b.unrolled("v", m.size[1], func(v kir.Expr) {
		rounds := b.rounds
		if m.size[0] <= abreast {
			b.rounds = kir.WrittenOut
		}
		defer func() { b.rounds = rounds }()
		m.set(1, v)
		sums.compute(0)
		b.unrolled("u", m.size[0], func(u kir.Expr) {
			for dim, k := range []kir.Expr{u, v} {
				m.set(dim, k)
				place(dim)
			}
			sums.known(u, v)
			m.fusedPart.compute()
		})
	})
	sums.done()
}

// set has the block be at its k-th instance.
func (m *memoryBlock) set(dim int, k kir.Expr) {
	m.at[dim], m.to[dim] = k, m.body.op(i32T, ops.Add, m.corner[dim], k)
}

// together loads what the block reads, and computes it from that.
func (m *memoryBlock) together() {
	for _, w := range m.fresh {
		m.declareWindow(w)
	}
	m.either(func() { fetch(m.fresh, m.fetchWhole) }, func() { fetch(m.fresh, m.fetchPixels) })
	var sums *movingBlock // sweeps, which were measured without, have none
	if !m.tile.tiling.Sweep {
		sums = m.moving(m.part.stage, m.size, m.set)
	}
	m.each(sums, func(dim int) {
		switch m.beyond[dim] = nil; {
		case m.variable(dim) == nil:
		case m.stands[dim]:
			m.tile.iterate(m.fusedPart, dim, m.first[dim])
		default:
			m.tile.iterate(m.fusedPart, dim, m.body.op(i32T, ops.Add, m.part.first[dim], m.to[dim]))
		}
	})
}

// oneByOne has each instance load what it reads, for the place that stands for its own.
func (m *memoryBlock) oneByOne() {
	b := m.body
	b.rounds = kir.Looped
	defer func() { b.rounds = kir.WrittenOut }()
	m.windows = make([]*window, len(m.windows))
	read := m.tile.read(m.part, m.start)
	one := b.inside(false, func() {
		m.each(nil, func(dim int) {
			m.first[dim] = m.part.first[dim]
			m.tile.fold(m.fusedPart, dim)
		})
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: read, Then: one})
}

// rowStands reports whether a block of some rows may be that of the row that stands for its own, where that lies outside of the image: there
// is but one, and the border has no values of its own.
func (l *sharedTile) rowStands(p *fusedPart, rows int) bool {
	rule, _, _ := l.keptBy(p, 1)
	return rows == 1 && rule != hast.Constant && rule != hast.Formula && p.variable(1) != nil
}

// abreast is how many places of a row are written out where blocks are computed one by one, so that their loads are on their way together: blocks
// at the ends of images are the last to be done in small images. Kernels for masks of 7 and 15 have no more registers for that.
const abreast = 4

// read is the condition that a block begins before the last place that instances of the whole read. Of groups that reach beyond the end of an
// image some have blocks without such a place, which one by one would take as long as all else: a chain of masks of 7 took 7.1 us
// on an H200 for 1920 x 1080 pixels, whose rows end in the middle of a tile.
func (l *sharedTile) read(p *fusedPart, first [2]kir.Expr) (cond kir.Expr) {
	for dim := range first {
		if p.variable(dim) != nil {
			cond = l.body.and(cond, l.reads(p, dim, first[dim]))
		}
	}
	return cond
}

// reads is the condition for one dimension.
func (l *sharedTile) reads(p *fusedPart, dim int, first kir.Expr) kir.Expr {
	b, s := l.body, [2]block.Span{p.X, p.Y}[dim]
	last := b.op(i32T, ops.Sub, l.end[dim], i32(1))
	reach := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, last, i32(int64(s.Stride))), i32(int64(s.Hi)))
	return b.op(boolType, ops.Le, first, reach)
}
