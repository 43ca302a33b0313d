package access

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
)

// placeOf is one component of what argmin and argmax return: the value of a variable of their space; or 0, where the space has no
// points or all elements are NaN.
func (a *analysis) placeOf(e *hast.Reduce, lane int, s *scope) (place prove.Lin) {
	if e.Op != hast.ArgMin && e.Op != hast.ArgMax {
		return prove.Unknown
	}
	axis := len(e.Space.Vars) - 1 - lane // the last variable is .x
	key := fmt.Sprintf("%p.%p.%d", e, s, lane)
	if s.once {
		defer func() { place = a.constantly(place) }()
	}
	sym := &symbol{text: text(e), limits: interval.OfKind(e.T.Kind)}
	if e.Space.Points != nil {
		sym.limits = interval.Interval{}
		for _, p := range e.Space.Points {
			sym.limits = sym.limits.Join(interval.Between(p[axis], p[axis]))
		}
		return a.keyedSymbol(key, sym, func(prove.Lin) []prove.Formula { return nil })
	}
	first, last := a.ends(e.Space.Ranges[axis], s)
	if !a.hasPlace(e, s) {
		first, last = a.sys.Min(first, prove.K(0)), a.sys.Max(last, prove.K(0))
	}
	sym.limits = interval.Between(a.intervalOf(first).Lo, a.intervalOf(last).Hi).Meet(sym.limits)
	return a.keyedSymbol(key, sym, func(v prove.Lin) []prove.Formula {
		return []prove.Formula{prove.GE(v, first), prove.LE(v, last)}
	})
}

// ends are the smallest and the largest value that a range may have.
func (a *analysis) ends(r hast.Range, s *scope) (first, last prove.Lin) {
	lo, hi := a.exact(r.Lo, s), a.exact(r.Hi, s)
	if r.Step < 0 {
		return hi.Plus(1), lo
	}
	return lo, hi.Plus(-1)
}

// hasPlace reports whether there surely is an element that is not NaN.
func (a *analysis) hasPlace(e *hast.Reduce, s *scope) bool {
	if e.Elem.Type().Kind.IsFloat() || e.Where != nil {
		return false
	}
	for _, r := range e.Space.Ranges {
		if first, last := a.ends(r, s); a.intervalOf(last.Sub(first)).Lo < 0 {
			return false
		}
	}
	return true
}
