package plan

import (
	"math"
	"slices"

	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// Persistent groups (lower/persistent.go): those that a device has room for go through all tiles, and join at last what they have accumulated, in copies of what is updated or in registers for reductions.

// persistent reports whether groups that carry out the stage as decided are.
func (w *work) persistent(d schedule.Decisions) bool {
	return w.stage.Of.Reduced != nil || d.Persistent()
}

// persistents are blocks in persistent groups: of a stage that reduces what it computes, and of one that updates what has few pixels, if blocks, or those of what is fused with it, share more than the pixels of one line,
// rows of a window, or what follows one of the coordinates alone. All other updates take pixels in turn: ranks of the brightness of pixels of three bytes (halide/equalize, 8192 x 8192 on an H200) took 57 us
// so and 66 in tiles, for which 55 are predicted.
func persistents(w *work, blocks []Candidate) (list []Candidate) {
	reduces := w.stage.Of.Reduced != nil
	along := w.stage.Along[0].Total() + w.stage.Along[1].Total()
	if !reduces && (!w.sharesRows() && along == 0 || w.copyBytes() == 0) {
		return nil
	}
	for _, c := range blocks {
		d := c.Decisions
		if d.Local != 0 || d.Stream > 0 || d.Flat != 0 {
			continue
		}
		if c.Small, c.Resident = 0, 0; reduces {
			list = append(list, c)
		} else if d.Runs == 0 && d.Blocks() {
			list = append(list, counting(w, c)...)
		}
	}
	return list
}

// counting are the ways for groups to count in blocks: so many that there is room for all of them at once, with as many copies as their local memory has room for then.
func counting(w *work, c Candidate) (list []Candidate) {
	d, held := c.Decisions, max(1, w.shapeOf(c.Decisions).held)
	for _, size := range []int{512, 256, 128} {
		d.Tile = inGroupsOf(c.Decisions, size)
		for _, perUnit := range w.roomFor(size, held) {
			copies, parts := w.copiesIn(w.copyBytes(), perUnit, size)
			if copies == 0 {
				continue
			}
			if d.Parts = 0; parts > 1 {
				d.Parts = parts
			}
			d.Copies = [3]int{copies, size, max(1, w.model.Rates.Units.Int(16)*perUnit/parts) * parts}
			list = append(list, Candidate{Decisions: d, Why: c.Why + ", in persistent groups, and few updates meet in one place"})
		}
	}
	return list
}

// inGroupsOf is a tile of the blocks of so many items, as wide as that of decisions.
func inGroupsOf(d schedule.Decisions, size int) [2]int {
	across := d.Tile[0] / d.Item[0]
	if d.Item[1] == 0 {
		return [2]int{size * d.Item[0], 0}
	}
	return [2]int{d.Tile[0], max(1, size/across) * d.Item[1]}
}

// roomFor is how many groups of so many items, each with so many registers, a unit is given: as many as others that count in copies, as far as there is room for them.
func (w *work) roomFor(size int, registers float64) (list []int) {
	l := w.model.Limits
	room := max(1, int(l.RegistersPerUnit.Or(65536)/registers)/size)
	for _, n := range perUnits(w, l.ItemsPerUnit.Int(2048)/size) {
		if n = max(1, min(n, room)); !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// copiesIn is how many copies of so many bytes each of some groups of a unit has, or of how many parts it has one; 0 copies where there is no room for any.
func (w *work) copiesIn(bytes float64, perUnit, size int) (copies, parts int) {
	l := w.model.Limits
	if bytes > everyLocal && !w.updatesFloats() {
		if parts = w.partsOf(bytes, perUnit); parts > mostParts {
			return 0, 0
		}
		return 1, parts
	}
	room := l.LocalPerUnit.Or(l.LocalPerGroup.Value) / float64(perUnit)
	if w.updatesFloats() { // each item has one
		if room = min(room, float64(w.local)); float64(size)*bytes > room {
			return 0, 0
		}
		return size, 1
	}
	n := w.model.Prefers.HistogramCopies.Int(16)
	for n > 0 && float64(n)*bytes > min(room, everyLocal) {
		n /= 2
	}
	return n, 1
}

// sharesRows reports whether neighbouring instances read pixels in common of lines below each other.
func (w *work) sharesRows() bool {
	for _, a := range w.stage.Accesses {
		if a.Writes || !w.windowed(a) {
			continue
		}
		for _, x := range a.Axes {
			if x.Known && x.Var != nil && x.Var == w.y && x.Span() > x.Mul {
				return true
			}
		}
	}
	return false
}

// A residency is how many of the persistent groups of a launch run at once.
type residency struct {
	groups  float64 // of the launch that have tiles
	items   float64 // of a group
	perUnit float64 // groups that a unit has room for, if there are as many
	units   float64
}

// residency is what registers, local memory and the number of work-items leave room for.
func (s *shape) residency(w *work, d schedule.Decisions) residency {
	l := w.model.Limits
	r := residency{items: float64(max(1, d.GroupItems())), units: max(1, w.model.Rates.Units.Or(1)), groups: float64(d.Copies[2])}
	if w.stage.Of.Reduced != nil {
		r.groups = float64(block.Parts(w.stage.Of))
	}
	tiles, _ := s.groupsOf(w, d)
	r.groups = min(r.groups, tiles*float64(max(1, d.Parts)))
	room := min(l.ItemsPerUnit.Or(2048)/r.items, l.GroupsPerUnit.Or(32), l.RegistersPerUnit.Or(65536)/(max(1, s.held)*r.items))
	if d.Copies[0] > 0 {
		bytes := w.copyBytes()*float64(d.Copies[0])/float64(max(1, d.Parts)) + l.LocalReserved.Or(0)
		room = min(room, l.LocalPerUnit.Or(l.LocalPerGroup.Value)/bytes)
	}
	r.perUnit = max(1, min(math.Floor(room), math.Ceil(r.groups/r.units)))
	return r
}

// waves are how many times over the units are filled with groups, by what there is of them and until the last of them ends. In the last wave a unit that has few groups is done as much sooner as
// it has fewer, but not sooner than with saturating work-items.
func (r residency) waves(saturating float64) (filled, took float64) {
	filled = r.groups / (r.units * r.perUnit)
	full := math.Floor(filled)
	if took = full; filled > full {
		rest := math.Ceil((filled-full)*r.perUnit) / r.perUnit
		if full > 0 {
			rest = max(rest, min(1, saturating/(r.perUnit*r.items)))
		}
		took += rest
	}
	return filled, took
}

// atOnce is how many work-items run at once on a unit.
func (r residency) atOnce() float64 { return r.items * min(r.perUnit, r.groups/r.units) }

// balancePersistent is balance of persistent groups: those that have most tiles are waited for, and the last wave of groups where there are more than there is room for.
func (s *shape) balancePersistent(w *work, d schedule.Decisions) float64 {
	tiles, room := s.groupsOf(w, d)
	r := s.residency(w, d)
	if tiles == 0 || r.groups == 0 {
		return 1
	}
	sharing := math.Ceil(r.groups / float64(max(1, d.Parts)))
	filled, took := r.waves(w.model.Prefers.ItemsInFlight.Or(0) / max(1, s.loadedAtOnce(w)))
	return min(1, w.instances/(room*math.Ceil(tiles/sharing)*sharing)) * min(1, filled/took)
}

// inStep is the part of the time that is lost in persistent groups where moving and computing take equally long. Where a launch has a group for each tile, they start one after the other, and some load while
// others compute; persistent groups start together, and wait for memory together in each tile. Seen and predicted as for groups of a tile each, 8192 x 8192 bytes on an H200: a gradient by dot products,
// stored and reduced, by 1024 items of a unit at once, 77 us and 58 (memory 50, arithmetic 47); the greatest of 3 x 3, stored and counted, by 512 items, 53 us and 44 (32 and 38); gradients that are
// stored and reduced twice 59 us and 55 (34 and 48).
const inStep = 0.5

// apartOf is apart under decisions.
func (s *shape) apartOf(w *work, d schedule.Decisions) float64 {
	if w.persistent(d) {
		return max(s.apart(), inStep)
	}
	return s.apart()
}

// loadedAtOnce is how much an item loads of a block before it computes, of what it is to have on its way for so many items to keep memory busy. Where a launch has a group for each tile, others start as
// soon as there is room; persistent groups are all that there are.
func (s *shape) loadedAtOnce(w *work) float64 {
	bytes := 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) {
			rows, cols := s.window(w, a)
			bytes += rows * cols * float64(feature.PixelBytes(a.Image))
		}
	}
	p := w.model.Prefers
	return bytes / (p.RowBytes.Or(16) * p.LoadsInFlight.Or(4))
}

// persistentInFlight is how many work-items of other launches the loads under way of persistent groups are worth. Those that reduce leave no more under way than those: nobody has measured them where they are few.
func (s *shape) persistentInFlight(w *work, d schedule.Decisions) float64 {
	r, loaded := s.residency(w, d), s.loadedAtOnce(w)
	if w.stage.Of.Reduced != nil {
		loaded = min(1, loaded)
	}
	return r.atOnce() * r.units * loaded
}

// usesOnce reports whether each pixel that an access reads is that of one instance.
func (w *work) usesOnce(a *feature.Access) bool {
	return !a.Writes && w.windowed(a) && !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Span() > max(1, x.Mul) })
}

// sharesAlong has what follows one of the coordinates alone computed once for each column or row of a block.
func (s *shape) sharesAlong(w *work, out *feature.Ops) {
	for p := range out {
		out[p] = max(0, out[p]-w.stage.Along[0][p]*(1-1/s.iy)-w.stage.Along[1][p]*(1-1/s.ix))
	}
}
