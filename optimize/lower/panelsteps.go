package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// How the items of panels.go go through the innermost loop, step by step: what of the operands they load for each, from memory or from panels that their group loads to local memory, and how instances take it.

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
