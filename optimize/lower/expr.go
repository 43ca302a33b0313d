package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// exprOnce lowers an expression that has no variable yet.
func (b *body) exprOnce(e hast.Expr) kir.Expr {
	if x := b.given[e]; x != nil {
		return x
	}
	if x := b.inCommon(e); x != nil {
		return x
	}
	switch e := e.(type) {
	case *hast.Const:
		return constant(e.T, e.Words, e.Name)
	case *hast.Ref:
		return b.value(e.Var)
	case *hast.Op:
		if e.Op.Lazy() {
			if e.T.IsScalar() {
				return b.shortCircuit(e)
			}
		}
		if x := b.inBlock(e); x != nil {
			return x
		}
		return b.applyOp(e.T, e.Op, b.exprs(e.Args))
	case *hast.Convert:
		return b.convert(e.T, b.expr(e.X), kir.How(e.How))
	case *hast.Splat:
		return b.splat(e.T, b.expr(e.X))
	case *hast.Select:
		if b.isNear(e) {
			return b.expr(e.Then)
		}
		return b.choose(e.T, e.Cond, func() kir.Expr { return b.expr(e.Then) }, func() kir.Expr { return b.expr(e.Else) })
	case *hast.Vec:
		return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: b.exprs(e.Parts)}
	case *hast.Swizzle:
		return b.swizzle(e)
	case *hast.Elem:
		return b.element(e)
	case *hast.Load:
		return b.loadOf(e, 0, e.Image, e.Index, e.Rule)
	case *hast.Call:
		return &kir.Call{Typed: kir.Typed{T: e.T}, Func: b.funcs[e.Func], Args: b.callArgs(e.Args)}
	case *hast.Reduce:
		return b.reduce(e)
	}
	panic(fmt.Sprintf("lower: %T of type %s is no scalar or vector (%s)", e, e.Type(), e.Span()))
}

func (b *body) exprs(es []hast.Expr) []kir.Expr {
	out := make([]kir.Expr, len(es))
	for i, e := range es {
		out[i] = b.expr(e)
	}
	return out
}

// callArgs lowers the arguments of a call; arrays go by variable.
func (b *body) callArgs(es []hast.Expr) []kir.Expr {
	out := make([]kir.Expr, len(es))
	for i, e := range es {
		if e.Type().IsArray() {
			out[i] = ref(b.array("a", e))
		} else {
			out[i] = b.expr(e)
		}
	}
	return out
}

func (b *body) splat(t types.Type, x kir.Expr) kir.Expr {
	if x.Type() == t {
		return x
	}
	if c, ok := x.(*kir.Const); ok {
		words := make([]types.Word, t.Lanes)
		for i := range words {
			words[i] = c.Words[0]
		}
		return constant(t, words, "")
	}
	return &kir.Vec{Typed: kir.Typed{T: t}, Parts: []kir.Expr{x}}
}

func (b *body) swizzle(e *hast.Swizzle) kir.Expr {
	x := b.expr(e.X)
	if len(e.Lanes) == 1 {
		return b.lane(x, e.Lanes[0])
	}
	if v, ok := x.(*kir.Vec); ok && len(v.Parts) > 1 {
		parts := make([]kir.Expr, len(e.Lanes))
		for i, l := range e.Lanes {
			parts[i] = b.once("v", v.Parts[l])
		}
		return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: parts}
	}
	return &kir.Lanes{Typed: kir.Typed{T: e.T}, X: x, Lanes: e.Lanes}
}

// applyOp applies op to lowered operands; the ops on whole vectors are spelled out by lanes, in the order that ops defines.
func (b *body) applyOp(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	if f := vectorOps[op]; f != nil && args[0].Type().Lanes > 1 {
		for i, a := range args {
			args[i] = b.once("v", a)
		}
		return f(b, t, args)
	}
	if op == ops.Pow {
		if n, ok := wholePower(args[1]); ok {
			return b.power(t, args[0], n)
		}
	}
	return b.op(t, op, args...)
}

// wholePower is an exponent, the same in all lanes, with which a power is made of products.
func wholePower(e kir.Expr) (n int, ok bool) {
	if v, isVec := e.(*kir.Vec); isVec && len(v.Parts) == 1 {
		e = v.Parts[0]
	}
	c, ok := e.(*kir.Const)
	if !ok || slices.ContainsFunc(c.Words, func(w types.Word) bool { return w != c.Words[0] }) {
		return 0, false
	}
	y := c.Words[0].Float()
	return int(y), ops.IsProduct(y)
}

// power is a whole power of x, by the products that ops says.
func (b *body) power(t types.Type, x kir.Expr, n int) kir.Expr {
	in := t.WithKind(ops.ProductKind(t.Kind))
	by := func(op ops.Op) func(x, y kir.Expr) kir.Expr {
		return func(x, y kir.Expr) kir.Expr { return b.once("power", b.op(in, op, x, y)) }
	}
	one := constant(in, slices.Repeat([]types.Word{types.Float(1)}, in.Words()), "")
	x = b.once("base", b.convert(in, x, kir.Wrap))
	return b.convert(t, ops.Product(n, x, one, by(ops.Mul), by(ops.Div)), kir.Wrap)
}

var vectorOps = map[ops.Op]func(b *body, t types.Type, a []kir.Expr) kir.Expr{
	ops.Dot:    func(b *body, t types.Type, a []kir.Expr) kir.Expr { return b.dot(t, a[0], a[1]) },
	ops.Length: func(b *body, t types.Type, a []kir.Expr) kir.Expr { return b.op(t, ops.Sqrt, b.dot(t, a[0], a[0])) },
	ops.Normalize: func(b *body, t types.Type, a []kir.Expr) kir.Expr {
		s := t.WithLanes(1)
		length := b.once("length", b.op(s, ops.Sqrt, b.dot(s, a[0], a[0])))
		none := b.once("none", b.op(boolType, ops.Eq, length, zero(s)))
		return b.lanewise(t, int(t.Lanes), a, func(s types.Type, p []kir.Expr) kir.Expr {
			return &kir.Select{Typed: kir.Typed{T: s}, Cond: none, Then: p[0], Else: b.op(s, ops.Div, p[0], length)}
		})
	},
	ops.Cross: func(b *body, t types.Type, a []kir.Expr) kir.Expr {
		s := t.WithLanes(1)
		parts := make([]kir.Expr, t.Lanes)
		for i := range parts {
			if i == 3 { // the cross product of four lanes ignores the last and returns 0 there
				parts[i] = zero(s)
				break
			}
			j, k := (i+1)%3, (i+2)%3
			parts[i] = b.op(s, ops.Sub, b.op(s, ops.Mul, b.lane(a[0], j), b.lane(a[1], k)), b.op(s, ops.Mul, b.lane(a[0], k), b.lane(a[1], j)))
		}
		return &kir.Vec{Typed: kir.Typed{T: t}, Parts: parts}
	},
	ops.Any: func(b *body, t types.Type, a []kir.Expr) kir.Expr { return b.foldLanes(t, ops.LOr, a[0]) },
	ops.All: func(b *body, t types.Type, a []kir.Expr) kir.Expr { return b.foldLanes(t, ops.LAnd, a[0]) },
}

// dot sums the products of lanes from the first on.
func (b *body) dot(t types.Type, x, y kir.Expr) kir.Expr {
	var sum kir.Expr
	for i := range int(x.Type().Lanes) {
		p := b.op(t, ops.Mul, b.lane(x, i), b.lane(y, i))
		if sum == nil {
			sum = p
		} else {
			sum = b.op(t, ops.Add, sum, p)
		}
	}
	return sum
}

func (b *body) foldLanes(t types.Type, op ops.Op, x kir.Expr) kir.Expr {
	acc := b.lane(x, 0)
	for i := 1; i < int(x.Type().Lanes); i++ {
		acc = b.op(t, op, acc, b.lane(x, i))
	}
	return acc
}

// shortCircuit lowers && and ||: the right side is evaluated only where the left does not decide, since loads in it may be in
// range only then.
func (b *body) shortCircuit(e *hast.Op) kir.Expr {
	left := b.expr(e.Args[0])
	var right kir.Expr
	stmts := b.inside(true, func() { right = b.expr(e.Args[1]) })
	if len(stmts) == 0 {
		return b.op(e.T, e.Op, left, right)
	}
	v := b.declare("test", e.T, true, left)
	cond := ref(v)
	if e.Op == ops.LOr {
		cond = b.op(e.T, ops.Not, cond)
	}
	then := append(stmts, &kir.Assign{Placed: b.placed(), Var: v, Value: right})
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: then})
	return ref(v)
}

// choose lowers a conditional on a scalar or, per component, a vector condition.
func (b *body) choose(t types.Type, cond hast.Expr, then, els func() kir.Expr) kir.Expr {
	c := b.expr(cond)
	if c.Type().Lanes > 1 {
		return b.lanewise(t, int(t.Lanes), []kir.Expr{c, then(), els()}, func(t types.Type, p []kir.Expr) kir.Expr {
			return &kir.Select{Typed: kir.Typed{T: t}, Cond: p[0], Then: p[1], Else: p[2]}
		})
	}
	if v, ok := constInt(c); ok {
		if v != 0 {
			return then()
		}
		return els()
	}
	var x, y kir.Expr
	s1 := b.inside(true, func() { x = then() })
	s2 := b.inside(true, func() { y = els() })
	if len(s1) == 0 && len(s2) == 0 {
		return &kir.Select{Typed: kir.Typed{T: t}, Cond: c, Then: x, Else: y, Lazy: true}
	}
	v := b.declare("chosen", t, true, nil)
	b.emit(&kir.If{
		Placed: b.placed(), Cond: c,
		Then: append(s1, &kir.Assign{Placed: b.placed(), Var: v, Value: x}),
		Else: append(s2, &kir.Assign{Placed: b.placed(), Var: v, Value: y}),
	})
	return ref(v)
}
