package lower

import (
	"imgc/hast"
	"imgc/interval"
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
// i and n have one width, 1 <= n <= 2^30, and i is any integer of it.
var foldFuncs = map[hast.RuleKind]func(b *body, w width, i, n kir.Expr) kir.Expr{
	hast.Reflect: func(b *body, w width, i, n kir.Expr) kir.Expr {
		u := w.unsignedIf(b.op(boolType, ops.Lt, i, w.constant(0)), b.op(w.signed, ops.BitNot, i), i)
		u = b.once("u", b.op(w.unsigned, ops.Rem, u, b.op(w.unsigned, ops.Mul, w.count(2), b.once("m", w.toUnsigned(n)))))
		m := b.once("m", w.toUnsigned(n))
		mirrored := b.op(w.unsigned, ops.Sub, b.op(w.unsigned, ops.Sub, b.op(w.unsigned, ops.Mul, w.count(2), m), w.count(1)), u)
		return w.toSigned(w.unsignedIf(b.op(boolType, ops.Lt, u, m), u, mirrored))
	},
	hast.Reflect101: func(b *body, w width, i, n kir.Expr) kir.Expr {
		negated := b.op(w.unsigned, ops.Sub, w.count(0), w.toUnsigned(i))
		u := w.unsignedIf(b.op(boolType, ops.Lt, i, w.constant(0)), negated, i)
		m := b.once("m", w.toUnsigned(n))
		period := b.once("period", b.op(w.unsigned, ops.Sub, b.op(w.unsigned, ops.Mul, w.count(2), m), w.count(2)))
		u = b.once("u", b.op(w.unsigned, ops.Rem, u, period))
		return w.toSigned(w.unsignedIf(b.op(boolType, ops.Lt, u, m), u, b.op(w.unsigned, ops.Sub, period, u)))
	},
	hast.Repeat: func(b *body, w width, i, n kir.Expr) kir.Expr {
		r := b.once("r", b.op(w.signed, ops.Rem, i, n))
		negative := b.op(boolType, ops.Lt, r, w.constant(0))
		return &kir.Select{Typed: kir.Typed{T: w.signed}, Cond: negative, Then: b.op(w.signed, ops.Add, r, n), Else: r}
	},
}

var (
	i32T = types.Scalar(types.I32)
	u32T = types.Scalar(types.U32)
	i64T = types.Scalar(types.I64)
	u64T = types.Scalar(types.U64)
)

func uconst(v int64) kir.Expr { return intConst(types.U32, v) }

// A width is the integers that a coordinate is folded in: of 32 bits but where the distance from the first index of an image may not
// fit them.
type width struct{ signed, unsigned types.Type }

var narrow, wide = width{i32T, u32T}, width{i64T, u64T}

func widthOf(e kir.Expr) width {
	if e.Type() == i64T {
		return wide
	}
	return narrow
}

func (w width) constant(v int64) kir.Expr { return intConst(w.signed.Kind, v) }
func (w width) count(v int64) kir.Expr    { return intConst(w.unsigned.Kind, v) }

func (w width) toUnsigned(e kir.Expr) kir.Expr {
	if e.Type() == w.unsigned {
		return e
	}
	return &kir.Convert{Typed: kir.Typed{T: w.unsigned}, X: e}
}

func (w width) toSigned(e kir.Expr) kir.Expr {
	return &kir.Convert{Typed: kir.Typed{T: w.signed}, X: e, Exact: true}
}

func (w width) unsignedIf(cond, x, y kir.Expr) kir.Expr {
	return &kir.Select{Typed: kir.Typed{T: w.unsigned}, Cond: cond, Then: w.toUnsigned(x), Else: w.toUnsigned(y)}
}

// A folding is what a device function of a border rule is for.
type folding struct {
	rule  hast.RuleKind
	width width
}

// foldFunc returns the device function of a border rule.
func (l *lowering) foldFunc(kind hast.RuleKind, w width) *kir.Func {
	if f := l.help[folding{kind, w}]; f != nil {
		return f
	}
	i := &kir.Var{Name: "i", Type: w.signed, Const: true}
	n := &kir.Var{Name: "n", Type: w.signed, Const: true}
	b := l.newBody()
	b.bounds[n] = interval.Between(1, hast.MaxExtent)
	result := foldFuncs[kind](b, w, ref(i), ref(n))
	b.emit(&kir.Return{Value: result})
	f := &kir.Func{Name: "border_" + kind.String(), Params: []*kir.Var{i, n}, Result: w.signed, Body: b.scope.stmts}
	if w == wide {
		f.Name += "_wide"
	}
	l.help[folding{kind, w}] = f
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
	return b.foldedBy(kind, i, n), nil
}

// foldedBy calls the device function of a rule for a position of either width.
func (b *body) foldedBy(kind hast.RuleKind, i, n kir.Expr) kir.Expr {
	w := widthOf(i)
	call := &kir.Call{Typed: kir.Typed{T: w.signed}, Func: b.foldFunc(kind, w), Args: []kir.Expr{i, convert(n, w.signed.Kind)}}
	if w == narrow {
		return call
	}
	return narrow.toSigned(call)
}

// narrowed looks again at whether a coordinate can leave 0..n-1: where a reduction is written out, each of its points has a
// coordinate of its own, and only some of them leave.
func (b *body) narrowed(c hast.Coord, i, n kir.Expr) hast.Coord {
	c.Below = c.Below && rangeOf(i, b.bounds).Lo < 0
	c.Above = c.Above && !b.below(i, n)
	return c
}

// below reports whether i < n follows from their intervals, or from the range of an iteration variable: v or v - c, where v runs up to n.
func (b *body) below(i, n kir.Expr) bool {
	if rangeOf(i, b.bounds).Hi < rangeOf(n, b.bounds).Lo {
		return true
	}
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
