package block

import "imgc/hast"

// Across reports whether instances of a stage that follow each other along its last variable read pixels that lie next to each other, and the points of some
// of its reductions do not: those are columns of images.
func Across(s *hast.Stage, reductions []*hast.Reduce) bool {
	if len(s.Space.Vars) == 0 {
		return false
	}
	across, along := false, false
	for _, r := range reductions {
		hast.Walk(r.Elem, func(e hast.Expr) {
			load, ok := e.(*hast.Load)
			if !ok || len(load.Index) < 2 {
				return
			}
			last := load.Index[len(load.Index)-1].X
			across = across || hast.Names(last, s.Space.Vars[len(s.Space.Vars)-1:])
			along = along || hast.Names(last, r.Space.Vars)
		})
	}
	return across && !along
}
