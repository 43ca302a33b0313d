package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// Instances that write several neighbouring pixels, as those of up[4*y : 4][4*x : 4] = down[y][x]: blocks of them store rows of so many times
// their width at once. One by one they store pixels that lie apart.

// several is the output of which an access writes several pixels for each instance; nil of any other access.
func (w *work) several(a *feature.Access) *block.Output {
	if !a.Writes || len(w.stage.Parts) > 0 {
		return nil
	}
	for _, o := range w.blocked().Outputs {
		if o.Image.Base() == a.Image.Base() && o.X.Apart()*o.Y.Apart() > 1 {
			return o
		}
	}
	return nil
}

// enlarges reports whether instances write several pixels of some image.
func (w *work) enlarges() bool {
	return slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return w.several(a) != nil })
}

// widths are those that blocks may have: of one instance, too, where each writes several pixels, and multiples of odd periods.
func (w *work) widths() []int {
	widths := []int{2, 4, 8, 16}
	if n := w.oddPeriod(); n > 1 {
		for ix := n; ix <= widths[3]; ix *= 2 {
			widths = append(widths, ix)
		}
		slices.Sort(widths)
	}
	if w.enlarges() || w.readsRuns() {
		return append([]int{1}, widths...)
	}
	return widths
}

// readsRuns reports whether an instance reads runs of pixels that no other one reads, which it then loads in few accesses: 8 x 8 bytes, as codecs and block matching take them, in 8, where
// one by one they are 64.
func (w *work) readsRuns() bool {
	return w.model.Class != archmodels.CPU && len(w.stage.Parts) == 0 && slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		return !a.Writes && w.windowed(a) && ownRun(w, a) > 1 && ownRun(w, a)*feature.PixelBytes(a.Image) >= leastRun
	})
}

// ownRun is how many neighbouring pixels of a row an instance reads that no other one reads; 1 where others do.
func ownRun(w *work, a *feature.Access) int64 {
	if last := len(a.Axes) - 1; last >= 0 {
		if x := a.Axes[last]; x.Known && x.Var != nil && x.Var == w.x && x.Span() <= x.Mul {
			return max(1, x.Span())
		}
	}
	return 1
}

// ownRows is how many rows of its own an instance loads such runs of at once.
func (w *work) ownRows() float64 {
	most := int64(1)
	for _, a := range w.stage.Accesses {
		if a.Writes || !w.windowed(a) || ownRun(w, a) == 1 {
			continue
		}
		for _, y := range a.Axes {
			if y.Known && y.Var != nil && y.Var == w.y && y.Span() <= y.Mul {
				most = max(most, y.Span())
			}
		}
	}
	return float64(most)
}

// leastRun is how many bytes a run has at least that an instance by itself loads in few accesses.
const leastRun = 8

// across is how many pixels of a row of an image a block of instances writes, or reads without those beside it.
func (s *shape) across(w *work, a *feature.Access) float64 {
	if o := w.several(a); o != nil && s.blocks && !s.local {
		return s.ix * float64(o.X.Apart())
	}
	return s.ix
}

// begins is the largest power of two of bytes, up to some, at which rows of what instances write begin: where the first pixel does not lie there,
// stores at both ends of a row are narrower than others.
func begins(o *block.Output, most float64) float64 {
	if lo := int64(o.X.Lo) * feature.PixelBytes(o.Image); lo != 0 {
		return min(most, float64(lo&-lo))
	}
	return most
}

// narrowEnds is how many more accesses a row takes that does not begin where accesses of so many bytes do. On an H200 blocks of 4 x 4 bytes at 4*x + 2
// took 0.91 ms one by one, 8192 x 8192 of them, and 1.52 ms four at a time, which store rows by 2, 4, 8 and 2 bytes; those at 4*x 0.39 and 0.29 ms.
func narrowEnds(o *block.Output, access float64) float64 {
	return math.Log2(access / begins(o, access))
}
