package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// What small images cost beside what their pixels take: compute units that wait for the busiest one, and blocks that are done last.

// balance is the part of the compute units' time that groups fill until the unit that has most of them is done: 1080 groups on 132 units are nine
// on some and eight on the others, and take as long as 1188. Parts of groups beyond the image count as empty. Masks of 5 x 5 bytes of
// 1920 x 1080 pixels took 2.69 us on an H200 in 510 groups (balance 0.95), and 2.93 and 3.02 in 540 and 544 of the same size (0.78).
func (s *shape) balance(w *work, d schedule.Decisions) float64 {
	units := w.model.Rates.Units.Or(0)
	switch {
	case units > 0 && w.persistent(d):
		return s.balancePersistent(w, d)
	case units > 0 && d.Copies[0] > 0: // which may be on some of the units alone
		return min(1, float64(d.Copies[2])/units)
	case s.turns || units == 0:
		return 1
	}
	groups, room := s.groupsOf(w, d)
	if groups == 0 { // of sizes for which there is nothing to do
		return 1
	}
	share := min(1, w.instances/(math.Ceil(groups/units)*units*room))
	if s.rolled && groups <= units {
		share *= lone
	}
	return share
}

// groupsOf is how many groups a launch has, and how many instances each has room for.
func (s *shape) groupsOf(w *work, d schedule.Decisions) (groups, room float64) {
	groups, room = 1, 1
	for before := range w.vars {
		tile := 1.0
		switch {
		case before < len(d.Tile) && s.rolled && before == 1: // the rows that lowering gives to its strips
			tile = s.iy * s.gy
		case before < len(d.Tile):
			tile = float64(max(1, d.Tile[before]))
		}
		groups *= math.Ceil(w.count(before) / tile)
		room *= tile
	}
	if d.Tile[0] == 0 {
		room = ownGroup
	}
	if d.Flat != 0 || d.Tile[0] == 0 { // lines go on in the next group
		groups = math.Ceil(w.instances / room)
	}
	return groups, room
}

// lone is the part of its speed that a unit reaches with a single group of strips, which waits for its rows with nothing else to do: on an H200 masks of 15 x 15 and 11 x 11 took
// 192 and 151 us for 4096 x 4096 pixels, for which the model said 172 and 91.
const lone = 0.8

// ownGroup is about how many items a group has where nothing is decided.
const ownGroup = 128

// fewGroups is how many groups for each compute unit are so few that it matters how they divide.
const fewGroups = 16

// evened adds to blocks, from the first on, those in groups of other shapes, for images of few groups: half as high, and half as wide and twice as high.
func (w *work) evened(list []Candidate, first int) []Candidate {
	for _, c := range list[first:] {
		d := c.Decisions
		if d.Tile[1] == 0 || d.Flat != 0 || d.Stream != 0 || w.instances > fewGroups*w.model.Rates.Units.Or(1)*float64(d.Tile[0]*d.Tile[1]) {
			continue
		}
		low, narrow := d, d
		low.Tile[1] /= 2
		narrow.Tile[0], narrow.Tile[1] = d.Tile[0]/2, 2*d.Tile[1]
		for _, e := range []schedule.Decisions{low, narrow} {
			if e.Tile[0]%e.Item[0] == 0 && e.Tile[1]%max(1, e.Item[1]) == 0 {
				list = append(list, Candidate{Decisions: e, Why: c.Why + ", in groups that divide well"})
			}
		}
	}
	return list
}

// doubled adds to blocks, from the first on, those in groups of twice as many items, for stages whose loops end where data says: these take as long as groups take to start where most end
// soon, as Mandelbrot's set, which took 83.7 us on an H200 through OpenCL in groups of 128 and 73.5 in groups of 256.
func (w *work) doubled(list []Candidate, first int) []Candidate {
	if !w.stage.Open {
		return list
	}
	for _, c := range list[first:] {
		if c.Tile[1] > 0 && c.Stream == 0 && c.Flat == 0 {
			d := c.Decisions
			d.Tile[1] *= 2
			list = append(list, Candidate{Decisions: d, Why: c.Why + ", in groups of twice as many items, which take as long to start"})
		}
	}
	return list
}

// slowTap is what a block that no vectors load takes for each operation, in clocks: its loads wait for each other. It is the geometric mean of
// 51 and 195, of masks of 11 x 11 bytes and of chains of masks of 7 on an H200.
const slowTap = 100

// lastDone is the time of the blocks at the ends of lines where what is read beside them reaches farther than they are wide, and of those at the ends of
// images that groups compute tiles of, where they do not end with a block: these are computed pixel by pixel, and the launch waits for them. On an H200 masks of 11 x 11 bytes that mirror at the border took 156 us in items of 4 x 8, for
// 4096 x 4096 pixels, and 47 in items of 8 x 4.
func (s *shape) lastDone(w *work) float64 {
	clock := w.model.Rates.Clock.Or(0)
	if !s.blocks || clock == 0 || !s.cutTile(w) && !slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return s.outreaches(w, a) }) {
		return 0
	}
	ops, parts := w.stage.Ops, s.partOps(w)
	ops[feature.Memory] = 0
	return min(ops.Total()+parts.Total(), opsOfTap*w.taps()) * s.ix * s.iy * slowTap / clock
}

// opsOfTap is how many operations wait for a load at most: what else is computed of a pixel once it is there does not. Optical flow, of 90 pixels for 1421
// operations, took 1.13 ms on an H200 in items of 2 x 2 and 1.36 in items of 2 x 1, of which the model had the former wait for 0.29 ms.
const opsOfTap = 2

// taps is how many pixels an instance reads, each counted once; infinite where what it reads is not known, or passes through several stages.
func (w *work) taps() float64 {
	n := 0.0
	for _, a := range w.stage.Accesses {
		if a.Writes {
			continue
		}
		if a.Window() == 0 || len(w.stage.Parts) > 0 {
			return math.Inf(1)
		}
		n += a.Window() * float64(a.Image.Elem.Lanes)
	}
	return n
}

// roundClocks is what items wait for a block that they compute from memory, in clocks: what they load for the next one is not on its way before. Where
// all groups of a launch are there at once, none has anything else to do meanwhile. Masks of 15 in two steps, rows first, took 10.4 and 10.8 us on
// an H100 for 1920 x 1080 pixels in groups whose items do that 6 times, 11.7 where they do it 8 times, 12.2 and 12.3 10 times and 12.9 12 times.
const roundClocks = 650

// inRounds is the time that the last groups of a launch wait in such rounds.
func (s *shape) inRounds(w *work) float64 {
	clock := w.model.Rates.Clock.Or(0)
	if !s.tiling.Direct || s.tiling.Sweep || clock == 0 {
		return 0
	}
	n := 0
	for _, p := range w.group.Parts {
		if w.group.Direct(p) {
			turns, _ := s.rounds(w.group, p)
			n += turns
		}
	}
	return float64(n) * roundClocks / clock
}

// rowClocks is what each row of bytes after the first one adds to the time that items take for a block, in clocks: bytes are taken apart, computed and put together row by row.
// It is seen where units have fewer items than they have room for, all of them from the start, so that none begins while others end: for 1920 x 1080 bytes points took 2.7, 3.2 and 3.4 us on an
// H200 in items of 16 x 1, 16 x 2 and 16 x 4, the greatest of 3 x 3 bytes 2.9 and 3.6 in items of 8 x 2 and 8 x 4, Sobel 3.3, 3.4 and 3.8 in 2, 3 and 4 rows of eight, grey 3.2, 3.6 and 3.8, blending
// 6.8 and 8.0 in 4 x 2 and 4 x 4. Points of floats took 5.2 to 5.5, whatever their items were; blurs of u16 5.5 in 4 x 8 and 5.7 in 8 x 4; bytes halved, of which each reads four, 4.3 in 8 x 4 and 4.8 in 8 x 3.
const rowClocks = 400

// byRow is the time that the items of a launch take for their rows beyond what others hide.
func (s *shape) byRow(w *work) float64 {
	clock, m := w.model.Rates.Clock.Or(0), w.model
	if !s.blocks || s.local || s.copies || s.stream > 0 || clock == 0 || w.byteStride() > 1 {
		return 0
	}
	if !slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return a.Image.Elem.Kind == types.U8 }) {
		return 0
	}
	room := m.Rates.Units.Or(1) * m.Limits.ItemsPerUnit.Or(2048)
	return max(0, 1-s.items/room) * (s.iy - 1) * rowClocks / clock
}

// cutTile reports whether items that compute blocks of a tile from memory have some that an image ends in.
func (s *shape) cutTile(w *work) bool {
	if !s.tiling.Direct && !s.tiling.Sweep {
		return false
	}
	return math.Mod(w.count(0), s.ix) != 0 || w.vars > 1 && math.Mod(w.count(1), s.iy) != 0
}

// cutsLines reports whether lines end within a block that an item computes by itself.
func (w *work) cutsLines(d schedule.Decisions) bool {
	s := w.shapeOf(d)
	return w.model.Class != archmodels.CPU && s.blocks && !s.local && !w.persistent(d) && math.Mod(w.count(0), s.ix) != 0
}

// endsLaunch is the time of the launch for what is left of lines that do not end with a block, in images whose lines start where vectors may: it waits
// for the one before it, and its few items do what one item takes.
func (w *work) endsLaunch() float64 {
	launch := &w.model.Launch
	return launch.Dependent.Or(launch.Fixed.Or(0))
}

// outreaches reports whether a window reaches farther beyond an item's block than the block is wide, so that no fold of the block stands for that at
// the end of a line.
func (s *shape) outreaches(w *work, a *feature.Access) bool {
	if s.local || a.Writes || !a.Outside || !w.windowed(a) {
		return false
	}
	for _, x := range a.Axes {
		if x.Var != w.x || x.Mul != 1 {
			continue
		}
		width := int64(s.ix)
		if a.Rule != nil && a.Rule.Kind == hast.Reflect101 {
			width--
		}
		if max(-x.Lo, x.Hi) > width {
			return true
		}
	}
	return false
}
