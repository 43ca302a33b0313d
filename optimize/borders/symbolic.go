package borders

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// A symbolic is what the integers and conditions of a body stand for at a statement: expressions of variables that do not change, which lets and vars that are set step by step are made of.
//
//	var u = x - 1;
//	if (u < 0) u = 0;
//
// makes u the value u < 0 ? 0 : u of x - 1. It is how what is written in several statements is known for what it is.
type symbolic struct {
	of    map[*hast.Var]hast.Expr
	named map[*hast.Var]bool // variables that values have been taken of
}

// mostNodes bounds such values: each change of a var under a condition has the value before it several times.
const mostNodes = 100

// newSymbolic knows what lets of the host stand for.
func newSymbolic(host map[*hast.Var]hast.Expr) *symbolic {
	s := &symbolic{map[*hast.Var]hast.Expr{}, map[*hast.Var]bool{}}
	for v, e := range host {
		s.of[v] = e
	}
	return s
}

// branch knows the same, to go on by itself.
func (s *symbolic) branch() *symbolic { return &symbolic{newSymbolic(s.of).of, s.named} }

// value is what an expression stands for; nil where it has pixels in it, or what is not known.
func (s *symbolic) value(e hast.Expr) hast.Expr {
	known, nodes := true, 0
	out := hast.Map(e, func(e hast.Expr) hast.Expr {
		switch x := e.(type) {
		case *hast.Ref:
			if by := s.of[x.Var]; by != nil {
				s.named[x.Var] = true
				nodes += sizeOf(by)
				return by
			}
			known = known && x.Var.Class != hast.Mutable && x.Var.Class != hast.FuncParam && x.Var.Class != hast.Value
		case *hast.Call:
			if by := s.called(x); by != nil {
				nodes += sizeOf(by)
				return by
			}
			known = false
		case *hast.Const, *hast.Op, *hast.Convert, *hast.Select:
		default:
			known = false
		}
		if nodes++; !known {
			return e // look no further
		}
		return nil
	})
	if !known || nodes > mostNodes {
		return nil
	}
	return out
}

// sizeOf is how many nodes an expression has.
func sizeOf(e hast.Expr) (n int) {
	hast.Walk(e, func(hast.Expr) { n++ })
	return n
}

// mostStatements bounds the funcs that are looked at.
const mostStatements = 16

// called is what a func makes of its arguments; nil where it has loops, or is no func of the language.
func (s *symbolic) called(c *hast.Call) hast.Expr {
	n := 0
	if hast.WalkBody(c.Func.Body, func(hast.Stmt) { n++ }, nil); n > mostStatements {
		return nil
	}
	inner := &symbolic{map[*hast.Var]hast.Expr{}, map[*hast.Var]bool{}}
	for k, p := range c.Func.Params {
		if inner.of[p] = s.value(c.Args[k]); inner.of[p] == nil {
			return nil
		}
	}
	return inner.returned(c.Func.Body)
}

// returned is what a list of statements returns.
func (s *symbolic) returned(list []hast.Stmt) hast.Expr {
	for i, st := range list {
		switch st := st.(type) {
		case *hast.Return:
			return s.value(st.Value)
		case *hast.If:
			if !slices.ContainsFunc(st.Then, returns) && !slices.ContainsFunc(st.Else, returns) {
				break
			}
			cond := s.value(st.Cond)
			then, other := s.branch().returned(slices.Concat(st.Then, list[i+1:])), s.branch().returned(slices.Concat(st.Else, list[i+1:]))
			return choose(cond, then, other)
		case *hast.For, *hast.While:
			if returns(st) {
				return nil
			}
		}
		s.pass(st)
	}
	return nil
}

// returns reports whether a statement may end the func that it stands in.
func returns(s hast.Stmt) (found bool) {
	hast.WalkBody([]hast.Stmt{s}, func(s hast.Stmt) {
		_, ok := s.(*hast.Return)
		found = found || ok
	}, nil)
	return found
}

// choose is cond ? then : other; nil where one of them is not known, or all are too much.
func choose(cond, then, other hast.Expr) hast.Expr {
	if cond == nil || then == nil || other == nil || sizeOf(cond)+sizeOf(then)+sizeOf(other) > mostNodes {
		return nil
	}
	return &hast.Select{Typed: hast.Typed{T: then.Type(), At: then.Span()}, Cond: cond, Then: then, Else: other}
}

// pass goes past a statement.
func (s *symbolic) pass(st hast.Stmt) {
	switch st := st.(type) {
	case *hast.Define:
		s.set(st.Var, st.Init)
	case *hast.Set:
		if len(st.Index) > 0 {
			s.forget([]hast.Stmt{st})
			return
		}
		s.set(st.Var, st.Value)
	case *hast.If:
		s.either(st)
	default:
		s.forget([]hast.Stmt{st})
	}
}

// set gives a variable a value.
func (s *symbolic) set(v *hast.Var, e hast.Expr) {
	if e != nil && v.Type.IsScalar() && !v.Type.Kind.IsFloat() {
		if value := s.value(e); value != nil {
			s.of[v] = value
			return
		}
	}
	delete(s.of, v)
}

// either goes past a condition: what both sides leave is chosen by it.
func (s *symbolic) either(st *hast.If) {
	cond, then, other := s.value(st.Cond), s.branch(), s.branch()
	then.all(st.Then)
	other.all(st.Else)
	for _, v := range changed([]hast.Stmt{st}) {
		if value := choose(cond, then.of[v], other.of[v]); value != nil {
			s.of[v] = value
			continue
		}
		delete(s.of, v)
	}
}

// all goes past a list of statements.
func (s *symbolic) all(list []hast.Stmt) {
	for _, st := range list {
		s.pass(st)
	}
}

// forget is for what statements may change, however often they run.
func (s *symbolic) forget(list []hast.Stmt) {
	for _, v := range changed(list) {
		delete(s.of, v)
	}
}

// changed are the variables that statements set.
func changed(list []hast.Stmt) (vars []*hast.Var) {
	hast.WalkBody(list, func(s hast.Stmt) {
		if s, ok := s.(*hast.Set); ok && !slices.Contains(vars, s.Var) {
			vars = append(vars, s.Var)
		}
	}, nil)
	return vars
}

// ofHost are the lets of the host in a list of steps, as far as they are computed with sizes.
func ofHost(list []hast.Step) map[*hast.Var]hast.Expr {
	s := newSymbolic(nil)
	hast.WalkSteps(list, func(step hast.Step) {
		if d, ok := step.(*hast.DefineHost); ok && d.Var.Class == hast.HostValue {
			sizes := true
			hast.Walk(d.Value, func(e hast.Expr) {
				r, ok := e.(*hast.Ref)
				sizes = sizes && (!ok || r.Var.Class == hast.SizeVar || s.of[r.Var] != nil)
			})
			if sizes {
				s.set(d.Var, d.Value)
			}
		}
	})
	return s.of
}

// ofCoordinates are the operators of coordinates that later phases take apart.
var ofCoordinates = map[ops.Op]bool{ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Neg: true, ops.Div: true, ops.FloorDiv: true, ops.Shr: true}

// plain reports whether a coordinate is made of variables by such operators.
func plain(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Ref:
		case *hast.Op:
			ok = ok && ofCoordinates[e.Op]
		default:
			ok = false
		}
	})
	return ok
}
