package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Sums over large masks of bytes are products of matrices: 16 rows of an image times the columns of a Toeplitz matrix, one for each row of
// the mask, whose column c has the mask's row from its c-th element on. So the matrix units that some devices have for bytes compute
// them, and it matters little how wide the mask is.
//
// A work-group loads the bytes that its tile needs into local memory, borders applied. A subgroup of 32 items takes 16 rows at a time, of
// some windows of 16 instances side by side; an item has four neighbours of each window, in two rows. The rest of the body is computed for
// these instances as it is written.
//
// Which windows of an image are the rows of an operand is free. Where they are those of every fourth row, an operand is loaded once for four rows of
// results: for each with the weights of another row of the mask. And where two of them lie side by side, eight items have 32 neighbours, so
// that what a subgroup stores at once is whole lines of the cache, of four bytes each, or whole sectors, of one.

const (
	matrixItems = 32 // of a subgroup
	matrixRows  = 16 // of a tile that a subgroup computes at once, and columns of one window of it
	matrixBytes = 32 // of a row that one product takes
	matrixChunk = 8  // bytes that an item loads at once
)

// A matrixTile is a stage whose work-groups compute a tile by matrix units.
type matrixTile struct {
	*strip
	sums    []*matrixSum
	windows int      // side by side that a subgroup computes
	across  int      // side by side that its rows of operands have
	down    int      // rows of an item below each other
	strips  int      // of rows that the subgroup computes at once, below each other
	items   int      // of the group
	lane    kir.Expr // of the item in its subgroup
	corner  [2]kir.Expr
	column  kir.Expr // the window at hand, the place in its four neighbours, and the row of the item's
	place   kir.Expr
	row     kir.Expr
}

// A matrixSum is a sum of the body, by the windows of the stage.
type matrixSum struct {
	of       *hast.Reduce
	sum      *block.Combination
	window   int
	y, x     block.Span // what it reads around an instance
	steps    int        // products along a row of the mask
	unsigned bool       // weights
	acc      *kir.Var
	weights  *kir.Var
}

// matrixSums are the sums of a stage that matrix units can compute.
func matrixSums(s *hast.Stage, what *block.Stage, unroll int) (list []*matrixSum) {
	block.MaskSums(s, what, unroll, func(r *hast.Reduce, sum *block.Combination) {
		if m := newMatrixSum(r, sum); m != nil {
			list = append(list, m)
		}
	})
	return list
}

// newMatrixSum is a sum over one window with weights of 8 bits; nil for others.
func newMatrixSum(r *hast.Reduce, sum *block.Combination) *matrixSum {
	places := sum.Places()
	first := places[0]
	m := &matrixSum{of: r, sum: sum, window: first.Window, y: block.Span{Lo: first.Y, Hi: first.Y}, x: block.Span{Lo: first.X, Hi: first.X}, unsigned: true}
	signed := true
	for _, p := range places {
		if p.Window != m.window {
			return nil
		}
		m.y.Lo, m.y.Hi = min(m.y.Lo, p.Y), max(m.y.Hi, p.Y)
		m.x.Lo, m.x.Hi = min(m.x.Lo, p.X), max(m.x.Hi, p.X)
		w := sum.Taps[p]
		signed, m.unsigned = signed && w >= -128 && w <= 127, m.unsigned && w >= 0 && w <= 255
	}
	m.unsigned = m.unsigned && !signed
	m.steps = ceilDiv(matrixRows+m.x.Hi+m.before(), matrixBytes)
	if !signed && !m.unsigned || !boundsOf(sum).Within(interval.OfKind(types.I32)) {
		return nil
	}
	return m
}

// before is how many bytes before an instance the first one lies that its window takes: whole words.
func (m *matrixSum) before() int { return roundUp(max(0, -m.x.Lo), 4) }

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// maxMatrixSums bounds the registers that sums take.
const maxMatrixSums = 128

// onlyMatrix is why other decisions do not go with matrix, as the end of a sentence.
const onlyMatrix = "matrix leaves nothing to other decisions than tile, item, unroll and resident"

// refuseMatrix says why matrix units cannot compute the sums of a stage, as the end of a sentence; "" where they can.
func refuseMatrix(s *hast.Stage, d, full schedule.Decisions, most int) string {
	others := d
	others.Matrix, others.Tile, others.Item, others.Unroll, others.Vector, others.Resident = 0, [2]int{}, [2]int{}, 0, 0, 0
	what := block.Analyze(s, full.Unroll)
	tile, wide, tall := [2]int{full.Tile[0], max(1, full.Tile[1])}, full.Item[0], max(1, full.Item[1])
	sums := matrixSums(s, what, full.Unroll)
	across, down := full.MatrixForm(len(sums))
	switch {
	case others != (schedule.Decisions{}):
		return onlyMatrix
	case len(s.Fused) > 0:
		return "matrix is for stages that stand alone"
	case what.Alone != "":
		return what.Alone + ", so that no work-item computes several"
	case what.Y == nil:
		return "matrix is for stages of at least two variables"
	case wide%4 != 0 || tall%2 != 0 || tile[0]%(4*across*wide) != 0 || tile[1]%(8/across*tall) != 0:
		return "matrix is for items of 4 n columns and 2 m rows in tiles of multiples of 16 n and 16 m, or for one sum of 4 and 8 m in tiles of 32 and 32 m"
	case tile[0]*tile[1]/(wide*tall) > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", tile[0]*tile[1]/(wide*tall), maxGroup)
	}
	for _, w := range what.Windows {
		if w.Image.Elem != u8T || block.Channels(w.Image) != 1 || w.X.Stride != 1 || w.Y.Stride != 1 {
			return "matrix is for stages that read single bytes around each instance"
		}
	}
	if len(sums) == 0 {
		return "matrix is for sums of bytes times constants of 8 bits, which it has not"
	}
	if n := 2 * wide * len(sums); n > maxMatrixSums {
		return fmt.Sprintf("a work-item would hold %d sums, and %d is the most", n, maxMatrixSums)
	}
	if bytes := matrixLocal(what, sums, tile, 4*across/down); bytes > most {
		return fmt.Sprintf("its tiles and weights take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// matrixLocal is the local memory of a group, in bytes.
func matrixLocal(what *block.Stage, sums []*matrixSum, tile [2]int, banks int) int {
	bytes := 0
	for i, w := range what.Windows {
		bytes += 4 * matrixPitch(i, w, sums, tile[0], banks) * (tile[1] + w.Y.Hi - w.Y.Lo)
	}
	for _, m := range sums {
		bytes += 4 * (m.y.Hi - m.y.Lo + 1) * m.rowWeights()
	}
	return bytes
}

// rowWeights is how many words the weights of a row of the mask take.
func (m *matrixSum) rowWeights() int { return 4 * matrixItems * m.steps }

// matrixPitch is the words from one row of a tile in local memory to the next, an odd multiple of so many banks: such that the items of a subgroup, which
// read four neighbours in each of eight rows, or eight in every fourth row, find them in different banks.
func matrixPitch(i int, w *block.Window, sums []*matrixSum, width, banks int) int {
	lead := roundUp(max(0, -w.X.Lo), matrixChunk)
	cols := lead + width + roundUp(max(0, w.X.Hi), matrixChunk)
	for _, m := range sums {
		if m.window == i {
			cols = max(cols, lead-m.before()+width-matrixRows+matrixBytes*m.steps)
		}
	}
	return roundUp(roundUp(cols, 4)/4+banks, 2*banks) - banks
}

// byMatrix lowers a stage whose sums matrix units compute.
func (k *kernelBuilder) byMatrix(s *hast.Stage) *kir.Launch {
	d := k.decided
	t := &strip{kernelBuilder: k, stage: s, what: block.Analyze(s, d.Unroll), item: d.Tile, at: [2]kir.Expr{i32(0), i32(0)}}
	m := &matrixTile{strip: t, sums: matrixSums(s, t.what, d.Unroll), windows: d.Item[0] / 4}
	m.across, m.down = d.MatrixForm(len(m.sums))
	m.strips = d.Item[1] / (2 * m.down)
	m.items = d.Tile[0] * d.Tile[1] / (d.Item[0] * d.Item[1])
	t.shared = &[2]int{m.items, 1}
	k.blocks, k.matrix = t, m
	items := t.grid()
	decls := m.declare()
	index := m.places()
	m.fetch(index)
	k.body.together(m.items)
	m.compute()
	return k.finish(s.Name, shape{items: items, group: [3]int{m.items, 1, 1}, shared: decls})
}

// declare makes the tiles and the weights in local memory, and the sums and what is stored.
func (m *matrixTile) declare() (decls []kir.Stmt) {
	t := m.strip
	for i, w := range t.what.Windows {
		x := t.around(w, kir.Reads)
		x.packed, x.chunk = true, matrixChunk
		x.lead, x.trail = side{size: roundUp(x.left, matrixChunk), chunk: 1}, side{size: roundUp(x.right, matrixChunk), chunk: 1}
		x.cols = x.lead.size + x.width + x.trail.size
		pitch := matrixPitch(i, w, m.sums, t.item[0], 4*m.across/m.down)
		x.array = &kir.Var{Name: w.Image.Name + "_tile", Type: u32T.Array(x.rows, pitch), Space: kir.Local}
		decls = append(decls, &kir.Decl{Var: x.array})
		t.windows = append(t.windows, x)
	}
	for _, s := range m.sums {
		s.weights = &kir.Var{Name: "weights", Type: u32T.Array(s.y.Hi-s.y.Lo+1, s.rowWeights()), Space: kir.Local}
		decls = append(decls, &kir.Decl{Var: s.weights})
		s.acc = t.body.declare("sums", i32T.Array(m.down*m.windows, 2, 4), true, nil)
	}
	own := *t // the item's own rows of those that the subgroup computes at once, as a strip stores them
	own.item = [2]int{4 * m.windows, 2 * m.down}
	for _, o := range t.what.Outputs {
		out := own.output(&block.Output{Place: o.Place})
		if out.chunk = own.run(o.Image.Elem.Kind, 4*out.per); out.X.Lo != 0 {
			out.chunk = own.run(o.Image.Elem.Kind, gcd(out.chunk, abs(out.X.Lo*out.per)))
		}
		own.array(&out.tile, o.Image.Name+"_new")
		t.outputs = append(t.outputs, out)
	}
	return decls
}

// places finds out which item of the group and of its subgroup the item is, and where the subgroup's part of the tile is.
func (m *matrixTile) places() (index *kir.Var) {
	b := m.body
	index = b.declare("index", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}})
	b.bounds[index] = interval.Between(0, int64(m.items)-1)
	lane := func(name string, op ops.Op, x kir.Expr, n int) kir.Expr {
		return b.once(name, b.op(i32T, op, x, i32(int64(n))))
	}
	m.lane = lane("lane", ops.Rem, ref(index), matrixItems)
	subgroup := lane("subgroup", ops.Div, ref(index), matrixItems)
	width := matrixRows * m.windows * m.across
	beside := i32(int64(m.item[0] / width))
	m.corner[0] = b.once("left", b.op(i32T, ops.Mul, b.op(i32T, ops.Rem, subgroup, beside), i32(int64(width))))
	m.corner[1] = b.once("top", b.op(i32T, ops.Mul, b.op(i32T, ops.Div, subgroup, beside), i32(int64(m.rows()*m.strips))))
	return index
}

// rows is how many rows of the tile the subgroup computes at once.
func (m *matrixTile) rows() int { return matrixRows / m.across * m.down }

// fetch loads the tiles and the weights.
func (m *matrixTile) fetch(index *kir.Var) {
	b := m.body
	for _, s := range m.sums {
		table := b.table(s.weights.Type, s.table(), "toeplitz")
		width := s.rowWeights()
		b.every(index, s.weights.Type.Len(), m.items, func(i kir.Expr) {
			at := []kir.Expr{b.op(i32T, ops.Div, i, i32(int64(width))), b.op(i32T, ops.Rem, i, i32(int64(width)))}
			b.emit(&kir.Assign{Placed: b.placed(), Var: s.weights, Index: at, Value: b.elemOf(table.Var, at)})
		})
	}
	b.either(m.inside(), func() {
		for _, w := range m.strip.windows {
			m.fetchRuns(index, w)
		}
	}, func() {
		for _, w := range m.strip.windows {
			m.fetchWords(index, w)
		}
	})
}

// table is the weights of a sum as kir.MatrixSum wants them.
func (m *matrixSum) table() []types.Word {
	rows := m.y.Hi - m.y.Lo + 1
	out := make([]types.Word, 0, rows*m.rowWeights())
	for r := range rows {
		for i := range m.rowWeights() {
			step, lane, product, half := i/(4*matrixItems), i/4%matrixItems, i/2%2, i%2
			column := lane / 4 // of eight: the item has two neighbours in each product
			instance := column/2*4 + column%2 + 2*product
			word := uint32(0)
			for k := range 4 {
				at := matrixBytes*step + 16*half + 4*(lane%4) + k
				tap := block.Tap{Window: m.window, Y: m.y.Lo + r, X: at - m.before() - instance}
				word |= uint32(uint8(m.sum.Taps[tap])) << (8 * k)
			}
			out = append(out, types.Int(int64(word)))
		}
	}
	return out
}

// inside is the condition that the tile can be loaded by runs: all of it lies in the lines of the images, and where the rule takes no
// lines for others, between their first and last line.
func (m *matrixTile) inside() (cond kir.Expr) {
	b, t := m.body, m.strip
	if aligned := t.aligned(); aligned != nil {
		cond = aligned
	}
	for _, w := range t.windows {
		x := t.x(w)
		if w.lead.size > 0 {
			cond = b.and(cond, b.op(boolType, ops.Ge, x, i32(int64(w.lead.size))))
		}
		cond = b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, x, i32(int64(w.width+w.trail.size))), t.extent(&w.tile)))
		if _, folded := t.line(w, i32(0)); folded || !t.lines(&w.tile) {
			continue
		}
		first := t.row(w, i32(0))
		cond = b.and(cond, b.op(boolType, ops.Ge, first, i32(0)))
		cond = b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, first, i32(int64(w.rows))), t.height(w)))
	}
	return cond
}

// fetchRuns loads a tile by runs of bytes.
func (m *matrixTile) fetchRuns(index *kir.Var, w *window) {
	b, t := m.body, m.strip
	runs := w.cols / matrixChunk
	n := w.rows * runs
	take := func(i kir.Expr) {
		r := b.once("r", b.op(i32T, ops.Div, i, i32(int64(runs))))
		u := b.once("u", b.op(i32T, ops.Rem, i, i32(int64(runs))))
		row, _ := t.line(w, t.row(w, r))
		x := b.op(i32T, ops.Add, b.op(i32T, ops.Sub, t.x(w), i32(int64(w.lead.size))), b.op(i32T, ops.Mul, u, i32(matrixChunk)))
		at := convert(x, i64T.Kind)
		if start := t.lineAt(&w.tile, row); start != nil {
			at = add(start, at)
		}
		run := b.declare("run", u32T.Array(matrixChunk/4), true, nil)
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: run, Index: []kir.Expr{i32(0)}, Buffer: w.buf.v, Offset: at, Count: matrixChunk})
		for k := range matrixChunk / 4 {
			word := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(matrixChunk/4)), i32(int64(k)))
			t.setWord(w, r, word, b.elemOf(run, []kir.Expr{i32(int64(k))}))
		}
	}
	b.unrolled("round", n/m.items, func(round kir.Expr) {
		take(b.once("i", b.op(i32T, ops.Add, b.op(i32T, ops.Mul, round, i32(int64(m.items))), ref(index))))
	})
	if n%m.items > 0 {
		i := b.once("i", b.op(i32T, ops.Add, i32(int64(n/m.items*m.items)), ref(index)))
		b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, i, i32(int64(n))), Then: b.inside(false, func() { take(i) })})
	}
}

// fetchWords loads a tile byte by byte, each from where the border rule says.
func (m *matrixTile) fetchWords(index *kir.Var, w *window) {
	b, t := m.body, m.strip
	words := w.cols / 4
	b.every(index, w.rows*words, m.items, func(i kir.Expr) {
		r := b.once("r", b.op(i32T, ops.Div, i, i32(int64(words))))
		u := b.once("u", b.op(i32T, ops.Rem, i, i32(int64(words))))
		row, folded := t.line(w, t.row(w, r))
		x := b.once("x", b.op(i32T, ops.Add, t.x(w), b.op(i32T, ops.Sub, b.op(i32T, ops.Mul, u, i32(4)), i32(int64(w.lead.size)))))
		var bytes [4]kir.Expr
		for i := range bytes {
			t.pixels(w, row, folded, b.op(i32T, ops.Add, x, i32(int64(i))), func(_ int, value kir.Expr) { bytes[i] = b.once("p", value) })
		}
		t.setWord(w, r, u, t.pack(bytes))
	})
}

// compute computes and stores the item's instances, some rows of the subgroup after the other.
func (m *matrixTile) compute() {
	b := m.body
	v := b.loopVar("strip", interval.Between(0, int64(m.strips)-1))
	body := b.inside(false, func() {
		top := b.once("top", b.op(i32T, ops.Add, m.corner[1], b.op(i32T, ops.Mul, ref(v), i32(int64(m.rows())))))
		for _, s := range m.sums {
			m.sum(s, top)
		}
		m.instances(top)
		for _, o := range m.outputs {
			m.store(o, top)
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(m.strips)), Step: 1, Body: body, Exact: true})
}

// sum computes a sum for the subgroup's rows from top on.
func (m *matrixTile) sum(s *matrixSum, top kir.Expr) {
	b := m.body
	w := m.strip.windows[s.window]
	b.unrolled("n", m.down*m.windows, func(n kir.Expr) {
		b.unrolled("q", 2, func(q kir.Expr) {
			b.unrolled("i", 4, func(i kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: s.acc, Index: []kir.Expr{n, q, i}, Value: i32(s.sum.Plus)})
			})
		})
	})
	b.emit(&kir.MatrixSum{
		Placed: b.placed(), Acc: s.acc, Bytes: w.array, Weights: s.weights, Lane: m.lane, Down: m.down, Across: m.across, Unsigned: s.unsigned,
		Row:  b.op(i32T, ops.Add, top, i32(int64(s.y.Lo-w.Y.Lo))),
		Word: b.op(i32T, ops.Div, b.op(i32T, ops.Add, m.corner[0], i32(int64(w.lead.size-s.before()))), i32(4)),
	})
}

// own are the column of the tile where the item's neighbours in a window begin, and its row below top.
func (m *matrixTile) own(window, row, top kir.Expr) (x, y kir.Expr) {
	b := m.body
	beside := i32(int64(4 * m.across)) // items that have neighbours in a row
	four := b.op(i32T, ops.Mul, b.op(i32T, ops.Rem, m.lane, beside), i32(4))
	x = b.op(i32T, ops.Add, b.op(i32T, ops.Add, m.corner[0], four), b.op(i32T, ops.Mul, window, i32(matrixRows)))
	first := b.op(i32T, ops.Mul, b.op(i32T, ops.Div, m.lane, beside), i32(int64(m.down)))
	half, below := m.half(row)
	y = b.op(i32T, ops.Add, b.op(i32T, ops.Add, top, first), b.op(i32T, ops.Add, b.op(i32T, ops.Mul, half, i32(int64(m.rows()/2))), below))
	return b.once("column", x), b.once("row", y)
}

// half are which half of the subgroup's rows one of the item's is in, and how far it is below the first of the item's rows there.
func (m *matrixTile) half(row kir.Expr) (half, below kir.Expr) {
	if m.down == 1 {
		return row, i32(0)
	}
	down := i32(int64(m.down))
	return m.body.op(i32T, ops.Div, row, down), m.body.op(i32T, ops.Rem, row, down)
}

// instances runs the body for the item's instances of the rows from top on.
func (m *matrixTile) instances(top kir.Expr) {
	b, t := m.body, m.strip
	b.unrolled("v", 2*m.down, func(v kir.Expr) {
		b.unrolled("n", m.windows, func(n kir.Expr) {
			x, y := m.own(n, v, top)
			t.at[1] = y
			insideY := t.place(1)
			b.unrolled("u", 4, func(u kir.Expr) {
				m.column, m.place, m.row = n, u, v
				t.at[0] = b.once("x", b.op(i32T, ops.Add, x, u))
				t.to = [2]kir.Expr{b.op(i32T, ops.Add, b.op(i32T, ops.Mul, n, i32(4)), u), v}
				inside := b.and(insideY, t.place(0))
				if inside == nil {
					t.instance(t.stage)
					return
				}
				b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() { t.instance(t.stage) })})
			})
		})
	})
	t.at, t.to = [2]kir.Expr{i32(0), i32(0)}, [2]kir.Expr{}
}

// matrixSum is a reduction that matrix units have computed; nil for others.
func (b *body) matrixSum(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.matrix == nil {
		return nil
	}
	m := b.kernel.matrix
	for _, s := range m.sums {
		if s.of != e {
			continue
		}
		two := i32(2)
		half, below := m.half(m.row)
		at := []kir.Expr{
			b.op(i32T, ops.Add, b.op(i32T, ops.Mul, below, i32(int64(m.windows))), m.column), b.op(i32T, ops.Div, m.place, two),
			b.op(i32T, ops.Add, b.op(i32T, ops.Mul, half, two), b.op(i32T, ops.Rem, m.place, two)),
		}
		v := b.declare("sum", i32T, false, b.elemOf(s.acc, at))
		b.bounds[v] = boundsOf(s.sum)
		return b.convert(e.T, ref(v), kir.Wrap)
	}
	return nil
}

// store writes the item's pixels of the rows from top on: four at a time where the tile lies in the iteration.
func (m *matrixTile) store(o *output, top kir.Expr) {
	b, t := m.body, m.strip
	covered := b.op(boolType, ops.Le, b.op(i32T, ops.Add, t.first[0], i32(int64(t.item[0]))), t.end[0])
	if t.from[0] != nil {
		covered = b.and(b.op(boolType, ops.Ge, t.first[0], t.from[0]), covered)
	}
	if aligned := t.aligned(); aligned != nil {
		covered = b.and(aligned, covered)
	}
	b.unrolled("v", 2*m.down, func(v kir.Expr) {
		_, row := m.own(i32(0), v, top)
		y := b.once("y", b.op(i32T, ops.Add, t.first[1], row))
		b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, y, t.end[1]), Then: b.inside(false, func() {
			line := y
			if t.lines(&o.tile) {
				line = b.op(i32T, ops.Add, y, i32(int64(o.Y.Lo)))
			}
			start := t.lineAt(&o.tile, line)
			b.unrolled("n", m.windows, func(n kir.Expr) {
				column, _ := m.own(n, v, top)
				x := b.once("x", b.op(i32T, ops.Add, t.first[0], column))
				at := mul(convert(b.op(i32T, ops.Add, x, i32(int64(o.X.Lo))), i64T.Kind), i64(int64(o.per)))
				if start != nil {
					at = add(start, at)
				}
				at = b.once(o.Image.Name+"_at", at)
				first := b.op(i32T, ops.Mul, n, i32(int64(4*o.per)))
				b.either(covered, func() { m.storeRuns(o, v, first, at) }, func() { m.storePixels(o, v, first, x, at) })
			})
		})})
	})
}

// storeRuns writes four pixels by vectors.
func (m *matrixTile) storeRuns(o *output, row, first, at kir.Expr) {
	b := m.body
	for k := 0; k < 4*o.per; k += o.chunk {
		index := []kir.Expr{row, b.op(i32T, ops.Add, first, i32(int64(k)))}
		offset := add(at, i64(int64(k)))
		if o.chunk == 1 {
			b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: offset, Value: b.elemOf(o.array, index)})
			continue
		}
		b.emit(&kir.StoreRun{Placed: b.placed(), Buffer: o.buf.v, Offset: offset, Var: o.array, Index: index, Count: o.chunk})
	}
}

// storePixels writes those of four pixels that lie in the iteration.
func (m *matrixTile) storePixels(o *output, row, first, x, at kir.Expr) {
	b, t := m.body, m.strip
	b.unrolled("u", 4, func(u kir.Expr) {
		place := b.op(i32T, ops.Add, x, u)
		inside := b.op(boolType, ops.Lt, place, t.end[0])
		if t.from[0] != nil {
			inside = b.and(b.op(boolType, ops.Ge, place, t.from[0]), inside)
		}
		b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() {
			for c := range o.per {
				k := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(o.per))), i32(int64(c)))
				value := b.elemOf(o.array, []kir.Expr{row, b.op(i32T, ops.Add, first, k)})
				b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: add(at, convert(k, i64T.Kind)), Value: value})
			}
		})})
	})
}
