package lower

import (
	"maps"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Sums of bytes times small constants are dot products of four bytes at a time. The windows that such sums read hold bytes in
// words, as memory does, and a place between two words is a shift of both.

var u8T = types.Scalar(types.U8)

// byteAt is one byte of a packed window.
func (t *strip) byteAt(w *tile, row, col kir.Expr) kir.Expr {
	b := t.body
	word := b.elemOf(w.array, []kir.Expr{row, b.op(i32T, ops.Div, col, i32(4))})
	shift := b.op(i32T, ops.Mul, b.op(i32T, ops.Rem, col, i32(4)), i32(8))
	return b.convert(u8T, b.op(u32T, ops.And, b.op(u32T, ops.Shr, word, shift), uconst(255)), kir.Wrap)
}

// component is a component of a tile.
func (t *strip) component(a *tile, row, col kir.Expr) kir.Expr {
	if a.packed {
		return t.byteAt(a, row, col)
	}
	return t.body.elemOf(a.array, []kir.Expr{row, col})
}

// pack puts four bytes into a word. Those that nobody reads are nil.
func (t *strip) pack(bytes [4]kir.Expr) kir.Expr {
	b := t.body
	var word kir.Expr
	for i, x := range bytes {
		if x == nil {
			continue
		}
		byte := b.op(u32T, ops.Shl, b.convert(u32T, x, kir.Wrap), i32(int64(8*i)))
		if word == nil {
			word = byte
		} else {
			word = b.op(u32T, ops.Or, word, byte)
		}
	}
	if word == nil {
		return uconst(0)
	}
	return word
}

// setWord changes a word of a packed window.
func (t *strip) setWord(w *window, row, word, value kir.Expr) {
	t.body.emit(&kir.Assign{Placed: t.body.placed(), Var: w.array, Index: []kir.Expr{row, word}, Value: value})
}

// fetchBytes is fetchPixels of a packed window.
func (t *strip) fetchBytes(w *window) {
	b := t.body
	b.unrolled("v", w.rows, func(r kir.Expr) {
		row, folded := t.line(w, t.row(w, r))
		if w.per > 1 {
			t.fetchPixelBytes(w, r, row, folded)
			return
		}
		b.unrolled("u", w.cols/4, func(u kir.Expr) {
			x := b.once("x", b.op(i32T, ops.Add, t.x(w), b.op(i32T, ops.Sub, b.op(i32T, ops.Mul, u, i32(4)), i32(int64(w.lead.size)))))
			var bytes [4]kir.Expr
			for i := range bytes {
				t.pixels(w, row, folded, b.op(i32T, ops.Add, x, i32(int64(i))), func(_ int, value kir.Expr) { bytes[i] = b.once("p", value) })
			}
			t.setWord(w, r, u, t.pack(bytes))
		})
	})
}

// fetchPixelBytes loads row r of a packed window of pixels of several bytes, of which words take parts.
func (t *strip) fetchPixelBytes(w *window, r, row kir.Expr, folded bool) {
	b := t.body
	bytes := make([]kir.Expr, w.cols)
	for u := -w.left; u < w.width+w.right; u++ {
		x := b.once("x", b.op(i32T, ops.Add, t.x(w), i32(int64(u))))
		t.pixels(w, row, folded, x, func(c int, value kir.Expr) { bytes[w.lead.size+u*w.per+c] = b.once("p", value) })
	}
	for k := 0; k < w.cols; k += 4 {
		t.setWord(w, r, i32(int64(k/4)), t.pack([4]kir.Expr(bytes[k:])))
	}
}

// replaceBytes is replace of a packed window: the words that hold positions outside are made anew.
func (t *strip) replaceBytes(w *window, r, outside kir.Expr, n int, right bool) {
	b := t.body
	first, last := w.lead.size-n*w.per, w.lead.size // of the bytes that are replaced
	if right {
		first, last = w.lead.size+w.width*w.per, w.lead.size+(w.width+n)*w.per
	}
	for word := first / 4; 4*word < last; word++ {
		from := [4]int{-1, -1, -1, -1} // the bytes that take the places of those of the word; -1 is a constant outside
		for i := range from {
			if from[i] = 4*word + i; from[i] >= first && from[i] < last {
				from[i] = w.inside(from[i], right)
			}
		}
		at := i32(int64(word))
		old := b.elemOf(w.array, []kir.Expr{r, at})
		t.setWord(w, r, at, &kir.Select{Typed: kir.Typed{T: u32T}, Cond: outside, Then: t.gathered(w, r, 4*word, from), Else: old})
	}
}

// inside is the byte of a row that stands for one beyond the image; -1 where a constant does.
func (w *window) inside(col int, right bool) int {
	p := floorDiv(col-w.lead.size, w.per) // the position left of the image, or right of it seen from the other end
	c := col - w.lead.size - p*w.per
	if right {
		p = w.width - 1 - p
	}
	from, mirrors := w.mirror(p)
	switch {
	case !mirrors:
		return -1
	case right:
		from = w.width - 1 - from
	}
	return w.lead.size + from*w.per + c
}

// componentAt is the component that a byte of a row is.
func (w *window) componentAt(col int) int { return ((col-w.lead.size)%w.per + w.per) % w.per }

// gathered is the word at a byte of a row, made of four bytes of it: the bytes of each word that some are in take their places one word after the other.
func (t *strip) gathered(w *window, r kir.Expr, at int, from [4]int) kir.Expr {
	if slices.Min(from[:]) < 0 {
		var bytes [4]kir.Expr
		for i, col := range from {
			if bytes[i] = t.outsideValue(w, w.componentAt(at+i)); col >= 0 {
				bytes[i] = t.byteAt(&w.tile, r, i32(int64(col)))
			}
		}
		return t.pack(bytes)
	}
	var words []int
	for _, col := range from {
		if !slices.Contains(words, col/4) {
			words = append(words, col/4)
		}
	}
	word := func(n int) kir.Expr { return t.body.elemOf(w.array, []kir.Expr{r, i32(int64(n))}) }
	out := word(words[0])
	for k := 1; k < max(2, len(words)); k++ { // a word alone is permuted with itself
		next := words[min(k, len(words)-1)]
		var take [4]uint8
		for i, col := range from {
			switch n := slices.Index(words, col/4); {
			case n == k:
				take[i] = uint8(4 + col%4)
			case k == 1 && n == 0:
				take[i] = uint8(col % 4)
			case n < k:
				take[i] = uint8(i) // it is in its place
			}
		}
		out = permute(out, word(next), take)
	}
	return out
}

// fillBytes gives a row of a packed window the value of a constant border where it is gone.
func (t *strip) fillBytes(w *window, r, gone kir.Expr) {
	b := t.body
	set := func(u, word kir.Expr) {
		old := b.elemOf(w.array, []kir.Expr{r, u})
		t.setWord(w, r, u, &kir.Select{Typed: kir.Typed{T: u32T}, Cond: gone, Then: word, Else: old})
	}
	word := func(first int) kir.Expr {
		var bytes [4]kir.Expr
		for i := range bytes {
			bytes[i] = t.outsideValue(w, w.componentAt(first+i))
		}
		return b.once("value", t.pack(bytes))
	}
	if w.per > 1 { // each word begins with another component
		for k := 0; k < w.cols; k += 4 {
			set(i32(int64(k/4)), word(k))
		}
		return
	}
	value := word(0)
	b.unrolled("u", w.cols/4, func(u kir.Expr) { set(u, value) })
}

// combiner takes expressions apart as far as windows hold bytes in words. Variables of reductions that are written out are constants.
func (t *strip) combiner() *block.Combiner {
	return &block.Combiner{Stage: t.what, Unroll: t.body.unroll, Holds: t.packed, Known: func(v *hast.Var) (int64, bool) {
		return constInt(t.body.vars[v])
	}}
}

// packed reports whether a window holds bytes in words.
func (t *strip) packed(w *block.Window) bool {
	for i, x := range t.what.Windows {
		if x == w {
			return t.windows[i] != nil && t.windows[i].packed
		}
	}
	return false
}

// dot4 is a sum over bytes of packed windows, in dot products; nil where it is none.
func (b *body) dot4(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil || b.kernel.decided.Dot4 == 0 {
		return nil
	}
	t := b.kernel.blocks
	sum := t.combiner().Of(e)
	if sum == nil || len(sum.Taps) < 2 || e.T != i32T || !t.dotted(sum) {
		return nil
	}
	v := b.declare("sum", i32T, false, t.dots(sum, nil))
	b.bounds[v] = boundsOf(sum)
	return ref(v)
}

// dotted reports whether dot products of four bytes give a sum: the weights have 8 bits, and the windows hold all bytes of each four.
func (t *strip) dotted(l *block.Combination) bool {
	if !l.EightBits() || !boundsOf(l).Within(interval.OfKind(i32T.Kind)) {
		return false
	}
	for _, r := range l.Rows() {
		if _, ok := t.fours(r); !ok {
			return false
		}
	}
	return true
}

// dots adds up a sum by rows, four neighbours at a time, to another one, which may be nil.
func (t *strip) dots(l *block.Combination, sum kir.Expr) kir.Expr {
	if sum == nil {
		sum = i32(l.Plus)
	}
	for _, r := range l.Rows() {
		w := t.windows[r.Window]
		starts, _ := t.fours(r)
		at := t.element(&w.tile, t.rowOf(block.Tap{Window: r.Window, Y: r.Y}), w.lead.size, 0)
		for _, x := range starts {
			first := t.body.op(i32T, ops.Add, at[1], i32(int64(x)))
			bytes := &kir.FourBytes{Typed: kir.Typed{T: u32T}, Var: w.array, Index: at[:1], At: first}
			sum = dot(bytes, taken(r, x), sum)
		}
	}
	return sum
}

// dot adds a dot product of four bytes and as many weights to a sum.
func dot(bytes kir.Expr, weights uint32, sum kir.Expr) kir.Expr {
	return &kir.Dot4{Typed: kir.Typed{T: i32T}, Bytes: bytes, Weights: uconst(int64(weights)), Acc: sum}
}

// taken are the weights of four neighbours in a row from x on, as a word, which are no longer the row's then.
func taken(r *block.Row, x int) (weights uint32) {
	for i := range 4 {
		weights |= uint32(uint8(r.Taps[x+i])) << (8 * i)
		delete(r.Taps, x+i)
	}
	return weights
}

// stride is how far apart neighbouring instances read a window, in x or y. That of a part of a fusion is there for the instances of the last one.
func (t *strip) stride(w *window, dim int) int {
	return [2]block.Span{w.X, w.Y}[dim].Stride / max(1, t.apartBy[dim])
}

// inRow are the columns of the instances that are computed in a row.
func (t *strip) inRow() block.Columns {
	if t.inWords != nil {
		return *t.inWords
	}
	return block.Columns{To: t.item[0]}
}

// rowOf is the place in a window of the row of a tap.
func (t *strip) rowOf(p block.Tap) block.Place {
	w := t.windows[p.Window]
	return block.Place{Image: w.Image, Y: block.Span{Stride: t.stride(w, 1), Lo: p.Y, Hi: p.Y}, X: block.Span{Stride: t.stride(w, 0)}}
}

// fours covers a row by groups of four.
func (t *strip) fours(r *block.Row) (starts []int, ok bool) {
	w, c := t.windows[r.Window], t.inRow()
	stride, n := t.stride(w, 0), t.sides()
	return fours(r.Taps, -w.lead.size-stride*c.From*n, w.cols-w.lead.size-stride*(c.To*n-1))
}

// fours covers the columns of a row by groups of four from first to behind.
func fours(row map[int]int64, first, behind int) (starts []int, ok bool) {
	columns := slices.Sorted(maps.Keys(row))
	for x := columns[0]; x <= columns[len(columns)-1]; x += 4 {
		start := min(x, behind-4)
		if start < first {
			return nil, false
		}
		starts = append(starts, start)
	}
	return starts, true
}
