package plan

import "imgc/hast"

// byLastGroups has last groups go on with the stages behind theirs, where they can: that saves a launch and costs next to nothing. If it is only
// that they have another number of work-items, the best way for their number is taken instead.
func (p *Plan) byLastGroups(t Target) {
	if t.Behind == nil {
		return
	}
	choices := map[*hast.Stage]*Choice{}
	for _, c := range p.Choices {
		choices[c.Stage.Of] = c
	}
	hast.WalkPairs(p.Pipeline.Steps, func(before, s *hast.Stage) {
		first, c := choices[before], choices[s]
		if first == nil || c == nil {
			return
		}
		for i, other := range append([]Candidate{c.Picked}, c.Rejected...) {
			other.Last = 1
			if other.Illegal != "" || t.Legal(s, other.Decisions) != "" || t.Behind(before, first.Picked.Decisions, other.Decisions) != "" {
				continue
			}
			saved := other.Cost
			saved.Fixed = 0
			if saved.Total() < c.Picked.Cost.Total() {
				other.Cost, other.Why = saved, other.Why+", in the last group of the launch before"
				c.take(i, other)
			}
			return
		}
	})
}

// take picks a way in the place of what was picked, which is rejected; i is its place behind that, 0 for the same one.
func (c *Choice) take(i int, way Candidate) {
	if i > 0 {
		c.Rejected[i-1] = c.Picked
	}
	c.Picked = way
}
