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
	w      *window
	n      int      // pixels of a block along lines of the image, and lines
	rows   int      // lines that the tile needs
	cols   int      // pixels of a line that the tile needs
	from   kir.Expr // the first pixel of these
	first  kir.Expr // the first one of a block
	blocks int      // along a line
	exact  bool     // the first block begins where the tile does
	before int      // lines that the first block has before those that the tile needs
}

// turnedBlocks is how items load a window so; nil where they cannot.
func (l *sharedTile) turnedBlocks(w *window) *turnedTile {
	n := w.Together()
	if n <= 1 || l.loose || w.buf.memory.Kind != w.buf.elem.Kind || w.buf.v.Access&kir.Writes != 0 {
		return nil
	}
	b := l.body
	rows, cols := w.across()
	x := &turnedTile{sharedTile: l, w: w, n: n, rows: rows, cols: cols, from: l.placeOf(w, 0, i32(0)), blocks: ceilDiv(cols, n), before: ceilDiv(w.left, n)*n - w.left}
	if w.Turn.Back[0] {
		x.from = l.placeOf(w, 0, i32(int64(cols-1)))
	}
	x.from = b.once("from", x.from)
	x.first = x.from
	if x.exact = !w.Turn.Back[0] && w.Y.Div == 0 && l.item[1]*w.Y.Stride%n == 0 && w.Y.First()%n == 0; !x.exact {
		x.blocks = ceilDiv(cols+n-1, n)
		x.first = b.once("first", b.op(i32T, ops.And, x.from, i32(int64(-n))))
	}
	return x
}

// blocksAcross is how many blocks along a line neighbours load, before others go on with the next lines: so each of these lies in a bank of its own.
const blocksAcross = 8

// fetch loads the window by blocks where all of them lie in the image, and else pixel by pixel. The group asks once, for all of its items: what stands behind
// a condition of its own is not loaded before what was asked for is there. Asked for each block, bytes were transposed in 102 us on an H200, 8192 x 8192, and in 57 pixel by pixel.
func (x *turnedTile) fetch() {
	b := x.body
	fast := b.inside(false, func() {
		lines := ceilDiv(x.before+x.rows, x.n)
		if all := x.blocks / blocksAcross; all > 0 {
			x.deal(0, blocksAcross, all*lines, func(k, v kir.Expr) {
				k = b.op(i32T, ops.Add, k, b.op(i32T, ops.Mul, b.op(i32T, ops.Div, v, i32(int64(lines))), i32(blocksAcross)))
				x.block(k, b.op(i32T, ops.Rem, v, i32(int64(lines))))
			})
		}
		if rest := x.blocks % blocksAcross; rest > 0 {
			x.deal(x.blocks-rest, rest, lines, x.block)
		}
	})
	inside := x.inImage()
	b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: fast, Else: b.inside(false, func() { x.fetchEach(x.w) })})
}

// inImage is the condition that all blocks of the tile lie in the image, whose lines start where words do.
func (x *turnedTile) inImage() kir.Expr {
	b, w := x.body, x.w
	line, pixel, _ := block.Axes(w.Image)
	extent := x.extents(w.Image, w.buf)
	within := func(cond, first kir.Expr, n int, extent kir.Expr) kir.Expr {
		cond = b.and(cond, b.op(boolType, ops.Ge, first, i32(0)))
		return b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, first, i32(int64(n))), extent))
	}
	cond := within(x.wordsAt(w), x.first, x.blocks*x.n, extent[pixel])
	all := ceilDiv(x.before+x.rows, x.n) * x.n
	first := x.placeOf(w, 1, i32(int64(-x.before)))
	if w.Turn.Back[1] {
		first = x.placeOf(w, 1, i32(int64(all-x.before-1)))
	}
	return b.once("inside", within(cond, first, all, extent[line]))
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

// block moves a block of so many along lines, and over them.
func (x *turnedTile) block(k, v kir.Expr) {
	b, w := x.body, x.w
	i := b.once("i", b.op(i32T, ops.Add, x.first, b.op(i32T, ops.Mul, k, i32(int64(x.n)))))
	pixels := b.declare("pixels", types.Scalar(w.buf.elem.Kind).Array(x.n, x.n*w.per), true, nil)
	first := b.once("v0", b.op(i32T, ops.Sub, b.op(i32T, ops.Mul, v, i32(int64(x.n))), i32(int64(x.before))))
	b.unrolled("r", x.n, func(r kir.Expr) { x.loadWords(pixels, i, x.placeOf(w, 1, b.op(i32T, ops.Add, first, r)), r) })
	b.unrolled("j", x.n, func(j kir.Expr) { x.keep(pixels, i, j, first) })
}

// loadWords loads line r of a block, from pixel i of a line of the image on.
func (x *turnedTile) loadWords(to *kir.Var, i, line, r kir.Expr) {
	b, w := x.body, x.w
	at := mul(convert(i, i64T.Kind), i64(int64(w.per)))
	if start := x.lineAt(&w.tile, line); start != nil {
		at = add(start, at)
	}
	each := block.BankBytes / w.buf.elem.Kind.Bytes()
	for c := 0; c < x.n*w.per; c += each {
		index := []kir.Expr{r, i32(int64(c))}
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: to, Index: index, Buffer: w.buf.v, Offset: add(at, i64(int64(c))), Count: each})
	}
}

// component is where component c of pixel j lies in a line of a block.
func (x *turnedTile) component(j kir.Expr, c int) kir.Expr {
	b := x.body
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, j, i32(int64(x.w.per))), i32(int64(c)))
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
