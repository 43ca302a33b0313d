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

// An inner is the innermost loop of some reductions over the same ranges.
type inner struct {
	*paneled
	loop     *block.PanelLoop
	reducers map[*hast.Reduce][]reducer
	lo, hi   kir.Expr
	iv       interval.Interval // of the loop's variable
	staged   []*panel
	aligned  kir.Expr        // whether all vectors of panels that pack lie at multiples of what they take; nil where none packs
	before   []operandValues // of operands that are the same in each step
	slid     func(u, v int)  // gives what slides to an instance; nil where nothing does
}

// operandValues are those of an operand for the instances of the item along its axis.
type operandValues struct {
	of     *block.Operand
	values []kir.Expr
}

// fixed computes what is the same in each step.
func (i *inner) fixed() {
	for _, o := range i.loop.Operands {
		if !o.Steps {
			i.before = append(i.before, i.load(o))
		}
	}
}

// instancesAlong is for how many instances of the item an operand differs.
func (p *paneled) instancesAlong(o *block.Operand) int {
	if o.Along < 0 {
		return 1
	}
	return p.item[o.Along]
}

// load computes an operand for the instances of the item.
func (i *inner) load(o *block.Operand) operandValues {
	out := operandValues{of: o}
	for k := range i.instancesAlong(o) {
		if o.Along >= 0 {
			i.body.vars[i.variable(o.Along)] = i.at[o.Along][k]
		}
		out.values = append(out.values, i.body.once("operand", i.body.expr(o.Of)))
	}
	return out
}

// step has the loop's variables be at a step.
func (i *inner) step(at kir.Expr) {
	i.body.vars[i.loop.Inner()] = at
	i.name(i.loop, len(i.loop.Space.Vars)-1)
}

// loads computes all operands at a step that are not in panels.
func (i *inner) loads() (list []operandValues) {
	for _, o := range i.loop.Operands {
		if o.Steps && i.of[o] == nil {
			list = append(list, i.load(o))
		}
	}
	return list
}

// take has each instance take its step, with the values of operands.
func (i *inner) take(values []operandValues) {
	all := append(append([]operandValues{}, i.before...), values...)
	for _, sum := range i.loop.Sums {
		choice := i.loop.Alike(sum)
		if choice == nil {
			i.takeOf(sum, sum.Elem, all)
			continue
		}
		i.body.either(valueOf(i.loop.SharedBy(choice.Cond), all), func() { i.takeOf(sum, choice.Then, all) }, func() { i.takeOf(sum, choice.Else, all) })
	}
	clear(i.body.given)
}

// valueOf is the value of an operand that all instances share.
func valueOf(o *block.Operand, all []operandValues) kir.Expr {
	i := slices.IndexFunc(all, func(x operandValues) bool { return x.of == o })
	return all[i].values[0]
}

// takeOf has a sum of each instance take in a value.
func (i *inner) takeOf(sum *block.PanelSum, elem hast.Expr, all []operandValues) {
	for v := range i.item[1] {
		for u := range i.item[0] {
			i.stand(u, v)
			for _, x := range all {
				for _, e := range x.of.All {
					i.body.given[e] = x.values[[3]int{0, u, v}[x.of.Along+1]]
				}
			}
			if i.slid != nil {
				i.slid(u, v)
			}
			i.reducers[sum.Of][v*i.item[0]+u].step(i.body.expr(elem))
		}
	}
}

// fromMemory goes through the loop with what items load for themselves: some steps at a time, of which all loads come first, then the steps that are left.
func (i *inner) fromMemory() {
	b, n := i.body, int64(i.decided.Panels)
	rest := i.lo
	if n > 1 {
		count := exactly(ops.Sub, i.hi, i.lo)
		rest = b.once("rest", b.op(i32T, ops.Sub, i.hi, b.op(i32T, ops.Rem, count, i32(n))))
		i.rounds("first", i.lo, rest, n, func(at kir.Expr) {
			var values [][]operandValues
			var places []kir.Expr
			for k := range n {
				places = append(places, b.once("at", exactly(ops.Add, at, i32(k))))
				i.step(places[k])
				values = append(values, i.loads())
			}
			for k := range n {
				i.step(places[k])
				i.take(values[k])
			}
		})
	}
	i.rounds("last", rest, i.hi, 1, func(at kir.Expr) {
		i.step(at)
		i.take(i.loads())
	})
}

// rounds is a loop over steps.
func (i *inner) rounds(name string, lo, hi kir.Expr, step int64, f func(at kir.Expr)) {
	b := i.body
	v := b.loopVar(name, i.iv)
	b.loops++
	stmts := b.inside(false, func() { f(ref(v)) })
	b.loops--
	rounds := kir.Looped
	if step == 1 && i.decided.Panels > 1 {
		rounds = kir.AnyForm
	}
	past := interval.Between(i.iv.Lo, i.iv.Hi+step)
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: lo, Hi: hi, Step: step, Rounds: rounds, Body: stmts, Exact: past.Within(interval.OfKind(types.I32))})
}

// fromPanels goes through the loop with panels, of two of which one is in use and the other one is made.
func (i *inner) fromPanels() {
	b, n := i.body, int64(i.decided.Panels)
	if i.copiesAny() {
		i.fromCopies()
		return
	}
	turn := b.declare("turn", i32T, true, i32(0))
	b.bounds[turn] = interval.Between(0, 1)
	i.put(i32(0), i.fetch(i.lo))
	b.together(i.decided.GroupItems())
	i.rounds("first", i.lo, i.hi, n, func(at kir.Expr) {
		next := b.once("next", exactly(ops.Add, at, i32(n)))
		coming := i.fetch(next)
		b.either(b.op(boolType, ops.Le, next, i.hi), func() {
			i.steps(at, ref(turn), i32(n), kir.WrittenOut)
		}, func() {
			i.steps(at, ref(turn), b.once("left", exactly(ops.Sub, i.hi, at)), kir.Looped)
		})
		other := b.once("other", exactly(ops.Sub, i32(1), ref(turn)))
		i.put(other, coming)
		b.together(i.decided.GroupItems())
		b.emit(&kir.Assign{Placed: b.placed(), Var: turn, Value: other})
	})
}

// isWhole is the condition that all of the tile lies in the iteration: places that panels have need not be looked at one by one then, and neighbours have one address.
func (p *paneled) isWhole() (cond kir.Expr) {
	b := p.body
	for dim := range p.tile {
		if p.variable(dim) == nil {
			continue
		}
		first := p.grid.first[dim]
		cond = b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, first, i32(int64(p.tile[dim]))), p.grid.end[dim]))
		if p.grid.from[dim] != nil {
			cond = b.and(cond, b.op(boolType, ops.Ge, first, p.grid.from[dim]))
		}
	}
	return cond
}

// fetch loads what panels that are not copied are to have of the steps from one on: behind the last one, that again, which nobody takes.
func (i *inner) fetch(from kir.Expr) (values [][]kir.Expr) {
	for _, x := range i.staged {
		var list []kir.Expr
		if !x.copied {
			for k := range i.vectors(x) {
				list = append(list, i.fetchVector(x, from, k))
			}
		}
		values = append(values, list)
	}
	return values
}

// vectors is how many of a panel an item loads.
func (i *inner) vectors(x *panel) int {
	return i.decided.Panels * (x.wide - 1) / i.decided.GroupItems()
}

// place is the step and the vector of its line that an item loads as its k-th one. Neighbours load what lies side by side in memory.
func (i *inner) place(x *panel, k int) (step, column kir.Expr) {
	b := i.body
	number := exactly(ops.Add, i.number, i32(int64(k*i.decided.GroupItems())))
	per := int64(x.wide - 1)
	if x.Runs {
		per = int64(i.decided.Panels)
	}
	long, short := b.once("long", b.op(i32T, ops.Div, number, i32(per))), b.once("short", b.op(i32T, ops.Rem, number, i32(per)))
	if x.Runs {
		return short, long
	}
	return long, short
}

// fetchVector loads a vector of a panel.
func (i *inner) fetchVector(x *panel, from kir.Expr, k int) kir.Expr {
	b := i.body
	step, column := i.place(x, k)
	last := b.op(i32T, ops.Sub, i.hi, i32(1))
	i.step(i.clamped(b.op(i32T, ops.Min, exactly(ops.Add, from, step), last)))
	parts := make([]kir.Expr, x.lanes)
	for c := range parts {
		at := exactly(ops.Add, exactly(ops.Mul, column, i32(int64(x.lanes))), i32(int64(c)))
		b.vars[i.variable(x.Along)] = i.within(x.Along, b.op(i32T, ops.Add, i.grid.first[x.Along], at))
		parts[c] = b.once("loaded", b.expr(x.Of))
	}
	if x.lanes == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: x.array.Type.Elem()}, Parts: parts}
}

// clamped names a step that the loop has.
func (i *inner) clamped(e kir.Expr) kir.Expr {
	v := i.body.declare("step", i32T, false, e)
	i.body.bounds[v] = i.iv
	i.body.limits[v] = i.hi
	return ref(v)
}

// put stores what has been loaded to one of the two panels of each operand.
func (i *inner) put(turn kir.Expr, values [][]kir.Expr) {
	b := i.body
	for n, x := range i.staged {
		for k, value := range values[n] {
			step, column := i.place(x, k)
			b.emit(&kir.Assign{Placed: b.placed(), Var: x.array, Index: []kir.Expr{turn, step, column}, Value: value})
		}
	}
}

// steps takes so many steps of a panel, whose first one is that at a place.
func (i *inner) steps(at, turn, count kir.Expr, rounds kir.Rounds) {
	b := i.body
	v := b.loopVar("q", interval.Between(0, int64(i.decided.Panels)-1))
	stmts := b.inside(false, func() {
		i.step(i.clamped(exactly(ops.Add, at, ref(v))))
		values := i.loads()
		for _, x := range i.staged {
			values = append(values, i.fromPanel(x, turn, ref(v)))
		}
		i.take(values)
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: count, Step: 1, Rounds: rounds, Body: stmts, Exact: true})
}

// fromPanel reads an operand of the item's instances at a step of a panel.
func (i *inner) fromPanel(x *panel, turn, step kir.Expr) operandValues {
	b, run := i.body, i.run[x.Along]
	out := operandValues{of: x.Operand}
	for k := 0; k < i.item[x.Along]; k += x.lanes {
		first := exactly(ops.Add, exactly(ops.Mul, i.lane[x.Along], i32(int64(run/x.lanes))), i32(int64((k/run*run*i.size[x.Along]+k%run)/x.lanes)))
		vector := b.once("shared", i.vectorOf(x, turn, step, first))
		for c := range x.lanes {
			out.values = append(out.values, b.lane(vector, c))
		}
	}
	return out
}

// vectorOf is a vector of a line.
func (i *inner) vectorOf(x *panel, turn, line, number kir.Expr) kir.Expr {
	if x.copied && x.lanes > 1 {
		t := x.array.Type.Elem().WithLanes(x.lanes)
		return &kir.Elem{Typed: kir.Typed{T: t}, Var: x.array, Index: []kir.Expr{turn, line, exactly(ops.Mul, number, i32(int64(x.lanes)))}}
	}
	return i.body.elemOf(x.array, []kir.Expr{turn, line, number})
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
