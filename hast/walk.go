package hast

import (
	"fmt"

	"imgc/ops"
)

// Walk calls f for e and every expression in it, outside in. The formulas of border rules and the bodies of funcs are not in it.
func Walk(e Expr, f func(Expr)) {
	f(e)
	EachOperand(e, func(x Expr) { Walk(x, f) })
}

// Operands lists the expressions directly inside e, in the order of the text.
func Operands(e Expr) (list []Expr) {
	EachOperand(e, func(x Expr) { list = append(list, x) })
	return list
}

// EachOperand calls f for the expressions directly inside e, in the order of the text. It makes no list: walks are most of what planning does.
func EachOperand(e Expr, f func(Expr)) {
	switch e := e.(type) {
	case *Const, *Ref:
	case *Op:
		each(e.Args, f)
	case *Convert:
		f(e.X)
	case *Splat:
		f(e.X)
	case *Select:
		f(e.Cond)
		f(e.Then)
		f(e.Else)
	case *Vec:
		each(e.Parts, f)
	case *Swizzle:
		f(e.X)
	case *Array:
		each(e.Elems, f)
	case *Elem:
		f(e.X)
		each(e.Index, f)
	case *Transpose:
		f(e.X)
	case *MatMul:
		f(e.X)
		f(e.Y)
	case *Reshape:
		f(e.X)
	case *Load:
		for _, c := range e.Index {
			f(c.X)
		}
		eachConstant(e.Rule, f)
	case *Window:
		for _, a := range e.Axes {
			f(a.Start.X)
		}
		eachConstant(e.Rule, f)
	case *Call:
		each(e.Args, f)
	case *Reduce:
		eachBound(e.Space, f)
		eachThere(f, e.Init, e.Where, e.Elem)
	default:
		panic(fmt.Sprintf("hast: unknown expression %T", e))
	}
}

func each(list []Expr, f func(Expr)) {
	for _, x := range list {
		f(x)
	}
}

// eachThere calls f for those expressions that there are.
func eachThere(f func(Expr), list ...Expr) {
	for _, x := range list {
		if x != nil {
			f(x)
		}
	}
}

// eachConstant calls f for the value of a constant border.
func eachConstant(r *Rule, f func(Expr)) {
	if r != nil {
		eachThere(f, r.Value)
	}
}

// eachBound calls f for the expressions of a space.
func eachBound(s Space, f func(Expr)) {
	for _, r := range s.Ranges {
		f(r.Lo)
		f(r.Hi)
	}
}

// WalkBody calls stmt for every statement of a body, nested ones included, outside in, and expr for every expression in them.
// Either function may be nil.
func WalkBody(list []Stmt, stmt func(Stmt), expr func(Expr)) {
	for _, s := range list {
		if stmt != nil {
			stmt(s)
		}
		if expr != nil {
			eachExpr(s, func(e Expr) { Walk(e, expr) })
		}
		eachBody(s, func(b []Stmt) { WalkBody(b, stmt, expr) })
	}
}

// Values are what the names of a body, nested ones included, stand for.
func Values(body []Stmt) map[*Var]Expr {
	lets := map[*Var]Expr{}
	WalkBody(body, func(s Stmt) {
		if d, ok := s.(*Define); ok && d.Var.Class == Value && d.Init != nil {
			lets[d.Var] = d.Init
		}
	}, nil)
	return lets
}

// Parts are the expressions and the lists of statements directly in a statement.
func Parts(s Stmt) (exprs []Expr, bodies [][]Stmt) {
	eachExpr(s, func(e Expr) { exprs = append(exprs, e) })
	eachBody(s, func(b []Stmt) { bodies = append(bodies, b) })
	return exprs, bodies
}

// eachExpr calls f for the expressions directly in a statement.
func eachExpr(s Stmt, f func(Expr)) {
	switch s := s.(type) {
	case *Define:
		eachThere(f, s.Init)
	case *Set:
		each(s.Index, f)
		f(s.Value)
	case *Store:
		each(s.Index, f)
		f(s.Value)
	case *If:
		f(s.Cond)
	case *For:
		eachBound(s.Space, f)
	case *While:
		f(s.Cond)
	case *Return:
		f(s.Value)
	case *Break, *Continue:
	default:
		panic(fmt.Sprintf("hast: unknown statement %T", s))
	}
}

// eachBody calls f for the lists of statements directly in a statement.
func eachBody(s Stmt, f func([]Stmt)) {
	switch s := s.(type) {
	case *If:
		f(s.Then)
		f(s.Else)
	case *For:
		f(s.Body)
	case *While:
		f(s.Body)
	}
}

// Number is the value of a constant integer expression, of any kind; false of all that is no constant, or no scalar.
func Number(e Expr) (int64, bool) {
	c, ok := e.(*Const)
	if !ok || !c.T.IsScalar() || !c.T.Kind.IsInt() {
		return 0, false
	}
	return c.Words[0].Int(), true
}

// Unshaped is an array without what gives its elements other extents.
func Unshaped(e Expr) Expr {
	for {
		x, ok := e.(*Reshape)
		if !ok {
			return e
		}
		e = x.X
	}
}

// Factors takes a product apart, in the order of the text.
func Factors(e Expr) []Expr {
	if x, ok := e.(*Op); ok && x.Op == ops.Mul && x.Args[0].Type() == x.T && x.Args[1].Type() == x.T {
		return append(Factors(x.Args[0]), Factors(x.Args[1])...)
	}
	return []Expr{e}
}

// SameForAll reports whether an expression is a value that is computed from values of the host alone, the same for all instances of a stage,
// and is no constant.
func SameForAll(e Expr) bool {
	host, other := false, false
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Ref:
			host = host || x.Var.Class.OfHost()
			other = other || !x.Var.Class.OfHost()
		case *Const, *Op, *Convert, *Splat, *Vec, *Swizzle, *Select:
		default:
			other = true
		}
	})
	return host && !other && !e.Type().IsArray()
}

// IsVar reports whether an expression reads a variable, and nothing else.
func IsVar(e Expr, v *Var) bool {
	r, ok := e.(*Ref)
	return ok && r.Var == v
}

// Fixed reports whether an expression is the same wherever it stands in a body: it reads no var and no pixel.
func Fixed(e Expr) bool {
	ok := true
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Ref:
			ok = ok && x.Var.Class != Mutable
		case *Load, *Window:
			ok = false
		}
	})
	return ok
}
