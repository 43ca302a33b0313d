package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A product is a sum over a window: of weights by place, times what is made of pixels that are as far from the instance.
type product struct {
	of      *hast.Reduce
	value   hast.Expr    // what has the weights, with all reads
	loads   []*hast.Load // in it, all in one row of images that are equally high, where rows come first; else in one column
	base    [2]hast.Expr // of that row, and of the column of the first one
	lo      [2]int64     // the least offsets
	weights [][]types.Word
	zeros   bool // terms whose weights are 0 count: of floats they may be NaN
}

// separates reports whether a reduction comes to the same, as far as that is asked, where that of each row is reduced.
func (z *separator) separates(r *hast.Reduce) bool {
	one := r.T.WithLanes(1)
	if extreme(r) {
		return !r.T.IsArray()
	}
	return r.Op == hast.Sum && (one == i32 || z.floats && one == types.Scalar(types.F32))
}

func extreme(r *hast.Reduce) bool { return r.Op == hast.Min || r.Op == hast.Max }

// product recognises such a reduction.
func (z *separator) product(r *hast.Reduce) *product {
	if r.Where != nil || r.Ways != 0 || len(r.Space.Vars) != 2 || !z.separates(r) {
		return nil
	}
	if n, ok := block.Count(r.Space, maxPoints); !ok || n < 4 {
		return nil
	}
	m := &product{of: r}
	weights := m.takeApart()
	if m.value == nil || !m.pixels(z) {
		return nil
	}
	points := m.list()
	for _, factor := range weights {
		if !m.weigh(factor) {
			return nil
		}
	}
	if m.weights == nil {
		m.same()
	}
	if extreme(r) && !m.full() {
		return nil
	}
	if r.T.Kind.IsFloat() && m.names0() {
		if m.zeros = true; len(points) < len(m.weights)*len(m.weights[0]) {
			return nil // rows and columns have products in common with those of no point
		}
	}
	return m
}

// takeApart makes those factors the value that are no weights, and returns the others.
func (m *product) takeApart() (weights []hast.Expr) {
	r := m.of
	if extreme(r) {
		m.value = r.Elem
		return nil
	}
	for _, factor := range hast.Factors(r.Elem) { // products of floats are put together in another order
		switch {
		case isWeight(factor):
			weights = append(weights, factor)
		case m.value == nil:
			m.value = factor
		default:
			m.value = binary(r.T, ops.Mul, m.value, factor)
		}
	}
	return weights
}

// list has the sum list its points, whatever says which they are.
func (m *product) list() [][]int64 {
	points, _ := block.Points(m.of.Space, maxPoints)
	listed := *m.of
	listed.Space = hast.Space{Vars: m.of.Space.Vars, Points: points}
	m.of = &listed
	return points
}

// maxPoints bounds the points of a sum that is looked at.
const maxPoints = 1 << 12

// pixels finds the reads in the value, which lie at one distance from the instance along the axis that is left for it, in planes that all points of the sum share.
func (m *product) pixels(z *separator) bool {
	vars := z.of.Space.Vars
	if !m.pure(vars) || len(m.loads) == 0 {
		return false
	}
	left := 1 - z.axis()
	for _, load := range m.loads {
		n := len(load.Index) - 2
		if n < 0 || load.Image.Lower != nil || load.Image.View != nil && !z.extent(extentOf(load.Image, left)) || !sameOutside(load, m.loads[0], left) || !z.ownPlane(m, load) {
			return false
		}
		for k, c := range load.Index[n:] {
			base := without(c.X, m.of.Space.Vars[k])
			if base == nil || hast.Names(base, m.of.Space.Vars) || hast.Names(base, vars[:len(vars)-2]) || hast.Names(base, vars[len(vars)-1-k:len(vars)-k]) {
				return false
			}
			switch {
			case m.base[k] == nil:
				m.base[k] = base
			case k == left && !hast.Equal(m.base[k], base):
				return false
			}
		}
	}
	// Outside of the reads nothing depends on where they are.
	rest := hast.Map(m.value, func(e hast.Expr) hast.Expr {
		if _, ok := e.(*hast.Load); ok {
			return hast.Int(0)
		}
		return nil
	})
	return !hast.Names(rest, append(slices.Clone(vars), m.of.Space.Vars...))
}

// ownPlane reports whether the plane that is read is one of the image, the same at all points: the instance's own, or one that the host knows. Where a condition may keep
// it inside it has to be the instance's own of as many.
func (z *separator) ownPlane(m *product, load *hast.Load) bool {
	lead, y, x := z.axes()
	for k, c := range load.Index[:len(load.Index)-2] {
		if c.Below || c.Above || hast.Names(c.X, m.of.Space.Vars) || hast.Names(c.X, []*hast.Var{y, x}) {
			return false
		}
		r, ok := c.X.(*hast.Ref)
		at := -1
		if ok {
			at = slices.Index(lead, r.Var)
		}
		if at < 0 && hast.Names(c.X, lead) || z.conditional && (at < 0 || !hast.Equal(load.Image.Extent[k], z.of.Space.Ranges[at].Hi)) {
			return false
		}
	}
	return true
}

// pure collects the reads and reports whether the value is computed from them alone, where the instance is, and what the host knows.
func (m *product) pure(vars []*hast.Var) bool {
	pure := true
	hast.Walk(m.value, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			m.loads = append(m.loads, e)
		case *hast.Ref:
			v := e.Var
			pure = pure && (v.Class.OfHost() || slices.Contains(vars, v) || slices.Contains(m.of.Space.Vars, v))
		case *hast.Convert, *hast.Const, *hast.Op, *hast.Splat, *hast.Vec, *hast.Swizzle, *hast.Select:
		default:
			pure = false
		}
	})
	return pure
}

// sameOutside reports whether a row, or a column, that is outside of one image is outside of the other, and stands for the same one there.
func sameOutside(a, b *hast.Load, axis int) bool {
	if (a.Rule == nil) != (b.Rule == nil) || a.Rule != nil && a.Rule.Kind != b.Rule.Kind {
		return false
	}
	at, bt := along(a, axis), along(b, axis)
	return at.Below == bt.Below && at.Above == bt.Above && (a.Image == b.Image || hast.Equal(extentOf(a.Image, axis), extentOf(b.Image, axis)))
}

// without is what an expression adds a variable to; nil where it does anything else with it.
func without(e hast.Expr, v *hast.Var) hast.Expr {
	x, ok := e.(*hast.Op)
	if !ok || x.Op != ops.Add && x.Op != ops.Sub {
		return nil
	}
	if r, ok := x.Args[1].(*hast.Ref); ok && r.Var == v && x.Op == ops.Add {
		return x.Args[0]
	}
	if base := without(x.Args[0], v); base != nil {
		return binary(i32, x.Op, base, x.Args[1])
	}
	return nil
}

// clear has as many weights, all 0, as the points of the sum reach.
func (m *product) clear() {
	points := m.of.Space.Points
	m.lo = [2]int64{points[0][0], points[0][1]}
	hi := m.lo
	for _, p := range points {
		for k := range hi {
			m.lo[k], hi[k] = min(m.lo[k], p[k]), max(hi[k], p[k])
		}
	}
	for range hi[0] - m.lo[0] + 1 {
		m.weights = append(m.weights, make([]types.Word, hi[1]-m.lo[1]+1))
	}
}

// same gives all points of the sum the weight 1.
func (m *product) same() {
	m.clear()
	for _, p := range m.of.Space.Points {
		m.weights[p[0]-m.lo[0]][p[1]-m.lo[1]] = one(m.of.T.Kind)
	}
}

// full reports whether the sum has all points between its least and greatest offsets.
func (m *product) full() bool {
	for _, line := range m.weights {
		if slices.Contains(line, 0) {
			return false
		}
	}
	return true
}

// names0 reports whether the weight of a point of the sum is 0.
func (m *product) names0() bool {
	return slices.ContainsFunc(m.of.Space.Points, func(p []int64) bool { return m.weights[p[0]-m.lo[0]][p[1]-m.lo[1]] == 0 })
}

// isWeight reports whether a factor depends on the place in the window alone, or is the same everywhere.
func isWeight(factor hast.Expr) bool {
	c, number := factor.(*hast.Const)
	_, entry := entryOf(factor)
	return entry || number && c.T.IsScalar()
}

// weigh multiplies the weights by a number, or by those of a mask at the points of the sum; what the sum leaves out is 0.
func (m *product) weigh(factor hast.Expr) bool {
	words, at := m.entries(factor)
	if words == nil {
		return false
	}
	if m.weights == nil {
		m.same()
	}
	for k, p := range m.of.Space.Points {
		w := &m.weights[p[0]-m.lo[0]][p[1]-m.lo[1]]
		*w = ops.Eval(ops.Mul, m.of.T.Kind, *w, words[at[k]])
	}
	return true
}

// entries are what a weight may be, and which of these it is at each point of the sum; nil where it has another type or is not known.
func (m *product) entries(factor hast.Expr) (words []types.Word, at []int64) {
	if c, ok := factor.(*hast.Const); ok {
		if c.T != m.of.T {
			return nil, nil
		}
		return c.Words, make([]int64, len(m.of.Space.Points))
	}
	e, _ := entryOf(factor)
	c := e.X.(*hast.Const)
	if e.T != m.of.T.WithLanes(1) {
		return nil, nil
	}
	for _, p := range m.of.Space.Points {
		i, ok := block.EntryAt(e.Index, c.T.Shape(), m.of.Space.Vars, p)
		if !ok {
			return nil, nil
		}
		at = append(at, i)
	}
	return c.Words, at
}

// ones are n weights of 1.
func (m *product) ones(n int) []types.Word { return slices.Repeat([]types.Word{one(m.of.T.Kind)}, n) }

// terms is the number of weights that count.
func (m *product) terms(list []types.Word) int {
	n := 0
	for _, w := range list {
		if w != 0 || m.zeros {
			n++
		}
	}
	return n
}

// weighted is the sum of values times weights, over those weights that count; j runs from lo on. Where all of them are 1 it is that of
// the values, or what another reduction makes of them.
func (m *product) weighted(j *hast.Var, weights []types.Word, lo int64, value hast.Expr) *hast.Reduce {
	like := m.of
	out := &hast.Reduce{Typed: like.Typed, Op: like.Op, Space: hast.Space{Vars: []*hast.Var{j}}}
	for i, w := range weights {
		if w != 0 || m.zeros {
			out.Space.Points = append(out.Space.Points, []int64{lo + int64(i)})
		}
	}
	if one := one(like.T.Kind); !slices.ContainsFunc(weights, func(w types.Word) bool { return w != one && (w != 0 || m.zeros) }) {
		out.Elem = value
		return out
	}
	one := like.T.WithLanes(1)
	list := &hast.Const{Typed: hast.Typed{T: one.Array(len(weights)), At: like.At}, Words: weights}
	at := binary(i32, ops.Sub, hast.RefTo(j), hast.Int(lo))
	weight := &hast.Elem{Typed: hast.Typed{T: one, At: like.At}, X: list, Index: []hast.Expr{at}, InRange: true}
	out.Elem = binary(like.T, ops.Mul, splat(like.T, weight), value)
	return out
}
