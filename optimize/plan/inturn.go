package plan

import (
	"imgc/optimize/schedule"
)

// inTurn are blocks of which groups go through tiles in turn, to update copies in local memory: of stages whose blocks share more than the pixels of one line, rows of a window or what is fused
// with them. Groups are so many that their registers leave room for all of them at once, or half as many, and have as many copies as their local memory has room for then.
func inTurn(w *work, blocks []Candidate) (list []Candidate) {
	bytes := w.copyBytes()
	if len(w.stage.Parts) == 0 && !w.sharesRows() || bytes == 0 || bytes > everyLocal {
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
				copies := w.copiesIn(bytes, perUnit, size)
				if copies == 0 {
					continue
				}
				e.Copies = [3]int{copies, size, w.model.Rates.Units.Int(16) * perUnit}
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

// roomFor is how many groups of so many items, each with so many registers, a unit is given: as many as it has room for, and half of them.
func (w *work) roomFor(size int, registers float64) []int {
	l := w.model.Limits
	room := max(1, int(min(l.ItemsPerUnit.Or(2048), l.RegistersPerUnit.Or(65536)/registers)/float64(size)))
	if room == 1 {
		return []int{1}
	}
	return []int{room, room / 2}
}

// copiesIn is how many copies of so many bytes each of some groups of a unit has; 0 where there is no room for any.
func (w *work) copiesIn(bytes float64, perUnit, size int) int {
	l := w.model.Limits
	room := l.LocalPerUnit.Or(l.LocalPerGroup.Or(48<<10)) / float64(perUnit)
	if w.updatesFloats() { // each item has one
		if room = min(room, float64(w.local)); float64(size)*bytes > room {
			return 0
		}
		return size
	}
	n := w.model.Prefers.HistogramCopies.Int(16)
	for n > 0 && float64(n)*bytes > min(room, everyLocal) {
		n /= 2
	}
	return n
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
