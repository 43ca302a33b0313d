package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A window is what a strip loads of one image. A row of its array is lead components before the block, of which the last
// left*per are read, the main ones, and trail behind them.
type window struct {
	tile
	rule        hast.RuleKind
	value       *hast.Rule
	width       int // positions that the block itself covers
	left, right int // positions beyond them that are read
	lead, trail side
	reach       int     // rows that the item reads in all
	beyond      [2]bool // see block.Window
	own         bool    // of the item's own block, where a group has a larger one
	// near is the group's tile in local memory that it is copied from; nil of one that is loaded from an image.
	near *window
	held bool     // it has been loaded before the sweep starts
	use  kir.Expr // the row of the array that is in use, where there is one at a time; else nil
}

// A side is what lies on one side of the main components.
type side struct {
	size  int    // components
	need  [2]int // from and to which of them are read; the others are there because accesses take them
	chunk int    // of one access
	folds bool   // what lies outside of the image can be told from the block; else the block is whole only inside of the image
}

// within are components of which all are read.
func within(n, chunk int) side { return side{size: n, chunk: chunk, need: [2]int{0, n}} }

// arrange decides the form of the tiles, which the schedule and the program determine.
func (t *strip) arrange() {
	t.windows, t.outputs, t.rings, t.side = nil, nil, nil, 0
	if t.packs() {
		t.side = block.ByComponents(t.stage).Beside(t.stage, t.what).N
	}
	for _, w := range t.what.Windows {
		var x *window // nil where what is read depends on where the block is, so that it is read pixel by pixel
		if w.Y.Divides(t.item[1]) && w.X.Divides(t.item[0]) {
			x = t.window(w)
		}
		t.windows = append(t.windows, x)
	}
	t.quads = t.byQuads()
	if rows := t.what.Rows; rows != nil {
		for _, w := range rows.Windows {
			ring := t.window(w)
			ring.use = i32(0)
			ring.Y.Lo, ring.Y.Hi = rows.Lo, rows.Hi
			ring.rows, ring.reach = t.decided.Stream, rows.Hi-rows.Lo+t.tall+t.decided.Stream-1 // with those that are on their way at last
			t.rings = append(t.rings, ring)
		}
	}
	for _, o := range t.what.Outputs {
		t.outputs = append(t.outputs, t.output(o))
	}
}

// packs reports whether bytes may be kept in words.
func (t *strip) packs() bool {
	return t.decided.Dot4+t.decided.Packed16 != 0 && (!t.flat || t.turn != nil)
}

// manyRows is from how many rows of an instance's window on the products of lines that items load as words are those of 32 bits (lineProduct). What is computed of so many is what kernels of bytes
// are bound by: on an H200, 8192 x 8192, in CUDA and through OpenCL, sums of 5 x 5 took 0.0488 and 0.0470 ms with products of 64 bits (compilers choosing the registers) and 0.0452 and 0.0460 without,
// binomials 0.0467 and 0.0445, 0.0436 and 0.0427. Of three rows lengths of slopes took 0.0384 and 0.0444, 0.0373 and 0.0428, but greatest values 0.0356 and 0.0370 in CUDA, and a Laplacian 0.0364 and
// 0.0542 through OpenCL.
const manyRows = 5

// window is what is loaded of an image.
func (t *strip) window(w *block.Window) *window {
	x := t.around(w, kir.Reads)
	x.chunk = t.run(w.Image.Elem.Kind, x.width*x.per)
	beside, inWords := t.beside[w]
	if inWords = inWords && block.HoldsWords(w); t.beside == nil {
		inWords = block.Packs(w, t.item[0], t.sides())
	}
	x.packed = t.packs() && inWords && x.chunk >= 4
	x.shortLines = x.packed && t.plan.opts.GPU && x.buf.v.Access&kir.Writes == 0 && w.Y.Count(1) >= manyRows
	x.lead, x.trail = x.side(x.left, max(x.left, -beside.From), false), x.side(x.right, max(x.right, beside.To-x.width), true)
	x.lead.need, x.trail.need = [2]int{x.lead.size - x.left*x.per, x.lead.size}, [2]int{0, x.right * x.per}
	x.cols = x.lead.size + x.width*x.per + x.trail.size
	return x
}

// around is the extent of a window for the block.
func (t *strip) around(w *block.Window, access kir.Access) *window {
	x := &window{tile: tile{Place: w.Place, buf: t.buffer(w.Image.Base(), access), per: block.Channels(w.Image)}, rule: hast.Undefined, value: w.Rule, beyond: w.Beyond}
	if w.Rule != nil {
		x.rule = w.Rule.Kind
	}
	x.rows = w.Y.Count(t.item[1])
	x.reach = x.rows + w.Y.Covers(max(0, t.tall-t.item[1]))
	x.width = w.X.Covers(t.item[0])
	x.left = max(0, -w.X.First())
	x.right = max(0, w.X.First()+w.X.Count(t.item[0])-x.width)
	return x
}

// output is what is stored to an image.
func (t *strip) output(o *block.Output) *output {
	x := &output{tile: tile{Place: o.Place, buf: t.buffer(o.Image.Base(), kir.Writes), per: block.Channels(o.Image), rows: t.item[1] * o.Y.Apart()}, own: o.Place}
	x.cols = t.written(x)
	x.chunk = t.run(o.Image.Elem.Kind, x.cols)
	x.unstored = t.reducing != nil && slices.Contains(t.reducing.of.Inner, o.Image)
	x.packed = t.quads != nil && x.per == t.sides() && x.packs()
	return x
}

// packs reports whether bytes that are computed four at a time may be kept in words.
func (o *output) packs() bool { return o.buf.elem.Kind == types.U8 && o.chunk >= 4 && o.X.Lo%4 == 0 }

// runs are how many components each store of a row of n takes that begins at the first pixel of the block: as many as lie where an access of so
// many may begin.
func (o *output) runs(n int) (list []int) {
	for k := 0; k < n; k += list[len(list)-1] {
		run := gcd(o.chunk, abs(o.X.Lo*o.per+k))
		for run > n-k {
			run /= 2
		}
		list = append(list, run)
	}
	return list
}

// all are the windows that are loaded from images, those of sums by rows among them.
func (t *strip) all() []*window {
	return slices.DeleteFunc(slices.Concat(t.windows, t.rings), func(w *window) bool { return w == nil || w.near != nil })
}

func abs(v int) int { return max(v, -v) }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// side lays out n positions beside the main components, of which so many are read: in one access where that does, of a power of two of components.
func (w *window) side(read, n int, right bool) side {
	if n == 0 {
		return side{chunk: 1, folds: true}
	}
	s := side{chunk: 1}
	if w.packed {
		s.chunk = 4
	}
	for s.chunk < n*w.per && s.chunk < w.chunk {
		s.chunk *= 2
	}
	s.size = (n*w.per + s.chunk - 1) / s.chunk * s.chunk
	limit, ok := map[hast.RuleKind]int{
		hast.Undefined: w.width, hast.Clamp: w.width, hast.Constant: w.width, hast.Repeat: w.width, hast.Reflect: w.width,
		hast.Reflect101: w.width - 1,
	}[w.rule]
	if w.rule == hast.Formula {
		end := w.endOf(read, right)
		limit, ok = w.width, end != nil && end.Reach <= w.width
	}
	s.folds = ok && n <= limit && s.size <= w.width*w.per
	return s
}

// mirror is the position in the block that stands for position p left of an image's first pixel or, counted from there on
// backwards, right of its last; false where what is loaded is what is wanted.
func (w *window) mirror(p int) (int, bool) {
	switch w.rule {
	case hast.Clamp:
		return 0, true
	case hast.Reflect:
		return -p - 1, true
	case hast.Reflect101:
		return -p, true
	}
	return 0, false
}

// x is the position of the block's first pixel in a line of the image.
func (t *strip) x(w *window) kir.Expr {
	return t.body.once("x", t.below(w.X, t.first[0]))
}

// below is the place below the first instance of a block, which a division leaves no rest of.
func (t *strip) below(s block.Span, first kir.Expr) kir.Expr {
	stride, by := int64(s.Stride), int64(s.By())
	if s.Periodic { // blocks begin where a period does
		n := int64(gcd(s.Stride, s.Div))
		return t.body.op(i32T, ops.Mul, t.body.op(i32T, ops.Div, first, i32(by/n)), i32(stride/n))
	}
	at := t.body.op(i32T, ops.Mul, first, i32(stride))
	return t.body.op(i32T, ops.Div, at, i32(by))
}

// row is the line of the image that row r of the array is of, before borders; nil where there are no lines.
func (t *strip) row(w *window, r kir.Expr) kir.Expr {
	if !t.lines(&w.tile) {
		return nil
	}
	b := t.body
	y := kir.Expr(i32(0))
	if w.Y.Stride > 0 {
		y = t.below(w.Y, t.first[1])
	}
	return b.op(i32T, ops.Add, y, b.op(i32T, ops.Add, r, i32(int64(w.Y.First()))))
}

// lines reports whether the image is seen as lines with a pitch.
func (t *strip) lines(a *tile) bool { return a.buf.lineAxis >= 0 && !t.flat }

// extent is the number of positions of a line.
func (t *strip) extent(a *tile) kir.Expr {
	if t.flat {
		return t.end[0]
	}
	_, pixel, _ := block.Axes(a.Image)
	return t.extents(a.Image, a.buf)[pixel]
}

// lineAt is the offset of the first component of a line; nil is 0.
func (t *strip) lineAt(a *tile, row kir.Expr) kir.Expr {
	start := a.buf.start
	if t.lines(a) {
		by := multiplier(mul)
		if a.shortLines {
			by = shortLines
		}
		start = t.body.lineStart(by, a.buf, t.body.onBase(a.Image, append(t.outer(a), row)))
	}
	left, _ := t.left(a.Image)
	if c, known := constInt(left); known && c == 0 {
		return start
	}
	return add(orZero(start), mul(convert(left, i64T.Kind), i64(int64(a.per))))
}

// outer are the positions on the axes before that of the lines. Blocks are loaded whatever conditions say, which may be what keeps a position inside of the image.
func (t *strip) outer(a *tile) []kir.Expr {
	b := t.body
	var out []kir.Expr
	for k, l := range a.Outer {
		x := kir.Expr(i32(0))
		if l.Var != nil {
			x = b.op(i32T, ops.Mul, b.value(l.Var), i32(l.Stride))
		}
		x = b.op(i32T, ops.Add, x, i32(l.Lo))
		if !t.reaches(l, a.Image.Extent[k]) {
			last := b.op(i32T, ops.Sub, t.extents(a.Image, a.buf)[k], i32(1))
			x = b.once("plane", b.clampIndex(hast.Coord{Below: true, Above: true}, x, last))
		}
		out = append(out, x)
	}
	return out
}

// reaches reports whether an axis of so many positions is known to reach as far as instances go on it.
func (t *strip) reaches(l block.Linear, extent hast.Expr) bool {
	most, constant := hast.Number(extent)
	if l.Var == nil {
		return constant && l.Lo >= 0 && l.Lo < most
	}
	r := t.counted(l.Var)
	if r == nil {
		return false
	}
	lo, known := hast.Number(r.Lo)
	hi, number := hast.Number(r.Hi)
	return known && l.Stride*lo+l.Lo >= 0 && (l.Stride == 1 && l.Lo <= 0 && hast.Equal(r.Hi, extent) || constant && number && l.Stride*(hi-1)+l.Lo < most)
}

// counted is the range of a variable of the space, or of a loop over planes; nil of any other.
func (t *strip) counted(v *hast.Var) *hast.Range {
	if k := slices.Index(t.stage.Space.Vars, v); k >= 0 {
		return &t.stage.Space.Ranges[k]
	}
	for _, p := range t.what.Legs {
		if p.Loop != nil && p.Loop.Space.Vars[0] == v && p.Loop.Space.Ranges[0].Step > 0 {
			return &p.Loop.Space.Ranges[0]
		}
	}
	return nil
}

// fetch loads the windows.
func (t *strip) fetch(load func(*window)) { fetch(t.windows, load) }

// fetch loads windows; nil stands for one that is not loaded.
func fetch(windows []*window, load func(*window)) {
	for _, w := range windows {
		if w != nil {
			load(w)
		}
	}
}

// fetchPixels loads a window pixel by pixel, each from where the border rule says.
func (t *strip) fetchPixels(w *window) {
	switch {
	case w.packed:
		t.fetchBytes(w)
		return
	case w.near != nil:
		t.fetchWhole(w)
		return
	}
	t.body.unrolled("v", w.rows, func(r kir.Expr) { t.pixelRow(w, r, t.row(w, r)) })
}

// pixelRow loads a row of the image into row r of the array, pixel by pixel.
func (t *strip) pixelRow(w *window, r, row kir.Expr) {
	b := t.body
	row, folded := t.line(w, row)
	b.unrolled("u", w.left+w.width+w.right, func(u kir.Expr) {
		x := b.op(i32T, ops.Add, t.x(w), b.op(i32T, ops.Sub, u, i32(int64(w.left))))
		col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(w.per))), i32(int64(w.lead.size-w.left*w.per)))
		t.pixels(w, row, folded, x, func(c int, value kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{r, b.op(i32T, ops.Add, col, i32(int64(c)))}, Value: value})
		})
	})
}

// line is the line of the image that is loaded for a row, and whether it is inside of the image by now; constant borders and formulas
// need to know where it was. Nil where there are no lines.
func (t *strip) line(w *window, row kir.Expr) (line kir.Expr, folded bool) {
	folded = w.rule != hast.Constant && w.rule != hast.Formula
	if !t.lines(&w.tile) {
		return nil, folded
	}
	if line = t.body.once("y", row); folded {
		line = t.folded(w, line)
	}
	return line, folded
}

// pixels reads all components at one position. Folded says that the row is one of the image.
func (t *strip) pixels(w *window, row kir.Expr, folded bool, x kir.Expr, keep func(c int, value kir.Expr)) {
	b := t.body
	lanes := int(w.buf.elem.Lanes)
	for c := 0; c < w.per; c += lanes {
		var pixel kir.Expr
		if t.flat {
			x = b.once("at", b.op(i32T, ops.Min, x, b.op(i32T, ops.Sub, t.end[0], i32(1))))
			pixel = b.loadPixel(w.buf, add(orZero(w.buf.start), add(mul(convert(x, i64T.Kind), i64(int64(w.per))), i64(int64(c)))))
		} else {
			positions := t.outer(&w.tile)
			index := make([]hast.Coord, len(positions), w.Image.Rank())
			if row != nil {
				positions, index = append(positions, row), append(index, hast.Coord{Below: !folded, Above: !folded})
			}
			positions, index = append(positions, x), append(index, hast.Coord{Below: true, Above: true})
			if len(positions) < w.Image.Rank() {
				positions, index = append(positions, i32(int64(c/lanes))), append(index, hast.Coord{})
			}
			rule := w.value
			if rule == nil || rule.Kind == hast.Undefined {
				rule = &hast.Rule{Kind: hast.Clamp}
			}
			pixel = b.pixel(w.Image, positions, index, rule)
		}
		if lanes > 1 {
			pixel = b.once("p", pixel)
		}
		for l := range lanes {
			keep(c+l, b.lane(pixel, l))
		}
	}
}

func orZero(e kir.Expr) kir.Expr {
	if e == nil {
		return i64(0)
	}
	return e
}

// onePlace reports whether an instance reads one place of a span: of the places of several phases it has that of its own.
func onePlace(s block.Span) bool { return s.Periodic || s.Lo == s.Hi }

// fetched is a read as what the windows hold of it; nil where none does.
func (b *body) fetched(m *hast.Image, index []hast.Coord, rule *hast.Rule) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil {
		return nil
	}
	t := b.kernel.blocks
	scope := t.scope()
	find, known, windows := t.what.Find, t.what.Windows, t.windows
	if t.summing {
		find, known, windows = t.what.FindInRows, t.what.Rows.Windows, t.rings
	}
	found, p := find(scope, m, index, rule)
	if found == nil || !onePlace(p.X) || !onePlace(p.Y) {
		return nil
	}
	c, of, ok := t.componentRead(scope, m, index)
	i := slices.Index(known, found)
	if !ok || i < 0 || windows[i] == nil {
		return nil
	}
	x := windows[i]
	if x.own {
		defer t.inOwnBlock()()
	}
	if x.packed {
		at := t.element(&x.tile, p, x.lead.size, 0)
		return t.byteAt(&x.tile, at[0], at[1])
	}
	parts := make([]kir.Expr, int(m.Elem.Lanes)/t.sides())
	for l := range parts {
		at := t.element(&x.tile, p, x.lead.size, c+l)
		if of != nil {
			at[1] = t.body.op(i32T, ops.Add, at[1], t.body.op(i32T, ops.Mul, of, i32(int64(m.Elem.Lanes))))
		}
		if x.use != nil {
			at[0] = x.use
		}
		parts[l] = b.elemOf(x.array, at)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: m.Elem}, Parts: parts}
}

// componentRead is which component a read takes: c, or of where that depends on the phase; false where it is not known.
func (t *strip) componentRead(scope *block.Scope, m *hast.Image, index []hast.Coord) (c int, of kir.Expr, ok bool) {
	_, _, channel := block.Axes(m)
	if channel < 0 {
		return 0, nil, true
	}
	x := index[channel].X
	if c, ok = channelOf(scope, m, x); !ok && t.repeats(scope, x) {
		return c, t.phase(hast.Plus(x, -m.First(channel))), true
	}
	return c, nil, ok
}
