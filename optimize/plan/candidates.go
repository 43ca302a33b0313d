package plan

import (
	"imgc/archmodels"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// fewInstances is how many instances are so few that blocks of them have nothing to gain.
const fewInstances = 4096

// candidates are the ways to carry out a stage that are worth looking at on a device. The first is always one instance for each
// work-item, which every stage can follow.
func candidates(w *work) []Candidate {
	list := []Candidate{{Why: "one instance for each work-item"}}
	if w.vars == 0 {
		return list
	}
	if w.model.Class == archmodels.CPU {
		return append(list, byRows(w)...)
	}
	if w.instances < fewInstances && w.stage.Class != feature.Global {
		return list
	}
	switch w.stage.Class {
	case feature.Scan:
	case feature.Global:
		list = append(list, teams(w)...)
	case feature.Scatter:
		list = append(list, copies(w)...)
		list = append(list, blocks(w)...)
	default:
		list = append(list, blocks(w)...)
		list = append(list, teams(w)...)
	}
	return list
}

// blocks are work-items that compute some columns and rows.
func blocks(w *work) []Candidate {
	var list []Candidate
	gx, gy := w.model.Prefers.GroupX.Int(32), w.model.Prefers.GroupY.Int(4)
	rows := []int{1, 2, 3, 4, 8}
	if w.vars == 1 {
		rows = rows[:1]
	}
	for _, ix := range []int{2, 4, 8, 16} {
		if ix > 2 && ix*w.component() > w.model.Prefers.RowBytes.Int(16) {
			break
		}
		for _, iy := range rows {
			d := schedule.Decisions{Item: [2]int{ix, iy}, Vector: w.model.Prefers.Access.Int(16), Unroll: w.unroll()}
			if w.vars == 1 {
				d.Item[1] = 0
				d.Tile = [2]int{ix * gx * gy, 0}
			} else {
				d.Tile = [2]int{ix * gx, iy * gy}
			}
			if stride := w.byteStride(); ix >= 4 && stride > 0 && ix*stride <= w.model.Prefers.RowBytes.Int(16) {
				list = append(list, w.inWords(d)...)
			}
			list = append(list, Candidate{Decisions: d, Why: "rows loaded once for all instances that use them"})
			if w.stage.Class == feature.Point && iy == 1 && w.vars > 1 {
				d.Flat = 1
				list = append([]Candidate{{Decisions: d, Why: "wide accesses; where images have no gaps the whole is one line"}}, list...)
			}
		}
	}
	return list
}

// inWords are the ways to compute with bytes four or two at a time.
func (w *work) inWords(d schedule.Decisions) []Candidate {
	halves, dots := d, d
	halves.Packed16, dots.Dot4 = 1, 1
	var list []Candidate
	if w.model.Features.Dot4.Yes() {
		list = append(list, Candidate{Decisions: dots, Why: "rows loaded once, bytes multiplied and added four at a time"})
	}
	return append(list, Candidate{Decisions: halves, Why: "rows loaded once, small integers computed two to a word"})
}

// component is the size in bytes of the largest component that instances read next to each other.
func (w *work) component() int {
	most := 1
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) {
			most = max(most, a.Image.Elem.Kind.Bytes())
		}
	}
	return most
}

// unroll is how many points of reductions have to be written out for windows to be known; 0 where the default will do.
func (w *work) unroll() int {
	most := 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && a.Window() > 0 {
			most = max(most, a.Window())
		}
	}
	if most <= 64 || most > 1024 {
		return 0
	}
	return int(most)
}

// teams are groups that share reductions.
func teams(w *work) []Candidate {
	var list []Candidate
	for _, n := range []int{256, 128, 64, 32} {
		list = append(list, Candidate{Decisions: schedule.Decisions{Reduce: n}, Why: "a group reads neighbouring points together"})
	}
	return list
}

// copies are histograms in local memory.
func copies(w *work) []Candidate {
	p := w.model.Prefers
	most := p.HistogramCopies.Int(16)
	units := w.model.Rates.Units.Int(16)
	var list []Candidate
	for n := most; n >= 1; n /= 2 {
		list = append(list, Candidate{Decisions: schedule.Decisions{Copies: [3]int{n, 256, units * p.GroupsPerUnit.Int(4)}}, Why: "few updates meet in one place"})
	}
	return list
}
