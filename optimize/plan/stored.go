package plan

import (
	"math"

	"imgc/hast"
	"imgc/optimize/schedule"
)

// surelyKept is the part of the time of both apart that a stage which stays in memory and one that reads it must leave: items store rows of it that they keep until all are computed, and nothing has been
// measured yet but a level of a pyramid and the next one.
const surelyKept = 0.9

// keep tries to make a stage a part of the first one that reads what it writes and can have it, which stays in memory for all others, and reports whether that is done: where it is decided, or takes less
// time than both apart, and than fusing it with all who read it.
func (g *grouper) keep(s *hast.Stage) bool {
	decided := !g.free(s)
	n := &Grouping{Stage: s, Tried: schedule.Kept}
	next := g.groups.Clone()
	if n.Why = next.Keep(s); n.Why != "" {
		if decided {
			g.list = append(g.list, n)
		}
		return decided
	}
	end := next.Ends(s)[0]
	if !decided && (scalar(s) || g.isRoot(end) || g.far(end) != "" && !g.manners.far) {
		return false
	}
	self, reader := g.groups.Kept(s, next)
	n.Into, n.Apart, n.Together = []string{reader.Name}, g.cost(self)+g.cost(reader), g.cost(end)
	surely, fused := max(g.surelyCost(end), n.Together/surelyKept), g.saved(s)
	taken := decided || surely < n.Apart*g.share && surely-n.Apart < fused
	if taken {
		n.Place, g.groups = schedule.Kept, next
	}
	if taken || math.IsInf(fused, 1) {
		g.list = append(g.list, n)
	}
	return taken
}
