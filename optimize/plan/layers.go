package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/feature"
)

// readAgain are the bytes that groups read from memory more than once where those of a layer, that is of a place along the axes but x and y, come one after
// the other: images that do not have all of these axes are read for each layer, and what the others read and write has taken their place in the last cache.
// Curves around 8 intensities of an image of 8192 x 8192 floats took 1207 us on an H100, and 2.72 GB went through its memory, of which 2.15 were that image.
func (w *work) readAgain() (bytes float64) {
	outer := w.vars - 2
	if outer < 1 {
		return 0
	}
	all, seen := w.read+w.written, map[*hast.Image]bool{}
	for _, a := range w.stage.Accesses {
		if a.Writes || seen[a.Image] {
			continue
		}
		seen[a.Image] = true
		layers := 1.0
		for i, v := range w.stage.Of.Space.Vars[:outer] {
			if w.lacks(a.Image, v) {
				r := w.stage.Of.Space.Ranges[i]
				layers *= max(1, float64(w.eval(r.Hi)-w.eval(r.Lo)))
			}
		}
		size := w.places(a) * float64(a.Image.Elem.Kind.Bytes())
		if size+(all-size)/layers > float64(w.model.Memory.L2.Int(secondCache)) {
			bytes += (layers - 1) * size
		}
	}
	return bytes
}

// lacks reports whether instances read a place of an image that does not follow from an iteration variable.
func (w *work) lacks(m *hast.Image, v *hast.Var) bool {
	return slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		return a.Image == m && !a.Writes && !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return !x.Known || x.Var == v })
	})
}

// layered has the groups of a tile come one after the other wherever they would read the same from memory again.
func (w *work) layered(list []Candidate) []Candidate {
	if w.readAgain() == 0 {
		return list
	}
	for i, c := range list {
		if c.Tiles() && c.Flat == 0 {
			list[i].Layers = 1
		}
	}
	return list
}
