package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/optimize/block"
)

// inOrder is a stage that goes through the pixels which it writes in the order of its images: of dst[x][H-1-y] = src[y][x], for all (y, x), what comes out is
// dst[v][u] = src[H-1-u][v]. Neighbouring instances then write neighbouring pixels, and what is read turned is what groups know how to share. Where the stage does so
// already, or writes in several ways, it is left as it is.
func inOrder(s *hast.Stage) *hast.Stage {
	t := turningOf(s)
	if t == nil {
		return s
	}
	var back []int
	for k, axis := range t.axes {
		if t.back[k] {
			back = append(back, axis)
		}
	}
	out := reversed(s, back)
	vars, ranges := out.Space.Vars, out.Space.Ranges
	out.Space.Vars, out.Space.Ranges = nil, nil
	for _, axis := range t.axes {
		out.Space.Vars, out.Space.Ranges = append(out.Space.Vars, vars[axis]), append(out.Space.Ranges, ranges[axis])
	}
	hast.EachStore(out.Body, func(st *hast.Store) {
		for k, v := range out.Space.Vars {
			st.Index[k] = &hast.Ref{Typed: hast.Typed{T: v.Type, At: st.At}, Var: v}
		}
	})
	return out
}

// A turning is how a stage writes all of its images: along each of their first axes which of its variables goes, and whether backwards.
type turning struct {
	axes []int
	back []bool
}

// turningOf is how a stage writes its images if it does so in another order than its own; nil where not.
func turningOf(s *hast.Stage) *turning {
	if s.Scan != nil || slices.ContainsFunc(s.Space.Ranges, func(r hast.Range) bool { return !r.Counts() }) {
		return nil
	}
	var t *turning
	same := true
	hast.EachStore(s.Body, func(st *hast.Store) {
		x := turned(s, st)
		if t == nil {
			t = x
		}
		same = same && x != nil && slices.Equal(x.axes, t.axes) && slices.Equal(x.back, t.back)
	})
	if t == nil || !same || !t.turns() {
		return nil
	}
	return t
}

// turns reports whether the last two axes are exchanged or mirrored, and nothing else is.
func (t *turning) turns() bool {
	n := len(t.axes)
	for k := range max(0, n-2) {
		if t.axes[k] != k || t.back[k] {
			return false
		}
	}
	return !slices.IsSorted(t.axes) || slices.Contains(t.back, true)
}

// turned is how a store goes along the first axes of its image with all variables of a stage; nil where it does not, or the last is of components.
func turned(s *hast.Stage, st *hast.Store) *turning {
	n := len(s.Space.Vars)
	if n == 0 || len(st.Index) < n || st.Image.View != nil {
		return nil
	}
	if size, known := hast.Number(st.Image.Extent[n-1]); known && size <= block.FewPixels {
		return nil
	}
	t := &turning{}
	for k, i := range st.Index[:n] {
		axis, back := -1, false
		for a, v := range s.Space.Vars {
			switch {
			case hast.IsVar(i, v):
				axis = a
			case countsBack(i, v, s.Space.Ranges[a].Hi) && st.Image.First(k) == 0:
				axis, back = a, true
			}
		}
		if axis < 0 || slices.Contains(t.axes, axis) {
			return nil
		}
		t.axes, t.back = append(t.axes, axis), append(t.back, back)
	}
	if slices.ContainsFunc(st.Index[n:], func(i hast.Expr) bool { return hast.Names(i, s.Space.Vars) }) {
		return nil
	}
	return t
}

// countsBack reports whether an expression is hi - 1 - v.
func countsBack(e hast.Expr, v *hast.Var, hi hast.Expr) bool {
	terms, sum := linear.Terms(e)
	if n, known := hast.Number(hi); known {
		return sum == n-1 && len(terms) == 1 && terms[0].Minus && hast.IsVar(terms[0].X, v)
	}
	if sum != -1 || len(terms) != 2 {
		return false
	}
	forth := slices.IndexFunc(terms, func(t linear.Term) bool { return !t.Minus && hast.Equal(t.X, hi) })
	back := slices.IndexFunc(terms, func(t linear.Term) bool { return t.Minus && hast.IsVar(t.X, v) })
	return forth >= 0 && back >= 0
}
