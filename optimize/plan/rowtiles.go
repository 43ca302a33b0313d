package plan

import (
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// Tiles by rows: what work-items of processors compute of stages that are fused, one stage after the other, and keep in the caches.

// rowTiles are the shapes of such tiles, in instances. Their rows are long, since the columns at both ends are computed one by one; those of
// 2048 columns took as long as of 1024 on a processor with 1 MB of second cache, those of 512 some hundredths more.
var rowTiles = [...][2]int{{1024, 32}, {512, 32}, {512, 16}}

// byRowTiles are work-items that compute tiles of fused stages by rows.
func byRowTiles(w *work) []Candidate {
	if w.group == nil || w.group.Apart != "" {
		return nil
	}
	var list []Candidate
	room := w.model.Memory.L2.Or(256<<10) / 2
	lanes := w.model.Prefers.Access.Int(64) / w.widestPart()
	for _, tile := range rowTiles {
		if float64(w.group.RowTileBytes(tile)) > room || lanes < 8 || lanes > 64 {
			continue
		}
		for _, rows := range []int{1, 2, w.model.Prefers.Rows.Int(4)} {
			for _, sums := range []int{0, 1} {
				if rows == 1 && sums > 0 {
					continue
				}
				d := schedule.Decisions{Tile: tile, Rows: rows, Lanes: lanes, RowSums: sums, Unroll: w.unroll()}
				list = append(list, Candidate{Decisions: d, Why: "tiles by rows: what one stage leaves to the next stays in the caches"})
			}
		}
	}
	return list
}

// eachPart runs f for the stages of a group as if each stood alone, with how many instances of it a tile takes for each of the group's.
func (w *work) eachPart(tile [2]int, f func(part *work, share float64)) {
	for _, p := range w.group.Parts {
		f(w.byItself(p.Of), inRows(p, tile))
	}
}

// byItself is what plans know of a stage of the group as if it stood alone.
func (w *work) byItself(of *hast.Stage) *work {
	return memo.Of(&w.alone, of, func() *work {
		out := newWork(feature.OfStage(of.Alone(), w.fast), w.model, w.eval)
		out.looks = w.looks
		return out
	})
}

// inRows is how many instances of a part a tile takes for each instance of the group.
func inRows(p *block.Part, tile [2]int) float64 {
	return along(p.X, float64(tile[0])) * along(p.Y, float64(tile[1]))
}

// widestPart is the widest of what the parts compute with.
func (w *work) widestPart() (most int) {
	w.eachPart(rowTiles[0], func(part *work, _ float64) { most = max(most, part.widest()) })
	return most
}

// inRowTiles is the number of instructions for an instance of the group, with those of the parts.
func (w *work) inRowTiles(d schedule.Decisions) (n float64) {
	own := d
	own.Tile = [2]int{}
	w.eachPart(d.Tile, func(part *work, share float64) { n += share * part.perInstance(own) })
	return n
}
