package plan

import (
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// ahead are work-items that take a line of a scan each and read what several steps need before they compute these. Few lines are in small groups, so that
// all units have some.
func ahead(w *work) (list []Candidate) {
	s := w.stage.Of
	if s.Scan == nil || s.Scan.Meet() || block.Components(block.AheadOf(s)) == 0 {
		return nil
	}
	size := 128
	for size > 32 && w.lines() < float64(size)*w.model.Rates.Units.Or(1) {
		size /= 2
	}
	for _, n := range []int{8, 4, 2} {
		d := schedule.Decisions{Ahead: n, Tile: [2]int{size}}
		if len(s.Space.Vars) > 2 {
			d.Tile[1] = 1
		}
		list = append(list, Candidate{Decisions: d, Why: "what several steps read is on its way together"})
	}
	return list
}

// stepLoad is how long a step waits for what it reads. A step of four pixels of 64 bytes took 2.3 us on an H200 that read what it had written before, too.
const stepLoad = 0.7e-6

// alongLines is the time of the steps of lines that work-items take, of which each waits for what it reads, unless that of several is under way together.
func (w *work) alongLines(d schedule.Decisions) float64 {
	s, r := w.stage.Of, &w.model.Rates
	if s.Scan == nil || s.Scan.Meet() || d.Lines() || !r.Clock.Known {
		return 0
	}
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	chains := max(1, w.chains())
	turns := max(1, chains/(r.Units.Or(1)*w.model.Limits.ItemsPerUnit.Or(2048)))
	return turns * w.instances / chains * (stepLoad/max(1, float64(d.Ahead)) + ops.Total()/r.Clock.Value)
}
