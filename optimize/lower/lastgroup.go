package lower

import (
	"fmt"
	"maps"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/source"
	"imgc/types"
)

// A reduction of an image is two stages: groups reduce a part each, and one group what they found. A launch that waits for another one costs
// some microseconds, which is as long as a small image takes. With last, the group of the first launch that comes to its end last does what the
// one group of the second launch would, as far as the target orders what groups write (kir.Order); elsewhere there are two launches. Of updates
// in copies the last group does the fills before them (bins.go).

// notByLastGroup says why no last group can compute a stage, whatever is launched before it.
func (r *request) notByLastGroup() string {
	switch {
	case r.d.Last == 0:
		return ""
	case r.d.Copies[0] > 0:
		return "" // the last of its own groups writes what all have found
	case r.d.Reduce == 0:
		return "last is for stages whose reductions a group shares, and for those that update copies"
	}
	for _, x := range r.stage.Space.Ranges {
		if n, ok := block.TripCount(x); !ok || n != 1 {
			return "it has more than one instance, so that one group does not compute it"
		}
	}
	return ""
}

// RefuseLast says why no last group can do what a schedule, of which decided has the decisions by the names of stages, asks of a stage behind
// some steps, as the end of a sentence; "" where one can.
func RefuseLast(before []hast.Step, s *hast.Stage, decided func(name string) schedule.Decisions) string {
	d := decided(s.Name)
	switch {
	case d.Last == 0:
		return ""
	case d.Copies[0] > 0:
		_, why := block.Fills(before, s)
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
	return RefuseBehind(directly, first, d)
}

// RefuseBehind says why the last group of the launch of a stage, as decided, cannot go on with a stage behind it, as the end of a
// sentence; "" where it can. before is nil where no stage comes directly before.
func RefuseBehind(before *hast.Stage, first, d schedule.Decisions) string {
	size := first.Reduce
	switch {
	case first.Copies[0] > 0:
		size = first.Copies[1]
	case before != nil && before.Reduced != nil:
		size = Defaults().filled(before, first, first).GroupItems()
	}
	switch {
	case d.Last == 0:
		return ""
	case before == nil:
		return "no stage comes directly before it, whose last group could do it"
	case size == 0:
		return before.Name + ", which comes before it, is not decided to be computed by whole groups, that is by reduce or copies"
	case size != d.Reduce:
		return fmt.Sprintf("the groups of %s, which comes before it, have %d work-items, not %d", before.Name, size, d.Reduce)
	case first.Last != 0:
		return before.Name + ", which comes before it, has or is done by a last group itself"
	}
	return ""
}

// Behind is RefuseBehind for a language, which may refuse more; nil where it has no last groups.
func Behind(order kir.Order) func(before, s *hast.Stage, first, d schedule.Decisions) string {
	if order == kir.NoOrder {
		return nil
	}
	return func(before, s *hast.Stage, first, d schedule.Decisions) string {
		why := RefuseBehind(before, first, d)
		if why == "" && d.Last != 0 && order == kir.SharedOrder {
			why = refusePassing(before, s)
		}
		return why
	}
}

// refusePassing says why the last group cannot go on with a stage in a language in which it sees stores to buffers with the access kir.Shared
// alone: these are of components of at least 32 bits, and nothing orders what other groups read before it with what the last one writes.
func refusePassing(before, s *hast.Stage) (why string) {
	hast.EachStore(block.Ended(before).Body, func(st *hast.Store) {
		switch m := st.Image.Base(); {
		case st.Updates():
			why = fmt.Sprintf("%s, which comes before it, updates %s", before.Name, m.Name)
		case m.Elem.Kind.Bits() < 32:
			why = fmt.Sprintf("%s, which comes before it, writes pixels of %s", before.Name, m.Elem)
		}
	})
	for _, body := range [][]hast.Stmt{before.Body, s.Body} {
		hast.EachStore(body, func(st *hast.Store) {
			if m := st.Image.Base(); before.Loads(m) {
				why = fmt.Sprintf("%s, which comes before it, reads %s, which is written", before.Name, m.Name)
			}
		})
	}
	return why
}

// An ended launch is one whose groups all reach its end.
type ended struct {
	*kernelBuilder
	stage  *hast.Stage
	launch *kir.Launch
}

// noteWhole notes the launch of a stage, if that is what its last step is and it always has groups, all of whose items reach its end.
func (pl *planner) noteWhole(k *kernelBuilder, s *hast.Stage) {
	pl.whole = nil
	if n := len(pl.out.Steps); n > 0 && (k.decided.Reduce > 0 || k.decided.Copies[0] > 0 || s.Reduced != nil) && !k.behind {
		if l, ok := pl.out.Steps[n-1].(*kir.Launch); ok && alwaysRuns(l) {
			pl.whole = &ended{k, s, l}
		}
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
	if refuse := Behind(pl.opts.LastGroup); refuse == nil || refuse(e.stage, s, e.decided, k.decided) != "" || pl.opts.LastGroup == kir.SharedOrder && !e.passes {
		return false
	}
	if pl.byTally(s, k) || pl.byWaiting(s, k) {
		return true
	}
	k.adopt(e)
	k.team = e.team
	form := k.shape(s)
	last, shared := k.lastGroup(s, pl.kept(s.Name+"_groups", types.U32, 1, s.At))
	last.Body = k.body.scope.stmts
	k.goOn(e, slices.Concat(form.shared, shared), last)
	return true
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
	if !ok || pl.opts.LastGroup != kir.SharedOrder {
		return
	}
	if d := pl.decisions(next); d.Last == 0 || Behind(kir.SharedOrder)(s, next, k.decided, d) != "" {
		return
	}
	k.passes = true
	hast.EachStore(block.Ended(s).Body, func(st *hast.Store) { k.shared[st.Image.Base()] = true })
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
