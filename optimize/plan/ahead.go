package plan

import (
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// ahead are work-items that take a line of a scan each and read what several steps need before they compute these. Few lines are in small groups, so that
// all units have some. Lines that can be cut into chunks are: the columns of a recursive filter of 8192 x 8192 pixels took 0.3 ms so on an H200, a scan of
// columns that read 16 steps ahead 0.6.
func ahead(w *work) (list []Candidate) {
	s := w.stage.Of
	if s.Scan == nil || s.Scan.Meet() || s.Scan.Chunks || block.Components(block.AheadOf(s)) == 0 {
		return nil
	}
	size := 128
	for size > 32 && w.lines() < float64(size)*w.model.Rates.Units.Or(1) {
		size /= 2
	}
	for _, n := range []int{32, 16, 8, 4, 2} {
		d := schedule.Decisions{Ahead: n, Tile: [2]int{size}}
		if len(s.Space.Vars) > 2 {
			d.Tile[1] = 1
		}
		list = append(list, Candidate{Decisions: d, Why: "what several steps read is on its way together"})
	}
	return list
}

// fetching are work-items that run a chunk of a line each and read what several steps need before they compute these. Some 1000 items to a unit have 16 bytes each on
// their way then, and half or all of that where a step reads more: enough for the bandwidth.
func fetching(w *work) (list []Candidate) {
	s := w.stage.Of
	steps := block.StepsOf(s)
	if steps == nil || steps.Loop == nil || block.Components(block.AheadOf(s)) == 0 {
		return nil
	}
	for _, n := range []int{16, 8, 4} {
		d := schedule.Decisions{Fetch: n, Tile: [2]int{256, 1}}
		if len(s.Space.Vars) == 1 {
			d.Tile[1] = 0
		}
		list = append(list, Candidate{Decisions: d, Why: "what several steps of a chunk read is on its way together"})
	}
	return list
}

// How long a step waits for what it reads, and cycles for each of its operations, which wait for each other. Of 8192 steps of as many lines of f32 each took 0.39,
// 0.24, 0.14, 0.10 and 0.07 us on an H200 in CUDA with 1, 2, 4, 8 and 16 read together; of the costs of 16 displacements, 160 operations, some 1.2, 0.8, 0.55 and 0.5
// with 1, 2, 4 and 8, if what else the pipeline does takes 17 ms.
const (
	stepLoad   = 0.4e-6
	stepCycles = 6
)

// alongLines is the time of the steps of lines that work-items take, of which each waits for what it reads, unless that of several is under way together.
func (w *work) alongLines(d schedule.Decisions) float64 {
	s, r := w.stage.Of, &w.model.Rates
	if s.Scan == nil || s.Scan.Meet() || d.Lines() {
		return 0
	}
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	chains := max(1, w.chains())
	turns := max(1, chains/(r.Units.Or(1)*w.model.Limits.ItemsPerUnit.Or(2048)))
	return turns * w.instances / chains * (stepLoad/max(1, float64(d.Ahead)) + stepCycles*ops.Total()/r.Clock.Value)
}
