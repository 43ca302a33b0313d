package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// hostExpr lowers a host expression. What the language computes in i32 is computed in i64 here, so that it cannot wrap; the
// executor refuses results that do not fit.
func (pl *planner) hostExpr(e hast.Expr) kir.Expr {
	if e.Type().Lanes > 1 {
		return pl.hostVector(e)
	}
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
		if e.Op.Info().Result == ops.Index { // popcount and clz go by the width of their operand
			return convert(opExpr(e.T, e.Op, []kir.Expr{pl.narrow(e.Args[0])}, true), widen(e.T).Kind)
		}
		for i, a := range e.Args {
			args[i] = pl.hostExpr(a)
		}
		if (e.Op == ops.Shl || e.Op == ops.Shr) && e.T != widen(e.T) { // the count goes by the width of an i32
			args[1] = opExpr(args[1].Type(), ops.And, []kir.Expr{args[1], intConst(args[1].Type().Kind, 31)}, true)
		}
		return opExpr(widen(e.T), e.Op, args, pl.hostExact(e))
	case *hast.Convert:
		return pl.hostConvert(e)
	case *hast.Select:
		return &kir.Select{Typed: kir.Typed{T: widen(e.T)}, Cond: pl.hostExpr(e.Cond), Then: pl.hostExpr(e.Then), Else: pl.hostExpr(e.Else)}
	case *hast.Swizzle:
		return convert(pl.hostLane(e.X, e.Lanes[0]), widen(e.T).Kind)
	}
	panic(fmt.Sprintf("lower: %T is no host expression (%s)", e, e.Span()))
}

// hostVector lowers a vector lane by lane. A variable stays as it is.
func (pl *planner) hostVector(e hast.Expr) kir.Expr {
	if r, ok := e.(*hast.Ref); ok {
		return ref(pl.host[r.Var])
	}
	v := &kir.Vec{Typed: kir.Typed{T: e.Type()}}
	for l := range int(e.Type().Lanes) {
		v.Parts = append(v.Parts, pl.hostLane(e, l))
	}
	return v
}

// hostLane lowers one lane of a vector. Vectors are computed in their own kind, as on the device: an i32 wraps.
func (pl *planner) hostLane(e hast.Expr, l int) kir.Expr {
	t := e.Type().WithLanes(1)
	lane := func(x hast.Expr) kir.Expr {
		if x.Type().Lanes == 1 { // the count of a shift, a condition
			return pl.hostExpr(x)
		}
		return pl.hostLane(x, l)
	}
	switch e := e.(type) {
	case *hast.Const:
		return constant(t, e.Words[l:l+1], "")
	case *hast.Ref:
		return &kir.Lanes{Typed: kir.Typed{T: t}, X: ref(pl.host[e.Var]), Lanes: []int{l}}
	case *hast.Op:
		args := make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = lane(a)
		}
		return opExpr(t, e.Op, args, false)
	case *hast.Convert:
		return &kir.Convert{Typed: kir.Typed{T: t}, X: lane(e.X), How: kir.How(e.How)}
	case *hast.Splat:
		return pl.narrow(e.X)
	case *hast.Select:
		return &kir.Select{Typed: kir.Typed{T: t}, Cond: lane(e.Cond), Then: lane(e.Then), Else: lane(e.Else)}
	case *hast.Vec:
		return pl.narrow(e.Parts[l])
	case *hast.Swizzle:
		return pl.hostLane(e.X, e.Lanes[l])
	}
	panic(fmt.Sprintf("lower: %T is no host expression (%s)", e, e.Span()))
}

// narrow is a scalar as a component of a vector.
func (pl *planner) narrow(e hast.Expr) kir.Expr {
	x := pl.hostExpr(e)
	if x.Type() == e.Type() {
		return x
	}
	return &kir.Convert{Typed: kir.Typed{T: e.Type()}, X: x}
}

// hostExact reports whether a host operation stays clear of what C leaves open: overflow of 64 bits, division by zero.
func (pl *planner) hostExact(e *hast.Op) bool {
	if !e.Args[0].Type().Kind.IsInt() {
		return true
	}
	k, args := pl.hostOperands(e)
	return interval.Plain(e.Op, k, args[:len(e.Args)]...)
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

// hostOperands are the kind in which the host computes an operator, and what its operands lie in.
func (pl *planner) hostOperands(e *hast.Op) (k types.Kind, in [mostOperands]interval.Interval) {
	for i, a := range e.Args {
		in[i] = pl.hostInterval(a)
	}
	return widen(e.Args[0].Type()).Kind, in
}

// hostInterval bounds a host integer.
func (pl *planner) hostInterval(e hast.Expr) interval.Interval {
	kind := widen(e.Type()).Kind
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() {
			return interval.OfWord(e.T.Kind, e.Words[0])
		}
	case *hast.Ref:
		if b, ok := pl.bounds[e.Var]; ok {
			return b
		}
	case *hast.Op:
		if k, in := pl.hostOperands(e); k.IsInt() && kind.IsInt() {
			iv, _ := interval.InKind(e.Op, k, in[:len(e.Args)]...)
			return iv
		}
		return interval.OfKind(kind)
	case *hast.Convert:
		from, to := e.X.Type(), e.T.Kind
		if from.Kind.IsInt() && to.IsInt() && e.How != hast.Bitcast {
			if iv, exact := pl.hostInterval(e.X).Convert(widen(from).Kind, to); exact {
				return iv
			}
		}
	}
	return interval.OfKind(e.Type().Kind)
}

// extentInterval bounds an extent of an image: what its expression allows, and what every entry checks.
func (pl *planner) extentInterval(m *hast.Image, e hast.Expr) interval.Interval {
	least := int64(1)
	if m.View != nil {
		least = 0
	}
	return pl.hostInterval(e).Meet(interval.Between(least, hast.MaxExtent))
}

// sub, add, mul and div build arithmetic that is known not to wrap: of the host, and offsets into images.
func sub(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Sub, []kir.Expr{a, b}, true) }
func add(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Add, []kir.Expr{a, b}, true) }
func mul(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Mul, []kir.Expr{a, b}, true) }
func div(a, b kir.Expr) kir.Expr { return opExpr(a.Type(), ops.Div, []kir.Expr{a, b}, true) }
