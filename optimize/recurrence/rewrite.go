package recurrence

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A rewriter makes the stages of one recurrence.
type rewriter struct {
	*recurrence
	plan    *planner
	order   int
	scanned *hast.Var
	first   hast.Expr // the scanned variable in the first instance
	count   hast.Expr // i32, host values: instances of a line,
	length  hast.Expr // of a chunk
	chunk   *hast.Var // the number of a chunk or group
	levels  []*level  // chunks, groups of chunks, groups of groups and so on
}

// A level is the chunks of a line, or groups of what the level below it has. The first instances of a line, as many as the order, are
// in none.
type level struct {
	count   hast.Expr // i32, a host value: of a line; all but the last are full
	steps   int64     // in chunks
	most    hast.Expr // i64, over extents: the largest count
	carried []*carried
}

// but is the range of a level's chunks without as many at the end.
func (l *level) but(n int64) *hast.Range {
	return &hast.Range{Lo: number(i32, 0), Hi: minus(l.count, number(i32, n)), Step: 1}
}

// carried are the images that hold a state's maps and then its states: of each line, for each chunk.
type carried struct {
	state *state
	value []*hast.Image   // what the chunk makes of the neutral state, and then the state at its start: x[i-1], x[i-2], ...
	unit  [][]*hast.Image // of a linear recurrence: unit[j][k] is x[i-1-k] at the end, from the unit state with x[i-1-j] = 1
	high  *hast.Image     // of a clamp: what the chunk makes of the greatest pixel, value is of the least one,
	sum   *hast.Image     // and what it adds
	table *hast.Image     // of a state that says where steps read: what the chunk makes of each
	safe  *hast.Image     // i32, 0 where the map must not be used; nil where every one may be
}

// rewrite is nil where no line can have two chunks.
func (pl *planner) rewrite(r *recurrence) []hast.Step {
	w := &rewriter{recurrence: r, plan: pl, order: r.order(), scanned: r.stage.Space.Vars[r.stage.Scan.Axis]}
	if w.atMost() < 2 {
		return nil
	}
	w.chunk = &hast.Var{Name: w.scanned.Name + "_chunk", Type: i32, Class: hast.Iterator, At: w.scanned.At}
	steps := append(w.host(), w.divide()...)
	for n, l := range w.levels {
		for _, st := range r.states() {
			l.carried = append(l.carried, w.images(st, l, n))
		}
	}
	if w.states()[0].places != nil {
		steps = append(steps, w.tableStage())
	} else {
		steps = append(steps, w.localStage())
	}
	for n := range w.levels[1:] {
		steps = append(steps, w.groupStage(n+1))
	}
	steps = append(steps, w.carryStage())
	for n := len(w.levels) - 2; n >= 0; n-- {
		steps = append(steps, w.spreadStage(n))
	}
	return append(steps, w.applyStage())
}

// host makes the host values. Counts go through i64: products of extents may be large.
func (w *rewriter) host() []hast.Step {
	s, name := w.stage, w.stage.Name
	r := s.Space.Ranges[s.Scan.Axis]
	lo, hi := convert(r.Lo, i64), convert(r.Hi, i64)
	if r.Step < 0 {
		lo, hi = hi, lo
	}
	stride := max(w.stride, -w.stride)
	length := op(ops.Max, minus(hi, lo), number(i64, 0))
	countStep, count := hostLet(name+"_steps", ceilDiv(length, number(i64, stride)), s.At)
	w.count = count
	w.first = r.Lo
	if w.stride != r.Step {
		last := op(ops.Mul, op(ops.Sub, count, number(i32, 1)), number(i32, r.Step))
		w.first = plus(r.Lo, last)
	}
	steps := []hast.Step{countStep}
	if _, ok := w.first.(*hast.Const); !ok {
		firstStep, first := hostLet(name+"_first", w.first, s.At)
		steps, w.first = append(steps, firstStep), first
	}
	return steps
}

// divide decides on chunks and groups.
func (w *rewriter) divide() []hast.Step {
	name, at, opts := w.stage.Name, w.stage.At, w.plan.opts
	most, groups := w.most()
	rest := op(ops.Max, op(ops.Sub, convert(w.count, i64), number(i64, int64(w.order))), number(i64, 0))
	lengthStep, length := hostLet(name+"_chunk", op(ops.Max, ceilDiv(rest, most), number(i64, int64(opts.Chunk))), at)
	chunkStep, chunks := hostLet(name+"_chunks", ceilDiv(rest, convert(length, i64)), at)
	w.length = length
	w.levels = []*level{{count: chunks, steps: 1, most: most}}
	out := []hast.Step{lengthStep, chunkStep}
	for n := range groups {
		below, size := w.levels[n], number(i64, int64(opts.Group))
		step, count := hostLet(fmt.Sprintf("%s_groups%d", name, n+1), ceilDiv(convert(below.count, i64), size), at)
		w.levels = append(w.levels, &level{count: count, steps: below.steps * int64(opts.Group), most: ceilDiv(below.most, size)})
		out = append(out, step)
	}
	return out
}

func minus(x, y hast.Expr) hast.Expr {
	if isInt(y, 0) {
		return x
	}
	return op(ops.Sub, x, y)
}

// atMost is the number of chunks of a line as far as constants say: no line has more.
func (w *rewriter) atMost() int64 {
	st, opts := w.states()[0], w.plan.opts
	chunks := int64(opts.Items)
	for i := range w.stage.Space.Vars {
		c, ok := st.store.Image.Extent[w.axisOf(st, i)].(*hast.Const)
		switch {
		case !ok:
		case i == w.stage.Scan.Axis:
			chunks = min(chunks, ceil(c.Words[0].Int(), int64(opts.Chunk)))
		default:
			chunks = min(chunks, ceil(int64(opts.Items), max(1, c.Words[0].Int())))
		}
	}
	return chunks
}

func ceil(x, y int64) int64 { return (x + y - 1) / y }

// lines is how many lines there are, as an i64, and whether that is a constant.
func (w *rewriter) lines() (n hast.Expr, known bool) {
	st := w.states()[0]
	n, known = number(i64, 1), true
	for _, i := range w.stage.Across() {
		extent := convert(st.store.Image.Extent[w.axisOf(st, i)], i64)
		_, fixed := extent.(*hast.Const)
		known = known && fixed
		if isInt(n, 1) {
			n = extent
		} else {
			n = op(ops.Mul, n, extent)
		}
	}
	return n, known
}

// most is the largest number of chunks that a line is cut into, as an i64 over what the extents of the first state's image are made of,
// which the host knows on entry; and how many levels of groups these chunks need.
func (w *rewriter) most() (chunks hast.Expr, groups int) {
	st, opts := w.states()[0], w.plan.opts
	lines, known := w.lines()
	chunks = ceilDiv(number(i64, int64(opts.Items)), op(ops.Max, lines, number(i64, 1)))
	if known {
		for n := w.atMost(); n > int64(opts.Carry); groups++ {
			n = ceil(n, int64(opts.Group))
		}
	} else {
		chunks = op(ops.Min, chunks, number(i64, int64(opts.Carry)))
	}
	along := convert(st.store.Image.Extent[st.axis], i64)
	return op(ops.Max, op(ops.Min, chunks, ceilDiv(along, number(i64, int64(opts.Chunk)))), number(i64, 1)), groups
}

// extentOf is an extent for images beside m: those of a view may be 0.
func extentOf(m *hast.Image, axis int) hast.Expr {
	if m.View == nil {
		return m.Extent[axis]
	}
	return op(ops.Max, m.Extent[axis], number(i32, 1))
}

// images declares what is carried of a state on a level.
func (w *rewriter) images(st *state, l *level, n int) *carried {
	var extent []hast.Expr
	for i := range w.stage.Space.Vars {
		if i == w.stage.Scan.Axis {
			extent = append(extent, convert(l.most, i32))
		} else {
			extent = append(extent, extentOf(st.store.Image, w.axisOf(st, i)))
		}
	}
	of := ""
	if n > 0 {
		of = fmt.Sprintf("group%d_", n)
	}
	image := func(elem types.Type, name string, args ...any) *hast.Image {
		m := &hast.Image{
			Name: st.store.Image.Name + "_" + of + fmt.Sprintf(name, args...), Dir: hast.Local, Elem: elem, Extent: extent, At: st.store.At,
		}
		w.plan.out.Images = append(w.plan.out.Images, m)
		return m
	}
	c := &carried{state: st}
	for k := range st.order {
		c.value = append(c.value, image(st.elem(), "carry%d", k+1))
	}
	if st.places != nil {
		c.table = image(st.elem(), "table")
		c.table.Extent = append(slices.Clone(extent), st.places)
	}
	if st.clamps {
		c.high, c.sum = image(st.elem(), "high"), image(st.sumType(), "sum")
	}
	if st.linear() {
		for j := range st.order {
			c.unit = append(c.unit, nil)
			for k := range st.order {
				c.unit[j] = append(c.unit[j], image(st.elem(), "unit%d%d", j+1, k+1))
			}
		}
	}
	if st.checked() {
		c.safe = image(i32, "safe")
	}
	return c
}

// lineIndex is the pixel of the carried images at a chunk of the line of this instance.
func (w *rewriter) lineIndex(chunk hast.Expr) []hast.Expr {
	var index []hast.Expr
	for i, v := range w.stage.Space.Vars {
		if i == w.stage.Scan.Axis {
			index = append(index, chunk)
			continue
		}
		r := w.stage.Space.Ranges[i]
		place := minus(ref(v), r.Lo)
		if r.Step != 1 {
			place = op(ops.Div, place, number(i32, r.Step))
		}
		index = append(index, place)
	}
	return index
}

func (w *rewriter) load(m *hast.Image, chunk hast.Expr) hast.Expr {
	load := &hast.Load{Typed: typed(m.Elem, m.At), Image: m}
	for _, x := range w.lineIndex(chunk) {
		load.Index = append(load.Index, hast.Coord{X: x})
	}
	return load
}

func (w *rewriter) store(m *hast.Image, chunk, value hast.Expr) hast.Stmt {
	return &hast.Store{Image: m, Index: w.lineIndex(chunk), Value: value, At: m.At}
}

// newStage is a stage over the lines and, where chunk ranges are given, chunks of the stage that is replaced.
func (w *rewriter) newStage(name string, chunks *hast.Range, body []hast.Stmt) *hast.Stage {
	out := *w.stage
	out.Name, out.Scan, out.Body = name, nil, body
	out.Space = hast.Space{}
	for i, v := range w.stage.Space.Vars {
		r := w.stage.Space.Ranges[i]
		if i == w.stage.Scan.Axis {
			if chunks == nil {
				continue
			}
			v, r = w.chunk, *chunks
		}
		out.Space.Vars = append(out.Space.Vars, v)
		out.Space.Ranges = append(out.Space.Ranges, r)
	}
	if len(out.Space.Vars) == 0 {
		out.Space = oneInstance(w.stage)
	}
	return &out
}

// oneInstance is a space of one instance, in the place of that of a stage.
func oneInstance(s *hast.Stage) hast.Space {
	v := &hast.Var{Name: "line", Type: i32, Class: hast.Iterator, At: s.At}
	return hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: number(i32, 0), Hi: number(i32, 1), Step: 1}}}
}

// at is the scanned variable in an instance of a line, counted from 0.
func (w *rewriter) at(instance hast.Expr) hast.Expr {
	return plus(w.first, times(instance, w.stride))
}

// let is a new value in a body.
func (w *rewriter) let(name string, x hast.Expr) (hast.Stmt, hast.Expr) {
	v := &hast.Var{Name: name, Type: i32, Class: hast.Value, At: w.stage.At}
	return define(v, x), ref(v)
}

// span runs statements for the instances of a chunk or group of a level.
func (w *rewriter) span(l *level, chunk hast.Expr, body []hast.Stmt) []hast.Stmt {
	bound := func(x hast.Expr) hast.Expr { return convert(op(ops.Min, x, convert(w.count, i64)), i32) }
	length := times(convert(w.length, i64), l.steps)
	first, from := w.let("begin", bound(plus(number(i64, int64(w.order)), op(ops.Mul, convert(chunk, i64), length))))
	last, to := w.let("end", bound(op(ops.Add, convert(from, i64), length)))
	out := []hast.Stmt{first, last}
	if from != w.at(from) {
		first, from = w.let(w.scanned.Name+"_begin", w.at(from))
		last, to = w.let(w.scanned.Name+"_end", w.at(to))
		out = append(out, first, last)
	}
	steps := w.loop(from, to, body)
	steps.Chunk = true
	return append(out, steps)
}

// loop runs statements for values of the scanned variable.
func (w *rewriter) loop(lo, hi hast.Expr, body []hast.Stmt) *hast.For {
	space := hast.Space{Vars: []*hast.Var{w.scanned}, Ranges: []hast.Range{{Lo: lo, Hi: hi, Step: w.stride}}}
	return &hast.For{Space: space, Body: body, At: w.stage.At}
}
