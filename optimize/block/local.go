package block

import (
	"slices"

	"imgc/kir"
	"imgc/types"
)

// A Tiling is how a work-group computes a tile together, in local memory.
type Tiling struct {
	Tile, Item [2]int // instances of the group and of an item, in x and y
	// Direct: the parts that may (Group.Direct) read images in memory themselves, without these being moved to local memory.
	Direct bool
	// Sweep: items compute parts from memory for each other (Group.Shares) as with Direct, and all others for themselves (Group.Swept).
	Sweep bool
}

// TilingOf is how a group computes a tile of instances in items by decisions, in which a number that is not decided is 0.
func TilingOf(tile, item [2]int, direct, sweep bool) Tiling {
	return Tiling{Tile: [2]int{tile[0], max(1, tile[1])}, Item: [2]int{max(1, item[0]), max(1, item[1])}, Direct: direct || sweep, Sweep: sweep}
}

// Direct reports whether items can compute a part in blocks as they compute those of a stage alone, from what they load of images in
// memory themselves: an earlier part, of the instances of the tile and around it, that reads nothing that other parts compute, for parts that read it.
func (g *Group) Direct(p *Part) bool { return p.direct }

// readsMemory finds out whether a part is one of those.
func (g *Group) readsMemory(p *Part) bool {
	inMemory := func(w *Window) bool { return slices.Contains(g.Windows, w) && w.Turn == Turn{} }
	return p.Keeps != nil && !p.unread && len(p.Windows) > 0 && p.X.Stride == 1 && p.Y.Stride <= 1 && p.X.Div+p.Y.Div == 0 &&
		!slices.ContainsFunc(p.Sources, func(w *Window) bool { return !inMemory(w) })
}

// Shares is Direct where all other parts are swept: a part that computes the tile itself, and what lies around it.
func (g *Group) Shares(p *Part) bool {
	return g.Direct(p) && (p.Y.Stride == 1 || p.Stage.Y == nil) && p.Y.Lo <= 0 && p.Y.Hi >= 0
}

// FromMemory reports whether items compute a part in blocks from memory, and put what it keeps into local memory.
func (t Tiling) FromMemory(g *Group, p *Part) bool {
	if t.Sweep {
		return g.Shares(p)
	}
	return t.Direct && g.Direct(p)
}

// Swept is the group of the parts that no others share, which read what those keep as an image in memory.
func (g *Group) Swept(unroll int) *Group {
	last := *g.Last().Of
	last.Fused = nil
	for _, p := range g.Parts {
		if p.Keeps != nil && !g.Shares(p) {
			last.Fused = append(last.Fused, p.Of)
		}
	}
	return Together(&last, unroll)
}

// inLocalMemory finds out what groups have in local memory, which plans ask for each tile that they think of.
func (g *Group) inLocalMemory() {
	for _, w := range g.Windows {
		if w.Turn != (Turn{}) {
			g.turned = append(g.turned, w)
		}
	}
	for _, p := range g.Parts {
		p.direct = g.readsMemory(p)
	}
	for i, direct := range []bool{false, true} {
		g.staged[i] = slices.Clip(g.stagedBy(Tiling{Direct: direct}))
	}
	for _, w := range g.Tiles {
		if g.Shares(g.by[w.Image]) {
			g.swept = append(g.swept, w)
		}
	}
}

// Kept are the tiles that lie in local memory.
func (g *Group) Kept(t Tiling) []*Window {
	if t.Sweep {
		return g.swept
	}
	return g.Tiles
}

// Staged are the windows that a work-group loads together where it works in local memory: those of which an instance of some part reads
// more than a pixel of its own. Of the others each instance loads the pixel that it needs.
func (g *Group) Staged(t Tiling) []*Window {
	switch {
	case t.Sweep:
		return nil
	case t.Direct:
		return g.staged[1]
	}
	return g.staged[0]
}

// stagedBy is Staged, found out.
func (g *Group) stagedBy(t Tiling) (list []*Window) {
	for _, w := range g.Windows {
		shared := func(p *Part) bool {
			if t.FromMemory(g, p) {
				return false
			}
			for k, s := range p.Sources {
				if r := p.Windows[k]; s == w && (w.Turn != Turn{} || r.Rule != nil || r.X.Lo != r.X.Hi || r.Y.Lo != r.Y.Hi || r.X.Stride != 1) {
					return true
				}
			}
			return false
		}
		if slices.ContainsFunc(g.Parts, shared) {
			list = append(list, w)
		}
	}
	return list
}

// LocalBytes is the local memory that a work-group takes which computes a tile of instances together, with what its parts read there and
// what they keep for each other.
func (g *Group) LocalBytes(t Tiling) int {
	return g.localBytes(t, g.floatsFit(t))
}

// localBytes is LocalBytes where windows that may be floats are, or are not.
func (g *Group) localBytes(t Tiling, floats bool) int {
	bytes := 0
	for _, list := range [][]*Window{g.Staged(t), g.Kept(t)} {
		for _, w := range list {
			each := w.localBytes(floats)
			rows, _, components := g.localShape(t, w, each)
			bytes += rows * components * each
		}
	}
	return bytes
}

// localBytes is the size of a component there: halves take as much as in registers, and so do integers that are held as floats.
func (w *Window) localBytes(floats bool) int {
	bytes := kir.LocalComponent(w.Image.Elem.Kind)
	switch {
	case floats && w.Floats:
		return types.F32.Bytes()
	case w.IsSpread():
		return 2 * bytes
	}
	return bytes
}

// IsSpread reports whether each byte has 16 bits there.
func (w *Window) IsSpread() bool {
	return !w.dense && kir.LocalComponent(w.Image.Elem.Kind) == 1 && Channels(w.Image) == 3
}

// accessBytes is what an item moves at once at most, to local memory and from there.
const accessBytes = 16

// LocalShape is how many rows a window or tile has in local memory, how many components a row has, and how many of them lie before the
// tile. Rows and their blocks start where wide accesses may; where items compute it in blocks, it is whole blocks.
func (g *Group) LocalShape(t Tiling, w *Window) (rows, lead, components int) {
	return g.localShape(t, w, w.localBytes(g.HoldsFloats(t, w)))
}

// localShape is LocalShape of components of so many bytes.
func (g *Group) localShape(t Tiling, w *Window, each int) (rows, lead, components int) {
	rows = w.rows(t.Tile[1])
	if p := g.by[w.Image]; p != nil && t.FromMemory(g, p) {
		left, across, down := t.Blocks(p)
		n := Channels(w.Image)
		if !t.Sweep {
			rows = down * t.BlockRows(p)
		}
		return rows, left * n, across * t.Item[0] * n
	}
	if w.Turn.Swapped {
		lead, components = w.turnedRow(t.Tile[0])
		return rows, lead, components
	}
	step := max(1, accessBytes/each)
	round := func(positions int) int { return (positions*Channels(w.Image) + step - 1) / step * step }
	lead = round(max(0, -w.X.First()))
	return rows, lead, lead + round(w.X.to(t.Tile[0]))
}

// turnedRow is LocalShape of a row of a window that is turned: whole words on both sides, and an odd number of them, so that pixels below each other lie in banks
// of their own, which are next to each other in a line of the image.
func (w *Window) turnedRow(width int) (lead, components int) {
	together := w.Together()
	round := func(positions int) int { return (positions + together - 1) / together * together * Channels(w.Image) }
	lead = round(max(0, -w.X.First()))
	each := max(1, BankBytes/w.localBytes(false))
	banks := (lead + round(w.X.to(width)) + each - 1) / each
	return lead, each * (banks | 1)
}

// BankBytes is the width of a bank of local memory.
const BankBytes = 4

// Blocks are those in which items compute a part from memory: how many instances lie left of the tile, in whole blocks, and how many
// blocks there are in x and y.
func (t Tiling) Blocks(p *Part) (left, across, down int) {
	up := func(n, each int) int { return (n + each - 1) / each }
	before, behind := up(max(0, -p.X.Lo), t.Item[0]), up(max(0, p.X.Hi), t.Item[0])
	rows := p.Y.Stride*(max(1, t.Tile[1])-1) + p.Y.Hi - p.Y.Lo + 1
	return before * t.Item[0], before + up(t.Tile[0], t.Item[0]) + behind, up(rows, t.BlockRows(p))
}

// BlockRows is how many rows such a block has: those of an item where they share rows that they read, else one.
func (t Tiling) BlockRows(p *Part) int {
	if slices.ContainsFunc(p.Windows, func(w *Window) bool { return w.Y.Hi > w.Y.Lo }) {
		return max(1, t.Item[1])
	}
	return 1
}

// Items are those of the group in x and y: one for each block of the tile, and in x also for those beside it that are computed from
// memory, unless all items share these.
func (g *Group) Items(t Tiling) [2]int {
	n := [2]int{t.Tile[0] / t.Item[0], max(1, t.Tile[1]) / max(1, t.Item[1])}
	for _, p := range g.Parts {
		if t.FromMemory(g, p) && !t.Sweep {
			_, across, _ := t.Blocks(p)
			n[0] = max(n[0], across)
		}
	}
	return n
}

// Over is how many rows and columns of pixels a window is for a tile of instances.
func (w *Window) Over(tile [2]int) (rows, cols int) {
	return w.rows(tile[1]), w.X.to(tile[0]) + max(0, -w.X.First())
}

func (w *Window) rows(height int) int { return w.Y.Count(max(1, height)) }

// to is how many places there are from the first one below n instances to the last one below them or that they read.
func (s Span) to(n int) int { return max(s.Covers(n), s.Last(n)+1) }
