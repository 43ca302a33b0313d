package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// Items that add rows to sums as they load them.

// streamedRows is the height of a mask from which sums by rows pay: lower ones leave too little to do while rows are on their way. Of
// this height four rows to an item are as good as eight in large images, and better in small ones.
const streamedRows = 5

// rolledRows is the height of a mask from which a loop over rows may be shorter than a body that is written out.
const rolledRows = 11

// longStrip is the rows of a strip whose loop is not written out: those of the mask that it reads besides are then few.
const longStrip = 256

// streams are work-items that add rows to sums as they load them, in code that is written out or, for large masks, in a loop over
// long strips, whose items are as wide as the mask reaches, since narrower ones at the ends of a line are not loaded by vectors.
func streams(w *work) []Candidate {
	rows, cols := w.reach()
	if w.vars < 2 || w.stage.Class != feature.Local || rows < streamedRows || w.choosesPixels() {
		return nil
	}
	var list []Candidate
	add := func(ix, iy, gy, rolled int, why string) {
		d := w.streamed(ix, iy, gy, rolled)
		if d.Item[0] == ix || w.longRows() { // means of 15 x 15, of rows, took 0.162 ms through OpenCL on an H200 in blocks, 0.170 in 4 columns instead of 8 and 0.257 in a loop
			list = append(list, Candidate{Decisions: d, Why: why})
		}
	}
	ix, gy := w.stripColumns(), w.model.Prefers.GroupY.Int(4)
	heights := []int{4}
	if rows > streamedRows {
		heights = []int{4, 8}
	}
	for _, iy := range heights {
		add(ix, iy, 8*gy/iy, 0, "rows added to all sums that they belong to while the next one is loaded")
	}
	if !w.rollsRows(rows) {
		return list
	}
	for ix < 16 && 2*ix < cols-1 {
		ix *= 2
	}
	add(ix, longStrip, gy, w.model.Rates.Units.Int(16), "rows added to all sums that they belong to, in a loop: the mask is large")
	return list
}

// stripColumns is how many columns an item of a strip has at most, as long as the code for its rows is written out.
func (w *work) stripColumns() int {
	return max(2, w.model.Prefers.RowBytes.Int(16)/w.component())
}

// longerRows is the height of a mask from which a loop over rows may be shorter where code that is written out is long: of 7 x 7 halves such a loop took 0.173 ms on an H200, and blocks 0.125; of
// 9 x 9 pixels of 16 bits 0.218 and 0.294.
const longerRows = 9

// rollsRows reports whether a loop over the rows of a mask of so many is worth looking at: of high masks, and of such whose rows are long.
func (w *work) rollsRows(rows int) bool {
	return rows >= rolledRows || rows >= longerRows && len(w.stage.Parts) == 0 && w.longRows()
}

// longRows reports whether the code for few rows of instances would be longer than the device runs at full speed, as that of masks of several components is.
func (w *work) longRows() bool {
	few := w.streamed(w.stripColumns(), fewInBlock, w.model.Prefers.GroupY.Int(4), 0)
	return w.shapeOf(few).body(w) > w.model.Limits.Body.Or(1000)
}

// streamed is such an item of so many columns, or of fewer where it has no registers for all sums that have begun.
func (w *work) streamed(ix, iy, gy, rolled int) schedule.Decisions {
	decided := func(ix int) schedule.Decisions {
		d := w.block(ix, iy, gy)
		d.Stream, d.Rolled = 2, rolled
		return d
	}
	for n := ix; n > 1; n /= 2 {
		if d := decided(n); w.shapeOf(d).held <= w.mostRegisters() {
			return d
		}
	}
	return decided(ix)
}

// choosesPixels reports whether a stage alone reads floats in windows of streamedRows and more, but fewer than longerRows, under a border rule that chooses between pixels of the image and others. Code for blocks inside of images, which is
// without that, is better than rows that are on their way: masks of 7 x 7 of 8192 x 8192 pixels under a constant border took 0.2237 ms in CUDA on an H100 by rows and 0.1950 in such blocks (0.2072 and 0.2028 through
// OpenCL), mirrored 0.2092 and 0.1911 (0.2086 and 0.2022), of 5 x 5 0.1876 and 0.1877 (0.1847 and 0.1871), 0.1858 and 0.1836, and on an H200 0.1532 and 0.1420 (0.1491 and 0.1468).
func (w *work) choosesPixels() bool {
	rows, _ := w.reach()
	return streamedRows <= rows && rows < longerRows && len(w.stage.Parts) == 0 && w.stage.Class == feature.Local && !w.leveled() && slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		k := a.Image.Elem.Kind
		return !a.Writes && w.windowed(a) && a.Rule != nil && hast.Clamp < a.Rule.Kind && a.Rule.Kind <= hast.Constant && k.IsFloat() && k.Bytes() >= 4
	})
}

// reach is the height and the width of the largest window.
func (w *work) reach() (rows, cols int) {
	for _, a := range w.stage.Accesses {
		for _, x := range a.Axes {
			switch {
			case a.Writes || !x.Known:
			case x.Var == w.y && w.y != nil:
				rows = max(rows, int(x.Span()))
			case x.Var == w.x:
				cols = max(cols, int(x.Span()))
			}
		}
	}
	return rows, cols
}
