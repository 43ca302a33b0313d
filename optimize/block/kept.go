package block

import (
	"slices"

	"imgc/hast"
)

// Instances that add to pixels of their own, at places that data chooses along one axis, as those of a bilateral grid do to the cells of their column,
// read, change and write memory once for each update, and each time wait for the time before. What an instance may touch is known before it starts: a line of
// pixels along that axis, which is nobody else's. A work-item can keep it nearby while the instance runs.

// Kept is such an image.
type Kept struct {
	Image *hast.Image
	Axis  int // along which data chooses
	// At are the coordinates along all other axes, which all updates have in common, each an iteration variable apart from a constant or a constant; nil at
	// Axis. They tell instances apart: every variable is in one of them.
	At []hast.Expr
}

// AnalyzeKept finds the image that instances of a stage may keep pixels of; why is the end of a sentence, "" where there is one.
func AnalyzeKept(s *hast.Stage) (k *Kept, why string) {
	if s.Scan != nil || s.Space.Points != nil || len(s.Fused) > 0 {
		return nil, "it runs step by step, over a list of points, or with stages that are fused with it"
	}
	hast.EachStore(s.Body, func(st *hast.Store) {
		switch {
		case why != "":
		case !st.Updates() || !st.Alone:
			why = "it does more to images than update pixels that no two instances share"
		case st.Image.View != nil:
			why = "it updates a part of an image"
		case k == nil:
			k, why = keptBy(s, st)
		default:
			why = k.also(s, st)
		}
	})
	switch {
	case why != "":
		return nil, why
	case k == nil:
		return nil, "it updates no image"
	case s.Loads(k.Image):
		return nil, "it reads the image that it updates"
	}
	for _, v := range s.Space.Vars {
		if !slices.ContainsFunc(k.At, func(e hast.Expr) bool {
			at, _ := own(s, e)
			return at.Var == v
		}) {
			return nil, "what its instances update does not lie in lines of their own"
		}
	}
	return k, ""
}

// keptBy is what a first update says of its image.
func keptBy(s *hast.Stage, st *hast.Store) (*Kept, string) {
	k := &Kept{Image: st.Image, Axis: -1, At: make([]hast.Expr, len(st.Index))}
	for axis, e := range st.Index {
		switch _, isOwn := own(s, e); {
		case isOwn:
			k.At[axis] = e
		case k.Axis >= 0:
			return nil, "data chooses along several axes what it updates"
		default:
			k.Axis = axis
		}
	}
	if k.Axis < 0 {
		return nil, "no data chooses what it updates"
	}
	return k, ""
}

// also says why another update is not one of the same pixels.
func (k *Kept) also(s *hast.Stage, st *hast.Store) string {
	if st.Image != k.Image {
		return "it updates several images"
	}
	for axis, e := range st.Index {
		if k.At[axis] == nil {
			continue
		}
		first, _ := own(s, k.At[axis])
		if at, isOwn := own(s, e); !isOwn || at != first {
			return "its updates of an image lie in several lines"
		}
	}
	return ""
}

// own is a coordinate that is an iteration variable of the stage apart from a constant, or a constant; false for all others, which data may choose.
func own(s *hast.Stage, e hast.Expr) (Linear, bool) {
	if e == nil {
		return Linear{}, false
	}
	scope := iterators(s.Space.Vars)
	at, ok := scope.Linear(e)
	return at, ok && at.Single() && at.Div == 0 && (at.Var == nil || at.Stride == 1)
}

// Covers reports whether the instances of a stage have all lines of the image between them: along every other axis one variable runs over all of it, each
// pixel by itself.
func (k *Kept) Covers(s *hast.Stage, same func(a, b hast.Expr) bool) bool {
	for axis, at := range k.At {
		if at == nil {
			continue
		}
		l, _ := own(s, at)
		if l.Var == nil || l.Lo != 0 {
			return false
		}
		along := s.Space.Ranges[slices.Index(s.Space.Vars, l.Var)]
		if lo, known := hast.Number(along.Lo); !known || lo != 0 || along.Step != 1 || !same(along.Hi, k.Image.Extent[axis]) {
			return false
		}
	}
	return k.Image.Lower == nil
}
