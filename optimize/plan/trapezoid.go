package plan

import (
	"math"

	"imgc/archmodels"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// What scans cost whose steps groups take by trapezoids (block.Trapezoid).

// trapezoids are groups that take pieces of the line across a scan for some steps. Of those that cost the same the first is taken.
func trapezoids(w *work) (list []Candidate) {
	x := w.trapezoid()
	if x == nil || !w.model.Memory.LocalDedicated.Yes() {
		return nil
	}
	line := w.count(w.vars - 1 - x.Line)
	for items := 32; items <= w.model.Limits.GroupSize.Int(256); items *= 2 {
		early := w.together(x, items)
		if early == 0 || items < leastCut && line > float64(items) {
			continue
		}
		for _, steps := range []int{16, 32, 64, 128} {
			if own := items - x.Frame()*steps; own >= items/4 {
				list = append(list, Candidate{Decisions: schedule.Decisions{Trapezoid: [3]int{items, steps, early}}, Why: whyTrapezoid})
			}
		}
		if line <= float64(items) { // larger groups would have more items without a column; steps are those of longer lines
			return wholeLines(x, items, early, list)
		}
	}
	return list
}

const whyTrapezoid = "a group computes some steps of its columns, and of fewer and fewer beside them"

// leastCut is the fewest work-items of groups that take pieces of lines.
const leastCut = 128

// wholeLines adds, where no frame leaves enough of a group that has room for a line, as many steps as leave some.
func wholeLines(x *block.Trapezoid, items, early int, list []Candidate) []Candidate {
	if steps := (items - 1) / x.Frame(); len(list) == 0 && steps > 0 {
		list = append(list, Candidate{Decisions: schedule.Decisions{Trapezoid: [3]int{items, max(1, steps/2), early}}, Why: whyTrapezoid})
	}
	return list
}

// trapezoid is what is read and written by trapezoids; nil where the scan has none.
func (w *work) trapezoid() *block.Trapezoid {
	if !w.cutUp {
		w.cut, _ = block.AnalyzeTrapezoid(w.stage.Of)
		w.cutUp = true
	}
	return w.cut
}

// What is computed early of steps is written out, and held in registers.
const (
	mostTogether = 16
	heldTogether = 64
	codeTogether = 1600
)

// together is for how many steps at a time groups of so many items compute early what can be; 0 where they have no room for the lines.
func (w *work) together(x *block.Trapezoid, items int) int {
	ops := w.stage.Ops.Total()
	for n := mostTogether; n > x.Depth && n > 1; n /= 2 {
		if x.LocalBytes(items, n) <= min(w.local, bandBytes) && n*x.Registers() <= heldTogether && (float64(n)*ops <= codeTogether || n/2 <= x.Depth) {
			return n
		}
	}
	return 0
}

// These are cycles of a step in which items wait for each other and for local memory, the part of an instance's operations that wait for each other behind that, and operations of an item for the
// lines in local memory. On an H100 launches of the cheapest ways through 8192 columns of i32 took, in CUDA, 5.3 us with 128 items
// and 32 steps, 5.7 and 9.2 with 256 items and 32 and 64, 12.5 and 22.4 with 512 and 64 and 128: 2.4, and 0.09, 0.11 and 0.155 for a step. That items load for 16 or for 32 steps together made no difference.
const (
	stepMeets = 100
	lateShare = 0.5
	stepOps   = 24
)

// costOfTrapezoid is what they cost: launches follow each other, and in each the steps that groups compute.
func (w *work) costOfTrapezoid(d schedule.Decisions) Cost {
	x, m := w.trapezoid(), w.model
	items, steps := float64(d.Trapezoid[0]), float64(d.Trapezoid[1])
	along, line := w.count(w.vars-1-x.Along), w.count(w.vars-1-x.Line)
	own := items - float64(x.Frame())*steps
	if line <= items && !x.Partial {
		steps, own = along, items
	}
	launches := math.Ceil(along / steps)
	c := Cost{Fixed: m.Launch.Fixed.Or(0)}
	c.Steps = launches * w.inTrapezoid(d, math.Ceil(line/own)*w.instances/(along*line), steps)
	c.Fixed += (launches - 1) * max(w.followed()*w.endsLaunch(), m.Launch.Host.Or(0)-c.Steps/launches)
	rate := w.bandwidth(&c)
	c.Memory = (w.read*items/own + w.written) / rate
	for _, o := range x.Old {
		c.Fixed += 2*w.places(&feature.Access{Image: o.Image})*float64(o.Image.Elem.Kind.Bytes())/rate + m.Launch.Fixed.Or(0)
	}
	return c
}

// followed is how many times as long as the model says a launch takes that waits for the one before it, where hundreds follow each other: in CUDA, where launches may be a graph, kernels start while the
// one before ends, and through OpenCL the host has to make each. On an H200 the cheapest ways through 8192 x 8192 pixels (basics/seam, all of it) took 4.26 ms in CUDA in 256 launches, of 128 items and 32 steps, and
// 4.32 in 128, of 256 items and 64 steps, for which 0.26 ms more of steps are predicted; through OpenCL 4.45 and 4.15: 1.5 and 4.3 us for a launch, of which the model says 2.1.
func (w *work) followed() float64 {
	switch {
	case w.model.Class != archmodels.GPU:
		return 1
	case w.graphs:
		return 0.7
	}
	return 2
}

// inTrapezoid is the time of so many groups that compute so many steps each.
func (w *work) inTrapezoid(d schedule.Decisions, groups, steps float64) float64 {
	x, r, l := w.trapezoid(), &w.model.Rates, &w.model.Limits
	items, units := float64(d.Trapezoid[0]), r.Units.Or(16)
	bytes := float64(x.LocalBytes(d.Trapezoid[0], d.Trapezoid[2]))
	room := max(1, math.Floor(min(l.ItemsPerUnit.Or(2048)/items, l.GroupsPerUnit.Or(32), l.LocalPerUnit.Or(bandBytes)/bytes)))
	turns, beside := max(1, math.Ceil(groups/(units*room))), min(room, math.Ceil(groups/units))
	ops := w.stage.Ops
	issue := beside * items * (ops.Total() + stepOps) / (r.Issue.Value * r.IssueShare.Or(1))
	ops[feature.Memory] = 0
	chain := stepMeets + lateShare*chainCycles*ops.Total()
	return turns * (stepLoad + steps*(chain+issue)/r.Clock.Value)
}
