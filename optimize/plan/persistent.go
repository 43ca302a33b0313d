package plan

import (
	"slices"

	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// inTurn are blocks of which groups go through tiles in turn, to update copies in local memory: of stages whose blocks, or those of what is fused with them, share more than the pixels of one line,
// rows of a window, or what follows one of the coordinates alone. All others take pixels in turn: ranks of the brightness of pixels of three bytes (halide/equalize, 8192 x 8192 on an H200) took 57 us
// so and 66 in tiles, for which 55 are predicted. Groups are so many that there is room for all of them at once, and have as many copies as their local memory has room for then.
func inTurn(w *work, blocks []Candidate) (list []Candidate) {
	bytes := w.copyBytes()
	along := w.stage.Along[0].Total() + w.stage.Along[1].Total()
	if !w.sharesRows() && along == 0 || bytes == 0 {
		return nil
	}
	for _, c := range blocks {
		d := c.Decisions
		if d.Local != 0 || d.Stream > 0 || d.Flat != 0 || d.Runs != 0 || !d.Blocks() {
			continue
		}
		d.Small, d.Resident = 0, 0
		held := max(1, w.shapeOf(d).held)
		for _, size := range []int{512, 256, 128} {
			e := d
			e.Tile = inGroupsOf(d, size)
			for _, perUnit := range w.roomFor(size, held) {
				copies, parts := w.copiesIn(bytes, perUnit, size)
				if copies == 0 {
					continue
				}
				if e.Parts = 0; parts > 1 {
					e.Parts = parts
				}
				e.Copies = [3]int{copies, size, max(1, w.model.Rates.Units.Int(16)*perUnit/parts) * parts}
				list = append(list, Candidate{Decisions: e, Why: c.Why + ", tile by tile, and few updates meet in one place"})
			}
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
	room := l.LocalPerUnit.Or(l.LocalPerGroup.Or(48<<10)) / float64(perUnit)
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

// loadedAtOnce is how much an item loads of a block before it computes, of what it is to have on its way for so many items to keep memory busy. Where a launch has a group for each tile, others start as
// soon as there is room; groups that go through tiles in turn are all that there are.
func (s shape) loadedAtOnce(w *work) float64 {
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

// usesOnce reports whether each pixel that an access reads is that of one instance.
func (w *work) usesOnce(a *feature.Access) bool {
	return !a.Writes && w.windowed(a) && !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Span() > max(1, x.Mul) })
}

// sharesAlong has what follows one of the coordinates alone computed once for each column or row of a block.
func (s shape) sharesAlong(w *work, out *feature.Ops) {
	for p := range out {
		out[p] = max(0, out[p]-w.stage.Along[0][p]*(1-1/s.iy)-w.stage.Along[1][p]*(1-1/s.ix))
	}
}
