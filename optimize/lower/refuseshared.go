package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// maxTurn is the most neighbouring points that an item of a group takes at once.
const maxTurn = 64

// refuseShared is Refuse for stages whose points the items of groups share.
func refuseShared(s *hast.Stage, d, full schedule.Decisions, mode kir.Mode, local int) string {
	width := full.Item[0]
	switch {
	case d.Packed16 != 0 && !sharesBytes(s, d, full, func(r *block.Dotted) bool { return r.Byte != nil }):
		return "packed16 is for blocks of instances, and for the least and the greatest of bytes, which groups share in blocks of a multiple of 4 points"
	case d.Flat != 0 && (d.Reduce == 0 || width == 1 || !isOneLine(s, full.Unroll)):
		return "flat is for blocks of instances, and for blocks of the points that groups share of a reduction in any order of images as large as its space"
	case d.Dot4 != 0 && !sharesBytes(s, d, full, func(r *block.Dotted) bool { return r.Byte == nil }):
		return "dot4 is for sums of bytes times constants of 8 bits, which groups share in blocks of a multiple of 4 points"
	case d.Item[1] > 16 || d.Item[1] > 1 && width == 1:
		return "items that share points take blocks of neighbours of up to 16 lines at once"
	case width&(width-1) != 0 || width > maxTurn:
		return fmt.Sprintf("items that share points take a power of two of them at once, up to %d, not %d", maxTurn, width)
	case full.Vector&(full.Vector-1) != 0:
		return fmt.Sprintf("a memory access takes a power of two of bytes, not %d", full.Vector)
	}
	why := ""
	if d.Reduce > 0 {
		why = refuseTeam(s, d, width, mode)
	} else {
		why = refusePrivate(s, d, local, mode)
	}
	if why != "" || width == 1 {
		return why
	}
	points := []*hast.Stage{s}
	if d.Reduce > 0 {
		points = nil
		at := block.AtPixels(s)
		for _, r := range sharedReductions(at) {
			points = append(points, block.PointStage(at, r.Space, []*hast.Reduce{r}))
			if sharedAxis(r.Space) != len(r.Space.Vars)-1 {
				return "the last variable of a reduction has few values, so that items take them one by one"
			}
		}
	}
	for _, p := range points {
		what := block.Analyze(p, full.Unroll)
		if what.Alone != "" {
			return what.Alone + ", so that items take its points one by one"
		}
		for _, w := range what.Windows {
			if n := windowSize(w, full.Item); n > maxWindow {
				return fmt.Sprintf("a work-item would hold %d components of %s, and %d is the most", n, w.Image.Name, maxWindow)
			}
			if w.Rule != nil && !block.AnyLine[w.Rule.Kind] {
				return w.Rule.Kind.String() + " borders are read point by point, so that items take points one by one"
			}
		}
	}
	return ""
}

// sharesBytes reports whether groups share some reductions of bytes that lie in words, of a kind.
func sharesBytes(s *hast.Stage, d, full schedule.Decisions, of func(*block.Dotted) bool) bool {
	if d.Reduce == 0 || full.Vector < block.PerWord {
		return false
	}
	return slices.ContainsFunc(block.DottedSums(s, full.Item[0], full.Unroll), func(r block.Dotted) bool { return of(&r) })
}
