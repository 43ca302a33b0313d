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
	wordwise bool           // neighbours at a place that an instance finds are loaded by words in any case
	packed   bool           // integers are computed in halves of words
	last     *worded        // the stage where it is computed in words, the last one of those that are fused; else nil
	parts    []*worded      // the others, in their order
	taken    []float64      // what each of all takes out of words, one by one
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

func (s *shape) apart() float64 {
	switch {
	case s.words():
		return inWords
	case s.stream > 0:
		return addedAsRead
	}
	return loadedFirst
}

// shapeOf is what decisions make of the stage.
func (w *work) shapeOf(d schedule.Decisions) *shape {
	s := new(shape)
	s.become(w, d)
	return s
}

// become makes a shape what decisions make of a stage, whatever it was before.
func (s *shape) become(w *work, d schedule.Decisions) {
	turns := d.Reduce > 0 || d.Copies[0] > 0 && !d.Persistent() || d.Lines()
	*s = shape{
		ix: float64(max(1, d.Item[0])), iy: float64(max(1, d.Item[1])), gx: math.Inf(1), gy: 1, vector: 16,
		turns: turns, blocks: d.Blocks() && !turns && d.Matrix == 0, copies: d.Copies[0]+d.Keep+d.Cells > 0, inParts: d.Parts > 1,
		interior: d.Interior != 0, stream: float64(d.Stream), rolled: d.Rolled != 0, local: d.Local != 0 && w.group != nil,
		dots: d.Dot4 != 0, packed: d.Packed16 != 0, wordwise: d.Words != 0,
	}
	if d.Vector > 0 {
		s.vector = float64(d.Vector)
	}
	s.items, s.perLoad = s.itemsOf(w, d), s.loadedTogether(w, d)
	s.inGroups(w, d)
	s.legs = s.inLegs(w)
	s.planes = s.inPlanes(w)
	if s.held = s.registers(w); s.local {
		s.groups = s.resident(w, d)
	}
	if s.turns {
		s.dotted = w.dotted(d)
	} else if s.words() {
		s.findWords(w, d)
	}
}

// itemsOf is how many work-items there are.
func (s *shape) itemsOf(w *work, d schedule.Decisions) float64 {
	switch {
	case d.Copies[0] > 0:
		return float64(d.Copies[1] * d.Copies[2])
	case d.Reduce > 0:
		return w.instances
	case d.Prefix > 0:
		return w.lines() * float64(d.Prefix)
	case d.Band[0] > 0:
		return math.Ceil(w.lines()/float64(d.Band[0])) * float64(d.Band[2])
	case w.stage.Of.Scan != nil && !w.stage.Of.Scan.Meet():
		return w.chains()
	}
	return w.instances / (s.ix * s.iy)
}

// loadedTogether is how many loads of an item can wait together.
func (s *shape) loadedTogether(w *work, d schedule.Decisions) float64 {
	switch {
	case d.Matrix != 0 || s.local:
		return 4
	case s.blocks && s.ix*s.iy == 1:
		return w.ownRows()
	}
	return s.iy * float64(max(1, d.Fetch))
}

// inGroups says how many columns and rows groups have, and what each loads together.
func (s *shape) inGroups(w *work, d schedule.Decisions) {
	if d.Tile[1] > 0 {
		s.gx = max(1, float64(d.Tile[0])/s.ix)
		s.gy = max(1, float64(d.Tile[1])/s.iy)
	}
	rows, _ := w.reach()
	if s.rows = float64(rows); s.rolled {
		// As lowering does: fewer rows where there would be too few groups.
		strips := max(1, math.Floor(float64(d.Rolled)/math.Ceil(w.count(0)/float64(d.Tile[0])))) * s.gy
		s.iy = min(s.iy, max(math.Ceil(w.count(1)/strips), s.rows-1))
		s.items = w.instances / (s.ix * s.iy)
	}
	if d.Matrix != 0 || s.local {
		s.tx, s.ty = float64(d.Tile[0]), float64(max(1, d.Tile[1]))
	}
	if s.local {
		s.tiling = tilingOf(d)
	}
	if s.local && d.Local == schedule.Shared { // tiles are loaded component by component
		s.vector = float64(max(w.component(), w.turnedBytes()))
	}
}

// findWords says what items compute in words, and what they take out of these one by one.
func (s *shape) findWords(w *work, d schedule.Decisions) {
	s.last = w.worded(d, s.rowShare(w))
	if s.last.n > 1 {
		s.besideWords(w, s.last)
	}
	if len(w.stage.Parts) > 0 {
		var all []*worded
		all, s.taken = s.wordParts(w, d)
		s.parts, s.last = all[:len(all)-1], all[len(all)-1]
	}
}

// words reports whether bytes lie in words.
func (s *shape) words() bool { return s.dots || s.packed }

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
func (s *shape) rowBytes(w *work) float64 {
	most := 0.0
	for _, a := range w.stage.Accesses {
		if len(a.Axes) > 0 && a.Axes[len(a.Axes)-1].Var == w.x || len(a.Axes) > 1 {
			most = max(most, s.across(w, a)*float64(feature.PixelBytes(a.Image)))
		}
	}
	return max(most, 1)
}

// width is the share of the bandwidth that accesses of the shape reach: several loads of an item that wait together count as one.
func (s *shape) width(w *work) float64 {
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
func (s *shape) requests(w *work) float64 {
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
func (s *shape) accessBytes(w *work, a *feature.Access) float64 {
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
func (s *shape) amplified(w *work) float64 {
	amp := 1.0
	for _, a := range w.stage.Accesses {
		switch {
		case a.Writes || s.legs && w.alike(a):
		case s.turned(w, a):
			amp = max(amp, s.amplifiedTurned(w, a))
		case w.slants(a) != nil:
			amp = max(amp, s.amplifiedSlanted(w, a))
		default:
			amp = max(amp, s.amplifiedWindow(w, a))
		}
	}
	return amp
}

// amplifiedWindow is the same for the windows of an access that lie along rows.
func (s *shape) amplifiedWindow(w *work, a *feature.Access) float64 {
	spanX, spanY, planes := s.spans(w, a)
	if s.tx > 0 { // columns beyond the tile are read by two groups, too
		return planes * (s.ty + spanY - 1) / s.ty * w.sectors(a, s.tx, spanX-1) / s.tx
	}
	rows := s.iy * s.gy
	amp := planes * (rows + spanY - 1) / rows
	if spanX > 1 {
		line := s.ix * float64(feature.PixelBytes(a.Image)) * min(w.model.Limits.Subgroup.Or(1), s.gx)
		amp *= 1 + 2*w.model.Memory.Sector.Or(0)/max(line, 1)
	}
	return amp
}

// spans are the columns, rows and planes of a window that instances beside each other read again.
func (s *shape) spans(w *work, a *feature.Access) (spanX, spanY, planes float64) {
	spanX, spanY, planes = 1, 1, 1
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
	return spanX, spanY, planes
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
func (s *shape) apartStored(w *work) float64 {
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
func (s *shape) inFlight(w *work, d schedule.Decisions) float64 {
	need := w.model.Prefers.ItemsInFlight.Or(0) * w.model.Rates.Units.Or(0)
	if need == 0 {
		return 1
	}
	items := s.items * w.repeatsIn(d) * max(1, float64(d.Ahead))
	if w.persistent(d) {
		items = s.persistentInFlight(w, d)
	}
	if s.stream > 1 { // rows are on their way while others are added
		_, cols := w.reach()
		items *= max(1, (s.stream-1)*(s.ix+float64(cols-1))*float64(w.component())/s.vector)
	}
	return max(items/need, 0.0001)
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
func (s *shape) window(w *work, a *feature.Access) (rows, cols float64) {
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
