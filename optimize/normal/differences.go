package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A sum of integers over differences from what is the same at all points, as from the pixel in the middle of a window,
//
//	sum(bell[j+1][i+1] * (src[y+j][x+i] - src[y][x]) for j in -1:2, i in -1:2)
//
// is the sum without it, and so many times that beside it as all weights are together: it is subtracted once, and the sum may be taken apart into rows and columns. Integers are the same modulo
// their range. Of floats what is left would have the roundings of sums that may be much larger, so that these stay.

// apart is what takes the place of such a sum; nil where an expression stays.
func apart(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Sum || r.Where != nil || !r.T.IsScalar() || !r.T.Kind.IsInt() || r.Elem.Type() != r.T {
		return nil
	}
	weight, term := weightOf(r)
	d, ok := term.(*hast.Op)
	if !ok || d.T != r.T || d.Op != ops.Add && d.Op != ops.Sub {
		return nil
	}
	total := sumOfWeights(weight, r)
	if total == nil {
		return nil
	}
	args := make([]hast.Expr, 2)
	same := 0
	for k, a := range d.Args {
		if hast.Names(a, r.Space.Vars) {
			args[k] = weighted(weight, a, r)
			continue
		}
		args[k] = hast.Binary(ops.Mul, total, hast.Map(a, apart))
		same++
	}
	if same != 1 {
		return nil
	}
	return &hast.Op{Typed: d.Typed, Op: d.Op, Args: args}
}

// weightOf takes a sum's element apart into what constants and its variables determine, nil for none, and what has that for a weight; where several factors are none, that is nil.
func weightOf(r *hast.Reduce) (weight, term hast.Expr) {
	several := false
	known := func(v *hast.Var) bool { return slices.Contains(r.Space.Vars, v) }
	for _, f := range hast.Factors(r.Elem) {
		switch {
		case !evaluate.Closed(f, known):
			several = several || term != nil
			term = f
		case weight == nil:
			weight = f
		default:
			weight = hast.Binary(ops.Mul, weight, f)
		}
	}
	if several {
		return nil, nil
	}
	return weight, term
}

// sumOfWeights is what the weights of a sum are together; nil where that is not known, or its points are not several.
func sumOfWeights(weight hast.Expr, r *hast.Reduce) hast.Expr {
	points, known := block.Points(r.Space, most)
	if !known || len(points) < 2 {
		return nil
	}
	if weight == nil {
		return number(r.T, types.Convert(types.Int(int64(len(points))), types.I64, r.T.Kind), r)
	}
	words, ok := evaluate.Over(weight, r.Space.Vars, points)
	if !ok {
		return nil
	}
	total := types.Word(0)
	for _, w := range words {
		total = ops.Eval(ops.Add, r.T.Kind, total, w)
	}
	return number(r.T, total, r)
}

// weighted is the sum of a term with a weight, taken apart as well.
func weighted(weight, term hast.Expr, like *hast.Reduce) hast.Expr {
	x := *like
	if x.Elem = term; weight != nil {
		x.Elem = hast.Binary(ops.Mul, weight, term)
	}
	return hast.Map(&x, apart)
}
