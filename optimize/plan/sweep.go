package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// What fused stages cost of which groups share the first in local memory and items compute the others for themselves.

// sweeps adds such groups, where parts are left between what is shared and the last, which other groups would put into local memory as well, and
// those of chains of two whose first stage reads pixels below each other alone. Items compute as many columns as one access to memory holds.
// Of these chains blocks of eight rows alone pay: on an H200 masks of 7 along columns and then rows took 138 to 141 us in items of 4 x 8, whatever
// the tile, and 159 to 163 in items of 4 x 4 and 4 x 2; along rows and then columns, whose first stage also reads what lies beside each row, 146 to
// 186, where blocks in registers take 145. Where all groups are there at once, as for 1920 x 1080 pixels on an H200, the latter wait for their rows (7.7 us), and 6.5 in such groups; rows of 15 took
// 12.1 and longer, which two tiles take 9.6 for. Columns of few rows take less in smaller blocks then, which load less before they store: of 7, 7.5 us in items of 4 x 8 and 6.9 of 4 x 4, on an
// H100 8.3 and 7.7 (of 15, 9.9 and 12.1; of 5, 7.8 and 7.6).
func sweeps(w *work, list []Candidate) []Candidate {
	if len(w.stage.Parts) == 0 || !w.inLocalMemory() || w.divided() != nil {
		return list
	}
	shared, sideways, below := 0, 0, 0
	for _, p := range w.group.Parts {
		if w.group.Shares(p) {
			shared++
			for _, x := range p.Windows {
				sideways, below = max(sideways, x.X.Hi-x.X.Lo), max(below, x.Y.Hi-x.Y.Lo)
			}
		}
	}
	heights := []int{2, 4, 8}
	switch {
	case shared == 0:
		return list
	case len(w.group.Parts)-shared >= 2:
	case sideways == 0, sideways < beside && w.fewSwept():
		heights = []int{8}
	default:
		return list
	}
	gx, wide := w.sweptItems()
	add := func(gx, gy, iy int) {
		d := schedule.Decisions{Tile: [2]int{gx * wide, gy * iy}, Item: [2]int{wide, iy}, Local: schedule.Sweep, Unroll: w.unroll()}
		list = append(list, Candidate{Decisions: d, Why: "items share what they compute of the first stages, and compute all others for themselves, in registers"})
	}
	if len(heights) == 1 && sideways == 0 && below < beside && w.fewSwept() {
		add(2*gx, 2, 4)
		add(3*gx, 2, 4)
		return list
	}
	for _, gy := range []int{4, 8} {
		for _, iy := range heights {
			add(gx, gy, iy)
		}
	}
	return list
}

// beside is how many pixels a first stage that reads beside its own, or below, reads at most.
const beside = 8

// fewSwept reports whether the groups of a launch are all there at once: two for a unit, of the largest tiles, of eight blocks of eight rows below each other.
func (w *work) fewSwept() bool {
	gx, wide := w.sweptItems()
	return w.instances <= 2*w.model.Rates.Units.Or(0)*float64(gx*wide*8*8)
}

// sweptItems are how many items of a group lie side by side, and how many columns each computes.
func (w *work) sweptItems() (gx, wide int) {
	return w.model.Prefers.GroupX.Int(32), w.model.Prefers.RowBytes.Int(16) / w.component()
}

// shared is the part of a stage that the items of a group compute for each other; nil where each computes it for itself.
func (s *shape) shared(w *work, of *hast.Stage) *block.Part {
	if s.tiling.Sweep {
		for _, p := range w.group.Parts {
			if p.Of == of && w.group.Shares(p) {
				return p
			}
		}
	}
	return nil
}

// inSweptTile is how many instances of a part a group computes for each of its own: of one that is shared each item its block, and blocks of one
// row around the tile in turns, of which all take as long as one that is full.
func (s *shape) inSweptTile(w *work, of *hast.Stage, x, y block.Span) float64 {
	p := s.shared(w, of)
	if p == nil {
		return computed(x, s.ix) * computed(y, s.iy)
	}
	return 1 + s.around(w, p)
}

// around is how many instances of a shared part items compute in blocks around the tile, for each of its own.
func (s *shape) around(w *work, p *block.Part) float64 {
	_, across, _ := s.tiling.Blocks(p)
	rows := s.ty + float64(p.Y.Hi-p.Y.Lo)
	blocks := float64(across)*rows - s.tx/s.ix*s.ty
	items := s.tx * s.ty / (s.ix * s.iy)
	return math.Ceil(blocks/items) * items * s.ix / (s.tx * s.ty)
}

// inSweep counts what items load, what they store in local memory, and what they read there: each the rows and columns around its own block.
func (s *shape) inSweep(w *work) (t localTraffic) {
	g := w.group
	vectors := func(x *block.Window) float64 {
		return (math.Ceil(s.ix*float64(feature.PixelBytes(x.Image))/(4*block.BankBytes)) + 2*min(1, float64(x.X.Hi-x.X.Lo))) / s.ix
	}
	loaded := map[*block.Window]bool{}
	for _, p := range g.Parts {
		shared := s.shared(w, p.Of) != nil
		for k, x := range p.Windows {
			source := p.Sources[k]
			switch {
			case shared:
				t.loads += (along(x.Y, s.iy) + s.around(w, p)*along(x.Y, 1)) * vectors(x)
				loaded[source] = loaded[source] || x.X.Lo == x.X.Hi && x.Y.Lo == x.Y.Hi
			case slices.Contains(g.Windows, source) && !loaded[source]:
				t.loads += along(source.Y, s.iy) * vectors(source)
				loaded[source] = true
			}
		}
		if shared {
			for _, x := range p.Keeps {
				t.moved += (1 + s.around(w, p)) * float64(block.Channels(x.Image))
			}
		}
	}
	for _, x := range g.Kept(s.tiling) {
		t.moved += s.near(x) / (s.ix * s.iy)
	}
	return t
}

// near is how many components an item reads of a tile in local memory, in whole accesses.
func (s *shape) near(x *block.Window) float64 {
	rows, cols := x.Over(s.tiling.Item)
	return float64(rows) * math.Ceil(float64(cols)/4+1) * 4 * float64(block.Channels(x.Image))
}

// sweepRegisters are those for the pixels that an item loads of its own block, for what it makes of them, and for two rows of what it reads in
// local memory. On an H200 an unsharp mask of three planes has 72, 142 and 235 in blocks of 4 x 2, 4 x 4 and 4 x 8, and masks of 7 in two
// steps 48 and 56.
func (s *shape) sweepRegisters(w *work) float64 {
	g := w.group
	held, rows := 0, 0.0
	last := g.Last()
	for k, x := range last.Windows {
		if slices.Contains(g.Windows, last.Sources[k]) && x.X.Lo == x.X.Hi && x.Y.Lo == x.Y.Hi {
			held += block.Channels(x.Image)
		}
	}
	for _, x := range last.Outputs {
		held += block.Channels(x.Image)
	}
	for _, x := range g.Kept(s.tiling) {
		_, cols := x.Over(s.tiling.Item)
		rows += float64(min(2, x.Y.Hi-x.Y.Lo+1) * cols * block.Channels(x.Image))
	}
	return max(float64(held)*s.ix*s.iy+rows, s.ix*(s.iy+rowsOnTheirWay))
}

// severalWindows are the registers for the rows of several windows that are in local memory: of one, compilers add up each row as it comes, of more they load all first.
// On an H200 the difference of masks of 9 and of 13 has 127 and 198 in blocks of 4 x 4 and 4 x 8, and takes 0.32 and 0.48 ms.
func (s *shape) severalWindows(w *work) float64 {
	if !s.tiling.Sweep {
		return 0
	}
	sum, n := 0.0, 0
	for _, x := range w.group.Kept(s.tiling) {
		if x.Y.Hi-x.Y.Lo >= 2 {
			rows, cols := x.Over(s.tiling.Item)
			sum += float64(rows * cols * block.Channels(x.Image))
			n++
		}
	}
	if n < 2 {
		return 0
	}
	return sum
}

// sweepWaiting is the part of the time that is lost where a compute unit had room for one subgroup alone: the only barrier comes early, and
// what others do meanwhile hides it, and the rest. Fitted to the unsharp mask of three planes on an H200: 399, 435 and 456 us with 24, 28 and 12
// subgroups, of 378.
const sweepWaiting = 2.5

// sweepFabric is how much faster than others such groups read again what others have read: by wide accesses, of whole sectors. Tiles of
// 128 x 8 with three rows on both sides moved 5.7 TB/s on an H200, where masks of as many rows reach 4.6.
const sweepFabric = 1.25

// sweepCrowded is the part that is lost with as many as there is room for.
func (s *shape) sweepCrowded(w *work) float64 {
	size := w.group.Items(s.tiling)
	return sweepWaiting * w.model.Limits.Subgroup.Or(32) / (math.Floor(s.groups) * float64(size[0]*size[1]))
}
