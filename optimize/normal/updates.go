package normal

import (
	"maps"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A reader follows the statements of a body and says what each of its updates does, in terms of the stage's variables alone.
type reader struct {
	env     map[*hast.Var]hast.Expr // what variables of the body hold
	updates []*update
	size    int // of the values of updates
}

// maxSize bounds the values of updates, in expressions: what a body names once and uses often is computed anew for each use that is not found to be the same.
const maxSize = 400

// list reads statements that run where a condition holds, nil for always; false where one does what no reduction can say.
func (r *reader) list(list []hast.Stmt, cond hast.Expr) bool {
	for _, s := range list {
		if !r.stmt(s, cond) {
			return false
		}
	}
	return true
}

func (r *reader) stmt(s hast.Stmt, cond hast.Expr) bool {
	switch s := s.(type) {
	case *hast.Define:
		if s.Var.Type.IsArray() {
			return false
		}
		if r.env[s.Var] = r.value(s.Init); s.Init == nil {
			r.env[s.Var] = zero(s.Var.Type, s.At)
		}
		return true
	case *hast.Set:
		if len(s.Index) > 0 || s.Var.Type.IsArray() {
			return false
		}
		r.env[s.Var] = r.value(s.Value)
		return true
	case *hast.If:
		return r.branch(s, cond)
	case *hast.For:
		return r.loop(s, cond)
	case *hast.Store:
		return r.update(s, cond)
	}
	return false
}

// value is an expression in terms of the stage's variables.
func (r *reader) value(e hast.Expr) hast.Expr {
	if e == nil {
		return nil
	}
	return hast.Replaced(e, r.env)
}

// branch reads both sides of a condition; variables hold what it chooses behind it.
func (r *reader) branch(s *hast.If, cond hast.Expr) bool {
	c := r.value(s.Cond)
	not := &hast.Op{Typed: hast.Typed{T: c.Type(), At: s.At}, Op: ops.Not, Args: []hast.Expr{c}}
	before := r.env
	r.env = maps.Clone(before)
	if !r.list(s.Then, hast.And(cond, c)) {
		return false
	}
	then := r.env
	r.env = maps.Clone(before)
	if !r.list(s.Else, hast.And(cond, not)) {
		return false
	}
	for v := range before {
		if x, y := then[v], r.env[v]; x != y {
			before[v] = &hast.Select{Typed: hast.Typed{T: v.Type, At: s.At}, Cond: c, Then: x, Else: y}
		}
	}
	r.env = before
	return true
}

// loop reads a loop that does no more than to update pixels, the same in each round: what it does to each is a reduction over the rounds.
func (r *reader) loop(s *hast.For, cond hast.Expr) bool {
	before, space := r.env, hast.MapSpace(s.Space, r.value)
	inner := &reader{env: maps.Clone(before), size: r.size}
	if !inner.list(s.Body, nil) {
		return false
	}
	for v, x := range before {
		if inner.env[v] != x {
			return false
		}
	}
	r.size = inner.size
	for _, u := range inner.updates {
		for _, x := range u.store.Index {
			if hast.Names(x, s.Space.Vars) {
				return false
			}
		}
		u.value = over(space, u, u.value.Type())
		r.add(u, cond)
	}
	return true
}

// update reads an update.
func (r *reader) update(s *hast.Store, cond hast.Expr) bool {
	u := &update{store: s, op: reducers[s.Op], value: r.value(s.Value)}
	hast.Walk(u.value, func(hast.Expr) { r.size++ })
	if cond != nil {
		hast.Walk(cond, func(hast.Expr) { r.size++ })
	}
	if r.size > maxSize {
		return false
	}
	x := *s
	x.Index = nil
	for _, i := range s.Index {
		x.Index = append(x.Index, r.value(i))
	}
	if u.store = &x; u.op == hast.Sum { // in the kind that sums have
		u.value = inKind(u.value, summedAs(s.Image.Elem.Kind))
	}
	if s.Op == ops.Sub {
		u.value = &hast.Op{Typed: hast.Typed{T: u.value.Type(), At: s.At}, Op: ops.Neg, Args: []hast.Expr{u.value}}
	}
	r.add(u, cond)
	return true
}

// summedAs is the kind in which updates of a kind are summed.
func summedAs(k types.Kind) types.Kind {
	if k.IsFloat() && k.Bits() < 32 {
		return types.F32
	}
	return types.Promote(k)
}

// add joins what an instance does where a condition holds with what it has done to the same pixel before.
func (r *reader) add(u *update, cond hast.Expr) {
	if cond != nil {
		u.value = u.where(cond, u.value)
	}
	for _, before := range r.updates {
		if samePixel(before.store, u.store) {
			before.value = before.with(u.value)
			return
		}
	}
	r.updates = append(r.updates, u)
}

// with joins what a pixel has come to with another value.
func (u *update) with(x hast.Expr) hast.Expr {
	op := map[hast.ReduceOp]ops.Op{hast.Sum: ops.Add, hast.Min: ops.Min, hast.Max: ops.Max}[u.op]
	return hast.Binary(op, u.value, x)
}

// where is a value where a condition holds, and else what changes nothing. Conversions are done of what is chosen: shorter numbers take less, and what is counted is a condition that is converted itself.
func (u *update) where(cond, x hast.Expr) hast.Expr {
	t := x.Type()
	if c, ok := x.(*hast.Const); ok && u.op == hast.Sum && t.IsScalar() && c.Words[0] == 1 {
		return inKind(cond, t.Kind)
	}
	if c, ok := x.(*hast.Convert); ok && u.op == hast.Sum && c.How == hast.Wrap && c.X.Type().Kind.IsInt() {
		y := *c
		y.X = u.where(cond, c.X)
		return &y
	}
	return &hast.Select{Typed: hast.Typed{T: t, At: x.Span()}, Cond: cond, Then: x, Else: u.neutral(t, x.Span())}
}

// neutral is the value of a type that leaves a pixel as it is.
func (u *update) neutral(t types.Type, at source.Span) hast.Expr {
	word := types.Word(0)
	switch u.op {
	case hast.Min:
		word = types.Highest(t.Kind)
	case hast.Max:
		word = types.Lowest(t.Kind)
	}
	words := make([]types.Word, t.Words())
	for i := range words {
		words[i] = word
	}
	return &hast.Const{Typed: hast.Typed{T: t, At: at}, Words: words}
}

// inKind is a value in another kind, or in that one already.
func inKind(e hast.Expr, k types.Kind) hast.Expr {
	if e.Type().Kind == k {
		return e
	}
	return &hast.Convert{Typed: hast.Typed{T: e.Type().WithKind(k), At: e.Span()}, X: e}
}

// over is the reduction of an update's value over a space, with variables of its own.
func over(space hast.Space, u *update, t types.Type) *hast.Reduce {
	own, to := space, map[*hast.Var]hast.Expr{}
	own.Vars = nil
	for _, v := range space.Vars {
		w := *v
		w.Class = hast.Loop
		own.Vars, to[v] = append(own.Vars, &w), hast.RefTo(&w)
	}
	return &hast.Reduce{Typed: hast.Typed{T: t, At: u.store.At}, Op: u.op, Space: own, Elem: hast.Replaced(u.value, to)}
}
