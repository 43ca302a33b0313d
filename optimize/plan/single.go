package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

const whySingle = "one instance for each work-item"

// shaped are single instances in groups of other shapes than the one that they have where nothing is decided: of twice as many items, of which half as many
// groups start, and, where neighbouring items reach lines of memory that are apart, of few columns. Of 4096 x 4096 pixels on an H200 planes of
// colours took 243 us in groups of 128 and 143 in groups of 256 (basics/colour), warping 84 and 67 (pencil/warp); transposing 216 in rows of 256, 128 in groups
// of 16 x 16 and 118 of 8 x 16 (basics/transpose). They go behind a list.
func shaped(w *work, list []Candidate) []Candidate {
	if w.vars < 2 {
		return list
	}
	shapes := [][2]int{{256, 1}, {32, 8}}
	switch {
	case w.slanting():
		shapes = append(shapes, [2]int{16, 16}, [2]int{8, 32})
	case w.crosses():
		shapes = append(shapes, [2]int{16, 16}, [2]int{8, 16})
	}
	for _, tile := range shapes {
		list = append(list, Candidate{Decisions: schedule.Decisions{Tile: tile}, Why: whySingle + ", in groups of another shape"})
	}
	return list
}

// stride is how many bytes apart neighbours along the last variable reach an image where they reach other lines of it than their own; 0 where they do not. Pixels whose components
// are an axis lie beside each other as others do.
func (w *work) stride(a *feature.Access) float64 {
	bytes := float64(feature.PixelBytes(a.Image))
	for i := len(a.Axes) - 1; i >= 0; i-- {
		if x := a.Axes[i]; (x.Known || x.Host) && x.Var == w.x && w.x != nil && x.Mul != 0 {
			if _, pixel, _ := block.Axes(a.Image); i >= pixel {
				return 0
			}
			return bytes * math.Abs(float64(x.Mul)) / float64(max(1, x.Div))
		}
		bytes *= float64(w.eval(a.Image.Extent[i]))
	}
	return 0
}

// crosses reports whether neighbours reach lines of an image that are apart.
func (w *work) crosses() bool {
	return slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return w.stride(a) > 0 })
}

// usualLine is how many bytes a line of a cache has where that is not known.
const usualLine = 128

// storesApart is how many times as long as a load a store takes that fills only a part of a line: rotating 4096 x 4096 pixels of three bytes took 744 us on
// an H200 in rows, transposing them, which loads what that stores, 216.
const storesApart = 3.4

// crossing is the time of accesses where some of them reach lines that are apart: the unit's cache gives one line in a cycle, to all items of a subgroup
// that want something of it.
//
// Lines of an image that instances go along one by one count with all their points: sums of 65536 rows of 64 and of 256 floats took 18.7 and 69 us on an H100, a float for each clock and unit.
func (s *shape) crossing(w *work, d schedule.Decisions, chip float64) float64 {
	subgroup, line := w.model.Limits.Subgroup.Or(1), w.model.Memory.Line.Or(usualLine)
	if d.Reduce > 0 {
		return w.ofColumns() * w.instances / (min(subgroup, float64(max(1, d.Abreast))) * chip)
	}
	if !w.crosses() {
		return s.apartAlong(w, subgroup, line) * w.instances / chip
	}
	across := min(subgroup, s.gx)
	cycles := 0.0
	for _, a := range w.stage.Accesses {
		lines := subgroup / across
		if s.turned(w, a) || a.Updates && d.Cells > 0 {
			continue
		}
		if bytes := w.stride(a); bytes > 0 {
			lines = max(lines, across*min(1, bytes/line))
			if a.Writes {
				lines *= storesApart
			}
		}
		cycles += w.along(a) * accesses(a.Image) * lines / subgroup
	}
	return cycles * w.instances / chip
}

// apartAlong is how many cycles an instance takes for windows that lie apart along lines, which items load one by one: sums of 16 x 16 floats took 136 us on an H200 for 8192 x 8192, which items of four, each of
// four columns, read in 62.
func (s *shape) apartAlong(w *work, subgroup, line float64) (cycles float64) {
	if s.blocks || s.turns || s.local {
		return 0
	}
	for _, a := range w.stage.Accesses {
		last := len(a.Axes) - 1
		if last < 0 || a.Writes {
			continue
		}
		if x := a.Axes[last]; x.Known && x.Var == w.x && w.x != nil && x.Mul > 1 && 1 < x.Span() && x.Span() <= x.Mul {
			lines := min(subgroup, max(1, subgroup*float64(x.Mul)*float64(feature.PixelBytes(a.Image))/line))
			cycles += a.Count * accesses(a.Image) * lines / subgroup
		}
	}
	return cycles
}

// ofColumns is how many pixels of columns an instance reads in a group that shares them: the items of a subgroup that have one instance read one of each line.
func (w *work) ofColumns() (n float64) {
	if !w.reduced().across {
		return 0
	}
	for _, a := range w.stage.Accesses {
		if last := len(a.Axes) - 1; last > 0 && !a.Writes && a.Axes[last].Known && a.Axes[last].Var == w.x {
			n += w.along(a) * accesses(a.Image)
		}
	}
	return n
}

// along is how many pixels an instance accesses, one after the other where it goes along a line of an image in a loop.
func (w *work) along(a *feature.Access) float64 {
	loops := slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Host })
	if !w.stage.Open || a.Writes || !loops || w.instances == 0 {
		return a.Count
	}
	return max(a.Count, w.places(a)/float64(a.Image.Elem.Lanes)/w.instances)
}

// accesses is in how many accesses a pixel is moved by itself.
func accesses(m *hast.Image) float64 {
	if kir.OneAccess(m.Elem) {
		return 1
	}
	return float64(m.Elem.Lanes)
}

// Loops as long as data says, as over the entries of a row of a sparse matrix, are as long as the sizes make likely, and usualEntries at least: sizes that are
// left to the planner say nothing of it. An item goes from one entry to the next in nextEntry, or in half of that where all is in the first cache: on an H200 rows of up to 4096 entries took 166 us in
// 4096 items (pencil/spmv), and 13 in as many groups of 64, for which the model had more than for the items.
const (
	usualEntries = 64
	nextEntry    = 1e-7
)

// entries is the time that items take to go through loops as long as data says, one entry after the other.
func (s *shape) entries(w *work, d schedule.Decisions) float64 {
	units, room := w.model.Rates.Units, w.model.Limits.ItemsPerUnit
	if !w.stage.Open || w.stage.Uneven || w.stage.Class != feature.Gather || !units.Known || !room.Known {
		return 0
	}
	share := w.repeatsIn(d)
	rounds := math.Ceil(s.items * share / (units.Value * room.Value))
	return rounds * math.Ceil(max(usualEntries, w.repeats())/share) * nextEntry
}
