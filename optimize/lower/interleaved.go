package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
)

// interleaved is a reduction in several ways that one work-item does: along blocks of so many values of the last variable, of which
// each goes into a partial result of its own, so that neighbours can be read and added side by side; nil where it is to be done in one way.
func (b *body) interleaved(e *hast.Reduce) kir.Expr {
	if e.Ways == 0 {
		return nil
	}
	n, ways := len(e.Space.Vars)-1, int64(e.Ways)
	v, along := e.Space.Vars[n], e.Space.Ranges[n]
	lo, hi := b.once(v.Name+"_from", b.expr(along.Lo)), b.once(v.Name+"_to", b.expr(along.Hi))
	used := b.once("used", b.fewer(lo, hi, along.Step, ways))
	sums := b.declare(e.Op.String(), e.T.Array(e.Ways), true, nil)
	set := func(i, value kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: sums, Index: []kir.Expr{i}, Value: value})
	}
	get := func(i kir.Expr) kir.Expr { return b.elemOf(sums, []kir.Expr{i}) }
	apply := func(x, y kir.Expr) kir.Expr { return b.op(e.T, foldOps[e.Op], x, y) }

	set(i32(0), b.identity(e.Op, e.T))
	b.upTo("k", used, interval.Between(0, ways-1), func(k kir.Expr) { set(k, b.identity(e.Op, e.T)) })

	first := &hast.Var{Name: v.Name + "0", Type: v.Type, Class: hast.Loop, At: v.At}
	blocks := hast.Space{Vars: append([]*hast.Var{first}, e.Space.Vars[:n]...)}
	blocks.Ranges = append([]hast.Range{{Lo: along.Lo, Hi: along.Hi, Step: along.Step * ways}}, e.Space.Ranges[:n]...)
	within := loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), along.Step)
	b.loop(blocks, func() {
		count := b.once("count", b.fewer(b.vars[first], hi, along.Step, ways))
		b.upTo("k", count, interval.Between(0, ways-1), func(k kir.Expr) {
			x := b.declare(v.Name, i32T, false, b.op(i32T, ops.Add, b.vars[first], b.op(i32T, ops.Mul, k, i32(along.Step))))
			b.bounds[x] = within
			if along.Step > 0 && stable(hi) {
				b.limits[x] = hi
			}
			b.vars[v] = ref(x)
			b.reducePoint(e, reducer{step: func(elem kir.Expr) { set(k, apply(get(k), elem)) }})
		})
	})

	for half := ways / 2; half > 0; half /= 2 { // what has no points would change nothing
		beyond := b.op(i32T, ops.Sub, used, i32(half))
		b.upTo("k", b.op(i32T, ops.Min, beyond, i32(half)), interval.Between(0, half-1), func(k kir.Expr) {
			set(k, apply(get(k), get(b.op(i32T, ops.Add, k, i32(half)))))
		})
	}
	return b.once(e.Op.String(), get(i32(0)))
}

// upTo is a loop from 0 to an end.
func (b *body) upTo(name string, end kir.Expr, within interval.Interval, f func(k kir.Expr)) {
	v := b.loopVar(name, within)
	body := b.inside(false, func() { f(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: end, Step: 1, Body: body})
}

// fewer is how many values a range has from x on, or most if these are fewer. Bounds may lie so far apart that 32 bits do not hold the distance.
func (b *body) fewer(x, end kir.Expr, step, most int64) kir.Expr {
	if step < 0 {
		x, end, step = end, x, -step
	}
	distance := sub(convert(end, i64T.Kind), convert(x, i64T.Kind))
	n := distance
	if step > 1 {
		n = b.op(i64T, ops.Div, add(distance, i64(step-1)), i64(step))
	}
	return convert(b.op(i64T, ops.Clamp, n, i64(0), i64(most)), i32T.Kind)
}
