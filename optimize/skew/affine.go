package skew

import (
	"maps"
	"slices"
	"strings"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// An affine is a sum of variables times numbers, and a number.
type affine struct {
	of map[*hast.Var]int64
	k  int64
}

// mostFactor bounds the factors, so that sums of them do not leave 64 bits.
const mostFactor = 1 << 20

// form is an expression of kind i32 as such a sum, with lets as what they are; false of others.
func form(e hast.Expr, lets map[*hast.Var]hast.Expr) (affine, bool) {
	if k, known := hast.Number(e); known {
		return affine{map[*hast.Var]int64{}, k}, true
	}
	switch e := e.(type) {
	case *hast.Ref:
		if x := lets[e.Var]; x != nil {
			return form(x, lets)
		}
		return affine{map[*hast.Var]int64{e.Var: 1}, 0}, e.Var.Class == hast.Iterator || e.Var.Class == hast.Loop || e.Var.Class.OfHost()
	case *hast.Op:
		if len(e.Args) != 2 {
			return affine{}, false
		}
		x, known := form(e.Args[0], lets)
		y, too := form(e.Args[1], lets)
		switch {
		case !known || !too:
		case e.Op == ops.Add:
			return x.plus(y, 1), true
		case e.Op == ops.Sub:
			return x.plus(y, -1), true
		case e.Op == ops.Mul && len(x.of) == 0 && max(x.k, -x.k) < mostFactor:
			return affine{}.plus(y, x.k), true
		case e.Op == ops.Mul && len(y.of) == 0 && max(y.k, -y.k) < mostFactor:
			return affine{}.plus(x, y.k), true
		}
	}
	return affine{}, false
}

// plus is a sum with so many times another one.
func (a affine) plus(b affine, times int64) affine {
	out := affine{map[*hast.Var]int64{}, a.k + times*b.k}
	for v, n := range a.of {
		out.of[v] = n
	}
	for v, n := range b.of {
		if out.of[v] += times * n; out.of[v] == 0 {
			delete(out.of, v)
		}
	}
	return out
}

// more is a sum with k added.
func (a affine) more(k int64) affine { return a.plus(affine{k: k}, 1) }

// number is what a sum without variables is; false of others.
func (a affine) number() (int64, bool) { return a.k, len(a.of) == 0 }

// between are the least and the greatest value of a sum of variables of which ranges are known; false where one is not.
func (a affine) between(ranges map[*hast.Var][2]int64) (lo, hi int64, ok bool) {
	lo, hi = a.k, a.k
	for v, n := range a.of {
		r, known := ranges[v]
		if !known {
			return 0, 0, false
		}
		lo, hi = lo+min(n*r[0], n*r[1]), hi+max(n*r[0], n*r[1])
	}
	return lo, hi, true
}

// from is x and a sum more.
func (a affine) from(x hast.Expr) hast.Expr {
	return linear.Of(append([]linear.Part{{X: x, N: 1}}, a.parts()...), a.k)
}

// expr is a sum as an expression.
func (a affine) expr() hast.Expr { return linear.Of(a.parts(), a.k) }

// wide is a sum as an expression of 64 bits, which it does not leave.
func (a affine) wide() hast.Expr {
	out := wide(a.k)
	for _, p := range a.parts() {
		of := &hast.Convert{Typed: hast.Typed{T: types.Scalar(types.I64), At: p.X.Span()}, X: p.X}
		out = hast.Binary(ops.Add, out, hast.Binary(ops.Mul, wide(p.N), of))
	}
	return out
}

func wide(n int64) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(n)}}
}

// ofSizes reports whether the variables of a sum are sizes, which are known on entry.
func (a affine) ofSizes() bool {
	for v := range a.of {
		if v.Class != hast.SizeVar {
			return false
		}
	}
	return true
}

// parts are the variables of a sum, in the order of their names.
func (a affine) parts() (list []linear.Part) {
	for _, v := range slices.SortedFunc(maps.Keys(a.of), func(v, w *hast.Var) int { return strings.Compare(v.Name, w.Name) }) {
		list = append(list, linear.Part{X: hast.RefTo(v), N: a.of[v]})
	}
	return list
}

// atLeast reports whether a sum is known to be 0 or more as one of some others is, which are.
func (a affine) atLeast(known []affine) bool {
	if k, ok := a.number(); ok {
		return k >= 0
	}
	for _, b := range known {
		if k, ok := a.plus(b, -1).number(); ok && k >= 0 {
			return true
		}
	}
	return false
}
