package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A sum over a large mask that is no product of a column and a row stays a loop over the mask's points, because code that has them all
// neither fits the cache nor keeps anything in registers. What is loaded of a row of the image is added to the sums of all rows of the
// item that it belongs to, for a block of neighbouring columns; these sums stay in registers, and the terms of each come in the order of
// the language. Points that the mask leaves out are left out: where it has holes, tables say which rows of the item take a term.

// maxMask is the most points that such a mask has, whose table the kernel carries.
const maxMask = 4096

// maxSums is the most wide values of sums that an item keeps at once: several times what a processor has registers for.
const maxSums = 64

// refuseBlocks says why blocks of columns cannot be as decided, as the end of a sentence; "" where they can.
func refuseBlocks(d schedule.Decisions) string {
	switch {
	case d.Block == 0:
		return ""
	case d.RowSums > 0 || d.Line > 0:
		return "block is for sums that rowsums and line do not take apart"
	case d.Block%d.Lanes != 0:
		return fmt.Sprintf("a block of %d columns is no multiple of %d lanes", d.Block, d.Lanes)
	case d.Rows*d.Block/d.Lanes > maxSums:
		return fmt.Sprintf("a work-item would keep %d wide values of a sum, and %d is the most", d.Rows*d.Block/d.Lanes, maxSums)
	}
	return ""
}

// A blockSum is a sum, or a least or greatest value, that is computed for blocks.
type blockSum struct {
	*maskSum
	factors []types.Word // of all points of the rectangle around the mask, row by row; nil where terms are added as they are
	taken   []bool       // which of these the mask has
	dense   bool         // it has them all
	of      hast.ReduceOp

	sums [][]*kir.Var // by row and part of the block: what stands for the instance's sum
	wide [][]*kir.Var // and the wide values that hold them
}

// folded are the reductions that blocks are computed of.
var folded = map[hast.ReduceOp]bool{hast.Sum: true, hast.Min: true, hast.Max: true}

// findBlocked finds the sums that are computed for blocks: those that every instance computes, over points around the pixels that it reads.
func (r *rows) findBlocked() {
	if r.blocked = map[*hast.Reduce]*blockSum{}; r.decided.Block == 0 || r.what.Once {
		return
	}
	for _, e := range block.Always(r.stage.Body) {
		if m := r.blockOf(e); m != nil {
			r.blocked[e], r.blocks = m, append(r.blocks, m)
		}
	}
}

// blockOf takes a reduction apart; nil where it is none that is computed for blocks.
func (r *rows) blockOf(e *hast.Reduce) *blockSum {
	if !folded[e.Op] || e.Where != nil || e.Ways > 0 || !e.T.IsScalar() || len(e.Space.Vars) != 2 || !wideMemory(e.T.Kind) {
		return nil
	}
	points, ok := block.Points(e.Space, maxMask)
	if !ok || len(points) < 2 || !slices.IsSortedFunc(points, slices.Compare[[]int64]) {
		return nil
	}
	m := &blockSum{maskSum: &maskSum{elem: e.Elem, vars: [2]*hast.Var{e.Space.Vars[0], e.Space.Vars[1]}, t: e.T, op: foldOps[e.Op]}, of: e.Op}
	m.frame(points)
	r.weigh(m, e, points)
	if !r.readAround(m, points) {
		return nil
	}
	return m
}

// frame enters the rectangle around points.
func (m *blockSum) frame(points [][]int64) {
	m.places(points)
	m.rows = everyOne(m.rows)
	m.columns = everyOne(m.columns)
	m.taken = make([]bool, len(m.rows)*len(m.columns))
	for _, p := range points {
		m.taken[m.index(p)] = true
	}
	m.dense = len(points) == len(m.taken)
}

// everyOne is a sorted list of integers without gaps.
func everyOne(list []int64) []int64 {
	out := make([]int64, 0, len(list))
	for n := list[0]; n <= list[len(list)-1]; n++ {
		out = append(out, n)
	}
	return out
}

// index is the place of a point in the rectangle.
func (m *blockSum) index(p []int64) int {
	return int(p[0]-m.rows[0])*len(m.columns) + int(p[1]-m.columns[0])
}

// weigh finds the constants that terms are multiplied by.
func (r *rows) weigh(m *blockSum, e *hast.Reduce, points [][]int64) {
	product, ok := e.Elem.(*hast.Op)
	if e.Op != hast.Sum || !ok || product.Op != ops.Mul || product.T != e.T {
		return
	}
	for i, side := range product.Args {
		if maskEntry(side) == nil {
			continue
		}
		words := make([]types.Word, len(m.taken))
		for _, p := range points {
			r.body.vars[m.vars[0]], r.body.vars[m.vars[1]] = i32(p[0]), i32(p[1])
			c, ok := r.body.expr(side).(*kir.Const)
			if !ok {
				return
			}
			words[m.index(p)] = c.Words[0]
		}
		m.factors, m.elem = words, product.Args[1-i]
		return
	}
}

// readAround reports whether terms depend on the instance and the point by one read alone, of the pixel at the instance's row and
// column, and the point's, plus constants.
func (r *rows) readAround(m *blockSum, points [][]int64) bool {
	reads := readsIn(m.elem)
	if len(reads) != 1 || mentioned(reads[0], m.vars[0]) != 1 {
		return false
	}
	vars := r.stage.Space.Vars
	if !r.fixed(without(m.elem, reads[0]), vars[len(vars)-1], vars[len(vars)-2], m.vars[0], m.vars[1]) {
		return false
	}
	if block.AxesApart(reads[0], m.vars) {
		points = eachCoordinate(points)
	}
	down := 0
	for i, p := range points {
		r.body.vars[m.vars[0]], r.body.vars[m.vars[1]] = i32(p[0]), i32(p[1])
		at, place, ok := r.readAt(m.maskSum, reads[0], p[1])
		if i == 0 {
			m.read, down = &at, place.Y.Lo-int(p[0])
		}
		if !ok || *m.read != at || at.stride != 1 || place.Y.Stride != 1 || place.Y.Lo != place.Y.Hi || place.Y.Lo-int(p[0]) != down {
			return false
		}
	}
	return true
}

// byBlocks computes the inner columns of the current row and those behind it, count rows in all, block by block, and where that is
// possible the columns at both ends as well.
func (r *rows) byBlocks(count int) {
	b, n := r.body, int64(r.decided.Block)
	at := b.loopVar("at", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	r.parts = r.decided.Block / r.decided.Lanes
	moved, body := r.block(count, func() kir.Expr { return b.op(i32T, ops.Min, ref(at), exactly(ops.Sub, r.right, i32(n))) })
	b.emitAll(moved)
	b.emit(&kir.For{Placed: b.placed(), Var: at, Lo: r.left, Hi: r.right, Step: n, Exact: true, Body: body})
	if r.wideEnds() {
		enough := b.op(boolType, ops.Ge, b.op(i32T, ops.Sub, r.to, r.from), i32(int64(r.decided.Lanes)))
		b.emit(&kir.If{Placed: b.placed(), Cond: enough, Then: b.inside(false, func() { r.endBlocks(count) })})
	}
}

// wideEnds reports whether the columns at the ends can be computed side by side: where they know border rules by blocked sums alone.
func (r *rows) wideEnds() bool {
	inside := map[hast.Expr]bool{}
	for e := range r.blocked {
		hast.Walk(e, func(x hast.Expr) { inside[x] = true })
	}
	for _, w := range r.what.Windows {
		if w.Rule != nil && !r.onlyIn(inside, w) {
			return false
		}
	}
	return len(r.blocks) > 0
}

// endBlocks computes the columns at both ends, one wide value of each row at a time. What is read of a row of the image is put into an array
// first, by the border rule, and a step may compute some inner columns again.
func (r *rows) endBlocks(count int) {
	b, n := r.body, int64(r.decided.Lanes)
	steps := func(from, to kir.Expr) kir.Expr {
		return b.op(i32T, ops.Div, b.op(i32T, ops.Add, b.op(i32T, ops.Sub, to, from), i32(n-1)), i32(n))
	}
	before := b.once("before", steps(r.from, r.left))
	all := b.once("steps", b.op(i32T, ops.Add, before, steps(r.right, r.to)))
	i := b.loopVar("i", interval.Between(0, hast.MaxExtent-1))
	r.parts = 1
	r.margins = true
	moved, body := r.block(count, func() kir.Expr {
		left := exactly(ops.Add, r.from, exactly(ops.Mul, ref(i), i32(n)))
		right := exactly(ops.Add, r.right, exactly(ops.Mul, exactly(ops.Sub, ref(i), before), i32(n)))
		at := &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Lt, ref(i), before), Then: left, Else: right}
		return b.op(i32T, ops.Min, at, exactly(ops.Sub, r.to, i32(n)))
	})
	r.margins = false
	b.emitAll(moved)
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: all, Step: 1, Body: body})
}

// block computes a block of columns, which starts at a column, in the current row and those behind it. Moved is what does not depend on the column.
func (r *rows) block(count int, from func() kir.Expr) (moved, body []kir.Stmt) {
	b := r.body
	body = b.inside(false, func() {
		first := b.once("first", from())
		x := r.column(first)
		for _, m := range r.blocks {
			r.declareSums(m, count)
			r.addRows(m, x, first)
		}
		w := b.widening(x, r.decided.Lanes)
		r.carry(w)
		w.all(b.inside(false, func() { r.eachPart(x, func() { r.eachOf(count, func() { r.instance(r.stage) }) }) }))
		r.refused(w)
		moved = w.moved
		b.emitAll(w.out)
	})
	return moved, body
}

// refused notes why something cannot be computed side by side, which a trial finds beforehand.
func (r *rows) refused(w *widener) {
	if w.why != "" {
		r.why = w.why
	}
}

// eachPart runs f for each wide value of a block, from column x on.
func (r *rows) eachPart(x *kir.Var, f func()) {
	b, v := r.body, r.stage.Space.Vars[len(r.stage.Space.Vars)-1]
	for n := range r.parts {
		r.part = n
		b.vars[v] = exactly(ops.Add, ref(x), i32(int64(n*r.decided.Lanes)))
		f()
	}
	r.part, b.vars[v] = 0, ref(x)
}

// fromBlock is a sum that has been computed for the block; nil where it has not.
func (r *rows) fromBlock(e *hast.Reduce) kir.Expr {
	m := r.blocked[e]
	if m == nil || m.sums == nil {
		return nil
	}
	return ref(m.sums[r.number][r.part])
}

// declareSums declares the sums of a block in so many rows.
func (r *rows) declareSums(m *blockSum, rows int) {
	b := r.body
	wide := types.Vector(m.t.Kind, r.decided.Lanes)
	start := &kir.Vec{Typed: kir.Typed{T: wide}, Parts: []kir.Expr{b.identity(m.of, m.t)}}
	m.sums, m.wide = make([][]*kir.Var, rows), make([][]*kir.Var, rows)
	for q := range rows {
		for range r.parts {
			one := &kir.Var{Name: m.of.String(), Type: m.t}
			m.sums[q] = append(m.sums[q], one)
			m.wide[q] = append(m.wide[q], b.declare(one.Name, wide, true, start))
		}
	}
}

// carry has a widener know the sums that are there.
func (r *rows) carry(w *widener) {
	for _, m := range r.blocks {
		for q, list := range m.sums {
			for n, one := range list {
				w.carry(one, m.wide[q][n])
			}
		}
	}
}

// addRows adds all terms to the sums of a block from column x on. Only what the first and the last rows of the image that are loaded
// go into is not all rows of the item, and written out for each of them.
func (r *rows) addRows(m *blockSum, x *kir.Var, block kir.Expr) {
	b, rows, tall := r.body, len(m.sums), len(m.rows)
	one := func(t int) {
		r.addRow(m, x, block, i32(int64(t)), max(0, t-tall+1), min(rows-1, t))
	}
	t := 0
	for ; t < min(rows, tall)-1; t++ {
		one(t)
	}
	if last := tall; t < last && rows <= tall {
		row := b.loopVar("row", interval.Between(int64(t), int64(last-1)))
		body := b.inside(false, func() { r.addRow(m, x, block, ref(row), 0, rows-1) })
		b.emit(&kir.For{Placed: b.placed(), Var: row, Lo: i32(int64(t)), Hi: i32(int64(last)), Step: 1, Body: body, Exact: true})
		t = last
	}
	for ; t < tall+rows-1; t++ {
		one(t)
	}
}

// addRow adds what a row of the image has to the sums of some rows of the item, the first and the last among them. The row of the
// image is t rows below that which the first point of the first of the item's rows is in.
func (r *rows) addRow(m *blockSum, x *kir.Var, block, t kir.Expr, first, last int) {
	b := r.body
	b.vars[m.vars[0]] = b.op(i32T, ops.Add, t, i32(m.rows[0]))
	var margin *kir.Var
	if r.margins {
		margin = r.margin(m, block)
	}
	column := b.loopVar("column", interval.Between(0, int64(len(m.columns)-1)))
	w := b.widening(x, r.decided.Lanes)
	r.carry(w)
	var terms []kir.Expr
	w.all(b.inside(false, func() {
		r.eachPart(x, func() {
			terms = append(terms, ref(b.declare("term", m.t, false, r.term(m, block, ref(column), margin))))
		})
	}))
	all := func() {
		for q := first; q <= last; q++ {
			r.take(m, w, q, t, ref(column), terms)
		}
	}
	if m.dense {
		all()
	} else {
		r.ifEvery(m, w, t, ref(column), all, func() {
			for q := first; q <= last; q++ {
				r.ifTaken(m, w, q, t, ref(column), func() { r.take(m, w, q, t, ref(column), terms) })
			}
		})
	}
	r.refused(w)
	b.emit(&kir.For{Placed: b.placed(), Var: column, Lo: i32(0), Hi: i32(int64(len(m.columns))), Step: 1, Body: append(w.moved, w.out...), Exact: true})
}

// term is what the pixel for a column of the mask has to add.
func (r *rows) term(m *blockSum, block, column kir.Expr, margin *kir.Var) kir.Expr {
	b := r.body
	if margin != nil {
		x := b.vars[r.stage.Space.Vars[len(r.stage.Space.Vars)-1]]
		at := exactly(ops.Add, exactly(ops.Sub, x, block), column)
		return &kir.Load{Typed: kir.Typed{T: m.t}, Buffer: margin, Offset: convert(at, types.I64)}
	}
	b.vars[m.vars[1]] = b.op(i32T, ops.Add, column, i32(m.columns[0]))
	inner := r.inner
	r.filling, r.inner = true, false
	defer func() { r.filling, r.inner = false, inner }()
	return b.expr(m.elem)
}

// margin fills an array with the terms of a row for a block at an end, outside of the image too.
func (r *rows) margin(m *blockSum, block kir.Expr) *kir.Var {
	b := r.body
	n := r.decided.Lanes + len(m.columns) - 1
	array := b.declare("margin", m.t.Array(n), true, nil)
	i := b.loopVar("i", interval.Between(0, int64(n-1)))
	body := b.inside(false, func() {
		x, inner := r.stage.Space.Vars[len(r.stage.Space.Vars)-1], r.inner
		was := b.vars[x]
		b.vars[x] = i32(0)
		b.vars[m.vars[1]] = b.once("at", exactly(ops.Add, exactly(ops.Add, block, ref(i)), i32(m.columns[0])))
		r.inner = false
		b.emit(&kir.Assign{Placed: b.placed(), Var: array, Index: []kir.Expr{ref(i)}, Value: b.expr(m.elem)})
		r.inner, b.vars[x] = inner, was
	})
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: i32(int64(n)), Step: 1, Body: body, Exact: true})
	return array
}

// take adds terms, times the factor of the point that they are for, to the sums of row q of the item.
func (r *rows) take(m *blockSum, w *widener, q int, t, column kir.Expr, terms []kir.Expr) {
	b := r.body
	w.all(b.inside(false, func() {
		var factor kir.Expr
		if m.factors != nil {
			table := b.table(m.t.Array(len(m.rows), len(m.columns)), m.factors, "factors")
			factor = ref(b.declare("factor", m.t, false, b.elemOf(table.Var, []kir.Expr{exactly(ops.Sub, t, i32(int64(q))), column})))
		}
		for n, term := range terms {
			if factor != nil {
				term = b.op(m.t, ops.Mul, factor, term)
			}
			sum := m.sums[q][n]
			b.emit(&kir.Assign{Placed: b.placed(), Var: sum, Value: b.op(m.t, m.op, ref(sum), term)})
		}
	}))
}

// ifTaken emits what f widens where the mask has the point that row q of the item adds.
func (r *rows) ifTaken(m *blockSum, w *widener, q int, t, column kir.Expr, f func()) {
	cond := r.marked(m.taken, len(m.columns), exactly(ops.Sub, t, i32(int64(q))), column)
	w.out = append(w.out, &kir.If{Placed: r.body.placed(), Cond: cond, Then: w.apart(f)})
}

// ifEvery emits what f widens where the mask has the points of all rows of the item that what is loaded is for, else what g widens.
func (r *rows) ifEvery(m *blockSum, w *widener, t, column kir.Expr, f, g func()) {
	rows, tall, wide := len(m.sums), len(m.rows), len(m.columns)
	every := make([]bool, (tall+rows-1)*wide)
	for i := range every {
		every[i] = true
		for q := range rows {
			if row := i/wide - q; row >= 0 && row < tall {
				every[i] = every[i] && m.taken[row*wide+i%wide]
			}
		}
	}
	cond := r.marked(every, wide, t, column)
	w.out = append(w.out, &kir.If{Placed: r.body.placed(), Cond: cond, Then: w.apart(f), Else: w.apart(g)})
}

// marked asks a table of marks, which has so many columns.
func (r *rows) marked(marks []bool, columns int, row, column kir.Expr) kir.Expr {
	words := make([]types.Word, len(marks))
	for i, m := range marks {
		if m {
			words[i] = types.Int(1)
		}
	}
	table := r.body.table(types.Scalar(types.U8).Array(len(marks)/columns, columns), words, "taken")
	mark := r.body.elemOf(table.Var, []kir.Expr{row, column})
	return opExpr(boolType, ops.Ne, []kir.Expr{mark, intConst(types.U8, 0)}, true)
}

// apart is what f widens, without what comes before it.
func (w *widener) apart(f func()) []kir.Stmt {
	before := w.out
	w.out = nil
	f()
	list := w.out
	w.out = before
	return list
}
