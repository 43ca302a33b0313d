package ratios

import (
	"fmt"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/types"
)

// repeated is a number that is the same for all instances of a phase, by what is known of each phase.
func (f *finder) repeated(e hast.Expr) found {
	x, known := f.repeats[e]
	if !known {
		x = f.repeatedOnce(e)
		f.repeats[e] = x
	}
	return x
}

func (f *finder) repeatedOnce(e hast.Expr) found {
	p, ok := f.position(e)
	if ok = ok && p.num == 0 && p.x != nil; ok && p.thirds < 2 {
		return found{f.entry(p, e.Type()), p.x, p.exact}
	}
	var x found
	switch e := e.(type) {
	case *hast.Ref:
		x = f.ofLets[e.Var]
	case *hast.Op, *hast.Select, *hast.Convert:
		x = f.ofParts(e)
	case *hast.Call:
		if e.Func.Extern == nil {
			x = f.ofParts(e)
		}
	}
	if ok && x.near == nil && !f.exact {
		return found{f.entry(p, e.Type()), p.x, p.exact}
	}
	return x
}

// ofParts is repeated of what is computed of such numbers, of constants and of variables of loops.
func (f *finder) ofParts(e hast.Expr) found {
	out, ok := found{below: hast.MaxExtent}, true
	near := hast.Map(e, func(x hast.Expr) hast.Expr {
		if x == e || !ok {
			return nil
		}
		part := f.repeated(x)
		switch {
		case part.near != nil && (out.of == nil || out.of == part.of):
			out.of, out.below = part.of, min(out.below, part.below)
			return part.near
		case part.near == nil && f.fixed(x):
			return x
		}
		ok = false
		return x
	})
	if !ok || out.of == nil {
		return found{}
	}
	out.near = near
	return out
}

// tabled is what repeats along an axis as an entry of an array, where nothing but the phase counts.
func (f *finder) tabled(x found) found {
	var phase *hast.Var
	one := x.near != nil
	if one {
		hast.Walk(x.near, func(e hast.Expr) {
			if r, ok := e.(*hast.Ref); ok {
				one = one && (phase == nil || phase == r.Var)
				phase = r.Var
			}
		})
	}
	if !one || phase == nil || f.periods[phase] == 0 {
		return x
	}
	points := make([][]int64, f.periods[phase])
	for i := range points {
		points[i] = []int64{int64(i)}
	}
	if words, ok := evaluate.Over(x.near, []*hast.Var{phase}, points); ok {
		x.near = entryOf(x.near.Type(), words, phase)
	}
	return x
}

// fixed reports whether an expression is made of constants and variables of loops.
func (f *finder) fixed(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Op, *hast.Convert, *hast.Select, *hast.Splat:
		case *hast.Ref:
			p, known := f.known[e.Var]
			ok = ok && known && p.x == nil
		default:
			ok = false
		}
	})
	return ok
}

// entry is what a position is in each phase, plus its terms.
func (f *finder) entry(p position, t types.Type) hast.Expr {
	words := make([]types.Word, len(p.off))
	for i, c := range p.off {
		words[i] = types.Convert(types.Float(float64(c)/float64(p.den)), types.F64, t.Kind)
	}
	var out hast.Expr = &hast.Const{Typed: hast.Typed{T: t}, Words: words}
	if n := len(words); n > 1 {
		out = entryOf(t, words, f.phase(p.x, int64(n)))
	}
	if len(p.terms) == 0 {
		return out
	}
	beside := &hast.Convert{Typed: hast.Typed{T: t}, X: plusTerms(hast.Int(0), p.terms)}
	return hast.Binary(ops.Add, out, beside)
}

// entryOf is one of some words, which a variable names.
func entryOf(t types.Type, words []types.Word, phase *hast.Var) hast.Expr {
	array := &hast.Const{Typed: hast.Typed{T: t.Array(len(words))}, Words: words}
	return &hast.Elem{Typed: hast.Typed{T: t}, X: array, Index: []hast.Expr{hast.RefTo(phase)}, InRange: true}
}

// phase is the rest of a variable by a period, a let.
func (f *finder) phase(x *hast.Var, n int64) *hast.Var {
	key := fmt.Sprintf("%p %d", x, n)
	if f.phases[key] == nil {
		v := &hast.Var{Name: x.Name + "_phase", Type: i32, Class: hast.Value, At: x.At}
		f.phases[key], f.periods[v] = v, n
		f.defines = append(f.defines, &hast.Define{Var: v, Init: hast.Binary(ops.Mod, hast.RefTo(x), hast.Int(n)), At: x.At})
	}
	return f.phases[key]
}
