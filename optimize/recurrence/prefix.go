package recurrence

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// prefixOps are the associative operators. Each commutes, too.
var prefixOps = []ops.Op{ops.Add, ops.Mul, ops.And, ops.Or, ops.Xor, ops.Min, ops.Max}

// chain reports whether e is op(x, a), op(op(a, x), b) and so on, with the pixel before as x once, and all else free of it. Running the
// recurrence from the operator's neutral element then gives op of all the a.
func (r *recurrence) chain(e hast.Expr, st *state, o ops.Op) bool {
	switch e := e.(type) {
	case *hast.Load:
		_, ok := r.back[e]
		return ok
	case *hast.Ref:
		x := r.lets[e.Var]
		return x != nil && r.chain(x, st, o)
	case *hast.Convert:
		return r.keeps(e, st, o) && r.chain(e.X, st, o)
	case *hast.Select:
		return r.sources(e.Cond) == 0 && r.sources(e.Then) != 0 && r.sources(e.Else) != 0 &&
			r.chain(e.Then, st, o) && r.chain(e.Else, st, o)
	case *hast.Op:
		return r.chainOp(e, st, o)
	case *hast.Call:
		x := inlined(e)
		return x != nil && r.chain(x, st, o)
	}
	return false
}

func (r *recurrence) chainOp(e *hast.Op, st *state, o ops.Op) bool {
	if e.Op == ops.BitNot && o == ops.Xor {
		return r.chain(e.Args[0], st, o)
	}
	if len(e.Args) != 2 {
		return false
	}
	x, a := e.Args[0], e.Args[1]
	if r.sources(x) == 0 && e.Op == o {
		x, a = a, x
	}
	switch {
	case r.sources(a) != 0:
		return false
	case e.Op == ops.Sub && o == ops.Add:
	case e.Op != o:
		return false
	case (o == ops.Min || o == ops.Max) && !fits(a, st.elem().Kind):
		return false
	}
	return r.chain(x, st, o)
}

// keeps reports whether a conversion on the way from the pixel before to the new one may be passed by. Arithmetic modulo 2^n and
// bits are the same in every kind of at least n bits. A minimum or maximum of values that the pixel's kind holds is the same in every
// kind that holds them.
func (r *recurrence) keeps(e *hast.Convert, st *state, o ops.Op) bool {
	kind, from, to := st.elem().Kind, e.X.Type().Kind, e.T.Kind
	if from == to {
		return true
	}
	if e.How != hast.Wrap || !from.IsInt() || !to.IsInt() || !kind.IsInt() {
		return false
	}
	if o == ops.Min || o == ops.Max {
		return holds(from, kind) && holds(to, kind)
	}
	return from.Bits() >= kind.Bits() && to.Bits() >= kind.Bits()
}

// fits reports whether a value is one of kind k, possibly converted to a kind that holds k's values.
func fits(e hast.Expr, k types.Kind) bool {
	switch e := e.(type) {
	case *hast.Const:
		if !e.T.Kind.IsInt() || !k.IsInt() {
			break
		}
		for _, w := range e.Words {
			if types.Convert(types.Convert(w, e.T.Kind, k), k, e.T.Kind) != w || e.T.Kind.IsSigned() != k.IsSigned() && w.Int() < 0 {
				return false
			}
		}
		return true
	case *hast.Convert:
		if holds(e.T.Kind, k) && holds(k, e.X.Type().Kind) {
			return true
		}
	}
	return e.Type().Kind == k
}

// holds reports whether every value of kind k is one of kind wide.
func holds(wide, k types.Kind) bool {
	switch {
	case wide == k:
		return true
	case !wide.IsInt() || !k.IsInt():
		return false
	case wide.IsSigned() == k.IsSigned():
		return wide.Bits() >= k.Bits()
	}
	return wide.IsSigned() && wide.Bits() > k.Bits()
}

// neutral is the operator's neutral element. Of a minimum of floats it is NaN, which loses against everything: from infinity, a
// chunk of nothing but NaN would not be one.
func neutral(o ops.Op, t types.Type) hast.Expr {
	k := t.Kind
	switch {
	case o == ops.Mul:
		return number(t, 1)
	case o == ops.And:
		return number(t, -1)
	case o == ops.Min || o == ops.Max:
		if k.IsFloat() {
			return all(t, types.Float(math.NaN()))
		}
		if o == ops.Min {
			return all(t, types.Highest(k))
		}
		return all(t, types.Lowest(k))
	}
	return number(t, 0)
}
