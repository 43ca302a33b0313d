package block

import "imgc/types"

// LocalBytes is the local memory that a work-group takes which computes a tile of instances together, with what its parts read and what
// they keep for each other there. Halves take as much as in registers.
func (g *Group) LocalBytes(tile [2]int) int {
	bytes := 0
	for _, list := range [][]*Window{g.Windows, g.Tiles} {
		for _, w := range list {
			kind := w.Image.Elem.Kind
			if kind == types.F16 || kind == types.BF16 {
				kind = types.F32
			}
			rows, cols := w.Over(tile)
			bytes += rows * cols * Channels(w.Image) * kind.Bytes()
		}
	}
	return bytes
}

// Over is how many rows and columns of pixels a window is for a tile of instances.
func (w *Window) Over(tile [2]int) (rows, cols int) {
	rows = w.Y.Stride*(max(1, tile[1])-1) + w.Y.Hi - w.Y.Lo + 1
	cols = w.X.Stride*tile[0] + max(0, -w.X.Lo) + max(0, w.X.Hi-(w.X.Stride-1))
	return rows, cols
}
