package linear

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Term is a part of a sum of integers.
type Term struct {
	X     hast.Expr
	Minus bool
}

// Plus is e + n, with all constants of a sum of 32-bit integers as one: these add up modulo 2^32, in any order.
func Plus(e hast.Expr, n int64) hast.Expr {
	terms, sum := addends(e, false, nil, n)
	typed := hast.Typed{T: e.Type(), At: e.Span()}
	number := func(n int64) hast.Expr { return &hast.Const{Typed: typed, Words: []types.Word{types.Int(n)}} }
	if first := slices.IndexFunc(terms, func(t Term) bool { return !t.Minus }); first > 0 {
		terms[0], terms[first] = terms[first], terms[0]
	} else if first < 0 {
		terms, sum = slices.Insert(terms, 0, Term{X: number(sum)}), 0
	}
	out := terms[0].X
	for _, t := range terms[1:] {
		out = &hast.Op{Typed: typed, Op: Sign(t.Minus), Args: []hast.Expr{out, t.X}}
	}
	if sum = int64(int32(sum)); sum == 0 {
		return out
	}
	return &hast.Op{Typed: typed, Op: Sign(sum < 0), Args: []hast.Expr{out, number(max(sum, -sum))}}
}

// Sign is the operator by which a term is joined with those before it.
func Sign(minus bool) ops.Op {
	if minus {
		return ops.Sub
	}
	return ops.Add
}

// Terms are the parts of a sum of i32, and the sum of its constants.
func Terms(e hast.Expr) ([]Term, int64) { return addends(e, false, nil, 0) }

// addends adds the parts of a sum to a list, and its constants to n.
func addends(e hast.Expr, minus bool, list []Term, n int64) ([]Term, int64) {
	if c, known := hast.Number(e); known {
		if minus {
			c = -c
		}
		return list, n + c
	}
	if x, ok := e.(*hast.Op); ok && e.Type() == types.Scalar(types.I32) && len(x.Args) == 2 && (x.Op == ops.Add || x.Op == ops.Sub) {
		list, n = addends(x.Args[0], minus, list, n)
		return addends(x.Args[1], minus != (x.Op == ops.Sub), list, n)
	}
	return append(list, Term{e, minus}), n
}

// Sum is that of some terms and n.
func Sum(terms []Term, n int64) hast.Expr {
	out := hast.Int(n)
	for _, t := range terms {
		out = hast.Binary(Sign(t.Minus), out, t.X)
	}
	return Plus(out, 0)
}

// Difference is x less y, where all but numbers is known to be the same in both.
func Difference(x, y hast.Expr) (n int64, known bool) {
	terms, n := addends(x, false, nil, 0)
	terms, less := addends(y, true, terms, 0)
	for len(terms) > 0 {
		t := terms[0]
		same := slices.IndexFunc(terms, func(u Term) bool { return u.Minus != t.Minus && hast.Equal(u.X, t.X) })
		if same < 0 {
			return 0, false
		}
		terms = slices.Delete(slices.Delete(terms, same, same+1), 0, 1)
	}
	return n + less, true
}
