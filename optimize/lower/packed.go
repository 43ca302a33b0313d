package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// refusePacked says why a stage cannot be computed in halves of words, as the end of a sentence; "" where it can: some value of bytes
// has to fit.
func refusePacked(s *hast.Stage, what *block.Stage, d schedule.Decisions) string {
	switch {
	case d.Flat != 0:
		return "packed16 is for rows, and flat makes one line of them"
	case d.Vector < 4 || !slices.ContainsFunc(what.Windows, func(w *block.Window) bool { return packs(w, d.Item[0]) }):
		return "packed16 is for bytes that neighbouring instances read, in work-items of a multiple of 4 columns"
	case !alike(s, what, d.Item[0]):
		return "packed16 is for instances that do nothing but compute scalars and store each to its own pixel"
	}
	sums := block.Sums(s, what, d.Unroll)
	var widest interval
	for _, c := range sums {
		iv := bounds(c)
		if holds(iv) {
			return ""
		}
		if iv.hi-iv.lo > widest.hi-widest.lo {
			widest = iv
		}
	}
	if len(sums) > 0 {
		return fmt.Sprintf("packed16 is for values that 16 bits hold, and its sums reach from %d to %d", widest.lo, widest.hi)
	}
	return "packed16 is for sums, differences and extremes of bytes, which it has not"
}

// refuseDots is the same for dot products of four bytes: some sum has to have weights of 8 bits.
func refuseDots(s *hast.Stage, what *block.Stage, d schedule.Decisions) string {
	if d.Vector < 4 || !slices.ContainsFunc(what.Windows, func(w *block.Window) bool { return packs(w, d.Item[0]) }) {
		return "dot4 is for sums of bytes times constants of 8 bits, in work-items of a multiple of 4 columns"
	}
	for _, c := range block.Sums(s, what, d.Unroll) {
		if len(c.Taps) > 1 && c.EightBits() {
			return ""
		}
	}
	return "dot4 is for sums of bytes times constants of 8 bits, which it has not"
}
