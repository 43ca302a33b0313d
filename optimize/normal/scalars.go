package normal

import (
	"math/bits"
	"strconv"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// An array of few integers that is written out, let n: i32[8] = [src[y+Y[k]][x+X[k]] for k in 0:8], and of which every place that is read is known once the reductions over
// it are written out, as max(min(n[(s + k) % 8] for k in 0:5) for s in 0:8) is, stands for as many scalars: these are what kernels compute side by side in the halves of words. Reductions
// that share parts, as those of arcs of a circle do, compute each part once: FAST's score of 9 of 16 pixels on a circle is predicted at 0.57 ms for 8192 x 8192 on an H200 so, and was at 3.84.

// mostScalars is how many elements such an array has at most, and mostTerms how many operands what is written out of its reductions.
const mostScalars, mostTerms = 32, 512

// scalars has such arrays of a body in scalars.
func scalars(list []hast.Stmt) []hast.Stmt {
	arrays := map[*hast.Var]bool{}
	for _, s := range list {
		if d, ok := s.(*hast.Define); ok && ofFewIntegers(d) {
			arrays[d.Var] = true
		}
	}
	for len(arrays) > 0 {
		x := &scattering{arrays: arrays, parts: map[*hast.Var][]*hast.Var{}, own: map[*hast.Var]bool{}}
		out := x.stmts(list)
		left := named(out, arrays)
		if x.terms <= mostTerms && len(left) == 0 {
			return out
		}
		if x.terms > mostTerms {
			return list
		}
		for v := range left {
			delete(arrays, v)
		}
	}
	return list
}

// ofFewIntegers reports whether a definition is of such an array.
func ofFewIntegers(d *hast.Define) bool {
	t := d.Var.Type
	all, ok := d.Init.(*hast.Array)
	return ok && d.Var.Class == hast.Value && t.IsArray() && t.Elem().IsScalar() && t.Kind.IsInt() && len(all.Elems) <= mostScalars
}

// named are those of some variables that are read in a body.
func named(list []hast.Stmt, of map[*hast.Var]bool) map[*hast.Var]bool {
	found := map[*hast.Var]bool{}
	hast.WalkBody(list, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok && of[r.Var] {
			found[r.Var] = true
		}
	})
	return found
}

// A scattering puts scalars in the place of arrays.
type scattering struct {
	arrays map[*hast.Var]bool
	parts  map[*hast.Var][]*hast.Var // of those that have been defined
	own    map[*hast.Var]bool        // these, and what is computed of them
	before []*hast.Define            // what the statement at hand needs
	all    []*hast.Define            // and those before it
	terms  int
}

// stmts are the statements of a body.
func (x *scattering) stmts(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		if d, ok := s.(*hast.Define); ok && x.arrays[d.Var] {
			out = append(out, x.define(d)...)
			continue
		}
		now := hast.MapStmts([]hast.Stmt{s}, x.expr)
		for _, d := range x.before {
			out = append(out, d)
		}
		x.before = nil
		out = append(out, now...)
	}
	return out
}

// define defines the elements of an array.
func (x *scattering) define(d *hast.Define) (out []hast.Stmt) {
	for k, e := range d.Init.(*hast.Array).Elems {
		v := &hast.Var{Name: d.Var.Name + "_" + strconv.Itoa(k), Type: d.Var.Type.Elem(), Class: hast.Value, At: d.Var.At}
		x.parts[d.Var], x.own[v] = append(x.parts[d.Var], v), true
		out = append(out, &hast.Define{Var: v, Init: x.expr(e), At: d.At})
	}
	for k := len(x.before) - 1; k >= 0; k-- {
		out = append([]hast.Stmt{x.before[k]}, out...)
	}
	x.before = nil
	return out
}

// expr is an expression that reads scalars.
func (x *scattering) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Elem:
			if v := x.element(e); v != nil {
				return hast.RefTo(v)
			}
		case *hast.Reduce:
			if x.reads(e) {
				return x.writtenOut(e)
			}
		}
		return nil
	})
}

// element is the scalar that stands for an element; nil where that is not known, or there is none.
func (x *scattering) element(e *hast.Elem) *hast.Var {
	r, ok := e.X.(*hast.Ref)
	if !ok || x.parts[r.Var] == nil {
		return nil
	}
	at := 0
	for k, extent := range e.X.Type().Shape() {
		words, known := evaluate.Value(e.Index[k])
		if !known || words[0].Int() < 0 || words[0].Int() >= int64(extent) {
			return nil
		}
		at = at*extent + int(words[0].Int())
	}
	return x.parts[r.Var][at]
}

// reads reports whether a reduction is over such arrays.
func (x *scattering) reads(e *hast.Reduce) (found bool) {
	hast.Walk(e.Elem, func(e hast.Expr) {
		r, ok := e.(*hast.Ref)
		found = found || ok && x.parts[r.Var] != nil
	})
	return found
}

// writtenOut is a reduction of integers point by point; nil where it stays.
func (x *scattering) writtenOut(r *hast.Reduce) hast.Expr {
	points, known := block.Points(r.Space, mostTerms)
	if !known || len(points) == 0 || r.Where != nil || !r.T.IsScalar() || !r.T.Kind.IsInt() || x.terms > mostTerms {
		return nil
	}
	switch r.Op {
	case hast.Sum, hast.Min, hast.Max, hast.Count:
	default:
		return nil
	}
	terms := make([]hast.Expr, len(points))
	for k, p := range points {
		by := map[*hast.Var]hast.Expr{}
		for i, v := range r.Space.Vars {
			by[v] = hast.Int(p[i])
		}
		terms[k] = x.expr(hast.Replaced(r.Elem, by))
		if r.Op == hast.Count {
			terms[k] = &hast.Convert{Typed: r.Typed, X: terms[k]}
		}
	}
	x.terms += len(terms)
	switch r.Op {
	case hast.Min:
		return x.extreme(ops.Min, terms)
	case hast.Max:
		return x.extreme(ops.Max, terms)
	}
	sum := terms[0]
	for _, t := range terms[1:] {
		sum = &hast.Op{Typed: r.Typed, Op: ops.Add, Args: []hast.Expr{sum, t}}
	}
	return sum
}

// extreme is the least or the greatest of terms, of those of two runs as long as a power of two that may overlap.
func (x *scattering) extreme(op ops.Op, terms []hast.Expr) hast.Expr {
	n := len(terms)
	if n == 1 {
		return terms[0]
	}
	half := 1 << (bits.Len(uint(n-1)) - 1)
	return x.shared(hast.Binary(op, x.extreme(op, terms[:half]), x.extreme(op, terms[n-half:])))
}

// shared is the name of a value that is computed of such scalars alone, and so once; others stay.
func (x *scattering) shared(e hast.Expr) hast.Expr {
	alone := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			alone = alone && x.own[e.Var]
		case *hast.Const, *hast.Op, *hast.Convert:
		default:
			alone = false
		}
	})
	if !alone {
		return e
	}
	for _, d := range x.all {
		if hast.Equal(d.Init, e) {
			return hast.RefTo(d.Var)
		}
	}
	v := &hast.Var{Name: "run", Type: types.Scalar(e.Type().Kind), Class: hast.Value, At: e.Span()}
	d := &hast.Define{Var: v, Init: e, At: e.Span()}
	x.own[v], x.before, x.all = true, append(x.before, d), append(x.all, d)
	return hast.RefTo(v)
}
