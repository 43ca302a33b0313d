package fuse

import (
	"slices"

	"imgc/hast"
)

// A path leads to a step: the list that it is in at last, and those around it.
type path []place

// A place is a step of a list, which is the body of another step; of none in the pipeline's own list.
type place struct {
	of    hast.Step
	list  []hast.Step
	index int
}

// eachPath visits all steps of a list by the paths that lead to them.
func eachPath(list []hast.Step, visit func(path)) { path(nil).each(nil, list, visit) }

func (way path) each(of hast.Step, list []hast.Step, visit func(path)) {
	for i, s := range list {
		to := append(slices.Clone(way), place{of, list, i})
		visit(to)
		for _, body := range hast.StepBodies(s) {
			to.each(s, body, visit)
		}
	}
}

// step is the step at the end.
func (way path) step() hast.Step {
	at := way[len(way)-1]
	return at.list[at.index]
}

// inLoop reports whether the step is carried out by a loop.
func (way path) inLoop() bool {
	return slices.ContainsFunc(way, func(at place) bool { return isLoop(at.of) })
}

func isLoop(s hast.Step) bool {
	switch s.(type) {
	case *hast.ForHost, *hast.WhileHost:
		return true
	}
	return false
}

// ends reports whether what a local image, or one of the caller's, holds at a step, which reads it, is not needed any more behind that, however the pipeline goes on.
func (way path) ends(m *hast.Image) bool {
	if way.mayLeave() {
		return false
	}
	for _, at := range slices.Backward(way) {
		switch fateIn(at.list[at.index+1:], m) {
		case needed:
			return false
		case lost:
			return true
		}
		switch at.of.(type) {
		case nil:
			return m.Dir == hast.Local
		case *hast.IfHost:
		case *hast.ForHost, *hast.WhileHost:
			// The next round comes to the step itself again, which reads the image.
			if fateIn(at.list[:at.index+1], m) == needed {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// mayLeave reports whether a loop around the step may be left, or its next round begun, behind the step in the middle of its body. In front of the step that is
// as at the end of a round: between the two there is what the next round does before it comes to the step, and nothing else.
func (way path) mayLeave() (found bool) {
	inside := false
	for _, at := range way {
		if inside = inside || isLoop(at.of); !inside {
			continue
		}
		hast.WalkSteps(at.list[at.index+1:], func(s hast.Step) {
			switch s.(type) {
			case *hast.BreakHost, *hast.ContinueHost:
				found = true
			}
		})
	}
	return found
}

// A fate is what becomes of what an image holds.
type fate int

const (
	kept   fate = iota
	needed      // something reads it, or may
	lost        // all of it is overwritten before anything reads it
)

// fateIn is what becomes of it in a list of steps.
func fateIn(list []hast.Step, m *hast.Image) fate {
	for _, s := range list {
		if f := fateAt(s, m); f != kept {
			return f
		}
	}
	return kept
}

func fateAt(s hast.Step, m *hast.Image) fate {
	switch s := s.(type) {
	case *hast.Stage:
		return fateBy(s, m)
	case *hast.Fresh:
		if s.Image == m {
			return lost
		}
	case *hast.IfHost:
		then, els := fateIn(s.Then, m), fateIn(s.Else, m)
		switch {
		case then == needed || els == needed:
			return needed
		case then == els:
			return then
		}
	case *hast.ForHost:
		return inRounds(s.Body, m)
	case *hast.WhileHost:
		return inRounds(s.Body, m)
	case *hast.Swap:
		if s.A == m || s.B == m {
			return needed
		}
	case *hast.SetScalar:
		if s.From == m {
			return needed
		}
	case *hast.Fetch:
		if s.From == m {
			return needed
		}
	case *hast.Traverse, *hast.Descend:
		for _, body := range hast.StepBodies(s) {
			if inRounds(body, m) == needed {
				return needed
			}
		}
	}
	return kept
}

// inRounds is what becomes of it in a body that may be carried out, or not.
func inRounds(body []hast.Step, m *hast.Image) fate {
	if fateIn(body, m) == needed {
		return needed
	}
	return kept
}

// fateBy is what becomes of it by a stage: of one that writes some pixels, the others are kept.
func fateBy(s *hast.Stage, m *hast.Image) fate {
	if touches(read(s), []*hast.Image{m}) {
		return needed
	}
	if s.Where != nil || s.Scan != nil {
		return kept
	}
	for _, st := range s.Body {
		if st, ok := st.(*hast.Store); ok && st.Image == m && !st.Updates() && !st.Skip && s.Fills(st) {
			return lost
		}
	}
	return kept
}
