package lower

import (
	"fmt"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// maxNetwork is the number of values up to which a median is a selection network: straight code over registers. Beyond, the code
// would be too long.
const maxNetwork = 81

// medianFunc is the device function for the lower median of n values, NaN last. It forgets values: among w values of which the
// median may be any, the least has w-1 values that are not less; if those are more than there can be above the median, the least is
// not it, and likewise the greatest. Both are dropped and one of the values that have waited comes in, until one or two are left.
// With w = n/2 + 2 at first, that takes about 3/16 n^2 exchanges.
func (l *lowering) medianFunc(t types.Type, n int) *kir.Func {
	return l.network("median", t, n, func(b *body, x, y kir.Expr) func(least bool) kir.Expr { return b.exchanged(t, x, y) })
}

// medianHalves is the same for the halves of words.
func (l *lowering) medianHalves(n int) *kir.Func {
	return l.network("median_halves", u32T, n, func(_ *body, x, y kir.Expr) func(least bool) kir.Expr {
		return func(least bool) kir.Expr {
			if least {
				return halvesOf(ops.Min, x, y)
			}
			return halvesOf(ops.Max, x, y)
		}
	})
}

// An exchange gives the lesser and the greater of two values.
type exchange func(b *body, x, y kir.Expr) func(least bool) kir.Expr

// network is the function of that name whose exchanges are given.
func (l *lowering) network(name string, t types.Type, n int, ordered exchange) *kir.Func {
	k := fmt.Sprint(name, " ", t, " ", n)
	if f := l.median[k]; f != nil {
		return f
	}
	values := &kir.Var{Name: "values", Type: t.Array(n), Const: true}
	b := l.newBody()
	get := func(i int) kir.Expr {
		return ref(b.declare("v", t, false, b.elemOf(values, []kir.Expr{i32(int64(i))})))
	}
	rank, next := (n-1)/2, 0
	var set []kir.Expr
	for left := n; left > 2; left, rank = left-2, rank-1 {
		for len(set) < max(left-rank, rank+1)+1 {
			set = append(set, get(next))
			next++
		}
		set = b.withoutEnds(t, set, ordered)
	}
	for next < n {
		set = append(set, get(next))
		next++
	}
	result := set[0]
	if len(set) == 2 {
		result = ordered(b, set[0], set[1])(true)
	}
	b.emit(&kir.Return{Value: result})
	f := &kir.Func{Name: name, Params: []*kir.Var{values}, Result: t, Body: b.scope.stmts}
	l.median[k] = f
	l.out.Funcs = append(l.out.Funcs, f)
	return f
}

// withoutEnds drops the least and the greatest of some values: pairs are put in order, then the least is looked for among the
// lesser ones and the greatest among the greater ones.
func (b *body) withoutEnds(t types.Type, set []kir.Expr, ordered exchange) []kir.Expr {
	n := len(set)
	order := func(i, j int) {
		exchange := ordered(b, set[i], set[j])
		least, greatest := b.declare("lo", t, false, exchange(true)), b.declare("hi", t, false, exchange(false))
		set[i], set[j] = ref(least), ref(greatest)
	}
	for i := 0; i < n/2; i++ {
		order(i, n-1-i)
	}
	for i := 1; i < (n+1)/2; i++ {
		order(0, i)
	}
	for i := n / 2; i < n-1; i++ {
		order(i, n-1)
	}
	return set[1 : n-1]
}
