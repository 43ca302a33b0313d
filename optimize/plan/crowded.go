package plan

import (
	"math"

	"imgc/optimize/feature"
)

// crowded is the part of the time that is lost to few items at once. Windows are on their way for long, so that few items do: 1 % for
// a 3x3 mask of f32 in eight rows instead of three on an H200, 4 % for Sobel gradients. Chains of stages keep what they compute, and wait
// more: 3 % for two masks of 5 x 1 and 1 x 5 in eight rows, 10 % and more for two of 7 x 1 and 1 x 7.
// Where an item reads but its own pixels, nothing else hides that it waits: of 4096 x 4096 pixels two images of f16 took 20.2 to 22.7 us in items of 8 x 1 to 8 x 3, 23.0 in 8 x 4 and 23.5 to 26.2 in 8 x 8, four of
// them 34.2 to 35.6 and 39.9 in 4 x 8; of u8x3 and u8x4 (blending) 43.3 to 45.1 in items of 4 to 16 pixels.
func (s *shape) crowded(w *work) float64 {
	switch {
	case !s.local && w.divided() != nil:
		return byPixels
	case s.tiling.Sweep:
		return s.sweepCrowded(w)
	case s.tiling.Direct && s.sharesRows(w): // what comes first needs no barrier, and takes most of the time
		return 2. / 3 * waiting / s.groups
	case s.holdsMuch(w) && !w.bounds:
		return waiting/s.groups + unbounded
	case s.holdsMuch(w):
		return waitingHeld / s.groups
	case s.local:
		return waiting / s.groups
	case w.stage.Class == feature.Local && s.accumulates(w, math.Inf(1)):
		return waitingLegs * s.held * legItems / w.model.Limits.RegistersPerUnit.Or(65536)
	case s.single(w):
		return oneByOne
	case !s.blocks || s.words():
		return 0
	case (w.stage.Class == feature.Local || w.stage.Class == feature.Scatter) && len(w.stage.Parts) > 0:
		return 0.001 * max(0, s.held-48)
	case s.usedOnce(w):
		return 0
	case w.stage.Class == feature.Local:
		return 0.0005 * max(0, s.held-48)
	case w.stage.Class == feature.Point:
		return 0.004 * max(0, s.held-56)
	}
	return 0
}

// holdsMuch reports whether items of groups that share a tile have much of their own in registers while they wait.
func (s *shape) holdsMuch(w *work) bool {
	return s.local && !s.tiling.Direct && !s.tiling.Sweep && s.held >= localBudget
}

// waitingHeld is waiting for these where compilers are told of groups: sharpening of three planes (parac/unsharp) took 478 us on an H200 in tiles of 32 x 32 and seven groups for a unit, 493 with eight, and 464 in
// tiles of 64 x 32 and four; on an H100 585, 592 and 570, 580 with three, 604 in tiles of 32 x 64.
const waitingHeld = 0.25

// unbounded is the part of the time that is lost where items of tiles want registers that nothing tells the compiler to give them: sharpening of three planes (parac/unsharp)
// took 544 us through OpenCL on an H200 in items of 1 x 8 and 467 of 1 x 4; CUDA, told of groups, 477 and 493, and told nothing 521 and 530.
const unbounded = 0.1

// oneByOne is the part of the time that is lost where items compute an instance each and wait for all that it reads: of 4096 x 4096 pixels on an H200 a
// bilateral grid took 678 us with look-ups one by one and 541 to 553 with blocks, interpolation of what is missing 434 and, of five blocks, 412 at best. At
// 0.06 single items were planned for the latter.
const oneByOne = 0.12

// single reports whether items compute an instance each that reads more than one pixel.
func (s *shape) single(w *work) bool {
	return (!s.blocks || w.slanting()) && !s.turns && !s.local && w.stage.Class != feature.Point && w.vars > 1
}

// uneven is by how much longer an item takes whose loops end where data says: what it computes one after another adds up to the time of
// the longest. Fitted to the Mandelbrot set on an H200: 45 us for 4 instances, 72 for 8, 118 for 16, 193 for 32.
func (s *shape) uneven(w *work) float64 {
	if !w.stage.Uneven || !s.blocks {
		return 1
	}
	return 1 + 0.17*(s.ix*s.iy-1)
}
