package plan

import (
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// ahead are work-items that take a line of a scan each and read what several steps need before they compute these. Few lines are in small groups, so that
// all units have some.
func ahead(w *work) (list []Candidate) {
	s := w.stage.Of
	if s.Scan == nil || s.Scan.Meet() || block.Components(block.AheadOf(s)) == 0 {
		return nil
	}
	for _, n := range []int{8, 4, 2} {
		for _, size := range []int{64, 32, 128} {
			d := schedule.Decisions{Ahead: n, Tile: [2]int{size}}
			if len(s.Space.Vars) > 2 {
				d.Tile[1] = 1
			}
			list = append(list, Candidate{Decisions: d, Why: "what several steps read is on its way together"})
		}
	}
	return list
}
