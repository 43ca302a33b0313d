package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/separable"
	"imgc/types"
)

// A sum over a separable mask is one of sums along the rows of its window. Those are computed once for all rows of instances that a
// work-item computes at once, so that of h x w products for each pixel about w + h are left.

// A maskSum is a sum of products of a mask's entries and what stands at their places.
type maskSum struct {
	rows, columns []int64      // coordinates of the entries
	column, row   []kir.Expr   // factors, nil for 0
	elem          hast.Expr    // what is multiplied
	vars          [2]*hast.Var // its coordinates
	t             types.Type
	op            ops.Op      // Add; of the least and the greatest of a window Min and Max, which have no factors
	read          *columnRead // what stands at the places, where that is known
	alike         bool        // see alikeAtPoints
}

// separated is a sum over a mask by rows of its window; nil where that is not decided or not possible.
func (r *rows) separated(e *hast.Reduce) kir.Expr {
	if !r.inner || r.decided.RowSums == 0 || r.decided.Lanes == 0 {
		return nil
	}
	m := r.maskOf(e)
	if m == nil {
		return nil
	}
	r.separates++
	b, columns := r.body, m.columns
	if r.probe != nil {
		return r.probed(m)
	}
	var total kir.Expr
	for i, y := range m.rows {
		if m.takes(m.column, i) {
			b.vars[m.vars[0]] = i32(y)
			total = b.plus(m, total, m.column, i, r.rowSum(m, columns))
			if r.knowing() && m.alike {
				columns = columns[:1]
			}
		}
	}
	return total
}

// takes reports whether a row or a column has a part in the sum.
func (m *maskSum) takes(factors []kir.Expr, i int) bool { return m.op != ops.Add || factors[i] != nil }

// plus adds a term, times a factor, to a sum; nil is none yet.
func (b *body) plus(m *maskSum, sum kir.Expr, factors []kir.Expr, i int, term kir.Expr) kir.Expr {
	if m.op == ops.Add {
		term = b.op(m.t, ops.Mul, factors[i], term)
	}
	if sum == nil {
		return term
	}
	return b.op(m.t, m.op, sum, term)
}

// rowSum is the sum along some columns of the current row of the window, computed once.
func (r *rows) rowSum(m *maskSum, columns []int64) kir.Expr {
	b := r.body
	var sum kir.Expr
	for i, x := range columns {
		if m.takes(m.row, i) {
			b.vars[m.vars[1]] = i32(x)
			sum = b.plus(m, sum, m.row, i, b.expr(m.elem))
		}
	}
	id := key(sum, b.ids)
	if have := r.sums[id]; have != nil && b.sees(have) {
		return ref(have)
	}
	v := b.declare("row", m.t, false, sum)
	if r.unwritten(sum) {
		r.sums[id] = v
	}
	return ref(v)
}

// unwritten reports whether an expression reads images only that the stage does not write.
func (r *rows) unwritten(e kir.Expr) bool {
	ok := true
	kir.Walk(e, func(x kir.Expr) {
		if _, gathers := x.(*kir.Gather); gathers {
			ok = false
		}
		if l, isLoad := x.(*kir.Load); isLoad {
			ok = ok && slices.ContainsFunc(r.what.Windows, func(w *block.Window) bool { return r.buffer(w.Image.Base(), kir.Reads).v == l.Buffer })
		}
	})
	return ok
}

// maskOf takes a sum over a mask apart; nil where the mask is not separable, or separating it does not pay.
func (r *rows) maskOf(e *hast.Reduce) *maskSum {
	if m := r.extremeOf(e); m != nil {
		return m
	}
	if e.Op != hast.Sum || e.Where != nil || !e.T.IsScalar() || len(e.Space.Vars) != 2 {
		return nil
	}
	points, ok := r.body.points(e.Space)
	if !ok || len(points) < 4 {
		return nil
	}
	product, ok := e.Elem.(*hast.Op)
	if !ok || product.Op != ops.Mul || product.T != e.T {
		return r.plainOf(e, points)
	}
	for i, side := range product.Args {
		if c := maskEntry(side); c != nil {
			m := &maskSum{elem: product.Args[1-i], vars: [2]*hast.Var{e.Space.Vars[0], e.Space.Vars[1]}, t: e.T, op: ops.Add, alike: alikeAtPoints(e)}
			if r.factor(m, side, points) {
				return m
			}
		}
	}
	return r.plainOf(e, points)
}

// plainOf is a sum of what is read in a rectangle, all of it alike; nil where it is something else.
func (r *rows) plainOf(e *hast.Reduce, points [][]int64) *maskSum {
	exact := e.T.Kind.IsInt() && e.T.Kind.Bits() <= 32
	if !exact && !(e.T.Kind == types.F32 && r.plan.opts.Mode != kir.Strict) || !onlyPlaces(e.Elem, e.Space.Vars) {
		return nil
	}
	m := &maskSum{elem: e.Elem, vars: [2]*hast.Var{e.Space.Vars[0], e.Space.Vars[1]}, t: e.T, op: ops.Add, alike: alikeAtPoints(e)}
	m.places(points)
	if len(m.rows)*len(m.columns) != len(points) || len(m.rows)+len(m.columns) >= len(points) {
		return nil
	}
	m.column, m.row = ones(e.T, len(m.rows)), ones(e.T, len(m.columns))
	return m
}

// onlyPlaces reports whether variables say no more in an expression than where pixels are read.
func onlyPlaces(e hast.Expr, vars []*hast.Var) bool {
	switch e := e.(type) {
	case *hast.Load:
		return true
	case *hast.Ref:
		return !slices.Contains(vars, e.Var)
	}
	return !slices.ContainsFunc(hast.Operands(e), func(x hast.Expr) bool { return !onlyPlaces(x, vars) })
}

func ones(t types.Type, n int) []kir.Expr {
	one := types.Int(1)
	if t.Kind.IsFloat() {
		one = types.Float(1)
	}
	return slices.Repeat([]kir.Expr{constant(t, []types.Word{one}, "")}, n)
}

// extremeOf is the least or greatest integer of a rectangle, which is that of those of its rows; nil where it is something else.
func (r *rows) extremeOf(e *hast.Reduce) *maskSum {
	if e.Op != hast.Min && e.Op != hast.Max || e.Where != nil || !e.T.IsScalar() || !e.T.Kind.IsInt() || len(e.Space.Vars) != 2 {
		return nil
	}
	points, ok := r.body.points(e.Space)
	if !ok || len(points) < 4 {
		return nil
	}
	m := &maskSum{elem: e.Elem, vars: [2]*hast.Var{e.Space.Vars[0], e.Space.Vars[1]}, t: e.T, op: foldOps[e.Op], alike: alikeAtPoints(e)}
	m.places(points)
	if len(m.rows)*len(m.columns) != len(points) || len(m.rows) < 2 || len(m.columns) < 2 {
		return nil
	}
	return m
}

// places enters the coordinates of points.
func (m *maskSum) places(points [][]int64) {
	m.rows, m.columns = distinct(points, 0), distinct(points, 1)
}

// distinct are the values of a coordinate of points, sorted.
func distinct(points [][]int64, axis int) (list []int64) {
	for _, p := range points {
		if at, have := slices.BinarySearch(list, p[axis]); !have {
			list = slices.Insert(list, at, p[axis])
		}
	}
	return list
}

// maskEntry is the entry of a constant array that an expression is; nil where it is none.
func maskEntry(e hast.Expr) *hast.Elem {
	if c, ok := e.(*hast.Convert); ok {
		e = c.X
	}
	x, ok := e.(*hast.Elem)
	if !ok || !x.X.Type().Elem().IsScalar() {
		return nil
	}
	if _, ok := x.X.(*hast.Const); !ok {
		return nil
	}
	return x
}

// factor finds the factors of the coefficients at points; false where there are none that save products.
func (r *rows) factor(m *maskSum, coefficient hast.Expr, points [][]int64) bool {
	m.places(points)
	words := make([][]types.Word, len(m.rows))
	for i := range words {
		words[i] = make([]types.Word, len(m.columns))
	}
	for _, p := range points {
		r.body.vars[m.vars[0]], r.body.vars[m.vars[1]] = i32(p[0]), i32(p[1])
		c, ok := r.body.expr(coefficient).(*kir.Const)
		if !ok {
			return false
		}
		y, _ := slices.BinarySearch(m.rows, p[0])
		x, _ := slices.BinarySearch(m.columns, p[1])
		words[y][x] = c.Words[0]
	}
	switch k := m.t.Kind; {
	case k.IsInt() && k.Bits() <= 32:
		column, row, ok := separable.Integers(numbers(words, types.Word.Int))
		m.column, m.row = factors(m.t, column, types.Int), factors(m.t, row, types.Int)
		return ok && separable.Terms(column)+separable.Terms(row) < len(points)
	case k == types.F32 && r.plan.opts.Mode != kir.Strict:
		column, row, ok := separable.Floats(numbers(words, types.Word.Float), func(x float64) float64 { return float64(float32(x)) }, separable.Tolerance(len(words), len(words[0])))
		m.column, m.row = factors(m.t, column, types.Float), factors(m.t, row, types.Float)
		return ok && separable.Terms(column)+separable.Terms(row) < len(points)
	}
	return false
}

func numbers[T int64 | float64](words [][]types.Word, number func(types.Word) T) [][]T {
	out := make([][]T, len(words))
	for y := range words {
		for _, w := range words[y] {
			out[y] = append(out[y], number(w))
		}
	}
	return out
}

// factors are constants; nil for 0.
func factors[T int64 | float64](t types.Type, list []T, word func(T) types.Word) []kir.Expr {
	out := make([]kir.Expr, len(list))
	for i, c := range list {
		if c != 0 {
			out[i] = constant(t, []types.Word{word(c)}, "")
		}
	}
	return out
}
