package lower

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A turnedTile is a window of an image that is turned by a quarter, as a group moves it to local memory by words: each item loads square blocks of pixels, which
// are whole words along the lines of the image and, in the tile, over them. Blocks lie where words do in the image, wherever the tile does, so that those
// at its ends have pixels that it does not need.
type turnedTile struct {
	*sharedTile
	w       *window
	n       int      // pixels of a block along lines of the image, and lines
	cols    int      // pixels of a line that the tile needs
	aligned kir.Expr // the condition that lines start where words do; nil where that is known
	from    kir.Expr // the first of the pixels of a line that the tile needs
	first   kir.Expr // the first one of a block
	blocks  int      // along a line
	exact   bool     // the first block begins where the tile does
	before  int      // lines that the first block has before those that the tile needs
}

// byBlocks reports whether items load a window so.
func (l *sharedTile) byBlocks(w *window) bool {
	return w.together > 1 && !l.loose && w.buf.memory.Kind == w.buf.elem.Kind && w.buf.v.Access&kir.Writes == 0
}

// blocksAcross is how many blocks along a line neighbours load, before others go on with the next lines: so each of these lies in a bank of its own.
const blocksAcross = 8

// fetchTurned loads a window by blocks.
func (l *sharedTile) fetchTurned(w *window) {
	b, n := l.body, w.together
	rows, cols := w.across()
	x := &turnedTile{sharedTile: l, w: w, n: n, cols: cols, aligned: l.wordsAt(w), from: l.placeOf(w, 0, i32(0)), blocks: ceilDiv(cols, n), before: ceilDiv(w.left, n)*n - w.left}
	if w.Turn.Back[0] {
		x.from = l.placeOf(w, 0, i32(int64(cols-1)))
	}
	x.from = b.once("from", x.from)
	x.first = x.from
	if x.exact = !w.Turn.Back[0] && w.Y.Div == 0 && l.item[1]*w.Y.Stride%n == 0 && w.Y.First()%n == 0; !x.exact {
		x.blocks = ceilDiv(cols+n-1, n)
		x.first = b.once("first", b.op(i32T, ops.And, x.from, i32(int64(-n))))
	}
	for k := 0; k < x.blocks; k += blocksAcross {
		l.deal(k, min(blocksAcross, x.blocks-k), ceilDiv(x.before+rows, n), x.block)
	}
}

// across is how many lines of an image, and pixels of each, a window of a tile needs.
func (w *window) across() (rows, cols int) {
	rows, cols = w.rows, w.left+w.width+w.right
	if w.Turn.Swapped {
		return cols, rows
	}
	return rows, cols
}

// wordsAt is the condition that the lines of an image start where words do, as strip.aligned says it.
func (l *sharedTile) wordsAt(w *window) kir.Expr {
	of, alone := *l.strip, *w
	alone.chunk, alone.lead.chunk, alone.trail.chunk = block.BankBytes/w.buf.elem.Kind.Bytes(), 1, 1
	of.windows, of.rings, of.outputs = []*window{&alone}, nil, nil
	return of.aligned()
}

// block moves block k of lines v and those behind it.
func (x *turnedTile) block(k, v kir.Expr) {
	b, w := x.body, x.w
	i := b.once("i", b.op(i32T, ops.Add, x.first, b.op(i32T, ops.Mul, k, i32(int64(x.n)))))
	pixels := b.declare("pixels", types.Scalar(w.buf.elem.Kind).Array(x.n, x.n*w.per), true, nil)
	first := b.once("v0", b.op(i32T, ops.Sub, b.op(i32T, ops.Mul, v, i32(int64(x.n))), i32(int64(x.before))))
	b.unrolled("r", x.n, func(r kir.Expr) { x.load(pixels, i, first, r) })
	b.unrolled("j", x.n, func(j kir.Expr) { x.keep(pixels, i, j, first) })
}

// load loads line r of a block that begins at pixel i: by words where all of it lies in the image, else each pixel from where the border rule says.
func (x *turnedTile) load(to *kir.Var, i, v, r kir.Expr) {
	b, w := x.body, x.w
	row, folded := x.line(w, x.placeOf(w, 1, b.op(i32T, ops.Add, v, r)))
	line, pixel, _ := block.Axes(w.Image)
	extent := x.extents(w.Image, w.buf)
	whole := b.and(x.aligned, b.op(boolType, ops.Ge, i, i32(0)))
	whole = b.and(whole, b.op(boolType, ops.Le, b.op(i32T, ops.Add, i, i32(int64(x.n))), extent[pixel]))
	if !folded {
		whole = b.and(whole, b.and(b.op(boolType, ops.Ge, row, i32(0)), b.op(boolType, ops.Lt, row, extent[line])))
	}
	words := b.inside(false, func() { x.loadWords(to, i, row, r) })
	each := b.inside(false, func() {
		b.unrolled("j", x.n, func(j kir.Expr) {
			x.pixels(w, row, folded, b.op(i32T, ops.Add, i, j), func(c int, value kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: to, Index: []kir.Expr{r, x.component(j, c)}, Value: value})
			})
		})
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: whole, Then: words, Else: each})
}

// component is where component c of pixel j lies in a line of a block.
func (x *turnedTile) component(j kir.Expr, c int) kir.Expr {
	b := x.body
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, j, i32(int64(x.w.per))), i32(int64(c)))
}

func (x *turnedTile) loadWords(to *kir.Var, i, row, r kir.Expr) {
	b, w := x.body, x.w
	at := mul(convert(i, i64T.Kind), i64(int64(w.per)))
	if start := x.lineAt(&w.tile, row); start != nil {
		at = add(start, at)
	}
	each := block.BankBytes / w.buf.elem.Kind.Bytes()
	for c := 0; c < x.n*w.per; c += each {
		index := []kir.Expr{r, i32(int64(c))}
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: to, Index: index, Buffer: w.buf.v, Offset: add(at, i64(int64(c))), Count: each})
	}
}

// keep puts pixel j of all lines of a block into the tile, whose row has them beside each other, where the tile has that row.
func (x *turnedTile) keep(from *kir.Var, i, j, v kir.Expr) {
	b, w := x.body, x.w
	u := b.op(i32T, ops.Add, b.op(i32T, ops.Sub, i, x.from), j)
	if w.Turn.Back[0] {
		u = b.op(i32T, ops.Sub, i32(int64(x.cols-1)), u)
	}
	u = b.once("u", u)
	put := func() {
		at := x.inTile(w, u, v)
		for r := range x.n {
			for c := range w.per {
				index := []kir.Expr{at[0], b.op(i32T, ops.Add, at[1], i32(int64(r*w.per+c)))}
				value := b.elemOf(from, []kir.Expr{i32(int64(r)), x.component(j, c)})
				b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: index, Value: value})
			}
		}
	}
	needed := b.op(boolType, ops.Lt, u, i32(int64(x.cols)))
	switch {
	case x.exact && x.cols%x.n == 0:
		put()
		return
	case !x.exact:
		needed = b.and(b.op(boolType, ops.Ge, u, i32(0)), needed)
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: needed, Then: b.inside(false, put)})
}

// inTile is where a pixel lies in the tile that is so far along the lines of the image and over them.
func (l *sharedTile) inTile(w *window, u, v kir.Expr) []kir.Expr {
	if w.Turn.Swapped {
		u, v = v, u
	}
	b := l.body
	return []kir.Expr{v, b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(w.per))), i32(int64(w.lead.size-w.left*w.per)))}
}
