package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// The rules that fold a coordinate as often as needed become small device functions, so that the kernels stay readable. Each
// uses a symmetry to make the coordinate non-negative first and then one remainder in u32, which holds twice any extent:
//
//	reflect     f(-1-i) = f(i), period 2n
//	reflect101  f(-i) = f(i), period 2n-2; for n = 1 the period is 0 and the remainder by 0 is 0
//	repeat      period n
//
// i and n are i32 with 1 <= n <= 2^30, and i is any i32.
var foldFuncs = map[hast.RuleKind]func(*body, kir.Expr, kir.Expr) kir.Expr{
	hast.Reflect: func(b *body, i, n kir.Expr) kir.Expr {
		u := b.u32If(b.op(boolType, ops.Lt, i, i32(0)), b.op(i32T, ops.BitNot, i), i)
		u = b.once("u", b.op(u32T, ops.Rem, u, b.op(u32T, ops.Mul, uconst(2), b.once("m", toU32(n)))))
		m := b.once("m", toU32(n))
		mirrored := b.op(u32T, ops.Sub, b.op(u32T, ops.Sub, b.op(u32T, ops.Mul, uconst(2), m), uconst(1)), u)
		return toI32(b.u32If(b.op(boolType, ops.Lt, u, m), u, mirrored))
	},
	hast.Reflect101: func(b *body, i, n kir.Expr) kir.Expr {
		negated := b.op(u32T, ops.Sub, uconst(0), toU32(i))
		u := b.u32If(b.op(boolType, ops.Lt, i, i32(0)), negated, i)
		m := b.once("m", toU32(n))
		period := b.once("period", b.op(u32T, ops.Sub, b.op(u32T, ops.Mul, uconst(2), m), uconst(2)))
		u = b.once("u", b.op(u32T, ops.Rem, u, period))
		return toI32(b.u32If(b.op(boolType, ops.Lt, u, m), u, b.op(u32T, ops.Sub, period, u)))
	},
	hast.Repeat: func(b *body, i, n kir.Expr) kir.Expr {
		r := b.once("r", b.op(i32T, ops.Rem, i, n))
		return &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Lt, r, i32(0)), Then: b.op(i32T, ops.Add, r, n), Else: r}
	},
}

var (
	i32T = types.Scalar(types.I32)
	u32T = types.Scalar(types.U32)
	i64T = types.Scalar(types.I64)
)

func uconst(v int64) kir.Expr { return intConst(types.U32, v) }

func toU32(e kir.Expr) kir.Expr {
	if e.Type() == u32T {
		return e
	}
	return &kir.Convert{Typed: kir.Typed{T: u32T}, X: e}
}

func toI32(e kir.Expr) kir.Expr { return &kir.Convert{Typed: kir.Typed{T: i32T}, X: e, Exact: true} }

func (b *body) u32If(cond, x, y kir.Expr) kir.Expr {
	return &kir.Select{Typed: kir.Typed{T: u32T}, Cond: cond, Then: toU32(x), Else: toU32(y)}
}

// foldFunc returns the device function of a border rule.
func (l *lowering) foldFunc(kind hast.RuleKind) *kir.Func {
	if f := l.help[kind]; f != nil {
		return f
	}
	i := &kir.Var{Name: "i", Type: i32T, Const: true}
	n := &kir.Var{Name: "n", Type: i32T, Const: true}
	b := l.newBody()
	b.bounds[n] = interval{1, hast.MaxExtent}
	result := foldFuncs[kind](b, ref(i), ref(n))
	b.emit(&kir.Return{Value: result})
	f := &kir.Func{Name: "border_" + kind.String(), Params: []*kir.Var{i, n}, Result: i32T, Body: b.scope.stmts}
	l.help[kind] = f
	l.out.Funcs = append([]*kir.Func{f}, l.out.Funcs...)
	return f
}

// fold maps the position i of a coordinate, which may leave 0..n-1, to one inside. Under constant and formulas the second result is
// the test for a coordinate that needs no mapping, nil where there is none.
func (b *body) fold(c hast.Coord, i, n kir.Expr, kind hast.RuleKind) (kir.Expr, kir.Expr) {
	c = b.narrowed(c, i, n)
	if !c.Below && !c.Above {
		return i, nil
	}
	last := b.op(i32T, ops.Sub, n, i32(1))
	switch kind {
	case hast.Clamp, hast.Undefined:
		return b.clampIndex(c, i, last), nil
	case hast.Constant, hast.Formula:
		i = b.once(coordName(i), i)
		var test kir.Expr
		if c.Below {
			test = b.op(boolType, ops.Ge, i, i32(0))
		}
		if c.Above {
			test = b.and(test, b.op(boolType, ops.Lt, i, n))
		}
		return i, test
	}
	f := b.foldFunc(kind)
	return &kir.Call{Typed: kir.Typed{T: i32T}, Func: f, Args: []kir.Expr{i, n}}, nil
}

// narrowed looks again at whether a coordinate can leave 0..n-1: where a reduction is written out, each of its points has a
// coordinate of its own, and only some of them leave.
func (b *body) narrowed(c hast.Coord, i, n kir.Expr) hast.Coord {
	c.Below = c.Below && rangeOf(i, b.bounds).lo < 0
	c.Above = c.Above && !b.below(i, n)
	return c
}

// below reports whether i < n follows from the range of an iteration variable: v or v - c, where v runs up to n.
func (b *body) below(i, n kir.Expr) bool {
	if op, ok := i.(*kir.Op); ok && op.Op == ops.Sub && op.Exact {
		if c, ok := constInt(op.Args[1]); ok && c >= 0 {
			i = op.Args[0]
		}
	}
	r, ok := i.(*kir.Ref)
	if !ok || b.limits[r.Var] == nil {
		return false
	}
	return key(b.limits[r.Var], b.ids) == key(n, b.ids)
}

func (b *body) clampIndex(c hast.Coord, i, last kir.Expr) kir.Expr {
	switch {
	case !c.Above:
		return b.op(i32T, ops.Max, i, i32(0))
	case !c.Below:
		return b.op(i32T, ops.Min, i, last)
	}
	return b.op(i32T, ops.Clamp, i, i32(0), last)
}
