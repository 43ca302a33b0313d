package block

import (
	"imgc/hast"
	"imgc/hast/linear"
	"imgc/types"
)

// A Moving is a sum over neighbours along one axis, of pixels or of what is made of them, which the instance beside has as well but for one at each end: a moving sum; or the least or greatest of
// them. Instances of a block share what all of them sum.
type Moving struct {
	Of   *hast.Reduce
	Elem hast.Expr // of the instance at a place, where the variable of the sum is Lo
	Dim  int       // the axis: 0 along x, 1 along y
	Lo   int64     // the first point
	N    int       // of points, which are neighbours
	from int64     // the distance of the first place that is read, of the first image, from the instance
}

// leastMoving is from how many points on they are shared, by operator; operators that are not here are not. Four sums of 7 points are 14 additions in place of 24, which memory takes longer than;
// such kernels have been measured as they are. So have extremes of five, which are at the speed of memory; four of 7 are 13 operations in place of 28.
var leastMoving = map[hast.ReduceOp]int{hast.Sum: 8, hast.Min: 7, hast.Max: 7}

// MovingSums are those that each instance of a stage computes, whatever conditions say, in the order of the text: sums of floats, least and greatest values of any kind.
func MovingSums(s *hast.Stage) (list []*Moving) {
	var axes []*hast.Var // x first
	for k := len(s.Space.Vars) - 1; k >= 0 && len(axes) < 2; k-- {
		axes = append(axes, s.Space.Vars[k])
	}
	for _, r := range Always(s.Body) {
		if m := movingSum(r, axes); m != nil {
			list = append(list, m)
		}
	}
	return list
}

func movingSum(r *hast.Reduce, axes []*hast.Var) *Moving {
	least, moves := leastMoving[r.Op]
	if !moves || r.Where != nil || r.Ways > 0 || len(r.Space.Vars) != 1 || r.T.IsArray() || r.Op == hast.Sum && r.T.WithLanes(1) != types.Scalar(types.F32) {
		return nil
	}
	points, known := Points(r.Space, MostPoints)
	if !known || len(points) < least {
		return nil
	}
	m := &Moving{Of: r, Elem: r.Elem, Dim: -1, Lo: points[0][0], N: len(points)}
	for i, p := range points {
		if p[0] != m.Lo+int64(i) {
			return nil
		}
	}
	if !m.moves(axes) {
		return nil
	}
	return m
}

// moves finds the axis along which the terms are those of places, and reports whether there is one.
func (m *Moving) moves(axes []*hast.Var) bool {
	i := m.Of.Space.Vars[0]
	pure, reads := true, 0
	var walk func(e hast.Expr)
	walk = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			reads++
			for _, c := range e.Index {
				pure = pure && (!hast.Names(c.X, []*hast.Var{i}) && !hast.Names(c.X, axes[m.Dim:m.Dim+1]) || m.isPlace(c.X, i, axes[m.Dim]))
			}
			return
		case *hast.Ref:
			pure = pure && e.Var.Class.OfHost()
		case *hast.Convert, *hast.Const, *hast.Op, *hast.Splat, *hast.Vec, *hast.Swizzle:
		default:
			pure = false
		}
		hast.EachOperand(e, walk)
	}
	// The axis is that of the first coordinate with the variable of the sum.
	hast.Walk(m.Elem, func(e hast.Expr) {
		if load, ok := e.(*hast.Load); ok && m.Dim < 0 {
			for _, c := range load.Index {
				for dim, v := range axes {
					if m.Dim < 0 && v != nil && hast.Names(c.X, []*hast.Var{i}) && hast.Names(c.X, []*hast.Var{v}) {
						_, m.from = linear.Terms(c.X)
						m.Dim = dim
					}
				}
			}
		}
	})
	if m.Dim < 0 {
		return false
	}
	m.from += m.Lo
	walk(m.Elem)
	return pure && reads > 0
}

// isPlace reports whether a coordinate is that of the instance and that of the point, and a number.
func (m *Moving) isPlace(e hast.Expr, i, own *hast.Var) bool {
	terms, _ := linear.Terms(e)
	return len(terms) == 2 && !terms[0].Minus && !terms[1].Minus &&
		(hast.IsVar(terms[0].X, i) && hast.IsVar(terms[1].X, own) || hast.IsVar(terms[0].X, own) && hast.IsVar(terms[1].X, i))
}

// Extreme reports whether it is a least or greatest value: in whatever order values are taken it is the same, and so it is where some are taken twice.
func (m *Moving) Extreme() bool { return m.Of.Op != hast.Sum }

// Operations is how many additions, and products of terms that are added by themselves, n instances have for the sum that share it, for each component; of extremes, how many values they choose
// between.
func (m *Moving) Operations(n int) int {
	k := m.Together(n)
	if m.Extreme() {
		own := 1 // floats choose once more, so that NaN loses
		if m.Of.T.Kind.IsInt() {
			own = 0
		}
		return n / k * (m.N - k + own + 2*max(0, k-2) + 2*(k-1))
	}
	count := (n-1)*(n-2)/2 + m.N - n + 2*(n-1) + max(0, n-2)
	if _, plain := m.Elem.(*hast.Load); !plain {
		count += 2 * (n - 1)
	}
	return count
}

// Together is how many neighbours of a block of n share the sum, which have at least one point in common; 1 where none do. Blocks of extremes are taken apart into equal pieces, those with the
// fewest operations: ((N - k) + 4k - 6)/k each, of pieces of k, is the least for the largest piece from 6 points on.
func (m *Moving) Together(n int) int {
	k := n
	if m.Extreme() {
		for k > m.N || n%k != 0 {
			k--
		}
	}
	if k < 2 || k > m.N {
		return 1
	}
	return k
}

// Shared reports whether n instances share the sum: there is something that some of them have.
func (m *Moving) Shared(n int) bool { return m.Together(n) > 1 }

// Beside reports whether two moving sums are over the same places of images of which both read one, so that they are computed side by side as these are loaded.
func (m *Moving) Beside(o *Moving) bool {
	if m.Dim != o.Dim || m.from != o.from || m.N != o.N || m.Extreme() != o.Extreme() {
		return false
	}
	read := map[*hast.Image]bool{}
	both := false
	for k, e := range []hast.Expr{m.Elem, o.Elem} {
		hast.Walk(e, func(e hast.Expr) {
			if load, ok := e.(*hast.Load); ok {
				both = both || k == 1 && read[load.Image]
				read[load.Image] = read[load.Image] || k == 0
			}
		})
	}
	return both
}

// Always are the reductions of a body that every instance computes, whatever conditions say.
func Always(body []hast.Stmt) (out []*hast.Reduce) {
	var visit func(e hast.Expr)
	visit = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			out = append(out, e)
			return
		case *hast.Select:
			visit(e.Cond)
			return
		case *hast.Op:
			if e.Op.Lazy() {
				return
			}
		}
		hast.EachOperand(e, visit)
	}
	for _, s := range body {
		switch s.(type) {
		case *hast.Define, *hast.Store, *hast.Set:
			exprs, _ := hast.Parts(s)
			for _, e := range exprs {
				visit(e)
			}
		}
	}
	return out
}
