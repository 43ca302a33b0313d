package block

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// PerWord is how many bytes a word has: so many neighbouring instances are computed at once where bytes lie in words.
const PerWord = 4

// Packs reports whether a window may hold bytes in words in blocks of so many instances along the lines, of stages that compute n components of each pixel alike.
func Packs(w *Window, items, n int) bool {
	if n > 1 && w.X.Stride != 1 {
		return false
	}
	return hasBytes(w.Image, n) && w.X.Stride <= 2 && items%PerWord == 0
}

// hasBytes reports whether pixels are n bytes.
func hasBytes(m *hast.Image, n int) bool {
	return m.Elem == types.Scalar(types.U8).WithLanes(n) && Channels(m) == n
}

// Alike reports whether instances in blocks of so many are alike and do nothing but compute scalars and store them, each for a component of a pixel.
func (c Component) Alike(what *Stage, items int) bool {
	s := c.Of
	if items%PerWord != 0 || what.Once || s.Where != nil || len(what.Outputs) == 0 {
		return false
	}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || !st.Var.Type.IsScalar() || st.Init == nil {
				return false
			}
		case *hast.Store:
			if int(st.Image.Elem.Lanes) != c.N || Channels(st.Image) != c.N {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Columns are those from one to another one, which is not among them, seen from the first of a block.
type Columns struct{ From, To int }

// Words are, for each part of a group, the columns of its instances that blocks of so many of the last part compute four at a time, from bytes in words; nil of parts whose
// instances are computed one after the other. They are what later parts read, and what is beside that in fours.
func (g *Group) Words(items int) []*Columns {
	out := make([]*Columns, len(g.Parts))
	if g.Apart != "" || g.Divided() != nil || items%PerWord != 0 {
		return out
	}
	kept := map[*Window]int{} // tiles, by the parts in words that keep them
	for i, p := range g.Parts {
		if !g.readsWords(p, items, kept) {
			continue
		}
		out[i] = &Columns{}
		for _, t := range p.Keeps {
			kept[t] = i
		}
	}
	for i := len(g.Parts) - 1; i >= 0; i-- {
		if c := out[i]; c != nil {
			p := g.Parts[i]
			c.reach(p.X.First(), p.X.Last(items)+1)
			*c = c.inFours()
			for k, r := range p.Reads() {
				if from, ok := kept[p.Sources[k]]; ok {
					out[from].reach(c.Reads(r))
				}
			}
		}
	}
	return out
}

// inFours are all columns of the fours that some columns are of.
func (c Columns) inFours() Columns {
	return Columns{c.From - fromWord(c.From), c.To + fromWord(-c.To)}
}

// fromWord is how many columns lie between one and the first of its four.
func fromWord(x int) int { return x - PerWord*int(ops.FloorQuotient(int64(x), PerWord)) }

// InFours is how many columns of a span blocks of so many instances have in all fours that they need one of.
func InFours(s Span, items int) int {
	c := Columns{s.First(), s.Last(items) + 1}.inFours()
	return c.To - c.From
}

// reach adds columns.
func (c *Columns) reach(from, to int) { c.From, c.To = min(c.From, from), max(c.To, to) }

// Reads are the columns of a window that instances in some columns read.
func (c Columns) Reads(w *Window) (from, to int) {
	return w.X.Stride*c.From + w.X.Lo, w.X.Stride*(c.To-1) + w.X.Hi + 1
}

// readsWords reports whether instances of a part are computed four at a time: some of what they read lies in words, and no tile in which others keep single instances.
func (g *Group) readsWords(p *Part, items int, kept map[*Window]int) bool {
	dense := p.X.Stride >= 1 && p.X.Div == 0 && !p.X.Periodic && !p.X.Sparse()
	if !dense || !(Component{p.Of, 1}).Alike(p.Stage, items) {
		return false
	}
	some := false
	for k, r := range p.Reads() {
		if _, inWords := kept[p.Sources[k]]; !inWords && g.by[r.Image] != nil {
			return false
		}
		some = some || Packs(r, items, 1)
	}
	return some
}

// HoldsWords reports whether what a part in words reads or keeps of an image lies in words.
func HoldsWords(w *Window) bool { return hasBytes(w.Image, 1) }
