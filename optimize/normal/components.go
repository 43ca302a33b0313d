package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// Colour may be an axis: iterate (y, x, c) over dst has an instance for each component of each pixel. Neighbours along c then share pixels, of which no vector
// takes one component, and planes that become pixels, or pixels that become planes, are gone through three times.

// byPixel is such a stage with an instance for each pixel, which goes through the components of its own. Any other stage is left as it is.
func byPixel(s *hast.Stage) *hast.Stage {
	axis := slices.IndexFunc(s.Space.Vars, func(v *hast.Var) bool { return isComponent(s, v) })
	if axis < 0 || s.Scan != nil || !wide(s, axis) || summing(s.Body) {
		return s
	}
	v, r := s.Space.Vars[axis], s.Space.Ranges[axis]
	if s.Where != nil && hast.Names(s.Where, []*hast.Var{v}) {
		return s
	}
	component := *v
	component.Class = hast.Loop
	now := func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok && r.Var == v {
				return hast.RefTo(&component)
			}
			return nil
		})
	}
	out := *s
	out.Space.Vars = slices.Delete(slices.Clone(s.Space.Vars), axis, axis+1)
	out.Space.Ranges = slices.Delete(slices.Clone(s.Space.Ranges), axis, axis+1)
	each := &hast.For{Space: hast.Space{Vars: []*hast.Var{&component}, Ranges: []hast.Range{r}}, Body: hast.MapStmts(s.Body, now), At: s.At}
	out.Body = []hast.Stmt{each}
	return &out
}

// isComponent reports whether a variable counts the components of pixels: there are few, all of them, and it says which of them is read or written somewhere.
func isComponent(s *hast.Stage, v *hast.Var) bool {
	k := slices.Index(s.Space.Vars, v)
	n, known := hast.Number(s.Space.Ranges[k].Hi)
	if !known || !s.Space.Ranges[k].Counts() || n < 2 {
		return false
	}
	found := false
	names := func(m *hast.Image, last hast.Expr) {
		found = found || components(m) == n && hast.Names(last, []*hast.Var{v})
	}
	hast.EachStore(s.Body, func(st *hast.Store) { names(st.Image, st.Index[len(st.Index)-1]) })
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			names(e.Image, e.Index[len(e.Index)-1].X)
		case *hast.Window:
			names(e.Image, e.Axes[len(e.Axes)-1].Start.X)
		case *hast.Elem:
			x := componentsOf(e.X)
			found = found || x != nil && int64(x.Type().Lanes) == n && hast.Names(e.Index[0], []*hast.Var{v})
		}
	})
	return found
}

// componentsOf is the vector whose components, all of them in their order, an array has; nil of any other array.
func componentsOf(e hast.Expr) hast.Expr {
	array, ok := e.(*hast.Array)
	if !ok {
		return nil
	}
	var of hast.Expr
	for k, c := range array.Elems {
		one, ok := c.(*hast.Swizzle)
		if !ok || len(one.Lanes) != 1 || one.Lanes[0] != k || int(one.X.Type().Lanes) != len(array.Elems) || of != nil && !hast.Equal(of, one.X) {
			return nil
		}
		of = one.X
	}
	return of
}

// components is the extent of an image's last axis where that has the components of pixels, else 0.
func components(m *hast.Image) int64 {
	_, _, channel := block.Axes(m)
	if channel < 0 {
		return 0
	}
	n, _ := hast.Number(m.Extent[channel])
	return n
}

// wide reports whether a stage has an axis beside one whose length the host says: there are instances enough without that.
func wide(s *hast.Stage, but int) bool {
	for k, r := range s.Space.Ranges {
		if _, known := hast.Number(r.Hi); k != but && !known {
			return true
		}
	}
	return false
}

// summing reports whether a body goes through so many points as the host or data say, of which groups may take parts.
func summing(body []hast.Stmt) bool {
	known := func(s hast.Space) bool {
		return !slices.ContainsFunc(s.Ranges, func(r hast.Range) bool {
			_, lo := hast.Number(r.Lo)
			_, hi := hast.Number(r.Hi)
			return !lo || !hi
		})
	}
	found := false
	hast.WalkBody(body, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.For:
			found = found || !known(s.Space)
		case *hast.While:
			found = true
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			found = found || !known(r.Space)
		}
	})
	return found
}
