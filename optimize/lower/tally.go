package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Where what groups pass on to the last one is a sum of integers that leaves room for their number beside it (see block.Tally), one work-item of each
// group adds its part, and the one that comes last goes on with the sum.

// byTally adds a stage to the launch before it as what its last group does with the sum of all parts; false where these are no tally.
func (pl *planner) byTally(s *hast.Stage, k *kernelBuilder) bool {
	e := pl.whole
	t, ok := block.TallyOf(e.stage, s)
	if !ok || pl.readElsewhere(t.Parts, s) || e.team.exists != nil { // those that have no instance would leave nothing
		return false
	}
	holder, at := storeTo(e.launch.Kernel.Body, e.byImage[t.Parts].v)
	if holder == nil {
		return false
	}
	part := holder.Then[at].(*kir.Store).Value
	k.adopt(e)
	switch {
	case e.team.slot == nil:
	case e.decided.Flat != 0:
		holder, at = k.ofFirst(e, holder, at)
	default:
		holder, at, part = k.allOf(e, holder, at, part)
	}
	sum := &kir.Var{Name: "all", Type: i64T, At: s.At}
	k.body.totals = map[*hast.Reduce]kir.Expr{t.Total: k.body.convert(t.Total.T, ref(sum), kir.Wrap)}
	last := &kir.LastSum{
		Placed: kir.Placed{At: s.At}, Tally: k.buffer(pl.kept(s.Name+"_tally", types.U64, 1, s.At), kir.Reads|kir.Writes).v,
		Part: k.body.convert(i64T, part, kir.Wrap), Sum: sum, Shift: t.Shift,
	}
	last.Body = k.body.inside(false, func() {
		for i, v := range s.Space.Vars {
			k.iterator(v, s.Space.Ranges[i], i32(0))
		}
		k.body.stmts(s.Body)
	})
	holder.Then[at] = last
	k.goOn(e, nil)
	parts := pl.images[t.Parts]
	pl.out.Locals = slices.DeleteFunc(pl.out.Locals, func(m *kir.Image) bool { return m == parts })
	return true
}

// allOf has the instances of a group leave their parts in local memory, each where it would store it, and one item of the group add them up: where that stores the sum of all.
func (k *kernelBuilder) allOf(e *ended, holder *kir.If, at int, part kir.Expr) (*kir.If, int, kir.Expr) {
	b, t, kernel := k.body, e.team, e.launch.Kernel
	each := &kir.Var{Name: "each", Type: i64T.Array(t.groups), Space: kir.Local}
	holder.Then[at] = &kir.Assign{Placed: kir.Placed{At: holder.At}, Var: each, Index: []kir.Expr{ref(t.slot)}, Value: b.convert(i64T, part, kir.Wrap)}
	sum := b.elemOf(each, consts([]int64{0}))
	for i := 1; i < t.groups; i++ {
		sum = b.op(i64T, ops.Add, sum, b.elemOf(each, consts([]int64{int64(i)})))
	}
	first := &kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Eq, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0}, i32(0)), Then: []kir.Stmt{nil}}
	kernel.Body = slices.Concat([]kir.Stmt{&kir.Decl{Var: each}}, kernel.Body, []kir.Stmt{&kir.Barrier{Placed: b.placed()}, first})
	return first, 0, sum
}

// ofFirst has the first instance of a group leave its part alone: where that stores it.
func (k *kernelBuilder) ofFirst(e *ended, holder *kir.If, at int) (*kir.If, int) {
	first := &kir.If{Placed: kir.Placed{At: holder.At}, Cond: k.body.op(boolType, ops.Eq, ref(e.team.slot), i32(0)), Then: []kir.Stmt{nil}}
	holder.Then[at] = first
	return first, 0
}

// storeTo finds the one condition of a kernel behind which a part is stored to a buffer, and at which place.
func storeTo(body []kir.Stmt, v *kir.Var) (holder *kir.If, at int) {
	for _, s := range body {
		cond, ok := s.(*kir.If)
		if !ok {
			continue
		}
		for i, then := range cond.Then {
			if store, ok := then.(*kir.Store); ok && store.Buffer == v {
				holder, at = cond, i
			}
		}
	}
	return holder, at
}

// readElsewhere reports whether a stage of the pipeline but one reads an image.
func (pl *planner) readElsewhere(m *hast.Image, but *hast.Stage) bool {
	found := false
	hast.WalkStages(pl.src.Steps, func(_ []hast.Step, s *hast.Stage) { found = found || s != but && s.Loads(m) })
	return found
}
