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
	return s.Image == t.Image && slices.ContainsFunc(s.Index, func(e hast.Expr) bool {
		k := slices.Index(s.Index, e)
		x, ok := hast.Number(e)
		y, known := hast.Number(t.Index[k])
		return ok && known && x != y
	})
}
