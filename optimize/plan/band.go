package plan

import (
	"math"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// bandShapes are lines, columns and work-items of groups that take bands. Of those that cost the same the first is taken: more columns at a time are more
// bytes on their way, and groups of fewer lines are more groups.
var bandShapes = [][3]int{{16, 128, 128}, {32, 128, 256}, {32, 64, 128}, {16, 64, 64}, {32, 32, 64}}

// bands are groups that take lines along lines of images through local memory.
func bands(w *work) []Candidate {
	x, _ := block.AnalyzeBand(w.stage.Of)
	m := w.model
	if x == nil || w.stage.Of.Scan.Axis != w.vars-1 || !m.Memory.LocalDedicated.Yes() {
		return nil
	}
	var list []Candidate
	most := m.Limits.LocalPerGroup.Int(0)
	for _, shape := range bandShapes {
		if !m.Rates.Clock.Known && w.lines() < float64(shape[0])*m.Rates.Units.Or(16) {
			continue // groups that leave units idle, which no term of the cost tells
		}
		if x.LocalBytes(shape[0], shape[1]) <= min(most, bandBytes) && x.Held(shape[0], shape[1], shape[2]) <= bandHeld {
			why := "a group loads and stores its lines together, neighbours next to each other, and runs them in local memory"
			list = append(list, Candidate{Decisions: schedule.Decisions{Band: shape}, Why: why})
		}
	}
	return list
}

// What groups take of local memory, and items of registers for what is on its way, at most.
const (
	bandBytes = 48 << 10
	bandHeld  = 64
)

// What a band costs, as it was guessed before any was measured. A scan of 8192 x 8192 f32 from one image to another, 196 us by these, takes 208 to 231 on an H200.
// These are cycles of an operator that the next one waits for, instructions of an item for each pixel that it loads, moves and stores by way of local memory, and for each
// access of memory, and how long a load takes where memory is busy.
const (
	chainCycles = 4
	moveOps     = 6
	accessOps   = 18
	busyLoad    = 1e-6
)

// unitShare is how much more than its share of the device's bandwidth a compute unit can have by itself.
const unitShare = 2

// costOfBand is what bands cost: pieces follow each other, and of each the load takes as long as the lines of the piece before, or longer.
func (w *work) costOfBand(d schedule.Decisions) Cost {
	s := w.shapeOf(d)
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0), Apart: s.apart()}
	x, _ := block.AnalyzeBand(w.stage.Of)
	lines, columns, size := float64(d.Band[0]), float64(d.Band[1]), float64(d.Band[2])
	bw, r, l := &w.model.Bandwidth, &w.model.Rates, &w.model.Limits
	rate := w.bandwidth(&c)
	units := r.Units.Or(1)
	groups := math.Ceil(w.lines() / lines)
	c.Memory = (w.read + w.written) / (rate * min(1, unitShare*groups/units))
	if bw.Fabric.Known {
		c.Fabric = (w.read + w.written) / bw.Fabric.Value
	}
	clock := r.Clock.Or(0)
	chip := units * clock * min(1, groups/units)
	if chip == 0 {
		return c
	}
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	room := max(1, min(l.ItemsPerUnit.Or(2048)/size, l.GroupsPerUnit.Or(32), l.LocalPerUnit.Or(48<<10)/float64(x.LocalBytes(d.Band[0], d.Band[1]))))
	pieces := math.Ceil(w.count(0)/columns) * math.Ceil(groups/(units*room))
	move := 0.0
	for _, p := range x.Pieces {
		move += moveOps + accessOps/max(1, float64(w.access()/p.Image.Elem.Kind.Bytes()))
	}
	moves := move * lines * columns / size / clock
	c.Steps = pieces * (moves + max(busyLoad, columns*chainCycles*(1+ops.Total())/clock))
	if r.Issue.Known {
		idle := max(1, l.Subgroup.Or(1)/lines) // items of a subgroup that have no line
		each := idle*(ops.Total()+3) + move
		c.Issue = each * w.instances / (r.Issue.Value * r.IssueShare.Or(1) * chip)
	}
	c.pipes(ops, w.instances, r, chip)
	if r.LocalBytes.Known {
		c.Local = 4 * float64(len(x.Pieces)) * block.BankBytes * w.instances / (r.LocalBytes.Value * bankShare * chip)
	}
	c.Fixed += w.starts(s, d, &c)
	return c
}

// Whole says of a scan whose lines could be cut into chunks whether they are taken as wholes: by groups, or by work-items that have enough to do.
func Whole(s *hast.Stage, t Target) bool {
	return (s.Scan.Twofold || s.Scan.Tables) && t.Model.Class == archmodels.CPU || Stage(s, t).Picked.Whole()
}

// Lines of scans that no group takes are cut into chunks, where they can be (optimize/recurrence).
const (
	shortestChunk = 32
	enoughChunks  = 1 << 17
)

// chains is how many work-items run the lines of a scan that no group takes.
func (w *work) chains() float64 {
	n, along := 1.0, 1.0
	s := w.stage.Of
	for i, r := range s.Space.Ranges {
		count := math.Max(1, float64(w.eval(r.Hi)-w.eval(r.Lo)))
		if i == s.Scan.Axis {
			along = count
		} else {
			n *= count
		}
	}
	if !s.Scan.Chunks {
		return n
	}
	return n * min(max(1, along/shortestChunk), max(1, enoughChunks/n))
}

// sectorShare is the part of a sector that goes over for each pixel where neighbouring items stand on different lines: on an H200 108 million sectors of f32
// went over for 8192 x 8192 pixels that were read and written, of 134 million that these are in.
const sectorShare = 0.8

// onLines is by how much more goes over than there are bytes where work-items run along lines of images.
func (w *work) onLines(d schedule.Decisions) float64 {
	s := w.stage.Of
	if s.Scan == nil || s.Scan.Meet() || d.Lines() || !w.model.Memory.Sector.Known {
		return 1
	}
	all, moved := 0.0, 0.0
	for _, a := range w.stage.Accesses {
		bytes := float64(feature.PixelBytes(a.Image)) * a.Count
		all += bytes
		if n := len(a.Axes); n > 0 && a.Axes[n-1].Var == scanned(s) {
			bytes = max(bytes, sectorShare*w.model.Memory.Sector.Value*a.Count)
		}
		moved += bytes
	}
	return max(1, moved/max(1, all))
}

func scanned(s *hast.Stage) *hast.Var { return s.Space.Vars[s.Scan.Axis] }
