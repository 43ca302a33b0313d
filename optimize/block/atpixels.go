package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Reductions over blocks of an image, as sum(src[16*y + j][16*x + i] for j in 0:16, i in 0:16): their points lie where the instance says, and groups that share them take them by vectors once
// their variables are the coordinates of the pixels themselves.

// LeastShared is how many points, known beforehand, are worth sharing.
const LeastShared = 64

// AnyLine are the rules under which a block can be loaded by vectors on any line if it can on one.
var AnyLine = map[hast.RuleKind]bool{hast.Undefined: true, hast.Clamp: true, hast.Constant: true}

// AtPixels is a stage whose reductions over many points have the coordinates of pixels for variables, where these are variables and what is the same for all points of an instance. Those over the same pixels
// have the same variables.
func AtPixels(s *hast.Stage) *hast.Stage {
	var made []*hast.Reduce
	changed, apart := false, readsOwn(s)
	body := hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			r, ok := e.(*hast.Reduce)
			if !ok {
				return nil
			}
			x := atPixels(s, r)
			if x != r {
				changed = true
				if !apart {
					x = overSame(x, made)
					made = append(made, x)
				}
			}
			return x
		})
	})
	if !changed {
		return s
	}
	out := *s
	out.Body = body
	return &out
}

// readsOwn reports whether a stage reads an image that it writes: then reductions are computed where they stand.
func readsOwn(s *hast.Stage) (reads bool) {
	hast.EachStore(s.Body, func(st *hast.Store) { reads = reads || s.Loads(st.Image.Base()) })
	return reads
}

// overSame is a reduction with the variables of another one that is over the same points.
func overSame(r *hast.Reduce, made []*hast.Reduce) *hast.Reduce {
	same := func(a, b hast.Range) bool {
		return a.Step == b.Step && hast.Equal(a.Lo, b.Lo) && hast.Equal(a.Hi, b.Hi)
	}
	for _, m := range made {
		if !slices.EqualFunc(m.Space.Ranges, r.Space.Ranges, same) {
			continue
		}
		by := map[*hast.Var]hast.Expr{}
		for k, v := range r.Space.Vars {
			by[v] = &hast.Ref{Typed: hast.Typed{T: i32, At: r.At}, Var: m.Space.Vars[k]}
		}
		out := *r
		out.Space.Vars = m.Space.Vars
		out.Elem = hast.Replaced(r.Elem, by)
		return &out
	}
	return r
}

// atPixels is a reduction whose variables are coordinates; the same one where none become these.
func atPixels(s *hast.Stage, r *hast.Reduce) *hast.Reduce {
	if r.Op == hast.ArgMin || r.Op == hast.ArgMax || r.Op == hast.Fold || r.Op == hast.Median || r.Where != nil || r.Space.Points != nil || !manyPoints(r.Space) {
		return r
	}
	out := *r
	out.Space.Vars, out.Space.Ranges = slices.Clone(r.Space.Vars), slices.Clone(r.Space.Ranges)
	for k := range r.Space.Vars {
		if !moved(s, &out, k) && k == len(r.Space.Vars)-1 {
			return r // nothing is gained where lines are read as before
		}
	}
	return &out
}

// manyPoints reports whether a space has a constant number of points, many, of which items share lines.
func manyPoints(s hast.Space) bool {
	points, longest := int64(1), int64(0)
	for k, r := range s.Ranges {
		n, known := TripCount(r)
		if !known || r.Step != 1 {
			return false
		}
		points = min(points*n, LeastShared)
		if longest = max(longest, n); k == len(s.Ranges)-1 && n < LeastShared && longest >= LeastShared {
			return false // items share columns
		}
	}
	return points >= LeastShared
}

// moved has a variable of a reduction be the coordinate that it is a part of, if it is one of others of the instance everywhere; false where it is not.
func moved(s *hast.Stage, r *hast.Reduce, k int) bool {
	v := r.Space.Vars[k]
	own := []*hast.Var{v}
	var base hast.Expr
	places := map[hast.Expr]bool{}
	ok := true
	hast.Walk(r.Elem, func(e hast.Expr) {
		load, is := e.(*hast.Load)
		if _, window := e.(*hast.Window); window {
			ok = ok && !hast.Names(e, own)
		}
		if !is {
			return
		}
		for _, c := range load.Index {
			if !hast.Names(c.X, own) {
				continue
			}
			b, of := without(c.X, v)
			if ok = ok && of && b != nil && ofInstance(s, b) && (base == nil || hast.Equal(base, b)) && (load.Rule == nil || AnyLine[load.Rule.Kind]); ok {
				base = b
				places[c.X] = true
			}
		}
	})
	if !ok || base == nil {
		return false
	}
	to := &hast.Var{Name: v.Name, Type: v.Type, Class: v.Class, At: v.At}
	ref := &hast.Ref{Typed: hast.Typed{T: i32, At: r.At}, Var: to}
	binary := func(x, y hast.Expr, op ops.Op) hast.Expr {
		return &hast.Op{Typed: hast.Typed{T: i32, At: r.At}, Op: op, Args: []hast.Expr{x, y}}
	}
	r.Elem = hast.Map(r.Elem, func(e hast.Expr) hast.Expr {
		switch x := e.(type) {
		case *hast.Ref:
			if x.Var == v {
				return binary(ref, base, ops.Sub)
			}
		default:
			if places[e] {
				return ref
			}
		}
		return nil
	})
	r.Space.Vars[k] = to
	g := &r.Space.Ranges[k]
	g.Lo, g.Hi = binary(base, g.Lo, add), binary(base, g.Hi, add)
	return true
}

// without is what is added to a variable in a coordinate, nil for nothing; ok is false where there is more to it.
func without(e hast.Expr, v *hast.Var) (base hast.Expr, ok bool) {
	if r, is := e.(*hast.Ref); is && r.Var == v {
		return nil, true
	}
	x, is := e.(*hast.Op)
	if !is || x.T != i32 || x.Op != add && x.Op != ops.Sub {
		return nil, false
	}
	of, other := x.Args[0], x.Args[1]
	if x.Op == add && hast.Names(other, []*hast.Var{v}) {
		of, other = other, of
	}
	if base, ok = without(of, v); !ok || hast.Names(other, []*hast.Var{v}) {
		return nil, false
	}
	if base != nil {
		return &hast.Op{Typed: x.Typed, Op: x.Op, Args: []hast.Expr{base, other}}, true
	}
	return other, x.Op == add
}

// mostApart is how far the blocks of instances that follow each other may lie apart: coordinates of images as large as there may be stay integers of 32 bits, and so do those behind their ends.
const mostApart = 64

// ofInstance reports whether a value is a few times the number of the instance along an axis, and a number.
func ofInstance(s *hast.Stage, e hast.Expr) bool {
	l, ok := ScopeOf(s).Linear(e)
	return ok && l.Single() && l.Var != nil && slices.Contains(s.Space.Vars, l.Var) && l.Div == 0 && l.Stride > 0 && l.Stride <= mostApart && types.Scalar(types.I32) == e.Type()
}
