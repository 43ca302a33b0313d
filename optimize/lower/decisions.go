package lower

import (
	"cmp"
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// maxGroup is the number of work-items in a group that every device of interest can run.
const maxGroup = 1024

// maxBlock bounds the instances that a work-item computes, since the code for them is written out.
const maxBlock = 256

// Refuse says why a stage cannot be carried out as decided, on any device of interest, as the end of a sentence; "" where it can.
func Refuse(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	return RefuseWithin(s, d, mode, 0)
}

// MostLocal is the most local memory that any device gives a group, in bytes: devices of CUDA's do so where the host asks for it.
const MostLocal = 227 << 10

// RefuseWithin is Refuse for devices on which groups have so many bytes of local memory, if that is more than all have.
func RefuseWithin(s *hast.Stage, d schedule.Decisions, mode kir.Mode, local int) string {
	return new(Trials).Refuse(s, d, mode, local)
}

// Refuse is RefuseWithin, which remembers what trials say.
func (t *Trials) Refuse(s *hast.Stage, d schedule.Decisions, mode kir.Mode, local int) string {
	d = d.Kernel()
	r := t.spare // requests are large, and plans make one for each candidate
	t.spare = nil
	if r == nil {
		r = new(request)
	}
	defer func() { t.spare = r }()
	*r = request{s, d, Defaults().filled(s, d, t.leastItems(s, d)), mode, local, t}
	return firstReason(r.d.Wrong, r.contradiction, r.refuseLoops, r.refuseCoarse, r.inLayers, r.notByLastGroup, r.inForm, r.crowded)
}

// A request is what is asked of a stage: what was decided, and the same with the defaults where nothing was; the local memory, in bytes,
// if groups have more than those of every device.
type request struct {
	stage   *hast.Stage
	d, full schedule.Decisions
	mode    kir.Mode
	local   int
	trials  *Trials
}

// firstReason asks in turn why something cannot be, and answers with the first reason; later rules may rely on what earlier ones refuse.
func firstReason(rules ...func() string) string {
	for _, rule := range rules {
		if why := rule(); why != "" {
			return why
		}
	}
	return ""
}

// contradiction says which of the decisions are for different forms of a kernel.
func (r *request) contradiction() string {
	d := r.d
	shared := d.Reduce > 0 || d.Copies[0] > 0
	lines := d.Rows > 0 || d.Lanes > 0 || d.Lines()
	if why := firstReason(func() string { return refuseRuns(r.stage, d, r.full) }, func() string { return refuseWords(r.stage, d) }); why != "" {
		return why
	}
	switch {
	case d.Reduce > 0 && d.Copies[0] > 0 || d.Reduce > 0 && d.Tile[0] > 0 || (d.Stream > 0 || d.Rolled > 0) && shared:
		return "reduce and tile exclude each other, and both reduce and copies exclude stream and rolled"
	case (len(r.stage.Fused) > 0 && d.Rows == 0 && !d.Persistent() || d.Local != 0) && (shared || lines || d.RowSums > 0 || d.Line > 0 || d.Block > 0):
		return "what is fused or in local memory is computed in blocks, that is by tile and item, or by tile and rows"
	case d.Matrix != 0 && (shared || lines || d.RowSums > 0 || d.Line > 0 || d.Block > 0):
		return onlyMatrix
	case d.Small > 0 && (shared || lines || d.Local != 0 || d.Matrix != 0 || len(r.stage.Fused) > 0):
		return "small is for stages whose work-items compute blocks by themselves"
	case d.Cells > 0 && shared:
		return "groups that count in cells have no other copies, and reduce nothing"
	case d.Filled > 0 && d.Cells == 0:
		return "filled is for groups that count in cells"
	case d.Parts > 0 && d.Copies[0] == 0:
		return onlyParts
	}
	return ""
}

// inForm asks the rules of the form that the kernel is to have.
func (r *request) inForm() string {
	s, d, full := r.stage, r.d, r.full
	switch {
	case d.Panels > 0:
		return firstReason(r.shapeless, r.refusePanels)
	case isPersistent(s, d):
		return firstReason(r.shapeless, r.refusePersistent, func() string { return refuseInterior(d, full) }, r.inTiles)
	case d.Cells > 0:
		return firstReason(r.shapeless, r.refuseCells, func() string { return refuseInterior(d, full) }, r.inTiles)
	case d.Steps > 0:
		return refuseSteps(s, d, r.mode)
	case d.Trapezoid[0] > 0:
		return refuseTrapezoid(s, d, max(r.local, EveryLocal))
	case d.Ahead > 0:
		return firstReason(r.shapeless, func() string { return refuseAhead(s, d) })
	case d.Fetch > 0:
		return firstReason(r.shapeless, func() string { return refuseFetch(s, d) })
	case d.Band[0] > 0:
		return refuseBand(s, d, max(r.local, EveryLocal))
	case d.Keep > 0:
		return firstReason(r.shapeless, func() string { return refuseKept(s, d, full.GroupItems(), max(r.local, privateLimit)) })
	case d.Lanes > 0 && d.Rows == 0:
		return refuseSideways(s, d, r.mode)
	case d.Rows > 0 || d.RowSums > 0 || d.Line > 0 || d.Block > 0:
		return r.trials.refuseRows(s, d, r.mode)
	case d.Prefix > 0:
		return refuseLines(s, d, full)
	case d.Reduce > 0 || d.Copies[0] > 0:
		return refuseShared(s, d, full, r.mode, r.local)
	}
	return firstReason(r.shapeless, func() string { return refuseInterior(d, full) }, r.inTiles)
}

// shapeless says why the space of a stage has no tiles of the decided shape.
func (r *request) shapeless() string {
	n, full := len(workVars(r.stage)), r.full
	switch {
	case r.d.Tile[0] > 0 && n == 0:
		return "it runs step by step in one work-item, so that it has no tile"
	case r.d.Tile[1] > 0 && n == 1:
		return "its work-items stand for one variable, so that its tile is one number"
	case r.d.Item[1] > 0 && n < 2:
		return "its work-items stand for one variable, so that item takes one number"
	case full.Tile[0]%full.Item[0] != 0 || max(1, full.Tile[1])%max(1, full.Item[1]) != 0:
		return fmt.Sprintf("its tile of %d x %d is not made of items of %d x %d", full.Tile[0], max(1, full.Tile[1]), full.Item[0], max(1, full.Item[1]))
	case full.Vector&(full.Vector-1) != 0:
		return fmt.Sprintf("a memory access takes a power of two of bytes, not %d", full.Vector)
	}
	return ""
}

// inTiles says why work-groups cannot compute tiles of the stage as decided.
func (r *request) inTiles() string {
	s, d, full := r.stage, r.d, r.full
	switch {
	case d.Matrix != 0:
		return refuseMatrix(s, d, full, max(r.local, EveryLocal))
	case d.Descends():
		return refuseDescent(r.trials.looks(), s, d, full, max(r.local, EveryLocal))
	case d.Local != 0:
		return refuseLocal(r.trials.looks(), sharedGroup(r.trials.looks(), s, full), d, full, max(r.local, EveryLocal))
	case len(s.Fused) > 0:
		return r.trials.refuseFused(r.trials.together(s, full.Unroll), d, full)
	}
	items := full.Item[0] * max(1, full.Item[1])
	size := full.Tile[0] * max(1, full.Tile[1]) / items
	switch {
	case size > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", size, maxGroup)
	case d.Blocks():
		return r.inBlocks(items)
	case d.Flat != 0 || d.Dot4 != 0 || d.Packed16 != 0 || d.Stream > 0 || d.Rolled > 0 || d.Small > 0:
		return "flat, dot4, packed16, stream, rolled and small are for work-items of several instances"
	}
	return ""
}

// inBlocks says why a work-item cannot compute so many instances as decided.
func (r *request) inBlocks(items int) string {
	s, d, full := r.stage, r.d, r.full
	what, item := r.trials.inBlocks(s, full), full.Item
	switch {
	case what.Alone != "":
		return what.Alone + ", so that no work-item computes several"
	case d.Stream > 0 || d.Rolled > 0:
		byRows, why := r.trials.looks().Rows(s, full.Unroll)
		if why := refuseStream(full, why); why != "" {
			return why
		}
		what = byRows
		item[1] = 1
	case items > maxBlock:
		return fmt.Sprintf("its work-items compute %d instances, and the code for more than %d is not written out", items, maxBlock)
	case d.Flat != 0 && !what.Flat:
		return "the space is one line only for instances that keep to their own pixel of images as large as the space"
	}
	if d.Dot4 != 0 {
		if why := r.trials.refuseDots(s, what, full); why != "" {
			return why
		}
	}
	if d.Packed16 != 0 {
		if why := r.trials.refuseHalves(s, what, full); why != "" {
			return why
		}
	}
	return refuseWindows(what, item)
}

// mostResident is the most work-items that a unit of any device has room for.
const mostResident = 2048

// crowded says why no unit has room for as many groups as decided. Groups that compute what lies beside their tile have more work-items than
// it says; what does not fit then is cut off where the target is told.
func (r *request) crowded() string {
	group := r.full.GroupItems()
	if n := r.d.Resident * group; n > mostResident {
		return fmt.Sprintf("no unit of a device has room for %d groups of %d work-items, that is for more than %d", r.d.Resident, group, mostResident)
	}
	return ""
}

// refuseWindows says which window of an item is too large to be held.
func refuseWindows(what *block.Stage, item [2]int) string {
	for _, w := range what.Windows {
		if n := windowSize(w, item); n > maxWindow {
			return fmt.Sprintf("a work-item would hold %d components of %s, and %d is the most", n, w.Image.Name, maxWindow)
		}
	}
	return ""
}

// refuseTogether says why work-groups cannot compute a stage together with those that are fused with it, wherever what these write is.
func refuseTogether(g *block.Group, d, full schedule.Decisions) string {
	items := full.Item[0] * max(1, full.Item[1])
	switch size := full.Tile[0] * max(1, full.Tile[1]) / items; {
	case size > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", size, maxGroup)
	case g.Apart != "":
		return g.Apart
	case items > maxBlock:
		return fmt.Sprintf("its work-items compute %d instances, and the code for more than %d is not written out", items, maxBlock)
	case d.Local > 0 && (d.Flat != 0 || d.Dot4 != 0 || d.Packed16 != 0 || d.Stream > 0 || d.Rolled > 0):
		return "local excludes flat, dot4, packed16, stream and rolled"
	case d.Flat != 0 || d.Stream > 0 || d.Rolled > 0:
		return "flat, stream and rolled are for stages that stand alone"
	}
	return ""
}

// refuseFused is what Refuse says of stages that are fused.
func (t *Trials) refuseFused(g *block.Group, d, full schedule.Decisions) string {
	if why := refuseTogether(g, d, full); why != "" {
		return why
	}
	if why := t.refuseFusedWords(g, d, full); why != "" {
		return why
	}
	if why := refusePer(g, [2]int{full.Item[0], max(1, full.Item[1])}, "item"); why != "" {
		return why
	}
	return refuseFusion(g, full)
}

// refusePer says why blocks of so many instances in x and y cannot be computed with what is read at divided coordinates: they would begin between its pixels.
func refusePer(g *block.Group, block [2]int, what string) string {
	per := g.Per()
	if block[0]%per[0] == 0 && block[1]%per[1] == 0 {
		return ""
	}
	return fmt.Sprintf("%s is read at divided coordinates, for which its %s has to be a multiple of %d x %d, not %d x %d",
		g.Divided().Name, what, per[0], per[1], block[0], block[1])
}

// refuseFusion says why an item cannot compute the parts of a group for itself.
func refuseFusion(g *block.Group, full schedule.Decisions) string {
	if g.Apart != "" {
		return g.Apart
	}
	for _, list := range [][]*block.Window{g.Windows, g.Tiles} {
		for _, w := range list {
			if n := windowSize(w, full.Item); n > maxWindow {
				return fmt.Sprintf("a work-item would hold %d components of %s, and %d is the most", n, w.Image.Name, maxWindow)
			}
		}
	}
	return ""
}

// refuseStream says why the sums of a stage cannot be computed row by row; why is what its analysis says.
func refuseStream(d schedule.Decisions, why string) string {
	items := d.Item[0]
	if d.Rolled == 0 {
		items *= d.Item[1]
	}
	switch {
	case d.Stream == 0:
		return "rolled is for sums by rows, that is stream"
	case d.Flat != 0 || d.Dot4 != 0 || d.Packed16 != 0:
		return "stream excludes flat, dot4 and packed16"
	case why != "":
		return why + ", so that nothing can be added up while rows are loaded"
	case items > maxBlock:
		return fmt.Sprintf("its work-items compute %d instances, and the code for more than %d is not written out", items, maxBlock)
	}
	return ""
}

func refuseTeam(s *hast.Stage, d schedule.Decisions, width int, mode kir.Mode) string {
	size, abreast := d.Reduce, max(1, d.Abreast)
	if size < 2 || size&(size-1) != 0 {
		return fmt.Sprintf("a group of %d work-items is no power of two above 1", size)
	}
	if abreast > 1 {
		if why := refuseAbreast(s, size, abreast); why != "" {
			return why
		}
	}
	return teamRefuses(s, d.Sharing()*width, mode)
}

// refuseAbreast says why a group of so many work-items cannot take several instances of a stage.
func refuseAbreast(s *hast.Stage, size, abreast int) string {
	switch n, known := block.TripCount(s.Space.Ranges[len(s.Space.Ranges)-1]); {
	case abreast&(abreast-1) != 0 || size < 2*abreast:
		return fmt.Sprintf("%d instances of a group of %d work-items are no power of two that leaves each some of these", abreast, size)
	case known && n < int64(abreast):
		return fmt.Sprintf("the last variable has %d values, not the %d that a group is to take", n, abreast)
	case s.Where != nil:
		return "not all of its instances are computed, and those of a group wait for each other"
	}
	return ""
}

func refusePrivate(s *hast.Stage, d schedule.Decisions, local int, mode kir.Mode) string {
	copies, size, groups := d.Copies[0], d.Copies[1], d.Copies[2]
	switch {
	case size > maxGroup:
		return fmt.Sprintf("its groups have %d work-items, and a group has at most %d", size, maxGroup)
	case size*groups > 1<<24:
		return "more than 16 million work-items share its instances"
	}
	if why := refuseFloats(s, copies, size, mode); why != "" {
		return why
	}
	if why := refuseParts(s, d); why != "" {
		return why
	}
	return privateRefuses(s, copies, max(1, d.Parts), max(local, privateLimit))
}

// maxWindow bounds the components that a work-item loads of one image before it starts.
const maxWindow = 2048

func windowSize(w *block.Window, item [2]int) int {
	return w.Y.Count(item[1]) * w.X.Count(item[0]) * block.Channels(w.Image)
}

// wholes reports whether bytes are computed in words, or the space is one line.
func wholes(d schedule.Decisions) bool { return d.Dot4+d.Packed16+d.Flat > 0 }

// inHalves reports whether items compute in halves of words, row by row.
func inHalves(d schedule.Decisions) bool { return d.Packed16 != 0 && d.Dot4+d.Flat == 0 }

// inBlocks is what matters of a stage whose work-items compute blocks.
func inBlocks(s *hast.Stage, d schedule.Decisions) *block.Stage {
	switch {
	case inHalves(d):
		return block.AnalyzeWords(s, d.Unroll)
	case wholes(d):
		return block.Analyze(s, d.Unroll)
	}
	return block.AnalyzeBlocks(s, d.Unroll)
}

// decisions are those for a stage, with the defaults where nothing is decided.
func (pl *planner) decisions(s *hast.Stage) schedule.Decisions {
	var d schedule.Decisions
	if pl.opts.Decide != nil {
		d = pl.opts.Decide(pl.src.Name, s)
	}
	return pl.opts.filled(s, d, new(Trials).leastItems(s, d))
}

// leastItems are decisions with the smallest items, where none are decided, that compute a stage with those fused with it which it reads at divided coordinates.
func (t *Trials) leastItems(s *hast.Stage, d schedule.Decisions) schedule.Decisions {
	if len(s.Fused) == 0 || d.Rows > 0 || d.Local > 0 || d.Item != [2]int{} {
		return d
	}
	unroll := d.Unroll
	if unroll == 0 {
		unroll = Defaults().Unroll
	}
	if g := t.together(s, unroll); g.Apart == "" && g.Divided() != nil {
		d.Item = g.Per()
	}
	return d
}

// filled are decisions with those of fallback where there are none. It is Decisions.Over for the few kinds that these have, since plans ask for it for each
// candidate; least are the same decisions with the smallest items where none are decided.
func (o Options) filled(s *hast.Stage, d, least schedule.Decisions) schedule.Decisions {
	base := o.fallback(s, least)
	if d.Tile[0] == 0 && d.Copies[0] == 0 { // groups that update copies go through tiles only if that is decided
		d.Tile = base.Tile
	}
	if d.Item[0] == 0 {
		d.Item = base.Item
	}
	d.Vector, d.Unroll = cmp.Or(d.Vector, base.Vector), cmp.Or(d.Unroll, base.Unroll)
	return d
}

// fallback are the decisions where a schedule has none: one instance for each work-item, in groups of Options.Group.
func (o Options) fallback(s *hast.Stage, d schedule.Decisions) schedule.Decisions {
	item := [2]int{max(1, d.Item[0]), max(1, d.Item[1])}
	group := o.groupFor(s)
	tile := [2]int{group[0] * item[0], group[1] * item[1]}
	return schedule.Decisions{Tile: tile, Item: item, Vector: kir.RunBytes, Unroll: o.Unroll}
}

// groupFor is the shape of a work-group whose items take an instance each. An axis of few instances, as of components or displacements, is as wide as they
// are, and the group takes more of the next one: the items of a row of 128 would have nothing to do but for the first few.
func (o Options) groupFor(s *hast.Stage) [2]int {
	vars, all := workVars(s), o.Group[0]*o.Group[1]
	if len(vars) == 1 {
		return [2]int{all * o.Group[2], 1}
	}
	if len(vars) > 1 {
		n, known := block.TripCount(s.Space.Ranges[vars[len(vars)-1]])
		if known && n >= 1 && int(n) <= o.Group[0]/2 {
			return [2]int{int(n), all / int(n)}
		}
	}
	return [2]int{o.Group[0], o.Group[1]}
}

// group is the shape of a work-group for a stage of n variables.
func (k *kernelBuilder) group(n int) [3]int {
	if n == 0 {
		return [3]int{1, 1, 1}
	}
	t, i := k.decided.Tile, k.decided.Item
	g := [3]int{t[0] / i[0], max(1, t[1]) / max(1, i[1]), 1}
	if n == 1 {
		g = [3]int{g[0] * g[1], 1, 1}
	}
	return g
}
