package plan

import (
	"imgc/hast"
	"imgc/optimize/schedule"
)

// surelyShared is the part of the time that blocks which share their sums must leave: how long their loads take depends on caches of which the model knows little, and nobody has measured any yet.
const surelyShared = 0.8

// overlap tries to have the instances of a stage be blocks of those that it has, which share what loops of theirs compute of windows: blocks of a size, or where none is decided, of the
// best. Such a stage is by itself: neither does it vanish, nor is it computed with others.
func (g *grouper) overlap(s *hast.Stage, size [2]int) {
	decided := size[0] > 0
	next, size, why := g.made.Overlap(g.pipeline, s, size)
	if why != "" {
		return
	}
	blocks := g.made.Of(next).Named(s.Name)
	n := &Grouping{Stage: s, Tried: schedule.Root, Overlap: size, Together: g.cost(blocks), Apart: g.cost(s)}
	if !decided && !g.paysInRounds(blocks, s, n) {
		return
	}
	g.list = append(g.list, n)
	g.pipeline, g.blocks[s.Name], g.places[s.Name] = next, size, schedule.Root
}

// paysInRounds reports whether blocks that share sums take less time. Of loops of unknown length a round counts, beside what is done once, which says nothing then: instructions alone do.
func (g *grouper) paysInRounds(blocks, s *hast.Stage, n *Grouping) bool {
	if !g.featuresOf(s).Open {
		return n.Together < surelyShared*n.Apart
	}
	computing := func(s *hast.Stage) float64 { return g.work(s).cost(schedule.Decisions{}).busiest() }
	return computing(blocks) < surelyShared*computing(s)
}
