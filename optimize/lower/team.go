package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A team is a work-group that shares the reductions of one instance: each item reduces every so-manieth point along one variable,
// neighbours next to each other, and a tree in local memory joins what they found. All items compute what else the instance
// computes, and the first one stores it.
//
// The tree adds in another order than the language's, so integers and what is exact in any order come out the same; sums of floats
// differ by rounding, which strict mode rules out.
type team struct {
	size   int
	shares map[*hast.Reduce]bool
	item   *kir.Var                // index in the group
	parts  map[types.Kind]*kir.Var // in local memory, by kind and most lanes
	decls  []kir.Stmt
}

// minTeamTrips is how many points, known beforehand, are too few to share.
const minTeamTrips = 64

// teamRefuses says why a work-group cannot share the reductions of a stage, as the end of a sentence; "" where it can.
func teamRefuses(s *hast.Stage, mode kir.Mode) string {
	if s.Scan != nil {
		return "it runs step by step"
	}
	shared, floats := 0, false
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class == hast.Mutable || st.Var.Type.IsArray() {
				return "it changes variables or has arrays"
			}
			eachShared(st.Init, func(r *hast.Reduce) { shared++; floats = floats || roundsInOrder(r) })
		case *hast.Store:
			if st.Updates() {
				return "it updates pixels"
			}
			eachShared(st.Value, func(r *hast.Reduce) { shared++; floats = floats || roundsInOrder(r) })
		default:
			return "its body is more than definitions and assignments of pixels"
		}
	}
	switch {
	case shared == 0:
		return "it has no reduction whose points a group could share"
	case floats && mode == kir.Strict:
		return "strict mode fixes the order in which floats are added"
	case longReductions(s) > shared:
		return "it has another long reduction that every work-item would do by itself"
	}
	return ""
}

// longReductions counts the reductions of a body over many points, those inside of others too.
func longReductions(s *hast.Stage) int {
	n := 0
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok && trips(r.Space) >= minTeamTrips {
			n++
		}
	})
	return n
}

// roundsInOrder reports whether the result depends on the order of the points.
func roundsInOrder(r *hast.Reduce) bool {
	return (r.Op == hast.Sum || r.Op == hast.Product) && r.T.Kind.IsFloat()
}

// eachShared visits the reductions in an expression that a group can share: those that every item gets to, over many points in
// ranges, by an operator that needs no order.
func eachShared(e hast.Expr, visit func(*hast.Reduce)) {
	all := func(list ...hast.Expr) {
		for _, x := range list {
			eachShared(x, visit)
		}
	}
	switch e := e.(type) {
	case *hast.Op:
		if e.Op != ops.LAnd && e.Op != ops.LOr {
			all(e.Args...)
		}
	case *hast.Convert:
		all(e.X)
	case *hast.Splat:
		all(e.X)
	case *hast.Vec:
		all(e.Parts...)
	case *hast.Swizzle:
		all(e.X)
	case *hast.Reduce:
		_, known := foldOps[e.Op]
		kind := e.T.Kind
		if known && e.Space.Points == nil && !e.T.IsArray() && kind != types.F16 && kind != types.BF16 && trips(e.Space) >= minTeamTrips && steps(e.Space) {
			visit(e)
		}
	}
}

// steps reports whether every step is small enough for items to take it together.
func steps(s hast.Space) bool {
	for _, r := range s.Ranges {
		if max(r.Step, -r.Step) > 64 {
			return false
		}
	}
	return true
}

// teams lowers a stage in which work-groups of a size are teams.
func (k *kernelBuilder) teams(s *hast.Stage, size int) shape {
	t := &team{size: size, shares: map[*hast.Reduce]bool{}, parts: map[types.Kind]*kir.Var{}}
	k.team = t
	for _, st := range s.Body {
		add := func(r *hast.Reduce) { t.shares[r] = true }
		switch st := st.(type) {
		case *hast.Define:
			eachShared(st.Init, add)
		case *hast.Store:
			eachShared(st.Value, add)
		}
	}
	items := k.teamGrid(s)
	k.instance(s)
	return shape{items: items, group: [3]int{size, 1, 1}, shared: t.decls}
}

// teamGrid declares the iteration variables of a stage whose instances are groups: the last is y of the groups, all others share z.
func (k *kernelBuilder) teamGrid(s *hast.Stage) [3]kir.Expr {
	b, n := k.body, len(s.Space.Vars)
	items := [3]kir.Expr{i64(int64(k.team.size)), i64(1), i64(1)}
	rest := kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 2})
	for i := n - 1; i >= 0; i-- {
		r := s.Space.Ranges[i]
		count := k.count(r)
		dim, index := 1, kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 1})
		if i < n-1 {
			dim, index = 2, rest
			if i > 0 {
				steps := k.scalar(s.Space.Vars[i].Name+"_count", i32T, count, interval{1, hast.MaxExtent})
				index = b.op(i32T, ops.Rem, rest, steps)
				rest = b.once("z", b.op(i32T, ops.Div, rest, steps))
			}
		}
		items[dim] = mul(items[dim], count)
		k.iterator(s.Space.Vars[i], r, index)
	}
	k.team.item = b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[k.team.item] = interval{0, int64(k.team.size) - 1}
	return items
}

// teamStmts lowers the body: all items compute, the first one stores.
func (b *body) teamStmts(list []hast.Stmt) {
	for _, s := range list {
		b.pos = s.Span()
		st, ok := s.(*hast.Store)
		if !ok {
			b.stmt(s)
			continue
		}
		v := &hast.Var{Name: "value", Type: st.Value.Type(), Class: hast.Value, At: st.At}
		b.vars[v] = b.once("value", b.expr(st.Value))
		first := *st
		first.Value = &hast.Ref{Typed: hast.Typed{T: v.Type, At: st.At}, Var: v}
		isFirst := b.op(boolType, ops.Eq, ref(b.kernel.team.item), i32(0))
		b.emit(&kir.If{Placed: b.placed(), Cond: isFirst, Then: b.inside(false, func() { b.store(&first) })})
	}
}

// teamReduce is a reduction whose points the items of the group share.
func (b *body) teamReduce(e *hast.Reduce) kir.Expr {
	t := b.kernel.team
	own := *e
	own.Space.Ranges = append([]hast.Range(nil), e.Space.Ranges...)
	k := sharedAxis(e.Space)
	r := &own.Space.Ranges[k]
	r.Lo = b.shifted(r.Lo, b.op(i32T, ops.Mul, ref(t.item), i32(r.Step)))
	r.Step *= int64(t.size)
	reducer := b.reducer(&own, trips(e.Space))
	reducer.begin()
	b.loop(own.Space, func() { b.reducePoint(&own, reducer) })
	return b.joined(e, b.once("own", reducer.end()))
}

// sharedAxis is the range whose points the items take in turn: the last one, unless it is short.
func sharedAxis(s hast.Space) int {
	last := len(s.Ranges) - 1
	for k := last; k >= 0; k-- {
		if n, ok := block.TripCount(s.Ranges[k]); !ok || n >= minTeamTrips {
			return k
		}
	}
	return last
}

// joined folds the values of all items along a tree.
func (b *body) joined(e *hast.Reduce, own kir.Expr) kir.Expr {
	t := b.kernel.team
	lanes := int(e.T.Lanes)
	parts := t.array(e.T.Kind, lanes)
	place := func(item kir.Expr, lane int) []kir.Expr { // lanes lie apart, so that neighbours use neighbouring banks
		return []kir.Expr{b.op(i32T, ops.Add, item, i32(int64(lane*t.size)))}
	}
	get := func(item kir.Expr) kir.Expr {
		values := make([]kir.Expr, lanes)
		for i := range values {
			values[i] = b.elemOf(parts, place(item, i))
		}
		if lanes == 1 {
			return values[0]
		}
		return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: values}
	}
	put := func(item, value kir.Expr) {
		for i := range lanes {
			b.emit(&kir.Assign{Placed: b.placed(), Var: parts, Index: place(item, i), Value: b.lane(value, i)})
		}
	}
	item := ref(t.item)
	put(item, own)
	b.emit(&kir.Barrier{Placed: b.placed()})
	half := b.declare("half", i32T, true, i32(int64(t.size/2)))
	b.bounds[half] = interval{0, int64(t.size / 2)}
	level := b.inside(false, func() {
		low := b.op(boolType, ops.Lt, item, ref(half))
		b.emit(&kir.If{Placed: b.placed(), Cond: low, Then: b.inside(false, func() {
			other := b.op(i32T, ops.Add, item, ref(half))
			put(item, b.once("both", b.op(e.T, foldOps[e.Op].op, get(item), get(other))))
		})})
		b.emit(&kir.Barrier{Placed: b.placed()})
		b.emit(&kir.Assign{Placed: b.placed(), Var: half, Value: b.op(i32T, ops.Div, ref(half), i32(2))})
	})
	b.emit(&kir.While{Placed: b.placed(), Cond: b.op(boolType, ops.Gt, ref(half), i32(0)), Body: level})
	result := b.declare(e.Op.String(), e.T, false, get(i32(0)))
	b.emit(&kir.Barrier{Placed: b.placed()}) // before the array is used again
	return ref(result)
}

// array is local memory for some components of each item; all reductions in a kind share it.
func (t *team) array(k types.Kind, lanes int) *kir.Var {
	v := t.parts[k]
	if v == nil {
		v = &kir.Var{Name: "parts", Type: types.Scalar(k).Array(lanes * t.size), Space: kir.Local}
		t.parts[k] = v
		t.decls = append(t.decls, &kir.Decl{Var: v})
	}
	if v.Type.Len() < lanes*t.size {
		v.Type = types.Scalar(k).Array(lanes * t.size)
	}
	return v
}
