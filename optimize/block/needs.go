package block

import (
	"slices"

	"imgc/hast"
)

// used are the variables that statements name, and those of them that they change.
type used struct {
	order   []*hast.Var
	named   map[*hast.Var]bool
	written map[*hast.Var]bool
	stores  []*hast.Store
}

func usedBy(list ...hast.Stmt) used {
	u := used{named: map[*hast.Var]bool{}, written: map[*hast.Var]bool{}}
	name := func(v *hast.Var) {
		if !u.named[v] {
			u.named[v] = true
			u.order = append(u.order, v)
		}
	}
	hast.WalkBody(list, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Define:
			name(s.Var)
			u.written[s.Var] = true
		case *hast.Set:
			name(s.Var)
			u.written[s.Var] = true
		case *hast.Store:
			u.stores = append(u.stores, s)
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			name(r.Var)
		}
	})
	return u
}

// meets reports whether what comes later has to stay behind what comes before.
func (u used) meets(later used) bool {
	for _, s := range u.stores {
		if slices.ContainsFunc(later.stores, func(t *hast.Store) bool { return !otherPixel(s, t) }) {
			return true
		}
	}
	return slices.ContainsFunc(later.order, func(v *hast.Var) bool { return u.named[v] && (u.written[v] || later.written[v]) })
}

// otherPixel reports whether two stores of an instance are known to be to different pixels.
func otherPixel(s, t *hast.Store) bool {
	if s.Image.Base() != t.Image.Base() {
		return true
	}
	if s.Image != t.Image {
		return false
	}
	for k := range s.Index {
		x, known := planeAt(s.Index[k])
		y, ok := planeAt(t.Index[k])
		if known && ok && x.besides(y) {
			return true
		}
	}
	return false
}

// planeAt is what a subscript is in terms of the one variable that it names.
func planeAt(e hast.Expr) (Linear, bool) {
	scope := &Scope{Range: func(*hast.Var) (int64, int64, bool) { return 0, 0, false }}
	hast.Walk(e, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok && !slices.Contains(scope.Iterators, r.Var) && r.Var.Class != hast.Mutable {
			scope.Iterators = append(scope.Iterators, r.Var)
		}
	})
	return scope.Linear(e)
}
