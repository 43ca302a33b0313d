package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// hostExpr lowers a host expression. What the language computes in i32 is computed in i64 here, so that it cannot wrap; the
// executor refuses results that do not fit.
func (pl *planner) hostExpr(e hast.Expr) kir.Expr {
	switch e := e.(type) {
	case *hast.Const:
		return constant(widen(e.T), e.Words, e.Name)
	case *hast.Ref:
		v := pl.host[e.Var]
		if v == nil {
			panic(fmt.Sprintf("lower: %s is no host value (%s)", e.Var.Name, e.At))
		}
		return convert(ref(v), widen(e.T).Kind)
	case *hast.Op:
		args := make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = pl.hostExpr(a)
		}
		if (e.Op == ops.Shl || e.Op == ops.Shr) && e.T != widen(e.T) { // the count goes by the width of an i32
			args[1] = opExpr(args[1].Type(), ops.And, []kir.Expr{args[1], intConst(args[1].Type().Kind, 31)}, true)
		}
		return opExpr(widen(e.T), e.Op, args, pl.hostExact(e))
	case *hast.Convert:
		return pl.hostConvert(e)
	case *hast.Splat:
		return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: []kir.Expr{pl.hostExpr(e.X)}}
	case *hast.Select:
		return &kir.Select{Typed: kir.Typed{T: widen(e.T)}, Cond: pl.hostExpr(e.Cond), Then: pl.hostExpr(e.Then), Else: pl.hostExpr(e.Else)}
	case *hast.Vec:
		parts := make([]kir.Expr, len(e.Parts))
		for i, p := range e.Parts {
			parts[i] = convert(pl.hostExpr(p), e.T.Kind)
		}
		return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: parts}
	case *hast.Swizzle:
		return &kir.Lanes{Typed: kir.Typed{T: e.T}, X: pl.hostExpr(e.X), Lanes: e.Lanes}
	}
	panic(fmt.Sprintf("lower: %T is no host expression (%s)", e, e.Span()))
}

// hostExact reports whether a host operation stays clear of what C leaves open: overflow of 64 bits, division by zero.
func (pl *planner) hostExact(e *hast.Op) bool {
	if !e.Args[0].Type().Kind.IsInt() {
		return true
	}
	args := make([]interval, len(e.Args))
	for i, a := range e.Args {
		args[i] = pl.hostInterval(a)
	}
	_, ok := opInterval(e.Op, args)
	return ok || e.Op.Info().Result == ops.Truth
}

func (pl *planner) hostConvert(e *hast.Convert) kir.Expr {
	x := pl.hostExpr(e.X)
	if e.How == hast.Bitcast || e.T.Kind != types.I32 {
		if e.X.Type().Kind == types.I32 && e.How == hast.Bitcast {
			x = convert(x, types.I32)
		}
		return &kir.Convert{Typed: kir.Typed{T: e.T}, X: x, How: kir.How(e.How)}
	}
	narrow := &kir.Convert{Typed: kir.Typed{T: e.T}, X: x, How: kir.How(e.How)}
	return convert(narrow, widen(e.T).Kind)
}

// widen is the kind in which the host computes values of type t.
func widen(t types.Type) types.Type {
	if t == types.Scalar(types.I32) {
		return t.WithKind(types.I64)
	}
	return t
}

// hostInterval bounds a host integer.
func (pl *planner) hostInterval(e hast.Expr) interval {
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() {
			return point(e.Words[0].Int())
		}
	case *hast.Ref:
		if b, ok := pl.bounds[e.Var]; ok {
			return b
		}
	case *hast.Op:
		args := make([]interval, len(e.Args))
		for i, a := range e.Args {
			args[i] = pl.hostInterval(a)
		}
		if iv, ok := opInterval(e.Op, args); ok && e.T.Kind.IsInt() {
			return iv
		}
		return kindInterval(widen(e.T).Kind)
	}
	return kindInterval(e.Type().Kind)
}

// extentInterval bounds an extent of an image: what its expression allows, and what every entry checks.
func (pl *planner) extentInterval(m *hast.Image, e hast.Expr) interval {
	least := int64(1)
	if m.View != nil {
		least = 0
	}
	return pl.hostInterval(e).meet(interval{least, hast.MaxExtent})
}

// sub, add, mul and div build arithmetic that is known not to wrap: of the host, and offsets into images.
func sub(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Sub, []kir.Expr{a, b}, true) }
func add(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Add, []kir.Expr{a, b}, true) }
func mul(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Mul, []kir.Expr{a, b}, true) }
func div(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Div, []kir.Expr{a, b}, true) }
