package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
)

// Updates that quads make: where and by what is computed for the four instances at once, and then each makes its own, if it is one, and under its own condition. Of what stands under a
// condition, nothing is computed that is not at hand, since that may be right under the condition alone.

// A quadUpdate is an update whose values are known for each of the four instances.
type quadUpdate struct {
	*quads
	store  hast.Store
	names  []*hast.Var // that stand for what is computed
	values []*[4]kir.Expr
}

// update computes what an update takes.
func (q *quads) update(s *hast.Store) *quadUpdate {
	u := &quadUpdate{quads: q, store: *s}
	q.body.kernel.standsFor(&u.store, s)
	u.store.Value, u.store.Index = u.computed(s.Value), slices.Clone(s.Index)
	for k, x := range s.Index {
		u.store.Index[k] = u.computed(x)
	}
	return u
}

// flag makes an update of what all instances share by what is true of any of the four; false where that is not known for all at once.
func (q *quads) flag(s *hast.Store) bool {
	if s.Op != ops.LOr || s.Value.Type() != boolType || !s.Image.Scalar || q.inside != [4]kir.Expr{} {
		return false
	}
	v := q.eval(s.Value)
	if v.truth == nil {
		return false
	}
	some := &hast.Var{Name: "some", Type: boolType, Class: hast.Value, At: s.Value.Span()}
	q.body.vars[some] = q.someTrue(v)
	x := *s
	x.Value = hast.RefTo(some)
	q.body.kernel.standsFor(&x, s)
	q.body.store(&x)
	return true
}

// computed is a name for the values of an expression.
func (u *quadUpdate) computed(e hast.Expr) hast.Expr {
	if _, known := hast.Number(e); known {
		return e
	}
	v := &hast.Var{Name: "at", Type: e.Type(), Class: hast.Value, At: e.Span()}
	u.names, u.values = append(u.names, v), append(u.values, u.quads.values(u.eval(e)))
	return hast.RefTo(v)
}

// make has one of the four instances, at which lowering is, make its update.
func (u *quadUpdate) make(i int) {
	for k, v := range u.names {
		u.body.vars[v] = u.values[k][i]
	}
	u.body.store(&u.store)
}

// each runs f for those of the four that are instances.
func (q *quads) each(f func(i int)) {
	for i := range 4 {
		q.instance(i)
		q.body.when(q.inside[i], func() { f(i) })
	}
	q.strip.at[0] = q.from
}

// choose has each instance make the updates that its own condition says.
func (q *quads) choose(s *hast.If) {
	cond := *q.values(q.eval(s.Cond))
	prepare := func(list []hast.Stmt) (updates []*quadUpdate) {
		for _, st := range list {
			updates = append(updates, q.update(st.(*hast.Store)))
		}
		return updates
	}
	then, els := prepare(s.Then), prepare(s.Else)
	q.each(func(i int) {
		all := func(list []*quadUpdate) func() {
			return func() {
				for _, u := range list {
					u.make(i)
				}
			}
		}
		q.body.when(cond[i], all(then))
		if len(els) > 0 {
			q.body.when(q.body.op(boolType, ops.Not, cond[i]), all(els))
		}
	})
}
