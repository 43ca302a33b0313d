package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// inLegs reports whether items go through legs.
func (s shape) inLegs(w *work) bool {
	return s.blocks && !s.local && !s.words() && s.stream == 0 && len(w.stage.Parts) == 0 && w.blocked().Legs != nil
}

// inPlanes is how many planes items take one by one, of the loop that has the fewest; 1 where they take none.
func (s shape) inPlanes(w *work) float64 {
	if !s.legs {
		return 1
	}
	least := 0.0
	for _, p := range w.blocked().Legs {
		if p.Loop == nil {
			continue
		}
		r := p.Loop.Space.Ranges[0]
		if n := max(1, float64(w.eval(r.Hi)-w.eval(r.Lo))/float64(max(r.Step, -r.Step))); least == 0 || n < least {
			least = n
		}
	}
	return max(1, least)
}

// inLegs reports whether blocks of the stage go through legs.
func (w *work) inLegs() bool {
	return len(w.stage.Parts) == 0 && w.vars > 1 && w.blocked().Legs != nil
}

// planar reports whether an access reads planes one by one.
func (w *work) planar(a *feature.Access) bool {
	what := w.blocked()
	return !a.Writes && slices.ContainsFunc(what.Windows, func(x *block.Window) bool { return x.Image == a.Image && x.Plane(what.Scope.Planes) != nil })
}

// planesOf is how many planes of an image items take one by one.
func (s shape) planesOf(w *work, a *feature.Access) float64 {
	if s.planes <= 1 || !w.planar(a) {
		return 1
	}
	n := 1.0
	for k, x := range a.Axes {
		switch {
		case !beforeLines(a.Image, k):
		case x.Known:
			n *= float64(max(1, x.Span()))
		default:
			n *= s.planes
		}
	}
	return n
}

// countsPlanes reports whether the position on an axis of what an access reads is that of a plane, of which only the host knows how many there are, that items take one by one.
func (w *work) countsPlanes(a *feature.Access, axis int) bool {
	return a.Axes[axis].Host && w.vars > 1 && len(w.stage.Parts) == 0 && beforeLines(a.Image, axis) && w.model.Class != archmodels.CPU && w.planar(a)
}

// beforeLines reports whether an axis comes before those of the lines.
func beforeLines(m *hast.Image, axis int) bool {
	line, _, _ := block.Axes(m)
	return axis < line
}

// keptForPlanes are the registers of what instances accumulate from plane to plane, beyond those of what they write, which has taken their place at last.
func (s shape) keptForPlanes(w *work) float64 {
	if s.planes <= 1 {
		return 0
	}
	n := 0.0
	for _, p := range w.blocked().Legs {
		if p.Loop == nil {
			continue
		}
		for _, x := range p.Parts {
			for _, v := range x.Leaves {
				n += float64(v.Type.Lanes)
			}
		}
	}
	for _, a := range w.stage.Accesses {
		if a.Writes {
			n -= a.Count * float64(a.Image.Elem.Lanes)
		}
	}
	return max(0, n) * s.ix * s.iy
}

// alike reports whether all instances of a block read the same pixels of an image, as weights.
func (w *work) alike(a *feature.Access) bool {
	return !a.Writes && !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return !x.Known || x.Var != nil && (x.Var == w.x || x.Var == w.y) })
}

// inUse is how many of the components that an access reads an item has in use at a time: of weights those of a plane and of a part.
func (s shape) inUse(w *work, a *feature.Access, all float64) float64 {
	if !w.alike(a) {
		return all
	}
	parts := 1
	for _, p := range w.blocked().Legs {
		parts = max(parts, len(p.Parts))
	}
	return math.Ceil(all / s.planes / float64(parts))
}
