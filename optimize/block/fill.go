package block

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// Meets reports whether instances of a stage may update the same pixel by a store, and what they do has to be joined.
func Meets(s *hast.Stage, st *hast.Store) bool {
	return st.Updates() && !st.Alone && !Flag(s, st.Image.Base())
}

// Fills are the stages before one that fill what its instances update together, the last of them first, and do nothing else: each pixel becomes
// a value that is computed without memory. What comes between them and the stage reads no memory either, so that the values may as well be
// joined behind the updates. Of images that are zeros when the pipeline begins, with nothing before that touches them, they are made up. steps are
// those of the pipeline, before those before the stage in its list; why is the end of a sentence, "" where all images are filled.
func Fills(steps, before []hast.Step, s *hast.Stage) (fills []*hast.Stage, why string) {
	left, why := joined(s)
	for _, m := range left {
		if m.Elem.Kind.IsFloat() {
			why = "it updates " + m.Name + ", whose floats are not joined as whole numbers are"
		}
	}
	return fillsOf(left, why, steps, before, s, fixedExtents)
}

// FillsOfCells is Fills of a stage whose instances update cells: of images of any extents, and of floats.
func FillsOfCells(steps, before []hast.Step, s *hast.Stage) (fills []*hast.Stage, why string) {
	left, why := joined(s)
	return fillsOf(left, why, steps, before, s, func(*hast.Image) bool { return true })
}

// fixedExtents reports whether the extents of an image are constants.
func fixedExtents(m *hast.Image) bool {
	return !slices.ContainsFunc(m.Extent, func(e hast.Expr) bool { _, ok := hast.Number(e); return !ok })
}

// fillsOf are the fills of images of some extents that are left to be filled.
func fillsOf(left []*hast.Image, why string, steps, before []hast.Step, s *hast.Stage, some func(*hast.Image) bool) (fills []*hast.Stage, _ string) {
	if slices.Contains(steps, hast.Step(s)) { // once
		left = slices.DeleteFunc(left, func(m *hast.Image) bool {
			zeros := startsAsZeros(m) && some(m) && !slices.ContainsFunc(before, func(b hast.Step) bool { return Touches(b, m) }) && !swapped(steps, m)
			if zeros {
				fills = append(fills, zerosOf(m))
			}
			return zeros
		})
	}
	for i := len(before) - 1; i >= 0 && len(left) > 0; i-- {
		b, ok := before[i].(*hast.Stage)
		if !ok || reads(b) {
			break
		}
		at := slices.IndexFunc(left, func(m *hast.Image) bool { return writes(b, m) })
		if at < 0 {
			continue
		}
		if !isFill(b) || !some(left[at]) {
			break
		}
		left = slices.Delete(left, at, at+1)
		fills = append(fills, b)
	}
	if why == "" && len(left) > 0 {
		why = fmt.Sprintf("no stage directly before it fills %s with values that are computed without memory", left[0].Name)
	}
	if why != "" {
		return nil, why
	}
	return fills, ""
}

// startsAsZeros reports whether an image is cleared when the pipeline begins.
func startsAsZeros(m *hast.Image) bool {
	return m.Zero && (m.Dir == hast.Local || m.Dir == hast.Out) && m.Of == nil && m.View == nil
}

// zerosOf is a stage that would clear an image.
func zerosOf(m *hast.Image) *hast.Stage {
	zero := &hast.Const{Typed: hast.Typed{T: m.Elem, At: m.At}, Words: make([]types.Word, m.Elem.Lanes)}
	s, st := &hast.Stage{Name: m.Name + "_zeros", At: m.At}, &hast.Store{Image: m, Value: zero, At: m.At}
	for axis, e := range m.Extent {
		end := e
		if n, ok := hast.Number(e); ok {
			end = hast.Int(m.First(axis) + n)
		}
		v := &hast.Var{Name: fmt.Sprint("i", axis), Type: types.Scalar(types.I32), Class: hast.Iterator, At: m.At}
		s.Space.Vars = append(s.Space.Vars, v)
		s.Space.Ranges = append(s.Space.Ranges, hast.Range{Lo: hast.Int(m.First(axis)), Hi: end, Step: 1})
		st.Index = append(st.Index, &hast.Ref{Typed: hast.Typed{T: v.Type, At: m.At}, Var: v})
	}
	s.Body = []hast.Stmt{st}
	return s
}

// Touches reports whether a step, or one in it, has to do with an image, or may have.
func Touches(step hast.Step, m *hast.Image) (found bool) {
	hast.WalkSteps([]hast.Step{step}, func(x hast.Step) {
		switch x := x.(type) {
		case *hast.DefineHost:
		case *hast.Stage:
			for _, p := range x.Parts() {
				found = found || p.Loads(m)
				hast.EachStore(p.Body, func(st *hast.Store) { found = found || st.Image.Base() == m })
			}
		default:
			found = true
		}
	})
	return found
}

// swapped reports whether steps exchange an image with another one.
func swapped(steps []hast.Step, m *hast.Image) (found bool) {
	hast.WalkSteps(steps, func(x hast.Step) {
		s, ok := x.(*hast.Swap)
		found = found || ok && (s.A == m || s.B == m)
	})
	return found
}

// joined are the images that instances of a stage update together, and why something else happens to one of them.
func joined(s *hast.Stage) (list []*hast.Image, why string) {
	hast.EachStore(s.Body, func(st *hast.Store) {
		if m := st.Image.Base(); Meets(s, st) && !slices.Contains(list, m) {
			list = append(list, m)
		}
	})
	hast.EachStore(s.Body, func(st *hast.Store) {
		if m := st.Image.Base(); !Meets(s, st) && slices.Contains(list, m) {
			why = "it does something else to " + m.Name + ", too"
		}
	})
	if len(list) == 0 {
		why = "it updates no image"
	}
	return list, why
}

// reads reports whether a stage reads any image.
func reads(s *hast.Stage) (found bool) {
	for _, part := range s.Parts() {
		part.EachRead(func(*hast.Image) { found = true })
	}
	return found
}

// writes reports whether a stage stores to an image.
func writes(s *hast.Stage, m *hast.Image) (found bool) {
	for _, part := range s.Parts() {
		hast.EachStore(part.Body, func(st *hast.Store) { found = found || st.Image.Base() == m })
	}
	return found
}

// isFill reports whether a stage does nothing but store to each pixel of an image.
func isFill(s *hast.Stage) bool {
	if s.Scan != nil || s.Where != nil || len(s.Fused) > 0 || s.Reduced != nil || len(s.Body) != 1 {
		return false
	}
	st, ok := s.Body[0].(*hast.Store)
	if !ok || st.Updates() || st.Image.View != nil || st.Image.Of != nil || len(st.Index) != len(s.Space.Vars) {
		return false
	}
	for axis, v := range s.Space.Vars {
		at, ok := st.Index[axis].(*hast.Ref)
		if !ok || at.Var != v || !isAxis(s.Space.Ranges[axis], st.Image, axis) {
			return false
		}
	}
	return true
}

// isAxis reports whether a range has the indices of an axis, whose extent is a constant.
func isAxis(r hast.Range, m *hast.Image, axis int) bool {
	if m.First(axis) == 0 && r.Covers(m, axis) {
		return true
	}
	lo, isLo := hast.Number(r.Lo)
	hi, isHi := hast.Number(r.Hi)
	n, isFixed := hast.Number(m.Extent[axis])
	return isLo && isHi && isFixed && r.Step == 1 && lo == m.First(axis) && hi-lo == n
}
