package plan

import (
	"math"

	"imgc/hast"
	"imgc/optimize/schedule"
)

// reduce tries to make a stage a part of the one that reduces what it writes, which stays in memory for the others that read it, and reports whether that is done: where it is decided, or
// takes less time than both apart, and than fusing it with all who read it.
func (g *grouper) reduce(s *hast.Stage) bool {
	decided := !g.free(s)
	into := g.groups.Reduces(s)
	if !decided && (len(into) == 0 || g.isRoot(into[0])) {
		return false
	}
	n := &Grouping{Stage: s, Tried: schedule.Reduced}
	for _, x := range into {
		n.Into = append(n.Into, x.Name)
	}
	next := g.groups.Clone()
	if n.Why = next.Reduce(s); n.Why != "" {
		if decided {
			g.list = append(g.list, n)
		}
		return decided
	}
	self, _ := g.groups.Into(s)
	n.Apart = g.cost(self) + g.cost(into[0])
	n.Together = g.cost(next.Ends(s)[0])
	if !decided && (n.Together >= n.Apart*g.share || n.Together-n.Apart >= g.saved(s)) {
		return false
	}
	n.Place, g.groups = schedule.Reduced, next
	g.list = append(g.list, n)
	return true
}

// saved is by how much longer the groups of a stage and of all who read it take with it fused than without; infinite where it cannot be.
func (g *grouper) saved(s *hast.Stage) float64 {
	self, into := g.groups.Into(s)
	next := g.groups.Clone()
	if next.Fuse(s) != "" {
		return math.Inf(1)
	}
	change := -g.cost(self)
	for _, x := range into {
		change -= g.cost(x)
	}
	for _, last := range next.Ends(s) {
		change += g.surelyCost(last)
	}
	return change
}
