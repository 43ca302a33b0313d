package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A shape is what decisions make of a stage.
type shape struct {
	ix, iy   float64
	items    float64        // work-items
	vector   float64        // bytes of an access
	blocks   bool           // items compute blocks from windows that they load first
	turns    bool           // items take blocks of points in turn
	copies   bool           // of what they update in local memory, or all of it
	inParts  bool           // copies are of a part of it
	gx, gy   float64        // columns and rows of items in a group
	perLoad  float64        // loads of an item that can wait together
	dots     bool           // bytes are multiplied and added four at a time
	packed   bool           // integers are computed in halves of words
	sums     []*byteSum     // of bytes, which each instance computes
	extremes []extreme      // of integers in halves of words
	products feature.Ops    // which are in none
	dotted   []block.Dotted // over points that items share
	stream   float64        // rows that are held where sums are computed row by row; 0 where all are loaded first
	rolled   bool           // the loop over rows is left a loop
	rows     float64        // of the largest window
	local    bool           // groups load and compute a tile of tx by ty together
	tx, ty   float64        // of what a group loads together; 0 where items load for themselves
	tiling   block.Tiling   // of that, where it is in local memory
	interior bool           // blocks inside of images have code of their own
	groups   float64        // where local: that a compute unit has room for
	held     float64        // registers of an item
	legs     bool           // items go through what they compute with all of their instances (block.Leg)
	planes   float64        // that they take one by one then; 1 where they do not
}

// What is lost where memory and arithmetic take equally long, as a part of the time: fitted to 7x7 masks of f32 on an H200, 177 us
// where all rows are loaded first and 165 us where they are added as they come, of 140 us of either; and to 5x5, 141 and 138 of 132.
const (
	loadedFirst = 0.25
	addedAsRead = 0.17
	inWords     = 0.1 // windows of bytes that are kept in words take few registers
)

func (s shape) apart() float64 {
	switch {
	case s.words():
		return inWords
	case s.stream > 0:
		return addedAsRead
	}
	return loadedFirst
}

// crowded is the part of the time that is lost to few items at once. Windows are on their way for long, so that few items do: 1 % for
// a 3x3 mask of f32 in eight rows instead of three on an H200, 4 % for Sobel gradients. Chains of stages keep what they compute, and wait
// more: 3 % for two masks of 5 x 1 and 1 x 5 in eight rows, 10 % and more for two of 7 x 1 and 1 x 7.
// Where an item reads but its own pixels, nothing else hides that it waits: 46, 62 and 120 us for 4, 8 and 16 pixels of three images of
// four bytes each, 41 and 53 us for 8 and 16 of two images of three bytes.
func (s shape) crowded(w *work) float64 {
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
	case w.stage.Class == feature.Local && len(w.stage.Parts) > 0:
		return 0.001 * max(0, s.held-48)
	case s.usedOnce(w):
		return 0
	case w.stage.Class == feature.Local:
		return 0.0005 * max(0, s.held-48)
	case w.stage.Class == feature.Point:
		return 0.01 * max(0, s.held-80)
	}
	return 0
}

// holdsMuch reports whether items of groups that share a tile have much of their own in registers while they wait.
func (s shape) holdsMuch(w *work) bool {
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
func (s shape) single(w *work) bool {
	return !s.blocks && !s.turns && !s.local && w.stage.Class != feature.Point && w.vars > 1
}

// uneven is by how much longer an item takes whose loops end where data says: what it computes one after another adds up to the time of
// the longest. Fitted to the Mandelbrot set on an H200: 45 us for 4 instances, 72 for 8, 118 for 16, 193 for 32.
func (s shape) uneven(w *work) float64 {
	if !w.stage.Uneven || !s.blocks {
		return 1
	}
	return 1 + 0.17*(s.ix*s.iy-1)
}

func (w *work) shapeOf(d schedule.Decisions) shape {
	s := shape{ix: float64(max(1, d.Item[0])), iy: float64(max(1, d.Item[1])), gx: math.Inf(1), gy: 1}
	s.turns = d.Reduce > 0 || d.Copies[0] > 0 || d.Lines()
	s.blocks, s.copies = d.Blocks() && !s.turns && d.Matrix == 0, d.Copies[0]+d.Keep > 0
	s.inParts = d.Parts > 1
	switch {
	case d.Copies[0] > 0:
		s.items = float64(d.Copies[1] * d.Copies[2])
	case d.Reduce > 0:
		s.items = w.instances
	case d.Prefix > 0:
		s.items = w.lines() * float64(d.Prefix)
	case d.Band[0] > 0:
		s.items = math.Ceil(w.lines()/float64(d.Band[0])) * float64(d.Band[2])
	case w.stage.Of.Scan != nil && !w.stage.Of.Scan.Meet():
		s.items = w.chains()
	default:
		s.items = w.instances / (s.ix * s.iy)
	}
	s.vector = float64(max(1, d.Vector))
	if d.Vector == 0 {
		s.vector = 16
	}
	if d.Tile[1] > 0 {
		s.gx = max(1, float64(d.Tile[0])/s.ix)
		s.gy = max(1, float64(d.Tile[1])/s.iy)
	}
	s.perLoad, s.interior = s.iy*float64(max(1, d.Fetch)), d.Interior != 0
	if s.blocks && s.ix*s.iy == 1 {
		s.perLoad = w.ownRows()
	}
	s.stream, s.rolled = float64(d.Stream), d.Rolled != 0
	rows, _ := w.reach()
	if s.rows = float64(rows); s.rolled {
		// As lowering does: fewer rows where there would be too few groups.
		strips := max(1, math.Floor(float64(d.Rolled)/math.Ceil(w.count(0)/float64(d.Tile[0])))) * s.gy
		s.iy = min(s.iy, max(math.Ceil(w.count(1)/strips), s.rows-1))
		s.items = w.instances / (s.ix * s.iy)
	}
	if d.Matrix != 0 {
		s.tx, s.ty, s.perLoad = float64(d.Tile[0]), float64(d.Tile[1]), 4
	}
	if s.local = d.Local != 0 && w.group != nil; s.local {
		s.tiling = tilingOf(d)
		s.tx, s.ty = float64(d.Tile[0]), float64(max(1, d.Tile[1]))
		if d.Local == schedule.Shared { // tiles are loaded component by component
			s.vector = float64(max(w.component(), w.turnedBytes()))
		}
		s.perLoad = 4
	}
	s.dots, s.packed = d.Dot4 != 0, d.Packed16 != 0
	s.legs = s.inLegs(w)
	s.planes = s.inPlanes(w)
	if s.held = s.registers(w); s.local {
		s.groups = s.resident(w, d)
	}
	if s.turns {
		s.dotted = w.dotted(d)
	} else if s.words() {
		s.sums = w.byteSums(d)
		if s.packed {
			s.extremes, s.products = w.extremes(d), w.products(d)
		}
	}
	return s
}

// words reports whether bytes lie in words.
func (s shape) words() bool { return s.dots || s.packed }

// count is how many values the last variable of the space has, or with 1 the one before.
func (w *work) count(before int) float64 {
	if before < len(w.counts) {
		return w.counts[before]
	}
	return w.valuesOf(before)
}

// valuesOf is count, found out.
func (w *work) valuesOf(before int) float64 {
	r := w.stage.Of.Space.Ranges[w.vars-1-before]
	return math.Max(1, float64(w.eval(r.Hi)-w.eval(r.Lo)))
}

// rowBytes is what an item reads of a row that it computes, or writes where it reads nothing.
func (s shape) rowBytes(w *work) float64 {
	most := 0.0
	for _, a := range w.stage.Accesses {
		if len(a.Axes) > 0 && a.Axes[len(a.Axes)-1].Var == w.x || len(a.Axes) > 1 {
			most = max(most, s.across(w, a)*float64(feature.PixelBytes(a.Image)))
		}
	}
	return max(most, 1)
}

// width is the share of the bandwidth that accesses of the shape reach: several loads of an item that wait together count as one.
func (s shape) width(w *work) float64 {
	b := &w.model.Bandwidth
	bytes := min(s.rowBytes(w), max(s.vector, 1)) * max(1, s.perLoad)
	if w.stage.Class == feature.Local && !s.blocks && !s.turns {
		bytes *= 2 // some neighbours' loads are in flight as well
	}
	type point struct {
		bytes float64
		share archmodels.Figure
	}
	share := 1.0
	for _, p := range []point{{16, b.Width16}, {8, b.Width8}, {4, b.Width4}, {2, b.Width2}, {1, b.Width1}} {
		if p.share.Known {
			share = p.share.Value
		}
		if bytes >= p.bytes {
			break
		}
	}
	return max(share, 0.01)
}

// requests is how many accesses of all items go beyond the first cache: of each pixel one, which it shares with the neighbours that the access
// is wide enough for.
func (s shape) requests(w *work) float64 {
	n := 0.0
	type moved struct {
		image *hast.Image
		bytes [2]float64 // read, written
	}
	var room [8]moved // without memory of its own
	seen := room[:0]
	for _, a := range w.stage.Accesses {
		if len(a.Axes) == 0 || !s.windowed(w, a) {
			continue
		}
		pixel := feature.PixelBytes(a.Image)
		bytes := min(w.places(a)*float64(a.Image.Elem.Kind.Bytes()), a.Count*w.instances*float64(pixel))
		way, k := 0, slices.IndexFunc(seen, func(m moved) bool { return m.image == a.Image })
		if a.Writes {
			way = 1
		}
		if k < 0 {
			k, seen = len(seen), append(seen, moved{image: a.Image})
		}
		more := max(0, bytes/s.accessBytes(w, a)-seen[k].bytes[way]) // several windows of an image share what they read
		seen[k].bytes[way] += more
		n += more
	}
	return n
}

// accessBytes is the width of the accesses to a row of an item's pixels: the largest power of two that divides it, or less where rows begin
// elsewhere.
func (s shape) accessBytes(w *work, a *feature.Access) float64 {
	row := feature.PixelBytes(a.Image)
	switch {
	case s.blocks && s.ix*s.iy == 1 && !a.Writes:
		row *= ownRun(w, a)
	case s.blocks || s.turns:
		row *= int64(s.across(w, a))
	}
	access := min(float64(row&-row), max(s.vector, 1))
	if o := w.several(a); o != nil && s.blocks {
		return float64(row) / (float64(row)/access + narrowEnds(o, access))
	}
	return access
}

// amplified is how often a byte is read from the last-level cache: rows at the upper and lower end of a group are read by two,
// and so is a sector at each end of a row of a subgroup. Of several planes that are read around its own each is read again: chains over cells of a bilateral
// grid that begin with five planes took 144 us on an H200, and 1.04 GB went through that cache for a grid of 92 MB.
func (s shape) amplified(w *work) float64 {
	amp := 1.0
	for _, a := range w.stage.Accesses {
		if a.Writes || s.legs && w.alike(a) {
			continue
		}
		if s.turned(w, a) {
			amp = max(amp, s.amplifiedTurned(w, a))
			continue
		}
		spanY, spanX, planes := 1.0, 1.0, 1.0
		for k, x := range a.Axes {
			if x.Known && x.Var != nil && x.Var != w.x && x.Var != w.y && !ofComponents(a.Image, k) {
				planes *= float64(x.Span())
			}
			if (!s.blocks || s.ix*s.iy == 1) && x.Span() <= x.Mul { // windows that are apart; of several instances, whose shapes were fitted with them, they are counted as before
				continue
			}
			span := float64(x.Span())
			if a.Near > 0 && x.Mul > 0 { // of a block of instances, beside as many as it has itself
				span /= float64(x.Mul)
			}
			if x.Known && x.Var == w.y && w.y != nil {
				spanY = span
			}
			if x.Known && x.Var == w.x {
				spanX = span
			}
		}
		rows := s.iy * s.gy
		if s.tx > 0 { // columns beyond the tile are read by two groups, too
			rows = s.ty
			amp = max(amp, planes*(rows+spanY-1)/rows*w.sectors(a, s.tx, spanX-1)/s.tx)
			continue
		}
		line := s.ix * float64(feature.PixelBytes(a.Image)) * min(w.model.Limits.Subgroup.Or(1), s.gx)
		here := planes * (rows + spanY - 1) / rows
		if spanX > 1 {
			here *= 1 + 2*w.model.Memory.Sector.Or(0)/max(line, 1)
		}
		amp = max(amp, here)
	}
	return amp
}

// ofComponents reports whether an axis is that of the components of pixels.
func ofComponents(m *hast.Image, axis int) bool {
	_, _, channel := block.Axes(m)
	return axis == channel
}

// storedApart is how often bytes are written that items store farther from each other than one access is wide: a store of a subgroup then
// fills only parts of sectors, and what the next ones bring comes too late. On an H200 pixels of three floats took 120 us in
// items of one pixel, 135 of two and 230 of four, those of three bytes 30, 50 and 55 in items of four, of eight and of eight by two. Loads take no
// longer: what they leave of a sector stays in the first cache.
const storedApart = 2

// fewApart is the part of it for items of two accesses: two images of floats took 59 us in items of eight columns and 46 in items of four.
const fewApart = 0.25

// apartStored is by how much more is written than there are bytes, over all images that a stage writes.
func (s shape) apartStored(w *work) float64 {
	if s.local && !s.tiling.Direct || !w.model.Memory.Sector.Known {
		return 1
	}
	all, apart := 0.0, 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes || !w.windowed(a) {
			continue
		}
		pixel := float64(feature.PixelBytes(a.Image))
		all += pixel
		row, access, o := s.across(w, a)*pixel, float64(w.access()), w.several(a)
		switch {
		case o != nil && !s.blocks:
			apart += pixel
		case o != nil && begins(o, min(row, access)) < min(row, access): // each of the stores of a row, of parts of sectors
			apart += narrowEnds(o, min(row, access)) * pixel
		case !s.blocks || row <= access:
		case row > 2*access || small(a):
			apart += pixel
		default:
			apart += fewApart * pixel
		}
	}
	if all == 0 {
		return 1
	}
	return 1 + (storedApart-1)*apart/all
}

// inFlight compares the work-items that run at once with those that keep the memory busy.
func (s shape) inFlight(w *work, d schedule.Decisions) float64 {
	need := w.model.Prefers.ItemsInFlight.Or(0) * w.model.Rates.Units.Or(0)
	if need == 0 {
		return 1
	}
	items := s.items * repeatsIn(d) * max(1, float64(d.Ahead))
	if s.stream > 1 { // rows are on their way while others are added
		_, cols := w.reach()
		items *= max(1, (s.stream-1)*(s.ix+float64(cols-1))*float64(w.component())/s.vector)
	}
	return max(items/need, 0.0001)
}

// ops are the operations of one instance: those of the program, and loads, stores, addresses and unpacking.
func (s shape) ops(w *work) feature.Ops {
	out := s.own(w)
	repeats := w.repeats()
	for p := range out {
		out[p] += w.stage.InOpen[p] * (repeats - 1)
	}
	for p, n := range s.partOps(w) {
		out[p] += n
	}
	out[feature.Memory] = 0
	s.halves(w, &out)
	switch {
	case s.dots && s.turns:
		s.inDots(w, &out)
	case s.words():
		s.inWords(w, &out)
	}
	if s.blocks && !s.local {
		s.conversions(w, &out)
	}
	if s.rolled { // rows above the first and below the last are added to sums that are not used
		for p := range out {
			out[p] *= (s.iy + s.rows - 1) / s.iy
		}
	}
	switch {
	case s.local:
		s.localOps(w, &out)
	case !s.interior:
		out[feature.Logic] += s.frameOps(w)
	}
	for _, a := range w.stage.Accesses {
		switch {
		case s.local && (a.Writes || w.windowed(a) || s.turned(w, a)):
		case s.blocks && s.windowed(w, a):
			s.blockAccess(w, a, &out)
		default:
			s.ownAccess(a, repeats*s.timesLookedUp(w, a), &out)
		}
	}
	return out
}

// halves has neighbours compute floats of 16 bits two at a time, where kernels do, and else as f32.
func (s shape) halves(w *work, out *feature.Ops) {
	if s.byHalves(w) {
		out[feature.Half] /= 2
		return
	}
	out[feature.FMA] += out[feature.Half]
	out[feature.Half] = 0
}

// byHalves reports whether neighbours are computed two at a time. Floats of 16 bits that are only loaded and stored are f32 in between.
func (s shape) byHalves(w *work) bool {
	return w.halves && s.blocks && int(s.ix)%2 == 0 && w.opsOf(feature.Half) > 0
}

// opsOf is how many operations of a pipe an instance has, with one of each stage that is fused with it.
func (w *work) opsOf(pipe feature.Pipe) float64 {
	n := w.stage.Ops[pipe]
	for _, p := range w.stage.Parts {
		n += p.Ops[pipe]
	}
	return n
}

// inHalves reports whether two components of an image share a register until they are stored.
func (s shape) inHalves(w *work, a *feature.Access) bool {
	return s.byHalves(w) && small(a) && a.Image.Elem.Kind.IsFloat()
}

// ownAccess adds what instances do to reach an image each by itself, bodies of loops being run so often.
func (s shape) ownAccess(a *feature.Access, repeats float64, out *feature.Ops) {
	lanes := float64(a.Image.Elem.Lanes)
	n, near, each := a.Count*repeats, a.Near*repeats, 1.0
	if a.Writes {
		n, near = a.Count, a.Near
	}
	if s.turns && s.ix > 1 && !a.Writes { // vectors, whose components are taken apart
		each = s.ix
		if small(a) && !s.dots {
			out[feature.Logic] += n * lanes
		}
	}
	moves := lanes / min(each, max(1, s.vector/float64(a.Image.Elem.Kind.Bytes())))
	if m := a.Image.Base(); m.Dir == hast.Local && kir.OneAccess(m.Elem) { // which is aligned, but for what is exchanged with the caller's
		moves = min(moves, 1)
	}
	out[feature.Memory] += n * moves
	if s.copies && a.Updates { // a cell of local memory
		out[feature.Logic] += n * lanes
		if s.inParts {
			out[feature.Logic] += n * isInPart
		}
		return
	}
	out[feature.Logic] += (n - near) / each * (3 + 2*math.Min(1, float64(len(a.Axes)-1)))
	if a.Outside {
		out[feature.Logic] += 4 * n / each
	}
}

// blockAccess adds an instance's share of what its item does to reach what a block needs of an image.
func (s shape) blockAccess(w *work, a *feature.Access, out *feature.Ops) {
	if s.legs && w.alike(a) { // weights, each loaded once for the block
		out[feature.Memory] += a.Window() * float64(a.Image.Elem.Lanes) / (s.ix * s.iy)
		return
	}
	rows, cols := s.window(w, a)
	rows *= s.planesOf(w, a)
	bytes := cols * float64(feature.PixelBytes(a.Image))
	across := s.across(w, a)
	ends := 2 * math.Min(1, cols-across)
	if o := w.several(a); o != nil {
		ends = narrowEnds(o, s.vector)
	}
	loads := rows * (math.Ceil(across*float64(feature.PixelBytes(a.Image))/s.vector) + ends)
	per := s.ix * s.iy
	out[feature.Memory] += loads / per
	out[feature.Logic] += rows * 4 / per
	if !s.interior {
		out[feature.Logic] += 2 * rows * (cols - across) / per
	}
	if small(a) && !s.words() && !s.inHalves(w, a) {
		out[feature.Logic] += rows * bytes / float64(a.Image.Elem.Kind.Bytes()) / per
	}
}

// small reports whether components have fewer bits than registers, so that vectors of them are taken apart.
func small(a *feature.Access) bool { return a.Image.Elem.Kind.Bits() < 32 }

// conversions leaves an instance those that its neighbours in the block have not made already, of which out has as many as if there were none,
// where all that it reads is converted; of these loads take those to f32 by logic and an addition, where the model says that it is less. Taking
// components out of words is counted with their loads. Parts make as many for each of their instances as the whole reads.
func (s shape) conversions(w *work, out *feature.Ops) {
	loaded, read := 0.0, 0.0
	for _, a := range w.stage.Accesses {
		if a.Writes || !s.windowed(w, a) || !small(a) {
			continue
		}
		rows, cols := s.window(w, a)
		read += a.Count * float64(a.Image.Elem.Lanes)
		loaded += min(a.Count, rows*cols/(s.ix*s.iy)) * float64(a.Image.Elem.Lanes)
	}
	each := w.stage.Ops[feature.Convert]
	for _, p := range w.stage.Parts {
		each += p.Ops[feature.Convert]
	}
	switch {
	case each == 0:
		return
	case read > each: // the others are used as they are
		out[feature.Convert] -= max(0, w.stage.Floats-loaded)
		return
	}
	out[feature.Convert] -= max(0, read*out[feature.Convert]/each-loaded)
	if w.model.Rates.FloatsByLogic() && w.stage.Floats >= read && !s.words() {
		added := min(loaded, out[feature.Convert])
		out[feature.Convert] -= added
		out[feature.FMA] += added
	}
}

// groupTime is what a group takes at least that shares reductions of its instances: for its start, loads that all of it waits for, and the steps in which its items join what
// they have. Sums of 65536 lines of 64 floats took 97 us on an H100 by groups of 256, of which it has room for 1056, and 12.5 by groups that take eight lines each; as many of 256 floats 99 and 25.
const groupTime = 1.5e-6

// inTurn is the time of groups that compute an instance each, beyond those that a device has room for at once.
func (w *work) inTurn(d schedule.Decisions) float64 {
	m := w.model
	if d.Reduce == 0 || !m.Rates.Units.Known {
		return 0
	}
	atOnce := m.Rates.Units.Value * max(1, min(m.Limits.ItemsPerUnit.Or(2048)/float64(d.Reduce), m.Limits.GroupsPerUnit.Or(32)))
	return max(0, w.instances/float64(max(1, d.Abreast))/atOnce-1) * groupTime
}

// windowed reports whether an access is a window that moves with the instance.
func (w *work) windowed(a *feature.Access) bool {
	for k, x := range a.Axes {
		if !x.Known && !w.countsPlanes(a, k) || x.Div > 1 || x.Var == w.x && x.Mul < 1 {
			return false
		}
	}
	return true
}

// window is how many rows and columns of an image a block reads, of a plane where it takes planes one by one.
func (s shape) window(w *work, a *feature.Access) (rows, cols float64) {
	rows, cols = 1, 1
	planes := s.planesOf(w, a) > 1
	for k, x := range a.Axes {
		switch {
		case planes && beforeLines(a.Image, k):
		case x.Var == w.x && w.x != nil:
			cols *= x.Reached(s.ix)
		case x.Var == w.y && w.y != nil:
			rows *= x.Reached(s.iy)
		default:
			cols *= float64(max(1, x.Span()))
		}
	}
	return rows, cols
}

// registers estimates what an item holds at once (shape.held), in registers of 32 bits.
func (s shape) registers(w *work) float64 {
	n := 24.0 + s.partRegisters(w) + s.localRegisters(w) + s.severalWindows(w)
	for _, a := range w.stage.Accesses {
		if !s.blocks || !s.windowed(w, a) || s.local {
			continue
		}
		rows, cols := s.window(w, a)
		switch {
		case !a.Writes && s.stream > 0:
			sums := s.rows * s.ix * float64(a.Image.Elem.Lanes) // that have begun
			if s.inHalves(w, a) {
				sums /= 2
			}
			n += sums
			rows = s.stream
		case !a.Writes:
			// Rows are loaded ahead, and the compiler keeps those that are still needed.
			if rows = min(rows, s.iy+8); len(w.stage.Parts) > 0 { // what comes of a row is computed as soon as it is there
				rows = min(rows, rows-float64(s.iy)+2)
			}
		case s.stream > 0:
			rows = 1
		}
		// Bytes that are not kept in words take a register each once they are used.
		components := float64(a.Image.Elem.Lanes) * math.Max(1, float64(a.Image.Elem.Kind.Bits())/32)
		switch {
		case s.words() && a.Image.Elem.Kind == types.U8:
			components /= 4
		case a.Writes && s.inHalves(w, a): // what is read is in words as it was loaded, and in others an element apart
			components /= 2
		case !a.Writes && s.stream > 0 && small(a): // the row in use taken apart, those on their way as they are loaded
			rows = 1 + (rows-1)*float64(a.Image.Elem.Kind.Bits())/32
		case small(a) && (len(w.stage.Parts) > 0 || w.several(a) != nil):
			// Rows on their way are in words, and what is computed of a row, or by one instance, soon is again.
			components /= 2
		}
		if s.legs {
			cols = s.inUse(w, a, cols)
		}
		n += rows * math.Ceil(cols*components)
	}
	return n + s.keptForPlanes(w)
}

// Straight-line code that is longer than the model says runs slower, since instructions have to be fetched: on an H200, where up to 2000
// run at full speed, 3000 took 14 % longer and 7200 some two times as long. It is thought of only where instances compute so much that
// blocks of few of them are as long, and then up to maxLonger times that length: a bilateral filter, of 1700 instructions, takes 7.7 ms for
// 8192 x 8192 pixels one by one and 3.9 ms in blocks of four.
const (
	fetchShare = 0.28
	maxLonger  = 4
	fewInBlock = 4
)

// longest is how many instructions a body may have where so many run at full speed.
func (s shape) longest(d schedule.Decisions, fast float64) float64 {
	if s.written() > fewInBlock || d.Local != 0 {
		return fast
	}
	return maxLonger * fast
}

// written is how many instances a body is written out for: those of one row where the loop over rows is left a loop.
func (s shape) written() float64 {
	if s.rolled {
		return s.ix
	}
	return s.ix * s.iy
}

// fetched is by how much the length of the body makes its instructions slower.
func (s shape) fetched(w *work) float64 {
	if !s.blocks {
		return 1
	}
	return fetched(s.body(w), w.model.Limits.Body.Or(1000))
}

// fetched is by how much a body of so many instructions takes longer where so many run at full speed.
func fetched(body, fast float64) float64 { return 1 + fetchShare*max(0, body/fast-1) }

// body estimates the instructions of a block: what it loads, once, and what each instance computes.
func (s shape) body(w *work) float64 {
	ops := s.own(w)
	if ops[feature.Memory] = 0; s.words() {
		s.inWords(w, &ops)
	}
	parts := s.partOps(w)
	s.halves(w, &ops)
	s.halves(w, &parts)
	switch {
	case s.local:
		s.convertedInLocal(w, &ops)
	case s.stream > 0:
		s.conversions(w, &ops)
	}
	return (ops.Total() + parts.Total()) * s.written() / s.planes
}
