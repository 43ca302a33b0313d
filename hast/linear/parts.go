package linear

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Part is an expression that a sum has so many times.
type Part struct {
	X hast.Expr
	N int64
}

// Parts are what an i32 is the sum of, with products by numbers multiplied out, and the sum of its constants. What stands in it several times is one part; what
// cancels out is none.
func Parts(e hast.Expr) ([]Part, int64) { return Added(nil, 0, e, 1) }

// Added are the parts of a sum and its constants with so many times e more.
func Added(list []Part, k int64, e hast.Expr, times int64) ([]Part, int64) {
	if c, known := hast.Number(e); known {
		return list, wrapped(k + times*c)
	}
	x, ok := e.(*hast.Op)
	if !ok || e.Type() != types.Scalar(types.I32) {
		return with(list, Part{e, times}), k
	}
	switch x.Op {
	case ops.Add, ops.Sub:
		sign := int64(1)
		if x.Op == ops.Sub {
			sign = -1
		}
		list, k = Added(list, k, x.Args[0], times)
		return Added(list, k, x.Args[1], sign*times)
	case ops.Neg:
		return Added(list, k, x.Args[0], -times)
	case ops.Mul:
		for i, a := range x.Args {
			if c, known := hast.Number(a); known {
				return Added(list, k, x.Args[1-i], wrapped(times*c))
			}
		}
	}
	return with(list, Part{e, times}), k
}

// wrapped is a number modulo 2^32, as sums of i32 are.
func wrapped(n int64) int64 { return int64(int32(n)) }

// with is a list of parts with one more, which may be there already.
func with(list []Part, p Part) []Part {
	at := slices.IndexFunc(list, func(q Part) bool { return hast.Equal(q.X, p.X) })
	switch {
	case p.N == 0:
		return list
	case at < 0:
		return append(list, p)
	}
	list = slices.Clone(list)
	if list[at].N = wrapped(list[at].N + p.N); list[at].N == 0 {
		return slices.Delete(list, at, at+1)
	}
	return list
}

// Of is the sum of some parts and k: those first that are added.
func Of(parts []Part, k int64) hast.Expr {
	var terms []Term
	for _, p := range parts {
		x := p.X
		if n := max(p.N, -p.N); n != 1 {
			x = hast.Binary(ops.Mul, hast.Int(n), x)
		}
		terms = append(terms, Term{x, p.N < 0})
	}
	return Sum(terms, k)
}
