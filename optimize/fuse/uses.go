package fuse

import (
	"slices"

	"imgc/hast"
)

// uses are the steps that touch an image's pixels, or those of its views.
type uses struct {
	writers, readers []*hast.Stage
	other            bool // something else than a stage does: a swap, a value of the host
	swapped          bool // nothing else does but swaps
}

// elsewhere notes that something else than a stage or a swap touches the image.
func (u *uses) elsewhere() { u.other, u.swapped = true, false }

// usesOf looks at all steps of a pipeline.
func (g *Groups) usesOf() map[*hast.Image]*uses {
	all := map[*hast.Image]*uses{}
	of := func(m *hast.Image) *uses {
		m = m.Base()
		if all[m] == nil {
			all[m] = &uses{}
		}
		return all[m]
	}
	hast.WalkSteps(g.pipeline.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Stage:
			for _, m := range g.of(s).read {
				of(m).readers = including(of(m).readers, s)
			}
			for _, m := range g.of(s).written {
				of(m).writers = including(of(m).writers, s)
			}
		case *hast.Swap:
			for _, u := range []*uses{of(s.A), of(s.B)} {
				u.swapped, u.other = u.swapped || !u.other, true
			}
		default:
			for _, m := range g.touchedBy(s) {
				of(m).elsewhere()
			}
		}
	})
	return all
}

// including is a list with a stage in it.
func including(list []*hast.Stage, s *hast.Stage) []*hast.Stage {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// touchedBy are the images that a step touches which is no stage and no swap of images.
func (g *Groups) touchedBy(s hast.Step) (list []*hast.Image) {
	switch s := s.(type) {
	case *hast.SetScalar:
		if s.From != nil {
			return []*hast.Image{s.From}
		}
	case *hast.Fetch:
		return []*hast.Image{s.From}
	case *hast.DefineView:
		return []*hast.Image{s.Image}
	case *hast.SwapPyramids:
		for _, m := range g.pipeline.Images {
			if m.Of != nil && (m.Of == s.A || m.Of == s.B) {
				list = append(list, m)
			}
		}
	}
	return list
}

// read are the images that a stage reads, those included that it updates, and those that borders by formula look at.
func read(s *hast.Stage) (list []*hast.Image) {
	add := func(m *hast.Image) {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	var look func(e hast.Expr)
	seen := map[*hast.Border]bool{}
	formula := func(r *hast.Rule) {
		for r != nil && r.Border != nil && !seen[r.Border] {
			seen[r.Border] = true
			add(r.Border.Image)
			for _, f := range r.Border.Frames {
				hast.Walk(f.Value, look)
			}
			r = r.Border.Else
		}
	}
	look = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			add(e.Image)
			formula(e.Rule)
		case *hast.Window:
			add(e.Image)
			formula(e.Rule)
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, look)
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if w, ok := st.(*hast.Store); ok && w.Updates() {
			add(w.Image)
		}
	}, look)
	return list
}

// written are the images that a stage writes.
func written(s *hast.Stage) (list []*hast.Image) {
	hast.EachStore(s.Body, func(w *hast.Store) {
		if !slices.Contains(list, w.Image) {
			list = append(list, w.Image)
		}
	})
	return list
}

// touches reports whether two lists name an image with the same storage, as far as that is known of levels of a pyramid.
func touches(a, b []*hast.Image) bool {
	for _, x := range a {
		for _, y := range b {
			x, y := x.Base(), y.Base()
			if x == y || x.Of != nil && x.Of == y.Of && !hast.Apart(x, y) {
				return true
			}
		}
	}
	return false
}
