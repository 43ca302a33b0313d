package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// What it costs that neighbours reach lines of an image that are apart, as under rotations: the items of a subgroup want many lines of the first cache at once then, and which these are
// depends on how the items lie, so that groups of other shapes, and items of several columns, reach fewer.

// A slant is how places move in an image, in lines and in pixels, from an instance to the next one along x, and along y.
type slant struct{ line, pixel [2]float64 }

// slantAngles are how many angles stand for all of a quarter turn where the host decides by which an image is turned. Small ones are the more likely, as of pictures that are put upright and of lenses that are made
// straight, so that they grow as squares do: half of them are below 23 degrees.
const slantAngles = 8

// slants are those of an access, over all of which its time is averaged; none where what is in an instance decides, or neighbours along x read the same line.
func (w *work) slants(a *feature.Access) []slant {
	return memo.Of(&w.slanted, a, func() []slant {
		line, pixel, _ := block.Axes(a.Image)
		if _, known := w.cache(); !known || a.Writes || line < 0 || w.vars < 2 || a.Axes[line].Slopes == nil || !a.Axes[line].Slopes[0].Moves() || a.Axes[pixel].Slopes == nil && !a.Axes[pixel].Known {
			return nil
		}
		var list []slant
		for i := range slantAngles {
			part := (float64(i) + 0.5) / slantAngles
			sin, cos := math.Sincos(part * part * math.Pi / 2)
			s := slant{w.slopes(a, line, sin, cos), w.slopes(a, pixel, cos, -sin)}
			if i == 0 || s != list[0] {
				list = append(list, s)
			}
		}
		return list
	})
}

// slopes are those along an axis, where the host decides some: of one that follows both coordinates they are as under a rotation, of others 1, and less where all places together would not be in the image then.
func (w *work) slopes(a *feature.Access, axis int, x, y float64) (out [2]float64) {
	of := w.slopesOf(a.Axes[axis])
	if !of[0].Moves() || !of[1].Moves() {
		x, y = 1, 1
	}
	for i, v := range [2]float64{x, y} {
		if out[i] = of[i].By; !of[i].Known {
			out[i] = v * min(1, float64(w.eval(a.Image.Extent[axis]))/w.count(i))
		}
	}
	return out
}

// slopesOf are the slopes of a place along an axis, which a known one has, too.
func (w *work) slopesOf(x feature.Axis) feature.Slopes {
	if x.Slopes != nil {
		return *x.Slopes
	}
	out := feature.Slopes{{Known: true}, {Known: true}}
	for i, v := range [2]*hast.Var{w.x, w.y} {
		if x.Var != nil && x.Var == v {
			out[i].By = float64(x.Mul) / float64(max(1, x.Div))
		}
	}
	return out
}

// slanting reports whether neighbours reach lines of an image that are apart by what is not known to be a whole number, and it is known what that costs.
func (w *work) slanting() bool {
	return slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return w.slants(a) != nil })
}

// A firstCache is the first cache of a unit: bytes of a line, and of a bank of it, of which it gives one at a time, and lines in a cycle where these are others. So images of u8, u8x3 and f32 that are turned, of 8192 x 8192 pixels, take
// on an H100 what testdata/measured_turned_h100.txt says: in groups of 256 x 1 an access of f32 takes 11 cycles by 45 degrees, where it reaches 21 lines, 32 by 90, where all that is wanted of 32 lines lies below each other.
type firstCache struct{ line, bank, atOnce float64 }

// cache is that of the model, where it is known.
func (w *work) cache() (firstCache, bool) {
	m, r := &w.model.Memory, &w.model.Rates
	return firstCache{m.Line.Or(usualLine), m.LineBank.Or(usualLine), r.Lines.Or(1)}, m.LineBank.Known && r.Lines.Known && r.Units.Known && r.Clock.Known
}

// A lattice is how the items of a subgroup lie: so many across, each so many columns wide, the others below.
type lattice struct{ across, down, wide int }

// latticeOf is that of a shape.
func (s *shape) latticeOf(w *work) lattice {
	subgroup := w.model.Limits.Subgroup.Or(1)
	across := min(subgroup, s.gx)
	return lattice{int(across), int(subgroup / across), int(s.ix)}
}

// slantShifts are at how many places between two pixels a subgroup is looked at.
const slantShifts = 3

// A reach is what is asked of an access again and again.
type reach struct {
	of *feature.Access
	lattice
}

// slantedCycles is how many cycles of the first cache an access of a subgroup takes, of each of its slants.
func (w *work) slantedCycles(a *feature.Access, l lattice) []float64 {
	return memo.Of(&w.reached, reach{a, l}, func() []float64 {
		cache, _ := w.cache()
		bytes, list := float64(feature.PixelBytes(a.Image)), w.slants(a)
		out := make([]float64, len(list))
		for i, s := range list {
			for k := range slantShifts {
				shift := float64(k) / slantShifts
				out[i] += cache.cycles(s, l, [2]float64{shift, shift * cache.line / bytes}, bytes) / slantShifts
			}
		}
		return out
	})
}

// cycles are those that the items of a lattice take which begins at some line and pixel, where pixels have so many bytes.
func (c firstCache) cycles(s slant, l lattice, at [2]float64, bytes float64) float64 {
	const stride = 1 << 32 // between rows, in banks
	var wanted []int64     // banks of rows
	for y := range l.down {
		for x := range l.across {
			x, y := float64(x*l.wide), float64(y)
			row := math.Floor(at[0] + x*s.line[0] + y*s.line[1])
			pixel := math.Floor(at[1] + x*s.pixel[0] + y*s.pixel[1])
			wanted = append(wanted, int64(row)*stride+int64(math.Floor(pixel*bytes/c.bank)))
		}
	}
	slices.Sort(wanted)
	perLine := max(1, int64(c.line/c.bank))
	lines, last, most, banks := 0, int64(math.MinInt64), 0, map[int64]int{}
	for _, at := range slices.Compact(wanted) {
		line := ops.FloorQuotient(at, perLine)
		if line != last {
			lines, last = lines+1, line
		}
		bank := at - line*perLine
		banks[bank]++
		most = max(most, banks[bank])
	}
	return max(float64(lines)/c.atOnce, float64(most))
}

// slantedRows is how many rows a group of so many columns and rows of instances reaches, on average.
func (w *work) slantedRows(a *feature.Access, columns, rows float64) float64 {
	sum, list := 0.0, w.slants(a)
	for _, s := range list {
		sum += columns*math.Abs(s.line[0]) + rows*math.Abs(s.line[1])
	}
	return sum / float64(len(list))
}

// amplifiedSlanted is amplified for a slanted access: a group reads a sector of each row beyond those that it fills.
func (s *shape) amplifiedSlanted(w *work, a *feature.Access) float64 {
	columns, rows := min(s.gx, ownGroup)*s.ix, s.gy*s.iy
	return 1 + w.model.Memory.Sector.Or(0)*w.slantedRows(a, columns, rows)/(columns*rows*float64(feature.PixelBytes(a.Image)))
}

// slantedTimes are how many cycles of the first cache an instance takes in a stage that slants, of each slant; what goes along lines takes one for each line of its pixels.
func (s *shape) slantedTimes(w *work) []float64 {
	l, subgroup := s.latticeOf(w), w.model.Limits.Subgroup.Or(1)
	out := make([]float64, 1, slantAngles)
	for _, a := range w.stage.Accesses {
		n, each := s.ownAccesses(w, a), []float64{s.straightCycles(w, a, l)}
		if w.slants(a) != nil {
			each = w.slantedCycles(a, l)
		} else if s.blocks && s.windowed(w, a) {
			n = a.Count * float64(feature.PixelBytes(a.Image)) / s.accessBytes(w, a)
		}
		for len(out) < len(each) {
			out = append(out, out[0])
		}
		for i := range out {
			out[i] += n * each[i%len(each)] / subgroup
		}
	}
	return out
}

// straightCycles is how many lines an access of a subgroup reaches that goes along lines.
func (s *shape) straightCycles(w *work, a *feature.Access, l lattice) float64 {
	bytes := float64(l.across) * s.across(w, a) * float64(feature.PixelBytes(a.Image))
	return float64(l.down) * max(1, bytes/w.model.Memory.Line.Or(usualLine))
}

// bySlant sets the time of a stage that slants, of which all other terms are known, by what the first cache takes: its mean over all slants, and by how much the mean of the times is more than the time of that.
func (c *Cost) bySlant(s *shape, w *work, instances, chip float64) {
	list := s.slantedTimes(w)
	all, mean, sum := *c, 0.0, 0.0
	for _, cycles := range list {
		t := cycles * instances / chip
		all.Fabric = max(c.Fabric, t)
		mean, sum = mean+t/float64(len(list)), sum+all.Total()/float64(len(list))
	}
	c.Fabric = max(c.Fabric, mean)
	c.Slants = sum - c.Total()
}

// sparedByTwo is how many operations less an instance has in items of twice as many columns, and sparedLogic how many of these are logic: where the item is, what follows its row alone, and where rows begin. nvcc makes 97
// instructions of a turned pixel of u8, 80 in items of two columns and 72 of four, 100, 89 and 78 of f32, and 145, 138 and 121 of u8x3.
const (
	sparedByTwo = 12
	sparedLogic = 4
)

// onceForItem takes away what instances of items of several columns have in common.
func (s *shape) onceForItem(out *feature.Ops) {
	times := math.Log2(s.ix)
	out[feature.Logic] = max(0, out[feature.Logic]-sparedLogic*times)
	out[feature.FMA] = max(0, out[feature.FMA]-(sparedByTwo-sparedLogic)*times)
}

// slantedGroups are the columns and rows of items in groups of such stages of which items compute several columns. They store words of small pixels, and have fewer instructions for each; the
// fewer are side by side, the fewer lines they reach.
var slantedGroups = [][2]int{{16, 16}, {8, 32}, {4, 64}}

// slantedItems adds items of several columns in stages that slant, of so many that the last word of a row is full.
func slantedItems(w *work, list []Candidate) []Candidate {
	if !w.slanting() || len(w.stage.Parts) > 0 || w.instances < fewInstances {
		return list
	}
	for _, ix := range []int{2, 4} {
		if ix*w.leastWritten()%block.BankBytes != 0 {
			continue
		}
		for _, g := range slantedGroups {
			d := schedule.Decisions{Tile: [2]int{ix * g[0], g[1]}, Item: [2]int{ix, 1}, Vector: w.access(), Unroll: w.unroll()}
			list = append(list, Candidate{Decisions: d, Why: "items of several columns, which store them together"})
		}
	}
	return list
}

// leastWritten is the size of the smallest pixel that instances write.
func (w *work) leastWritten() int {
	least := math.MaxInt
	for _, a := range w.stage.Accesses {
		if a.Writes {
			least = min(least, int(feature.PixelBytes(a.Image)))
		}
	}
	return least
}
