package plan

import (
	"fmt"
	"math"
	"slices"

	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// What groups cost that go down the rows of their tiles (block.Descent).

// What is tried of such groups: how many items they have, how many rows an item holds, and how often all groups that a device has room for
// follow each other. On an H200 under CUDA masks of 15 in two steps, columns first, took 161 us in groups of 64 items, 163 in groups of 32 and
// 178 in groups of 128, of which more wait for each other (rows first, 163 in all); 190 with two rows instead of four; 165 in two turns,
// 174 in four. Items of two columns took 185 to 194, for they read what lies beside these as often as items of four. Wide groups are for masks of which much of a group lies
// beside its tile; they are not measured.
var (
	descentItems = []int{64, 32}
	descentHeld  = 4
	fewHeld      = 2
	descentTurns = []int{1, 2}
	wideDescents = []int{128, 256}
)

// largePart is the part of a group of half as many items beyond which larger ones are tried: an eighth.
const largePart = 8

// longDescent is the rows of a tile at most: the items of a group have as many as fill the device once or twice.
const longDescent = 1024

// descents are groups that go down the rows of a tile, where masks are so high that reading their rows again costs more than
// few items at a time.
func descents(w *work) []Candidate {
	m := w.model
	if w.descends == kir.NoDescents || !w.inLocalMemory() || !m.Limits.RegistersPerUnit.Known {
		return nil
	}
	rows, _ := w.reach()
	if rows < fewRows {
		return nil
	}
	down := w.descent()
	if down == nil || !w.rollsRows(rows) && rowsTogether(down) < rolledRows || w.descends == kir.DescentsOfLoaded && !down.OfLoaded() {
		return nil
	}
	wide := w.descentColumns(max(1, m.Prefers.RowBytes.Int(16)/w.component()))
	list := w.descentsOf(down, wide)
	if wide > 1 && w.descentBody(wide, w.descentRows(wide)) > m.Limits.Body.Or(1000) { // which takes longer than a shorter one
		list = append(list, w.descentsOf(down, wide/2)...)
	}
	return list
}

// descentsOf are those whose items have so many columns.
func (w *work) descentsOf(down *block.Descent, wide int) (list []Candidate) {
	for _, items := range descentGroups(down, wide) {
		d := schedule.Decisions{Item: [2]int{wide, longDescent}, Stream: w.descentRows(wide), Local: schedule.Shared, Unroll: w.unroll()}
		if d.Tile = [2]int{(items - blocksBeside(down, wide)) * wide, longDescent}; d.Tile[0] <= 0 {
			continue
		}
		slots := w.placed(down, &d)
		for _, turns := range descentTurns {
			d.Rolled = turns * slots
			list = append(list, Candidate{Decisions: d, Why: "a group goes down the rows and reads each once: what spans rows are sums that have begun"})
		}
	}
	return list
}

// placed decides how many groups a unit is to have room for, and how many rows items hold, and is how many groups a device has room for. Four rows are held, however long their code is, where
// compilers have the registers for them and as many groups: means and products of 7 x 7 of two images of bytes took 0.3727 ms with two in CUDA on an H200 and 0.3223 with four (0.3594 and 0.3317
// through OpenCL); a structural similarity and a model of a guided filter, whose registers are short, 0.667 and 0.682, and 1.46 and 1.52 through OpenCL.
func (w *work) placed(down *block.Descent, d *schedule.Decisions) int {
	few := int(w.descentSlots(down, *d))
	if d.Resident = w.descentResident(few, down.Items(tilingOf(*d))); d.Resident == 0 && d.Stream == fewHeld {
		more := *d
		more.Stream = descentHeld
		if slots := int(w.descentSlots(down, more)); slots == few {
			*d = more
		}
	}
	return few
}

// blocksBeside is how many items of a group have columns beside its tile, where each has so many.
func blocksBeside(down *block.Descent, columns int) int {
	left, _, right := down.Columns(block.TilingOf([2]int{columns, 1}, [2]int{columns, 1}, false, false))
	return left + right
}

// descentGroups are the numbers of items that are tried: larger ones, too, where much of what the others compute lies beside their tiles.
func descentGroups(down *block.Descent, columns int) []int {
	list, beside := slices.Clone(descentItems), blocksBeside(down, columns)
	for _, items := range wideDescents {
		if largePart*beside > items/2 {
			list = append(list, items)
		}
	}
	return list
}

// mostLeft are the registers that NVIDIA's compiler takes for an item of a small group where it is told of nothing.
const mostLeft = 168

// registerStep is by how many registers items differ.
const registerStep = 8

// fewRows are so few that no sums of them come to much.
const fewRows = 5

// rowsTogether is the greatest number of rows that the sums of one part have, where it has several, which other groups keep the rows of for all of them: the difference of masks of 5 and 9
// took 0.360 ms on an H200 by blocks, and 0.153 down the rows; means and products of 7 x 7 of two images of bytes 0.95 and 0.44. One mask of 5 takes longer down the rows: 0.162 instead of
// 0.133, of bytes up to three times as long.
func rowsTogether(down *block.Descent) (most int) {
	for _, p := range down.Parts {
		if p.Rows == nil {
			continue
		}
		n, several := 0, len(p.Rows.Sums) > 1
		for _, s := range p.Rows.Sums {
			n += s.Terms
			several = several || s.Terms > len(s.Rows)
		}
		if several {
			most = max(most, n)
		}
	}
	return most
}

// descentResident is how many groups compilers are told that a unit has room for, so that what they write for the ends of images, where nothing waits, leaves the rest as many as are
// planned: with 186 registers instead of 168 the difference of masks of 9 and 13 under reflect101 took 0.331 ms on an H200, and takes 0.265. Told of more registers than they take by
// themselves compilers take those: a deviation from the mean of 15 x 15 took 0.393 with 168, and 0.419 with 215.
func (w *work) descentResident(slots, items int) int {
	units, registers := w.model.Rates.Units.Or(0), w.model.Limits.RegistersPerUnit.Value
	if units == 0 {
		return 0
	}
	groups := float64(slots) / units
	if registers/(groups*float64(items)) >= mostLeft+registerStep {
		return 0
	}
	return int(groups)
}

// descentColumns is how many columns an item has: as many as one access holds, or fewer where it has no registers for all sums that have begun, or where the
// code for them is too long.
func (w *work) descentColumns(wide int) int {
	for n := wide; n >= 1; n /= 2 {
		if w.descentFits(n) {
			return n
		}
	}
	return wide
}

// descentFits reports whether items of so many columns have the registers that they need, and code that is not too long.
func (w *work) descentFits(columns int) bool {
	rows := w.descentRows(columns)
	return descentRegisters(w.descent(), schedule.Decisions{Item: [2]int{columns, longDescent}, Stream: descentHeld}) <= w.mostRegisters() &&
		w.descentBody(columns, rows) <= w.longestDescent(columns, rows)
}

// descentRows is how many rows such an item holds: fewer where the code for them is long.
func (w *work) descentRows(columns int) int {
	if w.descentBody(columns, descentHeld) > w.model.Limits.Body.Or(1000) {
		return fewHeld
	}
	return descentHeld
}

// descentBody is the number of operations that are written out for so many columns and rows of each part.
func (w *work) descentBody(columns, rows int) float64 {
	return w.descentOps(float64(columns)).Total() * float64(columns*rows)
}

// descentOps are the operations of an instance of all parts where an item has so many columns: pixels are converted once for all that read them.
func (w *work) descentOps(columns float64) feature.Ops {
	ops := w.stage.Ops
	for _, p := range w.stage.Parts {
		for pipe, n := range p.Ops {
			ops[pipe] += n
		}
	}
	ops[feature.Convert] = w.convertedOnce(ops[feature.Convert], columns)
	return ops
}

// longestDescent is how many instructions may be written out for so many columns and rows: as many as run at full speed, or more where there are few instances (longest).
func (w *work) longestDescent(columns, rows int) float64 {
	most := w.model.Limits.Body.Or(1000)
	if columns*rows <= fewInBlock {
		most *= maxLonger
	}
	return most
}

// mostRegisters is how many an item of such a group may take.
func (w *work) mostRegisters() float64 {
	return min(maxRegisters, w.model.Limits.RegistersPerItem.Or(64))
}

// descent is the stage as groups see it that go down rows; nil where they cannot.
func (w *work) descent() *block.Descent {
	if !w.descended {
		w.descended = true
		if down, why := w.looks.Down(w.stage.Of, max(w.unroll(), defaultUnroll)); why == "" {
			w.down = down
		}
	}
	return w.down
}

// registerParts is into how many parts a unit is divided that have their subgroups and their registers each for themselves.
const registerParts = 4

// descentSlots is how many groups a device has room for at once.
func (w *work) descentSlots(down *block.Descent, d schedule.Decisions) float64 {
	l := &w.model.Limits
	items := float64(down.Items(tilingOf(d)))
	subgroups := l.RegistersPerUnit.Value / (l.Subgroup.Or(32) * descentRegisters(down, d))
	subgroups = registerParts * math.Floor(subgroups/registerParts)
	groups := min(l.ItemsPerUnit.Or(2048), subgroups*l.Subgroup.Or(32)) / items
	if bytes := down.LocalBytes(tilingOf(d)); bytes > 0 {
		groups = min(groups, l.LocalPerUnit.Or(l.LocalPerGroup.Value)/float64(bytes))
	}
	return max(1, math.Floor(groups)) * w.model.Rates.Units.Or(1)
}

// descentRegisters estimates what an item holds at once: sums that have begun, rows on their way, and what it reads of a row in local memory. Of masks
// of 15 in two steps that is 118, where NVIDIA's compiler takes 120 to 126.
func descentRegisters(down *block.Descent, d schedule.Decisions) float64 {
	columns := float64(d.Item[0])
	n, read := 24.0, 0.0
	for _, w := range down.Windows {
		n += float64(d.Stream*block.Channels(w.Image)) * math.Ceil(columns*float64(w.Image.Elem.Kind.Bits())/32)
	}
	for _, p := range down.Parts {
		if p.Rows != nil {
			for _, s := range p.Rows.Sums {
				n += float64(p.Rows.Hi-s.First+1) * columns * float64(s.Of.T.Lanes) * max(1, float64(s.Of.T.Kind.Bits())/32)
			}
		}
		for _, w := range p.Reads() {
			read = max(read, (columns+float64(w.X.Hi-w.X.Lo))*float64(block.Channels(w.Image)))
		}
	}
	return n + read
}

// descentTooMuch is tooMuch for such a group.
func (w *work) descentTooMuch(d schedule.Decisions) string {
	down := w.descent()
	if w.localBytes(d) > w.local {
		return fmt.Sprintf("rows of %d bytes in local memory, a group has %d at most", w.localBytes(d), w.local)
	}
	if n, most := descentRegisters(down, d), w.mostRegisters(); n > most {
		return fmt.Sprintf("about %.0f registers, more than %.0f", n, most)
	}
	rows := d.Stream
	if d.Resident == 0 {
		rows = min(rows, fewHeld) // more rows pay however long they are (placed)
	}
	if n, most := w.descentBody(d.Item[0], rows), w.longestDescent(d.Item[0], rows); n > most {
		return fmt.Sprintf("a body of about %.0f instructions, more than %.0f", n, most)
	}
	return ""
}

// What a round of a descent costs besides the program's operations: places, conditions and the barrier, for each window and output; and the part of
// the time that an item waits where it is the only one of a unit, which others fill. Fitted to masks of 15 in two steps on an H200, for
// which NVIDIA's compiler writes 160 instructions for four pixels of a row, 120 of them products and sums, and which take 161 us.
const (
	descentRound   = 12
	descentWaiting = 72
)

// costOfDescent predicts one launch of groups that go down rows.
func (w *work) costOfDescent(d schedule.Decisions) Cost {
	m := w.model
	bw, r, down, t := &m.Bandwidth, &m.Rates, w.descent(), tilingOf(d)
	c := Cost{Fixed: m.Launch.Fixed.Or(0), Apart: addedAsRead}
	columns, items := float64(d.Item[0]), float64(down.Items(t))
	// As lowering does: fewer rows where there would be too few groups.
	across := math.Ceil(w.count(0) / float64(d.Tile[0]))
	rows := math.Ceil(w.count(1) / max(1, math.Floor(float64(d.Rolled)/across)))
	rows = min(max(rows, float64(down.Ahead)), float64(d.Tile[1]))
	groups, slots := w.instances/(w.count(0)*w.count(1))*across*math.Ceil(w.count(1)/rows), w.descentSlots(down, d)
	idle := math.Ceil(groups/slots) * slots / groups // slots whose groups have come to their end, or that have none
	again := float64(down.Rounds(int(rows))) / rows * items * columns / float64(d.Tile[0])
	rate := w.bandwidth(&c)
	c.Memory = idle * (w.read + w.written) / rate
	if bw.Fabric.Known {
		c.Fabric = idle * (w.read*again + w.written) / bw.Fabric.Value
	}
	chip := r.Units.Or(0) * r.Clock.Or(0)
	if chip == 0 {
		return c
	}
	ops, moved := w.descentOps(columns), 0.0
	ops[feature.Memory] = 0
	longer := fetched(ops.Total()*columns*float64(d.Stream), m.Limits.Body.Or(1000))
	for _, x := range down.Shared {
		moved += float64(block.Channels(x.Image))
	}
	for _, p := range down.Parts {
		for k, x := range p.Reads() {
			if down.IsShared(p.Sources[k]) {
				moved += float64(block.Channels(x.Image)) * (columns + float64(x.X.Hi-x.X.Lo)) / columns
			}
		}
	}
	places := float64(len(down.Windows) + len(down.Last().Outputs))
	ops[feature.Memory] = places/columns + moved/min(4, columns)
	ops[feature.Logic] += descentRound * places / columns
	n := w.instances * again * idle
	c.Issue = longer * ops.Total() * n / (r.Issue.Or(1) * r.IssueShare.Or(1) * chip)
	c.pipes(ops, n, r, chip)
	c.Local = block.BankBytes * moved * n / (r.LocalBytes.Value * bankShare * chip)
	c.Crowded = descentWaiting / (items * min(groups, slots) / r.Units.Value)
	return c
}

// convertedOnce is how many of so many conversions an instance is left with where an item of some columns converts a pixel of a row once, however often it reads it, or the group does.
func (w *work) convertedOnce(conversions, columns float64) float64 {
	read, loaded := 0.0, 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && small(a) {
			read += a.Count * float64(a.Image.Elem.Lanes)
		}
	}
	for _, x := range w.descent().Windows {
		if x.Image.Elem.Kind.Bits() < 32 {
			beside := float64(x.X.Hi - x.X.Lo)
			if x.Floats {
				beside = 0 // neighbours have converted it
			}
			loaded += (columns + beside) / columns * float64(block.Channels(x.Image))
		}
	}
	return conversions - max(0, min(conversions, read)-loaded)
}
