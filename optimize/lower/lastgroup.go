package lower

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/source"
	"imgc/types"
)

// A reduction of an image is two stages: groups reduce a part each, and one group what they found. A launch that waits for another one costs
// some microseconds, which is as long as a small image takes. With last, the group of the first launch that comes to its end last does what the
// one group of the second launch would, as far as the target orders what groups write (kir.Order); elsewhere there are two launches. So it is with
// other small stages, as running sums of a histogram's counts and tables that are made from them. Of updates in copies the last group does the fills
// before them (bins.go), and may go on with a stage behind them then, too.

// mostInTurn is the most instances of a stage that the items of a last group take in turn.
const mostInTurn = 1 << 16

// notByLastGroup says why no last group can compute a stage, whatever is launched before it.
func (r *request) notByLastGroup() string {
	switch {
	case r.d.Last == 0:
		return ""
	case r.d.Copies[0] > 0:
		return "" // the last of its own groups writes what all have found
	case r.d.Reduce > 0 && block.CountUpTo(r.stage.Space, 1) == 0:
		return "it has more than one instance, so that one group does not compute it"
	case r.d.Reduce > 0:
		return ""
	case r.d.Prefix > 0 && block.CountUpTo(across(r.stage).Space, 1) == 0:
		return "it has more than one line, so that one group does not compute it"
	case r.d.Prefix > 0:
		return ""
	}
	return r.notInTurn()
}

// notInTurn says why the items of a group cannot take the instances of a stage in turn.
func (r *request) notInTurn() string {
	s, form := r.stage, r.d
	form.Last, form.Tile, form.Lanes, form.Unroll, form.Resident, form.Vector = 0, [2]int{}, 0, 0, 0, 0
	updates := false
	hast.EachStore(s.Body, func(st *hast.Store) { updates = updates || st.Updates() })
	switch {
	case form != (schedule.Decisions{}) || r.full.Blocks():
		return "last is for stages whose reductions a group shares, for lines that one takes, for instances that its items take one by one, and for updates of copies"
	case s.Scan != nil:
		return "it runs step by step"
	case len(s.Fused) > 0 || s.Reduced != nil:
		return "others are fused with it"
	case updates:
		return "it updates pixels"
	case block.CountUpTo(s.Space, mostInTurn) == 0:
		return fmt.Sprintf("it is not known to have at most %d instances, so that one group does not compute it", mostInTurn)
	}
	return ""
}

// RefuseLast says why no last group can do what a schedule, of which decided has the decisions by the names of stages, asks of a stage behind
// some steps before it in its list, of all of a pipeline, as the end of a sentence; "" where one can.
func RefuseLast(steps, before []hast.Step, s *hast.Stage, decided func(name string) schedule.Decisions) string {
	d := decided(s.Name)
	switch {
	case d.Filled > 0:
		_, why := block.FillsOfCells(steps, before, s)
		return why
	case d.Last == 0:
		return ""
	case d.Copies[0] > 0:
		_, why := block.Fills(steps, before, s)
		return why
	}
	var first schedule.Decisions
	var directly *hast.Stage
	if n := len(before); n > 0 {
		directly, _ = before[n-1].(*hast.Stage)
	}
	if directly != nil {
		first = decided(directly.Name)
	}
	return RefuseBehind(directly, s, first, d)
}

// wholeGroup is how many work-items the groups of a stage have, as decided, if their number is known and all items reach the end of the kernel; else 0.
func wholeGroup(s *hast.Stage, d schedule.Decisions) int {
	full := Defaults().filled(s, d, d)
	switch {
	case d.Copies[0] > 0:
		return d.Copies[1]
	case d.Reduce > 0:
		return d.Reduce
	case s.Reduced != nil || oneByOne(s, d) && fillsGroups(s, full):
		return full.GroupItems()
	}
	return 0
}

// oneByOne reports whether each work-item computes an instance of a stage of one variable, and nothing else.
func oneByOne(s *hast.Stage, d schedule.Decisions) bool {
	if d.Blocks() || s.Scan != nil || len(s.Fused) > 0 || len(s.Space.Vars) != 1 {
		return false
	}
	d.Tile, d.Item, d.Lanes, d.Unroll, d.Resident, d.Vector = [2]int{}, [2]int{}, 0, 0, 0, 0
	return d.Kernel() == schedule.Decisions{}
}

// fillsGroups reports whether as many instances are known to be there as some groups have work-items.
func fillsGroups(s *hast.Stage, full schedule.Decisions) bool {
	n, ok := block.TripCount(s.Space.Ranges[0])
	return ok && n > 0 && n%int64(full.GroupItems()) == 0
}

// RefuseBehind says why the last group of the launch of a stage, as decided, cannot go on with a stage behind it, as the end of a
// sentence; "" where it can. before is nil where no stage comes directly before.
func RefuseBehind(before, s *hast.Stage, first, d schedule.Decisions) string {
	size := 0
	if before != nil {
		size = wholeGroup(before, first)
	}
	own := cmp.Or(d.Reduce, d.Prefix)
	switch {
	case d.Last == 0:
		return ""
	case before == nil:
		return "no stage comes directly before it, whose last group could do it"
	case first.Last != 0 && first.Copies[0] == 0 && own == 0:
		return "" // its group, whatever that has of work-items
	case first.Last != 0 && first.Copies[0] == 0:
		return before.Name + ", which comes before it, is done by a last group itself, which goes on with instances in turn alone"
	case size == 0:
		return before.Name + ", which comes before it, is not decided to be computed by whole groups, as by reduce or copies"
	case own != 0 && size != own:
		return fmt.Sprintf("the groups of %s, which comes before it, have %d work-items, not %d", before.Name, size, own)
	case first.Copies[0] > 0 && d.Prefix > 0 && localOf(before, s, first, d) > privateLimit:
		return fmt.Sprintf("beside the copies of %s, which comes before it, a group has no room in local memory for its line", before.Name)
	}
	return ""
}

// localOf is how many bytes of local memory a group takes that counts in copies and then takes a line: for the line those of copies of that kind, if these are enough.
func localOf(before, s *hast.Stage, first, d schedule.Decisions) int {
	images, _ := privateImages(before)
	elem := s.Scan.Prefix.Before.T
	line, free, bytes := 2*d.Prefix*elem.Bytes(), 0, 0
	for _, p := range images {
		n := componentsInPart(p, max(1, first.Parts)) * first.Copies[0] * copyKind(p.image).Bytes()
		if bytes += n; copyKind(p.image) == elem.Kind && free == 0 {
			free = n
		}
	}
	return bytes + max(0, line-free)
}

// Behind is RefuseBehind for a language, which may refuse more; nil where it has no last groups.
func Behind(order kir.Order) func(before, s *hast.Stage, first, d schedule.Decisions) string {
	if order == kir.NoOrder {
		return nil
	}
	return func(before, s *hast.Stage, first, d schedule.Decisions) string {
		why := RefuseBehind(before, s, first, d)
		switch {
		case why != "" || d.Last == 0 || order != kir.SharedOrder:
		case d.Lanes > 0:
			why = "what groups pass on is read by components, and with lanes by several at once"
		case first.Last == 0 || first.Copies[0] > 0: // else nothing is passed on by others
			why = refusePassing(before, s, first)
		}
		return why
	}
}

// refusePassing says why the last group cannot go on with a stage in a language in which it sees stores to buffers with the access kir.Shared
// alone: these are of components of at least 32 bits, and nothing orders what other groups read before it with what the last one writes.
func refusePassing(before, s *hast.Stage, first schedule.Decisions) (why string) {
	for _, m := range passed(before, first) {
		switch {
		case m.updates:
			why = fmt.Sprintf("%s, which comes before it, updates %s", before.Name, m.image.Name)
		case m.image.Elem.Kind.Bits() < 32:
			why = fmt.Sprintf("%s, which comes before it, writes pixels of %s", before.Name, m.image.Elem)
		}
	}
	for _, body := range [][]hast.Stmt{before.Body, s.Body} {
		hast.EachStore(body, func(st *hast.Store) {
			if m := st.Image.Base(); before.Loads(m) {
				why = fmt.Sprintf("%s, which comes before it, reads %s, which is written", before.Name, m.Name)
			}
		})
	}
	return why
}

// A passing is an image that the groups of a launch write.
type passing struct {
	image   *hast.Image
	updates bool
}

// passed are the stores of a stage, as decided, by which its groups write what the last of them may read. What they join in bins the last one writes itself.
func passed(s *hast.Stage, d schedule.Decisions) (list []passing) {
	hast.EachStore(block.Ended(s).Body, func(st *hast.Store) {
		if d.Copies[0] == 0 || d.Last == 0 || !block.Meets(s, st) {
			list = append(list, passing{st.Image.Base(), st.Updates()})
		}
	})
	return list
}

// An ended launch is one whose groups all reach its end.
type ended struct {
	*kernelBuilder
	stage  *hast.Stage
	launch *kir.Launch
	size   int    // items of a group
	origin *ended // whose last group does the stage; nil where the launch is the stage's own
}

// noteWhole notes the launch of a stage, if that is what its last step is and it always has groups, all of whose items reach its end.
func (pl *planner) noteWhole(k *kernelBuilder, s *hast.Stage) {
	if k.behind { // which has noted what may come behind it
		return
	}
	pl.whole = nil
	n, size := len(pl.out.Steps), wholeGroup(s, k.decided)
	if n == 0 || size == 0 {
		return
	}
	if l, ok := pl.out.Steps[n-1].(*kir.Launch); ok && alwaysRuns(l) {
		pl.whole = &ended{kernelBuilder: k, stage: s, launch: l, size: size}
	}
}

// alwaysRuns reports whether a launch has work-items whatever the sizes are.
func alwaysRuns(l *kir.Launch) bool {
	for _, n := range l.Items {
		if c, ok := constInt(n); !ok || c < 1 {
			return false
		}
	}
	return true
}

// byLastGroup adds a stage to the launch before it, as what the last group does; false where that cannot be.
func (pl *planner) byLastGroup(s *hast.Stage, k *kernelBuilder) bool {
	e, n := pl.whole, len(pl.out.Steps)
	if e == nil || n == 0 || pl.out.Steps[n-1] != kir.Step(e.launch) {
		return false
	}
	if !e.goesOnWith(s, k.decided, pl.opts.LastGroup) {
		return false
	}
	if k.decided.Reduce > 0 && e.team != nil && (pl.byTally(s, k) || pl.byWaiting(s, k)) {
		pl.whole = nil
		return true
	}
	k.adopt(e)
	form := k.goingOn(s, e)
	if k.last = e.last; k.last != nil { // which has filled images, or done a stage
		k.last.Body = slices.Concat(k.last.Body, []kir.Stmt{&kir.Barrier{Placed: k.body.placed(), Buffers: true}}, k.body.scope.stmts)
		k.goOn(e, form.shared)
	} else {
		last, shared := k.lastGroup(s, pl.kept(s.Name+"_groups", types.U32, 1, s.At))
		last.Body = k.body.scope.stmts
		k.goOn(e, slices.Concat(form.shared, shared), last)
		k.last = last
	}
	pl.whole = &ended{kernelBuilder: k, stage: s, launch: e.launch, size: e.size, origin: e.first()}
	return true
}

// first is the launch whose last group does the stage.
func (e *ended) first() *ended { return cmp.Or(e.origin, e) }

// goesOnWith reports whether the last group can go on with a stage as decided.
func (e *ended) goesOnWith(s *hast.Stage, d schedule.Decisions, order kir.Order) bool {
	refuse, first := Behind(order), e.first()
	switch {
	case refuse == nil || refuse(e.stage, s, e.decided, d) != "":
		return false
	case order != kir.SharedOrder:
		return true
	}
	return first.passes && refusePassing(first.stage, s, first.decided) == ""
}

// goingOn lowers a stage as what the last group of an ended launch does.
func (k *kernelBuilder) goingOn(s *hast.Stage, e *ended) shape {
	switch {
	case k.decided.Reduce > 0:
		k.team = e.team
		return k.shape(s)
	case k.decided.Prefix > 0:
		k.free = e.freed()
		return k.shape(s)
	}
	item := k.body.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	k.body.bounds[item] = interval.Between(0, int64(e.size)-1)
	vars := s.Across()
	last := len(vars) - 1
	k.loops(s, vars[:last], func() { k.inTurns(s, vars[last], item, e.size) })
	return shape{}
}

// freed are the copies that a launch is done with, the first of each kind.
func (e *ended) freed() map[types.Kind]*kir.Var {
	free := map[types.Kind]*kir.Var{}
	images, _ := privateImages(e.stage)
	for _, p := range images {
		if held := e.private[p.image]; held != nil && free[held.local.Type.Kind] == nil {
			free[held.local.Type.Kind] = held.local
		}
	}
	return free
}

// adopt has what is lowered next be a part of an ended launch.
func (k *kernelBuilder) adopt(e *ended) {
	k.behind = true
	k.buffers, k.byImage, k.scalars, k.byKey, k.ids = e.buffers, e.byImage, e.scalars, e.byKey, e.ids
	maps.Copy(k.body.bounds, e.body.bounds)
}

// goOn ends an ended launch once more, with statements before and behind those that it has.
func (k *kernelBuilder) goOn(e *ended, before []kir.Stmt, behind ...kir.Stmt) {
	kernel := e.launch.Kernel
	kernel.Body = dropUnused(slices.Concat(before, kernel.Body, behind))
	kernel.Params, e.launch.Args = nil, nil
	k.pass(kernel, e.launch)
}

// passOn has what a stage writes be accessed so that the last group sees it, where that goes on with the next stage and sees no more.
func (k *kernelBuilder) passOn(s *hast.Stage) {
	pl := k.plan
	next, ok := pl.next.(*hast.Stage)
	isLast := k.decided.Last != 0 && k.decided.Copies[0] == 0
	if !ok || pl.opts.LastGroup != kir.SharedOrder || isLast {
		return
	}
	if d := pl.decisions(next); d.Last == 0 || Behind(kir.SharedOrder)(s, next, k.decided, d) != "" {
		return
	}
	k.passes = true
	for _, m := range passed(s, k.decided) {
		k.shared[m.image] = true
	}
}

// lastGroup starts what the last group of a launch does, which the first component of an image that is kept counts; and declares what that needs in
// local memory.
func (k *kernelBuilder) lastGroup(s *hast.Stage, counter *hast.Image) (last *kir.LastGroup, shared []kir.Stmt) {
	last = &kir.LastGroup{Placed: kir.Placed{At: s.At}, Counter: k.buffer(counter, kir.Reads|kir.Writes).v}
	if k.plan.opts.LastGroup == kir.SharedOrder {
		last.Flag = &kir.Var{Name: "is_last", Type: u32T.Array(1), Space: kir.Local}
		shared = append(shared, &kir.Decl{Placed: last.Placed, Var: last.Flag})
	}
	return last, shared
}

// kept is a local image of some components, which are 0 between launches.
func (pl *planner) kept(name string, kind types.Kind, components int, at source.Span) *hast.Image {
	if m := pl.inCommon[name]; m != nil {
		return m
	}
	n := &hast.Const{Typed: hast.Typed{T: types.Scalar(types.I64), At: at}, Words: []types.Word{types.Int(int64(components))}}
	m := &hast.Image{Name: name, Dir: hast.Local, Elem: types.Scalar(kind), Extent: []hast.Expr{n}, At: at}
	pl.image(m)
	pl.images[m].Kept = true
	if pl.inCommon != nil {
		pl.inCommon[name] = m
	}
	return m
}
