package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// perWord is how many small integers go to local memory and from there at once.
func perWord(x *block.Window) float64 { return float64(block.BankBytes / x.Image.Elem.Kind.Bytes()) }

// turnedTiles are tiles and items of groups that turn images. Of 8192 x 8192 pixels on an H200 the first took 41.2 us to transpose bytes, 114 for three of them, 54
// where lines are read backwards and 72 under a mask of 3 x 4; the second 41.1, 109, 65 and 84, the third 42.2, 111, 64 and 86, and, where lines stay lines, 131 to mirror
// three bytes, which the others do in 135 and 140. Floats took 131 in the fourth and 132 in the fifth, 135 and 136 in the others.
var turnedTiles = [][4]int{{64, 64, 4, 8}, {64, 32, 4, 4}, {128, 32, 4, 4}, {64, 64, 2, 8}, {32, 64, 1, 8}}

// turnedLarge is that of pixels of which those are too many for local memory: of more than largePixel bytes. Floats took 141 us in it.
var turnedLarge = [][4]int{{32, 32, 1, 4}}

const largePixel = 16

// What the items of these store of a row, in bytes: a word at least, since others have parts of one, and no more than two.
const (
	leastTurned = block.BankBytes
	mostTurned  = 2 * block.BankBytes
)

// turned adds groups that move what a stage reads of turned images to local memory, where they load along the lines of the images and their items read in their own
// directions. Where each item reads for itself, bytes took 197 us instead of 41, and 843 instead of 111 for three of them that are turned clockwise.
func turned(w *work, list []Candidate) []Candidate {
	if !w.readsTurned() {
		return list
	}
	bytes, tiles := w.largest(func(a *feature.Access) bool { return a.Writes }), turnedTiles
	for _, x := range w.shared().Turned() {
		if feature.PixelBytes(x.Image) > largePixel {
			tiles = turnedLarge
		}
	}
	for _, t := range tiles {
		if row := t[2] * bytes; row < leastTurned || row > max(mostTurned, bytes) {
			continue
		}
		d := schedule.Decisions{Tile: [2]int{t[0], t[1]}, Item: [2]int{t[2], t[3]}, Local: schedule.Shared, Unroll: w.unroll()}
		list = append(list, Candidate{Decisions: d, Why: "a group loads along the lines of images that are turned or lie elsewhere, and moves them to local memory"})
	}
	return list
}

// readsTurned reports whether groups may move images to local memory that a stage reads turned.
func (w *work) readsTurned() bool {
	alone := w.model.Class != archmodels.CPU && len(w.stage.Parts) == 0 && w.inLocalMemory() && w.instances >= fewInstances
	if !alone || len(w.blocked().Direct) == 0 {
		return false
	}
	g := w.shared()
	return g.Apart == "" && len(g.Turned()) > 0
}

// turned reports whether an access is of an image that groups move to local memory since it is turned.
func (s *shape) turned(w *work, a *feature.Access) bool {
	return s.local && !a.Writes && slices.ContainsFunc(w.group.Turned(), func(x *block.Window) bool { return x.Image == a.Image })
}

// amplifiedTurned is amplified for an image that is turned, which lies across the tile: what is beside it along its own lines is read by whole sectors.
func (s *shape) amplifiedTurned(w *work, a *feature.Access) (amp float64) {
	for _, x := range w.group.Turned() {
		if x.Image != a.Image {
			continue
		}
		along, over, beside, beyond := s.tx, s.ty, float64(x.X.Hi-x.X.Lo), float64(x.Y.Hi-x.Y.Lo)
		if x.Turn.Swapped {
			along, over, beside, beyond = over, along, beyond, beside
		}
		if x.Turn.Back[0] { // wherever lines end
			beside = max(1, beside)
		}
		amp = max(amp, (over+beyond)/over*w.sectors(a, along, beside)/along)
	}
	return amp
}

// turnedBytes is how many bytes each item loads at once of turned images, 0 where there are none.
func (w *work) turnedBytes() (bytes int) {
	for _, x := range w.group.Turned() {
		if bytes = max(bytes, x.Image.Elem.Kind.Bytes()); x.Together() > 1 {
			bytes = max(bytes, block.BankBytes)
		}
	}
	return bytes
}
