package access

import (
	"fmt"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
	"imgc/source"
)

// The level at hand and its extents are parameters: what is asked about them must hold at every level, and what only they decide
// becomes a check that the entry makes at each of them.

// levelsOf declares the variables of everything that counts levels, and how the extents of neighbours are related. Every extent
// might be the coarser one of another (hast.Scaled), so that the relations hold at the finest level, too.
func (a *analysis) levelsOf(p *hast.Pipeline, w *walker) {
	declare := func(l *hast.Levels, name string) {
		w.expr(l.Count, a.root)
		count := a.hostValue(&bounded{l.Count, "the number of levels of " + name, spanOr(l.Count.Span(), l.At), a.root})
		a.parameter(l.Level, interval.Between(0, hast.MaxLevels-1))
		a.assume(prove.LT(a.names[l.Level], count))
		a.assume(prove.Between(count, 1, hast.MaxLevels))
		for _, s := range l.Scaled {
			a.scaled(s)
		}
	}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if t, ok := s.(*hast.Traverse); ok {
			a.levels = append(a.levels, t.Levels)
			declare(t.Levels, t.Names[0])
		}
	})
	for _, f := range p.Pyramids {
		if _, known := a.names[f.Own().Level]; !known {
			declare(f.Own(), f.Name)
		}
	}
}

func (a *analysis) scaled(s *hast.Scaled) {
	sizes := interval.Between(1, hast.MaxExtent)
	a.parameter(s.Var, sizes)
	coarse := a.names[s.Var]
	finest := a.integer(s.Finest, a.root)
	a.assume(prove.And{prove.LE(coarse, finest), prove.Between(finest, 1, hast.MaxExtent)})
	for _, v := range s.Finer {
		a.parameter(v, sizes)
		fine := a.names[v]
		a.assume(prove.EQ(coarse, a.sys.Div(fine.Plus(s.Factor-1), s.Factor)))
		coarse = fine
	}
}

// over lists what counts the levels that a condition speaks of.
func (a *analysis) over(cond hast.Expr) []*hast.Levels {
	var list []*hast.Levels
	for _, l := range a.levels {
		if hast.Mentions(cond, l) {
			list = append(list, l)
		}
	}
	return list
}

// existing demands that every level that a stage touches exists.
func (a *analysis) existing(touches []touched, s *scope, at source.Span) {
	seen := map[*hast.Image]bool{}
	for _, t := range touches {
		if !seen[t.image] {
			seen[t.image] = true
			a.exists(t.image, s, at)
		}
	}
}

// exists demands that a level is one of its pyramid where it is used. An absolute one may be left to a check at entry.
func (a *analysis) exists(m *hast.Image, s *scope, at source.Span) {
	if m.Of == nil || a.atHand(m) {
		return
	}
	index := a.integer(m.Index, a.root)
	count := a.integer(m.Of.Own().Count, a.root)
	in := prove.And{prove.GE(index, prove.K(0)), prove.LT(index, count)}
	if a.holds(s, in) {
		return
	}
	p := declaredAs(m)
	if !index.IsConstant() {
		a.reportNoLevel(m, p, index, s, at)
		return
	}
	answer := a.ask(s, in)
	if !a.acceptable(answer, index, count) {
		a.diags.Errorf(diag.NoLevel, at, "%s does not have level %d", p, index.Constant())
		return
	}
	for _, clause := range answer.Check {
		a.checks.add(clause.Formula(), p, m.Name+" is used", at)
	}
}

// declaredAs is the name that an image was declared with: of a level, that of the pyramid.
func declaredAs(m *hast.Image) string {
	name, _, _ := strings.Cut(m.Name, "[")
	return name
}

// atHand is true of the level at hand, which exists.
func (a *analysis) atHand(m *hast.Image) bool {
	r, ok := m.Index.(*hast.Ref)
	return ok && r.Var.Class == hast.HostLevel
}

func (a *analysis) reportNoLevel(m *hast.Image, p string, index prove.Lin, s *scope, at source.Span) {
	which, condition, wanted := "finest", fmt.Sprintf("!%s.top", p), prove.GE(index, prove.K(0))
	if a.holds(s, wanted) {
		which, condition = "coarsest", fmt.Sprintf("!%s.bottom", p)
	}
	if far := index.Constant(); far > 1 || far < -1 {
		condition = fmt.Sprintf("%s.level >= %d", p, -far)
		if far > 0 {
			condition = fmt.Sprintf("%s.level + %d < %s.levels", p, far, p)
		}
	}
	d := a.diags.Errorf(diag.NoLevel, at, "at the %s level there is no %s", which, m.Name)
	d.Note("use it under a condition of the pipeline: if (%s)", condition)
}

// traverse walks the body of a traverse, which runs any number of times, and descend what happens before it returns.
func (a *analysis) traverse(step *hast.Traverse, s *scope, w *walker) *scope {
	if vars := changedBy(step.Body...); len(vars) > 0 {
		s = s.enter(changed{vars})
	}
	a.body(step.Body, s, w)
	return s
}

func (a *analysis) descend(step *hast.Descend, s *scope, w *walker) *scope {
	w.expr(step.Times, s)
	vars := changedBy(step.Of.Body...)
	for _, v := range hast.Declared(step.Of.Body) {
		delete(vars, v) // each level has its own
	}
	for v := range changedBy(step.Between...) {
		vars[v] = true
	}
	if len(vars) > 0 {
		s = s.enter(changed{vars})
	}
	a.body(step.Between, s, w)
	return s
}
