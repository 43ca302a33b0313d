package access

import (
	"imgc/hast"
	"imgc/sema/prove"
)

// Control flow of the host opens scopes as that of a body does: a loop's variable is known by its range, a condition holds in
// its branch, a var has the value that it was given last. What they make known is one value for all instances of a stage. Only
// what is known at entry can become a check there.

// A region is a list of steps: a pipeline's own, the body of a loop, a branch, or what stands behind a branch that leaves.
type region struct {
	up    *region
	scope *scope // where it begins
	depth int
}

// A touched image is read, written or swapped by a step.
type touched struct {
	image  *hast.Image
	region *region
	order  int
	stage  *hast.Stage // nil of a swap
}

// steps walks and proves a list of steps, and returns the scope behind them; falls is false if control never gets there.
func (a *analysis) steps(list []hast.Step, s *scope, w *walker) (after *scope, falls bool) {
	outer := w.region
	defer func() {
		for ; w.region != outer; w.region = w.region.up {
			a.forget(w.region)
		}
	}()
	for _, step := range list {
		if s, falls = a.step(step, s, w); !falls {
			return s, false // the rest is never reached
		}
	}
	return s, true
}

// body is steps in a region of its own.
func (a *analysis) body(list []hast.Step, s *scope, w *walker) (after *scope, falls bool) {
	outer := w.region
	w.open(s)
	after, falls = a.steps(list, s, w)
	a.forget(w.region)
	w.region = outer
	return after, falls
}

// open begins a region in the one at hand.
func (w *walker) open(s *scope) {
	w.region = &region{up: w.region, scope: s, depth: w.region.depth + 1}
}

func (a *analysis) step(step hast.Step, s *scope, w *walker) (after *scope, falls bool) {
	switch step := step.(type) {
	case *hast.Stage:
		a.prove(step, s, w)
	case *hast.DefineHost:
		w.expr(step.Value, s)
		return s.enter(assigned{step.Var, step.Value}), true
	case *hast.SetHost:
		w.expr(step.Value, s)
		return s.enter(assigned{step.Var, step.Value}), true
	case *hast.SetScalar:
		if step.Value != nil {
			w.expr(step.Value, s)
		}
	case *hast.IfHost:
		return a.branch(step, s, w)
	case *hast.ForHost:
		space := &hast.Space{Vars: []*hast.Var{step.Var}, Ranges: []hast.Range{step.Range}}
		w.space(space, s)
		for _, e := range []hast.Expr{step.Range.Lo, step.Range.Hi} {
			a.hostValue(&bounded{e, "the range of " + step.Var.Name, spanOr(e.Span(), step.At), s})
		}
		if !breaks(step.Body) {
			a.rounding = append(a.rounding, step.Var)
		}
		return a.loop(step.Body, s, func(s *scope) *scope { return s.enter(ranging{space}) }, w), true
	case *hast.WhileHost:
		after := a.loop(step.Body, s, func(s *scope) *scope {
			w.expr(step.Cond, s)
			return s.given(step.Cond, true)
		}, w)
		if !breaks(step.Body) {
			after = after.enter(condition{cond: step.Cond, sure: true})
		}
		return after, true
	case *hast.BreakHost, *hast.ContinueHost:
		return s, false
	case *hast.DefineView:
		a.define(step, s, w)
	case *hast.Fetch:
		w.touch(step.From, nil)
		w.clock++
		return s.enter(changed{map[*hast.Var]bool{step.Var: true}}), true
	case *hast.Swap:
		w.touch(step.A, nil)
		w.touch(step.B, nil)
		w.clock++
		a.exists(step.A, s, step.At)
		a.exists(step.B, s, step.At)
	case *hast.Traverse:
		return a.traverse(step, s, w), true
	case *hast.Descend:
		return a.descend(step, s, w), true
	}
	return s, true
}

// branch is both sides of an if. Where one of them leaves, what follows knows which one was taken, and is a region of its own, which may not run.
func (a *analysis) branch(step *hast.IfHost, s *scope, w *walker) (after *scope, falls bool) {
	w.expr(step.Cond, s)
	then, thenFalls := a.body(step.Then, s.given(step.Cond, true), w)
	els, elseFalls := a.body(step.Else, s.given(step.Cond, false), w)
	switch vars := changedBy(step); {
	case thenFalls && !elseFalls:
		w.open(then)
		return then, true
	case elseFalls && !thenFalls:
		w.open(els)
		return els, true
	case thenFalls && len(vars) > 0:
		return s.enter(merged{step.Cond, then, els, vars}), true
	default:
		return s, thenFalls
	}
}

// loop is a body that runs any number of times, each time under what enter adds; it returns what is known behind it.
func (a *analysis) loop(body []hast.Step, s *scope, enter func(*scope) *scope, w *walker) *scope {
	if vars := changedBy(body...); len(vars) > 0 {
		s = s.enter(changed{vars})
	}
	a.body(body, enter(s), w)
	return s
}

// changedBy lists the variables that steps change.
func changedBy(list ...hast.Step) map[*hast.Var]bool {
	vars := map[*hast.Var]bool{}
	hast.WalkSteps(list, func(s hast.Step) {
		if s, ok := s.(*hast.SetHost); ok {
			vars[s.Var] = true
		}
	})
	return vars
}

// breaks reports whether the body of a loop has a break of its own.
func breaks(body []hast.Step) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *hast.BreakHost:
			return true
		case *hast.IfHost:
			if breaks(s.Then) || breaks(s.Else) {
				return true
			}
		}
	}
	return false
}

// touch notes that a step deals with an image.
func (w *walker) touch(m *hast.Image, stage *hast.Stage) {
	w.touches = append(w.touches, touched{m.Base(), w.region, w.clock, stage})
}

// common is the innermost region around both; nil stands for one that is not known yet.
func common(p, q *region) *region {
	for p != nil && p != q {
		if p.depth < q.depth {
			q = q.up
		} else {
			p = p.up
		}
	}
	if p == nil {
		return q
	}
	return p
}

// constantly declares a symbol of the host: one value for all instances of a stage.
func (a *analysis) constantly(l prove.Lin) prove.Lin {
	for _, t := range l.Terms() {
		if s := a.symbols[t.Var]; s != nil && s.origin == nil {
			s.shared = true
			a.sys.Shared(t.Var)
			a.linear.Shared(t.Var)
		}
	}
	return l
}
