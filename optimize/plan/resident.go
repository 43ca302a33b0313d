package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// A budget is how many registers compilers are told that an item of some kernels has at least, by the number of groups that a unit is to have room for. Left to
// themselves they take few, for many groups at a time, and load what an item needs a little at a time; told of fewer groups, they put loads first. On an H100, by
// kernels, with 512, 640, 768, 896 and 1152 work-items of a unit at least, of what they take without:
//
//	tiles in local memory    curves at half size 0.87 0.88 0.82 0.81 0.79, sharpening 0.97 0.95 0.95 0.96 1.04, a level set 1.10 1.09 1.10 0.98 0.97
//	sweeps                   a guided filter's model 0.80 0.80 1.05 1.04 1.61, its result 1.00 1.01 0.70 0.70 1.08, five taps in two steps 1.01 1.00 0.99 1.00 1.02
//	strips                   at every second pixel 0.81 0.82 0.83 0.84 0.95, Harris 0.98 0.93 1.00 1.23 2.40, 7 taps rows first 0.93 0.97 1.01 1.00 1.08
//
// Sweeps of two groups of 256 have 128 with the budget of 104, and those of five groups of 128 have 102: on an H200 three bands took 256 us as compilers choose (96), 258 with 80, 275 with 128 and
// 309 with 164; a guided filter 1.75 ms with 128 for its model and 80 for its result, 2.01 and 2.07 where compilers choose (255).
//
// Where bytes lie in words that are not added up, or rows stream by, there is nothing to gain, or compilers spill; where an item waits for what tells it where to read, more items do better.
type budget struct {
	of        func(w *work, s *shape) bool
	registers float64
}

var budgets = []budget{
	{func(w *work, s *shape) bool { return s.tiling.Sweep && len(w.group.Parts) == 2 && s.iy <= 4 }, lowBudget},
	{func(w *work, s *shape) bool { return s.tiling.Sweep && s.held-s.severalWindows(w) >= muchLoaded }, muchLoaded},
	{func(w *work, s *shape) bool { return s.sweepsLittle(w) }, sweepBudget},
	{func(w *work, s *shape) bool { return s.sharesTile(w) && w.opsOf(feature.Special) >= manySpecials }, specialBudget},
	{func(w *work, s *shape) bool { return s.sharesTile(w) && s.holdsMuch(w) }, heldBudget},
	{func(w *work, s *shape) bool { return s.sharesTile(w) }, localBudget},
	{func(w *work, s *shape) bool { return s.addsForGroup(w) && !w.sharesSums() }, extremesBudget},
	{func(w *work, s *shape) bool { return s.addsForGroup(w) }, sumsBudget},
	{func(w *work, s *shape) bool { return s.accumulates(w, legsBudget) }, legsBudget},
	{func(w *work, s *shape) bool { return s.accumulates(w, legsLargeBudget) }, legsLargeBudget},
	{func(w *work, s *shape) bool { return s.loadsMuch(w) }, 96},
	{func(w *work, s *shape) bool { return s.loadsMuchForTwo(w) }, twoBudget},
	{func(w *work, s *shape) bool { return s.readsAgain(w) }, againBudget},
	{func(w *work, s *shape) bool { return s.addsBytes(w) }, dotsBudget},
	{func(w *work, s *shape) bool { return s.addsWords(w) }, 96},
}

// localBudget are the registers of an item whose group has a tile in local memory, which those have use for that are not estimated at more.
const localBudget = 72

// heldBudget are those of an item that has much of its own in registers meanwhile: with 64 instead of 72 a unit has room for four groups of 256.
const heldBudget = 64

// longInTile is from how many instructions on, straight code over a tile, compilers load for many sums at a time and spill where they are told of registers: quadrants of 5 x 5 colours (1601, told of 56:
// 3000 bytes of loads from what was spilled) took 9.88 ms on an H200 and 2.12 as compilers choose, and a bank of masks of 11 x 11 (1531, told of 85: 644) 6.57 and 2.23.
const longInTile = 1400

// manySums is how many sums an instance has that compilers do so with.
const manySums = 6

// reductions is how many reductions an instance has.
func (w *work) reductions() (n int) {
	hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
		if _, ok := e.(*hast.Reduce); ok {
			n++
		}
	})
	return n
}

// sharesTile reports whether a budget is of use to items of groups that load a tile together. Of long code it is not, nor of floats of 16 bits: Lanczos' filter took 732 us on an H200
// with 72 and 102 registers, and 717 as compilers choose.
func (s *shape) sharesTile(w *work) bool {
	return s.local && !s.tiling.Direct && s.held <= localBudget && !(s.body(w) > longInTile && w.reductions() > manySums) &&
		!slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return w.readsSmall(a) && a.Image.Elem.Kind.IsFloat() })
}

// readsSmall reports whether an access reads windows of components of less than 32 bits.
func (w *work) readsSmall(a *feature.Access) bool {
	return w.windowed(a) && a.Image.Elem.Kind.Bytes() < 4
}

// sumsBudget are those of an item that computes moving sums from memory for its group, for which compilers take some more, with which a unit has room for half as many groups: of
// a guided filter on an H200 0.826 ms with 128 (model and result told of four groups of 128 and of two of 256), 0.876 with the result alone told of them, 1.000 as compilers choose (152, 150).
const sumsBudget = 128

// extremesBudget are those of an item that shares extremes so: three groups of 256, five of 128. On an H200 the greatest of 15 x 15 floats took 0.168 ms with three groups of 256 and 0.194 with two, of
// 31 x 31 0.242 and 0.276; with five groups of 128 and four that of 9 x 9 took 0.144 both, of 15 x 15 u16 0.105 and 0.110.
const extremesBudget = 92

// addsForGroup reports whether that is of use where compilers can be told: not if it is less than what is held, nor for pixels of several components or more than four sums, with which they spill: five
// sums of products of three images took 2.55 ms on an H200 with 128 registers, 1.52 with 168, and 1.15 as compilers choose.
func (s *shape) addsForGroup(w *work) bool {
	vector := func(a *feature.Access) bool { return !a.Writes && w.windowed(a) && a.Image.Elem.Lanes > 1 }
	return w.bounds && s.local && s.tiling.Direct && s.held <= sumsBudget && w.shares() && w.reductions() <= 4 && !slices.ContainsFunc(w.stage.Accesses, vector)
}

// manySpecials is how many functions items compute that wait for these more than for what they load, and specialBudget what registers leave enough items for that: a step of a level set took 26.0 ms
// in all on an H200 with 56, 26.5 as compilers choose, 26.9 with 73 and 30.5 with 85 and more.
const (
	manySpecials  = 8
	specialBudget = 56
)

// sweepBudget are those of an item in a sweep that is not estimated at more: between that and muchLoaded compilers spill at it, and take as long at more (three planes in two
// steps: 398 us as compilers choose, 397 with 128 registers, 573 with 85).
const sweepBudget = 80

// lowBudget are those of an item that computes few rows of a chain of two: masks of 7, columns first, took 8.4 us on an H100 for 1920 x 1080 pixels with 80, 7.9 with 64 and 7.7 with 56.
const lowBudget = 58

// muchKept is from how many registers on, with the rows of stages that none shares with others, compilers spill at sweepBudget: Harris' measure of three planes (126) took 397 us on an H200 with 80, 296
// with 96, 269 with 128 and 270 as compilers choose, which is as many. A level set's pull (114) took 25.68 ms in all with 80, and 25.72 with 128.
const muchKept = 120

// sweepsLittle reports whether items of a sweep load little, and keep little of what they compute for themselves.
func (s *shape) sweepsLittle(w *work) bool {
	held := s.held - s.severalWindows(w)
	return s.tiling.Sweep && held <= sweepBudget && held+s.sweptRows(w) < muchKept
}

// sweptRows are the registers for the rows that stages keep for each other which items compute for themselves.
func (s *shape) sweptRows(w *work) (n float64) {
	for _, p := range w.stage.Parts {
		if s.shared(w, p.Of) == nil {
			n += s.keptBy(p)
		}
	}
	return n
}

// muchLoaded is from how many registers on, as they are estimated, compilers do not load all that an item needs before it computes.
const muchLoaded = 104

// loadsAhead reports whether an item loads windows of many components before it computes anything, each in a register of its own. In legs it does not: what it has accumulated takes the most of them.
func (s *shape) loadsAhead(w *work) bool {
	return s.blocks && !s.local && !s.legs && !s.words() && s.stream == 0 && w.stage.Class == feature.Local && s.held >= muchLoaded
}

// loadsMuch reports whether they are of four bytes.
func (s *shape) loadsMuch(w *work) bool {
	return s.loadsAhead(w) && !w.keepsRows() && !slices.ContainsFunc(w.stage.Accesses, w.readsSmall)
}

// againBudget are the registers of an item that converts small integers to floats and needs some of them again behind its sums: a sharpening mask of 5 took 0.364 ms on an H100 for 8192 x
// 8192 pixels of three bytes as compilers choose, which is as many, and 0.356 told of them; std's 0.365 and 0.364; through OpenCL 0.356 and 0.352, 0.365 and 0.358. A mask alone took 0.352
// (56 registers) and 0.371.
const againBudget = 80

// readsAgain reports whether they are small integers that become floats, and pixels of them are used for something else than sums.
func (s *shape) readsAgain(w *work) bool {
	again := func(a *feature.Access) bool { return w.readsSmall(a) && !a.Writes && a.Count > a.Window() }
	return w.stage.Floats > 0 && len(w.stage.Parts) == 0 && s.loadsAhead(w) && slices.ContainsFunc(w.stage.Accesses, again)
}

// twoBudget are the registers of an item that computes two steps of a window one after the other, of which all rows of the first wait for the second: masks of 7, rows first, took 0.1427 ms
// in CUDA on an H200 as compilers choose, 0.1382 told of 128 registers and 0.1388 of 170, and of weights that are computed 0.1513, 0.1364 and 0.1374; through OpenCL, which local memory is
// filled for, 0.1426 and 0.1642.
const twoBudget = 128

// loadsMuchForTwo reports whether the first step is of components of four bytes, and blocks inside of images have code of their own.
func (s *shape) loadsMuchForTwo(w *work) bool {
	return w.bounds && s.interior && s.loadsAhead(w) && w.group != nil && len(w.group.Parts) == 2 && !slices.ContainsFunc(w.stage.Accesses, w.readsSmall)
}

// keepsRows reports whether what is fused with a stage, which keeps rows for those that read around them, takes the registers that compilers are told of to no good. Told of 96, two
// masks of 7 took 148 and 153 us instead of 138 and 141 on an H200, but the five stages of Harris 150 instead of 156, and 7.2 instead of 8.3 for 1920 x 1080; through OpenCL, which
// local memory is filled for, 161 instead of 155.
func (w *work) keepsRows() bool {
	return w.group != nil && len(w.group.Parts) > 1 && (len(w.group.Parts) == 2 || !w.bounds)
}

// dotsBudget are the registers of an item that adds up bytes four at a time, and has use for no more: on an H200, 8192 x 8192, in CUDA, a Laplacian took 0.0352 ms as compilers choose and 0.0345 told of
// them, absolute slopes 0.0407 and 0.0373, every second pixel 0.0805 and 0.0786. Through OpenCL, which local memory is filled for, it is none for masks (of 5 x 5 0.0510 and 0.0521 on an H100), but lengths of
// slopes, whose roots items wait for, took 0.0594 and 0.0552.
const dotsBudget = 72

// fewDots and manyDots are between how many registers, as they are estimated, items were seen to gain by it. With more, compilers spill: sums of 5 x 5 (80; 102 as compilers choose) took 0.0452 and 0.0488,
// binomials 0.0436 and 0.0449, and 0.0467 and 0.0512 with products of 64 bits.
const fewDots, manyDots = 68, 79

// addsBytes reports whether a budget is of use to items that add up bytes four at a time. It is not where several components come of them, which items choose between: colours of a Bayer
// pattern took 0.192 ms in CUDA on an H200 told of it, and 0.117 through OpenCL.
func (s *shape) addsBytes(w *work) bool {
	if !s.blocks || !s.dots || s.stream > 0 || len(w.stage.Parts) > 0 || !w.bounds && w.opsOf(feature.Special) == 0 {
		return false
	}
	if slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return a.Writes && a.Image.Elem.Lanes > 1 }) {
		return false
	}
	n := s.held
	return fewDots <= n && n <= manyDots
}

// manyWords is from how many registers on, as they are estimated, an item that adds up bytes two to a word does not load all that it needs before it computes.
const manyWords = 80

// addsWords reports whether a budget is of use to items that do so, in code for inside of images: binomials of colours (82, 84 words of pixels; 80 registers as compilers choose) took 0.1188 ms in CUDA on an H200,
// 8192 x 8192, 0.1171 told of six groups, 0.1142 of five and 0.1222 of four. Hysteresis, which compares (71), took 0.0456 as compilers choose, 0.0483 and 0.0471 told of five and six.
func (s *shape) addsWords(w *work) bool {
	inside := w.bounds && s.interior && s.blocks && !s.local
	return inside && s.words() && !s.dots && s.held >= manyWords && w.stage.Floats == 0 && w.opsOf(feature.Integer) > w.opsOf(feature.Logic)
}

// budget says of a candidate how many groups a unit is to have room for, where that leaves its items the registers to load ahead.
func (w *work) budget(c *Candidate, s *shape) {
	registers := w.model.Limits.RegistersPerUnit
	if registers.Known && c.Tiles() && c.Flat == 0 && c.Matrix == 0 && c.Resident == 0 {
		c.Resident = w.room(c.Decisions, s, registers.Value)
	}
}

// rounded is the part of a group that counts as one, where groups are large: two of 512 leave 64 registers of 72.
const rounded = 0.25

// room is how many groups share the registers of a unit within their budget, as far as a launch has so many for each; 0 for any number, and where it is one. Told of three groups where there
// are two, compilers leave items a third of the registers too few: masks of 7, rows first, took 8.5 us on an H200 for 1920 x 1080 pixels, and 6.4 told of two (tile(128, 64) item(4, 8) sweep).
func (w *work) room(d schedule.Decisions, s *shape, registers float64) int {
	k := slices.IndexFunc(budgets, func(b budget) bool { return b.of(w, s) })
	if k < 0 || w.stage.Of.Reduced != nil { // of which none was measured; with the budget of sums of bytes ptxas spills
		return 0
	}
	n := int(registers/(budgets[k].registers*float64(max(1, d.GroupItems()))) + rounded)
	groups, _ := s.groupsOf(w, d)
	return w.fewerGroups(n, groups)
}

// fewerGroups is how many groups of a launch compilers are told that a unit is to have room for, which is at most n and what a unit gets of them; 0 where that is one.
func (w *work) fewerGroups(n int, groups float64) int {
	if units := w.model.Rates.Units.Or(0); units > 0 {
		n = int(min(float64(n), math.Ceil(groups/units)))
	}
	if n = min(n, 32); n < 2 {
		return 0
	}
	return n
}
