package plan

import (
	"imgc/hast"
	"imgc/optimize/schedule"
)

// surelyShared is the part of the time that blocks which share their sums must leave: how long their loads take depends on caches of which the model knows little, and nobody has measured any yet.
const surelyShared = 0.8

// overlap tries to have the instances of a stage be blocks of those that it has, which share what loops of theirs compute of windows: blocks of a size, or where none is decided, of the
// best. Such a stage is by itself: neither does it vanish, nor is it computed with others.
func (g *grouper) overlap(s *hast.Stage, size [2]int, places map[string]schedule.Placement) {
	decided := size[0] > 0
	next, size, why := g.made.Overlap(g.pipeline, s, size)
	if why != "" {
		return
	}
	n := &Grouping{Stage: s, Overlap: size, Together: g.cost(g.made.Of(next).Named(s.Name)), Apart: g.cost(s)}
	if !decided && n.Together >= surelyShared*n.Apart {
		return
	}
	g.list = append(g.list, n)
	g.pipeline, g.blocks[s.Name], places[s.Name] = next, size, schedule.Root
}
