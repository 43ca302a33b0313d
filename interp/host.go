package interp

import (
	"math"
	"math/big"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// On the host, what the language computes in i32 is computed in 64 bits, and a call is refused where a result does not fit
// an i32: an extent that has wrapped would be a wrong image rather than an error.

// words computes a host expression; it throws where that takes too long.
func (b *Binding) words(e hast.Expr) []types.Word {
	c := newCompiler(b, nil)
	at := c.temp(e.Type())
	code := c.store(e, at)
	fr := c.newFrame()
	fr.begin()
	code(fr)
	return slices.Clone(fr.w[at : at+e.Type().Words()])
}

// hostWords computes a host value of any type. what names it in the message for one that does not fit.
func (b *Binding) hostWords(e hast.Expr, what string, at source.Span) ([]types.Word, error) {
	w := widened(e)
	if !b.fits64(w) {
		return nil, b.failf(at, "%s is %s%s, which does not fit 64 bits", what, hast.Written(e), b.because(e))
	}
	if e.Type() != types.Scalar(types.I32) {
		return b.words(w), nil
	}
	v := b.words(w)[0].Int()
	if v < math.MinInt32 || v > math.MaxInt32 {
		return nil, b.failf(at, "%s is %s = %d%s, which does not fit an i32", what, hast.Written(e), v, b.because(e))
	}
	return []types.Word{types.Int(v)}, nil
}

// fits64 reports whether no integer operation in a widened host expression leaves 64 bits. Devices and generated code refuse those,
// too; a size that has wrapped must not look like one that fits.
func (b *Binding) fits64(e hast.Expr) bool {
	switch x := e.(type) {
	case *hast.Convert:
		return b.fits64(x.X)
	case *hast.Select:
		if x.Cond.Type().Lanes > 1 || !b.fits64(x.Cond) {
			return x.Cond.Type().Lanes > 1
		}
		if b.words(x.Cond)[0].Truth() {
			return b.fits64(x.Then)
		}
		return b.fits64(x.Else)
	case *hast.Op:
		for _, a := range x.Args {
			if !b.fits64(a) {
				return false
			}
		}
		exact := exactOps[x.Op]
		if exact == nil || x.T != types.Scalar(types.I64) {
			return true
		}
		args := make([]*big.Int, len(x.Args))
		for i, a := range x.Args {
			args[i] = big.NewInt(b.words(a)[0].Int())
		}
		return exact(args).IsInt64()
	}
	return true
}

// exactOps are the integer operations that can leave the width of their operands, without a width.
var exactOps = map[ops.Op]func(a []*big.Int) *big.Int{
	ops.Neg: func(a []*big.Int) *big.Int { return new(big.Int).Neg(a[0]) },
	ops.Abs: func(a []*big.Int) *big.Int { return new(big.Int).Abs(a[0]) },
	ops.Add: func(a []*big.Int) *big.Int { return new(big.Int).Add(a[0], a[1]) },
	ops.Sub: func(a []*big.Int) *big.Int { return new(big.Int).Sub(a[0], a[1]) },
	ops.Mul: func(a []*big.Int) *big.Int { return new(big.Int).Mul(a[0], a[1]) },
}

// wideOps are the ops that mean the same in i64 as in i32, but that they do not wrap.
var wideOps = []ops.Op{
	ops.Neg, ops.Add, ops.Sub, ops.Mul, ops.Div, ops.Rem, ops.Mod, ops.FloorDiv, ops.Abs, ops.Sign, ops.Min, ops.Max, ops.Clamp,
	ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge,
}

// widened is e with its i32 arithmetic in i64. An i32 is an i64 then; all other types stay.
func widened(e hast.Expr) hast.Expr {
	t := wide(e.Type())
	typed := hast.Typed{T: t, At: e.Span()}
	switch x := e.(type) {
	case *hast.Op:
		args := make([]hast.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = widened(a)
		}
		if slices.Contains(wideOps, x.Op) || slices.EqualFunc(args, x.Args, sameType) && t == e.Type() {
			return &hast.Op{Typed: typed, Op: x.Op, Args: args}
		}
	case *hast.Select:
		return &hast.Select{Typed: typed, Cond: widened(x.Cond), Then: widened(x.Then), Else: widened(x.Else)}
	case *hast.Convert:
		if x.How != hast.Bitcast && x.X.Type() == types.Scalar(types.I32) && t == e.Type() {
			return &hast.Convert{Typed: typed, X: widened(x.X), How: x.How}
		}
	}
	if t != e.Type() {
		return &hast.Convert{Typed: typed, X: e}
	}
	return e
}

func wide(t types.Type) types.Type {
	if t == types.Scalar(types.I32) {
		return t.WithKind(types.I64)
	}
	return t
}

func sameType(x, y hast.Expr) bool { return x.Type() == y.Type() }
