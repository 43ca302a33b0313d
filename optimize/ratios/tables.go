package ratios

import (
	"slices"

	"imgc/hast"
	"imgc/types"
)

// A view that is resampled has tables: images with the first pixel and the weights for each pixel of an axis, which a stage of their own fills. Where these are positions, a pixel of a
// table is what that stage computes for it, so that nobody may need the table any more.

// A table is an image whose pixels depend on where they are alone: along its last axis on the variable v, and for each plane there is a value.
type table struct {
	v      *hast.Var
	planes []plane
}

// A plane is the value of those pixels whose first coordinate is at; of images of one axis there is one.
type plane struct {
	at    int64
	value hast.Expr
}

// share notes images that may change otherwise than by one stage.
func (r *Ratios) share(p *hast.Pipeline) {
	written := map[*hast.Image]bool{}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Stage:
			own := map[*hast.Image]bool{}
			hast.EachStore(s.Body, func(st *hast.Store) { own[st.Image.Base()] = true })
			for m := range own {
				r.shared[m] = r.shared[m] || written[m]
				written[m] = true
			}
		case *hast.Swap:
			r.shared[s.A.Base()], r.shared[s.B.Base()] = true, true
		case *hast.Fresh:
			r.shared[s.Image] = true
		}
	})
}

// Past notes the tables that a stage fills, of which all stages behind it know then.
func (r *Ratios) Past(s *hast.Stage) {
	if !r.first[s] || s.Scan != nil || s.Where != nil || len(s.Space.Vars) != 1 || !s.Space.Ranges[0].Counts() {
		return
	}
	v, lets, found := s.Space.Vars[0], &hast.Lets{}, map[*hast.Image]*table{}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || st.Init == nil || !lets.Define(st.Var, hast.Replaced(st.Init, r.host)) {
				return
			}
		case *hast.Store:
			value := lets.Expanded(hast.Replaced(st.Value, r.host))
			if r.shared[st.Image] || !ofTable(st, s) || !byPlace(value, v) {
				return
			}
			if found[st.Image] == nil {
				found[st.Image] = &table{v: v}
			}
			t := found[st.Image]
			at, _ := hast.Number(st.Index[0])
			if slices.ContainsFunc(t.planes, func(p plane) bool { return p.at == at }) {
				return
			}
			t.planes = append(t.planes, plane{at, value})
		default:
			return
		}
	}
	for m, t := range found {
		r.tables[m] = t
	}
}

// ofTable reports whether a store of a stage of one variable is one to a table: of all pixels along its last axis, in a plane that a constant names.
func ofTable(st *hast.Store, s *hast.Stage) bool {
	m, n := st.Image, len(st.Index)
	if m.Dir != hast.Local || m.View != nil || m.Of != nil || m.Lower != nil || st.Updates() || st.Skip || n > 2 {
		return false
	}
	_, known := hast.Number(st.Index[0])
	return (n == 1 || known) && names(st.Index[n-1], s.Space.Vars[0]) && s.Space.Ranges[0].Covers(m, n-1)
}

// names reports whether an expression is a variable.
func names(e hast.Expr, v *hast.Var) bool {
	r, ok := e.(*hast.Ref)
	return ok && r.Var == v
}

// byPlace reports whether a value is computed with constants and a variable alone.
func byPlace(e hast.Expr, v *hast.Var) bool {
	ok := e.Type().IsScalar()
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Op, *hast.Convert, *hast.Select:
		case *hast.Ref:
			ok = ok && e.Var == v
		default:
			ok = false
		}
	})
	return ok
}

// withTables is the body of a stage with what pixels of tables are.
func (r *Ratios) withTables(s *hast.Stage) []hast.Stmt {
	if len(r.tables) == 0 {
		return s.Body
	}
	return hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if l, ok := e.(*hast.Load); ok {
				return r.pixel(l, s)
			}
			return nil
		})
	})
}

// pixel is what a read of a table for an instance is; nil of all others.
func (r *Ratios) pixel(l *hast.Load, s *hast.Stage) hast.Expr {
	t := r.tables[l.Image]
	if t == nil {
		return nil
	}
	n := len(l.Index)
	at, known := hast.Number(l.Index[0].X)
	ref, ok := l.Index[n-1].X.(*hast.Ref)
	if !ok || n > 1 && !known {
		return nil
	}
	k := slices.Index(s.Space.Vars, ref.Var)
	if k < 0 || !s.Space.Ranges[k].Covers(l.Image, n-1) || s.Space.Vars[k].Type != types.Scalar(types.I32) {
		return nil
	}
	for _, p := range t.planes {
		if n == 1 || p.at == at {
			return hast.Replaced(p.value, map[*hast.Var]hast.Expr{t.v: ref})
		}
	}
	return nil
}
