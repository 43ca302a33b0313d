package lower

import (
	"maps"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Sums of bytes times small constants are dot products of four bytes at a time. The windows that such sums read hold bytes in
// words, as memory does, and a place between two words is a shift of both.

var u8T = types.Scalar(types.U8)

// packs reports whether a window may hold bytes in words in blocks of so many instances along the lines.
func packs(w *block.Window, items int) bool {
	return w.Image.Elem == u8T && block.Channels(w.Image) == 1 && w.X.Stride <= 2 && items%4 == 0
}

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

// pack puts four bytes into a word.
func (t *strip) pack(bytes [4]kir.Expr) kir.Expr {
	b := t.body
	word := b.convert(u32T, bytes[0], kir.Wrap)
	for i, x := range bytes[1:] {
		word = b.op(u32T, ops.Or, word, b.op(u32T, ops.Shl, b.convert(u32T, x, kir.Wrap), i32(int64(8*(i+1)))))
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
		row, folded := t.line(w, r)
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

// replaceBytes is replace of a packed window: the words that hold positions outside are made anew.
func (t *strip) replaceBytes(w *window, r, outside kir.Expr, n int, right bool) {
	b := t.body
	first, last := w.lead.size-n, w.lead.size // of the bytes that are replaced
	if right {
		first, last = w.lead.size+w.width, w.lead.size+w.width+n
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
		t.setWord(w, r, at, &kir.Select{Typed: kir.Typed{T: u32T}, Cond: outside, Then: t.gathered(w, r, from), Else: old})
	}
}

// inside is the byte of a row that stands for one beyond the image; -1 where a constant does.
func (w *window) inside(col int, right bool) int {
	p := col - w.lead.size // the position left of the image, or right of it seen from the other end
	if right {
		p = w.lead.size + w.width - 1 - col
	}
	from, mirrors := w.mirror(p)
	switch {
	case !mirrors:
		return -1
	case right:
		return w.lead.size + w.width - 1 - from
	}
	return w.lead.size + from
}

// gathered is a word of four bytes of a row: of two words where they are in no more.
func (t *strip) gathered(w *window, r kir.Expr, from [4]int) kir.Expr {
	var words []int
	for _, col := range from {
		if !slices.Contains(words, col/4) {
			words = append(words, col/4)
		}
	}
	if slices.Min(from[:]) < 0 || len(words) > 2 {
		var bytes [4]kir.Expr
		for i, col := range from {
			if bytes[i] = t.outsideValue(w, 0); col >= 0 {
				bytes[i] = t.byteAt(&w.tile, r, i32(int64(col)))
			}
		}
		return t.pack(bytes)
	}
	word := func(n int) kir.Expr { return t.body.elemOf(w.array, []kir.Expr{r, i32(int64(n))}) }
	var take [4]uint8
	for i, col := range from {
		take[i] = uint8(4*slices.Index(words, col/4) + col%4)
	}
	return permute(word(words[0]), word(words[len(words)-1]), take)
}

// fillBytes gives a row of a packed window the value of a constant border where it is gone.
func (t *strip) fillBytes(w *window, r, gone kir.Expr) {
	b := t.body
	value := t.outsideValue(w, 0)
	word := b.once("value", t.pack([4]kir.Expr{value, value, value, value}))
	b.unrolled("u", w.cols/4, func(u kir.Expr) {
		old := b.elemOf(w.array, []kir.Expr{r, u})
		t.setWord(w, r, u, &kir.Select{Typed: kir.Typed{T: u32T}, Cond: gone, Then: word, Else: old})
	})
}

// A tap is a byte at a distance from the instance, times a weight.
type tap struct {
	window int
	y, x   int
	weight int64
}

// dot4 is a sum over bytes of a packed window, in dot products; nil where it is none.
func (b *body) dot4(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil || b.kernel.decided.Dot4 == 0 || e.Op != hast.Sum || e.T != i32T || e.Where != nil {
		return nil
	}
	points, ok := b.points(e.Space)
	if !ok || len(points) < 2 {
		return nil
	}
	var taps []tap
	for _, p := range points {
		for i, v := range e.Space.Vars {
			b.vars[v] = i32(p[i])
		}
		x, ok := b.kernel.blocks.tap(e.Elem)
		if !ok || len(taps) > 0 && x.window != taps[0].window {
			return nil
		}
		taps = append(taps, x)
	}
	return b.kernel.blocks.dots(taps)
}

// tap takes an element of such a sum apart.
func (t *strip) tap(e hast.Expr) (tap, bool) {
	switch e := e.(type) {
	case *hast.Convert:
		if e.T == i32T && e.How != hast.Bitcast {
			return t.tap(e.X)
		}
	case *hast.Op:
		if e.Op != ops.Mul {
			return tap{}, false
		}
		for i, x := range e.Args {
			weight, ok := t.constant(x)
			if !ok || weight < -128 || weight > 127 {
				continue
			}
			if found, ok := t.tap(e.Args[1-i]); ok && found.weight == 1 {
				found.weight = weight
				return found, true
			}
		}
	case *hast.Load:
		found, p := t.what.Find(t.scope(), e.Image, e.Index, e.Rule)
		for i, w := range t.what.Windows {
			if w == found && t.windows[i].packed && p.X.Lo == p.X.Hi && p.Y.Lo == p.Y.Hi {
				return tap{i, p.Y.Lo, p.X.Lo, 1}, true
			}
		}
	}
	return tap{}, false
}

// constant is the value of an expression that reads no pixel and is one where reductions are written out.
func (t *strip) constant(e hast.Expr) (int64, bool) {
	pure := true
	hast.Walk(e, func(x hast.Expr) {
		switch x.(type) {
		case *hast.Const, *hast.Ref, *hast.Elem, *hast.Convert, *hast.Op:
		default:
			pure = false
		}
	})
	if !pure || !e.Type().IsScalar() || !e.Type().Kind.IsInt() {
		return 0, false
	}
	var value kir.Expr
	if stmts := t.body.inside(false, func() { value = t.body.expr(e) }); len(stmts) > 0 {
		return 0, false
	}
	return constInt(value)
}

// dots adds up taps by rows, four neighbours at a time; nil where the window does not hold all bytes of some four.
func (t *strip) dots(taps []tap) kir.Expr {
	w := t.windows[taps[0].window]
	rows := map[int]map[int]int64{}
	var order []int
	for _, x := range taps {
		if rows[x.y] == nil {
			rows[x.y] = map[int]int64{}
			order = append(order, x.y)
		}
		rows[x.y][x.x] += x.weight
	}
	sum := i32(0)
	for _, y := range order {
		starts, ok := fours(rows[y], -w.lead.size, w.trail.size+w.X.Stride-1)
		if !ok {
			return nil
		}
		place := block.Place{Image: w.Image, Y: block.Span{Stride: w.Y.Stride, Lo: y, Hi: y}, X: block.Span{Stride: w.X.Stride}}
		for _, x := range starts {
			var word uint32
			for i := range 4 {
				c := rows[y][x+i]
				if c < -128 || c > 127 {
					return nil
				}
				word |= uint32(uint8(c)) << (8 * i)
				delete(rows[y], x+i)
			}
			at := t.element(&w.tile, place, w.lead.size+x, 0)
			bytes := &kir.FourBytes{Typed: kir.Typed{T: u32T}, Var: w.array, Index: at[:1], At: at[1]}
			sum = &kir.Dot4{Typed: kir.Typed{T: i32T}, Bytes: bytes, Weights: uconst(int64(word)), Acc: sum}
		}
	}
	v := t.body.declare("sum", i32T, false, sum)
	t.body.bounds[v] = sumOf(taps)
	return ref(v)
}

// sumOf bounds a sum of bytes times weights.
func sumOf(taps []tap) interval {
	iv := point(0)
	for _, x := range taps {
		iv = interval{iv.lo + min(0, 255*x.weight), iv.hi + max(0, 255*x.weight)}
	}
	return iv
}

// fours covers the columns of a row by groups of four from first to behind.
func fours(row map[int]int64, first, behind int) (starts []int, ok bool) {
	columns := slices.Sorted(maps.Keys(row))
	for x := columns[0]; x <= columns[len(columns)-1]; x += 4 {
		start := min(x, behind-3)
		if start < first {
			return nil, false
		}
		starts = append(starts, start)
	}
	return starts, true
}
