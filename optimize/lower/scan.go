package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/optimize/schedule"
)

// A scan runs its steps in loops of work-items. Where the lines along the scan are independent, each is one item; else one item
// runs all instances, step by step, or a group those of each step side by side.

// workVars are the variables of a stage that work-items stand for, by their places in its space.
func workVars(s *hast.Stage) []int {
	if s.Scan.Meet() {
		return nil
	}
	return s.Across()
}

// across is the stage with the variables alone that work-items stand for.
func across(s *hast.Stage) *hast.Stage {
	out := *s
	out.Space = hast.Space{}
	for _, i := range workVars(s) {
		out.Space.Vars = append(out.Space.Vars, s.Space.Vars[i])
		out.Space.Ranges = append(out.Space.Ranges, s.Space.Ranges[i])
	}
	return &out
}

// steps runs inner for the variables that no work-item stands for: that of the scan outermost.
func (k *kernelBuilder) steps(s *hast.Stage, inner func()) {
	switch {
	case s.Scan == nil:
		inner()
	case s.Scan.Meet():
		k.loops(s, append([]int{s.Scan.Axis}, s.Across()...), inner)
	default:
		k.carry(s)
		step := func() {
			inner()
			k.passOnStep()
		}
		if n := k.decided.Ahead; n > 0 {
			k.lineInAdvance(s, n, step)
			return
		}
		k.loops(s, []int{s.Scan.Axis}, step)
	}
}

// loops runs inner in loops over variables of a stage, the first outermost.
func (k *kernelBuilder) loops(s *hast.Stage, order []int, inner func()) {
	if len(order) == 0 {
		inner()
		return
	}
	loop := k.loop(s, order[0], func() { k.loops(s, order[1:], inner) })
	if s.Scan != nil && order[0] == s.Scan.Axis && backwards(s) {
		loop.Lo, loop.Hi, loop.Step = sub(loop.Hi, i32(1)), i32(-1), -1
	}
}

// loop runs inner in a loop over the values of a variable of a stage, which counts them from 0 on by ones until its caller has it count otherwise.
func (k *kernelBuilder) loop(s *hast.Stage, axis int, inner func()) *kir.For {
	b, v, r := k.body, s.Space.Vars[axis], s.Space.Ranges[axis]
	count := k.scalarOrConst(v.Name+"_count", k.rounds(r), interval.Between(0, hast.MaxExtent))
	step := b.loopVar(v.Name+"_step", interval.Between(0, hast.MaxExtent-1))
	loop := &kir.For{Placed: b.placed(), Var: step, Lo: i32(0), Hi: count, Step: 1}
	loop.Body = b.inside(false, func() {
		k.iterator(v, r, ref(step))
		inner()
	})
	b.emit(loop)
	return loop
}

// refuseSteps says why a group cannot take the instances of each step of a stage, as the end of a sentence; "" where it can.
func refuseSteps(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	size := d.Steps
	d.Place, d.Steps, d.Unroll, d.Resident, d.Loops, d.Coarse = 0, 0, 0, 0, [2]int{}, [3]int{}
	switch {
	case d != schedule.Decisions{}:
		return "steps stands with unroll and resident alone"
	case s.Scan == nil:
		return "it is no scan"
	case len(s.Across()) == 0 && (size < 2 || size&(size-1) != 0):
		return fmt.Sprintf("a group of %d work-items is no power of two above 1", size)
	case len(s.Across()) == 0:
		return refuseSharedSteps(s, size, mode)
	case !s.Scan.Meet():
		return "its lines along the scan touch no pixel together, so that each is a work-item's"
	}
	return ""
}

// inSteps lowers a scan that one group of work-items runs: of each step neighbouring items take neighbouring instances, and all wait before the next,
// since that may read what any of them has written, or write what they have read.
func (k *kernelBuilder) inSteps(s *hast.Stage, size int) shape {
	if len(s.Across()) == 0 {
		return k.sharedSteps(s, size)
	}
	b := k.body
	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item] = interval.Between(0, int64(size)-1)
	across := s.Across()
	between, last := across[:len(across)-1], across[len(across)-1]
	k.loops(s, []int{s.Scan.Axis}, func() {
		k.loops(s, between, func() { k.inTurns(s, last, item, size) })
		b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
	})
	return shape{items: [3]kir.Expr{i64(int64(size)), i64(1), i64(1)}, group: [3]int{size, 1, 1}}
}

// refuseSharedSteps says why a group of so many cannot share the reductions of each step of a scan of one line. They come before anything is stored: behind another store
// they would not see what it has written.
func refuseSharedSteps(s *hast.Stage, size int, mode kir.Mode) string {
	stores := 0
	hast.EachStore(s.Body, func(*hast.Store) { stores++ })
	if stores > 1 {
		return "a step stores several pixels, which reductions may read"
	}
	return sharingRefuses(s, size, mode)
}

// sharedSteps lowers a scan of one line that one group of work-items runs, which share the reductions of each step. All wait behind it: for what the first one has stored, and
// before local memory has what the next step finds.
func (k *kernelBuilder) sharedSteps(s *hast.Stage, size int) shape {
	b := k.body
	t := newTeam(s, size, 1, [2]int{1, 1}, k.decided.Unroll)
	k.team, t.order = t, sharedReductions(s)
	for _, r := range t.order {
		t.shares[r] = true
	}
	t.place(b)
	k.loops(s, []int{s.Scan.Axis}, func() {
		k.instance(s)
		if !readsOwn(s) { // else they have waited
			b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
		}
	})
	return shape{items: [3]kir.Expr{i64(int64(size)), i64(1), i64(1)}, group: [3]int{size, 1, 1}, shared: t.decls}
}

// readsOwn reports whether a stage reads an image that it stores to.
func readsOwn(s *hast.Stage) (found bool) {
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || s.Loads(st.Image.Base()) })
	return found
}

// inTurns has each item of a group take every size-th value of a variable of the stage.
func (k *kernelBuilder) inTurns(s *hast.Stage, axis int, item *kir.Var, size int) {
	loop := k.loop(s, axis, func() { k.instance(s) })
	loop.Lo, loop.Step, loop.Exact = ref(item), int64(size), true
}
