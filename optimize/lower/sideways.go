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

// A work-item of a CPU that reduces many points takes neighbours along the last variable side by side, some such wide values at a
// time so that an addition does not wait for the one before, and joins what they come to by halves. Strict mode has floats added in the
// order of the language: where that keeps several partial results, these are the lanes; elsewhere they are not taken side by side.

// sidewaysParts is how many wide values a reduction is computed into at once where the language does not say.
const sidewaysParts = 4

// refuseSideways says why the reductions of a stage are not computed side by side, as the end of a sentence; "" where they are.
func refuseSideways(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	others := d
	others.Lanes, others.Unroll, others.Tile, others.Last = 0, 0, [2]int{}, 0
	switch {
	case d.RowSums > 0 || d.Line > 0 || d.Block > 0:
		return "masks are separated in work-items that compute rows"
	case others != (schedule.Decisions{}):
		return "lanes without rows leave nothing to other decisions than tile, unroll and last"
	case !slices.Contains(kir.WideLanes, d.Lanes):
		return fmt.Sprintf("wide values have %v lanes, not %d", kir.WideLanes, d.Lanes)
	case s.Scan != nil:
		return "it runs step by step"
	}
	return trialSideways(s, d, mode)
}

// sideways reports whether a reduction has so many points next to each other, in kinds that wide values have.
func (b *body) sideways(e *hast.Reduce) bool {
	k := b.kernel
	if k == nil || k.rows != nil || k.decided.Lanes == 0 || k.besides || e.Where != nil || e.Space.Points != nil || !e.T.IsScalar() {
		return false
	}
	last := e.Space.Ranges[len(e.Space.Ranges)-1]
	if n, known := block.TripCount(last); last.Step != 1 || known && n < int64(b.waysOf(e)) {
		return false
	}
	kind := e.T.Kind
	switch e.Op {
	case hast.Sum, hast.Product:
		if kind == types.F32 {
			return b.opts.Mode != kir.Strict || e.Ways > 0 && e.Ways%k.decided.Lanes == 0
		}
		return e.Op == hast.Sum && (kind == types.I32 || kind == types.U32 || narrowed(e) != nil)
	case hast.Min, hast.Max:
		return kind.IsInt() && kind.Bits() <= 32
	}
	return false
}

// waysOf is how many points are taken at once: as many as the language has partial results where the order matters.
func (b *body) waysOf(e *hast.Reduce) int {
	if e.Ways > 0 && b.opts.Mode == kir.Strict {
		return e.Ways
	}
	return sidewaysParts * b.kernel.decided.Lanes
}

// besideEachOther is a reduction whose points are taken side by side; nil where it is not one.
func (b *body) besideEachOther(e *hast.Reduce) kir.Expr {
	if !b.sideways(e) {
		return nil
	}
	k := b.kernel
	k.besides = true
	defer func() { k.besides = false }()
	k.wideSums++
	if e.Op == hast.Sum && narrowed(e) != nil {
		return b.narrowBesides(e)
	}
	r := &sideways{body: b, of: e, op: foldOps[e.Op], held: e.T.Kind, lanes: k.decided.Lanes, ways: b.waysOf(e)}
	if e.Op == hast.Sum && e.T.Kind == types.I32 {
		r.held = types.U32 // which wraps around
	}
	r.declare()
	var result kir.Expr
	if e.Ways == r.ways {
		result = r.byBlocks()
	} else {
		result = r.byLines()
	}
	if r.why != "" { // which a trial finds beforehand
		k.sidewaysWhy = r.why
	}
	return result
}

// narrowSteps is how many values of 16 bits at most 32 bits hold the sum of.
const narrowSteps = 1 << 15

// narrowBesides adds what a sum in 64 bits adds as the small integers that they are, in 32 bits, and these sums in 64 before they overflow.
func (b *body) narrowBesides(e *hast.Reduce) kir.Expr {
	small := *e
	small.T = e.T.WithKind(types.I32)
	small.Elem = &hast.Convert{Typed: hast.Typed{T: small.T, At: e.Elem.Span()}, X: narrowed(e)}
	lanes := b.kernel.decided.Lanes
	r := &sideways{body: b, of: &small, op: ops.Add, held: types.U32, lanes: lanes, ways: sidewaysParts * lanes}
	r.declare()
	array := r.memory()
	total := b.declare(e.Op.String(), e.T, true, zero(e.T))
	steps := b.declare("steps", i32T, true, i32(0))
	b.bounds[steps] = interval.Between(0, narrowSteps)
	grow := func(v *kir.Var, by kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: b.op(v.Type, ops.Add, ref(v), by)})
	}
	r.others(func() {
		r.along()
		r.chunks(narrowSteps, func(from, to kir.Expr) {
			count := b.once("count", exactly(ops.Div, exactly(ops.Sub, to, from), i32(int64(r.ways))))
			full := exactly(ops.Gt, exactly(ops.Add, ref(steps), count), i32(narrowSteps))
			full.(*kir.Op).T = boolType
			b.emit(&kir.If{Placed: b.placed(), Cond: full, Then: b.inside(false, func() {
				r.flush(array, total)
				b.emit(&kir.Assign{Placed: b.placed(), Var: steps, Value: i32(0)})
			})})
			r.stepsOf(from, to, r.wide)
			b.emit(&kir.Assign{Placed: b.placed(), Var: steps, Value: exactly(ops.Add, ref(steps), count)})
		})
		r.left(func(kir.Expr) { grow(total, b.expr(e.Elem)) })
	})
	r.flush(array, total)
	if r.why != "" { // which a trial finds beforehand
		b.kernel.sidewaysWhy = r.why
	}
	return ref(total)
}

// chunks runs f for parts of the whole steps along the last variable, of so many at most.
func (r *sideways) chunks(steps int64, f func(from, to kir.Expr)) {
	b := r.body
	n := steps * int64(r.ways)
	from := b.loopVar("from", r.within)
	body := b.inside(false, func() {
		left := b.once("left", exactly(ops.Sub, r.whole, ref(from)))
		f(ref(from), b.once("to", exactly(ops.Add, ref(from), b.op(i32T, ops.Min, left, i32(n)))))
	})
	b.emit(&kir.For{Placed: b.placed(), Var: from, Lo: r.lo, Hi: r.whole, Step: n, Body: body})
}

// flush adds the parts to a total in 64 bits, and leaves them zero.
func (r *sideways) flush(array, total *kir.Var) {
	b := r.body
	r.keep(array)
	i := b.loopVar("lane", interval.Between(0, int64(r.ways-1)))
	body := b.inside(false, func() {
		one := b.convert(r.of.T, b.elemOf(array, []kir.Expr{ref(i)}), kir.Wrap)
		b.emit(&kir.Assign{Placed: b.placed(), Var: total, Value: b.op(total.Type, ops.Add, ref(total), b.convert(total.Type, one, kir.Wrap))})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: i32(int64(r.ways)), Step: 1, Body: body, Exact: true})
	for _, part := range r.parts {
		none := &kir.Vec{Typed: kir.Typed{T: part.Type}, Parts: []kir.Expr{intConst(r.held, 0)}}
		b.emit(&kir.Assign{Placed: b.placed(), Var: part, Value: none})
	}
}

// A sideways is a reduction that is being computed side by side.
type sideways struct {
	*body
	of    *hast.Reduce
	op    ops.Op
	held  types.Kind // of the parts
	lanes int
	ways  int        // points that are taken at once
	parts []*kir.Var // wide
	why   string

	v             *hast.Var // the last variable
	lo, hi, whole kir.Expr  // of it: its range, and where steps end
	within        interval.Interval
}

func (r *sideways) declare() {
	b := r.body
	wide := types.Vector(r.held, r.lanes)
	for range r.ways / r.lanes {
		start := &kir.Vec{Typed: kir.Typed{T: wide}, Parts: []kir.Expr{convert(b.identity(r.of.Op, r.of.T), r.held)}}
		r.parts = append(r.parts, b.declare("part", wide, true, start))
	}
}

// others are the variables before the last one.
func (r *sideways) others(f func()) {
	if last := len(r.of.Space.Vars) - 1; last > 0 {
		r.body.loop(hast.Space{Vars: r.of.Space.Vars[:last], Ranges: r.of.Space.Ranges[:last]}, f)
		return
	}
	f()
}

// along finds the range of the last variable.
func (r *sideways) along() {
	b, last := r.body, len(r.of.Space.Vars)-1
	g := r.of.Space.Ranges[last]
	r.v = r.of.Space.Vars[last]
	lo, hi := b.expr(g.Lo), b.expr(g.Hi)
	r.within = loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), 1)
	r.lo, r.hi = b.once(r.v.Name+"_from", lo), b.once(r.v.Name+"_to", hi)
	step := i32(int64(r.ways))
	count := b.op(i32T, ops.Max, b.op(i32T, ops.Sub, r.hi, r.lo), i32(0))
	r.whole = b.once("whole", exactly(ops.Add, r.lo, exactly(ops.Mul, exactly(ops.Div, count, step), step)))
}

// byLines takes line after line, and what is left over of each.
func (r *sideways) byLines() kir.Expr {
	b := r.body
	rest := b.declare(r.of.Op.String(), r.of.T, true, b.identity(r.of.Op, r.of.T))
	r.others(func() {
		r.along()
		r.steps(r.wide)
		r.left(func(x kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: rest, Value: b.op(r.of.T, r.op, ref(rest), b.expr(r.of.Elem))})
		})
	})
	array := r.memory()
	r.halve()
	r.keep(array)
	return b.once(r.of.Op.String(), b.op(r.of.T, r.op, r.joined(array), ref(rest)))
}

// byBlocks takes block after block of the last variable, of each all lines, as the language has it.
func (r *sideways) byBlocks() kir.Expr {
	b := r.body
	r.along()
	r.steps(func(x *kir.Var) { r.others(func() { r.wide(x) }) })
	array := r.memory()
	r.keep(array)
	r.left(func(x kir.Expr) {
		at := []kir.Expr{exactly(ops.Sub, x, r.whole)}
		r.others(func() {
			b.emit(&kir.Assign{Placed: b.placed(), Var: array, Index: at, Value: b.op(r.of.T, r.op, b.elemOf(array, at), b.expr(r.of.Elem))})
		})
	})
	for i, part := range r.parts {
		all := &kir.Load{Typed: kir.Typed{T: part.Type}, Buffer: array, Offset: i64(int64(i * r.lanes))}
		b.emit(&kir.Assign{Placed: b.placed(), Var: part, Value: all})
	}
	r.halve()
	r.keep(array)
	return b.once(r.of.Op.String(), r.joined(array))
}

// steps is the loop over whole steps.
func (r *sideways) steps(f func(x *kir.Var)) { r.stepsOf(r.lo, r.whole, f) }

// stepsOf is the loop over the steps from one place on to below another.
func (r *sideways) stepsOf(from, to kir.Expr, f func(x *kir.Var)) {
	b := r.body
	x := b.loopVar(r.v.Name, r.within)
	body := b.inside(false, func() { f(x) })
	b.emit(&kir.For{Placed: b.placed(), Var: x, Lo: from, Hi: to, Step: int64(r.ways), Body: body, Exact: true})
}

// wide takes the points of one step.
func (r *sideways) wide(x *kir.Var) {
	b := r.body
	w := b.widening(x, r.lanes)
	stmts := b.inside(false, func() {
		for i, part := range r.parts {
			one := &kir.Var{Name: part.Name, Type: r.of.T}
			w.carry(one, part)
			b.vars[r.v] = exactly(ops.Add, ref(x), i32(int64(i*r.lanes)))
			b.emit(&kir.Assign{Placed: b.placed(), Var: one, Value: b.op(r.of.T, r.op, ref(one), b.expr(r.of.Elem))})
		}
	})
	if w.all(stmts); w.why != "" {
		r.why = w.why
		return
	}
	for _, s := range append(w.moved, w.out...) {
		b.emit(s)
	}
}

// left is the loop over the points that no whole step takes.
func (r *sideways) left(f func(x kir.Expr)) {
	b := r.body
	if end, known := constInt(r.hi); known && rangeOf(r.whole, b.bounds) == interval.Point(end) {
		return
	}
	x := b.loopVar(r.v.Name, r.within)
	b.limits[x] = r.hi
	b.vars[r.v] = ref(x)
	body := b.inside(false, func() { f(ref(x)) })
	b.emit(&kir.For{Placed: b.placed(), Var: x, Lo: r.whole, Hi: r.hi, Step: 1, Body: body})
}

// memory is an array for all lanes.
func (r *sideways) memory() *kir.Var {
	return r.body.declare("lanes", types.Scalar(r.held).Array(r.ways), true, nil)
}

// keep stores the parts.
func (r *sideways) keep(array *kir.Var) {
	for i, part := range r.parts {
		r.body.emit(&kir.Store{Placed: r.body.placed(), Buffer: array, Offset: i64(int64(i * r.lanes)), Value: ref(part)})
	}
}

// halve has half of the parts take in the others until one is left, where wide values have the operator.
func (r *sideways) halve() {
	b := r.body
	for len(r.parts) > 1 && kir.WideOp(r.op, r.held) && (r.op == ops.Add || r.op == ops.Mul) {
		half := len(r.parts) / 2
		for i, part := range r.parts[:half] {
			both := []kir.Expr{ref(part), ref(r.parts[half+i])}
			value := &kir.Op{Typed: kir.Typed{T: part.Type}, Op: r.op, Args: both, Exact: r.held.IsFloat()}
			b.emit(&kir.Assign{Placed: b.placed(), Var: part, Value: value})
		}
		r.parts = r.parts[:half]
	}
}

// joined is what the lanes of the parts that are left come to: each half takes in the other one.
func (r *sideways) joined(array *kir.Var) kir.Expr {
	b, n := r.body, len(r.parts)*r.lanes
	var tree func(i, m int) kir.Expr
	tree = func(i, m int) kir.Expr {
		if m == n {
			return b.convert(r.of.T, b.elemOf(array, []kir.Expr{i32(int64(i))}), kir.Wrap)
		}
		return b.op(r.of.T, r.op, tree(i, 2*m), tree(i+m, 2*m))
	}
	return tree(0, 1)
}
