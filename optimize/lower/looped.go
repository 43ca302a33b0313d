package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/loops"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A looper is a kernel of one work-group that runs a loop of the pipeline: of each stage neighbouring items take neighbouring instances, and all items wait
// before the next one, which may read what any of them has written, or write what they have read.
type looper struct {
	*kernelBuilder
	size [2]int       // work-items in x and y
	item [2]kir.Expr  // of the group, in x and y
	line kir.Expr     // the number of the item, for spaces of one axis
	most int          // instances of a stage, and pixels of what is held
	held []*heldImage // nil where memory has the images
}

// loopWidth is how many work-items of a group that runs a loop lie side by side.
const loopWidth = 32

// forHost lowers a loop: on the host, or where that is decided and images are small, as one launch. What is in a loop that may be one is not one by itself.
func (pl *planner) forHost(s *hast.ForHost) {
	d := pl.looped(s)
	if d.Loops[0] == 0 {
		pl.onHost(s)
		return
	}
	pl.inLoop = true
	defer func() { pl.inLoop = false }()
	few, cond := pl.byOneGroup(s, d)
	if swap := loops.Swap(s); swap != nil { // the kernel has done so in pairs of rounds
		odd := opExpr(boolType, ops.Ne, []kir.Expr{opExpr(i64T, ops.Rem, []kir.Expr{pl.rounds(s), i64(2)}, true), i64(0)}, true)
		few = append(few, &kir.IfHost{Cond: odd, Then: pl.inside(func() { pl.control(swap) })})
	}
	many := pl.inside(func() { pl.onHost(s) })
	pl.emit(&kir.IfHost{Cond: cond, Then: few, Else: many})
	pl.whole = nil
}

// onHost lowers a loop on the host.
func (pl *planner) onHost(s *hast.ForHost) {
	lo, hi := pl.hostExpr(s.Range.Lo), pl.hostExpr(s.Range.Hi)
	pl.boundRound(s)
	v := pl.hostVar(s.Var, types.Scalar(types.I64))
	pl.findLasting(s)
	was := pl.settles
	pl.settles = s
	pl.emit(&kir.ForHost{Var: v, Lo: lo, Hi: hi, Step: s.Range.Step, Body: pl.steps(s.Body)})
	pl.settles = was
}

// unlessSettled are the statements by which the work-items of a launch leave where the round before has left its flag down, in a loop of which those behind such a round change nothing: groups that
// start and end take a part of what they would compute. None in other loops, and where a round has become something else.
func (k *kernelBuilder) unlessSettled() []kir.Stmt {
	l, s := k.plan.settles, k.of
	if !k.plan.opts.LeavesSettled || l == nil || l.Settles == nil || len(l.Body) != 2 || l.Body[0] != hast.Step(s) || len(s.Fused) > 0 || !block.Flag(s, l.Settles) {
		return nil
	}
	b, round := k.body, hast.RefTo(l.Var)
	before := hast.Coord{X: hast.Binary(ops.Max, hast.Plus(round, -1), hast.Int(0))}
	down := &hast.Op{Typed: hast.Typed{T: boolType, At: s.At}, Op: ops.Not, Args: []hast.Expr{
		&hast.Load{Typed: hast.Typed{T: l.Settles.Elem, At: s.At}, Image: l.Settles, Index: []hast.Coord{before}},
	}}
	return b.inside(false, func() {
		settled := b.and(b.expr(hast.Compare(ops.Gt, round, hast.Int(0))), b.expr(down))
		b.emit(&kir.If{Placed: b.placed(), Cond: settled, Then: []kir.Stmt{&kir.Return{Placed: b.placed()}}})
	})
}

// findLasting notes which stages of a loop on the host only its last round runs: where none of them is decided to be done by the last group of another one.
func (pl *planner) findLasting(s *hast.ForHost) {
	for _, x := range loops.Stages(s) {
		if d := pl.decisions(x); d.Last != 0 || d.Filled != 0 {
			return
		}
	}
	next := hast.Binary(ops.Add, hast.RefTo(s.Var), hast.Int(s.Range.Step))
	for _, x := range loops.LastAlone(s) {
		if !pl.storedBefore(x, s) {
			continue
		}
		pl.lasting[x] = hast.Compare(ops.Ge, next, s.Range.Hi)
	}
}

// storedBefore reports whether all that a stage of a loop writes has been written before the loop: who sets a flag may look at it in rounds that do not lower it.
func (pl *planner) storedBefore(x *hast.Stage, loop *hast.ForHost) bool {
	var before []*hast.Image
	for _, step := range pl.src.Steps {
		found := false
		hast.WalkSteps([]hast.Step{step}, func(s hast.Step) { found = found || s == hast.Step(loop) })
		if found {
			break
		}
		if s, ok := step.(*hast.Stage); ok {
			hast.EachStore(s.Body, func(st *hast.Store) { before = append(before, st.Image) })
		}
	}
	all := true
	hast.EachStore(x.Body, func(st *hast.Store) {
		all = all && (st.Image.Dir == hast.InOut || slices.Contains(before, st.Image))
	})
	return all
}

// inLastRound lowers a stage that only the last round of its loop runs; false for others.
func (pl *planner) inLastRound(s hast.Step) bool {
	last := pl.lasting[s]
	if last == nil {
		return false
	}
	cond := pl.hostExpr(last)
	pl.emit(&kir.IfHost{Cond: cond, Then: pl.inside(func() { pl.step(s) })})
	pl.whole = nil
	return true
}

// boundRound notes which values the variable of a loop has.
func (pl *planner) boundRound(s *hast.ForHost) {
	limits := interval.OfKind(types.I32) // the executor sees to it
	pl.bounds[s.Var] = loopInterval(pl.hostInterval(s.Range.Lo).Meet(limits), pl.hostInterval(s.Range.Hi).Meet(limits), s.Range.Step)
}

// looped are the decisions for the last stage of a loop that one group may run; none where it may not.
func (pl *planner) looped(s *hast.ForHost) schedule.Decisions {
	last := loops.Last(s)
	if pl.inLoop || last == nil || loops.Refuse(s) != "" {
		return schedule.Decisions{}
	}
	return pl.decisions(last)
}

// byOneGroup is the launch of one group that runs a loop, and when its images are small enough, a host value.
func (pl *planner) byOneGroup(s *hast.ForHost, d schedule.Decisions) (launch []kir.Step, cond kir.Expr) {
	last := loops.Last(s)
	l := pl.newLooper(last, d, d.Loops[0], d.Loops[1])
	if !loops.Formulas(s) {
		l.hold(loops.Touches(s))
	}
	l.place()
	l.fetch()
	l.round(s)
	l.put()
	return []kir.Step{l.launch(last.Name + "_loop")}, l.small(s)
}

// newLooper starts the kernel of a group of so many items that computes several stages, of which one is the last, each of at most so many instances.
func (pl *planner) newLooper(last *hast.Stage, d schedule.Decisions, items, most int) *looper {
	one := schedule.Decisions{Unroll: d.Unroll}
	k := pl.newKernel(last, one.Over(pl.opts.fallback(last, one)))
	k.updates = updates{map[*hast.Image]bool{}, map[*hast.Image]*hast.Image{}, map[*hast.Image]bool{}, totalsOf(last, pl.opts.Mode)}
	return &looper{kernelBuilder: k, size: [2]int{min(items, loopWidth), max(1, items/loopWidth)}, most: most}
}

// launch finishes the kernel.
func (l *looper) launch(name string) *kir.Launch {
	items := [3]kir.Expr{i64(int64(l.size[0])), i64(int64(l.size[1])), i64(1)}
	form := shape{items: items, group: [3]int{l.size[0], l.size[1], 1}}
	for _, h := range l.held {
		form.shared = append(form.shared, &kir.Decl{Var: h.local.v})
	}
	return l.finish(name, form)
}

// small is when a loop runs at all (or what is held would be stored without a round that has written it), its stages have few instances, and what is held
// few pixels: a host value.
func (l *looper) small(s *hast.ForHost) kir.Expr {
	pl := l.plan
	counts := l.instanceCounts(loops.Stages(s))
	for _, h := range l.held {
		var list []kir.Expr
		for _, e := range h.Image.Extent {
			list = append(list, pl.hostExpr(e))
		}
		counts = append(counts, list)
	}
	return l.few(opExpr(boolType, ops.Gt, []kir.Expr{pl.rounds(s), i64(0)}, true), counts)
}

// instanceCounts are how many values each variable of each stage has.
func (l *looper) instanceCounts(stages []*hast.Stage) (counts [][]kir.Expr) {
	for _, x := range stages {
		var list []kir.Expr
		for _, r := range x.Space.Ranges {
			list = append(list, l.count(r))
		}
		counts = append(counts, list)
	}
	return counts
}

// few is a condition, and that products of counts are few: each is asked for once.
func (l *looper) few(cond kir.Expr, counts [][]kir.Expr) kir.Expr {
	seen := map[string]bool{}
	for _, list := range counts {
		n := i64(1)
		for _, c := range list {
			n = mul(n, c)
		}
		if k := key(n, l.ids); !seen[k] {
			seen[k] = true
			cond = opExpr(boolType, ops.LAnd, []kir.Expr{cond, opExpr(boolType, ops.Le, []kir.Expr{n, i64(int64(l.most))}, true)}, true)
		}
	}
	return cond
}

// A heldImage is an image of a loop that the group has in local memory while the loop runs: copy, under another name.
type heldImage struct {
	*loops.Touch
	copy          *hast.Image
	global, local *buffer
}

// hold makes arrays in local memory for the images of a loop, if all of them are of numbers and fit.
func (l *looper) hold(touched []*loops.Touch) {
	bytes := 0
	for _, t := range touched {
		kind := l.plan.images[t.Image].Elem.Kind
		if t.Image.Elem.Lanes > 1 || kind.Bits() == 16 && kind.IsFloat() {
			return
		}
		bytes += kir.LocalBytes(types.Scalar(kind).Array(l.most))
	}
	if bytes > loops.Local {
		return
	}
	for _, t := range touched {
		h := &heldImage{Touch: t, global: l.buffer(t.Image, 0)}
		again := *t.Image
		again.Name += "_held"
		h.copy, l.plan.images[&again] = &again, l.plan.images[t.Image]
		local := *h.global
		local.v = &kir.Var{Name: identifier(h.copy), Type: types.Scalar(local.memory.Kind).Array(l.most), Space: kir.Local, Access: kir.Reads | kir.Writes, At: t.Image.At}
		local.start, local.params, local.pitch = nil, nil, i64(1)
		for k := local.lineAxis + 1; k < len(local.extent); k++ {
			local.pitch = mul(local.pitch, convert(local.extent[k], types.I64))
		}
		h.local, l.byImage[h.copy] = &local, &local
		l.held = append(l.held, h)
	}
}

// fetch loads what is held, from where on the loop has it there.
func (l *looper) fetch() {
	for _, h := range l.held {
		if h.Before {
			l.instances(hast.CopyStage(h.copy, h.Image, h.copy.Name, h.Image.At))
		}
	}
	for _, h := range l.held {
		l.byImage[h.Image] = h.local
	}
	if len(l.held) > 0 {
		l.body.emit(&kir.Barrier{Placed: l.body.placed()})
	}
}

// put stores what is held and may have changed.
func (l *looper) put() {
	for _, h := range l.held {
		l.byImage[h.Image] = h.global
	}
	for _, h := range l.held {
		if h.Writes {
			l.instances(hast.CopyStage(h.Image, h.copy, h.copy.Name, h.Image.At))
		}
	}
}

// place declares the place of the work-item in its group.
func (l *looper) place() {
	l.item = l.body.lanes(l.size)
	l.line = exactly(ops.Add, l.item[0], exactly(ops.Mul, l.item[1], i32(int64(l.size[0]))))
}

// round runs the rounds of a loop.
func (l *looper) round(s *hast.ForHost) {
	b := l.body
	l.plan.boundRound(s)
	from := l.scalarOrConst(s.Var.Name+"_from", l.plan.hostExpr(s.Range.Lo), interval.OfKind(types.I32))
	count := l.scalarOrConst(s.Var.Name+"_count", l.plan.rounds(s), interval.Between(0, interval.OfKind(types.I32).Hi))
	v := b.loopVar(s.Var.Name+"_round", interval.Between(0, interval.OfKind(types.I32).Hi-1))
	one := func(number kir.Expr) {
		step := opExpr(i32T, ops.Mul, []kir.Expr{number, i32(s.Range.Step)}, true)
		x := b.declare(s.Var.Name, i32T, false, opExpr(i32T, ops.Add, []kir.Expr{from, step}, true))
		b.bounds[x], b.vars[s.Var] = l.plan.bounds[s.Var], ref(x)
		l.steps(s.Body)
		delete(b.vars, s.Var)
	}
	loop := &kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: count, Step: 1, Rounds: kir.Looped, Body: b.inside(false, func() { one(ref(v)) })}
	if swap := loops.Swap(s); swap != nil {
		next := exactly(ops.Add, ref(v), i32(1))
		l.exchange(swap)
		second := b.inside(false, func() { one(next) })
		l.exchange(swap)
		loop.Body = append(loop.Body, &kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, next, count), Then: second})
		loop.Step, loop.Exact = 2, true
	}
	b.emit(loop)
}

// rounds is how often a loop runs, a host value.
func (pl *planner) rounds(s *hast.ForHost) kir.Expr {
	return opExpr(i64T, ops.Max, []kir.Expr{pl.count(s.Range), i64(0)}, true)
}

// exchange has what follows take each of two images for the other.
func (l *looper) exchange(s *hast.Swap) {
	a, b := l.buffer(s.A, 0), l.buffer(s.B, 0)
	l.byImage[s.A], l.byImage[s.B] = b, a
}

// steps runs the steps of a round.
func (l *looper) steps(list []hast.Step) {
	b := l.body
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Stage:
			b.pos = s.At
			l.instances(s)
			b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
		case *hast.ForHost:
			l.round(s)
		case *hast.IfHost:
			cond := l.scalar("when", boolType, l.plan.hostExpr(s.Cond), interval.Between(0, 1))
			then := b.inside(false, func() { l.steps(s.Then) })
			b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: then, Else: b.inside(false, func() { l.steps(s.Else) })})
		case *hast.Swap: // which the next round does
		case *hast.Fresh: // of pixels that nothing reads before they are written
		default:
			panic(fmt.Sprintf("lower: %T in a loop that a group runs", s))
		}
	}
}

// instances computes those of a stage: x and y in turns, and for each place along the other axes.
func (l *looper) instances(s *hast.Stage) {
	n := len(s.Space.Vars)
	l.flags = flagsOf(s)
	if n == 1 {
		l.turns(s, 0, l.line, l.size[0]*l.size[1], func() { l.instance(s) })
		return
	}
	l.outer(s, n-2, func() {
		l.turns(s, n-2, l.item[1], l.size[1], func() {
			l.turns(s, n-1, l.item[0], l.size[0], func() { l.instance(s) })
		})
	})
}

// outer runs inner for each place along the first axes of a space.
func (l *looper) outer(s *hast.Stage, axes int, inner func()) {
	if axes == 0 {
		inner()
		return
	}
	l.outer(s, axes-1, func() { l.loop(s, axes-1, inner) })
}

// turns has an item take every size-th value of a variable of a stage, from the first on.
func (l *looper) turns(s *hast.Stage, axis int, first kir.Expr, size int, inner func()) {
	loop := l.loop(s, axis, inner)
	loop.Lo, loop.Step, loop.Exact = first, int64(size), true
}

// refuseLoops says why a stage cannot be the last one of a loop that one group runs.
func (r *request) refuseLoops() string {
	return r.refuseOneGroup("a loop is run", r.d.Loops[0])
}

// refuseOneGroup says why a stage cannot be the last one of those that one group of so many items computes.
func (r *request) refuseOneGroup(what string, items int) string {
	switch {
	case items == 0:
		return ""
	case items > maxGroup:
		return fmt.Sprintf("%s by a group of at most %d work-items, not of %d", what, maxGroup, items)
	case items > loopWidth && items%loopWidth != 0:
		return fmt.Sprintf("%s by a group of rows of %d work-items, not of %d", what, loopWidth, items)
	}
	return loops.RefuseStage(r.stage)
}
