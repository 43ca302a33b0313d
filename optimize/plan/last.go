package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// byLastGroup has the last group of the launch before do the last stage of a pipeline, where it can and the stage needs nothing else: that saves
// the launch. If it is only that the groups have another number of work-items, the best way for that number is taken instead.
//
// Where a launch follows, nothing is saved: kernels start while the one before ends, and the counting costs as much. Measured on an H200, in us with and
// without: sum of u8 34.2 and 37.9 for 8192 x 8192, 19.9 and 20.8 for 1920 x 1080; stretch of samples/basics/statistics.img 11.8 and 10.2. A stage that needs
// others as well would have the launch before wait for them: statistics as a graph, in which they run at the same time, 157.5 and 143.1.
//
// On processors nothing starts before what it waits for has ended, and a launch takes some microseconds wherever it is.
func (p *Plan) byLastGroup(t Target) {
	n := len(p.Choices)
	switch {
	case t.Behind == nil || n < 2:
	case t.Model.Class == archmodels.CPU:
		choices := p.byStage()
		hast.WalkStages(p.Pipeline.Steps, func(before []hast.Step, s *hast.Stage) {
			if first, c := directly(before, choices), choices[s]; first != nil && c != nil {
				c.joinBehind(first, t)
			}
		})
	case p.endsWith(p.Choices[n-2].Stage.Of, p.Choices[n-1].Stage.Of) && needsOnly(p.Choices[n-2].Stage, p.Choices[n-1].Stage):
		p.Choices[n-1].joinBehind(p.Choices[n-2], t)
	}
}

// directly is what is chosen for the last of some steps; nil where that is no stage.
func directly(before []hast.Step, choices map[*hast.Stage]*Choice) *Choice {
	if len(before) == 0 {
		return nil
	}
	s, _ := before[len(before)-1].(*hast.Stage)
	return choices[s]
}

// joinBehind has the last group of a launch do the stage, where it can and that takes less time.
func (c *Choice) joinBehind(first *Choice, t Target) {
	if t.Behind(first.Stage.Of, c.Stage.Of, first.Picked.Decisions, schedule.Decisions{Last: 1}) != "" {
		return
	}
	c.weighed()
	for i, way := range append([]Candidate{c.Picked}, c.Rejected...) {
		if way.Last = 1; way.Reduce == 0 && t.Model.Class != archmodels.CPU { // one item would reduce what it is to join
			continue
		}
		if way.Illegal != "" || t.Legal(c.Stage.Of, way.Decisions) != "" || t.Behind(first.Stage.Of, c.Stage.Of, first.Picked.Decisions, way.Decisions) != "" {
			continue
		}
		most := c.Picked.Cost.Total()
		way.Cost.Fixed = 0
		if t.Model.Class == archmodels.CPU { // one core does it: what takes long is left to all, and its own last group may go on with what is behind it
			way.Cost.Issue *= t.Model.Rates.Units.Or(1)
			most /= 2
		}
		if _, ok := block.TallyOf(first.Stage.Of, c.Stage.Of); ok && way.Reduce > 0 {
			way.Why, way.Cost = "the group of the launch before that adds its part last goes on with the sum", Cost{Last: joined}
		} else {
			way.Why += ", in the last group of the launch before"
		}
		if way.Cost.Total() < most {
			c.take(i, way)
		}
		return
	}
}

// inBins has the last groups of launches that update copies do the fills before them, where that takes less time than these take as launches.
func (p *Plan) inBins(t Target) {
	if t.Behind == nil {
		return
	}
	choices := p.byStage()
	hast.WalkStages(p.Pipeline.Steps, func(before []hast.Step, s *hast.Stage) {
		if c := choices[s]; c != nil && c.Picked.Copies[0] > 0 {
			if b := p.binned(c, before, choices, t); b != nil && b.way.Cost.Last < b.saved {
				b.take()
			}
		}
	})
}

func (p *Plan) byStage() map[*hast.Stage]*Choice {
	choices := map[*hast.Stage]*Choice{}
	for _, c := range p.Choices {
		choices[c.Stage.Of] = c
	}
	return choices
}

// A binning has the last group of a launch that updates copies do the fills before it.
type binning struct {
	of      *Choice
	way     Candidate
	fills   []*Choice
	saved   float64 // what these take as launches
	cleared int     // images that the host has cleared otherwise
}

// binned is a binning of a stage behind some steps; nil where there can be none.
func (p *Plan) binned(c *Choice, before []hast.Step, choices map[*hast.Stage]*Choice, t Target) *binning {
	fills, why := block.Fills(p.Pipeline.Steps, before, c.Stage.Of)
	b := &binning{of: c, way: c.Picked}
	if b.way.Last = 1; why != "" || t.Legal(c.Stage.Of, b.way.Decisions) != "" {
		return nil
	}
	for _, fill := range fills {
		if f := choices[fill]; f != nil {
			b.fills = append(b.fills, f)
			b.saved += f.Picked.Cost.Total()
		} else {
			b.cleared++
		}
	}
	b.way.Why += ", and the last group fills the image"
	b.way.Cost.Last = lastInBins(fills, b.way.Decisions)
	return b
}

// take decides for a binning.
func (b *binning) take() {
	c := b.of
	for _, f := range b.fills {
		f.doneBy("the last group of " + c.Stage.Of.Name + " does it")
	}
	c.instead(b.way)
	for i := range c.Rejected {
		c.Rejected[i].Cost.Fixed += b.saved // they need the fills
	}
}

// doneBy has another launch do a stage.
func (c *Choice) doneBy(why string) {
	c.weighed()
	c.Late, c.Picked.Why, c.Picked.Cost, c.Rejected = true, why, Cost{}, nil
}

// clearGain is what is to be saved at least where what is predicted is the sum of several terms of that size.
const clearGain = 1e-6

// goOn has the last group of a launch that counts in copies go on with the small stage behind it, as a running sum of the counts or a table of them. It does the
// fills then as well: counting the groups takes more than one launch, and less than two with what passes between them. In a graph, where kernels start while the one
// before ends, nothing is saved.
func (p *Plan) goOn(t Target) {
	if t.Behind == nil || t.Graphs || t.Model.Class != archmodels.GPU {
		return
	}
	choices, led, between := p.byStage(), map[*Choice]*Choice{}, t.Model.Launch.Between.Or(0)
	hast.WalkStages(p.Pipeline.Steps, func(before []hast.Step, s *hast.Stage) {
		first, c := directly(before, choices), choices[s]
		switch {
		case first == nil || c == nil:
		case led[first] != nil:
			if way, ok := c.behind(led[first], first.Picked.Decisions, first, t); ok && c.Picked.Cost.Total()+between-way.Cost.Total() >= clearGain {
				c.instead(way)
				led[c] = led[first]
			}
		case first.Picked.Copies[0] > 0 && first.Picked.Last == 0:
			b := p.binned(first, before[:len(before)-1], choices, t)
			if b == nil {
				return
			}
			way, ok := c.behind(first, b.way.Decisions, first, t)
			launches := float64(1 + len(b.fills) + b.cleared)
			saved := b.saved + c.Picked.Cost.Total() + float64(b.cleared)*t.Model.Launch.Dependent.Or(0) + launches*between
			if ok && saved-b.way.Cost.Last-way.Cost.Total() >= clearGain {
				b.take()
				c.instead(way)
				led[c] = first
			}
		}
	})
}

// instead picks a way in the place of what was picked, which is rejected.
func (c *Choice) instead(way Candidate) {
	c.weighed()
	c.Rejected = append([]Candidate{c.Picked}, c.Rejected...)
	c.Picked = way
}

// behind is how the last group of a launch, which comes to it from another stage as decided, goes on with a stage of which each of its work-items takes an instance
// at most; false where it does not.
func (c *Choice) behind(launch *Choice, decided schedule.Decisions, from *Choice, t Target) (way Candidate, ok bool) {
	s, size := c.Stage.Of, launch.Picked.Copies[1]
	way = Candidate{Decisions: c.Picked.Putting(), Cost: c.Picked.Cost, Why: "the last group of the launch before goes on with it"}
	way.Last, way.Cost.Fixed, way.Cost.Last = 1, 0, turn
	switch {
	case block.CountUpTo(s.Space, size) == 0:
		return way, false
	case s.Scan != nil && s.Scan.Prefix != nil:
		way.Prefix, way.Item = size, [2]int{1}
	case s.Scan != nil || c.Picked.Reduce > 0 || c.Stage.Open:
		return way, false
	}
	return way, t.Legal(s, way.Decisions) == "" && t.Behind(from.Stage.Of, s, decided, way.Decisions) == ""
}

// joined is taken for what it takes that a group's part of a sum is added, and the one behind all others known: an update that is waited for. It has not been
// measured by itself.
const joined = 0.7e-6

// counted is what it takes that groups are counted of which each has updated bins that they share, beyond what the updates take: they wait until these
// are seen. On an H200 a histogram of 8192 x 8192 bytes took 26.2 us so by OpenCL and 25.2 with a launch that fills it, of which the model has 2.7; 24.2 and 23.4
// by CUDA. So one fill is no reason, and several are.
const counted = 2.7e-6

// lastInBins is the time that the last group takes for fills: it is counted, and its items take pixels in turn.
func lastInBins(fills []*hast.Stage, d schedule.Decisions) float64 {
	turns := 0.0
	for _, fill := range fills {
		pixels := 1.0
		for _, r := range fill.Space.Ranges {
			n, _ := block.TripCount(r)
			pixels *= float64(n)
		}
		turns += math.Ceil(pixels / float64(d.Copies[1]))
	}
	return counted + turn*turns
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
	hast.EachStore(block.Ended(before.Of).Body, func(st *hast.Store) { written[st.Image] = true })
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
