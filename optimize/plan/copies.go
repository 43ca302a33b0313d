package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// perUnits is how many groups a unit has of those that count in copies: half of those that it has room for, or all; or a quarter, where half would have
// less than one block of points for each load that an item can wait for, so that they would clear and join their copies for little.
func perUnits(w *work, room int) []int {
	list := []int{room / 2, room}
	if w.fewPoints() {
		list = append([]int{room / 4}, list...)
	}
	return list
}

// fewPoints reports whether half of the items that a device has room for would have less than one block of points for each load that an item can wait for.
func (w *work) fewPoints() bool {
	p := w.model.Prefers
	block := p.RowBytes.Or(16) * p.LoadsInFlight.Or(4)
	return w.instances < block*float64(w.model.Rates.Units.Int(16)*p.GroupsPerUnit.Int(4)*256/2)
}

// updatesFloats reports whether a stage updates floats of which each work-item needs a copy of its own.
func (w *work) updatesFloats() bool {
	return slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return a.Updates && a.Image.Elem.Kind.IsFloat() })
}

// ownCopies are histograms of which each work-item has one for itself: as many groups to a unit as its local memory has room for.
func ownCopies(w *work) []Candidate {
	l, p := w.model.Limits, w.model.Prefers
	units, items := w.model.Rates.Units.Int(16), p.GroupsPerUnit.Int(4)*256
	var list []Candidate
	for _, size := range []int{256, 128, 64, 32} {
		room := min(items/size, int(l.LocalPerUnit.Or(l.LocalPerGroup.Value)/max(1, w.copyBytes()*float64(size))))
		if room < 1 {
			continue
		}
		for _, perUnit := range perUnits(w, room) {
			for _, item := range w.turns(p.LoadsInFlight.Int(4), 2, 1) {
				d := schedule.Decisions{Copies: [3]int{size, size, units * max(1, perUnit)}, Item: item}
				list = append(list, Candidate{Decisions: d, Why: "each work-item has a copy of its own"})
			}
		}
	}
	return list
}

// copyBytes are those of a copy of what a stage updates.
func (w *work) copyBytes() (bytes float64) {
	var seen []*hast.Image
	for _, a := range w.stage.Accesses {
		if m := a.Image; a.Updates && !slices.Contains(seen, m) {
			seen, bytes = append(seen, m), bytes+4*w.places(a)
		}
	}
	return bytes
}

// everyLocal is how much local memory the copies of a group may take on any device, in bytes.
const everyLocal = 32 << 10

// mostParts is in how many parts groups may go through the instances for what they update: updates of memory in any order take less than more parts do.
const mostParts = 8

// roundedPart is by how many bytes parts may be longer than equal ones are, since they begin with lines of a cache.
const roundedPart = 1 << 10

// parts are histograms of more bins than the copies of a group have room for on every device: groups take what a device gives them, as many to a unit as that leaves room for, and
// have a part of the bins each where that does not do.
func parts(w *work) (list []Candidate) {
	l, p := w.model.Limits, w.model.Prefers
	bytes, units := w.copyBytes(), w.model.Rates.Units.Int(16)
	if bytes <= everyLocal || w.updatesFloats() {
		return nil
	}
	shares := []int{1}
	if w.fewPoints() {
		shares = []int{4, 2, 1}
	}
	for _, perUnit := range []int{1, 2, 4} {
		parts := w.partsOf(bytes, perUnit)
		if parts > mostParts {
			continue
		}
		size := min(l.GroupSize.Int(256), p.GroupsPerUnit.Int(4)*256/perUnit)
		d, why := schedule.Decisions{}, "groups have room for all places"
		if parts > 1 {
			d.Parts, why = parts, "each group counts in a part of all places"
		}
		for _, share := range shares { // of the units, which clear and join their copies for little where there are few points
			d.Copies = [3]int{1, size, max(1, units*perUnit/(share*parts)) * parts}
			for _, d.Item = range w.turns(p.LoadsInFlight.Int(4), 2, 1) {
				list = append(list, Candidate{Decisions: d, Why: why})
			}
		}
	}
	return list
}

// partsOf is how many parts bytes that are updated have where so many groups of a unit have one each.
func (w *work) partsOf(bytes float64, perUnit int) int {
	l := w.model.Limits
	room := min(float64(w.local), l.LocalPerUnit.Or(float64(w.local))/float64(perUnit)-l.LocalReserved.Or(0))
	if parts := int(math.Ceil(bytes / max(1, room))); parts <= 1 {
		return parts
	}
	return int(math.Ceil(bytes / max(1, room-roundedPart)))
}

// copies are histograms in local memory. Of ways that cost the same the first is taken: several blocks at a time, so that loads overlap. On an H200
// the last launch of a histogram of 8192 x 8192 bytes took 30.0 us with one block at a time, 26.2 with two and 25.0 with four; groups of twice the size
// took as long as it.
func copies(w *work) []Candidate {
	p := w.model.Prefers
	most := p.HistogramCopies.Int(16)
	units, items := w.model.Rates.Units.Int(16), p.GroupsPerUnit.Int(4)*256
	if w.updatesFloats() {
		return ownCopies(w)
	}
	var list []Candidate
	for n := most; n >= 1; n /= 2 {
		for _, size := range []int{512, 256} {
			for _, perUnit := range perUnits(w, items/size) {
				for _, item := range w.turns(p.LoadsInFlight.Int(4), 2, 1) {
					d := schedule.Decisions{Copies: [3]int{n, size, units * max(1, perUnit)}, Item: item}
					list = append(list, Candidate{Decisions: d, Why: "few updates meet in one place"})
				}
			}
		}
	}
	return list
}
