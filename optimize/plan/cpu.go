package plan

import (
	"math"

	"imgc/archmodels"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// CPUs run a work-item for some rows of an image, in vector registers. What tells shapes apart there is the number of instructions:
// each loads, computes or stores one register.

// byRows are work-items that compute rows, so many instances side by side. Twice as many rows as a model prefers, and more instances than a
// register holds, are for sums that are taken apart, and for values of at most two bytes, which leave registers to what they are computed
// from: on one core 8 rows of a separable mask of 15x15 floats take 2.5 ms with 16 lanes and 3.2 with 32, and a mask of 5x5 floats that is
// not separable takes 1.01 ms in 4 rows and 1.07 in 8.
func byRows(w *work) []Candidate {
	if w.vars < 2 || w.instances < fewInstances || w.stage.Class == feature.Scan {
		return nil
	}
	if len(w.stage.Parts) > 0 {
		return byRowTiles(w)
	}
	var list []Candidate
	if w.stage.Class == feature.Scatter {
		list = alone(w)
	}
	add := func(d schedule.Decisions, why string) {
		if d.Block == 0 && d.Rows > 1 && w.bodyOfRows(d) > w.model.Limits.Body.Or(100)*maxBody { // a mask that stays a loop makes no long body
			return
		}
		if w.bodyOfRows(d) <= w.model.Limits.Body.Or(100)*mostWritten {
			d.Unroll = w.unroll()
		}
		list = append(list, Candidate{Decisions: d, Why: why})
	}
	one := w.model.Prefers.Access.Int(64) / w.widest()
	for _, rows := range w.heightsByRows() {
		for _, n := range []int{one / 2, one, 2 * one} {
			if n >= 8 && n <= 64 {
				w.byLanes(rows, n, n > one, add)
			}
		}
	}
	add(schedule.Decisions{Rows: 1}, "rows from end to end, without border rules between the ends")
	return append(list, w.keeping()...)
}

// heightsByRows are how many rows of an item are worth looking at.
func (w *work) heightsByRows() []int {
	most := w.model.Prefers.Rows.Int(4)
	switch w.stage.Class {
	case feature.Gather: // tables of columns are read once for all
		return []int{1, 2, most}
	case feature.Local:
		return []int{1, 2, most, 2 * most}
	}
	return []int{1}
}

// byLanes adds the ways to compute so many rows with n neighbours side by side; wider says that a value takes several registers then: loads of one go on while the other one is computed.
func (w *work) byLanes(rows, n int, wider bool, add func(d schedule.Decisions, why string)) {
	narrow := w.widest() < 4
	if rows > 1 && (!wider || narrow || w.smallSums(n)) {
		add(schedule.Decisions{Rows: rows, Lanes: n, RowSums: 1}, "rows from end to end, neighbours side by side, sums along rows of windows once for all that use them")
	}
	if w.stage.Class == feature.Local && (!wider || narrow || rows == 1) {
		line := w.columnsOfLine(rows, n)
		add(schedule.Decisions{Rows: rows, Lanes: n, Line: line}, "rows from end to end, neighbours side by side, sums along columns of windows once for all that use them")
	}
	if wider && narrow && w.stage.Class == feature.Point {
		add(schedule.Decisions{Rows: rows, Lanes: n}, "rows from end to end, neighbours side by side in two vector registers")
	}
	if wider || rows > w.model.Prefers.Rows.Int(4) && !narrow {
		return
	}
	if block := w.columnsOfBlock(rows, n); block > 0 {
		add(schedule.Decisions{Rows: rows, Lanes: n, Block: block, Unroll: w.unroll()}, "the mask is large: a loop over its points, which adds to sums in registers of some columns of all rows of an item")
	}
	add(schedule.Decisions{Rows: rows, Lanes: n}, "rows from end to end, neighbours side by side in vector registers")
}

// smallSums reports whether the sums along rows that a column of a mask's window needs, so many instances side by side, leave half of the registers
// to what they are computed from. Masks of 3x3 and 5x5 floats, 8 rows at once, take a tenth less time on two cores with AVX-512 with 32 lanes than with
// 16.
func (w *work) smallSums(lanes int) bool {
	most := 0.0
	for _, a := range w.stage.Accesses {
		down, _, _ := w.mask(a)
		most = max(most, down)
	}
	return most > 0 && most*float64(lanes) <= w.model.Limits.RegistersPerItem.Value/2
}

// blockedPoints is the points of a mask from which loops over them are faster than code that has them all: 7x7 of f32 takes 1.5 ms instead
// of 1.8 on two cores with AVX-512, 9x9 2.2 instead of 4.4, and 5x5 as long.
const blockedPoints = 36

// columnsOfBlock is how many columns are summed at once in so many rows, so many of them side by side: as many as half of the registers
// hold, since what is loaded takes some; 0 where masks are small.
func (w *work) columnsOfBlock(rows, lanes int) int {
	points := 0.0
	for _, a := range w.stage.Accesses {
		if down, _, _ := w.mask(a); down > 0 {
			points = max(points, a.Window())
		}
	}
	if points <= blockedPoints {
		return 0
	}
	return lanes * max(1, w.model.Limits.RegistersPerItem.Int(0)/2/(rows*lanes))
}

// lineColumns are the columns of the lines of sums of a work-item, of all of its rows: few enough for the nearest cache, and so many that
// those at their ends, which the next block computes once more, do not count; leastLine is a row's share of them at least.
const (
	lineColumns = 2048
	leastLine   = 512
)

// columnsOfLine is how many columns a line of so many rows, so many lanes side by side, has: fewer where each has several components.
func (w *work) columnsOfLine(rows, lanes int) int {
	line := max(leastLine, lineColumns/rows)
	if n := int(w.componentsOf(schedule.Decisions{Lanes: lanes, Unroll: w.unroll()})); n > 1 {
		line = (line/n + lanes - 1) / lanes * lanes
	}
	return line
}

// mostOfGroup is how many instances a group of reductions takes at most. A group takes 30 ns to begin: a sum of 1920 x 1080 floats in
// 1024 parts 0.167 ms on one core with groups of one, 0.134 with 16, 0.130 with 64, which cores that are more would have too few of.
const mostOfGroup = 16

// sideways are reductions over many points, neighbours side by side, so many instances to a group that all cores have some groups.
func (w *work) sideways() []Candidate {
	if !w.stage.Open && w.stage.Class != feature.Global {
		return nil
	}
	each := w.instances / float64(w.groups())
	tile := 1
	for tile < mostOfGroup && float64(2*tile) <= each {
		tile *= 2
	}
	var list []Candidate
	for _, n := range []int{16, 32} {
		d := schedule.Decisions{Lanes: n, Tile: [2]int{tile}}
		list = append(list, Candidate{Decisions: d, Why: "points of reductions side by side in vector registers"})
	}
	return list
}

// alone are histograms in copies of one work-item each, which takes them in turn so that no update waits for the one before.
func alone(w *work) []Candidate {
	var list []Candidate
	for _, n := range []int{1, w.model.Prefers.HistogramCopies.Int(4)} {
		list = append(list, Candidate{Decisions: schedule.Decisions{Copies: [3]int{n, 1, w.groups()}}, Why: "each work-item counts in copies of its own"})
	}
	return list
}

// groups is how many work-groups keep all cores busy.
func (w *work) groups() int {
	return max(1, w.model.Rates.Units.Int(4)*w.model.Prefers.GroupsPerUnit.Int(8))
}

// widest estimates the bytes of the widest component that instances compute with: what arithmetic on bytes gives takes two.
func (w *work) widest() int {
	if w.stage.Ops[feature.FMA]+w.stage.Ops[feature.Half]+w.stage.Ops[feature.Special]+w.stage.Ops[feature.Convert]+w.stage.Ops[feature.ConvertWord] > 0 {
		return 4
	}
	most := 1
	for _, a := range w.stage.Accesses {
		most = max(most, a.Image.Elem.Kind.Bytes())
	}
	return min(4, 2*most)
}

// maxBody is how many operations for each multiply-add that a body may have several rows of instances may take: beyond, compilation
// takes seconds, and what rows share does not stay in registers.
const maxBody = 4

// mostWritten is the same for what is written out at all: products of matrices of 16 x 16 are 17,000 operations, of which PoCL took 23 s to make code that ran
// twice as long as that of loops. Weights of a 17 x 17 mask that are mostly 0 (670 operations) took 520 ms in loops and 340 written out.
const mostWritten = 40

// bodyOfRows is how many operations the rows of an instance take.
func (w *work) bodyOfRows(d schedule.Decisions) float64 {
	n := w.stage.Ops.Total() - w.stage.Ops[feature.Memory]
	switch rows := float64(d.Rows); {
	case d.RowSums > 0:
		n *= w.separated(rows)
	case d.Line > 0 && len(w.inCommon().List) > 0:
		return n
	case d.Line > 0:
		n *= w.alongColumns()
	}
	return n * float64(d.Rows) / w.componentsOf(d)
}

const (
	cpuOverhead = 4 // instructions of a step of a loop
	// pixelwise is by how much one work-item for each instance takes longer than a loop over a row: coordinates are brought into the
	// image for each, and what is loaded serves nobody else.
	pixelwise = 3
	chained   = 8  // instructions that would go in the time of an update that another one waits for
	atomic    = 60 // and of an update that no other work-item divides
)

// costOnCPU predicts one launch.
func (w *work) costOnCPU(d schedule.Decisions) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0)}
	if d.Rows == 0 && w.divided() != nil {
		c.Crowded = byPixels
	}
	bw, r := &w.model.Bandwidth, &w.model.Rates
	c.Relative = !bw.Copy.Known || r.Clock.How == archmodels.Assumed
	if bw.Copy.Known {
		c.Memory = (w.read + w.written) / bw.Copy.Value
	}
	if bytes := w.read + w.written; bw.Fabric.Known && bytes <= w.model.Memory.L3.Or(0)/2 { // with room for what other stages have left there
		c.Memory = bytes / bw.Fabric.Value
	}
	rate := r.Clock.Value * r.Issue.Value * r.Units.Or(1)
	c.Issue = w.instances * w.perInstance(d) / rate * w.idle(d, r.Units.Or(1))
	return c
}

// idle is by how much a launch takes longer where its work-items, which take some rows each, are no multiple of the cores.
func (w *work) idle(d schedule.Decisions, units float64) float64 {
	if d.Rows == 0 {
		return 1
	}
	rows := w.instances / w.columns()
	items := math.Ceil(rows / float64(d.Rows))
	if d.Tile[0] > 0 {
		items = math.Ceil(rows/float64(d.Tile[1])) * math.Ceil(w.columns()/float64(d.Tile[0]))
	}
	return math.Ceil(items/units) * units / max(1, items)
}

// perInstance is the number of instructions for an instance.
func (w *work) perInstance(d schedule.Decisions) float64 {
	if d.Tile[0] > 0 && d.Rows > 0 {
		return w.inRowTiles(d)
	}
	if d.Line > 0 && len(w.inCommon().List) > 0 {
		return w.keepingCommon(d)
	}
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	repeats := w.repeats()
	one := ops.Total() * repeats
	for _, a := range w.stage.Accesses {
		one += a.Count * repeats * float64(a.Image.Elem.Lanes)
	}
	switch {
	case d.Copies[0] > 0: // an update waits for that before it in the same place
		return one + chained/float64(d.Copies[0])
	case w.stage.Class == feature.Scatter:
		one += atomic
	}
	switch {
	case d.Rows == 0 && d.Lanes > 0:
		return one * math.Ceil(float64(4*d.Lanes)/w.model.Prefers.Access.Or(64)) / float64(d.Lanes)
	case d.Rows == 0:
		return pixelwise * one
	}
	if d.Lanes == 0 {
		return one + cpuOverhead
	}
	lanes, rows := float64(d.Lanes), float64(d.Rows)
	registers := math.Ceil(lanes * float64(w.widest()) / w.model.Prefers.Access.Or(64)) // of a value
	step := float64(cpuOverhead)
	all := ops.Total() * rows
	ends := pixelwise * one * w.borderShare()
	switch {
	case d.RowSums > 0:
		all *= w.separated(rows)
	case d.Line > 0:
		share := w.alongColumns()
		all, ends = all*share, ends*share
		step += cpuOverhead // of the loop that fills the line
	case d.Block > 0:
		return w.inBlocks(d, all, registers)
	}
	if n := w.componentsOf(d); n > 1 { // a step for as many components, each of which takes its own
		return (step*n+(all+w.inComponents(d, n))*registers)/(lanes*rows) + ends
	}
	step += all * registers
	for _, a := range w.stage.Accesses {
		if down, _, _ := w.mask(a); d.Line > 0 && down > 0 {
			step += w.inLines(a, d, 1) * registers
			continue
		}
		if w.gathered(a) {
			step += gathering * a.Count * lanes * rows
			continue
		}
		step += w.loads(a, rows) * registers * w.shuffles(a)
	}
	return step/(lanes*rows) + ends
}

// componentsOf is how many components of a pixel are computed each by a lane of its own, as decided; 1 where a lane has all of them.
func (w *work) componentsOf(d schedule.Decisions) float64 {
	if d.Lanes == 0 || d.Block > 0 {
		return 1
	}
	return float64(w.looks.InLanes(w.stage.Of, max(d.Unroll, defaultUnroll)).N)
}

// inComponents is the instructions, for a register of each component, in which the rows of an instance load and store what lies side by side as components do.
func (w *work) inComponents(d schedule.Decisions, components float64) (n float64) {
	for _, a := range w.stage.Accesses {
		if down, _, _ := w.mask(a); d.Line > 0 && down > 0 {
			n += components * w.inLines(a, d, components)
			continue
		}
		n += w.loads(a, float64(d.Rows))
	}
	return n
}

// keeping is the instructions of keeping a sum in a line, which seldom lies where a register's bytes would.
const keeping = 4

// halving is the instructions of taking a register of sums apart for the halves of a line that instances at every second pixel read.
const halving = 3

// inLines is the instructions, for a register of each row, of loading the rows of a mask, keeping what they come to in lines, and loading
// that. What is read is converted, what is kept is not. Few loads from a line start where registers would, and then take two.
func (w *work) inLines(a *feature.Access, d schedule.Decisions, components float64) float64 {
	down, across, stride := w.mask(a)
	rows, line := float64(d.Rows), min(float64(d.Line), w.columns())
	filled := stride*(line-1) + across
	steps := math.Ceil(components*filled/float64(d.Lanes)) * float64(d.Lanes) / (components * line) // the last one overlaps the one before
	fill := (2+w.farther(a, down+rows-1, d))*(down+rows-1) + keeping*rows
	apart := 1.0
	if components == 1 {
		apart = w.shuffles(a)
	}
	if stride == 2 {
		fill, apart = fill+halving*rows, 1
	}
	return steps*fill + 2*across*rows*apart
}

// farther is how many instructions would go in the time that each load of a mask's rows takes longer where these do not stay in the
// nearest cache from one row of the image to the next, beside the line and what is written; 0 where they do.
func (w *work) farther(a *feature.Access, rows float64, d schedule.Decisions) float64 {
	bytes := rows*w.columns()*float64(a.Image.Elem.Bytes()) + float64(d.Rows)*min(float64(d.Line), w.columns())*float64(w.widest())
	for _, out := range w.stage.Accesses {
		if out.Writes {
			bytes += w.columns() * float64(out.Image.Elem.Bytes())
		}
	}
	if bytes <= w.model.Memory.L1.Value {
		return 0
	}
	return 2
}

// gathering is the instructions of a read at a place of its own, which becomes a lane of a wide value. On a processor with AVX-512 the
// look-up of a byte takes 2.2 clocks, and 2.1 alone.
const gathering = 6.8

// gathered reports whether pixels are read at places along a row that data decides.
func (w *work) gathered(a *feature.Access) bool {
	return !a.Writes && len(a.Axes) > 0 && !a.Axes[len(a.Axes)-1].Known
}

// loads is the instructions in which so many rows of an instance load or store what they share, once: few start where registers would, and
// then take two, and integers that are computed with become wider; but for each use, and its factor, where they are more than registers hold.
func (w *work) loads(a *feature.Access, rows float64) float64 {
	n, each := w.accesses(a, rows), 2.0
	if w.windowed(a) && w.stage.Ops[feature.Integer] > 0 && a.Image.Elem.Kind.Bytes() < w.widest() {
		each++
	}
	if a.Window() > blockedPoints {
		return each * max(n, a.Count*rows)
	}
	return each * n
}

// inBlocks is perInstance where sums are loops over the points of a mask: each loads the pixels of a block, and a factor for
// each row, and counts.
func (w *work) inBlocks(d schedule.Decisions, all, registers float64) float64 {
	parts, rows, width := float64(d.Block/d.Lanes), float64(d.Rows), float64(d.Block)
	step := cpuOverhead + all*registers*parts
	for _, a := range w.stage.Accesses {
		if down, _, _ := w.mask(a); down > 0 {
			step += w.accesses(a, rows) * (registers*parts + rows + 1)
			continue
		}
		step += w.accesses(a, rows) * registers * parts
	}
	ends := 2 * step / parts / w.columns()
	return step/(width*rows) + ends/rows
}

// mask is the window that is read, and how many columns lie between those of neighbours; 0 where none is.
func (w *work) mask(a *feature.Access) (down, across, stride float64) {
	if a.Writes || !w.windowed(a) {
		return 0, 0, 0
	}
	down, across = (&shape{ix: 1, iy: 1}).window(w, a)
	stride = 1
	for _, x := range a.Axes {
		if x.Known && x.Var == w.x {
			stride = float64(max(1, x.Mul))
		}
	}
	return down, across, stride
}

// alongColumns is the share of products that is left of a sum over a mask when sums along the columns of its window are computed once
// for a row of instances.
func (w *work) alongColumns() float64 {
	least := 1.0
	for _, a := range w.stage.Accesses {
		if down, across, stride := w.mask(a); down > 0 {
			least = min(least, (stride*down+across)/(down*across))
		}
	}
	return least
}

// accesses is how many components so many rows of an instance read or write, those that rows share once.
func (w *work) accesses(a *feature.Access, rows float64) float64 {
	if !w.windowed(a) {
		return a.Count * rows
	}
	r, c := (&shape{ix: 1, iy: rows}).window(w, a)
	return r * c * float64(a.Image.Elem.Lanes)
}

// borderShare is the share of instances at the ends of rows.
func (w *work) borderShare() float64 {
	most := 0.0
	for _, a := range w.stage.Accesses {
		for _, x := range a.Axes {
			if x.Known && x.Var == w.x && a.Outside {
				most = max(most, float64(x.Span()-1))
			}
		}
	}
	return min(1, most/w.columns())
}

// columns is the number of instances of a row.
func (w *work) columns() float64 {
	r := w.stage.Of.Space.Ranges[w.vars-1]
	return float64(max(1, w.eval(r.Hi)-w.eval(r.Lo)))
}

// separated is the share of products that is left of a sum over a mask when sums along the rows of its window are computed once for so
// many rows of instances.
func (w *work) separated(rows float64) float64 {
	least := 1.0
	for _, a := range w.stage.Accesses {
		if a.Writes || !w.windowed(a) {
			continue
		}
		h, across := (&shape{ix: 1, iy: 1}).window(w, a)
		all, _ := (&shape{ix: 1, iy: rows}).window(w, a)
		least = min(least, (all*across/rows+h)/(h*across))
	}
	return least
}

// shuffles is by how much more it takes to load components that do not lie side by side: as many loads, and the lanes are put together.
func (w *work) shuffles(a *feature.Access) float64 {
	apart := float64(a.Image.Elem.Lanes)
	for _, x := range a.Axes {
		if x.Known && x.Var == w.x {
			apart *= float64(max(1, x.Mul))
		}
	}
	if apart == 1 {
		return 1
	}
	return 3 * apart
}
