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

// What fused stages cost that work-groups compute by tiles in local memory.

// inLocalMemory reports whether tiles of two variables in local memory are worth looking at: of a device whose local memory is one of its own, at
// a rate that is known.
func (w *work) inLocalMemory() bool {
	return w.vars >= 2 && w.model.Rates.LocalBytes.Known && w.model.Memory.LocalDedicated.Yes()
}

// locals adds groups that load and compute what their tile needs together. Items compute some rows, which share what they read, and either
// one column, so that neighbours look into local memory side by side, or as many as one access to memory holds: on an H200 that takes 205 us
// for masks of 15 x 15 in two steps, where one column takes 274 to 346 by tile, and twice the time for an unsharp mask, which reads its own pixels beside local memory.
func locals(w *work, list []Candidate) []Candidate {
	m := w.model
	if !w.inLocalMemory() || len(w.stage.Parts) == 0 && !w.wideAlone() {
		return list
	}
	gx, wide := m.Prefers.GroupX.Int(32), m.Prefers.RowBytes.Int(16)/w.largest(func(*feature.Access) bool { return true })
	widths, per := [][2]int{{gx, 1}, {2 * gx, 1}}, w.group.Per()
	if len(w.group.Staged(block.Tiling{})) == len(w.group.Windows) {
		widths = append(widths, [2]int{gx * wide, wide})
	}
	for _, width := range widths {
		for _, gy := range []int{4, 8} {
			for _, iy := range []int{2, 4, 8} {
				d := schedule.Decisions{Tile: [2]int{multiple(width[0], per[0]), multiple(gy*iy, per[1])}, Item: [2]int{width[1], iy}, Local: schedule.Shared, Unroll: w.unroll()}
				list = append(list, Candidate{Decisions: d, Why: "a group loads and computes what its tile needs together, in local memory"})
				if width[1] > 1 {
					continue
				}
				if gy > 4 && w.holdsManySums() {
					continue
				}
				for _, columns := range w.blocksFromMemory(wide) {
					if d, ok := w.directly(d, columns); ok {
						list = append(list, Candidate{Decisions: d, Why: "items load what they compute of the first stages for each other, which goes to local memory" + w.sharing(d)})
					}
				}
			}
		}
	}
	return list
}

// manyPlanes is from how many numbers on, that a part has for each of its instances, narrower blocks are worth looking at: tiles have room for few rows, or registers for few columns.
const manyPlanes = 8

// severalSums is of how many moving sums groups hold more registers than larger ones have.
const severalSums = 4

// holdsManySums reports whether items add up so many sums of neighbours at once that groups are better small: a guided filter took 1.29 ms in CUDA on an H200 with its model in tiles of
// 112 x 32, and 0.98 in those of 112 x 16 (1.04 both through OpenCL).
func (w *work) holdsManySums() bool {
	return w.shares() && slices.ContainsFunc(w.group.Parts, func(p *block.Part) bool { return channels(p.Keeps) >= severalSums && w.group.Direct(p) })
}

// blocksFromMemory are the columns of the blocks in which items compute parts from memory.
func (w *work) blocksFromMemory(wide int) []int {
	for _, p := range w.group.Parts {
		if n := channels(p.Keeps); wide > 2 && n >= manyPlanes && w.group.Direct(p) {
			return []int{wide, wide / 2}
		}
	}
	return []int{wide}
}

// channels is how many numbers there are for a pixel of some tiles.
func channels(tiles []*block.Window) (n int) {
	for _, x := range tiles {
		n += block.Channels(x.Image)
	}
	return n
}

// multiple is the least multiple of n that is one of per, too.
func multiple(n, per int) int {
	least := n
	for least%per != 0 {
		least += n
	}
	return least
}

// wideFrame is how many components the window of one instance has at least for groups to share what a stage alone reads. Items that load windows for themselves hold
// fewer rows of such, and those that add row by row go down many rows to share them, of which small images have too few: a mask of 15 x 15 floats of
// 1920 x 1080 took 37.6 us on an H200 row by row and 21.5 in local memory, and 535 and 573 us of 8192 x 8192.
const wideFrame = 100

// wideAlone reports whether a stage by itself reads a frame wide enough for that; its group is found then.
func (w *work) wideAlone() bool {
	wide := func(a *feature.Access) bool { return !a.Writes && a.Window()*float64(a.Image.Elem.Lanes) >= wideFrame }
	if w.stage.Class != feature.Local || !slices.ContainsFunc(w.stage.Accesses, wide) {
		return false
	}
	return w.shared().Apart == ""
}

// shared is the group of a stage, by itself where nothing is fused with it, as work-groups compute it together.
func (w *work) shared() *block.Group {
	if w.group == nil {
		w.group = w.looks.Shared(w.stage.Of, w.unroll())
	}
	return w.group
}

// directly is a group of as many items as d has that compute the first stages of a chain from memory, in blocks of so many columns: the
// tile is what lies between the blocks beside it. Moving sums have code of their own inside of images where compilers are told of work-groups: a guided filter, whose result is computed so, took 1.115 ms in
// CUDA on an H200 by 17,100 instructions, and 1.000 with that, by 4,400; but through OpenCL 1.035, and 1.117 with it. False where no stage is computed so.
func (w *work) directly(d schedule.Decisions, wide int) (schedule.Decisions, bool) {
	items := d.Tile[0] / d.Item[0]
	d.Item[0], d.Local = wide, schedule.Direct
	d.Tile[0] = items * wide
	t, beside := tilingOf(d), 0
	g := w.group
	for _, p := range g.Parts {
		if g.Direct(p) {
			_, across, _ := t.Blocks(p)
			beside = max(beside, across-items)
		}
	}
	d.Tile[0] -= beside * wide
	if w.bounds && w.shares() {
		d.Interior = 1
	}
	return d, d.Tile[0] > 0 && slices.ContainsFunc(g.Parts, g.Direct)
}

// tilingOf is how a group computes a tile by decisions.
func tilingOf(d schedule.Decisions) block.Tiling {
	return block.TilingOf(d.Tile, d.Item, d.Local == schedule.Direct, d.Local == schedule.Sweep)
}

// localBytes is the local memory of a group, in bytes.
func (w *work) localBytes(d schedule.Decisions) int {
	if d.Local == 0 || w.group == nil {
		return 0
	}
	if d.Stream > 0 {
		return w.descent().LocalBytes(tilingOf(d))
	}
	return w.group.LocalBytes(tilingOf(d))
}

// A localTraffic is what the items of a group do with local memory, in components for each instance of the whole, and what they read of
// images beside it; words are those that are staged, loads the vectors that blocks are loaded by, and packed what is taken out of words or put into them.
type localTraffic struct{ staged, words, moved, direct, loads, packed float64 }

// pack counts components of an image where they are narrower than words.
func (t *localTraffic) pack(image *hast.Image, n float64) {
	if image.Elem.Kind.Bits() < 32 {
		t.packed += n
	}
}

// inLocal counts what is loaded from memory, and all that is stored in local memory and read there; rows of an item share what they read.
func (s *shape) inLocal(w *work) (t localTraffic) {
	g := w.group
	if s.tiling.Sweep {
		return s.inSweep(w)
	}
	for _, x := range g.Staged(s.tiling) {
		rows, cols := x.Over(s.tiling.Tile)
		n := float64(rows*cols*block.Channels(x.Image)) / (s.tx * s.ty)
		if x.Together() > 1 {
			t.words += n / perWord(x)
			t.pack(x.Image, n)
		} else {
			t.staged += n
		}
	}
	t.moved = t.staged + t.words
	for _, p := range g.Parts {
		share := s.inTile(w, p.Of, p.X, p.Y)
		if s.tiling.Direct && g.Direct(p) {
			s.readDirectly(&t, p, share)
		} else {
			s.readFromTiles(&t, w, p, share)
		}
		for _, x := range p.Keeps {
			t.moved += share * float64(block.Channels(x.Image))
		}
	}
	return t
}

// readDirectly counts what a part reads from memory, of which a group computes so many instances for each of its own.
func (s *shape) readDirectly(t *localTraffic, p *block.Part, share float64) {
	for _, x := range p.Windows {
		vectors := math.Ceil(s.ix*float64(feature.PixelBytes(x.Image))/block.BankBytes/4) + 2*min(1, float64(x.X.Hi-x.X.Lo))
		rows := share * along(x.Y, float64(s.tiling.BlockRows(p)))
		t.loads += rows * vectors / s.ix
		t.pack(x.Image, rows*along(x.X, s.ix)*float64(block.Channels(x.Image)))
	}
	for _, x := range p.Keeps {
		t.pack(x.Image, share*float64(block.Channels(x.Image)))
	}
}

// readFromTiles counts what a part reads from local memory.
func (s *shape) readFromTiles(t *localTraffic, w *work, p *block.Part, share float64) {
	staged := w.group.Staged(s.tiling)
	for k, x := range p.Windows {
		n, source := share*float64(block.Channels(x.Image))*conflicts(x), p.Sources[k]
		switch {
		case x.Together() > 1: // and words are read
			t.pack(x.Image, n)
			t.moved += n / min(perWord(x), s.ix)
			continue
		case slices.Contains(w.group.Windows, source) && !slices.Contains(staged, source):
			t.direct += n
		case p.Keeps == nil:
			t.moved += n * along(x.X, s.ix) * along(x.Y, s.iy)
		default:
			t.moved += n * along(x.X, 1) * along(x.Y, s.iy)
		}
		if p.Keeps == nil && !w.group.HoldsFloats(s.tiling, source) {
			t.pack(x.Image, n*along(x.X, s.ix)*along(x.Y, s.iy))
		}
	}
}

// conflicts is how many neighbours that read a window meet in a bank of local memory: those that step over every other pixel of 32 bits use half of the banks.
func conflicts(x *block.Window) float64 {
	step := x.X.Stride * x.Image.Elem.Kind.Bits() / (8 * block.BankBytes)
	return float64(max(1, step&-step))
}

// inTile is how many instances of a part a group computes for each of its own. Blocks that it computes from memory are dealt out to its
// items in turns, of which all take as long as one that is full.
func (s *shape) inTile(w *work, of *hast.Stage, x, y block.Span) float64 {
	if s.tiling.Sweep {
		return s.inSweptTile(w, of, x, y)
	}
	n := along(x, s.tx) * along(y, s.ty)
	if !s.tiling.Direct {
		return n
	}
	g := w.group
	for _, p := range g.Parts {
		if p.Of == of && g.Direct(p) {
			_, across, _ := s.tiling.Blocks(p)
			turns, lines := s.rounds(g, p)
			return float64(across*turns*lines*s.tiling.Item[0]*s.tiling.BlockRows(p)) / (s.tx * s.ty)
		}
	}
	return n
}

// rounds is how many blocks of a part each item computes from memory, one after the other, and how many items compute them side by side along y.
func (s *shape) rounds(g *block.Group, p *block.Part) (turns, lines int) {
	_, _, down := s.tiling.Blocks(p)
	lines = g.Items(s.tiling)[1]
	return (down + lines - 1) / lines, lines
}

// bankShare is the part of the banks' rate that kernels reach: chains of masks of 7 and 15
// in two steps, which are bound by it, took 188 to 218 and 296 us on an H200.
const bankShare = 0.7

// stagedOps is what an item does for each component that it loads into local memory: its place in the image and in the tile, and the border.
const stagedOps = 8

// convertedInLocal leaves an instance of the conversions that out has those of what a group puts into local memory as floats, for each of its instances.
func (s *shape) convertedInLocal(w *work, out *feature.Ops) {
	read, put := 0.0, 0.0
	floats := func(x *block.Window) bool { return w.group.HoldsFloats(s.tiling, x) }
	for _, x := range w.group.Staged(s.tiling) {
		if !floats(x) {
			continue
		}
		rows, cols := x.Over(s.tiling.Tile)
		put += float64(rows*cols*block.Channels(x.Image)) / (s.tx * s.ty)
	}
	if put == 0 {
		return
	}
	for _, a := range w.stage.Accesses {
		if !a.Writes && slices.ContainsFunc(w.group.Staged(s.tiling), func(x *block.Window) bool { return x.Image == a.Image && floats(x) }) {
			read += a.Count * float64(a.Image.Elem.Lanes)
		}
	}
	if each := w.opsOf(feature.Convert); each > 0 {
		out[feature.Convert] -= max(0, min(read, each)*out[feature.Convert]/each-put)
	}
}

// localOps adds the operations around local memory to those of an instance.
func (s *shape) localOps(w *work, out *feature.Ops) {
	s.convertedInLocal(w, out)
	t := s.inLocal(w)
	moved := t.moved
	// By wide accesses, of stages that stand alone, too: a mask of 15 x 15 of 1920 x 1080 took 21.5 us on an H200 in items of 4 x 2, 25.9 in items of 1 x 8.
	if s.tiling.Direct || len(w.stage.Parts) == 0 {
		moved /= min(4, s.ix)
	}
	out[feature.Memory] += moved + t.staged + t.words + t.direct + t.loads
	out[feature.Logic] += stagedOps*(t.staged+t.words+t.loads) + 2*t.direct + t.packed
	if s.tiling.Sweep && !s.interior {
		out[feature.Logic] += s.frameOps(w)
	}
	for _, a := range w.stage.Accesses {
		if a.Writes {
			n := a.Count * float64(a.Image.Elem.Lanes)
			out[feature.Memory] += n / max(1, min(s.ix, 16/float64(a.Image.Elem.Kind.Bytes())))
			out[feature.Logic] += a.Count * 4 / s.ix
		}
	}
}

// localRegisters are those for the pixels that an item loads of its own block, and for those that it computes.
func (s *shape) localRegisters(w *work) float64 {
	if !s.local {
		return 0
	}
	if s.tiling.Sweep {
		return s.sweepRegisters(w)
	}
	n, last := 0, w.group.Last()
	for k, x := range last.Windows {
		if source := last.Sources[k]; slices.Contains(w.group.Windows, source) && !slices.Contains(w.group.Staged(s.tiling), source) {
			n += block.Channels(x.Image)
		}
	}
	for _, x := range last.Outputs {
		n += block.Channels(x.Image)
	}
	if s.tiling.Direct { // the sums of a block of a first stage, and some rows that are on their way
		most := max(float64(n)*s.ix*s.iy, s.ix*(s.iy+rowsOnTheirWay))
		for _, p := range w.group.Parts {
			if w.group.Direct(p) {
				most = max(most, s.directRegisters(p))
			}
		}
		return most
	}
	return float64(n) * s.ix * s.iy
}

// directRegisters are those for what a part computes of a block, and has begun to: 13 sums of 17 rows, in blocks of 4 x 2, take 176 registers, and spill in blocks of 4 x 4.
func (s *shape) directRegisters(p *block.Part) float64 {
	n, size := channels(p.Keeps), s.blockOf(p)
	return s.ix * float64(n*size[1]+max(n, rowsOnTheirWay))
}

// rowsOnTheirWay is how many rows a block that is computed from memory takes registers for, beside its sums: on an H200 masks of 7 rows
// take 48 and 54 in blocks of 4 x 4 and 4 x 8, those of 15 rows 77 and 80.
const rowsOnTheirWay = 4

// localTime is the time that local memory takes for all components, each of which takes a bank.
func (s *shape) localTime(w *work, r *archmodels.Rates, chip float64) float64 {
	if !s.local || chip == 0 {
		return 0
	}
	return block.BankBytes * s.inLocal(w).moved * w.instances / (r.LocalBytes.Value * bankShare * chip)
}

// resident is how many groups a compute unit has room for: while one waits at a barrier others go on.
func (s *shape) resident(w *work, d schedule.Decisions) float64 {
	l := &w.model.Limits
	size := w.group.Items(s.tiling)
	items := float64(size[0] * size[1])
	room := l.LocalPerUnit.Or(l.LocalPerGroup.Value) / float64(max(1, w.localBytes(d)))
	if l.ItemsPerUnit.Known {
		room = min(room, l.ItemsPerUnit.Value/items)
	}
	if l.RegistersPerUnit.Known {
		room = min(room, l.RegistersPerUnit.Value/(items*s.held))
	}
	return max(1, room)
}

// waiting is the part of the time that a compute unit loses at the barriers of one group, for as long as others do not fill it. Fitted to
// the unsharp mask of three planes on an H200: tiles of 64 x 64, 64 x 32, 64 x 16 and 32 x 32 take 720, 514, 517 and 552 us in items of one column.
const waiting = 0.9

// sharesRows reports whether parts that are computed from memory read rows in common with the instances below.
func (s *shape) sharesRows(w *work) bool {
	g := w.group
	return slices.ContainsFunc(g.Parts, func(p *block.Part) bool { return g.Direct(p) && s.tiling.BlockRows(p) > 1 })
}

// sectors is how many columns a row of so many reads, and of some beyond them, where memory is read by whole sectors, that begin somewhere on both sides.
func (w *work) sectors(a *feature.Access, columns, beyond float64) float64 {
	if beyond == 0 {
		return columns
	}
	pixel, sector := float64(feature.PixelBytes(a.Image)), w.model.Memory.Sector.Or(0)
	if sector == 0 {
		return columns + beyond
	}
	return columns + max(beyond, 2*sector/pixel*math.Ceil(beyond/2*pixel/sector))
}
