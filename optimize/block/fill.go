package block

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// Meets reports whether instances of a stage may update the same pixel by a store, and what they do has to be joined.
func Meets(s *hast.Stage, st *hast.Store) bool {
	return st.Updates() && !st.Alone && !Flag(s, st.Image.Base())
}

// Fills are the stages before one that fill what its instances update together, the last of them first, and do nothing else: each pixel becomes
// a value that is computed without memory. Nothing comes between them and the stage but fills of other images, so that the values may as well be
// added behind the updates. before are the steps before the stage in its list; why is the end of a sentence, "" where all images are filled.
func Fills(before []hast.Step, s *hast.Stage) (fills []*hast.Stage, why string) {
	left, why := joined(s)
	for i := len(before) - 1; i >= 0 && len(left) > 0; i-- {
		st := fill(before[i])
		if st == nil {
			break
		}
		if at := slices.Index(left, st.Image); at >= 0 {
			left = slices.Delete(left, at, at+1)
			fills = append(fills, before[i].(*hast.Stage))
		}
	}
	if why == "" && len(left) > 0 {
		why = fmt.Sprintf("no stage directly before it fills %s with values that are computed without memory", left[0].Name)
	}
	if why != "" {
		return nil, why
	}
	return fills, ""
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

// fill is the store of a stage that does nothing but fill an image of constant extents, its first index of an axis being any, with values
// that are computed without memory; nil of all other steps.
func fill(step hast.Step) *hast.Store {
	s, ok := step.(*hast.Stage)
	if !ok || s.Scan != nil || s.Where != nil || len(s.Fused) > 0 || len(s.Body) != 1 {
		return nil
	}
	st, ok := s.Body[0].(*hast.Store)
	if !ok || st.Updates() || st.Image.View != nil || st.Image.Of != nil || len(st.Index) != len(s.Space.Vars) {
		return nil
	}
	for axis, v := range s.Space.Vars {
		at, ok := st.Index[axis].(*hast.Ref)
		if !ok || at.Var != v || !isAxis(s.Space.Ranges[axis], st.Image, axis) {
			return nil
		}
	}
	reads := false
	s.EachRead(func(*hast.Image) { reads = true })
	if reads {
		return nil
	}
	return st
}

// isAxis reports whether a range has the indices of an axis, whose extent is a constant.
func isAxis(r hast.Range, m *hast.Image, axis int) bool {
	lo, isLo := hast.Number(r.Lo)
	hi, isHi := hast.Number(r.Hi)
	n, isFixed := hast.Number(m.Extent[axis])
	return isLo && isHi && isFixed && r.Step == 1 && lo == m.First(axis) && hi-lo == n
}
