package plan

import (
	"fmt"
	"math"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Blocks of instances whose loops read windows of which the host gives the extents (block.Slide), by pieces of lines.

// windowShapes are the blocks of an item, in x and y, that are worth looking at. Wide ones load more by one access, and throw away more steps at both ends of a line of the window.
var windowShapes = [][2]int{{4, 4}, {8, 4}, {4, 2}, {8, 2}, {8, 1}, {2, 4}, {4, 1}, {2, 2}}

// windows are the loops of a stage that stands alone whose instances read windows that slide; nil where there are none.
func (w *work) windows() *block.Panels {
	if !w.slidUp {
		w.slidUp = true
		if w.stage.Of.Scan == nil && w.vars >= 2 && len(w.stage.Parts) == 0 && w.panels() == nil && block.Rolled(w.stage.Of, defaultUnroll) {
			w.slid, _ = block.AnalyzePanels(w.stage.Of, defaultUnroll)
		}
		if w.slid != nil && !w.slid.Slides() {
			w.slid = nil
		}
	}
	return w.slid
}

// bySlides reports whether decisions are for pieces of lines.
func (w *work) bySlides(d schedule.Decisions) bool {
	return d.Panels > 0 && d.Panels == d.Item[0] && d.Local == 0 && w.windows() != nil
}

// inWindows are work-items whose instances go through windows together.
func inWindows(w *work) (list []Candidate) {
	if w.windows() == nil {
		return nil
	}
	gx, gy := w.model.Prefers.GroupX.Int(32), w.model.Prefers.GroupY.Int(4)
	for _, item := range windowShapes {
		if item[0] > 2 && w.pieceBytes(item[0]) > kir.RunBytes {
			continue
		}
		d := schedule.Decisions{Item: item, Tile: [2]int{item[0] * gx, item[1] * gy}, Panels: item[0]}
		d.Resident = w.windowRoom(d)
		list = append(list, Candidate{Decisions: d, Why: "instances go through windows together: each pixel of a line is loaded once for those side by side"})
	}
	return list
}

// windowBudget are the registers of an item of windows of floats where compilers can be told, which take 80 by themselves: masks of 5 x 5, 8192 x 8192, took 0.290 ms in CUDA on an H200 as nvcc chooses, 0.280 told
// of six groups of 128 and 0.271 of seven; through OpenCL, which local memory is filled for, 0.281, 0.325 and 0.309. Of small integers, which are held in 32 bits, nobody has measured any.
const windowBudget = 72

// windowRoom is how many groups of items of windows compilers are told of; 0 for any number.
func (w *work) windowRoom(d schedule.Decisions) int {
	registers := w.model.Limits.RegistersPerUnit
	if !w.bounds || !registers.Known || d.Item != [2]int{4, 4} || slices.ContainsFunc(w.stage.Accesses, w.notOneFloat) {
		return 0
	}
	return w.fewerGroups(int(registers.Value/(windowBudget*float64(d.GroupItems()))), w.panelGroups(d))
}

// notOneFloat reports whether an access is of anything but single floats of 32 bits.
func (w *work) notOneFloat(a *feature.Access) bool { return a.Image.Elem != types.Scalar(types.F32) }

// pieceBytes is how many bytes of the largest pixels that slide so many are. Of more than an access takes, each access of neighbours reaches all of the lines of memory that both reach.
func (w *work) pieceBytes(pixels int) (most int) {
	for _, l := range w.slid.Loops {
		for _, s := range l.Slides {
			most = max(most, pixels*s.Load.Image.Elem.Bytes())
		}
	}
	return most
}

// mostWindow is from how many steps on a line of a window is none that anybody has said the extents of, and usualWindow how many it has then.
const (
	mostWindow  = 64
	usualWindow = 5
)

// windowSteps is how many lines a window has, and how many steps the line.
func (w *work) windowSteps(l *block.PanelLoop) (lines, steps float64) {
	lines = 1
	for i := range l.Space.Ranges {
		n := w.stepsOf(hast.Space{Vars: l.Space.Vars[i : i+1], Ranges: l.Space.Ranges[i : i+1]})
		if n > mostWindow {
			n = usualWindow
		}
		if steps = n; i < len(l.Space.Ranges)-1 {
			lines *= n
		}
	}
	return lines, steps
}

// What windows cost is counted in the code that nvcc makes of them for sm_90: instructions of an item for each line of a window, with what each of its own rows adds, of each round of steps, and of
// each step. Items of 4 x 4 and 4 x 2 of floats have 93 and 58 for a line, 58 and 49 for a round of four steps besides 64 and 32 products; of 8 x 2 56 and 76 besides 128.
//
// Items wait for what each round loads, the longer the more registers they have: masks of 5 x 5 floats took, 8192 x 8192 on an H200, through OpenCL and in CUDA 0.283 and 0.290 ms in items of 4 x 4, 0.329 and
// 0.319 of 4 x 2, 0.467 and 0.447 of 4 x 1, 0.459 and 0.441 of 2 x 4, 0.269 and 0.303 of 4 x 8, by 1.44, 1.24, 1.18, 1.29 and 1.7 more than these instructions take.
const (
	lineSlots, lineRowSlots   = 37, 14
	roundSlots, roundRowSlots = 14, 4
	stepSlots                 = 4
	unpackSlots               = 1.5 // of an integer of less than 32 bits that is loaded with others
	waitRegisters             = 250 // with so many registers items take twice as long
)

// pointSlots is how many instructions one instance takes for a point of its window where it reads that by itself: 22 of a mask of floats and of one of bytes, of 5 x 5, which took 1.296 and 1.519 ms
// on an H200 for 8192 x 8192.
const pointSlots = 22

// byThemselves is what it takes beyond one step of each loop that instances read windows by themselves.
func (w *work) byThemselves() (t float64) {
	r := &w.model.Rates
	chip := r.Units.Or(0) * r.Clock.Or(0)
	if w.windows() == nil || chip == 0 || !w.stage.Open {
		return 0
	}
	for _, l := range w.slid.Loops {
		lines, steps := w.windowSteps(l)
		t += w.instances * math.Max(0, lines*steps-1) * pointSlots / (r.Issue.Or(1) * r.IssueShare.Or(1) * chip)
	}
	return t
}

// costOfWindows is what blocks cost that go through windows together.
func (w *work) costOfWindows(d schedule.Decisions) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0), Apart: loadedFirst}
	r := &w.model.Rates
	rate, read := w.bandwidth(&c), w.windowBytes()
	c.Memory = (read + w.written) / rate
	if fabric := w.model.Bandwidth.Fabric; fabric.Known {
		c.Fabric = (read*slidFabric + w.written) / fabric.Value
	}
	chip := r.Units.Or(0) * r.Clock.Or(0)
	if chip == 0 {
		return c
	}
	chip *= w.windowBalance(d)
	items := w.panelGroups(d) * float64(d.GroupItems())
	for _, l := range w.slid.Loops {
		w.costOfWindow(d, l, items/chip, &c)
	}
	c.Groups = w.panelGroups(d) * w.model.Launch.Group.Or(0)
	return c
}

// slidFabric is by how much more of what is read goes through the fabric where groups of tiles of 16 rows share the lines between them with others.
const slidFabric = 1.5

// windowBytes are those of the images that windows slide over.
func (w *work) windowBytes() (n float64) {
	seen := map[*hast.Image]bool{}
	for _, l := range w.slid.Loops {
		for _, s := range l.Slides {
			seen[s.Load.Image] = true
		}
	}
	for _, a := range w.stage.Accesses {
		if !a.Writes && seen[a.Image] {
			seen[a.Image] = false
			n += w.places(a) * float64(a.Image.Elem.Kind.Bytes())
		}
	}
	return n
}

// costOfWindow adds what a loop takes, of items for each cycle of the device.
func (w *work) costOfWindow(d schedule.Decisions, l *block.PanelLoop, items float64, c *Cost) {
	r, n := &w.model.Rates, float64(d.Item[0])
	lines, steps := w.windowSteps(l)
	rounds := math.Ceil(math.Floor(steps/2)/n) + math.Ceil(math.Ceil(steps/2)/n) // they begin where vectors do, and windows lie around instances as a rule
	line, round, waves := float64(lineSlots), roundSlots+stepSlots*n, n/wave*float64(len(l.Operands))
	for _, s := range l.Slides {
		rows := 1.0
		if s.Rows {
			rows = float64(d.Item[1])
		}
		t, pixel := s.Of.Type(), s.Load.Image.Elem
		line += lineRowSlots * rows
		each := float64(t.Lanes)
		if pixel.Kind.Bits() < 32 {
			each += unpackSlots * float64(pixel.Lanes)
		}
		round += rows * (roundRowSlots + n*(each+feature.OfExpr(withoutPixel(s), w.fast).Total()))
		bytes := n * float64(pixel.Bytes())
		waves += rows * math.Max(1, bytes/4) * math.Max(1, bytes/kir.RunBytes) / wave // each access of several reaches the lines of all
	}
	point := w.pointBeside(l)
	for p := range point {
		point[p] *= n * float64(d.Item[1])
	}
	one := Cost{}
	one.pipes(point, lines*steps, r, 1/items)
	if one.Pipe > 0 {
		c.Pipe, c.Busiest = c.Pipe+one.Pipe, one.Busiest
	}
	waits := 1 + w.windowRegisters(d)/waitRegisters
	c.Issue += waits * items * lines * (line + rounds*round + steps*point.Total()) / (r.Issue.Or(1) * r.IssueShare.Or(1))
	c.Local += items * lines * (rounds + 1) * waves
}

// withoutPixel is what is computed of a pixel that slides, with a value for the pixel.
func withoutPixel(s *block.Slide) hast.Expr {
	return hast.Map(s.Of, func(e hast.Expr) hast.Expr {
		if e == hast.Expr(s.Load) {
			return valueOf(e)
		}
		return nil
	})
}

// valueOf is a value of the type of an expression.
func valueOf(e hast.Expr) hast.Expr {
	return hast.RefTo(&hast.Var{Name: "value", Type: e.Type(), Class: hast.Value})
}

// pointBeside are the operations of one step of a loop for one instance, beside what it shares with others.
func (w *work) pointBeside(l *block.PanelLoop) (n feature.Ops) {
	shared := map[hast.Expr]bool{}
	for _, s := range l.Slides {
		for _, e := range s.All {
			shared[e] = true
		}
	}
	for _, o := range l.Operands {
		for _, e := range o.All {
			shared[e] = true
		}
	}
	for _, s := range l.Sums {
		elem := s.Elem
		if choice := l.Alike(s); choice != nil {
			elem = choice.Then
		}
		elem = hast.Map(elem, func(e hast.Expr) hast.Expr {
			if shared[e] {
				return valueOf(e)
			}
			return nil
		})
		for p, x := range feature.OfPoint(&hast.Reduce{Typed: s.Of.Typed, Op: s.Of.Op, Space: l.Space, Elem: elem, Init: s.Of.Init, Func: s.Of.Func}, w.fast) {
			if feature.Pipe(p) != feature.Memory {
				n[p] += x
			}
		}
	}
	return n
}

// windowRegisters is how many registers an item takes: those of its accumulators, of its pieces, and of places.
func (w *work) windowRegisters(d schedule.Decisions) float64 {
	words := func(e hast.Expr) float64 {
		return float64(e.Type().Lanes) * math.Max(1, float64(e.Type().Kind.Bytes())/4)
	}
	most, totals := 0.0, 0.0
	for _, l := range w.slid.Loops {
		pieces := 0.0
		for _, s := range l.Slides {
			rows := 1.0
			if s.Rows {
				rows = float64(d.Item[1])
			}
			pieces += rows * (2*float64(d.Item[0])*words(s.Of) + 2)
		}
		most = math.Max(most, pieces)
		for _, s := range l.Sums {
			totals += words(s.Of)
		}
	}
	return totals*float64(d.Item[0]*d.Item[1]) + most + 24
}

// windowBalance is the part of the device that groups keep busy: the last ones leave units idle.
func (w *work) windowBalance(d schedule.Decisions) float64 {
	units, groups := w.model.Rates.Units.Or(1), w.panelGroups(d)
	room := math.Max(1, math.Floor(w.model.Limits.RegistersPerUnit.Or(65536)/(w.windowRegisters(d)*float64(d.GroupItems()))))
	here := float64(d.GroupItems()) * math.Min(math.Ceil(groups/units), room)
	return groups / (math.Ceil(groups/units) * units) * math.Min(1, here/panelItems)
}

// windowsTooMuch says which limit of the device blocks pass, "" for none.
func (w *work) windowsTooMuch(d schedule.Decisions) string {
	if n := w.windowRegisters(d); n > windowMost {
		return fmt.Sprintf("about %.0f registers, more than the %d of which units have room for enough items", n, windowMost)
	}
	if group := d.GroupItems(); group > w.model.Limits.GroupSize.Int(group) {
		return fmt.Sprintf("groups of %d, the device has %d at most", group, w.model.Limits.GroupSize.Int(group))
	}
	return ""
}

// windowMost is how many registers items may take by the estimate, which is near what nvcc gives them: 80 and 52 where floats in items of 4 x 4 and 4 x 2 get 93 and 48. Items of 4 x 8, of which 136 are
// estimated and which get 168, took less than those of 4 x 4 through OpenCL and more in CUDA.
const windowMost = 132
