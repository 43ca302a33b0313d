package plan

import (
	"imgc/archmodels"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// What fused stages cost that work-groups compute by tiles in local memory.

// locals are groups that load and compute what their tile needs together. Items are as wide as one column, so that neighbours load, store and
// look into local memory side by side, and of some rows, which share what they read.
func locals(w *work) []Candidate {
	m := w.model
	if len(w.stage.Parts) == 0 || w.vars < 2 || !m.Rates.LocalBytes.Known || !m.Memory.LocalDedicated.Yes() {
		return nil
	}
	var list []Candidate
	for _, gx := range []int{m.Prefers.GroupX.Int(32), 2 * m.Prefers.GroupX.Int(32)} {
		for _, gy := range []int{4, 8} {
			for _, iy := range []int{2, 4, 8} {
				d := schedule.Decisions{Tile: [2]int{gx, gy * iy}, Item: [2]int{1, iy}, Local: 1, Unroll: w.unroll()}
				list = append(list, Candidate{Decisions: d, Why: "a group loads and computes what its tile needs together, in local memory"})
			}
		}
	}
	return list
}

// localBytes is the local memory of a group, in bytes.
func (w *work) localBytes(d schedule.Decisions) int {
	if d.Local == 0 || w.stage.Group == nil {
		return 0
	}
	return w.stage.Group.LocalBytes(d.Tile)
}

// A localTraffic is what the items of a group do with local memory, in components for each instance of the whole.
type localTraffic struct{ staged, moved float64 }

// inLocal counts what is loaded from memory, and all that is stored in local memory and read there; rows of an item share what they read.
func (s shape) inLocal(w *work) (t localTraffic) {
	g := w.stage.Group
	tile := [2]int{int(s.tx), int(s.ty)}
	for _, x := range g.Windows {
		rows, cols := x.Over(tile)
		t.staged += float64(rows*cols*block.Channels(x.Image)) / (s.tx * s.ty)
	}
	t.moved = t.staged
	for _, p := range g.Parts {
		share := along(p.X, s.tx) * along(p.Y, s.ty)
		for _, x := range p.Windows {
			t.moved += share * along(x.X, s.ix) * along(x.Y, s.iy) * float64(block.Channels(x.Image))
		}
		for _, x := range p.Keeps {
			t.moved += share * float64(block.Channels(x.Image))
		}
	}
	return t
}

// stagedOps is what an item does for each component that it loads into local memory: its place in the image and in the tile, and the border.
const stagedOps = 8

// localOps adds the operations around local memory to those of an instance.
func (s shape) localOps(w *work, out *feature.Ops) {
	t := s.inLocal(w)
	out[feature.Memory] += t.moved + t.staged
	out[feature.Logic] += stagedOps * t.staged
	for _, a := range w.stage.Accesses {
		if a.Writes {
			out[feature.Memory] += a.Count * float64(a.Image.Elem.Lanes)
			out[feature.Logic] += a.Count * 4
		}
	}
}

// localTime is the time that local memory takes for all components, which lie in banks of four bytes.
func (s shape) localTime(w *work, r *archmodels.Rates, chip float64) float64 {
	if !s.local || chip == 0 {
		return 0
	}
	return 4 * s.inLocal(w).moved * w.instances / (r.LocalBytes.Value * chip)
}

// resident is how many groups a compute unit has room for: while one waits at a barrier others go on.
func (s shape) resident(w *work, d schedule.Decisions) float64 {
	room := w.model.Limits.LocalPerUnit.Or(w.model.Limits.LocalPerGroup.Or(48 << 10))
	return max(1, room/float64(max(1, w.localBytes(d))))
}
