package normal

import (
	"imgc/hast"
	"imgc/hast/bounds"
	"imgc/interval"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// exactly bounds the sums of integers that f32 holds, and thus all that are added up on the way.
const exactly = 1 << 24

// most bounds the points of a mean that are counted, those of a window, and the entries of a mask.
const most = block.MostPoints

// mean is what takes the place of a mean that counts all of its points; nil where an expression stays.
func mean(e hast.Expr) hast.Expr { return meanOf(e, true) }

// meanInFloats is the same for bodies that need the same pixels as floats anyway: sums of small integers are exact in f32, too, and what is in words has no floats.
func meanInFloats(e hast.Expr) hast.Expr { return meanOf(e, false) }

// inFloats reports whether loops or reductions of a body convert pixels of small integers to f32, beside means that could be sums of integers.
func inFloats(list []hast.Stmt) (found bool) {
	see := func(e hast.Expr) hast.Expr {
		r, ok := e.(*hast.Reduce)
		if !ok {
			return nil
		}
		if r.Op == hast.Mean && r.Elem.Type().Kind.IsInt() && isPixel(r.Elem) {
			return e
		}
		found = found || convertsPixels(r.Elem)
		return nil
	}
	hast.MapStmts(list, func(e hast.Expr) hast.Expr { return hast.Map(e, see) })
	hast.WalkBody(list, func(s hast.Stmt) {
		if loop, ok := s.(*hast.For); ok {
			hast.WalkBody(loop.Body, nil, func(e hast.Expr) { found = found || convertsPixels(e) })
		}
	}, nil)
	return found
}

// isPixel reports whether an expression reads a pixel.
func isPixel(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Load:
		return true
	case *hast.Elem:
		_, window := e.X.(*hast.Window)
		return window
	}
	return false
}

// convertsPixels reports whether pixels of small integers become floats in an expression.
func convertsPixels(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		c, ok := e.(*hast.Convert)
		found = found || ok && c.T.Kind == types.F32 && isPixel(c.X) && c.X.Type().Kind.Bits() <= 16
	})
	return found
}

// meanOf is the same, of small integers as a sum of these or of floats.
func meanOf(e hast.Expr, integers bool) hast.Expr {
	mean := func(e hast.Expr) hast.Expr { return meanOf(e, integers) }
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Mean || r.Where != nil {
		return nil
	}
	count, ok := block.Count(r.Space, most)
	switch {
	case !ok && r.Space.Points == nil:
		return byCount(r)
	case !ok || count == 0:
		return nil
	}
	n := int64(count)
	if c, ok := r.Elem.(*hast.Convert); ok && small(c.X.Type().Kind, n) { // floats that stand for integers
		of := *r
		of.Elem = c.X
		r = &of
	}
	total := totalOf(r, mean, sumKind(r, n, integers))
	return &hast.Op{Typed: hast.Typed{T: r.T, At: r.At}, Op: ops.Div, Args: []hast.Expr{total, number(r.T, types.Float(float64(n)), r)}}
}

// totalOf is the sum that a mean divides, added up in a kind, as the kind of the mean.
func totalOf(r *hast.Reduce, inside func(hast.Expr) hast.Expr, kind types.Kind) hast.Expr {
	sum := *r
	sum.Op, sum.T = hast.Sum, r.T.WithKind(kind)
	sum.Elem = hast.Map(r.Elem, inside)
	if sum.Elem.Type() != sum.T {
		sum.Elem = &hast.Convert{Typed: hast.Typed{T: sum.T, At: r.At}, X: sum.Elem}
	}
	if sum.T == r.T {
		return &sum
	}
	return &hast.Convert{Typed: hast.Typed{T: r.T, At: r.At}, X: &sum}
}

// sumKind is the kind in which n elements of a mean are added up: of integers one that holds every sum on the way.
func sumKind(r *hast.Reduce, n int64, integers bool) types.Kind {
	k := r.Elem.Type().Kind
	switch {
	case k.IsFloat() || small(k, n) && !integers:
		return r.T.Kind
	case bounds.Of(r.Elem, nil).Times(interval.Between(0, n)).Within(interval.OfKind(types.I32)):
		return types.I32
	}
	return hast.SumKind(k)
}

// small reports whether the sum of n integers of a kind is exact in f32.
func small(k types.Kind, n int64) bool { return k.IsInt() && k.Bits() <= 16 && n<<k.Bits() <= exactly }

// byCount is the mean over ranges of lengths that are known at run time: the sum over how many values they have, 0 of none. Groups share sums.
func byCount(r *hast.Reduce) hast.Expr {
	sum := totalOf(r, mean, hast.SumKind(r.Elem.Type().Kind))
	i64 := types.Scalar(types.I64)
	n := hast.Binary(ops.Max, hast.PointCount(r.Space, r.At), number(i64, types.Int(1), r)) // the sum of none is 0
	var count hast.Expr = &hast.Convert{Typed: hast.Typed{T: types.Scalar(r.T.Kind), At: r.At}, X: n}
	if !r.T.IsScalar() {
		count = &hast.Splat{Typed: hast.Typed{T: r.T, At: r.At}, X: count}
	}
	return hast.Binary(ops.Div, sum, count)
}

// number is a constant in the place of a reduction, the same in all lanes.
func number(t types.Type, w types.Word, of *hast.Reduce) *hast.Const {
	words := make([]types.Word, t.Words())
	for i := range words {
		words[i] = w
	}
	return &hast.Const{Typed: hast.Typed{T: t, At: of.At}, Words: words}
}
