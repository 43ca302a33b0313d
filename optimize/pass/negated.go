package pass

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Compilers of devices make one instruction of max(max(a, b), c), and some lose the sign of a negated a or b in it: ptxas 13.0 to 13.2 does for sm_90
// (max(max(a, -b), c) becomes VIMNMX3 of a, b and c), 13.5 does not. What may be a negation once sums and differences are put together is therefore kept apart
// from the instruction, where the language can (kir.Op's Negated): on an H200 a random program had 750 wrong pixels of 1240.

// negated marks the operands of Min and Max that may be negations, of those that another one of the same takes. It marks them in place: where statements share
// one, it is marked for all.
func negated(body []kir.Stmt) []kir.Stmt {
	n := negations{}
	for again := true; again; {
		again = false
		eachValue(body, func(v *kir.Var, value kir.Expr) {
			if v != nil && !n[v] && n.may(value) {
				n[v], again = true, true
			}
		})
	}
	taken := map[ops.Op]map[*kir.Var]bool{ops.Min: {}, ops.Max: {}}
	eachExtreme(body, func(o *kir.Op) {
		for _, x := range o.Args {
			eachTop(x, func(x kir.Expr) {
				switch x := x.(type) {
				case *kir.Ref:
					taken[o.Op][x.Var] = true
				case *kir.Elem:
					taken[o.Op][x.Var] = true
				case *kir.Op:
					if x.Op == o.Op {
						n.mark(x)
					}
				}
			})
		}
	})
	eachValue(body, func(v *kir.Var, value kir.Expr) {
		eachTop(value, func(x kir.Expr) {
			if o, ok := x.(*kir.Op); ok && (v == nil || taken[o.Op][v]) {
				n.mark(o)
			}
		})
	})
	return body
}

// eachValue visits what variables become in a body, and what it returns, with no variable.
func eachValue(body []kir.Stmt, f func(v *kir.Var, value kir.Expr)) {
	kir.WalkStmts(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Decl:
			if s.Init != nil {
				f(s.Var, s.Init)
			}
		case *kir.Assign:
			f(s.Var, s.Value)
		case *kir.Return:
			if s.Value != nil {
				f(nil, s.Value)
			}
		}
	}, func(kir.Expr) {})
}

// eachExtreme visits the Mins and Maxes of words in a body, and what funcs get.
func eachExtreme(body []kir.Stmt, f func(o *kir.Op)) {
	kir.WalkStmts(body, func(kir.Stmt) {}, func(e kir.Expr) {
		if o, ok := e.(*kir.Op); ok && extreme(o) {
			f(o)
		}
	})
}

func extreme(o *kir.Op) bool {
	return (o.Op == ops.Min || o.Op == ops.Max) && o.T.IsScalar() && (o.T.Kind == types.I32 || o.T.Kind == types.U32)
}

// eachTop visits what a value is in the end, behind conversions and choices.
func eachTop(e kir.Expr, f func(kir.Expr)) {
	switch e := e.(type) {
	case *kir.Convert:
		eachTop(e.X, f)
	case *kir.Select:
		eachTop(e.Then, f)
		eachTop(e.Else, f)
	default:
		f(e)
	}
}

// negations are the variables that may hold one.
type negations map[*kir.Var]bool

func (n negations) mark(o *kir.Op) {
	if !extreme(o) {
		return
	}
	for i, x := range o.Args {
		if n.may(x) {
			o.Negated |= 1 << i
		}
	}
}

// may reports whether a compiler may come to take a value for a negation: of a - b it does where a goes into b, too.
func (n negations) may(e kir.Expr) bool {
	some := func(list []kir.Expr) bool {
		for _, x := range list {
			if n.may(x) {
				return true
			}
		}
		return false
	}
	switch e := e.(type) {
	case *kir.Const:
		return false
	case *kir.Ref:
		return n[e.Var]
	case *kir.Elem:
		return n[e.Var]
	case *kir.Call:
		return true
	case *kir.Convert:
		return e.X.Type().Kind.IsInt() && n.may(e.X)
	case *kir.Select:
		return n.may(e.Then) || n.may(e.Else)
	case *kir.Op:
		switch e.Op {
		case ops.Neg:
			return true
		case ops.Sub:
			_, constant := e.Args[1].(*kir.Const)
			return !constant || n.may(e.Args[0])
		case ops.Mul:
			return some(e.Args) || negative(e.Args)
		case ops.Add:
			return n.may(e.Args[0]) && n.may(e.Args[1])
		}
	}
	return false
}

// negative reports whether one of some factors is a negative constant.
func negative(list []kir.Expr) bool {
	for _, x := range list {
		if c, ok := x.(*kir.Const); ok && c.T.Kind.IsInt() && c.Words[0].Int() < 0 {
			return true
		}
	}
	return false
}
