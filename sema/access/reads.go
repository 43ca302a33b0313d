package access

import (
	"strconv"
	"strings"

	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
	"imgc/source"
	"imgc/types"
)

var i32Interval = interval.OfKind(types.I32)

// A demand is one side of a range that a coordinate has to keep to.
type demand struct {
	axis   int
	value  prove.Lin // the outermost coordinate on this side
	must   prove.Atom
	answer prove.Answer
}

// sides are the demands on a coordinate that starts at l: the least of its run at the lower bound or above, the greatest
// below the upper bound.
func (a *analysis) sides(image *hast.Image, k int, l prove.Lin, count, stride int64) (below, above *demand) {
	run := stride * (count - 1)
	least, greatest := l.Plus(min(run, 0)), l.Plus(max(run, 0))
	lo, hi := a.indexRange(image, k)
	return &demand{axis: k, value: least, must: prove.GE(least, lo).(prove.Atom)},
		&demand{axis: k, value: greatest, must: prove.LT(greatest, hi).(prove.Atom)}
}

// indexRange is the first coordinate of an axis and the one behind the last.
func (a *analysis) indexRange(image *hast.Image, k int) (lo, hi prove.Lin) {
	if image.Lower != nil {
		lo = prove.K(image.Lower[k])
	}
	return lo, lo.Add(a.integer(image.Extent[k], a.root))
}

// checkReads decides for each read where it can leave its image. Nodes may be reached on several ways.
func (a *analysis) checkReads(reads []*read) {
	for _, r := range reads {
		for _, ax := range r.axes {
			ax.coord.Below, ax.coord.Above = false, false
		}
	}
	for _, r := range reads {
		if *r.rule != nil {
			a.checkRuled(r)
			if r.leaves() {
				a.demandPixel(r)
			}
		} else {
			a.checkUnruled(r)
		}
	}
	for _, r := range reads {
		if !r.leaves() {
			*r.rule = nil
		}
	}
}

func (r *read) leaves() bool {
	for _, ax := range r.axes {
		if ax.coord.Below || ax.coord.Above {
			return true
		}
	}
	return false
}

// checkRuled finds where a read with a border rule needs it.
func (a *analysis) checkRuled(r *read) {
	for k, ax := range r.axes {
		exact := a.exact(ax.coord.X, r.scope)
		below, above := a.sides(r.image, k, exact, ax.count, ax.stride)
		if whole := a.intervalOf(below.value).Join(a.intervalOf(above.value)); !whole.Within(i32Interval) {
			// The run may wrap around: what holds for its ends as numbers says something only if both do.
			if !a.proves(r.scope, below.must) || !a.proves(r.scope, above.must) {
				ax.coord.Below, ax.coord.Above = true, true
			}
			continue
		}
		if !a.proves(r.scope, below.must) {
			ax.coord.Below = true
		}
		if !a.proves(r.scope, above.must) {
			ax.coord.Above = true
		}
	}
}

// proves is holds, with point lists taken point by point if their bounding boxes say too much.
func (a *analysis) proves(s *scope, f prove.Formula) bool {
	if a.holds(s, f) {
		return true
	}
	return a.hasPoints(s) && a.excludes(s, true, prove.Not(f))
}

// hasPoints reports whether a scope has facts that are used on demand only. Its facts have been asked for before.
func (a *analysis) hasPoints(s *scope) bool {
	for s = s.around(); s != nil; s = s.up.around() { // only what ranges has points
		if len(s.exact) > 0 {
			return true
		}
	}
	return false
}

// ask is Prove in a scope.
func (a *analysis) ask(s *scope, f prove.Formula) prove.Answer {
	if s.conditional() && a.holdsAround(s, f) {
		return prove.Answer{Verdict: prove.Proved, Exact: true}
	}
	answer := a.question(s, false, f).Prove(f)
	if answer.Verdict != prove.Proved && a.hasPoints(s) {
		answer = a.question(s, true, f).Prove(f)
	}
	return answer
}

// checkUnruled demands that a read without a rule stays inside: by proof, or by a check at the entry.
func (a *analysis) checkUnruled(r *read) {
	c := confinement{
		a: a, scope: r.scope, image: r.image, at: r.at,
		because: r.text() + " is read",
	}
	for k, ax := range r.axes {
		if _, failed := c.axis(k, ax.coord.X, ax.count, ax.stride); failed != nil {
			a.reportRead(r, failed)
			return
		}
	}
}

// A confinement keeps the coordinates of one access without a rule inside an image.
type confinement struct {
	a       *analysis
	scope   *scope
	image   *hast.Image
	at      source.Span
	because string // for checks: "src[y][W-4] is read"
}

// axis proves that the coordinates e, e + stride, ... are in range, or adds checks that make them so. It returns the
// number that e is then known to be, or the demand that fails.
func (c *confinement) axis(k int, e hast.Expr, count, stride int64) (value prove.Lin, failed *demand) {
	a := c.a
	value = a.integer(e, c.scope)
	below, above := a.sides(c.image, k, value, count, stride)
	answer := a.ask(c.scope, prove.And{below.must, above.must})
	if a.acceptable(answer, value) && c.demandAtEntry(answer) || a.spans(c.image, k, below.value, above.value) {
		return value, nil
	}
	failed = above
	if below.answer = a.ask(c.scope, below.must); !a.acceptable(below.answer, value) {
		failed = below
	} else {
		above.answer = a.ask(c.scope, above.must)
	}
	// As a number it may leave the image, but perhaps not as computed, where i32 wraps around and conditions see that.
	cut := a.cut(value, e.Type().Kind, c.scope)
	if cut.Equal(value) {
		return value, failed
	}
	below, above = a.sides(c.image, k, cut, count, stride)
	if a.proves(c.scope, below.must) && a.proves(c.scope, above.must) {
		return cut, nil
	}
	return value, failed
}

// spans reports whether intervals alone say that an axis has all from the least to the greatest coordinate. Numbers that are computed of many conditions, as the pattern of eight comparisons, have
// more cases than the prover goes through, and are often bounded so.
func (a *analysis) spans(image *hast.Image, k int, least, greatest prove.Lin) bool {
	lo, hi := a.indexRange(image, k)
	return a.intervalOf(least.Sub(lo)).Lo >= 0 && a.intervalOf(hi.Sub(greatest)).Lo > 0
}

// demandAtEntry adds the checks that an answer asks for; it returns false if the host cannot make them.
func (c *confinement) demandAtEntry(answer prove.Answer) bool {
	if answer.Verdict != prove.Conditional {
		return true
	}
	for _, clause := range answer.Check {
		if !c.a.checks.add(clause.Formula(), c.image.Name, c.because, c.at) {
			return false
		}
	}
	return true
}

// Checks that are longer than this say less than a counterexample.
const (
	maxClauses = 3 // in one answer
	maxAtoms   = 2 // in one clause
)

// acceptable reports whether an obligation about the numbers in about is met, or is met by checks that leave the pipeline of
// use. A check that limits a size to a few values, or a parameter to one, is most likely a mistake of the program; one that
// allows for the worst of the data should be the author's own, an assume.
func (a *analysis) acceptable(answer prove.Answer, about ...prove.Lin) bool {
	switch {
	case answer.Verdict == prove.Proved:
		return true
	case answer.Verdict != prove.Conditional || len(answer.Pinned) > 0 || len(answer.Check) > maxClauses || a.p == nil:
		return false
	}
	for _, l := range about {
		if a.hiddenIn(l) != nil {
			return false
		}
	}
	for _, c := range answer.Check {
		if len(c) > maxAtoms || a.invents(c) {
			return false
		}
	}
	return a.leavesRoom(answer.Check)
}

// invents reports whether a clause speaks of quotients that nothing in the pipeline's own sizes speaks of.
func (a *analysis) invents(c prove.Clause) bool {
	invented := false
	eachVariable(c.Formula(), func(v prove.Var) {
		_, defined := a.sys.Def(v)
		invented = invented || defined && !a.entry[v]
	})
	return invented
}

// leavesRoom reports whether sizes may still be large under a check where they may be without, each and all together.
func (a *analysis) leavesRoom(check []prove.Clause) bool {
	checked := a.sys.Fork()
	mentioned := map[prove.Var]bool{}
	for _, c := range check {
		checked.Given(c.Formula())
		eachVariable(c.Formula(), a.baseVariables(mentioned))
	}
	var all prove.And
	for _, s := range a.p.Sizes {
		n := a.names[s.Var]
		if !mentioned[n.Terms()[0].Var] {
			continue
		}
		large := prove.GE(n, prove.K(largeSize))
		if all = append(all, large); !possible(checked, large) && possible(a.sys, large) {
			return false
		}
	}
	return possible(checked, all) || !possible(a.sys, all)
}

// largeSize is a size that a useful pipeline allows.
const largeSize = 4096

func possible(sys *prove.System, f prove.Formula) bool {
	sys = sys.Fork()
	sys.Given(f)
	return !sys.Infeasible()
}

// baseVariables returns a visitor that notes variables, and those that their definitions speak of.
func (a *analysis) baseVariables(seen map[prove.Var]bool) func(prove.Var) {
	var visit func(v prove.Var)
	visit = func(v prove.Var) {
		if seen[v] {
			return
		}
		seen[v] = true
		if d, ok := a.sys.Def(v); ok {
			eachDefVariable(d, visit)
		}
	}
	return visit
}

// text is how messages show a read: as the program has it, else written out.
func (r *read) text() string {
	if t := r.at.Text(); r.own && len(t) <= longestQuote {
		return t
	}
	if q := quote(r.image, r.at); q != "" {
		return q
	}
	subscripts := make([]string, len(r.axes))
	for k, ax := range r.axes {
		subscripts[k] = ax.text()
	}
	return r.image.Name + brackets(subscripts)
}

func (ax axis) text() string {
	t := text(ax.coord.X)
	if ax.count > 1 {
		t += ":" + strconv.FormatInt(ax.count, 10)
	}
	return t
}

func brackets(subscripts []string) string { return "[" + strings.Join(subscripts, "][") + "]" }
