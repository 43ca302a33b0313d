package lower

import (
	"cmp"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
	"imgc/optimize/twin"
	"imgc/types"
)

// Trials remembers what was said of stages that were lowered to see whether they can be, which takes as long as lowering them. The zero Trials
// has seen none. It is not for several goroutines at a time.
type Trials struct {
	// Like is the stage that one is, but for what its variables are called and for what is fused with it; nil where none is known.
	Like func(s *hast.Stage) *hast.Stage

	// Looks is what others have found of groups of stages; nil where none have.
	Looks *block.Looks

	spare   *request // for the next that is asked; nil where one is being answered
	all     bool     // is lowered, though much of it is known to be like the rest: for tests of that
	said    map[trialOf]verdict
	byLanes bool // what is being tried has asked how many lanes there are
	keys    twin.Keys
	first   map[string]*hast.Stage // of those that do the same
	firsts  map[*hast.Stage]*hast.Stage
	byRows  map[analysisOf]*block.Group
	whole   map[analysisOf]*block.Stage // in words, or as one line
	halves  map[analysisOf]*block.Stage // in halves of words
	blocks  map[analysisOf]*block.Stage
	bytes   map[analysisOf][]*block.Combination
	loops   map[analysisOf]*block.Stage
	commons map[analysisOf]*block.Commons
	lined   map[trialOf]map[*hast.Reduce]*maskSum
}

// An analysisOf is a stage whose reductions of at most so many points are written out.
type analysisOf struct {
	stage  *hast.Stage
	unroll int
}

func (t *Trials) looks() *block.Looks {
	if t.Looks == nil {
		t.Looks = &block.Looks{}
	}
	return t.Looks
}

func (t *Trials) together(s *hast.Stage, unroll int) *block.Group {
	return t.looks().Together(s, unroll)
}

// unrolled is up to how many points of a reduction are written out, as decided or else.
func unrolled(d schedule.Decisions) int { return cmp.Or(d.Unroll, Defaults().Unroll) }

// tiledRows are the stages of a group as tiles of rows compute them.
func (t *Trials) tiledRows(s *hast.Stage, d schedule.Decisions) *block.Group {
	unroll := unrolled(d)
	return memo.Of(&t.byRows, analysisOf{s, unroll}, func() *block.Group { return block.ByRows(s, unroll) })
}

// inBlocks is what matters of a stage whose work-items compute blocks.
func (t *Trials) inBlocks(s *hast.Stage, d schedule.Decisions) *block.Stage {
	have := &t.blocks
	switch {
	case inHalves(d):
		have = &t.halves
	case wholes(d):
		have = &t.whole
	}
	return memo.Of(have, analysisOf{s, d.Unroll}, func() *block.Stage { return inBlocks(s, d) })
}

// sums are the sums of bytes of a stage in words.
func (t *Trials) sums(s *hast.Stage, what *block.Stage, unroll int) []*block.Combination {
	return memo.Of(&t.bytes, analysisOf{s, unroll}, func() []*block.Combination { return block.Sums(s, what, unroll) })
}

func (t *Trials) loopsOf(s *hast.Stage, d schedule.Decisions) *block.Stage {
	unroll := unrolled(d)
	return memo.Of(&t.loops, analysisOf{s, unroll}, func() *block.Stage { return block.AnalyzeLoops(s, unroll) })
}

func (t *Trials) commonsOf(s *hast.Stage, d schedule.Decisions) *block.Commons {
	unroll := unrolled(d)
	return memo.Of(&t.commons, analysisOf{s, unroll}, func() *block.Commons { return block.FindCommons(s, unroll) })
}

// A trialOf is what was tried of a stage.
type trialOf struct {
	stage   *hast.Stage
	decided schedule.Decisions
	mode    kir.Mode
}

// A verdict is why something cannot be, "" where it can, and whether that depends on the number of lanes.
type verdict struct {
	why     string
	byLanes bool
}

// rows says why the instances of a stage, without those fused with it, cannot be computed side by side in rows; "" where they can.
func (t *Trials) rows(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	s = t.itself(s)
	rows := 1 // more have as many of the same statements, as wider blocks have, but lines of several rows are filled in one loop
	if d.Line > 0 {
		rows = 2
	}
	d.Rows = min(d.Rows, rows)
	d.Lanes = t.likeLanes(s, d)
	d.Block, d.Line = min(d.Block, d.Lanes), min(d.Line, d.Lanes)
	v := t.saidOf(trialOf{s, d, mode}, func() string {
		if d.RowSums > 0 && !t.all && !mayBeMasked(s) {
			d.RowSums = 0
			return cmp.Or(t.rows(s, d, mode), notSummed)
		}
		return t.try(s, d, mode)
	})
	t.byLanes = t.byLanes || v.byLanes
	return v.why
}

// saidOf is what was said of a stage, or else what is found now. Few stages ask how many lanes there are: of the others the same is said of any number.
func (t *Trials) saidOf(key trialOf, find func() string) verdict {
	alike := key
	if d := &alike.decided; !t.all {
		d.Lanes = 0
		d.Block, d.Line = min(d.Block, 1), min(d.Line, 1)
	}
	if v, known := t.said[alike]; known && !v.byLanes {
		return v
	}
	v := memo.Of(&t.said, key, func() verdict {
		outer := t.byLanes
		t.byLanes = false
		found := verdict{find(), t.byLanes}
		t.byLanes = outer
		return found
	})
	if !v.byLanes {
		t.said[alike] = v
	}
	return v
}

// itself is a stage without those fused with it, or the first that was asked for of those that do the same: what is said of one is said of all.
func (t *Trials) itself(s *hast.Stage) *hast.Stage {
	return memo.Of(&t.firsts, s, func() *hast.Stage {
		alone := t.unfused(s)
		return memo.Of(&t.first, t.keys.Form(alone), func() *hast.Stage { return alone })
	})
}

// unfused is a stage without those fused with it, or one like it.
func (t *Trials) unfused(s *hast.Stage) *hast.Stage {
	if t.Like != nil {
		if like := t.Like(s); like != nil {
			s = like
		}
	}
	if len(s.Fused) == 0 {
		return s
	}
	return s.Alone()
}

// mayBeMasked reports whether a stage may have a sum over a mask, or the extreme of a window, that rows.separated takes apart.
func mayBeMasked(s *hast.Stage) (may bool) {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			folds := e.Op == hast.Sum || e.Op == hast.Min || e.Op == hast.Max
			may = may || folds && e.Where == nil && len(e.Space.Vars) == 2
		case *hast.Call:
			may = true
		}
	})
	return may
}

// likeLanes is a number of lanes of which a trial says the same as of those that are decided: what so many can do is one question for all up to what
// built-in functions take, and one for all above. Lines that instances at every second pixel read are filled with twice as many.
func (t *Trials) likeLanes(s *hast.Stage, d schedule.Decisions) int {
	most := maxWideCall
	if d.Line > 0 && slices.ContainsFunc(t.loopsOf(s, d).Windows, func(w *block.Window) bool { return w.X.Stride == 2 }) {
		most /= 2
	}
	switch {
	case t.all:
		return d.Lanes
	case d.Lanes > maxWideCall:
		return 2 * maxWideCall
	case d.Lanes > most:
		return d.Lanes
	}
	return kir.WideLanes[0]
}

// notSummed is said of stages in which sums along rows would have nothing to sum.
const notSummed = "it has no sum over a mask that is the product of a column and a row"

// notLined is said of stages in which lines would have nothing to keep.
const notLined = "it has no sum, for every instance, over a mask that is the product of a column and a row"

// try lowers a stage to see whether its instances can be computed side by side; it says why not, "" where they can.
func (t *Trials) try(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	if keepsArrays(s) { // they may be large, and no wide value is one
		return "it has arrays"
	}
	k, why := trialKernel(s, d, mode)
	if why != "" {
		return why
	}
	r := k.rowsOf(s, t.loopsOf(s, d))
	r.trial = t
	r.grid()
	switch r.prepare(); {
	case d.Block > 0 && len(r.blocks) == 0:
		return "it has no sum, for every instance, over a mask around the pixels that it reads"
	case d.Line > 0 && len(r.lined) == 0 && r.common == nil: // it is lowered as without lines
		d.Line = 0
		return cmp.Or(t.rows(s, d, mode), notLined)
	}
	if d.Rows > 1 && r.common == nil && !t.all { // what an item has fewer rows of is computed one by one
		alone := d
		alone.Rows = 1
		if why := t.rows(s, alone, mode); why != "" {
			return why
		}
	}
	r.strip() // the columns at both ends are computed one by one in any case
	switch {
	case r.why != "":
		return r.why
	case d.RowSums > 0 && r.separates == 0:
		return notSummed
	}
	return ""
}

// A probe lowers a step with one point of each reduction, before all of them are: what is refused there, before anything would differ, is so with all.
type probe struct {
	scope *scope            // of the step
	same  map[kir.Stmt]bool // its statements that are there with all points, too; nil while no point was left out
}

// worthProbing is how many points of a reduction are so many that one of them is looked at first.
const worthProbing = 25

// refusedAtOnce says why the instances of a step cannot be computed side by side as far as one point of each reduction tells: step lowers it.
func (r *rows) refusedAtOnce(step func() (*kir.Var, []kir.Stmt)) string {
	if !r.long() {
		return ""
	}
	r.probe = &probe{}
	x, list := step()
	same := r.probe.same
	r.probe = nil
	w := r.widening(x)
	w.startTotals()
	for _, s := range list[1:] { // behind the variable of the columns
		if !same[s] || w.why != "" {
			break
		}
		w.stmt(s)
	}
	return w.why
}

// long reports whether a stage has a reduction of many points that are not alike.
func (r *rows) long() (found bool) {
	hast.WalkBody(r.stage.Body, nil, func(e hast.Expr) {
		if e, ok := e.(*hast.Reduce); ok && e.Op != hast.Median && !alikeButForBits(e) {
			points, unrolled := r.body.points(e.Space)
			found = found || unrolled && len(points) >= worthProbing
		}
	})
	return found
}

// probed is the first term of a sum over a mask, which the sum along its row begins with: where others are like it, they have been loaded before.
func (r *rows) probed(m *maskSum) kir.Expr {
	defer r.probe.cut()
	for i, y := range m.rows {
		for k, x := range m.columns {
			if m.takes(m.column, i) && m.takes(m.row, k) {
				r.body.vars[m.vars[0]], r.body.vars[m.vars[1]] = i32(y), i32(x)
				first := r.body.expr(m.elem)
				if !onlyPlaces(m.elem, m.vars[:]) {
					return first
				}
				return ref(r.body.declare("row", m.t, false, first))
			}
		}
	}
	return nil
}

// cut notes what there is before a point is left out.
func (p *probe) cut() {
	if p.same == nil {
		p.same = map[kir.Stmt]bool{}
		for _, s := range p.scope.stmts {
			p.same[s] = true
		}
	}
}

// knowing reports whether what is like the rest is not lowered.
func (r *rows) knowing() bool { return r.trial != nil && !r.trial.all }

// tried are those points of a reduction that is written out which are lowered: in a trial of rows, where they are alike, enough to have each coordinate once, or where
// coordinates are added to others alone, the first two and the last of each axis, between which all others lie.
func (r *rows) tried(e *hast.Reduce, points [][]int64) [][]int64 {
	switch {
	case r.probe != nil:
		return points[:min(1, len(points))]
	case !alikeButForBits(e):
		return points
	case block.AddsAlone(e.Elem, e.Space.Vars):
		return atEnds(points)
	}
	return eachCoordinate(points)
}

// atEnds are so many of some points that each of the first two and the last coordinates of each axis is one of theirs.
func atEnds(points [][]int64) [][]int64 {
	if len(points) == 0 {
		return nil
	}
	return having(points, func(axis int) func(int64) bool {
		all := distinct(points, axis)
		return func(c int64) bool { return c <= all[min(1, len(all)-1)] || c == all[len(all)-1] }
	})
}

// eachCoordinate are so many of some points that each coordinate of all is one of theirs.
func eachCoordinate(points [][]int64) [][]int64 {
	return having(points, func(int) func(int64) bool { return func(int64) bool { return true } })
}

// having are so many of some points that each coordinate of all which counts along its axis is one of theirs.
func having(points [][]int64, counts func(axis int) func(int64) bool) (list [][]int64) {
	seen := map[[2]int64]bool{} // axes with coordinates
	var count []func(int64) bool
	for axis := range points[0] {
		count = append(count, counts(axis))
	}
	for _, p := range points {
		before := len(seen)
		for i, c := range p {
			if count[i](c) {
				seen[[2]int64{int64(i), c}] = true
			}
		}
		if len(seen) > before {
			list = append(list, p)
		}
	}
	return list
}

// knows reports whether a trial knows of one of so many terms that are alike that it is as others are: the first two and the last one are looked at. Of
// the rows that a column of a line sums, all are looked at where one row of instances is filled by itself, which is another question.
func (r *rows) knows(i, n int) bool { return r.knowing() && i > 1 && i < n-1 }

// alikeAtPoints reports whether a reduction computes the same at each of its points but for the places that it reads: a trial knows all from some of them. Sums of
// integers need more bits the more points they have, which floats and extremes do not.
func alikeAtPoints(e *hast.Reduce) bool {
	switch e.Op {
	case hast.Sum, hast.Mean:
		if !e.Elem.Type().Kind.IsFloat() {
			return false
		}
	case hast.Min, hast.Max:
	default:
		return false
	}
	return e.Where == nil && (onlyPlaces(e.Elem, e.Space.Vars) || weighsPlaces(e.Elem, e.Space.Vars))
}

// alikeButForBits is alikeAtPoints of sums of integers, too, of which reducer.skip knows how many bits they need.
func alikeButForBits(e *hast.Reduce) bool {
	whole := e.Op == hast.Sum && e.T.IsScalar() && e.T.Kind.IsInt()
	return alikeAtPoints(e) || whole && e.Where == nil && onlyPlaces(e.Elem, e.Space.Vars)
}

// weighsPlaces reports whether variables say no more in an expression of floats than where pixels are read and which entries of masks these are multiplied by: what an entry is makes no
// difference to whether products with it can be computed.
func weighsPlaces(e hast.Expr, vars []*hast.Var) bool {
	if e.Type().IsScalar() && e.Type().Kind.IsFloat() {
		if maskEntry(e) != nil {
			return true
		}
		if p, ok := e.(*hast.Op); ok && p.Op == ops.Mul {
			return !slices.ContainsFunc(p.Args, func(x hast.Expr) bool { return !weighsPlaces(x, vars) })
		}
	}
	return onlyPlaces(e, vars)
}

// trialSideways is try for the points of its reductions.
func trialSideways(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	k, why := trialKernel(s, d, mode)
	if why != "" {
		return why
	}
	k.shape(s)
	if k.sidewaysWhy == "" && k.wideSums == 0 {
		return "lanes are for work-items that compute rows, and for reductions over many neighbours, in strict mode not for floats that are added one after the other"
	}
	return k.sidewaysWhy
}

// trialKernel starts the kernel of a stage alone.
func trialKernel(s *hast.Stage, d schedule.Decisions, mode kir.Mode) (k *kernelBuilder, why string) {
	if why := plainBody(s, mode); why != "" {
		return nil, why
	}
	k = startTrial(s, d, mode)
	k.prepareUpdates(s)
	return k, ""
}

// startTrial starts the kernel of a stage and of those that are fused with it, with what they use of their pipeline.
func startTrial(s *hast.Stage, d schedule.Decisions, mode kir.Mode) *kernelBuilder {
	opts := Defaults()
	opts.Mode = mode
	l := newLowering(&hast.Program{}, opts)
	pl := l.newPlanner(&hast.Pipeline{Name: "trial"})
	t := &trialRun{lowering: l, plan: pl}
	for _, m := range s.Inner {
		t.exprs(m.Extent...)
		pl.images[m] = pl.describe(m)
	}
	for _, p := range s.Parts() {
		t.exprs(p.Where)
		for _, r := range p.Space.Ranges {
			t.exprs(r.Lo, r.Hi)
		}
		hast.WalkBody(p.Body, t.stmt, t.expr)
	}
	return pl.newKernel(s, d.Over(opts.fallback(s, d)))
}

// EndsApart reports whether what is left of lines that do not end with a block takes a launch of its own, as decided. Images that are one line leave
// nothing.
func (t *Trials) EndsApart(s *hast.Stage, d schedule.Decisions, mode kir.Mode) bool {
	k := startTrial(s, d.Kernel(), mode)
	if !k.inBlocks() || d.Flat != 0 || isPersistent(s, d) {
		return false
	}
	k.evenOnly = true
	if len(s.Fused) > 0 {
		f, _ := k.newFusion(s)
		return f.hasParts(f.placing())
	}
	what := k.inStrips(s)
	if !asksForAlignment(what) {
		return false
	}
	strip, _ := k.newStrip(s, what, false)
	return strip.hasParts(strip.placing())
}

// inBlocks reports whether items compute blocks of instances by themselves, as decided.
func (k *kernelBuilder) inBlocks() bool {
	d := k.decided
	other := d.Local != 0 || d.Matrix != 0 || d.Descends() || d.Rows > 0 || d.Reduce > 0 || d.Lines() || d.Copies[0] > 0
	return !other && d.Blocks()
}

// keepsArrays reports whether a stage has variables that are arrays.
func keepsArrays(s *hast.Stage) (found bool) {
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if d, ok := st.(*hast.Define); ok && d.Var.Type.IsArray() {
			found = true
		}
	}, nil)
	return found
}

// plainBody looks for what no body with wide values has.
func plainBody(s *hast.Stage, mode kir.Mode) (why string) {
	totals := totalsOf(s, mode)
	rule := func(r *hast.Rule) {
		if r != nil && r.Kind == hast.Formula {
			why = "it has a border by formula"
		}
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if st, ok := st.(*hast.Store); ok && st.Updates() && !totals[st] {
			why = "it updates pixels"
		}
	}, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			rule(e.Rule)
		case *hast.Window:
			rule(e.Rule)
		}
	})
	if s.Where != nil {
		why = "it leaves out instances"
	}
	return why
}

// A trialRun declares what a stage uses of its pipeline: images, host values and funcs.
type trialRun struct {
	*lowering
	plan *planner
}

func (t *trialRun) stmt(s hast.Stmt) {
	if s, ok := s.(*hast.Store); ok {
		t.image(s.Image)
		if s.Func != nil {
			t.function(s.Func)
		}
	}
}

func (t *trialRun) exprs(list ...hast.Expr) {
	for _, e := range list {
		if e != nil {
			hast.Walk(e, t.expr)
		}
	}
}

func (t *trialRun) expr(e hast.Expr) {
	switch e := e.(type) {
	case *hast.Ref:
		if c := e.Var.Class; c >= hast.SizeVar {
			t.host(e.Var)
		}
	case *hast.Load:
		t.image(e.Image)
		t.rule(e.Rule)
	case *hast.Window:
		t.image(e.Image)
		t.rule(e.Rule)
	case *hast.Call:
		t.function(e.Func)
	case *hast.Reduce:
		if e.Func != nil {
			t.function(e.Func)
		}
	}
}

func (t *trialRun) rule(r *hast.Rule) {
	if r != nil && r.Value != nil {
		t.exprs(r.Value)
	}
}

func (t *trialRun) host(v *hast.Var) {
	if t.plan.host[v] != nil {
		return
	}
	kind := v.Type
	if v.Class == hast.SizeVar || v.Class == hast.HostLoop {
		kind = types.Scalar(types.I64)
	}
	t.plan.hostVar(v, kind)
	if v.Class == hast.SizeVar {
		t.plan.bounds[v] = interval.Between(1, hast.MaxExtent)
	}
}

func (t *trialRun) image(m *hast.Image) {
	if t.plan.images[m] != nil {
		return
	}
	t.exprs(m.Extent...)
	if m.View != nil {
		t.image(m.View.Of)
		for _, x := range m.View.Axes {
			t.exprs(x.First)
		}
		return
	}
	if m.Of == nil {
		t.plan.image(m)
		return
	}
	alone := *m // what family a level is of makes no difference
	alone.Of = nil
	t.plan.image(&alone)
	t.plan.images[m] = t.plan.images[&alone]
}

func (t *trialRun) function(f *hast.Func) {
	if t.funcs[f] != nil {
		return
	}
	hast.WalkBody(f.Body, nil, t.expr)
	t.funcs[f] = t.lowerFunc(f)
}
