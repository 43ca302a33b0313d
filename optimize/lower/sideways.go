package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A work-item of a CPU that reduces many points takes neighbours along the last variable side by side, some such wide values at a
// time so that an addition does not wait for the one before, and joins what they come to by halves. Where the language keeps several
// partial results, these are the lanes, and floats come out the same; other sums of floats are added in another order, which strict mode
// rules out.

// sidewaysParts is how many wide values a reduction is computed into at once where the language does not say.
const sidewaysParts = 4

// refuseSideways says why the reductions of a stage are not computed side by side, as the end of a sentence; "" where they are.
func refuseSideways(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	others := d
	others.Lanes, others.Unroll, others.Tile = 0, 0, [2]int{}
	switch {
	case d.RowSums > 0 || d.Line > 0:
		return "masks are separated in work-items that compute rows"
	case others != (schedule.Decisions{}):
		return "lanes without rows leave nothing to other decisions than tile and unroll"
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
	if n, known := block.TripCount(last); last.Step != 1 || known && n < int64(waysOf(e, k.decided.Lanes)) {
		return false
	}
	kind := e.T.Kind
	switch e.Op {
	case hast.Sum, hast.Product:
		if kind == types.F32 && e.Ways > 0 {
			return e.Ways%k.decided.Lanes == 0
		}
		return e.Op == hast.Sum && (kind == types.I32 || kind == types.U32 || kind == types.F32 && b.opts.Mode != kir.Strict)
	case hast.Min, hast.Max:
		return kind.IsInt() && kind.Bits() <= 32
	}
	return false
}

// waysOf is how many points are taken at once.
func waysOf(e *hast.Reduce, lanes int) int {
	if e.Ways > 0 {
		return e.Ways
	}
	return sidewaysParts * lanes
}

// besideEachOther is a reduction whose points are taken side by side; nil where it is not one.
func (b *body) besideEachOther(e *hast.Reduce) kir.Expr {
	if !b.sideways(e) {
		return nil
	}
	k := b.kernel
	k.besides = true
	defer func() { k.besides = false }()
	r := &sideways{body: b, of: e, op: foldOps[e.Op].op, held: e.T.Kind, lanes: k.decided.Lanes, ways: waysOf(e, k.decided.Lanes)}
	if e.Op == hast.Sum && e.T.Kind == types.I32 {
		r.held = types.U32 // which wraps around
	}
	r.declare()
	var result kir.Expr
	if e.Ways > 0 {
		result = r.byBlocks()
	} else {
		result = r.byLines()
	}
	if r.why != "" { // which a trial finds beforehand
		k.sidewaysWhy = r.why
	}
	k.wideSums++
	return result
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
	within        interval
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
	return b.once(r.of.Op.String(), b.op(r.of.T, r.op, r.joined(r.memory()), ref(rest)))
}

// byBlocks takes block after block of the last variable, of each all lines, as the language has it.
func (r *sideways) byBlocks() kir.Expr {
	b := r.body
	r.along()
	r.steps(func(x *kir.Var) { r.others(func() { r.wide(x) }) })
	array := r.memory()
	r.left(func(x kir.Expr) {
		at := []kir.Expr{exactly(ops.Sub, x, r.whole)}
		r.others(func() {
			b.emit(&kir.Assign{Placed: b.placed(), Var: array, Index: at, Value: b.op(r.of.T, r.op, b.elemOf(array, at), b.expr(r.of.Elem))})
		})
	})
	return b.once(r.of.Op.String(), r.joined(array))
}

// steps is the loop over whole steps.
func (r *sideways) steps(f func(x *kir.Var)) {
	b := r.body
	x := b.loopVar(r.v.Name, r.within)
	body := b.inside(false, func() { f(x) })
	b.emit(&kir.For{Placed: b.placed(), Var: x, Lo: r.lo, Hi: r.whole, Step: int64(r.ways), Body: body, Exact: true})
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
	if end, known := constInt(r.hi); known && rangeOf(r.whole, b.bounds) == point(end) {
		return
	}
	x := b.loopVar(r.v.Name, r.within)
	b.limits[x] = r.hi
	b.vars[r.v] = ref(x)
	body := b.inside(false, func() { f(ref(x)) })
	b.emit(&kir.For{Placed: b.placed(), Var: x, Lo: r.whole, Hi: r.hi, Step: 1, Body: body})
}

// memory is an array of all lanes.
func (r *sideways) memory() *kir.Var {
	b := r.body
	array := b.declare("lanes", types.Scalar(r.held).Array(r.ways), true, nil)
	for i, part := range r.parts {
		b.emit(&kir.Store{Placed: b.placed(), Buffer: array, Offset: i64(int64(i * r.lanes)), Value: ref(part)})
	}
	return array
}

// joined is what an array of all lanes comes to: each half takes in the other one, in loops as long as these are long.
func (r *sideways) joined(array *kir.Var) kir.Expr {
	b, n := r.body, r.ways
	get := func(i kir.Expr) kir.Expr { return b.convert(r.of.T, b.elemOf(array, []kir.Expr{i}), kir.Wrap) }
	for ; n > fewLanes; n /= 2 {
		b.upTo("k", i32(int64(n/2)), interval{0, int64(n/2) - 1}, func(k kir.Expr) {
			both := b.op(r.of.T, r.op, get(k), get(exactly(ops.Add, k, i32(int64(n/2)))))
			b.emit(&kir.Assign{Placed: b.placed(), Var: array, Index: []kir.Expr{k}, Value: b.convert(types.Scalar(r.held), both, kir.Wrap)})
		})
	}
	var tree func(i, m int) kir.Expr
	tree = func(i, m int) kir.Expr {
		if m == n {
			return get(i32(int64(i)))
		}
		return b.op(r.of.T, r.op, tree(i, 2*m), tree(i+m, 2*m))
	}
	return tree(0, 1)
}

// fewLanes is how many lanes are joined in an expression, in which few additions wait for each other.
const fewLanes = 16
