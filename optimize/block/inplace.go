package block

import (
	"slices"

	"imgc/hast"
)

// A scan that writes the image it reads, as the second pass of a distance transform does, can have pixels of it as they were read for several steps at once, too.
// No other work-item writes any of its line's, since lines touch no pixel together, and of the steps of the line those before a step have written nothing that
// lies where it stores or beyond. What stands there is the same before the first of these steps as when the last reads it, unless that has stored before.

// asItWas reports whether all reads at the place of one find what was there before the steps that are computed together.
func (a *Ahead) asItWas(s *hast.Stage, steps *Steps) bool {
	var store *hast.Store
	n := 0
	hast.EachStore(s.Body, func(st *hast.Store) {
		if st.Image.Base() == a.Image.Base() {
			n++
		}
	})
	hast.EachStore(steps.Body, func(st *hast.Store) {
		if st.Image.Base() == a.Image.Base() {
			store = st
		}
	})
	if n != 1 || store == nil || store.Image != a.Image || a.Image.View != nil || store.Skip {
		return false
	}
	beyond := a.beyond(steps, store)
	return beyond > 0 || beyond == 0 && (&beforeStore{read: a, store: store}).all(steps.Body)
}

// beyond is how far along the scan a read lies from what its step stores; less than 0 where it may be a pixel that steps before store, and 0 where it may be one
// that its own step does.
func (a *Ahead) beyond(steps *Steps, store *hast.Store) int64 {
	for k, c := range a.Index {
		if k == a.Along {
			continue
		}
		read, ok1 := a.scope.Linear(c.X)
		wrote, ok2 := a.scope.Linear(store.Index[k])
		same := read.Var == wrote.Var && read.Stride == wrote.Stride && read.Div == 0 && wrote.Div == 0
		if !ok1 || !ok2 || !same || wrote.Var != steps.Var || wrote.Stride < 1 || !read.Single() || !wrote.Single() {
			continue
		}
		apart := read.Lo - wrote.Lo
		if steps.Down {
			apart = -apart
		}
		if !c.Below && !c.Above || a.Rule != nil && a.Rule.Kind == hast.Constant {
			return apart
		}
		if a.Rule != nil && a.Rule.Kind == hast.Clamp {
			return min(apart, 0) // the last pixel may be the step's own
		}
	}
	return -1
}

// A beforeStore finds whether all reads at the place of one come before the store.
type beforeStore struct {
	read   *Ahead
	store  *hast.Store
	loops  []*hast.Var // the counters of loops around the statement at hand that store; nil of loops without
	passed bool
}

// all looks at a list of statements, one after the other.
func (b *beforeStore) all(list []hast.Stmt) bool {
	for _, st := range list {
		if !b.statement(st) {
			return false
		}
		b.passed = b.passed || st == hast.Stmt(b.store)
	}
	return true
}

// statement looks at one, and at those in it. Later rounds of a loop come behind what the earlier ones store.
func (b *beforeStore) statement(st hast.Stmt) bool {
	exprs, bodies := hast.Parts(st)
	defer func(was []*hast.Var) { b.loops = was }(b.loops)
	switch st := st.(type) {
	case *hast.For:
		counter, _ := counted(st)
		b.enter(st.Body, counter)
	case *hast.While:
		b.enter(st.Body, nil)
	}
	return b.exprs(exprs) && !slices.ContainsFunc(bodies, func(list []hast.Stmt) bool { return !b.all(list) })
}

// enter notes the loop that some statements are the body of, if these store.
func (b *beforeStore) enter(body []hast.Stmt, counter *hast.Var) {
	stores := false
	hast.EachStore(body, func(st *hast.Store) { stores = stores || st == b.store })
	if stores {
		b.loops = append(slices.Clone(b.loops), counter)
	}
}

func (b *beforeStore) exprs(list []hast.Expr) bool {
	ok := true
	for _, e := range list {
		hast.Walk(e, func(e hast.Expr) { ok = ok && b.expr(e) })
	}
	return ok
}

func (b *beforeStore) expr(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Load:
		return !b.read.Has(e.Image, e.Index, e.Rule) || !b.passed && b.inRound(e.Index)
	case *hast.Window:
		return e.Image != b.read.Image || !b.passed && len(b.loops) == 0
	}
	return true
}

// inRound reports whether a pixel is one that no earlier round of the loops around it has stored.
func (b *beforeStore) inRound(index []hast.Coord) bool {
	k := b.read.Along
	switch {
	case len(b.loops) == 0:
		return true
	case len(b.loops) > 1 || k < 0 || b.loops[0] == nil:
		return false
	}
	return isRef(index[k].X, b.loops[0]) && isRef(b.store.Index[k], b.loops[0])
}

func isRef(e hast.Expr, v *hast.Var) bool {
	r, ok := e.(*hast.Ref)
	return ok && r.Var == v
}
