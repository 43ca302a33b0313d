package evaluate

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// accumulators are the reductions that keep one word for each component of the result, by what takes in an element.
var accumulators = map[hast.ReduceOp]ops.Op{
	hast.Sum: ops.Add, hast.Mean: ops.Add, hast.Product: ops.Mul, hast.Min: ops.Min, hast.Max: ops.Max, hast.Any: ops.LOr, hast.All: ops.LAnd, hast.Count: ops.Add,
}

// start is what such a reduction begins with, elements being of a kind.
func start(op hast.ReduceOp, k types.Kind) types.Word {
	switch op {
	case hast.Product, hast.All:
		return types.Convert(types.Int(1), types.I32, k)
	case hast.Min:
		return types.Highest(k)
	case hast.Max:
		return types.Lowest(k)
	}
	return 0
}

// reduce computes a reduction as package interp defines it.
func (v *evaluator) reduce(x *hast.Reduce) []types.Word {
	switch x.Op {
	case hast.Fold:
		return v.fold(x)
	case hast.Median:
		return v.median(x)
	case hast.ArgMin, hast.ArgMax:
		return v.place(x)
	}
	k := x.Elem.Type().Kind
	switch {
	case x.Op == hast.Count:
		k = types.I32 // the words of false and true are those of 0 and 1
	case x.Op == hast.Mean:
		k = hast.SumKind(k) // whose words are the same
	}
	total, n := repeat([]types.Word{start(x.Op, k)}, x.T.Words()), int64(0)
	v.elements(x, func(w []types.Word) {
		n++
		for i := range total {
			total[i] = ops.Eval(accumulators[x.Op], k, total[i], w[i])
		}
	})
	if x.Op == hast.Mean && n > 0 {
		count := types.Convert(types.Int(n), types.I64, x.T.Kind)
		for i := range total {
			total[i] = ops.Eval(ops.Div, x.T.Kind, types.Convert(total[i], k, x.T.Kind), count)
		}
	}
	return total
}

// elements calls take with each element that takes part, in order.
func (v *evaluator) elements(x *hast.Reduce, take func([]types.Word)) {
	v.space(x.Space, func() bool {
		if x.Where == nil || v.expr(x.Where)[0].Truth() {
			take(v.expr(x.Elem))
		}
		return true
	})
}

func (v *evaluator) fold(x *hast.Reduce) []types.Word {
	total := v.expr(x.Init)
	v.elements(x, func(w []types.Word) {
		v.depth++
		total = v.invoke(x.Func, [][]types.Word{total, w})
	})
	return total
}

// median is the lower median of each component.
func (v *evaluator) median(x *hast.Reduce) []types.Word {
	columns := make([][]types.Word, x.T.Words())
	v.elements(x, func(w []types.Word) {
		for i := range columns {
			columns[i] = append(columns[i], w[i])
		}
	})
	out := make([]types.Word, len(columns))
	for i, c := range columns {
		slices.SortStableFunc(c, func(a, b types.Word) int { return order(x.T.Kind, a, b) })
		if len(c) > 0 {
			out[i] = c[(len(c)-1)/2]
		}
	}
	return out
}

// order compares two words of a kind: -0 is less than 0, and NaN comes last.
func order(k types.Kind, a, b types.Word) int {
	switch less := func(a, b types.Word) bool { return ops.Eval(ops.Lt, k, a, b).Truth() }; {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	case !k.IsFloat():
		return 0
	}
	class := func(w types.Word) int {
		switch f := w.Float(); {
		case f != f:
			return 2
		case f == 0 && math.Signbit(f):
			return 0
		}
		return 1
	}
	return class(a) - class(b)
}

// place is where the least or the greatest element is, the fastest variable first: that of the first of equal ones, and of none where all are NaN.
func (v *evaluator) place(x *hast.Reduce) []types.Word {
	k, better := x.Elem.Type().Kind, ops.Lt
	if x.Op == hast.ArgMax {
		better = ops.Gt
	}
	vars := x.Space.Vars
	out := make([]types.Word, len(vars))
	var best []types.Word
	v.elements(x, func(w []types.Word) {
		if k.IsFloat() && w[0].Float() != w[0].Float() || best != nil && !ops.Eval(better, k, w[0], best[0]).Truth() {
			return
		}
		best = slices.Clone(w)
		for i, u := range vars {
			out[len(vars)-1-i] = v.vars[u][0]
		}
	})
	return out
}
