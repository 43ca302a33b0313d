package plan

import (
	"math"
	"math/bits"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// Groups that share reductions: of an instance, of several lines, or of neighbouring columns.

// teams adds groups that share reductions.
func teams(w *work, list []Candidate) []Candidate {
	if w.reduced().across {
		return columns(w, list)
	}
	if w.instances >= w.itemsAtOnce() && w.overlaps() {
		return list
	}
	for _, n := range []int{256, 128, 64, 32} {
		for _, item := range append(w.turns(w.model.Prefers.LoadsInFlight.Int(4), 2, 1), w.wordsOfLines()...) {
			why := "a group reads neighbouring points together"
			if item[0] > 0 {
				why = "a group reads neighbouring points together, by vectors"
			}
			d := schedule.Decisions{Reduce: n, Item: item}
			d.Resident = w.residentTeams(d)
			alone := w.blocksOf(d)*mostIdle >= float64(n) && item != wordsAtOnce
			c := Candidate{Decisions: d, Why: why}
			words := w.withBytes(c)
			if alone {
				list = append(append(list, c), words...)
			}
			c.Why += ", of several instances"
			if words = w.withBytes(c); len(words) > 0 {
				c = words[len(words)-1]
			}
			c.Decisions.Resident = 0 // told of four groups of 256, least and greatest of 1920 x 1080 bytes took 12.0 us on an H200, and 11.3 as compilers choose
			for _, c.Decisions.Abreast = range w.abreast(c.Decisions) {
				list = append(list, c)
			}
		}
	}
	return append(list, w.oneLine()...)
}

// oneLine are groups that take the points of small images as one line (block.OneLine), by as many instances at a time as leave each item a block or few of it.
func (w *work) oneLine() (list []Candidate) {
	line := w.reduced().line
	if line == nil {
		return nil
	}
	points := w.points(line.Space)
	for _, item := range w.turns(1) {
		items := w.instances * lineItems / lineAbreast
		if item[0] == 0 || math.Mod(points, float64(item[0])) != 0 {
			continue
		}
		item[1] = int(math.Ceil(points / float64(item[0]) / items))
		if item[1] > w.model.Prefers.LoadsInFlight.Int(4) {
			continue
		}
		d := schedule.Decisions{Reduce: lineItems, Abreast: lineAbreast, Item: item, Flat: 1}
		c := Candidate{Decisions: d, Why: "groups read all points as those of one line"}
		if words := w.withBytes(c); len(words) > 0 {
			c = words[len(words)-1]
		}
		list = append(list, c)
	}
	return list
}

// lineItems and lineAbreast are groups that take points as one line: 1920 x 1080 bytes were summed in 2.28 us on an H200 by 256 items of 2 instances, 2.29 of 4, in 2.30 by 512 items of 4,
// 2.41 by 1024 of 8 and 2.43 by 256 of one.
const lineItems, lineAbreast = 256, 2

// findingLines is what it takes groups that could read one line to find lines of an image, some of which have more than others.
const findingLines = 0.2e-6

// byLines is the time that groups take to find lines where they could do without.
func (w *work) byLines(d schedule.Decisions) float64 {
	if d.Reduce == 0 || d.Flat != 0 || w.reduced().line == nil {
		return 0
	}
	return findingLines
}

// overlaps reports whether neighbours read in windows that overlap: one by one they find what each other has read, and groups that share an instance read it all again for the next. Eight
// planes of 2048 x 2048 floats, each the sum of 3 x 3 of eight others times weights of the caller's, took 3.97 ms on an H200 by groups, and 0.97 one by one.
func (w *work) overlaps() bool {
	return w.x != nil && slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		last := len(a.Axes) - 1
		return !a.Writes && last >= 0 && a.Axes[last].Known && a.Axes[last].Var == w.x && a.Axes[last].Mul > 0 && a.Axes[last].Span() > a.Axes[last].Mul
	})
}

// linesAtOnce is how many lines an item of a group of several instances may take a block of each of: where all of the device has something to do, those whose loads can wait
// together, of all images that it reads. What has changed between two images of 8192 x 8192 bytes (basics/profiles) took 49 us on an H200 by four lines of each, and 42 by
// two; of 1920 x 1080 9.2 and 10.1.
func (w *work) linesAtOnce() int {
	images := map[*hast.Image]bool{}
	if w.instances*leastSharing < w.itemsAtOnce() {
		return w.model.Prefers.LoadsInFlight.Int(4)
	}
	for _, a := range w.stage.Accesses {
		if !a.Writes {
			images[a.Image] = true
		}
	}
	return max(1, w.model.Prefers.LoadsInFlight.Int(4)/max(1, len(images)))
}

// columns adds groups that share reductions of columns: neighbours read neighbouring columns, and items below each other share one. Sums of 8192 columns of as many floats took 457 us on an H200 where
// neighbours shared one, 303 one by one, 61 by 32 columns and 1024 items, 64 by 512, 79 by 16 columns; of 2048 columns 7.5 by 32 and 6.3 by 16, of which there are twice as many groups.
func columns(w *work, list []Candidate) []Candidate {
	if w.stage.Of.Where != nil || w.instances >= w.itemsAtOnce() {
		return list // neighbours read neighbours one by one as well, and all of the device has something to do
	}
	n := w.model.Limits.Subgroup.Int(32)
	if w.instances < float64(n)*w.model.Rates.Units.Or(1) {
		n /= 2
	}
	for _, size := range []int{1024, 512, 256} {
		if size <= w.model.Limits.GroupSize.Int(256) && float64(n) <= w.count(0) {
			d := schedule.Decisions{Reduce: size, Abreast: n}
			list = append(list, Candidate{Decisions: d, Why: "a group reads neighbouring columns together"})
		}
	}
	return list
}

// mostAbreast is how many instances a group takes at most, and leastSharing how many items each has then. Longer lines are shared by fewSharing as well, which wait for each other's groups
// less, where all of the device has something to do: 65536 lines of 256 floats took 28.0 us on an H200 by 64 items each, 23.6 by 32, 22.4 by 16, 23.8 by 8 and 26.8 by 4; 8192 of 1024 10.1, 12.3, 11.9 and 18.9.
const mostAbreast, leastSharing, fewSharing = 128, 2, 16

// wordsAtOnce is a word of bytes of each of many lines. Of 8160 blocks of 16 x 16 bytes on an H200 items of 4 x 16 found sums and extremes in 2.8 us in groups of 256 that take 64 blocks, of 8 x 4 in 3.5, of 8 x 8 in 3.1
// in groups of 128 and of 8 x 16 in 3.5; what has changed took 3.7, 4.2, 5.1 and 4.3.
var wordsAtOnce = [2]int{block.PerWord, 16}

// wordsOfLines are such items where there are few instances, whose lines are short.
func (w *work) wordsOfLines() [][2]int {
	points := w.reduced().points
	if points == 0 || points > block.LeastShared || w.instances*leastSharing >= w.itemsAtOnce() || len(w.sharedBytes(schedule.Decisions{Reduce: 1, Item: wordsAtOnce})) == 0 {
		return nil
	}
	return [][2]int{wordsAtOnce}
}

// mostIdle is how many items a group may have for each that has something to do: as many loads are thought to be under way as there are items.
const mostIdle = 4

// blocksOf is how many blocks items take of the longest line that reductions take; infinite where the sizes do not tell.
func (w *work) blocksOf(d schedule.Decisions) float64 {
	points := w.reduced().points
	if points == 0 {
		return math.Inf(1)
	}
	return math.Ceil(points / float64(max(1, d.Item[0])))
}

// abreast are how many instances a group may take whose items would have nothing to do with one, since its lines have fewer blocks than that.
func (w *work) abreast(d schedule.Decisions) (list []int) {
	blocks := w.blocksOf(d)
	if blocks < leastSharing || math.IsInf(blocks, 1) || w.stage.Of.Where != nil || d.Item[1] > w.linesAtOnce() && d.Item != wordsAtOnce {
		return nil
	}
	sharing := []int{1 << bits.Len(uint(blocks-1))}
	if blocks > fewSharing && w.instances*fewSharing >= w.itemsAtOnce() {
		sharing = append(sharing, fewSharing)
	}
	for _, items := range sharing {
		if n := min(d.Reduce/items, mostAbreast, 1<<max(0, bits.Len(uint(w.count(0)))-1)); n > 1 {
			list = append(list, n)
		}
	}
	return list
}

// itemsAtOnce is how many work-items a device has room for.
func (w *work) itemsAtOnce() float64 {
	return w.model.Rates.Units.Or(16) * w.model.Limits.ItemsPerUnit.Or(2048)
}

// ofLines is what the reductions of a stage take of lines of images.
type ofLines struct {
	across bool        // they are of columns (block.Across)
	points float64     // of the longest line; 0 where the sizes do not tell
	line   *hast.Stage // their points as those of one line (block.OneLine); nil where they are none
}

// reduced is what the reductions of the stage take.
func (w *work) reduced() *ofLines {
	if w.reduces == nil {
		var list []*hast.Reduce
		hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
			if r, ok := e.(*hast.Reduce); ok {
				list = append(list, r)
			}
		})
		line, _ := block.OneLine(w.stage.Of, defaultUnroll)
		w.reduces = &ofLines{w.stage.Class != feature.Point && block.Across(w.stage.Of, list), w.longest(list), line}
	}
	return w.reduces
}

// longest is how many points the longest line has that reductions take; 0 where the sizes do not tell.
func (w *work) longest(list []*hast.Reduce) (points float64) {
	for _, r := range list {
		if len(r.Space.Ranges) == 0 {
			continue
		}
		last := r.Space.Ranges[len(r.Space.Ranges)-1]
		if !bySizes(last.Lo) || !bySizes(last.Hi) {
			return 0
		}
		points = max(points, w.points(hast.Space{Ranges: []hast.Range{last}}))
	}
	return points
}

// bySizes reports whether sizes alone say what an expression is.
func bySizes(e hast.Expr) bool {
	known := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			known = known && e.Var.Class == hast.SizeVar
		case *hast.Load, *hast.Reduce, *hast.Call:
			known = false
		}
	})
	return known
}

// besidesLoads is about how many registers an item of a group that shares reductions needs beside what it has loaded and what it has of each
// reduction: for addresses and loops. Compilers that are not told better take some more: for the sum of bytes 39 in all, with which 6 groups
// of 256 fit into a unit of an H200 instead of 8, and 21.7 us instead of about 19.
const besidesLoads = 14

// residentTeams is how many groups that share reductions a unit is to have room for: as many as it has work-items for, where the registers
// are likely to do; 0 to leave that to compilers.
func (w *work) residentTeams(d schedule.Decisions) int {
	l := w.model.Limits
	if !l.RegistersPerUnit.Known || !l.ItemsPerUnit.Known || d.Item[0] == 0 || w.instances < w.model.Rates.Units.Or(1) {
		return 0
	}
	if registers := w.findingPlaces(d); registers > 0 {
		return min(int(l.RegistersPerUnit.Value)/(registers*d.Reduce), int(l.ItemsPerUnit.Value)/d.Reduce, 32)
	}
	need := besidesLoads
	for _, a := range w.stage.Accesses {
		if !a.Writes {
			around := 1.0
			if a.Rule != nil { // what a point reads there may be pixels around it
				around = max(1, a.Count)
			}
			need += int(around) * d.Item[0] * max(1, d.Item[1]) * int(feature.PixelBytes(a.Image)) / 4
		}
	}
	hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			need += (r.Type().Bytes() + 3) / 4
		}
	})
	if float64(need) > l.RegistersPerUnit.Value/l.ItemsPerUnit.Value {
		return 0
	}
	return min(int(l.ItemsPerUnit.Value)/d.Reduce, l.GroupsPerUnit.Int(32), 32)
}

// manyBlocks is more blocks than items take at once.
const manyBlocks = 4

// findingPlaces is how many registers items are to have that find the place of an extreme by blocks, 0 where they do not: each block is of values of which most count for nothing (lower's passOver), and compilers that are
// not told better keep what few blocks need in registers for all. The greatest of 8192 x 8192 bytes was found in 46 us on an H200 by four groups of 256 to a unit, 71 by six, 115 by eight and 64 by as many as
// the compiler chose; of as many floats in 75 us by five, 73 by eight and 78; but of
// 1920 x 1080 floats, of which an item has two blocks, in 10.8 by eight, and 9.7.
func (w *work) findingPlaces(d schedule.Decisions) (registers int) {
	few := w.read <= manyBlocks*w.instances*float64(d.Reduce*w.access())
	narrow := slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return !a.Writes && feature.PixelBytes(a.Image) < 4 })
	hast.WalkBody(w.stage.Of.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok && (r.Op == hast.ArgMin || r.Op == hast.ArgMax) {
			switch {
			case narrow:
				registers = 64
			case !few:
				registers = max(registers, 32)
			}
		}
	})
	return registers
}
