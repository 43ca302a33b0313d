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
)

// Rows are how CPUs want their work: a work-item, which is a group by itself, computes some rows of instances from end to end. Border
// rules along x are for the few columns at both ends, which are computed one by one; between them no coordinate leaves an image,
// and instances are computed Lanes at a time (widener) in all rows of the item. The last step of the loop ends where the inner columns
// end and overlaps the one before, unless computing an instance twice would do harm. Border rules along y are decided once
// for each row.
type rows struct {
	*kernelBuilder
	stage  *hast.Stage
	what   *block.Stage
	scope  *block.Scope
	why    string  // why there are no wide values, "" where there are
	trial  *Trials // asks for nothing but why; nil where it is lowered
	probe  *probe  // nil where it is not asked of one point first
	inner  bool    // the coordinates along x are within the images
	number int     // of the row that is being lowered, among full rows of the item that are computed at once
	full   int
	sums   map[string]*kir.Var // along rows of windows, by key

	separates int                       // sums over masks that are separated
	lined     map[*hast.Reduce]*maskSum // those that are taken from lines, where lines are decided
	laid      *lines                    // of the block of columns that is being lowered
	common    *kept                     // what neighbours have in common, where lines are decided; nil where nothing
	filling   bool                      // what is being lowered are sums along columns, or terms of blocked sums: columns are in the image
	summed    *maskSum                  // of these sums, the one that is being lowered

	blocked map[*hast.Reduce]*blockSum // sums that are computed for blocks of columns, where blocks are decided
	blocks  []*blockSum                // the same in order
	parts   int                        // wide values of a block
	part    int                        // of these, the one that is being lowered
	margins bool                       // the block lies at an end of the row

	one block.Component // what each lane computes: the stage, or what it does for a component
	run *kir.Var        // where single components are computed, the place of the first one behind the pixel at x; nil elsewhere

	single bool // run is a component by itself

	y0, end     kir.Expr // the item's first row; behind its last
	left, right kir.Expr // the inner columns: from left on, below right
	from, to    kir.Expr // all columns of the item
}

// refuseRows says why a stage cannot be computed by rows, as the end of a sentence; "" where it can.
func (t *Trials) refuseRows(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	others := d
	others.Rows, others.Lanes, others.Unroll, others.RowSums, others.Line, others.Block = 0, 0, 0, 0, 0, 0
	if len(s.Fused) > 0 {
		return t.refuseRowTiles(s, d, mode)
	}
	what := t.loopsOf(s, d)
	switch {
	case d.Rows == 0:
		return "masks are separated in work-items that compute rows"
	case (d.RowSums > 0 || d.Line > 0 || d.Block > 0) && d.Lanes == 0:
		return "masks are separated, or taken for blocks of columns, where lanes are decided"
	case d.RowSums > 0 && d.Line > 0:
		return "a mask is separated by rowsums or by line, not by both"
	case d.Line > 0 && d.Line%d.Lanes != 0:
		return fmt.Sprintf("a line of %d columns is no multiple of %d lanes", d.Line, d.Lanes)
	case refuseBlocks(d) != "":
		return refuseBlocks(d)
	case others != (schedule.Decisions{}):
		return "rows leave nothing to other decisions than lanes, rowsums, line, block and unroll"
	case d.Lanes > 0 && d.Rows > maxBlock:
		return fmt.Sprintf("its work-items compute %d rows, and the code for more than %d is not written out", d.Rows, maxBlock)
	case what.Alone != "":
		return what.Alone + ", so that no work-item computes several"
	case d.Line > 0 && t.refuseCommon(s, d) != "":
		return t.refuseCommon(s, d)
	case what.Y == nil:
		return "it has one row"
	case d.Lanes > 0 && !slices.Contains(kir.WideLanes, d.Lanes):
		return fmt.Sprintf("wide values have %v lanes, not %d", kir.WideLanes, d.Lanes)
	case d.Lanes > 0:
		return t.rows(s, d, mode)
	}
	return ""
}

// byRows lowers a stage whose work-items compute rows.
func (k *kernelBuilder) byRows(s *hast.Stage) *kir.Launch {
	r := k.rowsOf(s, block.AnalyzeLoops(s, k.decided.Unroll))
	items := r.grid()
	r.compute()
	return k.finish(s.Name, shape{items: items, group: [3]int{1, 1, 1}})
}

// rowsOf starts to lower a stage, or one of those that are fused, by rows.
func (k *kernelBuilder) rowsOf(s *hast.Stage, what *block.Stage) *rows {
	r := &rows{kernelBuilder: k, stage: s, what: what}
	r.scope = &block.Scope{Iterators: r.what.Scope.Iterators, Lets: r.what.Scope.Lets, Range: func(v *hast.Var) (int64, int64, bool) {
		c, ok := constInt(k.body.vars[v])
		return c, c, ok
	}}
	k.rows = r
	return r
}

// compute computes the rows from y0 to end, from one of their ends to the other.
func (r *rows) compute() {
	r.prepare()
	r.ends()
	r.strip()
}

// prepare finds what is computed in other ways than instance by instance, and where.
func (r *rows) prepare() {
	r.findCommon()
	r.findComponent()
	r.findLined()
	r.findBlocked()
	r.columns()
}

// grid declares the item's rows. Variables before that of the rows share y.
func (r *rows) grid() [3]kir.Expr {
	b, n := r.body, int64(r.decided.Rows)
	vars, ranges := r.stage.Space.Vars, r.stage.Space.Ranges
	last := len(vars) - 1
	outer := r.outer(r.stage, 1)
	rows := ranges[last-1]
	index := opExpr(i32T, ops.Mul, []kir.Expr{&kir.GlobalID{Typed: kir.Typed{T: i32T}}, i32(n)}, true)
	from := opExpr(i32T, ops.Add, []kir.Expr{r.bound(vars[last-1].Name+"_from", rows.Lo), index}, true)
	y0 := b.declare(vars[last-1].Name+"0", i32T, false, from)
	b.bounds[y0] = r.spanOf(rows)
	to := r.bound(vars[last-1].Name+"_to", rows.Hi)
	r.y0 = ref(y0)
	r.end = b.once("end", b.op(i32T, ops.Min, b.op(i32T, ops.Add, r.y0, i32(n)), to))
	r.from, r.to = r.bound(vars[last].Name+"_from", ranges[last].Lo), r.bound(vars[last].Name+"_to", ranges[last].Hi)
	return [3]kir.Expr{div(add(r.count(rows), i64(n-1)), i64(n)), outer, i64(1)}
}

// outer declares the variables of a stage before those of the rows and columns, which share a dimension of the launch, and returns how many
// work-items that takes, a host value.
func (k *kernelBuilder) outer(s *hast.Stage, dim int) kir.Expr {
	b, vars, ranges := k.body, s.Space.Vars, s.Space.Ranges
	items := kir.Expr(i64(1))
	rest := kir.Expr(&kir.GlobalID{Typed: kir.Typed{T: i32T}, Dim: dim})
	for i := len(vars) - 3; i >= 0; i-- {
		count := k.count(ranges[i])
		items = mul(items, count)
		index := rest
		if i > 0 {
			steps := k.scalar(vars[i].Name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
			index = b.op(i32T, ops.Rem, rest, steps)
			rest = b.once("z", b.op(i32T, ops.Div, rest, steps))
		}
		k.iterator(vars[i], ranges[i], index)
	}
	return items
}

// span bounds the variable of a range of step 1.
func (k *kernelBuilder) spanOf(g hast.Range) interval.Interval {
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	return loopInterval(k.plan.hostInterval(g.Lo).Meet(limits), k.plan.hostInterval(g.Hi).Meet(limits), 1)
}

// columns finds the inner columns: those for which no window leaves its image to the left or right. Too few for one step are none.
func (r *rows) columns() {
	b := r.body
	left, right := r.from, r.to
	for _, w := range r.what.Windows {
		if w.Rule == nil || r.onlyLined(w) || r.tiled(w) {
			continue
		}
		_, pixel, _ := block.Axes(w.Image)
		stride := int64(w.X.Stride)
		if first := -ops.FloorQuotient(int64(w.X.Lo), stride); rangeOf(left, b.bounds).Lo < first {
			left = b.op(i32T, ops.Max, left, i32(first))
		}
		extent := r.extents(w.Image, r.buffer(w.Image.Base(), kir.Reads))[pixel]
		room := b.op(i32T, ops.Max, b.op(i32T, ops.Sub, extent, i32(int64(w.X.Hi))), i32(0))
		below := b.op(i32T, ops.Div, b.op(i32T, ops.Add, room, i32(stride-1)), i32(stride))
		if key(below, b.ids) != key(r.to, b.ids) {
			right = b.op(i32T, ops.Min, right, below)
		}
	}
	if left != r.from {
		left = b.op(i32T, ops.Min, left, r.to)
	}
	r.left = b.once("left", left)
	right = b.once("inner", right)
	size := b.op(i32T, ops.Sub, right, r.left)
	switch n := r.leastColumns(); {
	case n == 0:
		right = b.op(i32T, ops.Max, right, r.left)
	case r.what.Once:
		right = b.op(i32T, ops.Add, r.left, b.op(i32T, ops.Mul, b.op(i32T, ops.Div, b.op(i32T, ops.Max, size, i32(0)), i32(n)), i32(n)))
	default:
		right = &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Ge, size, i32(n)), Then: right, Else: r.left}
	}
	v := b.declare("right", i32T, false, right)
	b.bounds[v] = interval.Between(-hast.MaxExtent, hast.MaxExtent)
	r.right = ref(v)
}

// ends computes the columns that are not inner ones, one instance after the other.
func (r *rows) ends() {
	b := r.body
	before := b.once("before", b.op(i32T, ops.Sub, r.left, r.from))
	count := b.once("ends", b.op(i32T, ops.Add, before, b.op(i32T, ops.Sub, r.to, r.right)))
	if n, ok := constInt(count); ok && n <= 0 {
		return
	}
	if r.wideEnds() { // only rows that have not as many columns are left
		defer func(unroll int) { b.unroll = unroll }(b.unroll)
		b.unroll = 0
		few := b.op(boolType, ops.Lt, b.op(i32T, ops.Sub, r.to, r.from), i32(int64(r.decided.Lanes)))
		b.emit(&kir.If{Placed: b.placed(), Cond: few, Then: b.inside(false, func() { r.oneByOne(before, count) })})
		return
	}
	r.oneByOne(before, count)
}

// oneByOne computes so many columns that are no inner ones, some of which lie before these.
func (r *rows) oneByOne(before, count kir.Expr) {
	b := r.body
	r.eachRow(func() {
		i := b.loopVar("i", interval.Between(0, hast.MaxExtent-1))
		stmts := b.inside(false, func() {
			first := b.op(i32T, ops.Add, r.from, ref(i))
			behind := b.op(i32T, ops.Add, r.right, b.op(i32T, ops.Sub, ref(i), before))
			r.column(&kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Lt, ref(i), before), Then: first, Else: behind})
			r.instance(r.stage)
		})
		b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: count, Step: 1, Body: stmts})
	})
}

// eachRow runs f for the item's rows, in a loop.
func (r *rows) eachRow(f func()) {
	b := r.body
	v := r.stage.Space.Vars[len(r.stage.Space.Vars)-2]
	y := b.loopVar(v.Name, b.bounds[r.y0.(*kir.Ref).Var])
	r.row(v, y)
	stmts := b.inside(false, f)
	b.emit(&kir.For{Placed: b.placed(), Var: y, Lo: r.y0, Hi: r.end, Step: 1, Body: stmts})
}

// row makes y the variable of the rows.
func (r *rows) row(v *hast.Var, y *kir.Var) {
	g := r.stage.Space.Ranges[len(r.stage.Space.Vars)-2]
	r.body.limits[y] = r.bound(v.Name+"_to", g.Hi)
	r.body.vars[v] = ref(y)
	r.number, r.full = 0, 1
}

// column declares the variable of the columns.
func (r *rows) column(x kir.Expr) *kir.Var {
	last := len(r.stage.Space.Vars) - 1
	v := r.body.declare(r.stage.Space.Vars[last].Name, i32T, false, x)
	r.body.bounds[v] = r.spanOf(r.stage.Space.Ranges[last])
	r.body.limits[v] = r.bound(v.Name+"_to", r.stage.Space.Ranges[last].Hi)
	r.body.vars[r.stage.Space.Vars[last]] = ref(v)
	return v
}

// strip computes the inner columns: of all rows of the item at once where it has as many as are decided, else row by row.
func (r *rows) strip() {
	b, n := r.body, int64(r.decided.Rows)
	r.inner = true
	defer func() { r.inner = false }()
	if r.decided.Lanes == 0 {
		r.eachRow(r.plain)
		return
	}
	v := r.stage.Space.Vars[len(r.stage.Space.Vars)-2]
	switch {
	case r.common != nil:
		r.byCommon()
		return
	case r.decided.Line > 0 && n == 1:
		r.eachRow(func() { r.byLines(1) })
		return
	case n == 1:
		r.row(v, r.y0.(*kir.Ref).Var)
		r.across(1)
		return
	}
	whole := b.op(boolType, ops.Eq, b.op(i32T, ops.Sub, r.end, r.y0), i32(n))
	then := b.inside(false, func() {
		r.row(v, r.y0.(*kir.Ref).Var)
		r.across(int(n))
	})
	if r.knowing() { // which asks for one row apart
		return
	}
	els := b.inside(false, func() { r.eachRow(func() { r.across(1) }) })
	b.emit(&kir.If{Placed: b.placed(), Cond: whole, Then: then, Else: els})
}

// across computes the inner columns of the current row and those behind it, count rows in all.
func (r *rows) across(count int) {
	switch {
	case r.decided.Line > 0:
		r.byLines(count)
	case r.decided.Block > 0:
		r.byBlocks(count)
	default:
		r.steps(count, r.left, r.right)
	}
}

// plain computes the inner columns one by one.
func (r *rows) plain() {
	b := r.body
	last := len(r.stage.Space.Vars) - 1
	x := b.loopVar(r.stage.Space.Vars[last].Name, r.spanOf(r.stage.Space.Ranges[last]))
	b.limits[x] = r.bound(x.Name+"_to", r.stage.Space.Ranges[last].Hi)
	b.vars[r.stage.Space.Vars[last]] = ref(x)
	stmts := b.inside(false, func() { r.instance(r.stage) })
	b.emit(&kir.For{Placed: b.placed(), Var: x, Lo: r.left, Hi: r.right, Step: 1, Body: stmts})
}

// steps computes some inner columns of the current row and those behind it, count rows in all, so many columns at a time. A row is
// named by its distance from the first, so that what several of them read has one name.
func (r *rows) steps(count int, from, to kir.Expr) {
	if r.one.N > 1 {
		r.componentSteps(count, from, to)
		return
	}
	b, n := r.body, int64(r.decided.Lanes)
	at := b.loopVar("at", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	r.sideBySide(at, func() *kir.Var {
		position := kir.Expr(ref(at))
		if !r.what.Once {
			position = b.op(i32T, ops.Min, position, b.op(i32T, ops.Sub, to, i32(n)))
		}
		return r.column(position)
	}, count, from, to)
	if r.why != "" && r.trial == nil { // which a trial finds beforehand
		r.eachOf(count, r.plain)
	}
}

// sideBySide is the loop over the steps of some rows. What declares where a step stands is the first statement of its body, and the same for all lanes.
func (r *rows) sideBySide(at *kir.Var, stand func() *kir.Var, count int, from, to kir.Expr) {
	b, by := r.body, int64(r.decided.Lanes)
	if r.one.N > 1 {
		by = 1
	}
	step := func() (x *kir.Var, list []kir.Stmt) {
		r.sums = map[string]*kir.Var{}
		list = b.inside(false, func() {
			if r.probe != nil {
				r.probe.scope = b.scope
			}
			x = stand()
			r.eachOf(count, func() {
				if r.number == 0 || !r.knowing() { // a row apart is asked for as well, and knows most of border rules
					r.instance(r.stage)
				}
			})
		})
		return x, list
	}
	if r.knowing() {
		if why := r.refusedAtOnce(step); why != "" {
			r.why = why
			return
		}
	}
	x, body := step()
	w := r.widening(x)
	w.startTotals()
	w.all(body[1:])
	w.joinTotals()
	if w.why != "" {
		r.why = w.why
		return
	}
	b.emitAll(w.moved)
	b.emit(&kir.For{Placed: b.placed(), Var: at, Lo: from, Hi: to, Step: by, Exact: true, Body: append(body[:1:1], w.out...)})
}

// eachOf runs f for the current row and those behind it.
func (r *rows) eachOf(count int, f func()) {
	b, v := r.body, r.stage.Space.Vars[len(r.stage.Space.Vars)-2]
	first := b.vars[v]
	r.full = count
	for i := range count {
		r.number = i
		b.vars[v] = b.op(i32T, ops.Add, first, i32(int64(i)))
		f()
	}
	r.number, r.full = 0, 1
	b.vars[v] = first
}

// within clears the marks of coordinates that are known to be inside of the image: of inner columns those along x, and of rows those
// that are rows of the item.
func (r *rows) within(m *hast.Image, index []hast.Coord, rule *hast.Rule) []hast.Coord {
	if rule == nil || !r.inner && !r.filling {
		return index
	}
	w, at := r.placeOf(m, index, rule)
	if w == nil && !r.filling {
		return index
	}
	line, pixel, _ := block.Axes(m)
	out := slices.Clone(index)
	out[pixel].Below, out[pixel].Above = false, false
	if w != nil && r.ofItem(m, line, at.Y) {
		out[line].Below, out[line].Above = false, false
	}
	return out
}

// safe reports whether a pixel that an inner column reads is in its image for every row of the stage, or behind a test that it is. What a program
// reads under a condition of its own may be there only where that holds, unless a window around all instances says otherwise.
func (r *rows) safe(m *hast.Image, index []hast.Coord, rule *hast.Rule) bool {
	if !r.inner || r.filling || m.Rank() > 2 {
		return false
	}
	w, at := r.placeOf(m, index, rule)
	if w == nil {
		return false
	}
	line, pixel, _ := block.Axes(m)
	ranges := r.stage.Space.Ranges
	if w.Rule == nil && !(ranges[len(ranges)-1].Covers(m, pixel) && at.X == block.Span{Stride: 1}) {
		return false
	}
	if line < 0 || r.ofItem(m, line, at.Y) {
		return true
	}
	tested := (at.Y.Lo >= 0 || index[line].Below) && (at.Y.Hi <= 0 || index[line].Above)
	return tested && at.Y.Stride == 1 && at.Y.Div == 0 && ranges[len(ranges)-2].Covers(m, line)
}

// inRange reports whether each coordinate is in its image for all instances: by its interval, as a variable of the stage, or by the rule, which takes
// care of both ends.
func (r *rows) inRange(m *hast.Image, index []hast.Coord, positions []kir.Expr) bool {
	for axis, c := range index {
		n, known := hast.Number(m.Extent[axis])
		if known && rangeOf(positions[axis], r.body.bounds).Within(interval.Between(0, n-1)) || c.Below && c.Above {
			continue
		}
		v, ok := c.X.(*hast.Ref)
		if !ok {
			return false
		}
		i := slices.Index(r.stage.Space.Vars, v.Var)
		if i < 0 || !r.stage.Space.Ranges[i].Covers(m, axis) {
			return false
		}
	}
	return true
}

// placeOf finds where something is read; of what lines and blocked sums are filled with, where a line's rows are alone.
func (r *rows) placeOf(m *hast.Image, index []hast.Coord, rule *hast.Rule) (*block.Window, block.Place) {
	if r.filling && r.summed == nil {
		return nil, block.Place{}
	}
	if r.filling { // any column will do
		vars, dx := r.body.vars, r.summed.vars[1]
		defer func(at kir.Expr) { vars[dx] = at }(vars[dx])
		vars[dx] = i32(r.summed.columns[0])
	}
	return r.what.Find(r.scope, m, index, rule)
}

// ofItem reports whether what is read is a row of an image where the item has one of its own full rows.
func (r *rows) ofItem(m *hast.Image, line int, at block.Span) bool {
	row := r.number + at.Lo
	return line >= 0 && at.Stride == 1 && at.Lo == at.Hi && row >= 0 && row < r.full && r.stage.Space.Ranges[len(r.stage.Space.Ranges)-2].Covers(m, line)
}

// writtenOut computes the rounds of a loop one after the other where instances share what they read, or are computed side by side; false
// where it does not.
func (b *body) writtenOut(s *hast.For) bool {
	if b.kernel == nil || block.Jumps(s.Body) {
		return false
	}
	if r := b.kernel.rows; b.kernel.blocks == nil && (r == nil || !r.inner || b.kernel.decided.Lanes == 0) {
		return false
	}
	points, ok := b.points(s.Space)
	if !ok {
		return false
	}
	for _, p := range points {
		b.bind(s.Space.Vars, p)
		b.stmts(s.Body)
	}
	return true
}
