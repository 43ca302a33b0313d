package plan

import (
	"imgc/archmodels"
	"imgc/optimize/feature"
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
	for _, iy := range []int{8, 4, 2} {
		d := schedule.Decisions{Tile: [2]int{128, 16 * iy}, Item: [2]int{16, iy}, Matrix: 1, Unroll: w.unroll()}
		list = append(list, Candidate{Decisions: d, Why: "sums as products of matrices, by the units that the device has for them"})
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

// costOfMatrix adds the terms of computing to a cost. The operands of products come from local memory, whose rate bounds them: for a row of the
// mask and 16 rows of some windows 16 columns wide, two words of each item for each window and one more, and four words of weights.
// Groups load, compute and store one after the other, so that the terms add up.
func (w *work) costOfMatrix(d schedule.Decisions, r *archmodels.Rates, chip float64, c *Cost) {
	rows, cols := w.reach()
	windows := float64(d.Item[0] / 4)
	steps := float64((cols + 18) / 32)
	bytes := float64(rows) * max(1, steps) * (8*(windows+1) + 16) / (8 * windows)
	c.Apart = matrixApart
	c.Issue = matrixSlots * w.instances / (r.Issue.Or(1) * r.IssueShare.Or(1) * chip)
	if r.LocalBytes.Known {
		c.Local = c.Issue + bytes*w.instances/(r.LocalBytes.Value*r.PipeShare.Or(1)*chip)
	}
}
