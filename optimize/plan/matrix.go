package plan

import (
	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// What sums cost that the matrix units of a device compute.

// matrices are groups that compute sums over large masks of bytes by matrix units, where the device and the language have them.
func matrices(w *work) []Candidate {
	from := w.model.Prefers.MatrixFrom.Int(0)
	rows, cols := w.reach()
	if !w.matrix || from == 0 || w.vars < 2 || w.stage.Class != feature.Local || rows*cols < from*from {
		return nil
	}
	var list []Candidate
	for _, rows := range []int{128, 64, 32} {
		var d schedule.Decisions
		for _, ix := range []int{4, 16} { // rows below each other where there is one sum, and else what shares most of a row
			d = schedule.Decisions{Tile: [2]int{128, rows}, Item: [2]int{ix, rows / ix}, Matrix: 1, Unroll: w.unroll()}
			list = append(list, Candidate{Decisions: d, Why: "sums as products of matrices, by the units that the device has for them"})
		}
		if w.instances > fewGroups*w.model.Rates.Units.Or(1)*float64(d.Tile[0]*d.Tile[1]) {
			break // lower tiles do not divide better: masks of 9, 11 and 15 took 97, 116 and 126 us in items of eight rows, 106, 119 and 134 of two
		}
	}
	return list
}

// matrixSlots is what an instance takes besides the sums, in instructions: loading a tile, the rest of the body, storing. Fitted, as
// the next one, to masks of 3x3 to 15x15 on an H200, by hand-written kernels: 45 us and 4 us for each row of the mask for 8192 x 8192 bytes.
const matrixSlots = 19

// matrixApart is what is lost where products of matrices and moving the bytes take equally long: of two masks of 9 x 9 bytes with results of four bytes
// on an H200, 105 and 113 us for 8192 x 8192, where either takes some 84.
const matrixApart = 0.15

// costOfMatrix adds the terms of computing to a cost. The operands of products come from local memory, whose rate bounds them: for a row of bytes
// and 16 rows of some windows 16 columns wide, two words of each item for each window and one more, and for a row of the mask four words of
// weights. Items with several rows below each other read both once for all of them, and some rows of bytes more than the mask has. Groups
// load, compute and store one after the other, so that the terms add up.
func (w *work) costOfMatrix(d schedule.Decisions, r *archmodels.Rates, chip float64, c *Cost) {
	rows, cols := w.reach()
	_, below := d.MatrixForm(w.maskSums(d))
	windows, down := float64(d.Item[0]/4), float64(below)
	steps := float64((cols + 46) / 32) // columns of bytes under 16 results, 32 at a time: means of 21 x 21 took 0.225 ms on an H200, of 31 x 31 0.328
	bytes := max(1, steps) * ((float64(rows)+down-1)*8*(windows+1) + float64(rows)*16) / (8 * windows * down)
	c.Apart = matrixApart
	c.Issue = matrixSlots * w.instances / (r.Issue.Or(1) * r.IssueShare.Or(1) * chip)
	if r.LocalBytes.Known {
		c.Local = c.Issue + bytes*w.instances/(r.LocalBytes.Value*r.PipeShare.Or(1)*chip)
	}
}

// maskSums is how many sums over masks an instance computes, whose points are written out under decisions.
func (w *work) maskSums(d schedule.Decisions) int {
	unroll := max(d.Unroll, defaultUnroll)
	return memo.Of(&w.masks, unroll, func() (n int) {
		block.MaskSums(w.stage.Of, block.Analyze(w.stage.Of, unroll), unroll, func(*hast.Reduce, *block.Combination) { n++ })
		return n
	})
}
