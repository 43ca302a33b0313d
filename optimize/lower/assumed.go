package lower

import (
	"math"

	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/types"
)

// assume takes the intervals of scalars from a condition that the entry point tests. Kernels alone go by them: they run after the tests, which host
// expressions may stand in themselves.
func (pl *planner) assume(cond hast.Expr) {
	e, ok := cond.(*hast.Op)
	if !ok || len(e.Args) != 2 {
		return
	}
	if e.Op == ops.LAnd {
		pl.assume(e.Args[0])
		pl.assume(e.Args[1])
		return
	}
	op, x, y := e.Op, e.Args[0], e.Args[1]
	n, ok := hast.Number(y)
	if !ok {
		n, ok = hast.Number(x)
		op, x = exchanged[op], y
	}
	v, isVar := x.(*hast.Ref)
	if !ok || !isVar || !v.T.IsScalar() || !v.T.Kind.IsInt() || v.T.Kind == types.U64 || v.Var.Class == hast.HostMutable {
		return
	}
	if within, ok := holdsFor(op, n); ok {
		have, known := pl.assumed[v.Var]
		if !known {
			have = interval.All
		}
		pl.assumed[v.Var] = have.Meet(within)
	}
}

// exchanged are comparisons with their sides exchanged.
var exchanged = map[ops.Op]ops.Op{ops.Lt: ops.Gt, ops.Le: ops.Ge, ops.Gt: ops.Lt, ops.Ge: ops.Le, ops.Eq: ops.Eq}

// holdsFor is for which x a comparison x op n holds.
func holdsFor(op ops.Op, n int64) (interval.Interval, bool) {
	switch {
	case op == ops.Eq:
		return interval.Point(n), true
	case op == ops.Le:
		return interval.Between(math.MinInt64, n), true
	case op == ops.Ge:
		return interval.Between(n, math.MaxInt64), true
	case op == ops.Lt && n > math.MinInt64:
		return interval.Between(math.MinInt64, n-1), true
	case op == ops.Gt && n < math.MaxInt64:
		return interval.Between(n+1, math.MaxInt64), true
	}
	return interval.Interval{}, false
}
