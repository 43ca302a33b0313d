package block

// lineBytes is what rows of a tile are a multiple of, so that few wide accesses lie across two lines of the cache, and crowded the multiple of it
// that rows are not, so that pixels below each other go to different sets.
const (
	lineBytes = 64
	crowded   = 1024
)

// RowTile is the array in which a work-item that computes rows holds what a part writes to one of its images, for tiles of so many instances of the
// group in x and y: how many rows, and how many components from one to the next.
func (p *Part) RowTile(t *Window, tile [2]int) (rows, pitch int) {
	rows = p.Y.Stride*(tile[1]-1) + p.Y.Hi - p.Y.Lo + 1
	size := t.Image.Elem.Kind.Bytes()
	bytes := (p.X.Stride*(tile[0]-1) + p.X.Hi - p.X.Lo + 1) * Channels(t.Image) * size
	bytes = (bytes + lineBytes - 1) / lineBytes * lineBytes
	if bytes%crowded == 0 {
		bytes += lineBytes
	}
	return rows, bytes / size
}

// RowTileBytes is how much a work-item holds of all parts.
func (g *Group) RowTileBytes(tile [2]int) int {
	bytes := 0
	for _, p := range g.Parts {
		for _, t := range p.Keeps {
			rows, pitch := p.RowTile(t, tile)
			bytes += rows * pitch * t.Image.Elem.Kind.Bytes()
		}
	}
	return bytes
}
