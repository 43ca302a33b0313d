package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/schedule"
)

// maxGroup is the number of work-items in a group that every device of interest can run.
const maxGroup = 1024

// Refuse says why a stage cannot be carried out as decided, as the end of a sentence; "" where it can.
func Refuse(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	n := workVars(s)
	switch {
	case d.Reduce > 0 && d.Copies[0] > 0 || d.Tile[0] > 0 && (d.Reduce > 0 || d.Copies[0] > 0):
		return "tile, reduce and copies exclude each other"
	case d.Reduce > 0:
		return refuseTeam(s, d.Reduce, mode)
	case d.Copies[0] > 0:
		return refusePrivate(s, d.Copies)

	case d.Tile[0] > 0 && n == 0:
		return "it runs step by step in one work-item, so that it has no tile"
	case d.Tile[1] > 0 && n == 1:
		return "its work-items stand for one variable, so that its tile is one number"
	}
	if size := max(1, d.Tile[0]) * max(1, d.Tile[1]); size > maxGroup {
		return fmt.Sprintf("its tile has %d work-items, and a group has at most %d", size, maxGroup)
	}
	return ""
}

func refuseTeam(s *hast.Stage, size int, mode kir.Mode) string {
	if size < 2 || size&(size-1) != 0 {
		return fmt.Sprintf("a group of %d work-items is no power of two above 1", size)
	}
	return teamRefuses(s, mode)
}

func refusePrivate(s *hast.Stage, d [3]int) string {
	copies, size, groups := d[0], d[1], d[2]
	switch {
	case size > maxGroup:
		return fmt.Sprintf("its groups have %d work-items, and a group has at most %d", size, maxGroup)
	case size*groups > 1<<24:
		return "more than 16 million work-items share its instances"
	}
	return privateRefuses(s, copies)
}

// workVars is the number of variables of a stage that work-items stand for.
func workVars(s *hast.Stage) int {
	switch {
	case s.Scan == nil:
		return len(s.Space.Vars)
	case s.Scan.Lines:
		return len(s.Space.Vars) - 1
	}
	return 0
}

// decisions are those for a stage, with the defaults where nothing is decided.
func (pl *planner) decisions(s *hast.Stage) schedule.Decisions {
	var d schedule.Decisions
	if pl.opts.Decide != nil {
		d = pl.opts.Decide(pl.src.Name, s)
	}
	g := pl.opts.Group
	base := schedule.Decisions{Tile: [2]int{g[0], g[1]}, Unroll: pl.opts.Unroll}
	if workVars(s) == 1 {
		base.Tile = [2]int{g[0] * g[1] * g[2], 1}
	}
	return d.Over(base)
}

// group is the shape of a work-group for a stage of n variables.
func (k *kernelBuilder) group(n int) [3]int {
	if n == 0 {
		return [3]int{1, 1, 1}
	}
	t := k.decided.Tile
	return [3]int{t[0], max(1, t[1]), 1}
}
