package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// passOver has an item note the block in which its best value is, and find the place there at last: that takes a comparison for each point in place of what it takes to note where it is, which few blocks
// need. The greatest of 8192 x 8192 bytes was found in 79 us on an H200 point by point.
func (b *body) passOver(x *sharer, a *argBest) {
	block, point := false, x.point
	x.before = func(p atHand) {
		if block = b.kernel.blocks != nil; block {
			b.noteBlock(a, p)
		}
	}
	x.point = func(at kir.Expr) {
		if !block {
			point(at)
		}
	}
	join := x.join
	x.join = func() kir.Expr {
		b.findPlace(a)
		return join()
	}
}

// noteBlock has a block be the place of the best value if it has one that counts.
func (b *body) noteBlock(a *argBest, p atHand) {
	some := b.declare("some", boolType, true, b.op(boolType, ops.Not, ref(a.found)))
	counts := b.betterThan(a, b.comesBefore(a, p))
	if halves := b.blockHalves(a.e, nil); halves != nil {
		b.noteExtreme(a, p, some, counts, b.extremeOf(a.e, halves))
		return
	}
	p.each(func(kir.Expr) {
		value := &kir.Select{Typed: kir.Typed{T: boolType}, Cond: counts(b.once("e", b.expr(a.e.Elem))), Then: intConst(boolType.Kind, 1), Else: ref(some)}
		b.emit(&kir.Assign{Placed: b.placed(), Var: some, Value: value})
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: ref(some), Then: b.inside(false, func() {
		p.each(func(kir.Expr) { b.takeBest(a, b.expr(a.e.Elem), nil, nil) })
		b.emit(&kir.If{Placed: b.placed(), Cond: ref(a.found), Then: b.inside(false, func() { b.noteStart(a, p) })}) // not of NaN alone
	})})
}

// noteStart has the place of the best value be the first of a block.
func (b *body) noteStart(a *argBest, p atHand) {
	b.vars[p.along] = p.at
	for i, v := range a.e.Space.Vars {
		b.emit(&kir.Assign{Placed: b.placed(), Var: a.where[i], Value: b.vars[v]})
	}
}

// noteExtreme is noteBlock of a block whose best value is at hand: it counts where some says so or counts.
func (b *body) noteExtreme(a *argBest, p atHand, some *kir.Var, counts func(e kir.Expr) kir.Expr, extreme kir.Expr) {
	b.emit(&kir.If{Placed: b.placed(), Cond: b.or(ref(some), counts(extreme)), Then: b.inside(false, func() {
		b.emit(&kir.Assign{Placed: b.placed(), Var: a.best, Value: extreme})
		b.emit(&kir.Assign{Placed: b.placed(), Var: a.found, Value: intConst(types.Bool, 1)})
		b.noteStart(a, p)
	})})
}

// findPlace has the place of the best value be the first one of its block that has it.
func (b *body) findPlace(a *argBest) {
	vars, last := a.e.Space.Vars, len(a.e.Space.Vars)-1
	r := a.e.Space.Ranges[last]
	end := b.op(i32T, ops.Sub, b.expr(r.Hi), i32(1))
	b.emit(&kir.If{Placed: b.placed(), Cond: ref(a.found), Then: b.inside(false, func() {
		first := b.declare("first", i32T, false, ref(a.where[last]))
		for i, v := range vars[:last] {
			b.vars[v] = ref(b.declare(v.Name, i32T, false, ref(a.where[i])))
		}
		b.unrolled("u", b.kernel.team.width, func(u kir.Expr) { // from the end on
			back := b.op(i32T, ops.Sub, i32(int64(b.kernel.team.width)-1), u)
			v := b.declare(vars[last].Name, i32T, false, b.op(i32T, ops.Min, b.op(i32T, ops.Add, ref(first), back), end))
			b.bounds[v] = loopInterval(rangeOf(b.expr(r.Lo), b.bounds), rangeOf(b.expr(r.Hi), b.bounds), 1)
			b.vars[vars[last]] = ref(v)
			is := b.op(boolType, ops.Eq, b.expr(a.e.Elem), ref(a.best))
			b.emit(&kir.Assign{Placed: b.placed(), Var: a.where[last], Value: &kir.Select{Typed: kir.Typed{T: i32T}, Cond: is, Then: ref(v), Else: ref(a.where[last])}})
		})
	})})
}

// comesBefore is the condition that a block begins before the place of the best value: then a value as good as that counts.
func (b *body) comesBefore(a *argBest, p atHand) kir.Expr {
	inside := b.vars[p.along]
	b.vars[p.along] = p.at
	before := b.once("before", b.earlier(a.e.Space, b.here(a.e.Space), a.place()))
	b.vars[p.along] = inside
	return before
}

// betterThan is the condition that a value counts: it is better than the best one or, where before holds, as good. Of small integers that is a comparison with one number.
func (b *body) betterThan(a *argBest, before kir.Expr) func(e kir.Expr) kir.Expr {
	t := a.e.Elem.Type()
	if t.Kind.IsInt() && t.Kind.Bits() < 32 {
		by, least := int64(1), ops.Ge
		if a.e.Op == hast.ArgMin {
			by, least = -1, ops.Le
		}
		further := &kir.Select{Typed: kir.Typed{T: i32T}, Cond: before, Then: i32(0), Else: i32(by)}
		enough := b.once("enough", b.op(i32T, ops.Add, b.convert(i32T, ref(a.best), kir.Wrap), further))
		return func(e kir.Expr) kir.Expr { return b.op(boolType, least, b.convert(i32T, e, kir.Wrap), enough) }
	}
	return func(e kir.Expr) kir.Expr {
		as := b.and(b.op(boolType, ops.Eq, e, ref(a.best)), before)
		return b.or(b.op(boolType, a.better(), e, ref(a.best)), as)
	}
}
