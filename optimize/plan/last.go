package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/feature"
)

// byLastGroup has the last group of the launch before do the last stage of a pipeline, where it can and the stage needs nothing else: that saves
// the launch. If it is only that the groups have another number of work-items, the best way for that number is taken instead.
//
// Where a launch follows, nothing is saved: kernels start while the one before ends, and the counting costs as much. Measured on an H200, in us with and
// without: sum of u8 34.2 and 37.9 for 8192 x 8192, 19.9 and 20.8 for 1920 x 1080; stretch of samples/basics/statistics.img 11.8 and 10.2. A stage that needs
// others as well would have the launch before wait for them: statistics as a graph, in which they run at the same time, 157.5 and 143.1.
func (p *Plan) byLastGroup(t Target) {
	n := len(p.Choices)
	if t.Behind == nil || n < 2 {
		return
	}
	first, c := p.Choices[n-2], p.Choices[n-1]
	if !p.endsWith(first.Stage.Of, c.Stage.Of) || !needsOnly(first.Stage, c.Stage) {
		return
	}
	for i, way := range append([]Candidate{c.Picked}, c.Rejected...) {
		way.Last = 1
		if way.Illegal != "" || t.Legal(c.Stage.Of, way.Decisions) != "" || t.Behind(first.Stage.Of, c.Stage.Of, first.Picked.Decisions, way.Decisions) != "" {
			continue
		}
		way.Why += ", in the last group of the launch before"
		if way.Cost.Fixed = 0; way.Cost.Total() < c.Picked.Cost.Total() {
			c.take(i, way)
		}
		return
	}
}

// endsWith reports whether a stage and the one behind it are the last things that the pipeline does on the device.
func (p *Plan) endsWith(before, last *hast.Stage) bool {
	steps := p.Pipeline.Steps
	i := slices.Index(steps, hast.Step(last))
	if i < 1 || steps[i-1] != hast.Step(before) {
		return false
	}
	return !slices.ContainsFunc(steps[i+1:], func(s hast.Step) bool {
		_, returns := s.(*hast.SetScalar)
		return !returns
	})
}

// needsOnly reports whether a stage reads nothing that is computed but what another one writes.
func needsOnly(before, s *feature.Stage) bool {
	written := map[*hast.Image]bool{}
	for _, a := range before.Accesses {
		written[a.Image] = written[a.Image] || a.Writes
	}
	return !slices.ContainsFunc(s.Accesses, func(a *feature.Access) bool {
		return !a.Writes && a.Image.Dir != hast.In && !written[a.Image]
	})
}

// take picks a way in the place of what was picked, which is rejected; i is its place behind that, 0 for the same one.
func (c *Choice) take(i int, way Candidate) {
	if i > 0 {
		c.Rejected[i-1] = c.Picked
	}
	c.Picked = way
}
