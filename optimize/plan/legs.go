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
func (s *shape) inLegs(w *work) bool {
	return s.blocks && !s.local && !s.words() && s.stream == 0 && len(w.stage.Parts) == 0 && w.blocked().Legs != nil
}

// inPlanes is how many planes items take one by one, of the loop that has the fewest; 1 where they take none.
func (s *shape) inPlanes(w *work) float64 {
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
func (s *shape) planesOf(w *work, a *feature.Access) float64 {
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
func (s *shape) keptForPlanes(w *work) float64 {
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
func (s *shape) inUse(w *work, a *feature.Access, all float64) float64 {
	if !w.alike(a) {
		return all
	}
	parts := 1
	for _, p := range w.blocked().Legs {
		parts = max(parts, len(p.Parts))
	}
	return math.Ceil(all / s.planes / float64(parts))
}

// waitingLegs is the part of the time that is lost where a unit has room for one group of legItems that accumulate windows for several outputs: all of its items load the window of a plane and wait
// before they add it up, for as long as no others compute. Planned without it and without budgets, a layer of four planes to four, 3 x 3, took 0.93 ms in CUDA on an H200 and 1.82 through OpenCL in items of
// 4 x 4, two groups, 0.80 and 1.33 of 4 x 3 told of four, 0.75 and 0.91 of 4 x 2 told of five; of three to eight 1.27 and 1.08 of 4 x 3, 1.04 and 1.19 of 4 x 2 told of four; of two to two, 5 x 5, 0.44 and
// 0.43 of 4 x 4, 0.49 and 0.53 of 4 x 2. With one output blocks of 4 x 8 took 0.19 and 0.25, of 4 x 4 0.23 and 0.24.
const (
	waitingLegs = 1.6
	legItems    = 128
)

// legsBudget are the registers of an item that accumulates for several outputs from plane to plane, and legsLargeBudget of one that holds more. With as many as compilers choose, layers took, with four planes to four
// 0.81 and 0.75 ms in CUDA on an H200 (4 x 2 instances, four groups and five), 1.26 and 0.91 through OpenCL; with eight to two 0.99 and 0.93, 1.22 and 1.03; with three to eight 1.16 and 1.04 (four groups), 1.16 and 1.19.
const (
	legsBudget      = 102
	legsLargeBudget = 128
)

// accumulates reports whether an item goes through planes for several outputs and holds so many registers at most.
func (s *shape) accumulates(w *work, most float64) bool {
	return s.planes > 1 && s.held <= most && slices.ContainsFunc(w.blocked().Legs, func(p *block.Leg) bool { return p.Loop != nil && len(p.Parts) > 1 })
}
