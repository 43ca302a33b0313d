package recurrence

import (
	"maps"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A form is an index as a sum: of variables times constants, and a constant.
type form struct {
	terms map[*hast.Var]int64 // without zeros
	c     int64
}

// maxTerm bounds the numbers in forms, so that what is made of them stays in 64 bits.
const maxTerm = 1 << 31

// formOf is an index as a form; false where it is none. lets are the values that names stand for.
func formOf(e hast.Expr, lets map[*hast.Var]hast.Expr) (form, bool) {
	if e.Type() != i32 {
		return form{}, false
	}
	switch e := e.(type) {
	case *hast.Const:
		return form{c: e.Words[0].Int()}, true
	case *hast.Ref:
		if x := lets[e.Var]; x != nil {
			return formOf(x, lets)
		}
		if e.Var.Class == hast.Mutable {
			return form{}, false
		}
		return form{terms: map[*hast.Var]int64{e.Var: 1}}, true
	case *hast.Op:
		args := make([]form, len(e.Args))
		for i, a := range e.Args {
			f, ok := formOf(a, lets)
			if !ok {
				return form{}, false
			}
			args[i] = f
		}
		return combine(e.Op, args)
	}
	return form{}, false
}

func combine(o ops.Op, a []form) (form, bool) {
	switch {
	case o == ops.Neg:
		return form{}.plus(a[0], -1)
	case o == ops.Add:
		return a[0].plus(a[1], 1)
	case o == ops.Sub:
		return a[0].plus(a[1], -1)
	case o == ops.Mul && len(a[0].terms) == 0:
		return form{}.plus(a[1], a[0].c)
	case o == ops.Mul && len(a[1].terms) == 0:
		return form{}.plus(a[0], a[1].c)
	}
	return form{}, false
}

// plus is f + k*g.
func (f form) plus(g form, k int64) (form, bool) {
	out := form{terms: maps.Clone(f.terms), c: f.c + k*g.c}
	small := func(v int64) bool { return -maxTerm <= v && v <= maxTerm }
	fits := small(k) && small(out.c)
	if out.terms == nil {
		out.terms = map[*hast.Var]int64{}
	}
	for v, n := range g.terms {
		if out.terms[v] += k * n; out.terms[v] == 0 {
			delete(out.terms, v)
		}
		fits = fits && small(out.terms[v])
	}
	return out, fits
}

// apart is the constant by which g lies beyond f; false where that is no constant.
func (f form) apart(g form) (int64, bool) {
	d, ok := g.plus(f, -1)
	return d.c, ok && len(d.terms) == 0
}

// forms are the forms of a pixel's coordinates.
func formsOf(index []hast.Expr, lets map[*hast.Var]hast.Expr) ([]form, bool) {
	out := make([]form, len(index))
	for i, x := range index {
		f, ok := formOf(x, lets)
		if !ok {
			return nil, false
		}
		out[i] = f
	}
	return out, true
}

// numeric kinds that recurrences are computed in.
func numeric(k types.Kind) bool { return k.IsInt() || k == types.F32 || k == types.F64 }
