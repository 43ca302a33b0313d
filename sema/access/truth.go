package access

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// truth is the condition that a scalar bool expression states. What is not linear is a hidden value, 0 or 1, so that a
// condition and its negation still exclude each other.
func (a *analysis) truth(e hast.Expr, s *scope) prove.Formula {
	if f, ok := s.truths[e]; ok {
		return f
	}
	f := a.decide(e, s)
	if f == nil || bulky(f) {
		f = prove.GE(a.hidden(e, s), prove.K(1))
	}
	if s.truths == nil {
		s.truths = map[hast.Expr]prove.Formula{}
	}
	s.truths[e] = f
	return f
}

// decide is truth without its memory, nil where the condition is not linear.
func (a *analysis) decide(e hast.Expr, s *scope) prove.Formula {
	if !e.Type().IsScalar() {
		return nil
	}
	switch e := e.(type) {
	case *hast.Const:
		if e.Words[0].Truth() {
			return prove.True
		}
		return prove.False
	case *hast.Ref:
		return a.flag(e.Var, s)
	case *hast.Op:
		return a.logic(e, s)
	case *hast.Select:
		c := a.truth(e.Cond, s)
		then, els := a.truth(e.Then, s.given(e.Cond, true)), a.truth(e.Else, s.given(e.Cond, false))
		return prove.Or{prove.And{c, then}, prove.And{prove.Not(c), els}}
	case *hast.Convert:
		switch k := e.X.Type().Kind; {
		case k == types.Bool:
			return a.truth(e.X, s)
		case k.IsInt():
			return known(prove.NE(a.exact(e.X, s), prove.K(0)))
		}
	case *hast.Call:
		if value, at := inlined(e, s); value != nil {
			return a.truth(value, at)
		}
	}
	return nil
}

// known is f, or nil if it speaks of a number that the prover cannot hold.
func known(f prove.Formula) prove.Formula {
	if at, ok := f.(prove.Atom); ok && at.Lin.IsUnknown() {
		return nil
	}
	return f
}

// flag is the condition that a bool variable holds.
func (a *analysis) flag(v *hast.Var, s *scope) prove.Formula {
	def := definer(v, s)
	if def == nil {
		return prove.GE(a.named(v, s), prove.K(1))
	}
	if f, ok := def.flags[v]; ok {
		return f
	}
	f := a.flagOf(v, def)
	if def.flags == nil {
		def.flags = map[*hast.Var]prove.Formula{}
	}
	def.flags[v] = f
	return f
}

// flagOf is flag for the scope that gave v its value.
func (a *analysis) flagOf(v *hast.Var, def *scope) prove.Formula {
	switch f := def.frame.(type) {
	case assigned:
		if f.value == nil {
			return prove.False
		}
		return a.truth(f.value, def.up)
	case merged:
		c := a.truth(f.cond, def.up)
		chosen := prove.Or{prove.And{c, a.flag(v, f.then)}, prove.And{prove.Not(c), a.flag(v, f.els)}}
		if !bulky(chosen) {
			return chosen
		}
	case bound:
		return a.truth(f.argument(v), f.from)
	}
	return prove.GE(a.unknown(v), prove.K(1))
}

// maxComparisons bounds a condition; what is more involved is treated as unknown.
const maxComparisons = 200

func bulky(f prove.Formula) bool { return atoms(f, maxComparisons) > maxComparisons }

// atoms counts the comparisons of a formula, up to about most.
func atoms(f prove.Formula, most int) (n int) {
	parts, _ := f.(prove.And)
	if or, ok := f.(prove.Or); ok {
		parts = prove.And(or)
	}
	if parts == nil {
		return 1
	}
	for _, part := range parts {
		if n += atoms(part, most-n); n > most {
			break
		}
	}
	return n
}

var comparisons = map[ops.Op]func(x, y prove.Lin) prove.Formula{
	ops.Eq: prove.EQ, ops.Ne: prove.NE, ops.Lt: prove.LT, ops.Le: prove.LE, ops.Gt: prove.GT, ops.Ge: prove.GE,
}

// logic is the condition that an operator states.
func (a *analysis) logic(e *hast.Op, s *scope) prove.Formula {
	switch e.Op {
	case ops.Not:
		return prove.Not(a.truth(e.Args[0], s))
	case ops.LAnd:
		return prove.And{a.truth(e.Args[0], s), a.truth(e.Args[1], s.given(e.Args[0], true))}
	case ops.LOr:
		return prove.Or{a.truth(e.Args[0], s), a.truth(e.Args[1], s.given(e.Args[0], false))}
	}
	compare := comparisons[e.Op]
	if compare == nil {
		return nil
	}
	switch t := e.Args[0].Type(); {
	case t.Kind == types.Bool && t.IsScalar() && (e.Op == ops.Eq || e.Op == ops.Ne):
		p, q := a.truth(e.Args[0], s), a.truth(e.Args[1], s)
		if e.Op == ops.Ne {
			q = prove.Not(q)
		}
		return prove.Or{prove.And{p, q}, prove.And{prove.Not(p), prove.Not(q)}}
	case t.IsScalar() && t.Kind.IsInt():
		return known(compare(a.exact(e.Args[0], s), a.exact(e.Args[1], s)))
	}
	return nil
}
