package plan

import (
	"math"

	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// keptBytes is how much local memory groups take for what their items keep, at most: so much leaves a unit of an H200 room for its 2048 work-items, and the
// first cache for what they read.
const keptBytes = 14 << 10

// keepers are work-items that keep the pixels which their instance alone updates: all of a line of the size that is planned for, or as many as there is room for.
func keepers(w *work) []Candidate {
	k, _ := block.AnalyzeKept(w.stage.Of)
	if k == nil || w.vars == 0 {
		return nil
	}
	var list []Candidate
	for _, size := range []int{128, 64} {
		length := int(max(1, w.eval(k.Image.Extent[k.Axis])))
		count := min(length, max(1, keptBytes/(size*k.Image.Elem.Bytes())))
		turns := (length + count - 1) / count
		d := schedule.Decisions{Keep: (length + turns - 1) / turns, Tile: [2]int{size, min(w.vars-1, 1)}}
		list = append(list, Candidate{Decisions: d, Why: "no other item updates these pixels, which are kept until all is added up"})
	}
	return list
}

// costOfKept is what keeping pixels costs: each is written once, and in each turn, for which all is computed again, every update reads and writes local memory.
func (w *work) costOfKept(d schedule.Decisions) Cost {
	s := w.shapeOf(d)
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0), Apart: s.apart()}
	k, _ := block.AnalyzeKept(w.stage.Of)
	line := float64(max(1, w.eval(k.Image.Extent[k.Axis])))
	turns := math.Ceil(line / float64(d.Keep))
	pixel := float64(k.Image.Elem.Bytes())
	kept := w.instances * line * pixel
	bw, r := &w.model.Bandwidth, &w.model.Rates
	rate := w.bandwidth(&c)
	read := w.read - min(w.read, kept) // zeros, mostly
	c.Memory = (read + kept) / rate / min(1, s.inFlight(w, d))
	if bw.Fabric.Known {
		c.Fabric = (turns*read + kept) / bw.Fabric.Value
	}
	chip := r.Units.Or(0) * r.Clock.Or(0) * min(1, s.items/(r.Units.Or(1)*max(r.Issue.Or(1), 1)))
	if chip == 0 {
		return c
	}
	ops, updates := s.ops(w), 0.0
	for _, a := range w.stage.Accesses {
		if a.Updates {
			updates += a.Count
		}
	}
	if r.Issue.Known {
		c.Issue = ops.Total() * w.instances * turns / (r.Issue.Value * r.IssueShare.Or(1) * chip)
	}
	c.pipes(ops, w.instances*turns, r, chip)
	if r.LocalBytes.Known {
		c.Local = (2*updates*pixel*w.instances + 2*kept) / (r.LocalBytes.Value * chip)
	}
	c.Fixed += w.starts(s, d, &c)
	return c
}
