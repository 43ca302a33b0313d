package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// fewInstances is how many instances are so few that blocks of them have nothing to gain.
const fewInstances = 4096

// candidates are the ways to carry out a stage that are worth looking at on a device, behind those of an empty list, which may have room for them. The first is
// always one instance for each work-item, which every stage can follow. Those before one are such whose registers may have a budget.
func candidates(w *work, list []Candidate) (all []Candidate, budgeted int) {
	list = append(list, Candidate{Why: whySingle})
	if w.vars == 0 {
		return list, 0
	}
	if w.model.Class == archmodels.CPU {
		return append(append(list, w.sideways()...), byRows(w)...), 0
	}
	if w.stage.Of.Scan.Meet() {
		return append(append(list, stepwise(w)...), trapezoids(w)...), 0
	}
	few := w.instances < fewInstances
	if !few {
		list = append(list, fetching(w)...)
	}
	if few && w.stage.Class != feature.Global && w.stage.Class != feature.Scan && !w.inLegs() { // of which each computes much
		return list, 0
	}
	switch w.stage.Class {
	case feature.Scan:
		list = append(list, sharedSteps(w)...)
		if list = append(list, lines(w)...); few {
			return list, 0
		}
		list = append(list, ahead(w)...)
		list = append(list, bands(w)...)
	case feature.Global:
		list = append(append(list, inPanels(w)...), inWindows(w)...)
		if list = teams(w, list); w.inLegs() { // of many planes, or as many as the host says
			list = w.layered(blocks(w, list))
		}
	case feature.Scatter:
		list = append(shaped(w, list), keepers(w)...)
		list = append(append(list, copies(w)...), parts(w)...)
		first := len(list)
		list = blocks(w, list)
		list = append(append(list, persistents(w, list[first:])...), inCells(w, list[first:])...)
	default:
		if w.stage.Of.Reduced != nil {
			return append(list, persistents(w, blocks(w, shaped(w, nil)))...), 0
		}
		list = w.layered(append(blocks(w, wordwise(w, slantedItems(w, shaped(w, list)))), matrices(w)...))
		list = append(list, inCells(w, list)...)
		budgeted = len(list)
		list = teams(w, turned(w, list))
	}
	return list, budgeted
}

// strewn reports whether a stage reads at no place that a block could load beforehand, or at others again and again. Neighbouring items
// of blocks would read farther apart then: pixels of large squares took 166 us on an H200 in blocks of four, and 112 us one by one. So
// it is with what is stored at no place that a block could store behind: squares of 4 x 4 pixels took 1158 us in blocks, and 90 us.
func (w *work) strewn() bool {
	if len(w.stage.Parts) > 0 {
		return false
	}
	what := w.blocked()
	if len(what.Outputs) == 0 && slices.ContainsFunc(w.stage.Accesses, w.leavesGaps) {
		return true
	}
	return len(what.Direct) > 0 && (len(what.Windows) == 0 || w.stage.Open && what.Legs == nil)
}

// blocked is what blocks of instances of the stage read and write.
func (w *work) blocked() *block.Stage {
	if w.what == nil {
		w.what = block.AnalyzeBlocks(w.stage.Of, max(w.unroll(), defaultUnroll))
	}
	return w.what
}

// divided reports whether blocks of so many columns and rows find below themselves what instances read at divided coordinates.
func divided(what *block.Stage, ix, iy int) bool {
	return !slices.ContainsFunc(what.Windows, func(x *block.Window) bool { return !x.X.Divides(ix) || !x.Y.Divides(max(1, iy)) })
}

// leavesGaps reports whether neighbouring instances write pixels that are not neighbours along a line.
func (w *work) leavesGaps(a *feature.Access) bool {
	return a.Writes && !a.Updates && slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Var == w.x && (!x.Known || x.Mul > 1) })
}

// blocks adds work-items that compute some columns and rows.
func blocks(w *work, list []Candidate) []Candidate {
	if w.strewn() {
		return list
	}
	if w.divided() != nil {
		return locals(w, list)
	}
	first := len(list)
	list = w.ofAllShapes(list)
	switch fused := len(w.stage.Parts) > 0; {
	case fused && w.coloursLeft():
	case fused || w.choosesPixels():
		list = inside(list, first)
	default:
		list = w.insideInHalves(list, first)
	}
	list = append(w.doubled(w.evened(list, first), first), streams(w)...)
	if w.leveled() && len(w.stage.Parts) == 0 { // what is fused has no form for small levels
		for i := range list[first:] {
			list[first+i].Small = int(w.fewAtLevel())
		}
	}
	return append(sweeps(w, locals(w, list)), descents(w)...)
}

// ofAllShapes adds blocks of each width and height that is worth looking at, in words as well, and first those of points as one line.
func (w *work) ofAllShapes(list []Candidate) []Candidate {
	first, what := len(list), &block.Stage{}
	if len(w.stage.Parts) == 0 {
		what = w.blocked()
	}
	rows := []int{1, 2, 3, 4, 8}
	if w.vars == 1 {
		rows = []int{0}
	}
	for _, ix := range w.widths() {
		if ix > 2 && ix*w.component() > w.model.Prefers.RowBytes.Int(16) {
			break
		}
		for _, iy := range rows {
			if ix*iy == 1 && !w.readsRuns() || ix == 1 && iy > 1 && !w.enlarges() || !divided(what, ix, iy) {
				continue
			}
			d := w.block(ix, iy, w.model.Prefers.GroupY.Int(4))
			if ix*max(1, iy) == 1 {
				d.Runs = 1
			}
			if w.fillsWords(ix) {
				list = w.inWords(list, d)
			}
			list = append(list, Candidate{Decisions: d, Why: whyBlocks})
			if w.stage.Class == feature.Point && iy == 1 {
				list = slices.Insert(list, first, flat(d)...)
			}
		}
	}
	return list
}

// fillsWords reports whether so many columns of bytes may be computed in words.
func (w *work) fillsWords(columns int) bool {
	stride := w.byteStride()
	return columns >= 4 && stride > 0 && !w.enlarges() && !w.coloursInFloats() && w.keepsInWords(columns) && columns*stride <= w.model.Prefers.RowBytes.Int(16)
}

// flat are the blocks of points of images that are one line, and those in groups of twice the size: nothing is read twice, so half as many groups start
// sooner, and take as long where images are large (33.4 and 33.3 us for 8192 x 8192 bytes on an H200, 127.8 and 128.0 for f32).
func flat(d schedule.Decisions) []Candidate {
	const why = "wide accesses; where images have no gaps the whole is one line"
	d.Flat = 1
	twice := d
	twice.Tile[1] *= 2
	return []Candidate{{Decisions: d, Why: why}, {Decisions: twice, Why: why}}
}

// smallPerUnit is how many instances for each compute unit are so few that blocks of them are slower than single ones. With 128, 512, 2048 and 4096 pyramids of
// 4096 x 4096 pixels took 52.2, 51.1, 54.0 and 53.8 us on an H200 (gpu/pyramid), 156.2, 155.3, 158.8 and 158.9 (hipacc/detail), 318.5, 317.5, 315.7 and 315.8
// (halide/interpolate), and 4.46, 4.35, 4.29 and 4.30 ms (hipacc/multigrid).
const smallPerUnit = 512

// leveled reports whether a stage runs at levels of a pyramid, of which the coarse ones are small.
func (w *work) leveled() bool {
	for _, a := range w.stage.Accesses {
		if a.Image.Base().Of != nil {
			return true
		}
	}
	return false
}

// inside adds to blocks, from the first on, those of which those that lie inside of images have code without border rules. Stages that stand alone have few of these (but choosesPixels), and
// chains one for each image between: on an H200 masks of 5, 7 and 3 pixels along columns and rows took 133.5 us instead of 149, 145.8
// instead of 150 (f32) and 72.3 instead of 75.6 (u16), but of bytes in words, whose two codes have more registers, 57.1 instead of 52. Of bytes that are floats in between they took 90.0 instead of 105.3
// (a Gaussian of 7 in two steps), 151.6 instead of 168.4 (Harris) and 215.7 instead of 230.3. Colours of bytes took 203 us instead of 209 in CUDA and as long through OpenCL, every
// second of them 266 instead of 280, but 244 instead of 215 where they are needed again behind the sums.
func inside(list []Candidate, first int) []Candidate {
	for _, c := range list[first:] {
		if c.Dot4 == 0 && c.Packed16 == 0 {
			list = append(list, withInside(c))
		}
	}
	return list
}

// withInside is a candidate with code for blocks inside of images.
func withInside(c Candidate) Candidate {
	c.Interior = 1
	return Candidate{Decisions: c.Decisions, Why: c.Why + ", inside of images without border rules"}
}

// coloursLeft reports whether a fused stage of bytes has colours that it is better off without such blocks for: those that are needed again behind the sums, those of OpenCL, and planes that are
// written together (4:2:0 from RGB took 0.0716 ms, and 0.0958 in blocks of 8 x 2 with code for inside).
func (w *work) coloursLeft() bool {
	switch {
	case w.component() > 1:
		return false
	case writesVectors(w.stage.Of):
		return !w.bounds || w.readsBeside()
	}
	written := 0
	for _, a := range w.stage.Accesses {
		if a.Writes {
			written++
		}
	}
	return written > 1
}

// insideInHalves adds to blocks, from the first on, those with code for inside of images of which compute bytes in halves of words, and whose code is short enough to be there twice. On an H200 these took, of 8192 x 8192
// bytes, 0.0426 and 0.0400 ms (a cross of 5 x 5), 0.1017 and 0.0921 (a mean of what is inside), 0.0951 and 0.0701 (an outline), 0.0848 and 0.0829 (a median of 3 x 3), 0.0574 and 0.0545 (a life), and of u8x3
// 0.1368 and 0.1211 (5 x 5), 0.1122 and 0.1037 (3 x 3), 0.1835 and 0.1623 (sharpened); but 0.0479 and 0.0526 where a body has 1400 instructions and more than 140 registers.
func (w *work) insideInHalves(list []Candidate, first int) []Candidate {
	if len(w.stage.Parts) > 0 || w.stage.Class != feature.Local || w.model.Class == archmodels.CPU {
		return list
	}
	for _, c := range list[first:] {
		if s := w.shapeOf(c.Decisions); c.Packed16 != 0 && s.held <= fewTwice && s.body(w) <= shortTwice {
			list = append(list, withInside(c))
		}
	}
	return list
}

// shortTwice and fewTwice are how many instructions and registers a body may have to be there twice.
const (
	shortTwice = 1600
	fewTwice   = 128
)

// readsBeside reports whether the last of the stages that are fused reads small components itself, beside what those before it compute.
func (w *work) readsBeside() (found bool) {
	hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
		load, ok := e.(*hast.Load)
		found = found || ok && load.Image.Elem.Kind.Bytes() < 4 && !slices.Contains(w.stage.Of.Inner, load.Image)
	})
	return found
}

const whyBlocks = "rows loaded once for all instances that use them"

// block is a work-item for ix columns and iy rows, iy 0 of a stage of one variable, in groups of gy rows of items. Groups twice as large
// read fewer rows twice, and leave more registers unused: of 200 shapes on an H200 they took 4 % longer, 48 % at most, and were faster
// by 10 % at most.
func (w *work) block(ix, iy, gy int) schedule.Decisions {
	gx := w.model.Prefers.GroupX.Int(32)
	d := schedule.Decisions{Item: [2]int{ix, iy}, Vector: w.access(), Unroll: w.unroll()}
	if d.Tile = [2]int{ix * gx, iy * gy}; iy == 0 {
		d.Tile = [2]int{ix * gx * w.model.Prefers.GroupY.Int(4), 0}
	}
	return d
}

// access is the size of one memory access, in bytes: what the model prefers, as far as kernels have it.
func (w *work) access() int {
	return min(w.model.Prefers.Access.Int(schedule.MaxVector), schedule.MaxVector)
}

// keepsInWords reports whether stages of a group that compute one instance after the other in blocks of so many columns take no bytes out of words that others keep, and none of them computes
// floats of bytes: what they take out compilers hold in registers of its own (163 where 90 are estimated, of the step in which canny follows edges).
func (w *work) keepsInWords(ix int) bool {
	if len(w.stage.Parts) == 0 {
		return true
	}
	s := &shape{ix: float64(ix), iy: 1}
	columns := w.columnsInWords(s)
	takes := func(p *block.Part) bool {
		return columns[slices.Index(w.group.Parts, p)] == nil && s.takenOut(w, p, columns) > 0
	}
	return w.stage.Floats == 0 && !slices.ContainsFunc(w.group.Parts, takes)
}

// inWords adds the ways to compute with bytes four or two at a time.
func (w *work) inWords(list []Candidate, d schedule.Decisions) []Candidate {
	halves, dots := d, d
	halves.Packed16, dots.Dot4 = 1, 1
	if w.model.Features.Dot4.Yes() {
		list = append(list, Candidate{Decisions: dots, Why: "rows loaded once, bytes multiplied and added four at a time"})
	}
	return append(list, Candidate{Decisions: halves, Why: "rows loaded once, small integers computed two to a word"})
}

// component is the size in bytes of the largest component that instances read next to each other.
func (w *work) component() int {
	return w.largest(func(a *feature.Access) bool { return !a.Writes && w.windowed(a) })
}

// largest is the size in bytes of the largest component of some accesses.
func (w *work) largest(some func(*feature.Access) bool) int {
	most := 1
	for _, a := range w.stage.Accesses {
		if some(a) {
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
	if most <= defaultUnroll || most > feature.WrittenOut {
		return 0
	}
	return int(most)
}

// turns are how many neighbouring points of how many lines an item that shares points with others takes at once: one, and vectors of some
// lines. What is read of one pixel that is the same for all points, as a mean, is loaded once.
func (w *work) turns(lines ...int) [][2]int {
	bytes := 0
	for _, a := range w.stage.Accesses {
		if !a.Writes && !ofOnePixel(a) {
			bytes = max(bytes, int(feature.PixelBytes(a.Image)))
		}
	}
	list := [][2]int{{0, 0}}
	if bytes == 0 {
		return list
	}
	for n := 16; n >= 2; n /= 2 {
		if n*bytes >= 8 && n*bytes <= w.access() {
			for _, l := range lines {
				list = append(list, [2]int{n, l})
			}
		}
	}
	return list
}

// ofOnePixel reports whether an access is to one pixel, the same for all instances.
func ofOnePixel(a *feature.Access) bool {
	return !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return !x.Known || x.Var != nil || x.Span() > 1 })
}

// shortLine is a line of which a group has taken all in a round or few: cutting it into chunks, and two launches more for these, take longer.
const shortLine = 1024

// lines are groups that take whole lines of prefixes, where there are enough lines to fill the device, or lines are short.
func lines(w *work) []Candidate {
	if w.stage.Of.Scan.Prefix == nil || w.lines() < 2*w.model.Rates.Units.Or(16) && w.instances > w.lines()*shortLine {
		return nil
	}
	var list []Candidate
	bytes := w.stage.Of.Scan.Prefix.Before.T.Bytes()
	for _, n := range []int{256, 128, 64} {
		for width := 16; width >= 2; width /= 2 {
			if width*bytes <= w.access() {
				list = append(list, Candidate{Decisions: schedule.Decisions{Prefix: n, Item: [2]int{width}}, Why: "a group takes a line: each pixel is read once"})
			}
		}
	}
	return list
}

// stepwise are groups that take the instances of each step of a scan.
func stepwise(w *work) (list []Candidate) {
	for _, n := range []int{1024, 512, 256, 128, 64} {
		if n <= w.model.Limits.GroupSize.Int(256) {
			list = append(list, Candidate{Decisions: schedule.Decisions{Steps: n}, Why: "a group computes the instances of each step side by side"})
		}
	}
	return list
}

// sharedSteps are groups that share the reductions of each step of a scan of one line.
func sharedSteps(w *work) (list []Candidate) {
	if !w.sharesSteps() {
		return nil
	}
	for _, n := range []int{1024, 256} {
		if n <= w.model.Limits.GroupSize.Int(256) {
			list = append(list, Candidate{Decisions: schedule.Decisions{Steps: n}, Why: "a group shares what each step reduces"})
		}
	}
	return list
}

// pointTurn is the time of a point of a reduction that a work-item takes by itself, whose load it waits for with few others, and sharedTurn that of what a group does in each step
// besides: joining what its items have, and waiting for what the first one stores. Neither is measured: of the 443 ms of an elimination of 4096 rows (pencil/gauss) on an H200 some 280 are left
// by its other launches for the 2^23 points of the scan behind it.
const (
	pointTurn  = 33e-9
	sharedTurn = 2e-6
)

// costOfSharedSteps is that of a scan of one line whose reductions are loops that only the sizes bound, by a group of so many work-items, or by one.
func (w *work) costOfSharedSteps(items int) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0)}
	points := 0.0
	hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			points += w.stepsOf(r.Space) / 2 // on average, where they begin or end with the step
		}
	})
	step := turn + points*pointTurn
	if items > 1 {
		step = sharedTurn + math.Ceil(points/float64(items))*pointTurn
	}
	c.Steps = w.instances * step
	return c
}

// sharesSteps reports whether a stage is a scan of one line whose steps reduce what only the sizes bound.
func (w *work) sharesSteps() bool {
	s := w.stage.Of
	return s.Scan != nil && !s.Scan.Chunks && len(s.Across()) == 0 && w.stage.Open && block.Rolled(s, defaultUnroll)
}
