package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// What the items of a group have found is joined along a tree in local memory. In each round an item takes in what up to seven others
// have, so that the group waits for itself a few times only: those at a half, a quarter and an eighth of the items that are left,
// joined as three rounds of halves would. Where a device has shuffles, the first subgroup joins what is left without waiting, in the
// same halves: results are the same to the bit. Items that are no more than a subgroup pass each other what they have from the start, and all have the result. Where the order
// does not matter, each subgroup does so, and then all do with what the subgroups have: the group waits once.

// joinedAtOnce is how many values an item joins in a round.
const joinedAtOnce = 8

// inSubgroup reports whether those that share an instance are of one subgroup, and the group is whole subgroups.
func (b *body) inSubgroup() bool {
	t := b.kernel.team
	return b.passes() && t.size <= kir.SubgroupItems && t.all() >= kir.SubgroupItems
}

// passes reports whether items that share an instance pass each other what they have where they are neighbours.
func (b *body) passes() bool { return b.opts.Shuffles && !b.kernel.team.across }

// away is how many places away the items are whose values one of so many takes in by shuffles, one after the other.
func away(items int) (list []int) {
	for step := items / 2; step > 0; step /= 2 {
		list = append(list, step)
	}
	return list
}

// tree lowers the rounds: join makes one of what some items have, for the first of them, and then of what the items so many places
// away in its subgroup have, the first of steps first.
func (b *body) tree(join func(items []kir.Expr, steps []int)) {
	t := b.kernel.team
	last := 1
	if b.passes() && t.size >= kir.SubgroupItems {
		last = kir.SubgroupItems
	}
	b.emit(&kir.Barrier{Placed: b.placed()})
	for n, more := t.size, t.size > 1; more; more = n > last {
		width := min(joinedAtOnce, n/last)
		n /= width
		items := make([]kir.Expr, width)
		for k := range items {
			items[k] = b.op(i32T, ops.Add, ref(t.item), i32(int64(k*n)))
		}
		var by []int
		if n == last {
			by = away(n)
		}
		low := b.op(boolType, ops.Lt, ref(t.item), i32(int64(n)))
		b.emit(&kir.If{Placed: b.placed(), Cond: low, Then: b.inside(false, func() { join(items, by) })})
		b.emit(&kir.Barrier{Placed: b.placed()})
	}
}

// shuffled is a value of the item so many places away in the subgroup.
func (b *body) shuffled(x kir.Expr, by int) kir.Expr {
	t := x.Type()
	lanes := make([]kir.Expr, t.Lanes)
	for i := range lanes {
		scalar := kir.Typed{T: t.WithLanes(1)}
		lanes[i] = ref(b.declare("theirs", scalar.T, false, &kir.Shuffle{Typed: scalar, X: b.lane(x, i), By: by}))
	}
	if len(lanes) == 1 {
		return lanes[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: t}, Parts: lanes}
}

// halves joins values along a tree: the first with the one in the middle, and so on.
func halves[T any](list []T, join func(x, y T) T) T {
	for n := len(list) / 2; n > 0; n /= 2 {
		for i := range n {
			list[i] = join(list[i], list[i+n])
		}
	}
	return list[0]
}

// A column is a value of each item in local memory. Its lanes lie apart, and values of one instance next to each other or those of all its items have, so that neighbours use neighbouring banks.
type column struct {
	b    *body
	v    *kir.Var
	t    types.Type
	from int // the first component of v
	each int // values of an instance
}

// column makes room for values behind what the reduction at hand has in local memory already.
func (t *team) column(b *body, of types.Type) column { return t.room(b, of, t.size) }

// room is column for so many values of each instance.
func (t *team) room(b *body, of types.Type, count int) column {
	c := column{b, nil, of, t.used[of.Kind], count}
	t.used[of.Kind] += int(of.Lanes) * count * t.groups
	c.v = t.array(of.Kind, t.used[of.Kind])
	return c
}

func (c column) place(item kir.Expr, lane int) []kir.Expr {
	b, t := c.b, c.b.kernel.team
	switch {
	case t.slot == nil:
	case t.across:
		item = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, item, i32(int64(t.groups))), ref(t.slot))
	default:
		item = b.op(i32T, ops.Add, item, b.op(i32T, ops.Mul, ref(t.slot), i32(int64(c.each))))
	}
	return []kir.Expr{b.op(i32T, ops.Add, item, i32(int64(c.from+lane*c.each*t.groups)))}
}

func (c column) get(item kir.Expr) kir.Expr {
	values := make([]kir.Expr, c.t.Lanes)
	for i := range values {
		values[i] = c.b.elemOf(c.v, c.place(item, i))
	}
	if len(values) == 1 {
		return values[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: c.t}, Parts: values}
}

func (c column) put(item, value kir.Expr) {
	b := c.b
	if c.t.Lanes > 1 {
		value = b.once("v", value)
	}
	for i := range int(c.t.Lanes) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: c.v, Index: c.place(item, i), Value: b.lane(value, i)})
	}
}

// joinOps join what the items have of a reduction.
var joinOps = map[hast.ReduceOp]ops.Op{
	hast.Sum: ops.Add, hast.Product: ops.Mul, hast.Min: ops.Min, hast.Max: ops.Max, hast.Any: ops.LOr, hast.All: ops.LAnd, hast.Count: ops.Add,
}

// joined is the result of a reduction of which each item has some values of its own: the first ones of all items along the tree, so
// the second ones and so on, and then these along a tree.
func (b *body) joined(t types.Type, op hast.ReduceOp, own []kir.Expr) kir.Expr {
	team := b.kernel.team
	both := func(x, y kir.Expr) kir.Expr { return b.once("both", b.op(t, joinOps[op], x, y)) }
	passed := func(x kir.Expr, items int) kir.Expr {
		if items == kir.SubgroupItems && b.joins(op, t) {
			return b.joinedAmong(op, x)
		}
		for _, by := range away(items) {
			x = b.once("own", x)
			x = both(x, b.shuffled(x, by))
		}
		return x
	}
	switch anyOrder := !t.Kind.IsFloat() || op != hast.Sum && op != hast.Product || b.opts.Mode != kir.Strict; {
	case b.inSubgroup():
		for i := range own {
			own[i] = passed(own[i], team.size)
		}
		return halves(own, both)
	case b.passes() && anyOrder && team.size > kir.SubgroupItems:
		return b.bySubgroups(op, t, halves(own, both), passed)
	}
	b.freeParts()
	columns := make([]column, len(own))
	for i := range own {
		columns[i] = team.column(b, t)
		columns[i].put(ref(team.item), own[i])
	}
	b.tree(func(items []kir.Expr, steps []int) {
		for _, c := range columns {
			values := make([]kir.Expr, len(items))
			for i, item := range items {
				values[i] = b.once("part", c.get(item))
			}
			value := halves(values, both)
			for _, by := range steps {
				value = both(value, b.shuffled(value, by))
			}
			c.put(items[0], value)
		}
	})
	all := make([]kir.Expr, len(own))
	for i, c := range columns {
		all[i] = ref(b.declare(op.String(), t, false, c.get(i32(0))))
	}
	result := halves(all, both)
	b.emit(&kir.Barrier{Placed: b.placed()}) // before the memory is used again: without it, the maximum of 8192 x 8192 bytes took 31 us through OpenCL on an H200, and 24 with it
	return result
}

// bySubgroups joins what items have in the order in which it is there soonest: passed joins it for all of so many neighbours.
func (b *body) bySubgroups(op hast.ReduceOp, t types.Type, own kir.Expr, passed func(x kir.Expr, items int) kir.Expr) kir.Expr {
	team, subgroups := b.kernel.team, b.kernel.team.size/kir.SubgroupItems
	b.freeParts()
	c := team.room(b, t, subgroups)
	item, all := ref(team.item), b.once("all", passed(own, kir.SubgroupItems))
	first := b.op(boolType, ops.Eq, b.op(i32T, ops.Rem, item, i32(kir.SubgroupItems)), i32(0))
	b.emit(&kir.If{Placed: b.placed(), Cond: first, Then: b.inside(false, func() { c.put(b.op(i32T, ops.Div, item, i32(kir.SubgroupItems)), all) })})
	b.emit(&kir.Barrier{Placed: b.placed()})
	part := b.once("part", c.get(b.op(i32T, ops.Rem, item, i32(int64(subgroups)))))
	switch {
	case subgroups < fewJoined || !b.joins(op, t):
	case op == hast.Sum: // without what others of the subgroup have as well
		own := b.op(boolType, ops.Lt, b.op(i32T, ops.Rem, item, i32(kir.SubgroupItems)), i32(int64(subgroups)))
		part, subgroups = &kir.Select{Typed: kir.Typed{T: t}, Cond: own, Then: part, Else: zero(t)}, kir.SubgroupItems
	default:
		subgroups = kir.SubgroupItems
	}
	result := b.once("all", passed(part, subgroups))
	team.taken = true
	return result
}

// fewJoined is how many values are joined as soon by one step for all of a subgroup as by rounds of halves.
const fewJoined = 8

// joins reports whether the items of a subgroup join what they have of a reduction in one step.
func (b *body) joins(op hast.ReduceOp, t types.Type) bool {
	return t.Kind.IsInt() && kir.Joins(joinOps[op], joinedAs(t).WithLanes(1))
}

// joinedAs is the type in which values are joined: small integers as i32.
func joinedAs(t types.Type) types.Type {
	if t.Kind.Bits() < 32 {
		return t.WithKind(types.I32)
	}
	return t
}

// joinedAmong is what all items of a subgroup have of a reduction.
func (b *body) joinedAmong(op hast.ReduceOp, x kir.Expr) kir.Expr {
	t := x.Type()
	wide := b.once("own", b.convert(joinedAs(t), x, kir.Wrap))
	lanes := make([]kir.Expr, t.Lanes)
	for i := range lanes {
		scalar := kir.Typed{T: wide.Type().WithLanes(1)}
		lanes[i] = ref(b.declare("joined", scalar.T, false, &kir.Joined{Typed: scalar, X: b.lane(wide, i), Op: joinOps[op]}))
	}
	if len(lanes) == 1 {
		return b.convert(t, lanes[0], kir.Wrap)
	}
	return b.convert(t, &kir.Vec{Typed: kir.Typed{T: wide.Type()}, Parts: lanes}, kir.Wrap)
}

// shareArg finds the first of the best values: each item does of its own points, in order, and then the better one of two, of equal
// ones the first.
func (b *body) shareArg(e *hast.Reduce) *sharer {
	inOrder := b.kernel.team.width == 1 && !slices.ContainsFunc(b.kernel.team.order, func(r *hast.Reduce) bool { return r.Ways > 0 })
	a := &argBest{e: e, anyOrder: !inOrder}
	x := b.plainSharer(e, b.argReducer(a))
	x.join = func() kir.Expr {
		b.joinArg(a)
		return x.end()
	}
	if last := e.Space.Ranges[len(e.Space.Ranges)-1]; a.anyOrder && e.Where == nil && last.Step == 1 {
		b.passOver(x, a)
	}
	return x
}

func (b *body) joinArg(a *argBest) {
	team := b.kernel.team
	vars := append([]*kir.Var{a.best}, a.where...)
	there := func(found kir.Expr) kir.Expr { return b.op(boolType, ops.Ne, found, i32(0)) }
	isFound := &kir.Select{Typed: kir.Typed{T: i32T}, Cond: ref(a.found), Then: i32(1), Else: i32(0)}
	theirs := make([]kir.Expr, len(vars))
	bySubgroup := func(steps []int) {
		for _, by := range steps {
			for i, v := range vars {
				theirs[i] = b.shuffled(ref(v), by)
			}
			b.takeIn(a, theirs, there(b.shuffled(isFound, by)))
		}
	}
	if b.inSubgroup() {
		bySubgroup(away(team.size))
		return
	}
	b.freeParts()
	item := ref(team.item)
	columns := make([]column, len(vars))
	for i, v := range vars {
		columns[i] = team.column(b, v.Type)
		columns[i].put(item, ref(v))
	}
	found := team.column(b, i32T)
	found.put(item, isFound)
	b.tree(func(items []kir.Expr, steps []int) {
		for i, v := range vars { // the item's own variables take in what others have
			b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: columns[i].get(items[0])})
		}
		b.emit(&kir.Assign{Placed: b.placed(), Var: a.found, Value: there(found.get(items[0]))})
		for _, other := range items[1:] {
			for i, c := range columns {
				theirs[i] = b.once("other", c.get(other))
			}
			b.takeIn(a, theirs, there(found.get(other)))
		}
		bySubgroup(steps)
		for i, v := range vars {
			columns[i].put(items[0], ref(v))
		}
		found.put(items[0], isFound)
	})
	for i, v := range vars {
		b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: columns[i].get(i32(0))})
	}
	b.emit(&kir.Barrier{Placed: b.placed()})
}

// takeIn takes what another item has found, if it has, where it is better, or as good and earlier: the value and where it is.
func (b *body) takeIn(a *argBest, theirs []kir.Expr, there kir.Expr) {
	better := b.op(boolType, a.better(), theirs[0], ref(a.best))
	first := b.and(b.op(boolType, ops.Eq, theirs[0], ref(a.best)), b.earlier(a.e.Space, theirs[1:], a.place()))
	none := b.op(boolType, ops.Not, ref(a.found))
	then := []kir.Stmt{&kir.Assign{Placed: b.placed(), Var: a.found, Value: intConst(types.Bool, 1)}}
	for i, v := range append([]*kir.Var{a.best}, a.where...) {
		then = append(then, &kir.Assign{Placed: b.placed(), Var: v, Value: theirs[i]})
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: b.and(there, b.or(none, b.or(better, first))), Then: then})
}

// earlier reports whether a point of a space comes before another one.
func (b *body) earlier(s hast.Space, x, y []kir.Expr) kir.Expr {
	var cond kir.Expr
	for i := len(x) - 1; i >= 0; i-- {
		before := ops.Lt
		if s.Ranges[i].Step < 0 {
			before = ops.Gt
		}
		here := b.op(boolType, before, x[i], y[i])
		if cond != nil {
			here = b.or(here, b.and(b.op(boolType, ops.Eq, x[i], y[i]), cond))
		}
		cond = here
	}
	return cond
}

// freeParts has the reduction at hand use all of the local memory, once all items have read what the one before left there.
func (b *body) freeParts() {
	team := b.kernel.team
	if team.taken {
		b.emit(&kir.Barrier{Placed: b.placed()})
	}
	team.taken, team.used = false, map[types.Kind]int{}
}

// array is local memory for some components; all reductions in a kind share it.
func (t *team) array(k types.Kind, components int) *kir.Var {
	v := t.parts[k]
	if v == nil {
		v = &kir.Var{Name: "parts", Type: types.Scalar(k).Array(components), Space: kir.Local}
		t.parts[k] = v
		t.decls = append(t.decls, &kir.Decl{Var: v})
	}
	if v.Type.Len() < components {
		v.Type = types.Scalar(k).Array(components)
	}
	return v
}
