package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
)

// bankConflicts is how many times as long as one by neighbours a look-up by 32 items at places that data decides takes, where the table has more words than there are
// banks. A filter of 81 look-ups in 1024 floats took 2495 us of 8192 x 8192 on an H200, which is 3.4 times what one word for each item takes; chance has most of 32 items meet in
// a bank so often.
const bankConflicts = 3.4

// nearest is how many bytes an image has at most that stays in the first cache whatever else a unit reads.
const nearest = 4 << 10

// lookUps is the time of reads of small images at places that data decides, by which the banks of the nearest memory are kept.
func (s *shape) lookUps(w *work, r *archmodels.Rates, chip float64) float64 {
	if !r.LocalBytes.Known {
		return 0
	}
	passes := 0.0
	for _, a := range w.stage.Accesses {
		if w.isLookUp(a) {
			words := w.places(a) * float64(a.Image.Elem.Kind.Bytes()) / bankBytes
			passes += a.Count * s.timesLookedUp(w, a) * float64(a.Image.Elem.Lanes) * max(1, min(bankConflicts, words/banks))
		}
	}
	return passes * bankBytes * w.instances * w.repeats() / (r.LocalBytes.Value * chip)
}

// isLookUp reports whether an access is a read of a small image at places that data decides.
func (w *work) isLookUp(a *feature.Access) bool {
	return !a.Writes && byData(a) && !w.windowed(a) && w.places(a)*float64(a.Image.Elem.Kind.Bytes()) <= nearest
}

// timesLookedUp is how many times an instance makes an access that is a look-up of a stage fused with its own, which is made for what lies around the block, too.
func (s *shape) timesLookedUp(w *work, a *feature.Access) float64 {
	if len(w.stage.Parts) == 0 || !w.isLookUp(a) {
		return 1
	}
	times := 0.0
	for _, p := range w.readers(a.Image) {
		times = max(times, s.share(w, p))
	}
	if times == 0 { // its own
		return 1
	}
	return times
}

// readers are the parts that read an image.
func (w *work) readers(m *hast.Image) []*feature.Part {
	return memo.Of(&w.lookedUp, m, func() (list []*feature.Part) {
		for _, p := range w.stage.Parts {
			reads := false
			p.Of.EachRead(func(n *hast.Image) { reads = reads || n == m })
			if reads {
				list = append(list, p)
			}
		}
		return list
	})
}

// byData reports whether an access is at places that data decides.
func byData(a *feature.Access) bool {
	return slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return !x.Known && !x.Host })
}

// The nearest memory gives a word to each item of a warp that is alone at its bank.
const (
	banks     = 32
	bankBytes = 4
)
