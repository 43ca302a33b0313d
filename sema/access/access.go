package access

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/source"
)

// Prove decides where the accesses of p can go and reports what breaks a promise. It sets Below and Above of every
// coordinate, removes rules that are never needed, sets InRange of indices into arrays and Zero of images and pyramids, and appends to
// p.Checks what the entry has to test, the simplest first. On entry every coordinate has Below and Above set, and Rule is the
// rule that applies there or nil.
func Prove(p *hast.Pipeline, diags *diag.List) { ProveClaiming(p, diags, nil) }

// ProveClaiming is Prove. Unless claims is nil, it also records there what the proofs take for true of integers that instances compute.
func ProveClaiming(p *hast.Pipeline, diags *diag.List, claims hast.Claims) {
	a := newAnalysis(p, diags)
	a.claims = claims
	w := &walker{diags: diags, known: map[*hast.Func]bool{}, region: &region{scope: a.root}}
	a.atEntryHolds(w)
	a.steps(p.Steps, a.root, w)
	a.checkElems(w.elems)
	a.findZeros(w)
	a.findPyramidZeros(w)
	a.checks.finish()
	proveFuncs(w)
}

// atEntryHolds gathers what holds before the first step: the pipeline's own checks, and the extents.
func (a *analysis) atEntryHolds(w *walker) {
	s := a.root
	for _, m := range a.p.Images {
		if m.Dir != hast.Local {
			a.extents(m, w)
		}
	}
	a.levelsOf(a.p, w)
	var kept []*hast.Check
	for _, c := range a.p.Checks {
		w.expr(c.Cond, s)
		a.bound = &bounded{what: "an assumption", at: c.At, scope: s}
		f := a.truth(c.Cond, s)
		a.bound = nil
		if len(c.Over) > 0 && a.sysHolds(f) {
			continue // neighbouring levels are related
		}
		a.assume(f)
		kept = append(kept, c)
	}
	a.p.Checks = kept
	for _, m := range a.p.Images {
		if m.Dir == hast.Local {
			a.extents(m, w)
		}
	}
}

// extents demands that an image has pixels: the executors check parameters by themselves, local images get a check.
func (a *analysis) extents(m *hast.Image, w *walker) {
	for _, e := range m.Extent {
		w.expr(e, a.root)
		n := a.hostExtent(&bounded{e, m.Name, spanOr(e.Span(), m.At), a.root})
		if n.IsConstant() && n.Constant() > hast.MaxExtent {
			a.diags.Errorf(diag.BadExtent, spanOr(e.Span(), m.At), "an extent is at most %d, this is %d", hast.MaxExtent, n.Constant())
			continue
		}
		if m.Dir == hast.Local {
			a.demandPixels(m, e, n)
		}
		a.assume(prove.Between(n, 1, hast.MaxExtent))
	}
}

// assume adds what holds at entry.
func (a *analysis) assume(f prove.Formula) {
	a.given(f)
	eachVariable(f, a.baseVariables(a.entry))
}

func (a *analysis) demandPixels(m *hast.Image, e hast.Expr, n prove.Lin) {
	at := spanOr(e.Span(), m.At)
	positive := prove.GE(n, prove.K(1))
	if a.sysHolds(positive) {
		return
	}
	if n.IsConstant() || !possible(a.sys, positive) {
		d := a.diags.Errorf(diag.NoPixels, at, "image %s has no pixels: its extent %s is less than 1", m.Name, text(e))
		d.Note("extents are at least 1")
		return
	}
	a.checks.compare(e, a.root, ops.Ge, 1, positive, m.Name, "extents are positive", at)
}

// hostValue evaluates a bound that the host computes, and adds checks that it and all that goes into it fit i32.
func (a *analysis) hostValue(b *bounded) prove.Lin {
	a.bound = b
	defer func() { a.bound = nil }()
	return a.exact(b.expr, b.scope)
}

// wrapsVisibly is a range of numbers that, wrapped to i32, are no extents unless they were before.
var wrapsVisibly = interval.Between(-1<<32+hast.MaxExtent+1, 1<<32)

// hostExtent evaluates an extent. Executors compare it with 1 and hast.MaxExtent, which is check enough for most.
func (a *analysis) hostExtent(b *bounded) prove.Lin {
	a.bound = b
	defer func() { a.bound = nil }()
	n := a.integer(b.expr, b.scope)
	if !a.intervalOf(n).Within(wrapsVisibly) {
		a.checks.fits(b.expr, b.scope, n, b.what, b.at)
	}
	return n
}

// prove checks one stage, in the order in which errors explain each other.
func (a *analysis) prove(stage *hast.Stage, s *scope, w *walker) {
	before := a.diags.Len()
	defer func() { a.inCalls(before, stage.Within) }()
	reads, stores, bounds := len(w.reads), len(w.stores), len(w.bounds)
	touches := len(w.touches)
	a.faulty = map[*hast.Image]bool{}
	w.stageBody(stage, s)
	a.existing(w.touches[touches:], s, stage.At)
	defer a.remember(stage, s, w, w.touches[:touches])
	for _, b := range w.bounds[bounds:] {
		eachVariable(prove.Atom{Lin: a.hostValue(b)}, a.baseVariables(a.entry))
	}
	a.checkStores(w.stores[stores:])
	a.checkReads(w.reads[reads:])
	a.checkFormulas(w.reads[reads:], w)
	a.findLines(stage, w.reads[reads:], w.stores[stores:])
	if stage.Independent {
		return
	}
	a.checkRaces(stage, w.stores[stores:])
	a.checkInPlace(stage, w.reads[reads:], w.stores[stores:])
}

// inCalls adds to what was reported since before the calls that led there.
func (a *analysis) inCalls(before int, calls []source.Span) {
	for _, d := range a.diags.Since(before) {
		for _, call := range calls {
			d.NoteAt(call, "in this call")
		}
	}
}

// proveFuncs looks at the arrays of the funcs that are called. Nothing is known of their arguments, so that the result is
// the same for every pipeline.
func proveFuncs(w *walker) {
	a := newAnalysis(nil, w.diags)
	for i := 0; i < len(w.funcs); i++ { // grows with the funcs that funcs call
		w.elems = nil
		w.stmts(w.funcs[i].Body, a.root)
		a.checkElems(w.elems)
	}
}
