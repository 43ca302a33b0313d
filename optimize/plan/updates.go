package plan

import (
	"math"

	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// setUp is the time that groups take to clear their copies and to join them, in which nothing else goes on: few large groups take less
// than many small ones. Histograms of 256 values took 29.1 us on an H200 with four groups of 512 on each unit and 28.6 us with two; of 1920 x 1080 bytes
// on an H100 5.0 us with two and 4.0 with one.
func (w *work) setUp(d schedule.Decisions, chip float64) (t float64) {
	bytes, joined := 0.0, 0.0 // the latter in seconds
	for _, a := range w.stage.Accesses {
		if d.Copies[0] > 0 && a.Updates {
			n := w.places(a) / float64(max(1, d.Parts)) * float64(d.Copies[2])
			bytes += waitedFor * 4 * n * float64(d.Copies[0])
			if rate := w.updateRate(a); rate > 0 {
				joined += n / (inOrder * rate)
			}
		}
	}
	if rate := w.model.Rates.LocalBytes; rate.Known {
		t += bytes / (rate.Value * chip)
	}
	return t + joined
}

// updateRate is how many updates of an image in memory there are in a second, at places in any order; 0 if it is not known. Those of one line of a cache wait for each other, so that it
// grows with the places until all that make updates are busy. On an H200 65536 bins took 0.75 ms for 8192 x 8192 random pixels, 256 bins 8.3.
func (w *work) updateRate(a *feature.Access) float64 {
	few, many := w.model.Rates.GlobalAtomics.Or(0), w.model.Rates.SpreadAtomics
	if !many.Known {
		return few
	}
	return min(few*max(1, w.places(a)/updatedPlaces), max(few, many.Value))
}

// updatedPlaces is how many places are updated at the rate that a model calls global_atomics.
const updatedPlaces = 256

// waitedFor is how many times the components of copies are counted that are cleared and joined: twice, and as often again for the barriers between. Of 32 copies
// the histogram of 1920 x 1080 bytes took 4.5 us on an H100, of 16 4.1, of 8 4.0.
const waitedFor = 4

// inOrder is how many times as many updates of memory there are in a second where neighbours update neighbouring places as where they do any.
const inOrder = 4

// fewPlaces is how many components of an image are so few that updates of many items meet, or come in any order; images have more, and neighbours update neighbouring pixels of them.
const fewPlaces = 1 << 20

// meeting is how many times as long updates of copies in local memory take, by how often the copies were halved that neighbours meet in none of. With half
// as many a histogram took 25 us instead of 20 on an H200, with a quarter 32, and with fewer than that 35. Boxes around labels (basics/scatter), of which a
// quarter is the most that fits, took 50 us with that, 66 with half as many, and 72 with fewer.
var meeting = [...]float64{1, 2.8, 3.7, 4, 4.2, 4.3}

// ownUpdate is how many times as long as an update of local memory by an atomic operation an item takes to read, change and write what is its own, and busyItems how many
// items of a unit hide that each of its updates waits for the one before. Both are taken from what a load of local memory takes, and are not measured.
const (
	ownUpdate = 2
	busyItems = 512
)

// updates is how many updates an access makes that may meet others.
func (w *work) updates(a *feature.Access, d schedule.Decisions) float64 {
	lanes, inCopies := float64(a.Image.Elem.Lanes), d.Copies[0] > 0
	switch {
	case a.Updates && d.Cells > 0:
		return a.Count * lanes * w.inCells(a, d)
	case !a.Updates || a.Total && a.Image.Elem.Kind == types.Bool: // which is stored, if it changes at all
		return 0
	case w.places(a) > fewPlaces:
		return 0
	case a.Total && !inCopies:
		return lanes * w.instances / float64(max(1, d.Item[0])*max(1, d.Item[1]))
	}
	return a.Count * lanes * w.instances
}

// atomics is the time of updates that meet: of global memory, or of copies in local memory.
func (w *work) atomics(d schedule.Decisions, chip float64) (t float64) {
	local := d.Copies[0]+d.Cells > 0 && w.model.Rates.LocalAtomics.Known
	for _, a := range w.stage.Accesses {
		n := w.updates(a, d)
		if rate := w.updateRate(a); local {
			t += n * w.localUpdate(d) / (w.model.Rates.LocalAtomics.Value * chip)
		} else if rate > 0 {
			t += n / rate
		}
	}
	return t
}

// skewed is what updates of memory take beyond their time at any places if one of skewedShare is at one place. That is little for values of pictures, which have backgrounds and lights that
// are cut off, and copies in local memory take no longer for it.
func (w *work) skewed(d schedule.Decisions) (t float64) {
	rate := w.model.Rates.GlobalAtomics
	if d.Copies[0]+d.Cells > 0 || !rate.Known {
		return 0
	}
	for _, a := range w.stage.Accesses {
		if !a.Total && byData(a) {
			t += onePlace * w.updates(a, d) / (skewedShare * rate.Value)
		}
	}
	return t
}

// onePlace is how many times as long updates of one place take as those of 256: a constant image of 8192 x 8192 bytes took 49.5 ms on an H200, and a random one 8.3.
const (
	onePlace    = 6
	skewedShare = 16
)

// localUpdate is how many times as long an update of a copy takes as one that meets no other.
func (w *work) localUpdate(d schedule.Decisions) float64 {
	copies := float64(d.Copies[0])
	if d.Cells > 0 {
		return w.cellUpdate(d)
	}
	if d.Copies[0] > 1 && d.Copies[0] == d.Copies[1] {
		items := float64(d.Copies[1]*d.Copies[2]) / w.model.Rates.Units.Or(16)
		return ownUpdate * max(1, busyItems/items)
	}
	return w.met(copies) * math.Pow(float64(max(1, d.Parts)), meetingInParts)
}

// met is how many times as long updates take that meet in so many copies.
func (w *work) met(copies float64) float64 {
	halved := math.Log2(max(1, w.model.Prefers.HistogramCopies.Or(1)/copies))
	return meeting[min(int(halved), len(meeting)-1)]
}

// meetingInParts says by how much longer updates of local memory take where groups have parts of what is updated, as a power of the parts: each group tries all of them, with so many fewer
// items of a subgroup at once, of which fewer meet at a bank. Of 32, 16, 8 and 4 items at random banks of 32 the most at one are 3.5, 2.6, 1.9 and 1.4 in the mean.
const meetingInParts = 0.55

// isInPart is how many operations an update of a part takes to see whether it is one.
const isInPart = 2
