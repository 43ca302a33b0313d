package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Blocks of instances that go through loops together (block.Panels): a work-item has an accumulator for each instance of its block, reads what rows and columns of
// them share once, and takes each instance one step further before the next step. Instances beyond the end of the iteration go along at the place of the last one, so
// that items need not part, and are not there when the rest of the body is computed.
//
// With local, the items of a group load what all of them share into panels in local memory, of some steps at a time: while they compute from one panel, what the
// next one is to have is on its way, in registers. A panel has a line for each step, in which the instances' values lie side by side, as vectors. Where a device
// copies to local memory (panelcopies.go), no registers are between.

// A paneled is a stage whose items compute such blocks.
type paneled struct {
	*kernelBuilder
	stage  *hast.Stage
	what   *block.Panels
	grid   *strip
	tile   [2]int
	item   [2]int
	size   [2]int        // items of a group, in x and y
	run    [2]int        // neighbours among the instances of an item, in x and y: those that one access of local memory has
	lane   [2]kir.Expr   // of the item
	number kir.Expr      // of the item in its group
	at     [2][]kir.Expr // the coordinates of the item's instances, at places of the iteration
	beside [2][]kir.Expr // the same, which may lie outside
	panels []*panel      // in local memory; none without local
	decls  []kir.Stmt    // of these
	whole  bool          // all of the tile lies in the iteration
	of     map[*block.Operand]*panel
}

// A panel is what a group has of an operand in local memory: two times some steps, the one that is in use and the one that comes next.
type panel struct {
	*block.Operand
	array  *kir.Var
	lanes  int  // of its vectors
	wide   int  // vectors of a line
	copied bool // it comes from memory as it is
	packs  bool // of one that is copied: vectors of it lie side by side in memory
}

// refusePanels says why items of a stage cannot compute blocks of instances that go through loops together, as the end of a sentence; "" where they can.
func (r *request) refusePanels() string {
	d := r.d
	alone := d
	alone.Place, alone.Panels, alone.Tile, alone.Item, alone.Unroll, alone.Resident, alone.Local = 0, 0, [2]int{}, [2]int{}, 0, 0, 0
	item := r.full.Item[0] * max(1, r.full.Item[1])
	size := r.full.GroupItems()
	switch {
	case alone != (schedule.Decisions{}) || d.Local > schedule.Shared:
		return "panels leaves nothing to other decisions than tile, item, local, unroll and resident"
	case d.Item[0] == 0 || d.Tile[0] == 0:
		return "panels stands with tile and item"
	case size > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", size, maxGroup)
	case item > maxBlock:
		return fmt.Sprintf("its work-items compute %d instances, and the code for more than %d is not written out", item, maxBlock)
	}
	what, why := block.AnalyzePanels(r.stage, r.full.Unroll)
	if why != "" || d.Local == 0 {
		return why
	}
	return refuseStaged(r.stage, what, r.full, max(r.local, EveryLocal))
}

// refuseStaged says why panels cannot be in local memory, of which a group has so much.
func refuseStaged(s *hast.Stage, what *block.Panels, d schedule.Decisions, most int) string {
	p := newPaneled(&kernelBuilder{decided: d}, s, what)
	bytes := 0
	for _, x := range p.panels {
		if n := d.Panels * (x.wide - 1); n%d.GroupItems() != 0 {
			return fmt.Sprintf("a panel of %d vectors is not shared out equally by %d work-items", n, d.GroupItems())
		}
		bytes += kir.LocalBytes(x.array.Type)
	}
	switch {
	case len(p.panels) == 0:
		return "its loops read nothing that panels in local memory may have"
	case bytes > most:
		return fmt.Sprintf("its panels take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// newPaneled decides how instances are dealt out, and which panels there are.
func newPaneled(k *kernelBuilder, s *hast.Stage, what *block.Panels) *paneled {
	d := k.decided
	p := &paneled{kernelBuilder: k, stage: s, what: what, run: [2]int{1, 1}, of: map[*block.Operand]*panel{}}
	p.tile, p.item = [2]int{d.Tile[0], max(1, d.Tile[1])}, [2]int{d.Item[0], max(1, d.Item[1])}
	p.size = [2]int{p.tile[0] / p.item[0], p.tile[1] / p.item[1]}
	if p.slides() { // what instances read lies side by side then, and what they write
		p.run = p.item
	}
	if d.Local == 0 {
		return p
	}
	for dim, n := range p.item {
		for p.run[dim] < 4 && n%(2*p.run[dim]) == 0 {
			p.run[dim] *= 2
		}
	}
	for _, l := range what.Loops {
		for _, o := range l.Operands {
			if o.Staged() {
				p.addPanel(o)
			}
		}
	}
	return p
}

// addPanel makes the panel of an operand. Its lines are a vector longer than what they hold, so that neighbours in a column lie in different banks.
func (p *paneled) addPanel(o *block.Operand) {
	x := &panel{Operand: o, lanes: p.run[o.Along]}
	kind := o.Of.Type().Kind
	for x.lanes*kind.Bytes() > kir.RunBytes {
		x.lanes /= 2
	}
	x.wide = p.tile[o.Along]/x.lanes + 1
	elem, long := types.Scalar(kind).WithLanes(x.lanes), x.wide
	if x.copied = p.plan != nil && p.plan.opts.Copies && o.Copied(); x.copied { // pixels find their places one by one
		elem, long = types.Scalar(kind), x.wide*x.lanes
	}
	x.array = &kir.Var{Name: "panel", Type: elem.Array(2, p.decided.Panels, long), Space: kir.Local}
	if l := block.FirstLoad(o.Of); l != nil {
		x.array.Name = l.Image.Name + "_panel"
	}
	p.panels, p.of[o] = append(p.panels, x), x
	p.decls = append(p.decls, &kir.Decl{Var: x.array})
}

// inPanels lowers a stage whose items compute such blocks.
func (k *kernelBuilder) inPanels(s *hast.Stage) *kir.Launch {
	what, _ := block.AnalyzePanels(s, k.decided.Unroll)
	p := newPaneled(k, s, what)
	p.grid = &strip{kernelBuilder: k, stage: s, what: &block.Stage{X: what.X, Y: what.Y}, item: p.tile, at: [2]kir.Expr{i32(0), i32(0)}, shared: &p.size}
	k.blocks = p.grid
	items := p.grid.grid()
	k.blocks = nil
	k.body.rounds = kir.AnyForm
	p.lane = p.body.lanes(p.size)
	p.number = p.body.once("item", exactly(ops.Add, p.lane[0], exactly(ops.Mul, p.lane[1], i32(int64(p.size[0])))))
	if p.needsPlaces() || p.slides() {
		p.places()
	}
	if p.slides() {
		p.inWindows()
		return k.finish(s.Name, shape{items: items, group: [3]int{p.size[0], p.size[1], 1}})
	}
	reducers := make([]map[*hast.Reduce][]reducer, len(what.Loops))
	for i, l := range what.Loops {
		reducers[i] = p.together(l)
	}
	if p.at[0] == nil { // only now, so that loops have more registers
		p.places()
	}
	p.rest(reducers)
	return k.finish(s.Name, shape{items: items, group: [3]int{p.size[0], p.size[1], 1}, shared: p.decls})
}

// places finds the coordinates of the item's instances.
func (p *paneled) places() {
	b := p.body
	for dim := range p.item {
		if p.variable(dim) == nil {
			p.at[dim], p.beside[dim] = []kir.Expr{nil}, []kir.Expr{nil}
			continue
		}
		for i := range p.item[dim] {
			run := p.run[dim]
			before := exactly(ops.Mul, p.lane[dim], i32(int64(run)))
			place := b.op(i32T, ops.Add, p.grid.first[dim], exactly(ops.Add, before, i32(int64(i/run*run*p.size[dim]+i%run))))
			place = b.once(p.variable(dim).Name+"_beside", place)
			p.beside[dim] = append(p.beside[dim], place)
			p.at[dim] = append(p.at[dim], p.within(dim, place))
		}
	}
}

// variable is that of the stage in x or y.
func (p *paneled) variable(dim int) *hast.Var { return [2]*hast.Var{p.what.X, p.what.Y}[dim] }

// within is a coordinate, or that of the nearest instance there is.
func (p *paneled) within(dim int, place kir.Expr) kir.Expr {
	if p.whole {
		return p.grid.coordinate(dim, place)
	}
	b, last := p.body, p.body.op(i32T, ops.Sub, p.grid.end[dim], i32(1))
	if p.grid.from[dim] != nil {
		return p.grid.coordinate(dim, b.op(i32T, ops.Clamp, place, p.grid.from[dim], last))
	}
	return p.grid.coordinate(dim, b.op(i32T, ops.Min, place, last))
}

// together takes all instances of the item through a loop.
func (p *paneled) together(l *block.PanelLoop) map[*hast.Reduce][]reducer {
	return p.through(l, func(all map[*hast.Reduce][]reducer) { p.newInner(l, all).goThrough() })
}

// through takes all instances of the item through a loop, of which inner is the innermost one.
func (p *paneled) through(l *block.PanelLoop, inner func(all map[*hast.Reduce][]reducer)) map[*hast.Reduce][]reducer {
	b := p.body
	all := map[*hast.Reduce][]reducer{}
	for _, sum := range l.Sums {
		for v := range p.item[1] {
			for u := range p.item[0] {
				p.stand(u, v)
				r := p.reducerOf(sum.Of)
				r.begin()
				all[sum.Of] = append(all[sum.Of], r)
			}
		}
	}
	last := len(l.Space.Vars) - 1
	outer := hast.Space{Vars: l.Space.Vars[:last], Ranges: l.Space.Ranges[:last]}
	b.loop(outer, func() {
		for i := range outer.Vars {
			p.name(l, i)
		}
		defer b.giving()()
		inner(all)
	})
	return all
}

// reducerOf is how a reduction of an instance is carried out: the least or greatest of small integers in 32 bits, where items hold these so.
func (p *paneled) reducerOf(e *hast.Reduce) reducer {
	b, wide := p.body, unpacked(e.T)
	if wide == e.T || e.Op != hast.Min && e.Op != hast.Max || !p.slides() {
		return b.reducer(e, trips(e.Space))
	}
	again := *e
	again.T = wide
	r := b.accumulate(&accumulation{
		of: &again, name: e.Op.String(), trips: trips(e.Space),
		start: func() kir.Expr { return b.convert(wide, b.identity(e.Op, e.T), kir.Wrap) },
		apply: func(acc, elem kir.Expr) kir.Expr { return b.op(wide, foldOps[e.Op], acc, elem) },
	})
	step, end := r.step, r.end
	r.step = func(elem kir.Expr) { step(b.convert(wide, elem, kir.Wrap)) }
	r.end = func() kir.Expr { return b.convert(e.T, end(), kir.Wrap) }
	return r
}

// name has a variable of all reductions of a loop be that of the first one.
func (p *paneled) name(l *block.PanelLoop, i int) {
	for _, sum := range l.Sums[1:] {
		p.body.vars[sum.Of.Space.Vars[i]] = p.body.vars[l.Space.Vars[i]]
	}
}

// newInner begins the innermost loop.
func (p *paneled) newInner(l *block.PanelLoop, all map[*hast.Reduce][]reducer) *inner {
	b := p.body
	r := l.Space.Ranges[len(l.Space.Ranges)-1]
	i := &inner{paneled: p, loop: l, reducers: all, lo: b.expr(r.Lo), hi: b.expr(r.Hi)}
	i.lo, i.hi = b.once("from", i.lo), b.once("to", i.hi)
	i.iv = loopInterval(rangeOf(i.lo, b.bounds), rangeOf(i.hi, b.bounds), 1)
	for _, o := range l.Operands {
		if x := p.of[o]; x != nil {
			i.staged = append(i.staged, x)
		}
	}
	return i
}

// goThrough goes through the loop.
func (i *inner) goThrough() {
	b := i.body
	some := b.inside(false, func() {
		i.fixed()
		if len(i.staged) > 0 {
			i.findPacks()
			b.either(i.isWhole(), func() {
				i.whole = true
				i.fromPanels()
				i.whole = false
			}, i.fromPanels)
		} else {
			i.fromMemory()
		}
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: b.and(b.op(boolType, ops.Lt, i.lo, i.hi), i.exist()), Then: some})
}

// exist is the condition that there are instances at all, without which the nearest one is none; nil where there always are.
func (p *paneled) exist() (cond kir.Expr) {
	b := p.body
	for dim := range p.grid.end {
		if p.variable(dim) == nil {
			continue
		}
		from, end := p.grid.from[dim], p.grid.end[dim]
		if from == nil {
			from = i32(0)
		}
		if first, behind := rangeOf(from, b.bounds), rangeOf(end, b.bounds); first.Hi >= behind.Lo {
			cond = b.and(cond, b.op(boolType, ops.Lt, from, end))
		}
	}
	return cond
}

// giving lets values be given, until the function that it returns is called.
func (b *body) giving() func() {
	was := b.given
	b.given = map[hast.Expr]kir.Expr{}
	return func() { b.given = was }
}

// needsPlaces reports whether loops do anything at the coordinates of instances that panels have not done.
func (p *paneled) needsPlaces() (needs bool) {
	for _, l := range p.what.Loops {
		staged := map[hast.Expr]bool{}
		for _, o := range l.Operands {
			needs = needs || p.of[o] == nil && o.Along >= 0
			for _, e := range o.All {
				staged[e] = true
			}
		}
		for _, sum := range l.Sums {
			needs = needs || sum.Of.Op == hast.Fold || p.names(sum.Elem, staged)
		}
	}
	return needs
}

// names reports whether an expression names x or y where it is none of some parts.
func (p *paneled) names(e hast.Expr, but map[hast.Expr]bool) (found bool) {
	if but[e] {
		return false
	}
	if r, ok := e.(*hast.Ref); ok {
		return r.Var == p.what.X || r.Var == p.what.Y
	}
	hast.EachOperand(e, func(x hast.Expr) { found = found || p.names(x, but) })
	return found
}

// stand has the body be at an instance of the item.
func (p *paneled) stand(u, v int) {
	if p.at[0] == nil { // where nothing asks
		return
	}
	p.body.vars[p.what.X] = p.at[0][u]
	if p.what.Y != nil {
		p.body.vars[p.what.Y] = p.at[1][v]
	}
}

// rest computes the body of the item's instances, whose reductions are known.
func (p *paneled) rest(reducers []map[*hast.Reduce][]reducer) {
	b := p.body
	p.total()
	for v := range p.item[1] {
		b.when(p.inside(1, v), func() {
			for u := range p.item[0] {
				b.when(p.inside(0, u), func() { p.finished(u, v, reducers) })
			}
		})
	}
	clear(b.totals)
}

// total lets reductions have results.
func (p *paneled) total() {
	if p.body.totals == nil {
		p.body.totals = map[*hast.Reduce]kir.Expr{}
	}
}

// finished computes the body of an instance of the item.
func (p *paneled) finished(u, v int, reducers []map[*hast.Reduce][]reducer) {
	p.stand(u, v)
	for i, l := range p.what.Loops {
		for _, sum := range l.Sums {
			p.body.totals[sum.Of] = reducers[i][sum.Of][v*p.item[0]+u].end()
		}
	}
	p.instance(p.stage)
}

// inside is the condition that an instance is one of the iteration; nil where it always is.
func (p *paneled) inside(dim, i int) (cond kir.Expr) {
	if p.variable(dim) == nil {
		return nil
	}
	b := p.body
	cond = b.op(boolType, ops.Lt, p.beside[dim][i], p.grid.end[dim])
	if p.grid.from[dim] != nil {
		cond = b.and(b.op(boolType, ops.Ge, p.beside[dim][i], p.grid.from[dim]), cond)
	}
	return cond
}
