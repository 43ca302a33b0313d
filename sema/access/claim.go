package access

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// claim records what the analysis takes e for, where e is computed by instances. Funcs are left out: their expressions are one for all calls, of which
// the analysis may have seen some alone.
func (a *analysis) claim(e hast.Expr, l prove.Lin, s *scope) {
	if a.claims == nil || s.host || l.IsUnknown() || inFunc(s) {
		return
	}
	if _, constant := e.(*hast.Const); constant {
		return
	}
	iv := a.intervalOf(l)
	now := hast.Claim{Lo: iv.Lo, Hi: iv.Hi, Multiple: l.PowerOfTwo()}
	if form := a.form(l, s); form != nil {
		now.Equal = []hast.Expr{form}
	}
	if before, known := a.claims[e]; known {
		now = either(before, now)
	}
	a.claims[e] = now
}

// mostForms is how many forms of one expression are recorded: an expression that several stages share is looked at in each.
const mostForms = 4

// either is what holds of an expression that is looked at in two places, whichever its value is computed in. Where one of them has no form, or there are
// too many, nothing is said of what it equals.
func either(p, q hast.Claim) hast.Claim {
	iv := interval.Between(p.Lo, p.Hi).Join(interval.Between(q.Lo, q.Hi))
	out := hast.Claim{Lo: iv.Lo, Hi: iv.Hi, Multiple: min(p.Multiple, q.Multiple)}
	if p.Equal != nil && q.Equal != nil && len(p.Equal)+len(q.Equal) <= mostForms {
		out.Equal = append(p.Equal, q.Equal...)
	}
	return out
}

func inFunc(s *scope) bool {
	for ; s != nil; s = s.up {
		if _, ok := s.frame.(bound); ok {
			return true
		}
	}
	return false
}

// form is a linear expression as one of the language, of 64 bits; nil where a variable of it is no variable of the program that has a value in s.
func (a *analysis) form(l prove.Lin, s *scope) hast.Expr {
	sum := long(l.Constant())
	for _, t := range l.Terms() {
		x := a.formOf(t.Var, s)
		if x == nil {
			return nil
		}
		sum = hast.Binary(ops.Add, sum, hast.Binary(ops.Mul, long(t.Coef), x))
	}
	return sum
}

// formOf is a variable of the prover's as an expression of 64 bits.
func (a *analysis) formOf(v prove.Var, s *scope) hast.Expr {
	if sym := a.symbols[v]; sym != nil {
		if sym.v == nil || sym.v.Class >= hast.SizeVar || !hasValue(sym.v, s) || a.names[sym.v].String() != prove.V(v).String() {
			return nil
		}
		ref := &hast.Ref{Typed: hast.Typed{T: sym.v.Type, At: sym.v.At}, Var: sym.v}
		return &hast.Convert{Typed: hast.Typed{T: types.Scalar(types.I64), At: sym.v.At}, X: ref, How: hast.Wrap}
	}
	d, ok := a.sys.Def(v)
	if !ok || d.Op == prove.Select {
		return nil
	}
	x := a.form(d.Args[0], s)
	switch {
	case x == nil:
		return nil
	case d.Op == prove.Abs:
		return &hast.Op{Typed: hast.Typed{T: x.Type()}, Op: ops.Abs, Args: []hast.Expr{x}}
	case (d.Op == prove.FloorDiv || d.Op == prove.TruncDiv) && len(d.Args) == 1:
		return hast.Binary(operators[d.Op], x, long(d.Divisor))
	}
	for _, arg := range d.Args[1:] {
		y := a.form(arg, s)
		if y == nil {
			return nil
		}
		x = hast.Binary(operators[d.Op], x, y)
	}
	return x
}

// hasValue reports whether an iterator or loop variable is one of those around s.
func hasValue(v *hast.Var, s *scope) bool {
	for ; s != nil; s = s.up {
		if r, ok := s.frame.(ranging); ok {
			for _, w := range r.space.Vars {
				if v == w {
					return true
				}
			}
		}
	}
	return false
}

func long(v int64) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(v)}}
}
