package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
)

// Lines need not have room for whole blocks. The block that the end of a line cuts is computed as one that lies further left, so that it ends
// where the line does: what it has in common with its neighbour is computed twice, and the same is stored twice. The block before it is
// moved where what it reads beside itself would lie across the end. So every block either ends where the line does or reads nothing beyond that, and the
// code for whole blocks does, with accesses that need no alignment. In a line of 4097 floats blocks of 4 begin at 0, 4 ... 4088, 4089 and 4093,
// where each reads up to four beside itself.

// margins are how many places beside a block, on both sides, accesses of it reach.
type margins struct{ left, right int }

// movable reports whether blocks may lie anywhere in their lines, and what they need beside them there: computing an instance twice has to do
// no harm, and all that is read has to end where the instances do.
func (t *strip) movable() (m margins, ok bool) {
	lo, known := constInt(t.plan.hostExpr(t.rangeOf(t.what.X).Lo))
	if !known || lo != 0 || t.flat || t.item[0] == 1 || t.what.Once || t.isScaled() || t.readsOutputs() {
		return m, false
	}
	b := t.body
	for _, w := range t.all() {
		if w.X.Stride != 1 || w.X.Div != 0 || !w.lead.folds || !w.trail.folds || key(t.extent(&w.tile), b.ids) != key(t.end[0], b.ids) {
			return m, false
		}
		m.left, m.right = max(m.left, ceilDiv(w.lead.size, w.per)), max(m.right, ceilDiv(w.trail.size, w.per))
	}
	return m, max(m.left, m.right) <= t.item[0]
}

// readsOutputs reports whether a stage reads an image that it writes: what an instance stores would be read by the same one of the other block.
func (t *strip) readsOutputs() bool {
	read := slices.Clone(t.what.Direct)
	for _, w := range t.all() {
		read = append(read, w.Image)
	}
	return t.writesOneOf(read)
}

// writesOneOf reports whether some of the images are written.
func (t *strip) writesOneOf(list []*hast.Image) bool {
	return slices.ContainsFunc(t.outputs, func(o *output) bool {
		return slices.ContainsFunc(list, func(m *hast.Image) bool { return m.Base() == o.Image.Base() })
	})
}

// A placing is what is done with a block by where it lies: fast where it is whole and vectors may be used, or lies anywhere in a line, and slow
// where neither holds.
type placing struct {
	fast, moved, slow func()
	margins           margins
	movable           bool
	conditions        func(dims ...int) []kir.Expr // more conditions for the block to be whole, of some dimensions
}

// byPlace lowers a block. A kernel for images whose lines start where vectors may is launched for lines with room for blocks that are moved
// alone, where nothing else can stand against these.
func (t *strip) byPlace(p placing) {
	room := t.body.op(boolType, ops.Ge, t.end[0], i32(t.needs(p.margins)))
	if c, known := constInt(room); !p.movable || known && c == 0 || !t.evenOnly && !t.loose {
		t.conditions(p.conditions(0, 1)...)
		t.either(p.fast, p.slow)
		return
	}
	if t.loose || !t.usesVectors() {
		t.body.either(t.rowConditions(p, room), func() { t.move(p.margins, p.fast) }, p.slow)
		return
	}
	t.conditions(p.conditions(0, 1)...)
	moved := func() {
		was := t.loose
		t.loose = true
		t.move(p.margins, p.moved)
		t.loose = was
	}
	if t.even != nil && t.rowConditions(p) == nil {
		room := opExpr(boolType, ops.Ge, []kir.Expr{t.plan.hostExpr(t.rangeOf(t.what.X).Hi), i64(t.needs(p.margins))}, true)
		t.even = opExpr(boolType, ops.LAnd, []kir.Expr{t.even, room}, true)
		t.either(p.fast, moved)
		return
	}
	t.either(p.fast, func() { t.body.either(t.rowConditions(p, room), moved, p.slow) })
}

// needs are the places of a line that has room for two blocks that are moved, so that neither of them reaches across both ends.
func (t *strip) needs(m margins) int64 { return int64(t.item[0] + m.left + m.right) }

// usesVectors reports whether whole blocks are moved by accesses of more than a component.
func (t *strip) usesVectors() bool {
	return slices.ContainsFunc(t.all(), func(w *window) bool { return max(w.chunk, w.lead.chunk, w.trail.chunk) > 1 }) ||
		slices.ContainsFunc(t.outputs, func(o *output) bool { return o.chunk > 1 })
}

// rowConditions are some conditions and those for a block to be whole that its rows bring; nil for none.
func (t *strip) rowConditions(p placing, more ...kir.Expr) kir.Expr {
	c := t.body.conjunction()
	c.need(more...)
	c.need(p.conditions(1)...)
	for _, w := range t.all() {
		if t.lines(&w.tile) {
			c.need(t.rowsInside(w)...)
		}
	}
	return c.all
}

// move runs f for the block where it is moved to.
func (t *strip) move(m margins, f func()) {
	b, first := t.body, t.first[0]
	last := b.once("last", b.op(i32T, ops.Sub, t.end[0], i32(int64(t.item[0]))))
	before := b.op(i32T, ops.Min, first, b.op(i32T, ops.Sub, last, i32(int64(m.right))))
	at := b.declare("moved", i32T, false, &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Ge, first, last), Then: last, Else: before})
	b.bounds[at] = rangeOf(first, b.bounds)
	t.first[0] = ref(at)
	f()
	t.first[0] = first
}
