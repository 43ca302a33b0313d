package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A strip is a work-item that computes a block of instances. It first loads the windows that they read into private arrays, all
// of them before it stores anything, so that no load waits for a store of which the target's compiler cannot tell that it goes
// elsewhere; then it computes the instances one by one in loops to be unrolled, in which the arrays become registers; then it
// stores what they wrote.
//
// Where the whole block lies inside of the images and they are aligned, loads and stores are vectors. The pixels beyond the left
// and right end of an image are loaded from an address inside and then replaced by what the border rule says, so that there
// is no branch among the loads. All other blocks go row by row and are loaded and stored pixel by pixel. The two do not meet
// between loads and stores: a window that comes from either of two places would have to be complete, in registers, before the first sum.
type strip struct {
	*kernelBuilder
	stage   *hast.Stage
	what    *block.Stage
	item    [2]int   // instances in x and y of a block
	tall    int      // rows of instances of the item at most: several blocks of one row where sums are computed row by row
	length  kir.Expr // its rows, where the host decides
	flat    bool     // all variables are one
	first   [2]kir.Expr
	end     [2]kir.Expr // of the iteration
	from    [2]kir.Expr // nil where first is never before it
	at      [2]kir.Expr // the instance within the block, while the body is lowered
	to      [2]kir.Expr // where what it writes is kept, if that is another place; else nil
	beyond  [2]kir.Expr // whether it stands for a place outside, where a border is constant or by formula; nil where it never does
	shared  *[2]int     // items of the group, where these have the block together; else nil
	y       kir.Expr    // of the instances, where the block is one row whose place is known
	windows []*window
	across  [2]kir.Expr // the first and the last block that have to be whole together
	rings   []*window   // rows that sums by rows read
	outputs []*output
	quads   *quads // where four instances are computed at once
	side    int    // see sides; 0 is 1
	sums    []*rowSum
	summing bool     // a sum by rows is being lowered
	phases  bool     // what instances compute depends on remainders of their coordinates by numbers that divide the block's extents
	fast    bool     // a whole block is being lowered
	whole   kir.Expr // whether vectors do; nil where they always do
	// interior: no pixel that the block reads lies outside of its image
	interior bool
	within   bool                            // all columns of a block of fused stages lie in the iteration
	allRows  bool                            // all rows of the block lie in the iteration
	short    bool                            // of a part of a fusion: even the first row may lie behind its iteration
	anyShort bool                            // of a fusion: there is such a part, so that rows of the block may be read behind images that no instance leaves
	corner   [2]kir.Expr                     // the first instance, seen from the group's tile; nil where there is none
	turn     kir.Expr                        // of a block that an item takes in turn with others: whether blocks start at multiples of their width; else nil
	origin   kir.Expr                        // the column of the block in rows that a group has together (descent.go); nil where there are none
	behind   int                             // rows that are begun before the first is complete, where sums are computed row by row
	apartBy  [2]int                          // of a part of a fusion: by how many of its own instances those of the last one that are neighbours are apart; else 0
	inWords  *block.Columns                  // of such a part, where it computes some at once
	beside   map[*block.Window]block.Columns // of the block, where windows reach farther than what is read
}

// A tile is a block of pixels in a private array: rows of components.
type tile struct {
	block.Place
	buf   *buffer
	array *kir.Var
	rows  int
	cols  int // components of a row
	per   int // components at one position
	chunk int // components of the largest access
	// packed: bytes, four to an element of the array
	packed bool
	// shortLines: the products of its lines are those of 32 bits
	shortLines bool
}

// strips lowers a stage whose work-items compute blocks: as a whole where its images lie without gaps, if that is decided, and
// row by row.
func (k *kernelBuilder) strips(s *hast.Stage) {
	what := k.inStrips(s)
	strip := func(k *kernelBuilder, s *hast.Stage) *kir.Launch { return k.strip(s, what, false) }
	var rows []kir.Step
	if asksForAlignment(what) {
		rows = k.byAlignment(s, strip)
	} else {
		rows = []kir.Step{strip(k, s)}
	}
	if k.decided.Flat == 0 || !what.Flat {
		k.plan.emit(rows...)
		return
	}
	f := k.plan.newKernel(s, k.decided)
	f.updates, f.evenOnly = k.updates, movesByWords(what)
	line := f.strip(s, what, true)
	cond := f.blocks.gapless()
	if f.even != nil {
		cond = opExpr(boolType, ops.LAnd, []kir.Expr{cond, f.even}, true)
	}
	k.plan.emit(&kir.IfHost{Cond: cond, Then: []kir.Step{line}, Else: rows})
}

// inStrips is what blocks of instances of a stage read and write, or rows of them where sums are computed row by row.
func (k *kernelBuilder) inStrips(s *hast.Stage) *block.Stage {
	if k.decided.Stream > 0 {
		what, _ := block.AnalyzeRows(s, k.decided.Unroll)
		return what
	}
	return inBlocks(s, k.decided)
}

// strip lowers one kernel and returns its launch.
func (k *kernelBuilder) strip(s *hast.Stage, what *block.Stage, flat bool) *kir.Launch {
	t, items := k.newStrip(s, what, flat)
	t.byPlace(t.placing())
	name, vars := s.Name, len(s.Space.Vars)
	if flat {
		name, vars = name+"_flat", 1
	}
	return k.finish(name, shape{items: items, group: k.group(vars)})
}

// newStrip starts a kernel: it finds the item's block and what that loads and stores.
func (k *kernelBuilder) newStrip(s *hast.Stage, what *block.Stage, flat bool) (t *strip, items [3]kir.Expr) {
	t = &strip{kernelBuilder: k, stage: s, what: what, item: [2]int{k.decided.Item[0], max(1, k.decided.Item[1])}, flat: flat}
	if flat {
		t.item = [2]int{t.item[0] * t.item[1], 1}
	}
	t.tall, t.at = t.item[1], [2]kir.Expr{i32(0), i32(0)}
	if what.Rows != nil {
		t.behind = what.Rows.Hi - what.Rows.Lo
	}
	k.blocks = t
	items = t.grid()
	if what.Rows != nil {
		t.item[1] = 1
	}
	t.arrange()
	t.phases = !flat && what.Rows == nil && t.hasPhases()
	return t, items
}

// placing is what is done with a block by where it lies.
func (t *strip) placing() placing {
	var p placing
	p.margins, p.parted, p.movable = t.lineEnds()
	if t.what.Rows != nil {
		p.fast, p.slow = func() { t.stream(true) }, func() { t.stream(false) }
	} else {
		p.fast, p.slow = func() { t.apart(t.windows, t.block) }, t.rowByRow
	}
	return p
}

// either does fast where the block is whole, and slow where it is not.
func (t *strip) either(fast, slow func()) {
	t.body.either(t.whole, fast, slow)
}

// block computes a whole block at once.
func (t *strip) block() {
	t.fast = true
	defer func() { t.fast = false }()
	t.filled(t.fetchWhole)
	t.put(t.putWhole)
}

// filled has the outputs computed from the windows, which are loaded in some way.
func (t *strip) filled(load func(*window)) {
	if t.what.Legs != nil {
		t.inLegs(load)
		t.reduceBlock(func() { t.rounds(1, "v", func() { t.reduceRow(t.at[1], t.fast) }) })
		return
	}
	t.declare()
	t.fetch(load)
	t.reduceBlock(t.compute)
}

// rowByRow computes a block that is not whole, one row of instances after the other.
func (t *strip) rowByRow() {
	rows, parts := t.item[1], 1
	t.item[1] = 1
	if t.mayBeFar() {
		parts = t.inParts()
		t.arrange()
		clear(t.windows)
	} else {
		t.arrange()
	}
	t.eachRow(rows, func() {
		t.eachPart(parts, func() {
			t.filled(t.fetchPixels)
			t.put(t.putPixels)
		})
	})
}

// inParts has blocks be parts of a few instances of their row, and returns how many parts that makes: instances that read their pixels for
// themselves wait for all of them together, and what so many addresses and pixels take of registers, whole blocks would go without. NVIDIA's
// OpenCL compiler gave rows of 16 such instances 167 registers where whole blocks need 72, so that less than half of the groups had room.
func (t *strip) inParts() (parts int) {
	const few = 4
	parts = 1
	for t.item[0] > few && t.item[0]%2 == 0 {
		t.item[0], parts = t.item[0]/2, 2*parts
	}
	return parts
}

// eachPart runs f for each of n parts of a row of instances that lie in the iteration, in which the block is that part.
func (t *strip) eachPart(n int, f func()) {
	if n == 1 {
		f()
		return
	}
	b := t.body
	v, first, width := b.loopVar("part", interval.Between(0, int64(n)-1)), t.first[0], i32(int64(t.item[0]))
	stmts := b.inside(false, func() {
		t.first[0] = b.op(i32T, ops.Add, first, b.op(i32T, ops.Mul, ref(v), width))
		f()
	})
	t.first[0] = first
	left := b.op(i32T, ops.Sub, b.op(i32T, ops.Add, t.end[0], i32(int64(t.item[0]-1))), first)
	count := b.op(i32T, ops.Min, i32(int64(n)), b.op(i32T, ops.Div, left, width))
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: b.once("parts", count), Step: 1, Rounds: kir.Looped, Body: stmts})
}

// eachRow runs f for each of n rows of instances that lie in the iteration.
func (t *strip) eachRow(n int, f func()) {
	if n == 1 {
		f()
		return
	}
	b := t.body
	v := b.loopVar("v", interval.Between(0, int64(n)-1))
	first := t.first[1]
	stmts := b.inside(false, func() {
		t.onRow(b.op(i32T, ops.Add, first, ref(v)))
		f()
	})
	t.first[1], t.y = first, nil
	count := b.op(i32T, ops.Min, i32(int64(n)), b.op(i32T, ops.Sub, t.end[1], first))
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: b.once("rows", count), Step: 1, Rounds: kir.Looped, Body: stmts})
}

// onRow has the block be the row y of instances.
func (t *strip) onRow(y kir.Expr) {
	t.y = t.coordinate(1, y)
	t.first[1] = t.y
}

// grid declares the first instance of the block and leaves where there is none.
func (t *strip) grid() [3]kir.Expr {
	if !t.flat {
		return t.kernelBuilder.grid(t.stage)
	}
	n := t.instances()
	from := opExpr(i32T, ops.Mul, []kir.Expr{&kir.GlobalID{Typed: kir.Typed{T: i32T}}, i32(int64(t.item[0]))}, true)
	t.end[0] = t.scalar("count", i32T, n, interval.Between(1, hast.MaxExtent))
	v := t.body.declare("first", i32T, false, from)
	t.body.bounds[v] = interval.Between(0, hast.MaxExtent-1)
	t.first[0] = ref(v)
	beyond := t.body.op(boolType, ops.Ge, t.first[0], t.end[0])
	t.body.emit(&kir.If{Placed: t.body.placed(), Cond: beyond, Then: []kir.Stmt{&kir.Return{Placed: t.body.placed()}}})
	return [3]kir.Expr{div(add(n, i64(int64(t.item[0])-1)), i64(int64(t.item[0]))), i64(1), i64(1)}
}

// instances is the number of points of the space, a host value.
func (t *strip) instances() kir.Expr {
	n := i64(1)
	for _, r := range t.stage.Space.Ranges {
		n = mul(n, t.count(r))
	}
	return n
}

// start declares the first instance of the block on dimension dim (x is 0) and returns the number of work-items. Blocks start at
// multiples of their width, so that they are aligned, even where the iteration does not.
func (t *strip) start(dim int, v *hast.Var, r hast.Range) (items kir.Expr) {
	per := int64(t.item[dim])
	if dim == 1 && t.decided.Rolled > 0 {
		return t.startStrip(v, r)
	}
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	iv := loopInterval(t.plan.hostInterval(r.Lo).Meet(limits), t.plan.hostInterval(r.Hi).Meet(limits), 1)
	base, before := t.base(dim, r)
	name := v.Name + "_from"
	if before {
		t.from[0] = t.bound(name, r.Lo)
		name += "_block"
		iv.Lo -= per - 1
	}
	from := t.scalarOrConst(name, base, iv)
	t.startAt(dim, v, r, from, i32(per), iv)
	blocks := div(add(sub(t.plan.hostExpr(r.Hi), base), i64(per-1)), i64(per))
	if t.shared != nil {
		return mul(blocks, i64(int64(t.shared[dim])))
	}
	return blocks
}

// base is where the first block begins, a host value, and whether that may be before the iteration does.
func (t *strip) base(dim int, r hast.Range) (base kir.Expr, before bool) {
	lo, per := t.plan.hostExpr(r.Lo), int64(t.item[dim])
	if c, ok := constInt(lo); dim == 0 && (!ok || c%per != 0) {
		return sub(lo, opExpr(i64T, ops.Mod, []kir.Expr{lo, i64(per)}, true)), true
	}
	return lo, false
}

// startAt declares the first instance of an item, each of which has per of them from the first one on.
func (t *strip) startAt(dim int, v *hast.Var, r hast.Range, from, per kir.Expr, iv interval.Interval) {
	number := t.itemID(dim)
	if t.shared != nil {
		number = t.groupID(dim)
	}
	index := opExpr(i32T, ops.Mul, []kir.Expr{number, per}, true)
	x := t.body.declare(v.Name+"0", i32T, false, opExpr(i32T, ops.Add, []kir.Expr{from, index}, true))
	t.body.bounds[x] = iv
	t.first[dim], t.end[dim] = ref(x), t.bound(v.Name+"_to", r.Hi)
}

// startStrip is start for the rows of a long strip, of as many rows as the host says: fewer than decided where there would be fewer
// groups than wanted, but so that there are not more either, for the last of them would run alone; and not fewer rows than are begun
// before the first sum is complete.
func (t *strip) startStrip(v *hast.Var, r hast.Range) (items kir.Expr) {
	d := t.decided
	groupRows := max(1, d.Tile[1]) / t.tall
	count, across := t.count(r), t.rangeOf(t.what.X)
	groups := div(add(t.count(across), i64(int64(d.Tile[0])-1)), i64(int64(d.Tile[0])))
	down := opExpr(i64T, ops.Max, []kir.Expr{div(i64(int64(d.Rolled)), opExpr(i64T, ops.Max, []kir.Expr{groups, i64(1)}, true)), i64(1)}, true)
	strips := mul(down, i64(int64(groupRows)))
	rows := div(add(count, sub(strips, i64(1))), strips)
	rows = opExpr(i64T, ops.Max, []kir.Expr{rows, i64(int64(max(1, t.behind)))}, true)
	rows = opExpr(i64T, ops.Min, []kir.Expr{rows, i64(int64(t.tall))}, true)
	t.length = t.scalar("strip", i32T, rows, interval.Between(1, int64(t.tall)))
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	iv := loopInterval(t.plan.hostInterval(r.Lo).Meet(limits), t.plan.hostInterval(r.Hi).Meet(limits), 1)
	t.startAt(1, v, r, t.scalarOrConst(v.Name+"_from", t.plan.hostExpr(r.Lo), iv), t.length, iv)
	return div(add(count, sub(rows, i64(1))), rows)
}

// compute runs the body for each instance of the block.
func (t *strip) compute() {
	if t.quads != nil {
		t.quads.compute()
		return
	}
	t.eachInstance(func() { t.instance(t.stage) }, func() { t.reduceRow(t.at[1], t.fast) })
}

// eachInstance runs f for the instances of the block, and behind those of a row what is to be done with it.
func (t *strip) eachInstance(f, row func()) {
	b := t.body
	if t.flat {
		t.rounds(0, "u", f)
		return
	}
	t.rounds(1, "v", func() {
		b.when(t.place(1), func() {
			t.rounds(0, "u", func() { b.when(t.place(0), f) })
		})
		row()
	})
}

// rounds runs f in a loop over the block's instances on dimension dim.
func (t *strip) rounds(dim int, name string, f func()) {
	at := func(i kir.Expr) {
		if t.at[dim] = i; dim == 0 && t.origin != nil {
			t.at[0], t.to[0] = t.body.op(i32T, ops.Add, t.origin, i), i
		}
	}
	t.body.unrolled(name, t.item[dim], func(i kir.Expr) {
		at(i)
		f()
		at(i32(0))
	})
}

// column is the instance's column in its block.
func (t *strip) column() kir.Expr {
	if t.origin != nil {
		return t.to[0]
	}
	return t.at[0]
}

// unrolled runs f in a loop over 0..n-1 that the target's compiler writes out.
func (b *body) unrolled(name string, n int, f func(i kir.Expr)) {
	if n == 1 {
		f(i32(0))
		return
	}
	v := b.loopVar(name, interval.Between(0, int64(n)-1))
	stmts := b.inside(false, func() { f(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(n)), Step: 1, Rounds: b.rounds, Body: stmts})
}

// place declares the iteration variable of dimension dim. Where a block overhangs the iteration, its instances outside are not
// run if that would do harm, which the condition returned says; else they repeat the last one and nothing of them is kept. The latter stays where a block is
// whole: nvcc loads for several instances at once without it, and spilled for nl_means (69 ms on an H100, where OpenCL takes 33).
func (t *strip) place(dim int) (inside kir.Expr) {
	if dim == 1 && t.what.Y == nil {
		return nil
	}
	b := t.body
	v := [2]*hast.Var{t.what.X, t.what.Y}[dim]
	if dim == 1 && t.y != nil {
		b.vars[v] = t.y
		return nil
	}
	at := t.at[dim]
	if dim == 0 {
		at = t.column()
	}
	i := b.op(i32T, ops.Add, t.first[dim], at)
	overhangs := t.item[dim] > 1 || t.origin != nil
	switch {
	case t.fast && t.isScaled() && !t.overhangs(dim), t.what.Once && t.fast && dim == 0 && t.endsInside():
	case t.what.Once && dim == 0 && t.within, t.what.Once && dim == 1 && t.interior:
	case t.what.Once && overhangs:
		i = b.once(v.Name, i)
		inside = b.op(boolType, ops.Lt, i, t.end[dim])
		if t.from[dim] != nil {
			inside = b.and(b.op(boolType, ops.Ge, i, t.from[dim]), inside)
		}
	case t.origin != nil && t.from[dim] == nil:
		i = b.op(i32T, ops.Clamp, i, i32(0), b.op(i32T, ops.Sub, t.end[dim], i32(1)))
	case t.from[dim] != nil:
		i = b.op(i32T, ops.Clamp, i, t.from[dim], b.op(i32T, ops.Sub, t.end[dim], i32(1)))
	case overhangs:
		i = b.op(i32T, ops.Min, i, b.op(i32T, ops.Sub, t.end[dim], i32(1)))
	}
	b.vars[v] = t.coordinate(dim, i)
	return inside
}

// endsInside reports whether whole blocks end inside of the iteration.
func (t *strip) endsInside() bool {
	return t.origin == nil && (len(t.outputs) > 0 || t.turn != nil || t.covered())
}

// coordinate declares the iteration variable of dimension dim with a value that lies in the iteration.
func (t *strip) coordinate(dim int, i kir.Expr) kir.Expr {
	b := t.body
	v := [2]*hast.Var{t.what.X, t.what.Y}[dim]
	r := t.rangeOf(v)
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	x := b.declare(v.Name, i32T, false, i)
	b.bounds[x] = loopInterval(t.plan.hostInterval(r.Lo).Meet(limits), t.plan.hostInterval(r.Hi).Meet(limits), 1)
	b.limits[x] = t.end[dim]
	return ref(x)
}

func (t *strip) rangeOf(v *hast.Var) hast.Range {
	for i, w := range t.stage.Space.Vars {
		if w == v {
			return t.stage.Space.Ranges[i]
		}
	}
	panic("lower: a variable of another stage")
}

// scope knows what the coordinates of the body stand for at the place where lowering is: variables of reductions that are
// written out are constants.
func (t *strip) scope() *block.Scope {
	return &block.Scope{Iterators: t.what.Scope.Iterators, Lets: t.what.Scope.Lets, Divided: t.what.Scope.Divided, Planes: t.what.Scope.Planes, Near: t.what.Scope.Near, Range: func(v *hast.Var) (int64, int64, bool) {
		c, ok := constInt(t.body.vars[v])
		return c, c, ok
	}}
}

// sides are how many components of a pixel are computed like instances side by side, which places within the block count then; else it is 1.
func (t *strip) sides() int { return max(1, t.side) }

// element is the place in a tile of component c at position p of the instance.
func (t *strip) element(a *tile, p block.Place, lead, c int) []kir.Expr {
	b := t.body
	row := t.rowIn(a, p)
	switch {
	case p.X.Periodic:
		col := b.op(i32T, ops.Mul, t.phase(p.Of[0]), i32(int64(a.per/t.sides())))
		return []kir.Expr{row, b.op(i32T, ops.Add, col, i32(int64(lead+c)))}
	case p.X.Div == 0:
		col := b.op(i32T, ops.Mul, t.at[0], i32(int64(p.X.Stride*a.per/t.sides())))
		return []kir.Expr{row, b.op(i32T, ops.Add, col, i32(int64(lead+p.X.Lo*a.per+c)))}
	}
	left := min(0, a.X.First())
	col := b.op(i32T, ops.Mul, t.offset(p.X, t.at[0], left), i32(int64(a.per)))
	return []kir.Expr{row, b.op(i32T, ops.Add, col, i32(int64(lead+left*a.per+c)))}
}

// rowIn is the row of a tile that an instance reads.
func (t *strip) rowIn(a *tile, p block.Place) kir.Expr {
	if p.Y.Periodic {
		return t.body.op(i32T, ops.Sub, t.phase(p.Of[1]), i32(int64(a.Y.First())))
	}
	return t.offset(p.Y, t.at[1], a.Y.First())
}

// offset is the one place of a span, of instance at of the block, from place first on.
func (t *strip) offset(s block.Span, at kir.Expr, first int) kir.Expr {
	b := t.body
	x := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, at, i32(int64(s.Stride))), i32(int64(s.Lo-s.By()*first)))
	return b.op(i32T, ops.Div, x, i32(int64(s.By())))
}

// declare makes the arrays of the tiles.
func (t *strip) declare() {
	t.fetch(t.declareWindow)
	t.declareOutputs()
}

func (t *strip) declareOutputs() {
	for _, o := range t.outputs {
		t.array(&o.tile, o.Image.Name+"_new")
	}
}

func (t *strip) declareWindow(w *window) { t.array(&w.tile, w.Image.Name+"_tile") }

// array declares the array of a tile.
func (t *strip) array(a *tile, name string) {
	elem, cols := types.Scalar(a.buf.elem.Kind), a.cols
	if a.packed {
		elem, cols = u32T, cols/4
	}
	a.array = t.body.declare(name, elem.Array(a.rows, cols), true, nil)
}

// run is the largest number of components that one access moves, of those that divide n.
func (t *strip) run(k types.Kind, n int) int {
	c := max(1, t.decided.Vector/k.Bytes())
	for n%c != 0 {
		c /= 2
	}
	return c
}

// channel is the first component of the pixel that subscripts name; false where that is not known.
func channelOf(scope *block.Scope, m *hast.Image, x hast.Expr) (int, bool) {
	l, ok := scope.Linear(x)
	if !ok || l.Var != nil || !l.Single() {
		return 0, false
	}
	return int(l.Lo-m.First(m.Rank()-1)) * int(m.Elem.Lanes), true
}
