package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// An output is what the instances of a block write to one image; a strip stores it once all of them are computed.
type output struct {
	tile
	own  block.Place // of the pixels that an instance writes
	lead int         // components of a row before the block
	top  int         // rows before it
	// border is the window that it is read through where that has a constant border; else nil
	border   *window
	unstored bool // nothing reads it but what reduces it
}

// kept puts what an instance stores into the output's array; false where the image has none.
func (b *body) kept(s *hast.Store) bool {
	if b.kernel == nil || b.kernel.blocks == nil {
		return false
	}
	t := b.kernel.blocks
	scope := t.scope()
	for _, o := range t.outputs {
		if !o.own.Takes(scope, s) {
			continue
		}
		p, _ := t.what.PlaceOfStore(scope, s)
		c := 0
		if _, _, channel := block.Axes(s.Image); channel >= 0 {
			c, _ = channelOf(scope, s.Image, s.Index[channel])
		}
		value := b.expr(s.Value)
		if s.Image.Elem.Lanes > 1 {
			value = b.once("pixel", value)
		}
		for l := range int(s.Image.Elem.Lanes) {
			index := t.destination(o, p, c+l)
			b.emit(&kir.Assign{Placed: b.placed(), Var: o.array, Index: index, Value: t.inOrBeyond(o, c+l, b.lane(value, l))})
		}
		return true
	}
	return false
}

// destination is the place in an output's array of component c of a pixel that the instance writes.
func (t *strip) destination(o *output, p block.Place, c int) []kir.Expr {
	defer t.inOwnBlock()()
	p.X.Lo -= o.own.X.Lo
	index := t.element(&o.tile, p, o.lead, c)
	index[0] = t.body.op(i32T, ops.Add, index[0], i32(int64(o.top)))
	return index
}

// inOwnBlock has places be those where what the instance writes is kept, until the function that it returns is called.
func (t *strip) inOwnBlock() (done func()) {
	from := t.at
	for dim, to := range t.to {
		if to != nil {
			t.at[dim] = to
		}
	}
	return func() { t.at = from }
}

// inOrBeyond is a value, or that of a constant border where the instance stands for a place outside.
func (t *strip) inOrBeyond(o *output, c int, value kir.Expr) kir.Expr {
	if o.border == nil {
		return value
	}
	outside := t.outsideAt()
	if outside == nil {
		return value
	}
	return &kir.Select{Typed: kir.Typed{T: value.Type()}, Cond: outside, Then: t.outsideValue(o.border, c), Else: value}
}

// outsideAt is whether the instance at hand stands for a place outside; nil where it never does.
func (t *strip) outsideAt() kir.Expr {
	if t.beyond[1] == nil {
		return t.beyond[0]
	}
	return t.body.or(t.beyond[0], t.beyond[1])
}

// beyondEnds is whether a coordinate is not from 0 to the last.
func (b *body) beyondEnds(i, last kir.Expr) kir.Expr {
	return b.or(b.op(boolType, ops.Lt, i, i32(0)), b.op(boolType, ops.Gt, i, last))
}

// put stores the outputs: those pixels that lie in the iteration.
func (t *strip) put(store func(*output)) {
	for _, o := range t.stored() {
		store(o)
	}
}

// stored are the outputs in memory.
func (t *strip) stored() []*output {
	return slices.DeleteFunc(slices.Clone(t.outputs), func(o *output) bool { return o.unstored })
}

// written is how many components of a row of an output the block writes.
func (t *strip) written(o *output) int { return t.item[0] * o.X.Apart() * o.per }

// putRow runs f for the rows that row r of the block's instances writes of an output if it lies in the iteration: the row of the array, and
// the offset of the block's first component in the image.
func (t *strip) putRow(o *output, r kir.Expr, f func(row, at kir.Expr)) {
	b := t.body
	y, inside := t.rowAt(r)
	rows := o.Y.Apart()
	store := func() {
		b.unrolled("w", rows, func(k kir.Expr) {
			line := y
			if t.lines(&o.tile) {
				line = b.op(i32T, ops.Add, k, i32(int64(o.Y.Lo)))
				if y != nil { // else all instances write the same line
					line = b.op(i32T, ops.Add, t.below(o.Y, y), line)
				}
			}
			at := mul(convert(b.op(i32T, ops.Add, t.below(o.X, t.first[0]), i32(int64(o.X.Lo))), i64T.Kind), i64(int64(o.per)))
			if start := t.rowStart(o, r, line); start != nil {
				at = add(start, at)
			}
			row := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, r, i32(int64(rows))), k)
			f(b.op(i32T, ops.Add, row, i32(int64(o.top))), b.once(o.Image.Name+"_at", at))
		})
	}
	b.when(inside, store)
}

// rowStart is the offset of the first component of the line that row r of the block's instances writes; nil is 0.
//
// Where a row takes several stores, which are kept together, what the next row's address takes stands between those of two rows. Inside of images, where no condition does, it is that of the
// first row and so many lines: on an H200, 8192 x 8192, binomials of colours took 0.1179 ms by a product of 64 bits for each of eight rows, and 0.1142 so. Rows of one store
// have a product each: hysteresis of four rows took 0.0422 and 0.0427.
func (t *strip) rowStart(o *output, r, line kir.Expr) kir.Expr {
	y, buf := o.Y, o.buf
	alike := y.Stride == 1 && y.By() == 1 && y.Apart() == 1 && !y.Periodic && o.Image.View == nil && buf.origin == nil && (buf.of == nil || !buf.of.Ring)
	if !t.interior || !t.plan.opts.GPU || t.loose || !alike || !t.lines(&o.tile) || t.item[1] == 1 || len(o.runs(t.written(o))) == 1 {
		return t.lineAt(&o.tile, line)
	}
	first := t.lineAt(&o.tile, t.body.op(i32T, ops.Add, t.below(y, t.first[1]), i32(int64(y.Lo))))
	return add(first, mul(convert(r, i64T.Kind), buf.pitch))
}

// rowAt is where row r of the block's instances is, and whether it lies in the iteration; nil for always.
func (t *strip) rowAt(r kir.Expr) (y, inside kir.Expr) {
	if t.flat || t.what.Y == nil {
		return nil, nil
	}
	b := t.body
	y = b.op(i32T, ops.Add, t.first[1], r)
	if t.short || (t.item[1] > 1 || t.shared != nil) && !t.interior && !t.allRows { // else an item without instances has left
		y = b.once("y", y)
		inside = b.op(boolType, ops.Lt, y, t.end[1])
	}
	return y, inside
}

// columnInside is the condition that column u of the block's instances lies in the iteration.
func (t *strip) columnInside(u kir.Expr) kir.Expr {
	b := t.body
	x := b.op(i32T, ops.Add, t.first[0], u)
	inside := b.op(boolType, ops.Lt, x, t.end[0])
	if t.from[0] != nil {
		inside = b.and(b.op(boolType, ops.Ge, x, t.from[0]), inside)
	}
	return inside
}

func (t *strip) putWhole(o *output) {
	t.body.unrolled("v", t.item[1], func(r kir.Expr) { t.putWholeRow(o, r) })
}

// putWholeRow stores row r of a whole block.
func (t *strip) putWholeRow(o *output, r kir.Expr) {
	b := t.body
	t.putRow(o, r, func(row, at kir.Expr) {
		if t.loose && o.chunk > 1 {
			t.storeLoose(o, row, at, t.written(o))
			return
		}
		k := 0
		runs := o.runs(t.written(o))
		for i, run := range runs {
			index := []kir.Expr{row, i32(int64(o.lead + k))}
			offset := add(at, i64(int64(k)))
			if o.packed {
				index[1] = i32(int64((o.lead + k) / 4))
			}
			first := i == 0 && len(runs) > 1
			if k += run; run == 1 {
				b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: offset, Value: b.elemOf(o.array, index), First: first})
				continue
			}
			b.emit(&kir.StoreRun{Placed: b.placed(), Buffer: o.buf.v, Offset: offset, Var: o.array, Index: index, Count: run, First: first})
		}
	})
}

func (t *strip) putPixels(o *output) {
	t.body.unrolled("v", t.item[1], func(r kir.Expr) { t.putRowPixels(o, r) })
}

// putRowPixels stores the pixels of those instances in row r of any block that lie in the iteration.
func (t *strip) putRowPixels(o *output, r kir.Expr) {
	b := t.body
	t.putRow(o, r, func(row, at kir.Expr) {
		b.unrolled("u", t.item[0], func(u kir.Expr) {
			inside := t.columnInside(u)
			each := o.X.Apart() * o.per
			col := b.op(i32T, ops.Mul, u, i32(int64(each)))
			at := func(c int) kir.Expr { return add(at, convert(b.op(i32T, ops.Add, col, i32(int64(c))), i64T.Kind)) }
			stmts := b.inside(false, func() {
				t.putComponents(o, each, at, func(c int) kir.Expr {
					col := b.op(i32T, ops.Add, col, i32(int64(c)))
					return t.component(&o.tile, row, b.op(i32T, ops.Add, col, i32(int64(o.lead))))
				})
			})
			b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: stmts})
		})
	})
}

// aligned is the condition that the lines of all images start where vectors may; nil where they always do, and where that is not for the kernel
// to ask.
func (t *strip) aligned() kir.Expr {
	cond := t.starts()
	switch {
	case cond == nil || t.loose:
		return nil
	case !t.evenOnly || !t.ofCaller():
		return t.scalar("aligned", boolType, cond, interval.Between(0, 1))
	case t.even != nil:
		cond = opExpr(boolType, ops.LAnd, []kir.Expr{t.even, cond}, true)
	}
	t.even = cond
	return nil
}

// ofCaller reports whether the caller gives one of the images: lines of the library's own start at vectors as a rule.
func (t *strip) ofCaller() bool {
	for _, w := range t.all() {
		if w.Image.Base().Dir != hast.Local {
			return true
		}
	}
	return slices.ContainsFunc(t.stored(), func(o *output) bool { return o.Image.Base().Dir != hast.Local })
}

// starts is the condition, a host value, that the lines of all images start where vectors may; nil where they always do.
func (t *strip) starts() kir.Expr {
	var all kir.Expr
	multiple := func(x kir.Expr, n int) {
		if c, ok := constInt(x); n == 1 || ok && c%int64(n) == 0 {
			return
		}
		rest := opExpr(i64T, ops.Rem, []kir.Expr{x, i64(int64(n))}, true)
		cond := opExpr(boolType, ops.Eq, []kir.Expr{rest, i64(0)}, true)
		if all == nil {
			all = cond
		} else {
			all = opExpr(boolType, ops.LAnd, []kir.Expr{all, cond}, true)
		}
	}
	lines := func(a *tile) {
		if m := a.buf.image; m.Offset != nil {
			multiple(ref(m.Offset), a.chunk)
		}
		if m := a.buf.image; t.lines(a) {
			multiple(ref(m.Pitch), a.chunk)
		}
		_, left := t.left(a.Image)
		multiple(mul(left, i64(int64(a.per))), a.chunk)
	}
	for _, w := range t.all() {
		lines(&w.tile)
		if _, pixel, _ := block.Axes(w.Image); w.rule == hast.Repeat {
			multiple(mul(t.plan.hostExpr(w.Image.Extent[pixel]), i64(int64(w.per))), max(w.lead.chunk, w.trail.chunk))
		}
	}
	for _, o := range t.stored() {
		lines(&o.tile)
	}
	return all
}

// gapless is the condition, a host value, that the lines of all images follow each other without gaps.
func (t *strip) gapless() kir.Expr {
	cond := opExpr(boolType, ops.Le, []kir.Expr{t.instances(), i64(hast.MaxExtent)}, true)
	lines := func(a *tile) {
		m := a.buf.image
		if m.LineAxis < 0 {
			return
		}
		n := i64(int64(m.Elem.Lanes))
		for _, e := range m.Extent[m.LineAxis+1:] {
			n = mul(n, e)
		}
		same := opExpr(boolType, ops.Eq, []kir.Expr{ref(m.Pitch), n}, true)
		cond = opExpr(boolType, ops.LAnd, []kir.Expr{cond, same}, true)
	}
	for _, w := range t.all() {
		lines(&w.tile)
	}
	for _, o := range t.stored() {
		lines(&o.tile)
	}
	return cond
}
