package borders

import (
	"slices"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/types"
)

// What values are known to be, whatever the variables of loops around are.

// always reports whether a value is known to be one for which a test holds, whatever the variables of loops around are.
func (b *bordering) always(e hast.Expr, test func(words []types.Word) bool) bool {
	var vars []*hast.Var
	closed := evaluate.Closed(e, func(v *hast.Var) bool {
		if _, known := b.ranges.known[v]; known && !slices.Contains(vars, v) {
			vars = append(vars, v)
		}
		return slices.Contains(vars, v)
	})
	if !closed {
		return false
	}
	points := b.ranges.box(vars)
	words, ok := evaluate.Over(e, vars, points)
	if !ok || len(points) == 0 {
		return false
	}
	n := len(words) / len(points)
	for k := range points {
		if !test(words[k*n : k*n+n]) {
			return false
		}
	}
	return true
}

// box are the points between the least and the greatest values of variables; nil where these are too many.
func (r *ranges) box(vars []*hast.Var) [][]int64 {
	points := [][]int64{nil}
	for _, v := range vars {
		at := r.known[v]
		if n := at.Hi - at.Lo + 1; n < 1 || n > int64(most/len(points)) {
			return nil
		}
		var more [][]int64
		for _, p := range points {
			for i := at.Lo; i <= at.Hi; i++ {
				more = append(more, append(slices.Clone(p), i))
			}
		}
		points = more
	}
	return points
}

// isZero reports whether a value is 0, of floats of either sign.
func (b *bordering) isZero(e hast.Expr) bool {
	t := e.Type()
	if b.always(e, func(words []types.Word) bool {
		return !slices.ContainsFunc(words, func(w types.Word) bool { return types.Convert(w, t.Kind, types.Bool).Truth() })
	}) {
		return true
	}
	switch x := e.(type) {
	case *hast.Convert:
		return b.isZero(x.X)
	case *hast.Splat:
		return b.isZero(x.X)
	case *hast.Op:
		switch x.Op {
		case ops.Mul:
			return t.Kind.IsInt() && slices.ContainsFunc(x.Args, b.isZero) // times infinity 0 is none
		case ops.Add, ops.Sub, ops.Neg:
			return !slices.ContainsFunc(x.Args, func(e hast.Expr) bool { return !b.isZero(e) })
		}
	}
	return false
}
