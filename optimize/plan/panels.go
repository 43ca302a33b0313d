package plan

import (
	"fmt"
	"math"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// Blocks of instances that go through loops together (block.Panels), as those of products of matrices do.

// panelShapes are the blocks of an item, in x and y, the items of a group, and the steps of a panel that are worth looking at. Larger blocks read less of what they share, and leave
// room for fewer items.
var panelShapes = []struct {
	item, group [2]int
	steps       int
}{
	{[2]int{8, 8}, [2]int{16, 16}, 16},
	{[2]int{8, 8}, fewerWait, 16},
	{[2]int{8, 8}, [2]int{16, 16}, 8}, // where local memory has no room for more
	{[2]int{8, 4}, [2]int{16, 16}, 16},
	{[2]int{4, 4}, [2]int{16, 16}, 16},
	{[2]int{4, 4}, [2]int{8, 8}, 8},
	{[2]int{2, 2}, [2]int{16, 16}, 16},
}

// fewerWait are groups of which fewer items wait for each other. They load more of rows, which takes longer than that through registers: 3.56 ms and not 3.37 in CUDA.
var fewerWait = [2]int{16, 8}

// panels are the loops that blocks of instances may go through together, with operands that rows and columns of instances share; nil where there are none.
func (w *work) panels() *block.Panels {
	if !w.paneledUp {
		w.paneledUp = true
		if w.stage.Of.Scan == nil && w.vars >= 2 && len(w.stage.Parts) == 0 && block.Rolled(w.stage.Of, defaultUnroll) {
			w.paneled, _ = block.AnalyzePanels(w.stage.Of, defaultUnroll)
		}
		if w.paneled != nil {
			rows, columns := false, false
			for _, l := range w.paneled.Loops {
				r, c := l.Shared()
				rows, columns = rows || r, columns || c
			}
			if !rows || !columns {
				w.paneled = nil
			}
		}
	}
	return w.paneled
}

// inPanels are work-items whose instances go through loops together, with what their groups share in local memory, or each by itself. Where a unit has room for fewer groups of the largest blocks
// than with toldRegisters, compilers are told of as many as it has then: all of a group wait for each other at each panel. Products of 4096 x 4096 x 4096 floats took 3.70 ms on an H200 with 149 registers, and 3.22 with 128 (8 steps 3.60 and 3.50).
func inPanels(w *work) (list []Candidate) {
	if w.panels() == nil {
		return nil
	}
	for _, s := range panelShapes {
		if s.group == fewerWait && !w.copies {
			continue
		}
		d := schedule.Decisions{Item: s.item, Tile: [2]int{s.item[0] * s.group[0], s.item[1] * s.group[1]}, Panels: s.steps, Local: schedule.Shared}
		if told := w.toldRoom(d); w.bounds && w.panelRoom(d) < told {
			d.Resident = int(told)
		}
		list = append(list, Candidate{Decisions: d, Why: "instances go through a loop together: what rows and columns of them share is read once, from panels in local memory"})
		d.Panels, d.Local, d.Resident = 2, 0, 0
		list = append(list, Candidate{Decisions: d, Why: "instances go through a loop together: what rows and columns of them share is read once"})
	}
	return list
}

// stepsOf is how many steps a loop has, for the sizes that are planned for.
func (w *work) stepsOf(s hast.Space) float64 {
	n := 1.0
	for _, r := range s.Ranges {
		n *= math.Max(0, float64((w.eval(r.Hi)-w.eval(r.Lo)+r.Step-1)/max(1, r.Step)))
	}
	return n
}

// loadedWaves is by how much longer than an access to local memory one takes that goes by the first cache: one instance for each item, with two loads in each of the 2^36 steps of a product of
// matrices of 4096 x 4096, took 28 ms on an H200.
const loadedWaves = 1.5

// unshared is what loops take of which every instance loads all for itself, beyond what costs say that count one step of them.
func (w *work) unshared() (t float64) {
	r := &w.model.Rates
	chip := r.Units.Or(0) * r.Clock.Or(0)
	if w.panels() == nil || chip == 0 || !w.stage.Open {
		return 0
	}
	for _, l := range w.paneled.Loops {
		steps := math.Max(0, w.stepsOf(l.Space)-w.repeats())
		ops := w.pointOf(l).Total() + float64(len(l.Operands))
		issue := ops / (r.Issue.Or(1) * r.IssueShare.Or(1))
		loads := loadedWaves * float64(len(l.Operands)) / wave
		t += w.instances * steps * math.Max(issue, loads) / chip
	}
	return t
}

// wave is how many items access local memory at a time.
const wave = 32

// pointOf are the operations of one step of a loop for one instance, besides loads.
func (w *work) pointOf(l *block.PanelLoop) (n feature.Ops) {
	for _, s := range l.Sums {
		for p, x := range feature.OfPoint(&hast.Reduce{Typed: s.Of.Typed, Op: s.Of.Op, Space: l.Space, Elem: s.Elem, Init: s.Of.Init, Func: s.Of.Func}, w.fast) {
			if feature.Pipe(p) != feature.Memory {
				n[p] += x
			}
		}
	}
	return n
}

// What is lost in blocks was fitted to products of f32, 4096 x 4096 x 4096, on an H200, in CUDA: with panels of 16 steps 3.47, 4.09 and 4.67 ms in items of 8 x 8, 8 x 4 and 4 x 4, of 8
// steps 4.05 in items of 8 x 8, and from memory 12.5, 14.3 and 11.1. Reading panels adds to computing, and in each round all items of a group wait for each other.
const (
	panelRound  = 550 // cycles, of which units with room for several groups lose a part
	memoryWaves = 4   // by how much longer than an access to local memory a load of a block takes that comes from memory
)

// What blocks cost whose panels are copied was fitted to the same products: in groups of 16 x 16 items 3.00 ms with copies of 16 bytes of b, and 3.16 of 4 (10 and 16 copies of an item in a round), of
// 16 x 8 2.91 and 3.28 (12 and 24); with panels of 8, 16 and 32 steps 2.99, 3.00 and 3.07. Reading panels is hidden but for a part, and groups wait the longer the larger they are.
const (
	copySlots   = 13 // instructions of a copy, with what finds its places
	copiedWaves = 0.27
	copiedWait  = 35 // cycles of a step for which units with room for several groups of copiedItems items lose a part
	copiedItems = 256
)

// costOfPanels is what blocks cost that go through loops together.
func (w *work) costOfPanels(d schedule.Decisions) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0), Apart: loadedFirst}
	bw, r := &w.model.Bandwidth, &w.model.Rates
	rate := w.bandwidth(&c)
	c.Memory = (w.read + w.written) / rate
	chip := r.Units.Or(0) * r.Clock.Or(0)
	if chip == 0 {
		return c
	}
	chip *= w.panelBalance(d)
	for _, l := range w.panels().Loops {
		w.costOfLoop(d, l, chip, &c)
	}
	c.Local += c.Issue
	if c.Fabric /= bw.Fabric.Or(1); !bw.Fabric.Known {
		c.Fabric = 0
	}
	c.Groups = w.panelGroups(d) * w.model.Launch.Group.Or(0)
	return c
}

// costOfLoop adds what a loop takes.
func (w *work) costOfLoop(d schedule.Decisions, l *block.PanelLoop, chip float64, c *Cost) {
	r, groups := &w.model.Rates, w.panelGroups(d)
	blocks := groups * float64(d.GroupItems())
	steps, n := w.stepsOf(l.Space), float64(d.Item[0]*d.Item[1])
	ops := w.pointOf(l)
	for p := range ops {
		ops[p] *= n
	}
	one := Cost{}
	one.pipes(ops, blocks*steps, r, chip)
	c.Pipe, c.Busiest = c.Pipe+one.Pipe, one.Busiest
	waves, copies, staged, copied := 0.0, 0.0, false, w.copies
	for _, o := range l.Operands {
		if o.Steps {
			loads, moved := panelLoads(d, o)
			ops[feature.Memory] += loads
			c.Fabric += moved * blocks * steps
			if d.Local != 0 && o.Staged() {
				staged, waves = true, waves+loads*float64(2-max(0, o.Along)) // vectors of columns side by side take two rounds of an access
				copied, copies = copied && o.Copied(), copies+panelCopies(d, o)
			} else {
				waves += memoryWaves * loads
			}
		}
	}
	c.Issue += ops.Total() * blocks * steps / (r.Issue.Or(1) * chip)
	waves *= blocks / wave * steps / chip
	switch {
	case staged && copied:
		issue := copySlots * copies / float64(d.Panels) * blocks * steps / (r.Issue.Or(1) * chip)
		c.Local += issue + copiedWaves*waves + copiedWait*steps*groups*float64(d.GroupItems())/(copiedItems*chip*w.panelRoom(d))
	case staged:
		c.Local += waves + math.Ceil(steps/float64(d.Panels))*groups*panelRound/(chip*w.panelRoom(d))
	default:
		c.Local += waves
	}
}

// panelCopies is how many copies an item makes of an operand for each panel: by vectors of what lies side by side along instances.
func panelCopies(d schedule.Decisions, o *block.Operand) float64 {
	pixels := 1.0
	if !o.Runs {
		pixels = math.Min(float64(kir.RunBytes/o.Of.Type().Bytes()), float64(d.Item[o.Along]))
	}
	return float64(d.Panels*d.Tile[o.Along]) / (pixels * float64(d.GroupItems()))
}

// panelLoads are how many loads of an operand an item makes in each step, and how many bytes of it come from beyond the first cache.
func panelLoads(d schedule.Decisions, o *block.Operand) (loads, moved float64) {
	size, long := float64(o.Of.Type().Bytes()), 1.0
	if o.Along >= 0 {
		long = float64(d.Item[o.Along])
		moved = size * long / float64(d.Tile[1-o.Along]/d.Item[1-o.Along])
	}
	if d.Local != 0 && o.Staged() {
		return long / min(4, long, 16/size), moved
	}
	return long, moved
}

// panelsTooMuch says which limit of the device blocks pass, "" for none.
func (w *work) panelsTooMuch(d schedule.Decisions) string {
	bytes, most := 0, w.mostLocal(d.GroupItems())
	for _, l := range w.panels().Loops {
		for _, o := range l.Operands {
			if d.Local != 0 && o.Staged() {
				bytes += 2 * d.Panels * (d.Tile[o.Along] + 4) * o.Of.Type().Bytes() // lines are a vector longer than what they hold
			}
		}
	}
	switch group := d.GroupItems(); {
	case group > w.model.Limits.GroupSize.Int(group):
		return fmt.Sprintf("groups of %d, the device has %d at most", group, w.model.Limits.GroupSize.Int(group))
	case bytes > most:
		return fmt.Sprintf("panels of %d bytes in local memory, a group has %d at most", bytes, most)
	}
	return ""
}

// panelGroups is how many groups there are.
func (w *work) panelGroups(d schedule.Decisions) float64 {
	n := w.instances / (w.count(0) * w.count(1))
	return n * math.Ceil(w.count(0)/float64(d.Tile[0])) * math.Ceil(w.count(1)/float64(d.Tile[1]))
}

// panelItems is how many items of a unit have as many loads on their way as it computes from meanwhile.
const panelItems = 256

// panelBalance is the part of the device that groups keep busy: each unit has one after the other, or some of few items at a time, and the last ones leave units idle. Loads wait longer
// where few items of a unit compute meanwhile.
func (w *work) panelBalance(d schedule.Decisions) float64 {
	units, groups := w.model.Rates.Units.Or(1), w.panelGroups(d)
	filled := groups / (math.Ceil(groups/units) * units)
	here := float64(d.GroupItems()) * math.Min(math.Ceil(groups/units), w.panelRoom(d))
	return filled * math.Min(1, here/panelItems)
}

// toldRegisters is what an item of blocks of 8 x 8 gets by with: 64 accumulators, what two steps read, and places. Larger ones are not told of.
const (
	toldRegisters = 128
	toldTotals    = 64
)

// toldRoom is how many groups a unit has registers for whose items have so many; 0 where they need more.
func (w *work) toldRoom(d schedule.Decisions) float64 {
	if totals, _ := w.panelWords(); totals*float64(d.Item[0]*d.Item[1]) > toldTotals {
		return 0
	}
	return math.Floor(w.model.Limits.RegistersPerUnit.Or(65536) / float64(toldRegisters*d.GroupItems()))
}

// panelWords is how many registers the accumulators of an instance take, and a value that it reads.
func (w *work) panelWords() (totals, read float64) {
	words := func(e hast.Expr) float64 { return math.Max(1, float64(e.Type().Bytes())/4) }
	for _, l := range w.panels().Loops {
		for _, s := range l.Sums {
			totals += words(s.Of)
		}
		for _, o := range l.Operands {
			read = math.Max(read, words(o.Of))
		}
	}
	return totals, read
}

// panelRoom is how many groups a unit has registers for.
func (w *work) panelRoom(d schedule.Decisions) float64 {
	if d.Resident > 0 {
		return float64(d.Resident)
	}
	totals, read := w.panelWords()
	held := totals*float64(d.Item[0]*d.Item[1]) + 4*read*float64(d.Item[0]+d.Item[1]) + 24
	return math.Max(1, math.Floor(w.model.Limits.RegistersPerUnit.Or(65536)/(held*float64(d.GroupItems()))))
}
