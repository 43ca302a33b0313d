package clike

import (
	"math/big"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A Range bounds an integer host variable, both ends included.
type Range struct{ Lo, Hi int64 }

// HostExpr translates a host expression; name gives the C expression of each host variable. Host arithmetic on i64 must not wrap, whatever kir says of
// it: an operator is written plainly only where its result is known to fit, and else with the dialect's general spelling, which
// is a checked or saturating function. What is known comes from the ranges of the kinds and from Unit.Bounds.
func (u *Unit) HostExpr(e kir.Expr, name func(v *kir.Var) ctree.Expr) ctree.Expr {
	s := &scope{Unit: u, names: u.names, host: name}
	return s.typed(u.guarded(e))
}

// HostText is a host expression for a reader's eye: with plain operators and without the widening that lowering adds.
func (u *Unit) HostText(e kir.Expr, name func(v *kir.Var) ctree.Expr) ctree.Expr {
	plain := *u.Dialect
	plain.Suffix = nil
	s := &scope{Unit: NewUnit(&plain), names: u.names, host: name}
	return s.expr(asWritten(e)).X
}

func asWritten(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Convert:
		if e.Exact {
			return asWritten(e.X)
		}
	case *kir.Op:
		plain := *e
		plain.Exact = true
		plain.Args = make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			plain.Args[i] = asWritten(a)
		}
		return &plain
	}
	return e
}

// guarded is e with Exact only where it follows from ranges.
func (u *Unit) guarded(e kir.Expr) kir.Expr {
	all := func(es []kir.Expr) []kir.Expr {
		out := make([]kir.Expr, len(es))
		for i, x := range es {
			out[i] = u.guarded(x)
		}
		return out
	}
	switch e := e.(type) {
	case *kir.Op:
		out := *e
		out.Args = all(e.Args)
		out.Exact = u.fits(&out)
		return &out
	case *kir.Convert:
		out := *e
		out.X = u.guarded(e.X)
		return &out
	case *kir.Select:
		out := *e
		out.Cond, out.Then, out.Else = u.guarded(e.Cond), u.guarded(e.Then), u.guarded(e.Else)
		return &out
	case *kir.Vec:
		out := *e
		out.Parts = all(e.Parts)
		return &out
	case *kir.Lanes:
		out := *e
		out.X = u.guarded(e.X)
		return &out
	}
	return e
}

// fits reports whether an integer operator is clear of wrapping, zero divisors and wide shifts.
func (u *Unit) fits(e *kir.Op) bool {
	if e.Op.Info().Result != ops.Same || !e.T.Kind.IsInt() {
		return true
	}
	r, ok := u.hostRange(e)
	all, known := kindRange(e.T.Kind)
	return ok && known && all.lo.Cmp(r.lo) <= 0 && r.hi.Cmp(all.hi) <= 0
}

// A span is a Range without bounds of its own.
type span struct{ lo, hi *big.Int }

func spanOf(lo, hi int64) span { return span{big.NewInt(lo), big.NewInt(hi)} }

func kindRange(k types.Kind) (span, bool) {
	switch {
	case k == types.Bool:
		return spanOf(0, 1), true
	case k.IsUnsigned():
		return span{new(big.Int), new(big.Int).SetUint64(types.Highest(k).Uint())}, true
	case k.IsInt():
		return spanOf(types.Lowest(k).Int(), types.Highest(k).Int()), true
	}
	return span{}, false
}

// hostRange bounds the true value of a host integer; false where an operator may reach a case that C leaves open, or is not
// followed.
func (u *Unit) hostRange(e kir.Expr) (span, bool) {
	all, isInt := kindRange(e.Type().Kind)
	switch e := e.(type) {
	case *kir.Const:
		if isInt && e.T.IsScalar() && e.T.Kind != types.U64 {
			return spanOf(e.Words[0].Int(), e.Words[0].Int()), true
		}
	case *kir.Ref:
		if r, ok := u.Bounds[e.Var]; ok {
			return spanOf(r.Lo, r.Hi), true
		}
	case *kir.Convert:
		if r, ok := u.hostRange(e.X); ok && isInt && e.X.Type().Kind.IsInt() && all.lo.Cmp(r.lo) <= 0 && r.hi.Cmp(all.hi) <= 0 {
			return r, e.How != kir.Bitcast
		}
	case *kir.Op:
		if f := hostRanges[e.Op]; f != nil && len(e.Args) == 2 && e.T.IsScalar() {
			a, ok1 := u.hostRange(e.Args[0])
			b, ok2 := u.hostRange(e.Args[1])
			if !ok1 || !ok2 {
				return all, false
			}
			return f(a, b)
		}
		return all, false
	}
	return all, isInt
}

// hostRanges bound the operators that sizes are computed with.
var hostRanges = map[ops.Op]func(a, b span) (span, bool){
	ops.Add: func(a, b span) (span, bool) {
		return span{new(big.Int).Add(a.lo, b.lo), new(big.Int).Add(a.hi, b.hi)}, true
	},
	ops.Sub: func(a, b span) (span, bool) {
		return span{new(big.Int).Sub(a.lo, b.hi), new(big.Int).Sub(a.hi, b.lo)}, true
	},
	ops.Mul: func(a, b span) (span, bool) { return corners((*big.Int).Mul, a, b), true },
	ops.Div: func(a, b span) (span, bool) {
		if b.lo.Sign() <= 0 {
			return span{}, false
		}
		return corners((*big.Int).Quo, a, b), true
	},
	ops.Rem: func(a, b span) (span, bool) {
		if b.lo.Sign() <= 0 {
			return span{}, false
		}
		most := new(big.Int).Sub(b.hi, big.NewInt(1))
		least := new(big.Int)
		if a.lo.Sign() < 0 {
			least.Neg(most)
		}
		return span{least, most}, true
	},
	ops.Min: func(a, b span) (span, bool) { return span{least(a.lo, b.lo), least(a.hi, b.hi)}, true },
	ops.Max: func(a, b span) (span, bool) { return span{greatest(a.lo, b.lo), greatest(a.hi, b.hi)}, true },
}

// corners bounds a function that is monotonic in each operand by its values at their ends.
func corners(f func(z, x, y *big.Int) *big.Int, a, b span) span {
	var r span
	for _, x := range []*big.Int{a.lo, a.hi} {
		for _, y := range []*big.Int{b.lo, b.hi} {
			v := f(new(big.Int), x, y)
			if r.lo == nil {
				r = span{v, v}
			}
			r = span{least(r.lo, v), greatest(r.hi, v)}
		}
	}
	return r
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func greatest(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}
