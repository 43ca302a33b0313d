package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// conditions finds out when a block is whole: all its vectors lie inside of the images, and where their width divides, and more holds.
func (t *strip) conditions(more ...kir.Expr) {
	if all := t.wholeIf(more...).all; all != nil {
		t.whole = ref(t.body.declare("whole", boolType, false, all))
	}
}

// wholeIf is what has to hold for a block to be whole.
func (t *strip) wholeIf(more ...kir.Expr) *conjunction {
	b := t.body
	t.across = t.acrossGroup()
	all := b.conjunction()
	all.need(more...)
	if cond := t.aligned(); cond != nil {
		all.need(cond)
	}
	if t.from[0] != nil {
		all.need(b.op(boolType, ops.Ge, t.across[0], t.from[0]))
	}
	if t.turn != nil {
		all.need(t.turn)
	}
	if t.endsInside() && !t.covered() {
		all.need(b.op(boolType, ops.Le, b.op(i32T, ops.Add, t.across[1], i32(int64(t.item[0]))), t.end[0]))
	}
	if t.isScaled() {
		all.need(t.inIteration()...)
	}
	all.need(t.near()...)
	for _, w := range t.all() {
		all.need(t.inside(w)...)
	}
	return all
}

// A conjunction is a list of conditions that have to hold together, each of them once.
type conjunction struct {
	*body
	seen map[string]bool
	list []kir.Expr
	all  kir.Expr // nil for none
}

func (b *body) conjunction() *conjunction { return &conjunction{body: b, seen: map[string]bool{}} }

// need adds conditions. Constants are those that hold.
func (c *conjunction) need(conds ...kir.Expr) {
	for _, cond := range conds {
		if v, ok := constInt(cond); ok && v != 0 {
			continue
		}
		if k := key(cond, c.ids); !c.seen[k] {
			c.seen[k] = true
			c.list = append(c.list, cond)
			c.all = c.and(c.all, cond)
		}
	}
}

// acrossGroup are the blocks along x that have to be whole: the item's own or, in long strips, the first and the last of the group.
// There the items of a group that take turns with each other, because one is whole and one is not, would take twice the time of all.
func (t *strip) acrossGroup() [2]kir.Expr {
	if t.decided.Rolled == 0 || t.flat {
		return [2]kir.Expr{t.first[0], t.first[0]}
	}
	first, width := t.groupFirst(), int64(t.decided.Tile[0])
	return [2]kir.Expr{first, t.body.op(i32T, ops.Add, first, i32(width-int64(t.item[0])))}
}

// covered reports whether the conditions of some window imply that the block lies in the iteration.
func (t *strip) covered() bool {
	b := t.body
	for _, w := range t.all() {
		if w.X.Stride == 1 && w.X.Div == 0 && key(t.extent(&w.tile), b.ids) == key(t.end[0], b.ids) {
			return true
		}
	}
	return false
}

// inside are the conditions for the vectors of a window.
func (t *strip) inside(w *window) (conds []kir.Expr) {
	b := t.body
	at := func(block kir.Expr) kir.Expr { return t.below(w.X, block) }
	x, last, n := at(t.across[0]), at(t.across[1]), t.extent(&w.tile)
	past := func(k int) kir.Expr { return b.op(i32T, ops.Add, last, i32(int64(k))) }
	reach := w.width + (w.trail.size+w.per-1)/w.per
	cond := b.op(boolType, ops.Le, past(reach), n)
	if reach > w.width && w.trail.folds {
		cond = b.op(boolType, ops.LOr, cond, b.op(boolType, ops.Eq, past(w.width), n))
	}
	conds = append(conds, cond)
	if rangeOf(x, b.bounds).Lo < 0 {
		conds = append(conds, b.op(boolType, ops.Ge, x, i32(0)))
	}
	if !w.lead.folds {
		conds = append(conds, b.op(boolType, ops.Ge, x, i32(int64((w.lead.size+w.per-1)/w.per))))
	}
	if t.lines(&w.tile) {
		conds = append(conds, t.rowsInside(w)...)
	}
	return conds
}

// rowsInside are the conditions for the rows of a window: to be in the image under borders by formula, and not to be farther from it
// than one fold brings back under those that mirror or repeat.
func (t *strip) rowsInside(w *window) []kir.Expr {
	b := t.body
	top, bottom := t.span(w)
	n := t.height(w)
	within := func(top, bottom, end kir.Expr) []kir.Expr {
		return []kir.Expr{b.op(boolType, ops.Ge, top, i32(0)), b.op(boolType, ops.Lt, bottom, end)}
	}
	switch w.rule {
	case hast.Formula:
		if !w.beyond[1] {
			return nil
		}
		return within(top, bottom, n)
	case hast.Reflect, hast.Repeat:
		return within(b.op(i32T, ops.Add, top, n), b.op(i32T, ops.Sub, bottom, n), n)
	case hast.Reflect101:
		last := b.op(i32T, ops.Sub, n, i32(1))
		return within(b.op(i32T, ops.Add, top, last), b.op(i32T, ops.Sub, bottom, n), last)
	}
	return nil
}

// span is the first and the last line of the image that the item reads for a window.
func (t *strip) span(w *window) (top, bottom kir.Expr) {
	last := i32(int64(w.reach) - 1)
	if t.length != nil && t.tall > 1 {
		stride := int64(max(1, w.Y.Stride))
		rest := i32(int64(w.reach) - 1 - stride*int64(t.tall-1))
		last = t.body.op(i32T, ops.Add, rest, t.body.op(i32T, ops.Mul, t.body.op(i32T, ops.Sub, t.length, i32(1)), i32(stride)))
	}
	return t.row(w, i32(0)), t.row(w, last)
}

// height is the number of lines.
func (t *strip) height(w *window) kir.Expr {
	line, _, _ := block.Axes(w.Image)
	return t.extents(w.Image, w.buf)[line]
}

// fetchWhole loads a window by vectors.
func (t *strip) fetchWhole(w *window) {
	load, mend := t.rowLoader(w)
	t.body.unrolled("v", w.rows, func(r kir.Expr) {
		load(r)
		mend(r)
	})
}

// rowLoader loads a row of a window by vectors, and then mends what lies outside of the image.
func (t *strip) rowLoader(w *window) (load, mend func(r kir.Expr)) {
	if w.near != nil {
		return func(r kir.Expr) { t.copyNear(w, r) }, func(kir.Expr) {}
	}
	e := t.edges(w)
	return func(r kir.Expr) { t.loadRow(w, e, r, t.row(w, r)) }, func(r kir.Expr) { t.mendRow(w, e, r, t.row(w, r)) }
}

// edges are what the rows of a window have in common: where they are loaded from, and whether they are replaced at an end of the line.
type edges struct {
	left, right kir.Expr // offsets of what lies besides the main components
	first, last kir.Expr // the block is the first, the last of a line; nil where nothing has to be replaced there
}

func (t *strip) edges(w *window) (e edges) {
	b := t.body
	x := t.x(w)
	first := b.op(boolType, ops.Eq, x, i32(0))
	last := b.op(boolType, ops.Eq, b.op(i32T, ops.Add, x, i32(int64(w.width))), t.extent(&w.tile))
	e.left, e.right = t.besides(w, first, last)
	replaces := func(s side, n int) bool {
		if t.interior {
			return false
		}
		_, mirrors := w.mirror(-1)
		return n > 0 && s.folds && (mirrors || w.rule == hast.Constant || w.rule == hast.Formula)
	}
	if replaces(w.lead, w.left) {
		e.first = b.once("is_first", first)
	}
	if replaces(w.trail, w.right) {
		e.last = b.once("is_last", last)
	}
	return e
}

// loadRow loads a row of the image into row r of the array by vectors, from addresses inside of the image.
func (t *strip) loadRow(w *window, e edges, r, row kir.Expr) {
	b := t.body
	var line kir.Expr
	if t.lines(&w.tile) {
		line = t.foldedOnce(w, row)
	}
	at := mul(convert(t.x(w), i64T.Kind), i64(int64(w.per)))
	if start := t.lineAt(&w.tile, line); start != nil {
		at = add(start, at)
	}
	at = b.once(w.Image.Name+"_at", at)
	t.load(w, r, add(at, e.left), 0, w.lead)
	main := w.width * w.per
	t.load(w, r, at, w.lead.size, within(main, w.chunk))
	t.load(w, r, add(at, e.right), w.lead.size+main, w.trail)
}

// mendRow puts what the border rule says in the place of what loadRow has found instead.
func (t *strip) mendRow(w *window, e edges, r, row kir.Expr) {
	b := t.body
	if e.first != nil {
		t.replace(w, r, e.first, w.left, false)
	}
	if e.last != nil {
		t.replace(w, r, e.last, w.right, true)
	}
	if w.rule == hast.Constant && t.lines(&w.tile) && !t.interior {
		row = b.once("y", row)
		gone := b.or(b.op(boolType, ops.Lt, row, i32(0)), b.op(boolType, ops.Ge, row, t.height(w)))
		t.replaceRow(w, r, b.once("outside", gone))
	}
}

// besides are the offsets, from the first main component, of what lies left and right of them. At the ends of a line they stay
// inside of it.
func (t *strip) besides(w *window, firstBlock, lastBlock kir.Expr) (left, right kir.Expr) {
	b := t.body
	main := int64(w.width * w.per)
	left, right = i64(-int64(w.lead.size)), i64(main)
	choose := func(name string, cond kir.Expr, inside, other kir.Expr) kir.Expr {
		return b.once(w.Image.Name+name, &kir.Select{Typed: kir.Typed{T: i64T}, Cond: cond, Then: inside, Else: other})
	}
	if t.interior {
		return left, right
	}
	per := i64(int64(w.per))
	if w.lead.size > 0 && w.lead.folds { // of words, some beside the block are loaded that nobody reads
		inside := i64(0)
		if w.rule == hast.Repeat {
			inside = sub(mul(convert(t.extent(&w.tile), i64T.Kind), per), i64(int64(w.lead.size)))
		}
		left = choose("_left", firstBlock, inside, left)
	}
	if w.trail.size > 0 && w.trail.folds {
		inside := i64(main - int64(w.trail.size))
		if w.rule == hast.Repeat {
			inside = sub(i64(0), mul(convert(t.x(w), i64T.Kind), per))
		}
		right = choose("_right", lastBlock, inside, right)
	}
	return left, right
}

// load moves components from an offset of the image into row r of the array, from column col on.
func (t *strip) load(w *window, r, at kir.Expr, col int, s side) {
	b := t.body
	if w.buf.v.Access&kir.Shared != 0 {
		s.chunk = 1
	}
	if t.loose && s.chunk > 1 {
		t.loadLoose(w, r, at, col, s)
		return
	}
	for k := 0; k < s.size; k += s.chunk {
		index := []kir.Expr{r, i32(int64(col + k))}
		if w.packed {
			index[1] = i32(int64((col + k) / 4))
		}
		offset := add(at, i64(int64(k)))
		if s.chunk == 1 {
			x := &kir.Load{Typed: kir.Typed{T: w.array.Type.Elem()}, Buffer: w.buf.v, Offset: offset}
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index, Value: x})
			continue
		}
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: w.array, Index: index, Buffer: w.buf.v, Offset: offset, Count: s.chunk})
	}
}

// folded is the line that is loaded for a row: inside of the image.
func (t *strip) folded(w *window, row kir.Expr) kir.Expr {
	b := t.body
	switch w.rule {
	case hast.Reflect, hast.Reflect101, hast.Repeat:
		row = b.once("y", row)
		n := t.height(w)
		inside := b.and(b.op(boolType, ops.Ge, row, i32(0)), b.op(boolType, ops.Lt, row, n))
		call := b.foldedBy(w.rule, row, n)
		return b.once("line", &kir.Select{Typed: kir.Typed{T: i32T}, Cond: inside, Then: row, Else: call, Lazy: true})
	}
	return t.clamped(w, row)
}

func (t *strip) clamped(w *window, row kir.Expr) kir.Expr {
	b := t.body
	c := hast.Coord{Below: rangeOf(row, b.bounds).Lo < 0, Above: true}
	return b.once("line", b.clampIndex(c, row, b.op(i32T, ops.Sub, t.height(w), i32(1))))
}

// foldedOnce is folded for a row that one fold brings back, without a branch.
func (t *strip) foldedOnce(w *window, row kir.Expr) kir.Expr {
	b := t.body
	if t.interior {
		return b.once("line", row)
	}
	n := t.height(w)
	below := rangeOf(row, b.bounds).Lo < 0
	choose := func(cond, then, els kir.Expr) kir.Expr {
		return &kir.Select{Typed: kir.Typed{T: i32T}, Cond: cond, Then: then, Else: els}
	}
	switch w.rule {
	case hast.Reflect, hast.Reflect101:
		// The lesser of the row and its mirror image beyond the last line, n - 1 - d or n - 2 - d where the row is the d-th behind it.
		last := int64(1)
		if row = b.once("y", row); w.rule == hast.Reflect101 {
			last = 2
			if below {
				row = b.once("y", b.op(i32T, ops.Abs, row))
			}
		} else if below {
			row = b.once("y", choose(b.op(boolType, ops.Lt, row, i32(0)), b.op(i32T, ops.BitNot, row), row))
		}
		beyond := b.op(i32T, ops.Max, b.op(i32T, ops.Sub, row, n), i32(-1))
		return b.once("line", b.op(i32T, ops.Min, row, b.op(i32T, ops.Sub, b.op(i32T, ops.Sub, n, i32(last)), beyond)))
	case hast.Repeat:
		row = b.once("y", row)
		line := choose(b.op(boolType, ops.Ge, row, n), b.op(i32T, ops.Sub, row, n), row)
		if below {
			line = choose(b.op(boolType, ops.Lt, row, i32(0)), b.op(i32T, ops.Add, row, n), line)
		}
		return b.once("line", line)
	}
	return t.clamped(w, row)
}

// replace puts what the border rule says in the place of n positions outside of the image, on the left or the right.
func (t *strip) replace(w *window, r, outside kir.Expr, n int, right bool) {
	switch {
	case w.rule == hast.Formula:
		t.endByFormula(w, r, outside, n, right)
		return
	case w.packed:
		t.replaceBytes(w, r, outside, n, right)
		return
	}
	b := t.body
	elem := w.array.Type.Elem()
	for i := range n * w.per {
		p, c := i/w.per-n, i%w.per // the position left of the image
		col := w.lead.size + p*w.per + c
		from, mirrors := w.mirror(p)
		if right { // the same, seen from the other end
			p = -1 - i/w.per
			from, mirrors = w.mirror(p)
			col = w.lead.size + w.width*w.per + i
			from = w.width - 1 - from
		}
		value := t.outsideValue(w, c)
		if mirrors {
			value = b.elemOf(w.array, []kir.Expr{r, i32(int64(w.lead.size + from*w.per + c))})
		}
		index := []kir.Expr{r, i32(int64(col))}
		choice := &kir.Select{Typed: kir.Typed{T: elem}, Cond: outside, Then: value, Else: b.elemOf(w.array, index)}
		b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index, Value: choice})
	}
}

// outsideValue is component c of what a constant border has outside of the image; nil under other rules.
func (t *strip) outsideValue(w *window, c int) kir.Expr {
	if w.rule != hast.Constant {
		return nil
	}
	return t.body.lane(t.body.expr(w.value.Value), c%int(w.buf.elem.Lanes))
}

// replaceRow puts the value of a constant border in the place of a row that is gone.
func (t *strip) replaceRow(w *window, r, gone kir.Expr) {
	b := t.body
	if w.packed {
		t.fillBytes(w, r, gone)
		return
	}
	b.unrolled("u", w.left+w.width+w.right, func(u kir.Expr) {
		first := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(w.per))), i32(int64(w.lead.size-w.left*w.per)))
		for c := range w.per {
			index := []kir.Expr{r, b.op(i32T, ops.Add, first, i32(int64(c)))}
			choice := &kir.Select{Typed: kir.Typed{T: w.array.Type.Elem()}, Cond: gone, Then: t.outsideValue(w, c), Else: b.elemOf(w.array, index)}
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index, Value: choice})
		}
	})
}
