package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
)

// nearest is how many bytes an image has at most that stays in the first cache whatever else a unit reads.
const nearest = 4 << 10

// lookUps is the time of reads of small images, and of constant arrays, at places that data decides, by which the banks of the nearest memory are kept.
func (s *shape) lookUps(w *work, r *archmodels.Rates, chip float64) float64 {
	if !r.LocalBytes.Known {
		return 0
	}
	passes := 0.0
	for _, a := range w.stage.Accesses {
		if w.isLookUp(a) {
			passes += a.Count * s.timesLookedUp(w, a) * float64(a.Image.Elem.Lanes) * feature.Passes(w.places(a)*float64(a.Image.Elem.Kind.Bytes()))
		}
	}
	passes += s.ops(w)[feature.LookUp]
	return passes * feature.BankBytes * w.instances * w.repeats() / (r.LocalBytes.Value * chip)
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
