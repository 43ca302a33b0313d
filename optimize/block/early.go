package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// What groups that go through a scan by trapezoids compute of several steps before they complete the first of them.

// split takes out of the body what does not depend on steps before.
func (a *cutting) split() {
	a.out.Late = a.late(a.stage.Body, nil, map[*hast.Var]bool{})
}

// late are statements without what is computed early: of those that run where a condition holds, which is known early and may be nil, only where it holds.
func (a *cutting) late(list []hast.Stmt, where hast.Expr, known map[*hast.Var]bool) (out []hast.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class == hast.Value && st.Init != nil {
				if x := a.lateLet(st, where, known); x != nil {
					out = append(out, x)
				}
				continue
			}
			if st.Init != nil {
				x := *st
				x.Init = a.taken(st.Init, where, known)
				out = append(out, &x)
				continue
			}
		case *hast.Set:
			x := *st
			x.Value = a.taken(st.Value, where, known)
			out = append(out, &x)
			continue
		case *hast.If:
			if a.early(st.Cond, known) && len(st.Else) == 0 && !hast.ReadsPixels(st.Cond) {
				x := *st
				x.Then = a.late(st.Then, hast.And(where, st.Cond), known)
				out = append(out, &x)
				continue
			}
		case *hast.Store:
			x := *st
			x.Value = a.taken(st.Value, where, known)
			a.replaced(st, &x)
			out = append(out, &x)
			continue
		}
		out = append(out, st)
	}
	return out
}

// lateLet is what of a let is computed late; nil for nothing.
func (a *cutting) lateLet(st *hast.Define, where hast.Expr, known map[*hast.Var]bool) hast.Stmt {
	if a.early(st.Init, known) {
		a.compute(st.Var, st.Init, where, known)
		if hast.ReadsPixels(st.Init) {
			return nil
		}
		return st // computed again it needs no register
	}
	x := *st
	x.Init = a.taken(st.Init, where, known)
	return &x
}

// compute has a variable be a value that does not depend on steps before, of which only that counts which it is where a condition holds.
func (a *cutting) compute(v *hast.Var, e, where hast.Expr, known map[*hast.Var]bool) {
	known[v] = true
	a.out.reads[v] = hast.ReadsPixels(e)
	if where != nil && a.readsAhead(e, where) {
		e = a.apart(e, where, known)
	}
	d := &hast.Define{Var: v, Init: only(where, e), At: e.Span()}
	switch {
	case !a.isPlain(d.Init):
		a.out.Early = append(a.out.Early, d)
	case a.out.reads[v]:
		a.out.Ahead = append(a.out.Ahead, d)
	default:
		a.plain[v] = true
		a.out.Ahead, a.out.Early = append(a.out.Ahead, d), append(a.out.Early, d)
	}
}

// readsAhead reports whether pixels that an expression reads where a condition holds can be read before anything is computed with them: where it is more than one of them, and zeros in their place do no harm.
func (a *cutting) readsAhead(e, where hast.Expr) bool {
	if isPixel(e) || !hast.ReadsPixels(e) || !a.isPlain(where) || !a.isPlain(e) {
		return false
	}
	simple := true
	hast.Walk(e, func(e hast.Expr) {
		switch e.(type) {
		case *hast.Load, *hast.Op, *hast.Convert, *hast.Select, *hast.Ref, *hast.Const:
		default:
			simple = false
		}
	})
	return simple
}

// isPixel reports whether an expression is one pixel, or an integer that is.
func isPixel(e hast.Expr) bool {
	if c, ok := e.(*hast.Convert); ok && c.T.Kind.IsInt() && c.X.Type().Kind.IsInt() {
		e = c.X
	}
	_, ok := e.(*hast.Load)
	return ok
}

// isPlain reports whether an expression needs no other names than those of coordinates.
func (a *cutting) isPlain(e hast.Expr) bool {
	plain, own := true, map[*hast.Var]bool{}
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			for _, v := range e.Space.Vars {
				own[v] = true
			}
		case *hast.Ref:
			plain = plain && (e.Var.Class == hast.Iterator || e.Var.Class.OfHost() || a.plain[e.Var] || own[e.Var])
		}
	})
	return plain
}

// apart is an expression with names in the place of pixels, which are read where a condition holds and those in the expression do.
func (a *cutting) apart(e, where hast.Expr, known map[*hast.Var]bool) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch x := e.(type) {
		case *hast.Select:
			if hast.ReadsPixels(x.Cond) || x.Cond.Type().Lanes > 1 {
				return &hast.Select{Typed: x.Typed, Cond: a.apart(x.Cond, where, known), Then: x.Then, Else: x.Else}
			}
			not := &hast.Op{Typed: hast.Typed{T: x.Cond.Type(), At: x.Cond.Span()}, Op: ops.Not, Args: []hast.Expr{x.Cond}}
			return &hast.Select{Typed: x.Typed, Cond: x.Cond, Then: a.apart(x.Then, hast.And(where, x.Cond), known), Else: a.apart(x.Else, hast.And(where, not), known)}
		case *hast.Op:
			if x.Op.Lazy() {
				args := slices.Clone(x.Args)
				args[0] = a.apart(args[0], where, known)
				return &hast.Op{Typed: x.Typed, Op: x.Op, Args: args}
			}
		case *hast.Load:
			return a.named("read", x, where, known)
		}
		return nil
	})
}

// named is the name of what is computed early.
func (a *cutting) named(name string, e, where hast.Expr, known map[*hast.Var]bool) hast.Expr {
	v := &hast.Var{Name: name, Type: e.Type(), Class: hast.Value, At: e.Span()}
	a.compute(v, e, where, known)
	return hast.RefTo(v)
}

// only is a value where a condition holds, and zeros elsewhere, where that spares reads.
func only(where, e hast.Expr) hast.Expr {
	if where == nil || !hast.ReadsPixels(e) {
		return e
	}
	typed := hast.Typed{T: e.Type(), At: e.Span()}
	return &hast.Select{Typed: typed, Cond: where, Then: e, Else: &hast.Const{Typed: typed, Words: make([]types.Word, typed.T.Words())}}
}

// replaced has a state's store be another one.
func (a *cutting) replaced(from, to *hast.Store) {
	for _, x := range a.out.States {
		if x.Store == from {
			x.Store = to
		}
	}
}

// taken is an expression with lets in the place of what is computed of it in any case where a condition holds, reads memory and does not depend on steps before. Of choices that do not that is all,
// and of others the condition.
func (a *cutting) taken(e, where hast.Expr, known map[*hast.Var]bool) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if hast.ReadsPixels(e) && a.early(e, known) {
			return a.named("early", e, where, known)
		}
		switch x := e.(type) {
		case *hast.Select:
			return &hast.Select{Typed: x.Typed, Cond: a.taken(x.Cond, where, known), Then: x.Then, Else: x.Else}
		case *hast.Op:
			if x.Op.Lazy() {
				args := slices.Clone(x.Args)
				args[0] = a.taken(args[0], where, known)
				return &hast.Op{Typed: x.Typed, Op: x.Op, Args: args}
			}
		}
		return nil
	})
}

// early reports whether an expression does not depend on steps before, and fits registers.
func (a *cutting) early(e hast.Expr, known map[*hast.Var]bool) bool {
	t := e.Type()
	ok, own := !t.IsArray() && t.Kind != types.F16 && t.Kind != types.BF16, map[*hast.Var]bool{}
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			for _, v := range e.Space.Vars {
				own[v] = true
			}
		case *hast.Load:
			ok = ok && a.written[e.Image.Base()] == nil
		case *hast.Window:
			ok = ok && a.written[e.Image.Base()] == nil
		case *hast.Ref:
			ok = ok && (e.Var.Class == hast.Iterator || e.Var.Class.OfHost() || known[e.Var] || own[e.Var])
		}
	})
	return ok
}

// Registers is how many components of what is computed early are there at a time.
func (x *Trapezoid) Registers() (n int) {
	read, handed := 0, 0
	for _, d := range x.Ahead {
		if x.reads[d.Var] {
			read += d.Var.Type.Words()
		}
	}
	for _, d := range x.Handed() {
		handed += d.Var.Type.Words()
	}
	for _, st := range x.States {
		if x.Partial {
			n += int(st.Image.Elem.Lanes)
		}
	}
	return n + max(read, handed)
}

// Handed are the lets of Ahead and Early that Late uses and does not compute again.
func (x *Trapezoid) Handed() []*hast.Define {
	return x.used(slices.Concat(x.Ahead, x.Early), x.Late)
}

// Between are the lets of Ahead that Early uses and does not compute again.
func (x *Trapezoid) Between() []*hast.Define {
	var later []hast.Stmt
	for _, d := range x.Early {
		later = append(later, d)
	}
	return x.used(x.Ahead, later)
}

// used are those of some lets that read memory which statements use.
func (x *Trapezoid) used(lets []*hast.Define, in []hast.Stmt) []*hast.Define {
	used := map[*hast.Var]bool{}
	hast.WalkBody(in, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			used[r.Var] = true
		}
	})
	return slices.DeleteFunc(slices.Clone(lets), func(d *hast.Define) bool { return !used[d.Var] || !x.reads[d.Var] })
}
