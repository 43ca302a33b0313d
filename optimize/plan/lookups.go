package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/optimize/feature"
)

// bankConflicts is how many times as long as one by neighbours a look-up by 32 items at places that data decides takes, where the table has more words than there are
// banks. A filter of 81 look-ups in 1024 floats took 2495 us of 8192 x 8192 on an H200, which is 3.4 times what one word for each item takes; chance has most of 32 items meet in
// a bank so often.
const bankConflicts = 3.4

// nearest is how many bytes an image has at most that stays in the first cache whatever else a unit reads.
const nearest = 4 << 10

// lookUps is the time of reads of small images at places that data decides, by which the banks of the nearest memory are kept.
func (w *work) lookUps(r *archmodels.Rates, chip float64) float64 {
	if !r.LocalBytes.Known {
		return 0
	}
	passes := 0.0
	for _, a := range w.stage.Accesses {
		bytes := w.places(a) * float64(a.Image.Elem.Kind.Bytes())
		if !a.Writes && !w.windowed(a) && byData(a) && bytes <= nearest {
			words := bytes / bankBytes
			passes += a.Count * float64(a.Image.Elem.Lanes) * max(1, min(bankConflicts, words/banks))
		}
	}
	return passes * bankBytes * w.instances * w.repeats() / (r.LocalBytes.Value * chip)
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
