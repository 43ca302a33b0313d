package block

import (
	"slices"

	"imgc/types"
)

// Staged are the windows that a work-group loads together where it works in local memory: those of which an instance of some part reads
// more than a pixel of its own. Of the others each instance loads the pixel that it needs.
func (g *Group) Staged() (list []*Window) {
	for _, w := range g.Windows {
		shared := func(p *Part) bool {
			for k, s := range p.Sources {
				if r := p.Windows[k]; s == w && (r.Rule != nil || r.X.Lo != r.X.Hi || r.Y.Lo != r.Y.Hi || r.X.Stride != 1) {
					return true
				}
			}
			return false
		}
		if slices.ContainsFunc(g.Parts, shared) {
			list = append(list, w)
		}
	}
	return list
}

// LocalBytes is the local memory that a work-group takes which computes a tile of instances together, with what its parts read there and
// what they keep for each other.
func (g *Group) LocalBytes(tile [2]int) int {
	bytes := 0
	for _, list := range [][]*Window{g.Staged(), g.Tiles} {
		for _, w := range list {
			_, components := w.LocalRow(tile[0])
			bytes += w.rows(tile[1]) * components * w.localBytes()
		}
	}
	return bytes
}

// localBytes is the size of a component there: halves take as much as in registers.
func (w *Window) localBytes() int {
	if k := w.Image.Elem.Kind; k != types.F16 && k != types.BF16 {
		return k.Bytes()
	}
	return types.F32.Bytes()
}

// accessBytes is what an item moves at once at most, to local memory and from there.
const accessBytes = 16

// LocalRow is how many components a row of a window has in local memory for so many instances, and how many of them lie before the block.
// Rows and their blocks start where wide accesses may.
func (w *Window) LocalRow(width int) (lead, components int) {
	step := max(1, accessBytes/w.localBytes())
	round := func(positions int) int { return (positions*Channels(w.Image) + step - 1) / step * step }
	lead = round(max(0, -w.X.Lo))
	return lead, lead + round(w.X.Stride*width+max(0, w.X.Hi-(w.X.Stride-1)))
}

// Over is how many rows and columns of pixels a window is for a tile of instances.
func (w *Window) Over(tile [2]int) (rows, cols int) {
	return w.rows(tile[1]), w.X.Stride*tile[0] + max(0, -w.X.Lo) + max(0, w.X.Hi-(w.X.Stride-1))
}

func (w *Window) rows(height int) int { return w.Y.Stride*(max(1, height)-1) + w.Y.Hi - w.Y.Lo + 1 }
