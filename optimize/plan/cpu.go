package plan

import (
	"math"

	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// CPUs run a work-item for some rows of an image, in vector registers. What tells shapes apart there is the number of instructions:
// each loads, computes or stores one register.

// byRows are work-items that compute rows, so many instances side by side.
func byRows(w *work) []Candidate {
	if w.vars < 2 || w.instances < fewInstances || w.stage.Class == feature.Scan {
		return nil
	}
	var list []Candidate
	add := func(rows, lanes int, why string) {
		d := schedule.Decisions{Rows: rows, Lanes: lanes, Unroll: w.unroll()}
		list = append(list, Candidate{Decisions: d, Why: why})
	}
	at := []int{1}
	if w.stage.Class == feature.Local {
		at = []int{1, 2, w.model.Prefers.Rows.Int(4)}
	}
	lanes := w.model.Prefers.Access.Int(64) / w.widest()
	for _, rows := range at {
		for _, n := range []int{lanes / 2, lanes, 2 * lanes} {
			if n >= 8 && n <= 64 {
				add(rows, n, "rows from end to end, neighbours side by side in vector registers")
			}
		}
	}
	add(1, 0, "rows from end to end, without border rules between the ends")
	return list
}

// widest estimates the bytes of the widest component that instances compute with: what arithmetic on bytes gives takes two.
func (w *work) widest() int {
	if w.stage.Ops[feature.FMA]+w.stage.Ops[feature.Special]+w.stage.Ops[feature.Convert] > 0 {
		return 4
	}
	most := 1
	for _, a := range w.stage.Accesses {
		most = max(most, a.Image.Elem.Kind.Bytes())
	}
	return min(4, 2*most)
}

const (
	cpuClock    = 3e9 // where a model does not know
	cpuIssue    = 3   // instructions of a clock
	cpuOverhead = 4   // instructions of a step of a loop
	// pixelwise is by how much one work-item for each instance takes longer than a loop over a row: coordinates are brought into the
	// image for each, and what is loaded serves nobody else.
	pixelwise = 3
)

// costOnCPU predicts one launch.
func (w *work) costOnCPU(d schedule.Decisions) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0)}
	bw, r := &w.model.Bandwidth, &w.model.Rates
	c.Relative = !bw.Copy.Known || !r.Clock.Known
	if bw.Copy.Known {
		c.Memory = (w.read + w.written) / bw.Copy.Value
	}
	rate := r.Clock.Or(cpuClock) * r.Issue.Or(cpuIssue) * r.Units.Or(1)
	c.Issue = w.instances * w.perInstance(d) / rate
	return c
}

// perInstance is the number of instructions for an instance.
func (w *work) perInstance(d schedule.Decisions) float64 {
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	repeats := w.repeats()
	one := ops.Total() * repeats
	for _, a := range w.stage.Accesses {
		one += a.Count * repeats * float64(a.Image.Elem.Lanes)
	}
	if d.Rows == 0 {
		return pixelwise * one
	}
	if d.Lanes == 0 {
		return one + cpuOverhead
	}
	lanes, rows := float64(d.Lanes), float64(d.Rows)
	registers := math.Ceil(lanes * float64(w.widest()) / w.model.Prefers.Access.Or(64)) // of a value
	step := cpuOverhead + ops.Total()*rows*registers
	for _, a := range w.stage.Accesses {
		step += w.accesses(a, rows) * registers * 2 // it is converted, too
	}
	ends := one * w.borderShare()
	return step/(lanes*rows) + ends
}

// accesses is how many components so many rows of an instance read or write, those that rows share once.
func (w *work) accesses(a *feature.Access, rows float64) float64 {
	if !w.windowed(a) {
		return a.Count * rows
	}
	r, c := shape{ix: 1, iy: rows}.window(w, a)
	return r * c * float64(a.Image.Elem.Lanes)
}

// borderShare is the share of instances at the ends of rows.
func (w *work) borderShare() float64 {
	most := 0.0
	for _, a := range w.stage.Accesses {
		for _, x := range a.Axes {
			if x.Known && x.Var == w.x && a.Outside {
				most = max(most, float64(x.Span()-1))
			}
		}
	}
	r := w.stage.Of.Space.Ranges[w.vars-1]
	width := float64(max(1, w.eval(r.Hi)-w.eval(r.Lo)))
	return min(1, most/width)
}
