package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A team is a work-group that shares the reductions of one instance: each item reduces every so-manieth point along one variable,
// neighbours next to each other, and a tree in local memory joins what they found. All items compute what else the instance
// computes, and the first one stores it.
//
// Integers and what is exact in any order come out the same whatever the group. Sums of floats do where the language has as many
// partial results as a group takes points at once; in strict mode no other group may share them.
//
// Instances of few points leave most of a large group without any, and small groups take as long to start as large ones. So a group may take some instances that follow
// each other, each by an equal part of its items.
type team struct {
	size   int      // items that share an instance
	groups int      // instances of a group
	slot   *kir.Var // which of them is the item's; nil where there is one
	within *kir.Var // with slot: the item's number in the group
	across bool     // neighbouring items have different ones of them, where these read neighbouring pixels
	width  int      // neighbours that an item takes at once
	lines  int      // of so many lines
	stage  *hast.Stage
	unroll int
	shares map[*hast.Reduce]bool
	order  []*hast.Reduce            // those that are shared, as they come
	done   map[*hast.Reduce]kir.Expr // results
	item   *kir.Var                  // index among those that share its instance
	exists kir.Expr                  // whether there is an instance for them; nil for always
	parts  map[types.Kind]*kir.Var   // in local memory, by kind
	used   map[types.Kind]int        // components that the reduction at hand has there
	taken  bool                      // some items may still read what a reduction has left there
	decls  []kir.Stmt
}

// minTeamTrips is how many points, known beforehand, are too few to share.
const minTeamTrips = block.LeastShared

// teamRefuses says why a work-group that takes so many points at once cannot share the reductions of a stage, as the end of a
// sentence; "" where it can.
func teamRefuses(s *hast.Stage, ways int, mode kir.Mode) string {
	if s.Scan != nil {
		return "it runs step by step"
	}
	return sharingRefuses(s, ways, mode)
}

// sharingRefuses is teamRefuses of the instances of a stage, in whatever order they come.
func sharingRefuses(s *hast.Stage, ways int, mode kir.Mode) string {
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class == hast.Mutable || st.Var.Type.IsArray() {
				return "it changes variables or has arrays"
			}
		case *hast.Store:
			if st.Updates() {
				return "it updates pixels"
			}
		default:
			return "its body is more than definitions and assignments of pixels"
		}
	}
	shared := sharedReductions(s)
	switch {
	case len(shared) == 0:
		return "it has no reduction whose points a group could share"
	case mode == kir.Strict && slices.ContainsFunc(shared, func(r *hast.Reduce) bool { return rounds(r) && !sameOrder(r, ways) }):
		return fmt.Sprintf("strict mode fixes the order in which floats are added, which is not that of %d at once", ways)
	case longReductions(s) > len(shared):
		return "it has another long reduction that every work-item would do by itself"
	}
	return ""
}

// sharedReductions are the reductions of a stage that a group can share, in the order of the text.
func sharedReductions(s *hast.Stage) (list []*hast.Reduce) {
	add := func(r *hast.Reduce) { list = append(list, r) }
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Init != nil {
				eachShared(st.Init, add)
			}
		case *hast.Store:
			eachShared(st.Value, add)
		}
	}
	return list
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

// sameOrder reports whether a group that takes so many points at once reduces floats in the order of the language.
func sameOrder(r *hast.Reduce, ways int) bool {
	return r.Ways == ways && sharedAxis(r.Space) == len(r.Space.Ranges)-1
}

// rounds reports whether the result depends on the order of the points.
func rounds(r *hast.Reduce) bool {
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
		if !e.Op.Lazy() {
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
		_, known := joinOps[e.Op]
		kind := e.T.Kind
		if e.Op == hast.ArgMin || e.Op == hast.ArgMax {
			known, kind = true, e.Elem.Type().Kind
		}
		if known && e.Space.Points == nil && !e.T.IsArray() && kind != types.F16 && kind != types.BF16 && trips(e.Space) >= minTeamTrips && steps(e.Space) {
			visit(e)
		}
	}
}

// steps reports whether the steps of the variable along which items take points are small enough for them to take together, and no
// other leads far beyond its end.
func steps(s hast.Space) bool {
	for k, r := range s.Ranges {
		most := int64(1 << 20)
		if k == sharedAxis(s) {
			most = 64
		}
		if max(r.Step, -r.Step) > most {
			return false
		}
	}
	return true
}

// newTeam is a group whose items share the reductions of some instances, so many of each, and take so many neighbouring points of so many lines at once.
func newTeam(s *hast.Stage, size, groups int, item [2]int, unroll int) *team {
	return &team{
		size: size, groups: groups, width: item[0], lines: item[1], stage: s, unroll: unroll,
		shares: map[*hast.Reduce]bool{}, done: map[*hast.Reduce]kir.Expr{}, parts: map[types.Kind]*kir.Var{},
	}
}

// teams lowers a stage in which work-groups are teams, whose items take so many neighbouring points of so many lines at once.
func (k *kernelBuilder) teams(s *hast.Stage) shape {
	d := k.decided
	s = block.AtPixels(s)
	t := newTeam(s, d.Sharing(), max(1, d.Abreast), [2]int{d.Item[0], max(1, d.Item[1])}, d.Unroll)
	if k.team != nil { // of the launch before: its local memory is free
		t.parts, t.taken = k.team.parts, k.team.taken
	}
	k.team = t
	t.order = sharedReductions(s)
	t.across = t.groups > 1 && block.Across(s, t.order)
	for _, r := range t.order {
		t.shares[r] = true
	}
	items := k.teamGrid(s)
	k.instance(s)
	return shape{items: items, group: [3]int{d.Reduce, 1, 1}, shared: t.decls}
}

// teamGrid declares the iteration variables of a stage whose instances are shared: groups count the last one in y, or some values of it at a time, and all others share z.
func (k *kernelBuilder) teamGrid(s *hast.Stage) [3]kir.Expr {
	b, n, t := k.body, len(s.Space.Vars), k.team
	items := [3]kir.Expr{i64(int64(t.all())), i64(1), i64(1)}
	t.place(b)
	rest := kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 2})
	for i := n - 1; i >= 0; i-- {
		r := s.Space.Ranges[i]
		count := k.count(r)
		dim, index := 1, kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 1})
		if i < n-1 {
			dim, index = 2, rest
			if i > 0 {
				steps := k.scalar(s.Space.Vars[i].Name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
				index = b.op(i32T, ops.Rem, rest, steps)
				rest = b.once("z", b.op(i32T, ops.Div, rest, steps))
			}
		} else if t.slot != nil {
			index, count = k.abreast(s.Space.Vars[i].Name, index, count)
		}
		if k.behind { // as the one group of a launch of its own
			index = i32(0)
		}
		items[dim] = mul(items[dim], count)
		k.iterator(s.Space.Vars[i], r, index)
	}
	return items
}

// all is how many items a group has.
func (t *team) all() int { return t.size * t.groups }

// place declares which item of its group an item is.
func (t *team) place(b *body) {
	local := kir.Expr(&kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	if t.groups > 1 {
		t.within = b.declare("within", i32T, false, local)
		b.bounds[t.within] = interval.Between(0, int64(t.all())-1)
		slot, of := ops.Div, ops.Rem
		items := t.size
		if t.across {
			slot, of, items = ops.Rem, ops.Div, t.groups
		}
		t.slot = b.declare("slot", i32T, false, b.op(i32T, slot, ref(t.within), i32(int64(items))))
		b.bounds[t.slot] = interval.Between(0, int64(t.groups)-1)
		local = b.op(i32T, of, ref(t.within), i32(int64(items)))
	}
	t.item = b.declare("item", i32T, false, local)
	b.bounds[t.item] = interval.Between(0, int64(t.size)-1)
}

// abreast is which of so many instances along the last variable an item has a part in, and how many groups these are. Where they are no multiple of those of a group,
// the items that are left compute the last one once more, for all of a group have to come by where it waits, and keep it to themselves.
func (k *kernelBuilder) abreast(name string, group, count kir.Expr) (index, groups kir.Expr) {
	b, t := k.body, k.team
	n := int64(t.groups)
	of := b.declare("group", i32T, false, group)
	b.bounds[of] = interval.Between(0, hast.MaxExtent/n)
	index = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, ref(of), i32(n)), ref(t.slot))
	if c, ok := constInt(count); ok && c%n == 0 {
		return index, i64(c / n)
	}
	most := k.scalar(name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
	index = b.once("index", index)
	t.exists = b.once("exists", b.op(boolType, ops.Lt, index, most))
	return b.op(i32T, ops.Min, index, b.op(i32T, ops.Sub, most, i32(1))), div(add(count, i64(n-1)), i64(n))
}

// teamStmts lowers the body: all items compute, the first one stores. Where they read what it stores, all have read it before, and
// see it behind.
func (b *body) teamStmts(stage *hast.Stage) {
	for _, s := range stage.Body {
		b.pos = s.Span()
		st, ok := s.(*hast.Store)
		if !ok {
			b.statement(s)
			continue
		}
		v := &hast.Var{Name: "value", Type: st.Value.Type(), Class: hast.Value, At: st.At}
		b.vars[v] = b.once("value", b.expr(st.Value))
		first := *st
		first.Value = &hast.Ref{Typed: hast.Typed{T: v.Type, At: st.At}, Var: v}
		wait := func() {
			if stage.Loads(st.Image.Base()) {
				b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
			}
		}
		isFirst := b.and(b.kernel.team.exists, b.op(boolType, ops.Eq, ref(b.kernel.team.item), i32(0)))
		wait()
		b.emit(&kir.If{Placed: b.placed(), Cond: isFirst, Then: b.inside(false, func() { b.store(&first) })})
		wait()
	}
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
