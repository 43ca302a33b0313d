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
// a value that is computed without memory. What comes between them and the stage reads no memory either, so that the values may as well be
// joined behind the updates. before are the steps before the stage in its list; why is the end of a sentence, "" where all images are filled.
func Fills(before []hast.Step, s *hast.Stage) (fills []*hast.Stage, why string) {
	left, why := joined(s)
	for i := len(before) - 1; i >= 0 && len(left) > 0; i-- {
		b, ok := before[i].(*hast.Stage)
		if !ok || reads(b) {
			break
		}
		at := slices.IndexFunc(left, func(m *hast.Image) bool { return writes(b, m) })
		if at < 0 {
			continue
		}
		if !isFill(b) {
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
	for _, m := range list {
		if m.Elem.Kind.IsFloat() {
			why = "it updates " + m.Name + ", whose floats are not joined as whole numbers are"
		}
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

// isFill reports whether a stage does nothing but store to each pixel of an image of constant extents.
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
	lo, isLo := hast.Number(r.Lo)
	hi, isHi := hast.Number(r.Hi)
	n, isFixed := hast.Number(m.Extent[axis])
	return isLo && isHi && isFixed && r.Step == 1 && lo == m.First(axis) && hi-lo == n
}
