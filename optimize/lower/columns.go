package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A sum over a separable mask is also one of sums along the columns of its window, and neighbouring instances share those. A work-item
// computes them for a block of each of its rows into a line: an array of its own, which stays in the nearest cache. The lines of all rows are
// computed at once, so that a row of the image that several of them sum is loaded once. What lies left and right of the image is part of the
// lines, computed one by one, so that no instance has to know the border rule along x.

// lines are the lines of a block of columns.
type lines struct {
	first, end kir.Expr // the block's columns: from first to below end
	list       []*line
	by         map[*hast.Reduce]*line
}

// A line is one of sums along columns. Where instances read every second column, its array has those columns first that lie an even number of
// columns behind the origin, and then the others, so that neighbours read neighbours.
type line struct {
	*maskSum
	arrays []*kir.Var // for each row that is computed at once
	origin kir.Expr   // the coordinate, in the image, of an array's first element
	behind kir.Expr   // of the one behind its last
	half   int64      // how many columns of an array come first; 0 where all lie in their order
}

// place is where an array has the column so many behind the origin.
func (l *line) place(b *body, behind kir.Expr) kir.Expr {
	if l.half == 0 {
		return behind
	}
	d := b.once("behind_origin", behind)
	odd := exactly(ops.And, d, i32(1))
	return exactly(ops.Add, exactly(ops.Shr, d, i32(1)), exactly(ops.Mul, odd, i32(l.half)))
}

// read is where the first lane reads a line for an instance's column of the mask, so many columns behind the first one.
func (r *rows) read(l *line, x kir.Expr, dx int64) kir.Expr {
	if l.half == 0 {
		return exactly(ops.Sub, exactly(ops.Add, exactly(ops.Mul, x, i32(l.maskSum.read.stride)), i32(l.maskSum.read.shift+dx)), l.origin)
	}
	behind := dx - l.columns[0]
	return exactly(ops.Add, exactly(ops.Sub, x, r.laid.first), i32(behind/2+behind%2*l.half))
}

// elem is the type of the sums.
func (l *line) elem() types.Type { return l.arrays[0].Type.Elem() }

// A columnRead is what a sum over a mask reads: the pixel at stride*x + shift + the mask's column.
type columnRead struct {
	image         *hast.Image
	rule          *hast.Rule
	stride, shift int64
}

// findLined finds the sums that are taken from lines: those that every instance computes and whose terms depend on the column by what
// they read alone. Where something else is kept for a block of columns there are none.
func (r *rows) findLined() {
	if r.lined = map[*hast.Reduce]*maskSum{}; r.decided.Line == 0 || r.common != nil {
		return
	}
	if r.trial != nil {
		r.lined = memo.Of(&r.trial.lined, trialOf{r.stage, schedule.Decisions{Unroll: r.decided.Unroll}, r.plan.opts.Mode}, r.linedSums)
		return
	}
	r.lined = r.linedSums()
}

func (r *rows) linedSums() map[*hast.Reduce]*maskSum {
	sums := map[*hast.Reduce]*maskSum{}
	for _, e := range block.Always(r.one.Of.Body) {
		if m := r.maskOf(e); m != nil && r.readOf(m) {
			sums[e] = m
		}
	}
	return sums
}

// readOf finds the one read of a sum's terms; false where there are more, or the terms depend on the column in other ways.
func (r *rows) readOf(m *maskSum) bool {
	reads := readsIn(m.elem)
	if len(reads) != 1 || len(m.columns) < 2 {
		return false
	}
	x := r.stage.Space.Vars[len(r.stage.Space.Vars)-1]
	if !r.fixed(without(m.elem, reads[0]), x, m.vars[1]) {
		return false
	}
	each := block.AxesApart(reads[0], m.vars)
	for i, dy := range m.rows {
		for k, dx := range m.columns {
			if each && i > 0 && k > 0 {
				break
			}
			r.body.vars[m.vars[0]], r.body.vars[m.vars[1]] = i32(dy), i32(dx)
			at, _, ok := r.readAt(m, reads[0], dx)
			if !ok || m.read != nil && *m.read != at {
				return false
			}
			m.read = &at
		}
	}
	return true
}

// without is an expression with zero where a read stands.
func without(e, read hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if e == read {
			return &hast.Const{Typed: hast.Typed{T: e.Type()}, Words: make([]types.Word, e.Type().Words())}
		}
		return nil
	})
}

// fixed reports whether an expression depends on no value of the body, and not on some variables.
func (r *rows) fixed(e hast.Expr, but ...*hast.Var) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			ok = ok && !slices.Contains(but, e.Var) && e.Var.Class != hast.Value && e.Var.Class != hast.Mutable
		case *hast.Load, *hast.Window, *hast.Reduce, *hast.Call:
			ok = false
		}
	})
	return ok
}

// readsIn are the reads of single pixels in an expression.
func readsIn(e hast.Expr) (out []hast.Expr) {
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			out = append(out, e)
		case *hast.Elem:
			if _, ok := e.X.(*hast.Window); ok {
				out = append(out, e)
			}
		}
	})
	return out
}

// readAt is where a read lies for the mask's column dx, which is the value of its variable at the moment.
func (r *rows) readAt(m *maskSum, e hast.Expr, dx int64) (at columnRead, place block.Place, ok bool) {
	b := r.body
	var index []hast.Coord
	switch e := e.(type) {
	case *hast.Load:
		at.image, at.rule, index = e.Image, e.Rule, e.Index
	case *hast.Elem:
		w := e.X.(*hast.Window)
		var idx []kir.Expr
		for _, x := range e.Index {
			if _, plain := x.(*hast.Ref); !plain {
				return at, place, false
			}
			idx = append(idx, b.expr(x))
		}
		at.image, at.rule, index = w.Image, w.Rule, b.windowCoords(w, idx)
	}
	if at.image.View != nil {
		return at, place, false
	}
	line, pixel, channel := block.Axes(at.image)
	x, y := r.what.X, r.what.Y
	var w *block.Window
	w, place = r.what.Find(r.scope, at.image, index, at.rule)
	if w == nil || channel >= 0 || line < 0 || place.X.Lo != place.X.Hi || at.image.First(pixel) != 0 || at.rule != nil && at.rule.Kind == hast.Formula {
		return at, place, false
	}
	for k, c := range index {
		l, linear := r.scope.Linear(c.X)
		switch {
		case !linear || !l.Single():
			return at, place, false
		case k == pixel && (l.Var != x || mentioned(c.X, m.vars[1]) > 1):
			return at, place, false
		case k != pixel && (l.Var == x || l.Var != nil && l.Var != y && k == line || mentioned(c.X, m.vars[1]) > 0):
			return at, place, false
		}
		if !r.plainly(c.X) {
			return at, place, false
		}
	}
	at.stride, at.shift = int64(place.X.Stride), int64(place.X.Lo)-dx
	return at, place, true
}

// plainly reports whether a coordinate is computed from iterators and the variables of the sum, not from values of the body.
func (r *rows) plainly(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		if v, is := e.(*hast.Ref); is && (v.Var.Class == hast.Mutable || v.Var.Class == hast.Value && r.what.Scope.Lets[v.Var] != nil) {
			ok = false
		}
	})
	return ok
}

// mentioned counts the places of an expression where a variable stands.
func mentioned(e hast.Expr, v *hast.Var) (n int) {
	hast.Walk(e, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok && r.Var == v {
			n++
		}
	})
	return n
}

// onlyLined reports whether all that is read of a window is read by sums that are taken from lines.
func (r *rows) onlyLined(w *block.Window) bool {
	if len(r.lined) == 0 {
		return false
	}
	inside := map[hast.Expr]bool{}
	for e := range r.lined {
		hast.Walk(e, func(x hast.Expr) { inside[x] = true })
	}
	return r.onlyIn(inside, w)
}

// onlyIn reports whether all that is read of a window is read by some expressions.
func (r *rows) onlyIn(inside map[hast.Expr]bool, w *block.Window) bool {
	only := true
	hast.WalkBody(r.one.Of.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			only = only && (e.Image != w.Image || inside[e])
		case *hast.Window:
			only = only && (e.Image != w.Image || inside[e])
		}
	})
	return only
}

// byLines computes the inner columns of the current row and those behind it, count rows in all, block by block.
func (r *rows) byLines(count int) {
	b, n := r.body, r.leastColumns()
	start := b.loopVar("block", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	var arrays []kir.Stmt
	body := b.inside(false, func() {
		r.laid = &lines{first: ref(start), by: map[*hast.Reduce]*line{}}
		if !r.what.Once { // the last block is as wide as the lanes are
			r.laid.first = b.once("first", b.op(i32T, ops.Min, ref(start), b.op(i32T, ops.Sub, r.right, i32(n))))
		}
		r.laid.end = b.once("block_end", b.op(i32T, ops.Min, exactly(ops.Add, ref(start), i32(int64(r.decided.Line))), r.right))
		laid := r.laid
		steps := b.inside(false, func() { r.steps(count, laid.first, laid.end) })
		r.laid = nil
		for _, l := range laid.list {
			for _, v := range l.arrays {
				arrays = append(arrays, &kir.Decl{Placed: b.placed(), Var: v})
			}
			r.fill(l)
		}
		b.emitAll(steps)
	})
	b.emitAll(arrays)
	b.emit(&kir.For{Placed: b.placed(), Var: start, Lo: r.left, Hi: r.right, Step: int64(r.decided.Line), Body: body, Exact: true})
}

// exactly is an operation on coordinates, which do not wrap.
func exactly(op ops.Op, x, y kir.Expr) kir.Expr { return opExpr(i32T, op, []kir.Expr{x, y}, true) }

// fromLine is a sum by what a line holds; nil where it is not taken from a line.
func (r *rows) fromLine(e *hast.Reduce) kir.Expr {
	m := r.lined[e]
	if r.laid == nil || m == nil {
		return nil
	}
	l := r.laid.by[e]
	if l == nil {
		l = r.lay(m)
		r.laid.list, r.laid.by[e] = append(r.laid.list, l), l
	}
	b := r.body
	x := b.vars[r.stage.Space.Vars[len(r.stage.Space.Vars)-1]]
	array, elem := l.arrays[r.number], kir.Typed{T: l.elem()}
	var sum kir.Expr
	for i, dx := range m.columns {
		if m.takes(m.row, i) && !(m.alike && r.knows(i, len(m.columns))) {
			column := &kir.Load{Typed: elem, Buffer: array, Offset: r.inLine(r.read(l, x, dx))}
			sum = b.plus(m, sum, m.row, i, b.convert(m.t, column, kir.Wrap))
		}
	}
	return sum
}

// lay makes the line for a sum, as narrow as the sums along columns are.
func (r *rows) lay(m *maskSum) *line {
	b := r.body
	l := &line{maskSum: m}
	lo, hi := m.columns[0], m.columns[len(m.columns)-1]
	reach := func(x kir.Expr, dx int64) kir.Expr {
		return exactly(ops.Add, exactly(ops.Mul, x, i32(m.read.stride)), i32(m.read.shift+dx))
	}
	l.origin = reach(r.laid.first, lo)
	l.behind = reach(exactly(ops.Sub, r.laid.end, i32(1)), hi+1)
	iv, kind := interval.All, m.t.Kind
	if kind.IsInt() {
		b.inside(false, func() {
			at := b.loopVar("at", interval.Between(-hast.MaxExtent, hast.MaxExtent))
			iv = rangeOf(r.columnSum(m, ref(at), true), b.bounds)
		})
		if bits := bitsFor(iv, 8); bits > 0 {
			kind = kindOf(bits, iv.Lo < 0)
		}
	}
	size := m.read.stride*int64(r.decided.Line-1) + hi - lo + 1
	if m.read.stride == 2 {
		l.half = (size + 1) / 2
		size = 2 * l.half
	}
	for range r.full {
		array := &kir.Var{Name: "line", Type: types.Scalar(kind).Array(int(size) * r.one.N), At: b.pos}
		if kind.IsInt() {
			b.bounds[array] = iv
		}
		l.arrays = append(l.arrays, array)
	}
	return l
}

// columnSum is the sum along the column of an image at a coordinate, which may be known to lie inside.
func (r *rows) columnSum(m *maskSum, at kir.Expr, inside bool) kir.Expr {
	b := r.body
	x := r.stage.Space.Vars[len(r.stage.Space.Vars)-1]
	was := b.vars[x]
	wasInner := r.inner
	r.filling, r.inner, r.summed = inside, false, m
	b.vars[x], b.vars[m.vars[1]] = i32(0), exactly(ops.Sub, at, i32(m.read.shift))
	var sum kir.Expr
	for i, dy := range m.rows {
		if m.takes(m.column, i) && !(r.full > 1 && m.alike && r.knows(i, len(m.rows))) {
			b.vars[m.vars[0]] = i32(dy)
			sum = b.plus(m, sum, m.column, i, b.expr(m.elem))
		}
	}
	r.filling, r.inner, r.summed = false, wasInner, nil
	b.vars[x] = was
	return sum
}

// fill computes a line: wide values where the columns lie in the image, one by one what is left at its ends.
func (r *rows) fill(l *line) {
	b, n := r.body, r.leastColumns()
	origin, behind := b.once("origin", l.origin), b.once("behind", l.behind)
	from, to := origin, behind
	if l.read.rule != nil {
		from, to = r.inImage(l.read.image, origin, behind)
	}
	if l.half > 0 { // vectors begin at an even place of the line
		n = int64(r.filled(l))
		odd := exactly(ops.And, exactly(ops.Sub, from, origin), i32(1))
		from = b.once("even", b.op(i32T, ops.Min, exactly(ops.Add, from, odd), behind))
		to = b.once("whole", exactly(ops.Sub, to, exactly(ops.And, exactly(ops.Sub, to, from), i32(1))))
	}
	wide := r.enough(from, to, n)
	if r.one.N > 1 {
		r.fillComponents(l, origin, from, wide)
		r.beside(origin, from, wide, behind, func(at kir.Expr) { r.fillPixel(l, origin, at) })
		return
	}
	r.fillWide(l, origin, from, wide)
	r.beside(origin, from, wide, behind, func(at kir.Expr) {
		r.eachOf(len(l.arrays), func() {
			value := b.convert(l.elem(), r.columnSum(l.maskSum, at, false), kir.Wrap)
			b.emit(&kir.Assign{Placed: b.placed(), Var: l.arrays[r.number], Index: []kir.Expr{l.place(b, exactly(ops.Sub, at, origin))}, Value: value})
		})
	})
}

// inImage are those columns of an image that lie from one on to below another.
func (r *rows) inImage(m *hast.Image, origin, behind kir.Expr) (from, to kir.Expr) {
	b := r.body
	_, pixel, _ := block.Axes(m)
	from = b.once("from", b.op(i32T, ops.Min, b.op(i32T, ops.Max, origin, i32(0)), behind))
	return from, b.once("to", b.op(i32T, ops.Min, behind, r.buffer(m, kir.Reads).extent[pixel]))
}

// enough is the end of the columns from one on that are computed side by side, so many at a time: that of all of them, where they are as many.
func (r *rows) enough(from, to kir.Expr, n int64) kir.Expr {
	cond := r.body.op(boolType, ops.Ge, exactly(ops.Sub, to, from), i32(n))
	return r.body.once("wide", &kir.Select{Typed: kir.Typed{T: i32T}, Cond: cond, Then: to, Else: from})
}

// beside runs f for the columns from origin to below behind but those from one on to below wide, one by one.
func (r *rows) beside(origin, from, wide, behind kir.Expr, f func(at kir.Expr)) {
	if r.knowing() { // what is computed one by one always can be
		return
	}
	b := r.body
	before := b.once("before", exactly(ops.Sub, from, origin))
	count := b.once("rest", exactly(ops.Add, before, exactly(ops.Sub, behind, wide)))
	i := b.loopVar("i", interval.Between(0, hast.MaxExtent-1))
	rest := b.inside(false, func() {
		first, last := exactly(ops.Add, origin, ref(i)), exactly(ops.Add, wide, exactly(ops.Sub, ref(i), before))
		cond := b.op(boolType, ops.Lt, ref(i), before)
		at := b.declare("at", i32T, false, &kir.Select{Typed: kir.Typed{T: i32T}, Cond: cond, Then: first, Else: last})
		b.bounds[at] = interval.Between(-hast.MaxExtent, hast.MaxExtent)
		f(ref(at))
	})
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: count, Step: 1, Body: rest})
}

// filled is how many columns of a line are computed side by side: a vector for each half of it, where it has these.
func (r *rows) filled(l *line) int {
	if l.half == 0 {
		return r.decided.Lanes
	}
	return min(2*r.decided.Lanes, kir.WideLanes[len(kir.WideLanes)-1])
}

// fillWide computes the columns of a line from one on to below another; the last step overlaps the one before.
func (r *rows) fillWide(l *line, origin, from, to kir.Expr) {
	b, n := r.body, int64(r.filled(l))
	v := b.loopVar("v", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	var at *kir.Var
	body := b.inside(false, func() {
		at = b.declare("at", i32T, false, b.op(i32T, ops.Min, ref(v), exactly(ops.Sub, to, i32(n))))
		b.bounds[at] = interval.Between(-hast.MaxExtent, hast.MaxExtent)
		place := convert(exactly(ops.Sub, ref(at), origin), types.I64)
		r.eachOf(len(l.arrays), func() {
			value := b.convert(l.elem(), r.columnSum(l.maskSum, ref(at), true), kir.Wrap)
			b.emit(&kir.Store{Placed: b.placed(), Buffer: l.arrays[r.number], Offset: place, Value: value})
		})
	})
	w := b.widen(body[1:], at, int(n))
	if w.why != "" {
		r.why = w.why
		return
	}
	b.emitAll(w.moved)
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: from, Hi: to, Step: n, Exact: true, Body: append(body[:1:1], l.inHalves(w)...)})
}

// inHalves are the statements of a widener, with what they store in the line in the two halves that it has.
func (l *line) inHalves(w *widener) []kir.Stmt {
	if l.half == 0 {
		return w.out
	}
	var out []kir.Stmt
	for _, st := range w.out {
		s, ok := st.(*kir.Store)
		if !ok || !slices.Contains(l.arrays, s.Buffer) {
			out = append(out, st)
			continue
		}
		v := &kir.Var{Name: "sums", Type: s.Value.Type(), Const: true, At: s.Buffer.At}
		out = append(out, &kir.Decl{Placed: s.Placed, Var: v, Init: s.Value})
		t := v.Type.WithLanes(int(v.Type.Lanes) / 2)
		place := opExpr(types.Scalar(types.I64), ops.Shr, []kir.Expr{s.Offset, i64(1)}, true)
		for half := range 2 {
			part := &kir.Alternate{Typed: kir.Typed{T: t}, Parts: []kir.Expr{ref(v)}, First: half}
			out = append(out, &kir.Store{Placed: s.Placed, Buffer: s.Buffer, Offset: add(place, i64(int64(half)*l.half)), Value: part})
		}
	}
	return out
}
