package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// The frames of intermediate images: what a border rule makes of the pixels around a block that lie outside of the image.

// framed reports whether a part reads the tile outside of its image on an axis, and how far before and behind the block.
func framed(w *block.Window, s block.Span) (before, behind int) {
	if w.Rule == nil || s.Stride == 0 {
		return 0, 0
	}
	return max(0, -s.First()), max(0, s.Behind())
}

// short is by how many pixels an axis of the image may fall short of the blocks, where it is read outside.
func (f *fusion) short(w *block.Window, dim int) int { return f.group.Short(w.Image)[dim] }

// regular are the conditions for pixels outside of intermediate images to be those of the block at places that are known now: on
// each axis, the block starts where the image does, or all that it needs lies behind that; and likewise at the end. A block that ends behind the
// last pixel, as one of pairs does whose image has an odd number of columns, is none of these.
func (f *fusion) regular() (conds []kir.Expr) {
	b := f.body
	for _, p := range f.group.Parts {
		if p.Short[0] > 0 { // rows are asked for one by one
			at := f.ends(p.Keeps[0], 0)
			conds = append(conds, b.op(boolType, ops.Le, b.op(i32T, ops.Add, at.first, i32(int64(p.X.Covers(f.item[0])))), at.extent))
		}
	}
	for _, w := range f.group.Tiles {
		for dim, s := range []block.Span{w.X, w.Y} {
			before, behind := framed(w, s)
			short := f.short(w, dim)
			if before+behind+short == 0 {
				continue
			}
			size := s.Stride * f.item[dim]
			at := f.ends(w, dim)
			known := f.insideFor(w, dim, before, behind) <= size && !f.isFar(w.Image)
			if before > size || before > 0 && !known {
				inside := b.op(boolType, ops.Ge, at.first, i32(int64(before)))
				if known {
					inside = b.op(boolType, ops.LOr, at.isFirst, inside)
				}
				conds = append(conds, inside)
			}
			if behind+short > 0 {
				inside := b.op(boolType, ops.Le, b.op(i32T, ops.Add, at.first, i32(int64(size+behind))), at.extent)
				if known {
					inside = b.op(boolType, ops.LOr, inside, at.isLast)
				}
				conds = append(conds, inside)
			}
		}
	}
	return conds
}

// isFar reports whether no block holds what a border rule takes for pixels outside of an image that a part keeps.
func (f *fusion) isFar(m *hast.Image) bool { return f.group.IsFar(m) && !f.group.IsStraight(m) }

// endOf is what a formula says of n rows above or below an image that a part keeps.
func (f *fusion) endOf(w *window, behind bool, n int) *block.End {
	line, _, _ := block.Axes(w.Image)
	return block.EndOf(w.value, line, behind, n)
}

// insideFor is how many pixels of the block stand for those beside it on an axis.
func (f *fusion) insideFor(w *block.Window, dim, before, behind int) int {
	if !f.group.IsStraight(w.Image) || dim == 0 {
		return mirrored(w.Rule, max(before, behind))
	}
	line, _, _ := block.Axes(w.Image)
	return max(block.EndOf(w.Rule, line, false, before).Reach, block.EndOf(w.Rule, line, true, behind).Reach)
}

// mirrored is how many pixels of the block a rule takes for n pixels outside.
func mirrored(r *hast.Rule, n int) int {
	if r == nil || n == 0 {
		return 0
	}
	switch r.Kind {
	case hast.Reflect:
		return n
	case hast.Reflect101:
		return n + 1
	}
	return 1
}

// Ends are where a block lies on one axis of an image.
type ends struct {
	first, extent   kir.Expr // the block's first pixel, the pixels of the axis
	isFirst, isLast kir.Expr // whether the block is the first one, and ends where the image does
}

func (t *strip) ends(w *block.Window, dim int) ends {
	b := t.body
	s := [2]block.Span{w.X, w.Y}[dim]
	line, pixel, _ := block.Axes(w.Image)
	axis := [2]int{pixel, line}[dim]
	e := ends{first: t.below(s, t.first[dim]), extent: i32(1)}
	if axis >= 0 {
		e.extent = t.extents(w.Image, t.buffer(w.Image.Base(), 0))[axis]
	}
	e.isFirst = b.op(boolType, ops.Eq, e.first, i32(0))
	e.isLast = b.op(boolType, ops.Eq, b.op(i32T, ops.Add, e.first, i32(int64(s.Covers(t.item[dim])))), e.extent)
	return e
}

// replaceEnds gives pixels of the frame their values, where these are others of the block, of the row that has been computed in step t: row at, which is the stride of the
// rows times t, plus base.
func (f *fusion) replaceEnds(w *window, t, at kir.Expr, base int) {
	if f.interior || f.isFar(w.Image) {
		return
	}
	b, per := f.body, w.Y.Stride
	from := &block.Window{Place: w.Place, Rule: w.value}
	row := b.op(i32T, ops.Add, at, i32(int64(-w.Y.Lo)))
	if before, behind := framed(from, w.X); before+behind > 0 && f.insideFor(from, 0, before, behind) <= w.X.Stride*f.item[0] { // else blocks at the ends are computed one by one
		x := f.ends(from, 0)
		if before > 0 {
			f.replace(w, row, b.once("is_first", x.isFirst), before, false)
		}
		if behind > 0 {
			f.replace(w, row, b.once("is_last", x.isLast), behind, true)
		}
	}
	before, behind := framed(from, w.Y)
	if before+behind == 0 {
		return
	}
	y := f.ends(from, 1)
	size := w.Y.Stride * f.item[1]
	if f.insideFor(from, 1, before, behind) > size { // which blocks at the ends do not hold either
		return
	}
	when := func(lo, hi int, g func()) { f.during(t, ceilDiv(lo-base, per), ceilDiv(hi-base, per), g) }
	if before > 0 {
		f.above(w, when, row, b.once("is_top", y.isFirst), before)
	}
	if behind > 0 {
		f.below(w, when, row, b.once("is_bottom", y.isLast), size, behind)
	}
}

// above fills rows above the image, when the row that they repeat has been computed.
func (f *fusion) above(w *window, when func(lo, hi int, g func()), row, isTop kir.Expr, n int) {
	b := f.body
	first := i32(int64(-w.Y.Lo)) // the array's row of the block's first
	switch w.rule {
	case hast.Formula:
		e := f.endOf(w, false, n)
		when(e.Reach-1, e.Reach, func() {
			for k := range n {
				to := b.op(i32T, ops.Sub, first, i32(int64(k+1)))
				f.rowByFormula(w, e, k, to, isTop, func(at int) kir.Expr { return b.op(i32T, ops.Add, first, i32(int64(at))) })
			}
		})
	case hast.Constant:
		when(-n, 0, func() { f.copyRow(w, row, nil, isTop) })
	case hast.Reflect, hast.Reflect101: // row k is that of k places, or one more, above the first
		skip := 1
		if w.rule == hast.Reflect {
			skip = 0
		}
		when(skip, n+skip, func() {
			mirror := b.op(i32T, ops.Sub, i32(int64(-2*w.Y.Lo-1+skip)), row)
			f.copyRow(w, mirror, row, isTop)
		})
	default:
		when(0, 1, func() {
			for k := 1; k <= n; k++ {
				f.copyRow(w, b.op(i32T, ops.Sub, first, i32(int64(k))), row, isTop)
			}
		})
	}
}

// below makes a row that lies below the image what the rule says.
func (f *fusion) below(w *window, when func(lo, hi int, g func()), row, isBottom kir.Expr, size, n int) {
	b := f.body
	last := int64(size - 1 - w.Y.Lo)
	if w.rule == hast.Formula {
		e := f.endOf(w, true, n)
		for k := range n {
			when(size+k, size+k+1, func() {
				f.rowByFormula(w, e, k, row, isBottom, func(at int) kir.Expr { return i32(last - int64(at)) })
			})
		}
		return
	}
	when(size, size+n, func() {
		var from kir.Expr
		switch w.rule {
		case hast.Constant:
		case hast.Reflect:
			from = b.op(i32T, ops.Sub, i32(2*last+1), row)
		case hast.Reflect101:
			from = b.op(i32T, ops.Sub, i32(2*last), row)
		default:
			from = i32(last)
		}
		f.copyRow(w, row, from, isBottom)
	})
}

// copyRow gives row to of a tile the pixels of row from, or of a constant border where that is nil, if cond holds.
func (f *fusion) copyRow(w *window, to, from, cond kir.Expr) {
	b := f.body
	if w.packed {
		f.copyWords(w, to, from, cond)
		return
	}
	b.unrolled("u", w.cols/w.per, func(u kir.Expr) {
		for c := range w.per {
			col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(w.per))), i32(int64(c)))
			value := f.outsideValue(w, c)
			if from != nil {
				value = b.elemOf(w.array, []kir.Expr{from, col})
			}
			index := []kir.Expr{to, col}
			choice := &kir.Select{Typed: kir.Typed{T: w.array.Type.Elem()}, Cond: cond, Then: value, Else: b.elemOf(w.array, index)}
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index, Value: choice})
		}
	})
}

// copyWords is copyRow of a tile of bytes in words.
func (f *fusion) copyWords(w *window, to, from, cond kir.Expr) {
	b := f.body
	b.unrolled("u", w.cols/block.PerWord, func(u kir.Expr) {
		var value kir.Expr
		if from != nil {
			value = b.elemOf(w.array, []kir.Expr{from, u})
		} else {
			x := f.outsideValue(w, 0)
			value = f.pack([4]kir.Expr{x, x, x, x})
		}
		f.setWord(w, to, u, &kir.Select{Typed: kir.Typed{T: u32T}, Cond: cond, Then: value, Else: b.elemOf(w.array, []kir.Expr{to, u})})
	})
}

// fold replaces all pixels of a tile that lie outside of the image, wherever the block is.
func (f *fusion) fold(w *window) {
	if w.value == nil {
		return
	}
	short := f.group.Short(w.Image)
	outside := func(s block.Span, dim int) bool { return s.Stride > 0 && (s.First() < 0 || s.Behind()+short[dim] > 0) }
	if outside(w.Y, 1) {
		f.foldAxis(w, 1, w.rows, w.cols/w.per)
	}
	if outside(w.X, 0) {
		f.foldAxis(w, 0, w.cols/w.per, w.rows)
	}
}

// foldAxis replaces those that lie outside on one axis, of which a tile holds n places with across pixels each. Those of no instance, whose pixels would lie beyond the tile, take some that are computed.
func (f *fusion) foldAxis(w *window, dim, n, across int) {
	b := f.body
	e := f.ends(&block.Window{Place: w.Place, Rule: w.value}, dim)
	base := b.op(i32T, ops.Add, e.first, i32(int64([2]int{-w.lead.size / w.per, w.Y.First()}[dim])))
	rule := w.rule
	if rule == hast.Undefined {
		rule = hast.Clamp
	}
	computed := [2]int{0, n - 1}
	if dim == 0 {
		first := w.lead.size/w.per - w.left
		computed = [2]int{first, first + w.left + w.width + w.right - 1}
	}
	b.unrolled("i", n, func(i kir.Expr) {
		at := b.once("at", b.op(i32T, ops.Add, base, i))
		inside := b.and(b.op(boolType, ops.Ge, at, i32(0)), b.op(boolType, ops.Lt, at, e.extent))
		b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Not, inside), Then: b.inside(false, func() {
			var from kir.Expr
			if rule != hast.Constant {
				position, _ := b.fold(hast.Coord{Below: true, Above: true}, at, e.extent, rule)
				from = b.once("from", b.op(i32T, ops.Clamp, b.op(i32T, ops.Sub, position, base), i32(int64(computed[0])), i32(int64(computed[1]))))
			}
			b.unrolled("k", across, func(k kir.Expr) { f.foldPixel(w, dim, i, from, k) })
		})})
	})
}

// foldPixel replaces one pixel, at place i of an axis and k of the other one, by that at from, or by the constant.
func (f *fusion) foldPixel(w *window, dim int, i, from, k kir.Expr) {
	b := f.body
	index := func(i kir.Expr, c int) []kir.Expr {
		row, x := k, i
		if dim == 1 {
			row, x = i, k
		}
		return []kir.Expr{row, b.op(i32T, ops.Add, b.op(i32T, ops.Mul, x, i32(int64(w.per))), i32(int64(c)))}
	}
	for c := range w.per {
		value := f.outsideValue(w, c)
		if from != nil {
			value = b.elemOf(w.array, index(from, c))
		}
		b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index(i, c), Value: value})
	}
}
