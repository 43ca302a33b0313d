package lower

import (
	"cmp"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Trials remembers what was said of stages that were lowered to see whether they can be, which takes as long as lowering them. The zero Trials
// has seen none. It is not for several goroutines at a time.
type Trials struct{ said map[trialOf]string }

// A trialOf is what was tried of a stage.
type trialOf struct {
	stage   *hast.Stage
	decided schedule.Decisions
	mode    kir.Mode
}

// rows says why the instances of a stage, without those fused with it, cannot be computed side by side in rows; "" where they can.
func (t *Trials) rows(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	rows := 1 // more have as many of the same statements, as wider blocks have, but lines of several rows are filled in one loop
	if d.Line > 0 {
		rows = 2
	}
	d.Rows = min(d.Rows, rows)
	d.Block, d.Line = min(d.Block, d.Lanes), min(d.Line, d.Lanes)
	key := trialOf{s, d, mode}
	why, known := t.said[key]
	if !known {
		why = t.try(s, d, mode)
		if t.said == nil {
			t.said = map[trialOf]string{}
		}
		t.said[key] = why
	}
	return why
}

// notLined is said of stages in which lines would have nothing to keep.
const notLined = "it has no sum, for every instance, over a mask that is the product of a column and a row"

// try lowers a stage alone to see whether its instances can be computed side by side; it says why not, "" where they can.
func (t *Trials) try(of *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	s := of.Alone()
	if keepsArrays(s) { // they may be large, and no wide value is one
		return "it has arrays"
	}
	k, why := trialKernel(s, d, mode)
	if why != "" {
		return why
	}
	r := k.rowsOf(s)
	r.grid()
	switch r.prepare(); {
	case d.Block > 0 && len(r.blocks) == 0:
		return "it has no sum, for every instance, over a mask around the pixels that it reads"
	case d.Line > 0 && len(r.lined) == 0 && r.common == nil: // it is lowered as without lines
		d.Line = 0
		return cmp.Or(t.rows(of, d, mode), notLined)
	}
	r.strip() // the columns at both ends are computed one by one in any case
	switch {
	case r.why != "":
		return r.why
	case d.RowSums > 0 && r.separates == 0:
		return "it has no sum over a mask that is the product of a column and a row"
	}
	return ""
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
	if !k.inBlocks() || d.Flat != 0 {
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
	return !other && d.Item[0]*max(1, d.Item[1]) > 1
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
		t.plan.bounds[v] = interval{1, hast.MaxExtent}
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
