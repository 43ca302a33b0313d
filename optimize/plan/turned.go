package plan

import (
	"slices"

	"imgc/archmodels"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// perWord is how many small integers go to local memory and from there at once, of images that are turned: bytes, which nearly all of these are.
const perWord = 4

// turned are groups that move what a stage reads of turned images to local memory, where they load along the lines of the images and their items read in their own
// directions. On an H200, 8192 x 8192, pixels of three bytes are transposed in 0.11 ms and floats in 0.13, as they are copied, and in 0.45 and 0.29 where each
// item reads for itself.
func turned(w *work, list []Candidate) []Candidate {
	if !w.readsTurned() {
		return list
	}
	for _, shape := range [][4]int{{64, 64, 4, 8}, {128, 32, 4, 4}, {64, 64, 2, 8}, {32, 64, 1, 8}, {32, 32, 1, 4}, {32, 16, 1, 2}} {
		d := schedule.Decisions{Tile: [2]int{shape[0], shape[1]}, Item: [2]int{shape[2], shape[3]}, Local: schedule.Shared, Unroll: w.unroll()}
		list = append(list, Candidate{Decisions: d, Why: "a group loads along the lines of images that are turned, and moves them to local memory"})
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
func (s shape) turned(w *work, a *feature.Access) bool {
	return s.local && !a.Writes && slices.ContainsFunc(w.group.Turned(), func(x *block.Window) bool { return x.Image == a.Image })
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
