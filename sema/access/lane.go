package access

import (
	"imgc/hast"
	"imgc/ops"
)

// laneOf is what computes one lane of a vector alone, and the scope to compute it in; nil where there is nothing simpler.
func (a *analysis) laneOf(e *hast.Swizzle, s *scope) (hast.Expr, *scope) {
	x, at := a.resolve(e.X, s)
	if x == nil || !e.T.IsScalar() {
		return nil, nil
	}
	return component(x, e.Lanes[0]), at
}

// component takes a vector expression apart; nil for loads and the like, whose lanes have no expression of their own.
func component(x hast.Expr, i int) hast.Expr {
	typed := hast.Typed{T: x.Type().WithLanes(1), At: x.Span()}
	of := func(part hast.Expr) hast.Expr {
		if part.Type().IsScalar() {
			return part
		}
		return &hast.Swizzle{Typed: hast.Typed{T: part.Type().WithLanes(1), At: part.Span()}, X: part, Lanes: []int{i}}
	}
	if x.Type().IsArray() {
		return nil
	}
	switch x := x.(type) {
	case *hast.Const:
		return &hast.Const{Typed: typed, Words: x.Words[i : i+1]}
	case *hast.Vec:
		return x.Parts[i]
	case *hast.Splat:
		return x.X
	case *hast.Swizzle:
		return &hast.Swizzle{Typed: typed, X: x.X, Lanes: x.Lanes[i : i+1]}
	case *hast.Convert:
		return &hast.Convert{Typed: typed, X: of(x.X), How: x.How}
	case *hast.Select:
		return &hast.Select{Typed: typed, Cond: of(x.Cond), Then: of(x.Then), Else: of(x.Else)}
	case *hast.Op:
		if r := x.Op.Info().Result; r != ops.Same && r != ops.Truth && r != ops.Index || x.Op == ops.Cross || x.Op == ops.Normalize {
			return nil
		}
		args := make([]hast.Expr, len(x.Args))
		for k, arg := range x.Args {
			args[k] = of(arg)
		}
		return &hast.Op{Typed: typed, Op: x.Op, Args: args}
	}
	return nil
}
