package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
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
	At []*hast.Expr
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
		if !slices.ContainsFunc(k.At, func(e *hast.Expr) bool { return e != nil && variable(*e) == v }) {
			return nil, "what its instances update does not lie in lines of their own"
		}
	}
	return k, ""
}

// keptBy is what a first update says of its image.
func keptBy(s *hast.Stage, st *hast.Store) (*Kept, string) {
	k := &Kept{Image: st.Image, Axis: -1, At: make([]*hast.Expr, len(st.Index))}
	for axis, e := range st.Index {
		switch {
		case own(s, e):
			k.At[axis] = &st.Index[axis]
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
		if at := k.At[axis]; at != nil && (!own(s, e) || variable(e) != variable(*at) || apart(e) != apart(*at)) {
			return "its updates of an image lie in several lines"
		}
	}
	return ""
}

// own reports whether a coordinate is an iteration variable of the stage apart from a constant, or a constant.
func own(s *hast.Stage, e hast.Expr) bool {
	if _, known := hast.Number(e); known {
		return true
	}
	return slices.Contains(s.Space.Vars, variable(e))
}

// variable is the variable of v, v + c and v - c; nil for all else.
func variable(e hast.Expr) *hast.Var {
	switch e := e.(type) {
	case *hast.Ref:
		return e.Var
	case *hast.Op:
		if _, known := hast.Number(e.Args[len(e.Args)-1]); known && (e.Op == ops.Add || e.Op == ops.Sub) && len(e.Args) == 2 {
			if r, ok := e.Args[0].(*hast.Ref); ok {
				return r.Var
			}
		}
	}
	return nil
}

// apart is the constant of v + c, v - c and of a constant.
func apart(e hast.Expr) int64 {
	if c, known := hast.Number(e); known {
		return c
	}
	if e, ok := e.(*hast.Op); ok {
		c, _ := hast.Number(e.Args[1])
		if e.Op == ops.Sub {
			return -c
		}
		return c
	}
	return 0
}

// Covers reports whether the instances of a stage have all lines of the image between them: along every other axis one variable runs over all of it, each
// pixel by itself.
func (k *Kept) Covers(s *hast.Stage, same func(a, b hast.Expr) bool) bool {
	for axis, at := range k.At {
		if at == nil {
			continue
		}
		r, isRef := (*at).(*hast.Ref)
		if !isRef {
			return false
		}
		i := slices.Index(s.Space.Vars, r.Var)
		if i < 0 {
			return false
		}
		along := s.Space.Ranges[i]
		if lo, known := hast.Number(along.Lo); !known || lo != 0 || along.Step != 1 || !same(along.Hi, k.Image.Extent[axis]) {
			return false
		}
	}
	return k.Image.Lower == nil
}
