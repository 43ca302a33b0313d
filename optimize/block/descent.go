package block

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// A Descent is how a work-group goes down the rows of a tile. Each round loads one row of every window and computes one row of every part, all
// of the group's columns at once: sums that span rows are begun in one round and complete in a later one, and rows of which items read what
// neighbours have loaded or computed lie in local memory. Parts that read such a row do so in the round behind, so that the group waits
// once in a round, and what an item computes of the new row fills the time in which it gets what it reads of the one before. So every row is
// read once for the whole height of the tile, which may be as high as the image, and nothing is held of those that have been.
type Descent struct {
	*Group
	Ahead       int       // rounds before the one that completes the first row of the tile
	Shared      []*Window // windows and tiles of which items read columns of their neighbours
	Left, Right int       // columns beside the tile that some part computes or reads
	lags        map[*Part]int
	folds       map[*Window][2]*hast.Rule
}

// OfLoaded reports whether items read of their neighbours only what these have loaded, and nothing that they have computed.
func (d *Descent) OfLoaded() bool {
	return !slices.ContainsFunc(d.Shared, func(w *Window) bool { return !slices.Contains(d.Windows, w) })
}

// Down looks at a stage and those fused with it for groups that go down the rows of their tile. Why says, as the end of a sentence, why they
// cannot.
func Down(s *hast.Stage, unroll int) (d *Descent, why string) { return new(Looks).Down(s, unroll) }

// down is Down for parts that are looked at in some way.
func down(s *hast.Stage, look func(of *hast.Stage) *Stage) (d *Descent, why string) {
	g := together(s, true, look)
	d = &Descent{Group: g, lags: map[*Part]int{}, folds: map[*Window][2]*hast.Rule{}}
	if g.Apart != "" {
		return d, g.Apart
	}
	for _, p := range g.Parts {
		for k, w := range p.Reads() {
			if w.X != (Span{Stride: 1}) && !d.IsShared(p.Sources[k]) {
				d.Shared = append(d.Shared, p.Sources[k])
			}
		}
	}
	for _, p := range g.Parts {
		for _, from := range p.Sources {
			d.lags[p] = max(d.lags[p], d.lagOf(from))
		}
	}
	d.abreast()
	for _, p := range g.Parts {
		if why := d.part(p); why != "" {
			return d, why
		}
	}
	for _, list := range [][]*Window{g.Windows, g.Tiles} {
		for _, w := range list {
			d.Ahead = max(d.Ahead, w.Y.Hi-w.Y.Lo)
			d.Left, d.Right = max(d.Left, -w.X.Lo), max(d.Right, w.X.Hi)
		}
	}
	if d.Ahead == 0 {
		return d, "nothing in it reads several rows, so that it has no use for the rows before"
	}
	return d, ""
}

// mostAbreast is how many rows further than it has to a part or a window may go.
const mostAbreast = 32

// abreast has all that a part reads reach the row that it reads in the same round: windows that nothing else reads are loaded later, sources that reach
// fewer rows go further, sums that are complete before others wait for them, and a pixel of its own that the part reads of what goes further is loaded
// once more. Where that comes to no end, the parts say so.
func (d *Descent) abreast() {
	raised := map[*Window]int{}
	for again := true; again; {
		again = false
		for _, p := range d.Parts {
			for k, w := range p.Reads() {
				from := p.Sources[k]
				if w.Y.Stride != 1 || w.Y.Div != 0 || from.Y.Stride != 1 || raised[from] > mostAbreast {
					continue
				}
				by := p.newest(k) + p.Y.Hi + d.seen(p, from) - d.lags[p] - from.Y.Hi
				switch {
				case by == 0:
					continue
				case by < 0 && d.makes(from) == nil && d.readers(from) == 1: // all of it later
					from.Y.Lo, from.Y.Hi = from.Y.Lo+by, from.Y.Hi+by
				case by > 0: // further, from the first row on that it is needed of
					raised[from] += by
					d.reach(from, from.Y.Hi+by)
				case k >= len(p.Windows):
					p.wait(-by)
				case len(p.Keeps) > 0:
					raised[p.Keeps[0]] -= by
					d.reach(p.Keeps[0], p.Y.Hi-by)
				case d.makes(from) == nil && w.X == (Span{Stride: 1}):
					d.again(p, k)
				default:
					continue
				}
				again = true
			}
		}
	}
}

// makes is the part that computes a window; nil where it is loaded.
func (d *Descent) makes(w *Window) *Part {
	if p := d.by[w.Image]; p != nil && slices.Contains(p.Keeps, w) {
		return p
	}
	return nil
}

// seen is how many rounds behind that of its load the row is that a part finds of what it reads: parts that are behind others come first in a round.
func (d *Descent) seen(p *Part, from *Window) int {
	q := d.makes(from)
	if q != nil && !d.IsShared(from) && d.lags[q] < d.lags[p] {
		return d.lags[q] + 1
	}
	return d.lagOf(from)
}

// readers is how many reads there are of a window.
func (d *Descent) readers(w *Window) (n int) {
	for _, p := range d.Parts {
		for _, from := range p.Sources {
			if from == w {
				n++
			}
		}
	}
	return n
}

// again has what a part reads k-th loaded for it alone.
func (d *Descent) again(p *Part, k int) {
	w := &Window{Place: p.Windows[k].Place, Rule: p.Windows[k].Rule}
	w.Y.Lo, w.Y.Hi = w.Y.Lo+p.Y.Lo, w.Y.Hi+p.Y.Hi
	d.Windows, p.Sources[k] = append(d.Windows, w), w
}

// reach has a window, or the part that computes it, go as far as a row.
func (d *Descent) reach(w *Window, row int) {
	w.Y.Hi = row
	if p := d.makes(w); p != nil {
		p.Y.Hi = row
		for _, t := range p.Keeps {
			t.Y.Hi = row
		}
	}
}

// newest is the last row that a part needs of what it reads k-th, from its own on.
func (p *Part) newest(k int) int {
	if k < len(p.Windows) {
		return p.Windows[k].Y.Hi
	}
	return p.Rows.Hi
}

// wait has the sums of a part complete so many rows later.
func (p *Part) wait(rows int) {
	stage, sums := *p.Stage, *p.Stage.Rows
	sums.Hi += rows
	stage.Rows, p.Stage = &sums, &stage
}

// part enters a part: its reads are of the row that its source has reached, or belong to sums by rows.
func (d *Descent) part(p *Part) string {
	if p.Stage.Y == nil || p.X.Stride != 1 || p.Y.Stride != 1 {
		return fmt.Sprintf("%s is not computed for each row and column of the tile", p.Of.Name)
	}
	for i := range p.Keeps {
		if p.Stores[i] {
			return fmt.Sprintf("%s stays in memory", p.Outputs[i].Image.Name)
		}
	}
	for k, w := range p.Reads() {
		from := p.Sources[k]
		if k < len(p.Windows) && w.Y.Lo != w.Y.Hi {
			return fmt.Sprintf("%s reads several rows of %s other than in sums row by row", p.Of.Name, w.Image.Name)
		}
		switch {
		case w.X.Stride != 1 || w.Y.Stride != 1 || w.X.Div+w.Y.Div != 0:
			return fmt.Sprintf("%s does not read the columns and rows of %s one after the other", p.Of.Name, w.Image.Name)
		case p.newest(k)+p.Y.Hi-d.lags[p] != from.Y.Hi-d.seen(p, from):
			return fmt.Sprintf("%s reads rows of %s after others have left them behind", p.Of.Name, w.Image.Name)
		}
		if why := d.border(p, w, from); why != "" {
			return why
		}
	}
	return p.unfolded()
}

// unfolded says which image of a part is read outside under a rule that takes no row for what is there, whatever the part itself reads.
func (p *Part) unfolded() string {
	for _, t := range p.Keeps {
		switch {
		case t.Rule == nil || t.X.Lo >= 0 && t.X.Hi <= 0 && t.Y.Lo >= 0 && t.Y.Hi <= 0:
		case t.Rule.Kind == hast.Constant:
			return fmt.Sprintf("%s has a constant border", t.Image.Name)
		case t.Rule.Kind == hast.Formula:
			return fmt.Sprintf("%s has a border by formula, whose pixels are no row's", t.Image.Name)
		}
	}
	return ""
}

// Lag is how many rounds a part is behind the loads.
func (d *Descent) Lag(p *Part) int { return d.lags[p] }

// lagOf is the lag of those that read a window or tile.
func (d *Descent) lagOf(w *Window) int {
	lag := 0
	if p := d.by[w.Image]; p != nil {
		lag = d.lags[p]
	}
	if d.IsShared(w) {
		lag++
	}
	return lag
}

// Rounds are those for a tile of so many rows, without what is loaded ahead.
func (d *Descent) Rounds(rows int) int { return rows + d.Ahead + d.lags[d.Last()] }

// IsShared reports whether a window or tile lies in local memory.
func (d *Descent) IsShared(w *Window) bool { return slices.Contains(d.Shared, w) }

// border finds out how coordinates outside of an image are folded when its rows are loaded: by the rule of what is computed of it where
// that is read outside and takes one pixel of this image for each of its own, else by the image's own rule.
func (d *Descent) border(p *Part, w, from *Window) string {
	var folds [2]*hast.Rule
	for axis, at := range [2]Span{w.X, w.Y} {
		folds[axis] = w.Rule
		for _, t := range p.Keeps {
			s := [2]Span{t.X, t.Y}[axis]
			if t.Rule == nil || s.Lo >= 0 && s.Hi <= 0 {
				continue
			}
			if at != (Span{Stride: 1}) || d.by[from.Image] != nil || axis == 1 && p.Rows != nil {
				return fmt.Sprintf("%s is read outside, and more than one pixel of %s makes a pixel of it", t.Image.Name, w.Image.Name)
			}
			if !hast.Equal(extentsOf(t.Image)[axis], extentsOf(w.Image)[axis]) {
				return fmt.Sprintf("%s is read outside, and has another size than %s", t.Image.Name, w.Image.Name)
			}
			folds[axis] = t.Rule
		}
	}
	before, known := d.folds[from]
	for axis := range folds {
		if folds[axis] != nil && folds[axis].Kind == hast.Formula {
			return fmt.Sprintf("%s has a border by formula, whose pixels are no row's", from.Image.Name)
		}
		if known && before[axis] != folds[axis] && (before[axis] == nil || folds[axis] == nil || !sameRule(before[axis], folds[axis])) {
			return fmt.Sprintf("%s is read under several border rules", w.Image.Name)
		}
	}
	d.folds[from] = folds
	return ""
}

// extentsOf are the columns and rows of an image.
func extentsOf(m *hast.Image) [2]hast.Expr {
	line, pixel, _ := Axes(m)
	return [2]hast.Expr{m.Extent[pixel], m.Extent[line]}
}

// Folds are the rules for columns and rows outside of the image of a window; nil where none is outside.
func (d *Descent) Folds(w *Window) (x, y *hast.Rule) { return d.folds[w][0], d.folds[w][1] }

// Rule is the border rule of what a part computes, by which its instances outside of the image stand for others; nil where none are.
func (p *Part) Rule() *hast.Rule {
	for _, t := range p.Keeps {
		if t.Rule != nil {
			return t.Rule
		}
	}
	return nil
}

// Columns are how many blocks of so many columns lie left of the tile, in it, and right of it.
func (d *Descent) Columns(t Tiling) (left, own, right int) {
	up := func(n int) int { return (n + t.Item[0] - 1) / t.Item[0] }
	return up(d.Left), t.Tile[0] / t.Item[0], up(d.Right)
}

// Items are the work-items of a group: one for each block of columns.
func (d *Descent) Items(t Tiling) int {
	left, own, right := d.Columns(t)
	return left + own + right
}

// localRows are those of a window that are in local memory at a time: that which is read, and the next one.
const localRows = 2

// LocalBytes is the local memory of a group.
func (d *Descent) LocalBytes(t Tiling) int {
	bytes := 0
	for _, w := range d.Shared {
		lead, components := d.LocalRow(t, w)
		bytes += localRows * (lead + components) * w.localBytes(true)
	}
	return bytes
}

// LocalRow is how many components a row in local memory has from the group's first column on, and how many lie before it: as many as
// the items at the ends may look at, whose sums nobody needs. Blocks begin where wide accesses may.
func (d *Descent) LocalRow(t Tiling, w *Window) (lead, components int) {
	step := max(1, accessBytes/w.localBytes(true))
	reach := (max(d.Left, d.Right)*Channels(w.Image) + step - 1) / step * step
	return reach, d.Items(t)*t.Item[0]*Channels(w.Image) + reach
}
