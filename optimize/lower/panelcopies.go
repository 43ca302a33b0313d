package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
)

// Where a device copies from memory to local memory by itself (kir.Assign), panels of pixels of 32 and 64 bits as they are in images are made so: registers that
// would hold what is on its way are left to accumulators. What has instances side by side in memory is copied by vectors, where these lie at multiples of what they take;
// all else pixel by pixel, to where it belongs. A tile that lies in the iteration copies steps that all are there without looking at each place.

// fromCopies is fromPanels where some panels are copied. The steps that are left are taken behind the loop.
func (i *inner) fromCopies() {
	b, n := i.body, int64(i.decided.Panels)
	turn := b.declare("turn", i32T, true, i32(0))
	b.bounds[turn] = interval.Between(0, 1)
	meet := func() { b.emit(&kir.Barrier{Placed: b.placed(), Copied: true}) }
	i.copyAll(i.lo, i32(0))
	i.put(i32(0), i.fetch(i.lo))
	meet()
	rest := b.once("rest", b.op(i32T, ops.Sub, i.hi, b.op(i32T, ops.Rem, exactly(ops.Sub, i.hi, i.lo), i32(n))))
	i.rounds("first", i.lo, rest, n, func(at kir.Expr) {
		next := b.once("next", exactly(ops.Add, at, i32(n)))
		other := b.once("other", exactly(ops.Sub, i32(1), ref(turn)))
		i.copyAll(next, other)
		coming := i.fetch(next)
		i.steps(at, ref(turn), i32(n), kir.WrittenOut)
		i.put(other, coming)
		meet()
		b.emit(&kir.Assign{Placed: b.placed(), Var: turn, Value: other})
	})
	i.steps(rest, ref(turn), b.once("left", exactly(ops.Sub, i.hi, rest)), kir.Looped)
}

// findPacks finds the panels that are copied by vectors, and the condition that these lie at multiples of what they take. It is the same for all items, since only the numbers of
// lines and vectors differ between them.
func (i *inner) findPacks() {
	b := i.body
	var cond kir.Expr
	for _, x := range i.staged {
		buf := i.sideBySide(x)
		if buf == nil {
			continue
		}
		line, at := i.spot(x, i32(0), x.lanes)
		load, ok := i.pixelFor(x, i.lo, line, at, false).(*kir.Load)
		if x.packs = ok; !ok {
			continue
		}
		for _, n := range []kir.Expr{buf.pitch, load.Offset} {
			rest := opExpr(i64T, ops.And, []kir.Expr{n, i64(int64(x.lanes - 1))}, true)
			cond = b.and(cond, opExpr(boolType, ops.Eq, []kir.Expr{rest, i64(0)}, true))
		}
	}
	if i.aligned = nil; cond != nil {
		i.aligned = b.once("aligned", cond)
	}
}

// sideBySide is the buffer of an operand that is copied and has instances side by side in memory; nil for others.
func (i *inner) sideBySide(x *panel) *buffer {
	if !x.copied || x.Runs || x.lanes == 1 {
		return nil
	}
	l := x.Of.(*hast.Load)
	m, last, along := l.Image, l.Image.Rank()-1, i.variable(x.Along)
	buf := i.buffer(m, kir.Reads)
	own := []*hast.Var{i.what.X, i.loop.Inner()}
	if i.what.Y != nil {
		own = append(own, i.what.Y)
	}
	switch {
	case l.Rule != nil || m.View != nil || m.Of != nil || m.Ring || buf.origin != nil || buf.lineAxis != last-1 || buf.pitch == nil || buf.elem != buf.memory:
		return nil
	case !countsBy(l.Index[last].X, along, own):
		return nil
	}
	for _, c := range l.Index[:last] {
		if hast.Names(c.X, []*hast.Var{along}) {
			return nil
		}
	}
	return buf
}

// countsBy reports whether an expression is a variable, or the sum of that and of what none of some variables changes, of which it is one.
func countsBy(e hast.Expr, v *hast.Var, own []*hast.Var) bool {
	if r, ok := e.(*hast.Ref); ok {
		return r.Var == v
	}
	o, ok := e.(*hast.Op)
	if !ok || len(o.Args) != 2 || o.Op != ops.Add && o.Op != ops.Sub {
		return false
	}
	x, y := o.Args[0], o.Args[1]
	return countsBy(x, v, own) && !hast.Names(y, own) || o.Op == ops.Add && countsBy(y, v, own) && !hast.Names(x, own)
}

// bankedSteps are so many steps of a few instances each that the items of a subgroup copy, of what has steps side by side in memory: whole sectors of memory, and in local memory,
// where neighbours are lines apart that are a vector longer than what they hold, banks of their own.
const bankedSteps = 8

// spot is the step and the instance, counted from those of the panel, of what an item copies as its k-th so many pixels: neighbours copy what lies side by side in memory.
func (i *inner) spot(x *panel, k kir.Expr, pixels int) (step, column kir.Expr) {
	long := i.tile[x.Along]
	if !x.Runs {
		line, at := i.split(k, long/pixels)
		return line, exactly(ops.Mul, at, i32(int64(pixels)))
	}
	if i.decided.Panels%bankedSteps != 0 {
		column, step = i.split(k, i.decided.Panels)
		return step, column
	}
	instance, few := i.split(k, bankedSteps)
	rows := i.decided.GroupItems() / bankedSteps // of one copy of all items
	if k, known := constInt(k); known && long%rows == 0 {
		part := int(k) * rows / long
		return exactly(ops.Add, few, i32(int64(part*bankedSteps))), exactly(ops.Add, instance, i32(int64(-part*long)))
	}
	b := i.body
	step = exactly(ops.Add, few, exactly(ops.Mul, b.op(i32T, ops.Div, instance, i32(int64(long))), i32(bankedSteps)))
	return b.once("step", step), b.once("column", b.op(i32T, ops.Rem, instance, i32(int64(long))))
}

// split divides the number of the k-th copy of an item, of all that the group makes.
func (i *inner) split(k kir.Expr, n int) (quotient, rest kir.Expr) {
	b, items := i.body, i.decided.GroupItems()
	number, before := i.number, kir.Expr(i32(0))
	switch c, known := constInt(k); {
	case known && int(c)*items%n == 0:
		before = i32(c * int64(items) / int64(n))
	case items%n == 0:
		before = exactly(ops.Mul, k, i32(int64(items/n)))
	default:
		number = b.once("number", exactly(ops.Add, i.number, exactly(ops.Mul, k, i32(int64(items)))))
	}
	quotient = b.once("long", b.op(i32T, ops.Div, number, i32(int64(n))))
	return exactly(ops.Add, quotient, before), b.once("short", b.op(i32T, ops.Rem, number, i32(int64(n))))
}

// pixelFor is the pixel of an operand for a place of its panel, whose steps begin at one; beyond the last one, that again, unless all of them are there.
func (i *inner) pixelFor(x *panel, from, step, column kir.Expr, all bool) kir.Expr {
	b := i.body
	step = exactly(ops.Add, from, step)
	if !all {
		step = b.op(i32T, ops.Min, step, b.op(i32T, ops.Sub, i.hi, i32(1)))
	}
	i.step(i.clamped(step))
	b.vars[i.variable(x.Along)] = i.within(x.Along, b.op(i32T, ops.Add, i.grid.first[x.Along], column))
	return b.expr(x.Of)
}

// copyAll copies what panels of a turn are to have of the steps from one on.
func (i *inner) copyAll(from, turn kir.Expr) {
	b := i.body
	some := func(all bool, rounds kir.Rounds) {
		for _, x := range i.staged {
			if x.copied {
				i.copy(x, from, turn, all, rounds)
			}
		}
	}
	if !i.whole {
		some(false, kir.AnyForm)
		return
	}
	all := b.op(boolType, ops.Ge, exactly(ops.Sub, i.hi, from), i32(int64(i.decided.Panels)))
	b.either(all, func() { some(true, kir.WrittenOut) }, func() { some(false, kir.Looped) })
}

// copiesAny reports whether some panels are copied.
func (i *inner) copiesAny() bool {
	for _, x := range i.staged {
		if x.copied {
			return true
		}
	}
	return false
}

// copy copies a panel, of which all steps are there or the last one stands for those behind it.
func (i *inner) copy(x *panel, from, turn kir.Expr, all bool, rounds kir.Rounds) {
	if x.packs && all {
		i.body.either(i.aligned, func() { i.copyEach(x, from, turn, x.lanes, all, rounds) }, func() { i.copyEach(x, from, turn, 1, all, kir.AnyForm) })
		return
	}
	i.copyEach(x, from, turn, 1, all, rounds)
}

// copyEach copies a panel by so many pixels at a time: all one after the other, or in a loop, one or some in each round: addresses of all of them would take the registers that copies spare.
func (i *inner) copyEach(x *panel, from, turn kir.Expr, pixels int, all bool, rounds kir.Rounds) {
	b := i.body
	total, items := i.decided.Panels*i.tile[x.Along]/pixels, i.decided.GroupItems()
	count := total / items
	several := map[kir.Rounds]int{kir.WrittenOut: count, kir.AnyForm: gcd(count, copiesAtOnce), kir.Looped: 1}[rounds]
	one := func(k kir.Expr) {
		step, column := i.spot(x, k, pixels)
		value := i.pixelFor(x, from, step, column, all)
		if load, ok := value.(*kir.Load); ok && pixels > 1 {
			whole := *load
			whole.T, whole.Aligned = load.T.WithLanes(pixels), true
			value = &whole
		}
		b.emit(&kir.Assign{Placed: b.placed(), Var: x.array, Index: []kir.Expr{turn, step, column}, Value: value, Copied: true})
	}
	if several == count {
		for k := range count {
			one(i32(int64(k)))
		}
		return
	}
	v := b.loopVar("k", interval.Between(0, int64(count)-1))
	stmts := b.inside(false, func() {
		for c := range several {
			one(exactly(ops.Add, ref(v), i32(int64(c))))
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(count)), Step: int64(several), Rounds: kir.Looped, Body: stmts, Exact: true})
}

// copiesAtOnce is how many copies an item makes in a round of a loop that is not seldom.
const copiesAtOnce = 4
