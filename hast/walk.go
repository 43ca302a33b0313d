package hast

import "fmt"

// Walk calls f for e and every expression in it, outside in. The formulas of border rules and the bodies of funcs are not in it.
func Walk(e Expr, f func(Expr)) {
	f(e)
	switch e := e.(type) { // the most frequent without lists
	case *Convert:
		Walk(e.X, f)
	case *Select:
		Walk(e.Cond, f)
		Walk(e.Then, f)
		Walk(e.Else, f)
	case *Load:
		for _, c := range e.Index {
			Walk(c.X, f)
		}
		for _, x := range constantOf(e.Rule) {
			Walk(x, f)
		}
	default:
		for _, x := range Operands(e) {
			Walk(x, f)
		}
	}
}

// Operands lists the expressions directly inside e, in the order of the text.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Const, *Ref:
		return nil
	case *Op:
		return e.Args
	case *Convert:
		return []Expr{e.X}
	case *Splat:
		return []Expr{e.X}
	case *Select:
		return []Expr{e.Cond, e.Then, e.Else}
	case *Vec:
		return e.Parts
	case *Swizzle:
		return []Expr{e.X}
	case *Array:
		return e.Elems
	case *Elem:
		return append([]Expr{e.X}, e.Index...)
	case *Transpose:
		return []Expr{e.X}
	case *MatMul:
		return []Expr{e.X, e.Y}
	case *Reshape:
		return []Expr{e.X}
	case *Load:
		return append(coords(e.Index), constantOf(e.Rule)...)
	case *Window:
		var out []Expr
		for _, a := range e.Axes {
			out = append(out, a.Start.X)
		}
		return append(out, constantOf(e.Rule)...)
	case *Call:
		return e.Args
	case *Reduce:
		return reduceOperands(e)
	}
	panic(fmt.Sprintf("hast: unknown expression %T", e))
}

func coords(list []Coord) []Expr {
	out := make([]Expr, len(list))
	for i, c := range list {
		out[i] = c.X
	}
	return out
}

// constantOf is the value of a constant border.
func constantOf(r *Rule) []Expr {
	if r == nil || r.Value == nil {
		return nil
	}
	return []Expr{r.Value}
}

func reduceOperands(e *Reduce) []Expr {
	out := bounds(e.Space)
	for _, x := range [...]Expr{e.Init, e.Where, e.Elem} {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

// bounds are the expressions of a space.
func bounds(s Space) []Expr {
	var out []Expr
	for _, r := range s.Ranges {
		out = append(out, r.Lo, r.Hi)
	}
	return out
}

// WalkBody calls stmt for every statement of a body, nested ones included, outside in, and expr for every expression in them.
// Either function may be nil.
func WalkBody(list []Stmt, stmt func(Stmt), expr func(Expr)) {
	for _, s := range list {
		if stmt != nil {
			stmt(s)
		}
		switch s := s.(type) { // the most frequent without lists
		case *Define:
			if s.Init != nil && expr != nil {
				Walk(s.Init, expr)
			}
			continue
		case *Store:
			if expr != nil {
				for _, x := range s.Index {
					Walk(x, expr)
				}
				Walk(s.Value, expr)
			}
			continue
		}
		exprs, bodies := Parts(s)
		for _, e := range exprs {
			if expr != nil {
				Walk(e, expr)
			}
		}
		for _, b := range bodies {
			WalkBody(b, stmt, expr)
		}
	}
}

// Parts are the expressions and the lists of statements directly in a statement.
func Parts(s Stmt) ([]Expr, [][]Stmt) {
	switch s := s.(type) {
	case *Define:
		if s.Init == nil {
			return nil, nil
		}
		return []Expr{s.Init}, nil
	case *Set:
		return append(append([]Expr(nil), s.Index...), s.Value), nil
	case *Store:
		return append(append([]Expr(nil), s.Index...), s.Value), nil
	case *If:
		return []Expr{s.Cond}, [][]Stmt{s.Then, s.Else}
	case *For:
		return bounds(s.Space), [][]Stmt{s.Body}
	case *While:
		return []Expr{s.Cond}, [][]Stmt{s.Body}
	case *Return:
		return []Expr{s.Value}, nil
	case *Break, *Continue:
		return nil, nil
	}
	panic(fmt.Sprintf("hast: unknown statement %T", s))
}

// Number is the value of a constant integer expression, of any kind; false of all that is no constant, or no scalar.
func Number(e Expr) (int64, bool) {
	c, ok := e.(*Const)
	if !ok || !c.T.IsScalar() || !c.T.Kind.IsInt() {
		return 0, false
	}
	return c.Words[0].Int(), true
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
