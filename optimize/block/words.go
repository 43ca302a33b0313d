package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// InHalves are the operators that have a form where two integers lie in the halves of a word, if one of their operands lies there: lowering has the forms, plans count all others for each instance.
var InHalves = map[ops.Op]bool{
	ops.Add: true, ops.Sub: true, ops.Neg: true, ops.Mul: true, ops.Shl: true, ops.Shr: true, ops.Div: true, ops.Abs: true, ops.Min: true, ops.Max: true,
	ops.And: true, ops.Or: true, ops.Xor: true, ops.Clamp: true,
}

// ComparesHalves are the comparisons that have such a form: of integers less than 2^15 apart. Conditions of them, joined or negated, choices between integers by these, and how many hold, or whether any or
// all do, have one, too.
var ComparesHalves = map[ops.Op]bool{ops.Lt: true, ops.Le: true, ops.Gt: true, ops.Ge: true, ops.Eq: true, ops.Ne: true}

// PerWord is how many bytes a word has: so many neighbouring instances are computed at once where bytes lie in words.
const PerWord = 4

// Packs reports whether a window may hold bytes in words in blocks of so many instances along the lines, of stages that compute n components of each pixel alike.
func Packs(w *Window, items, n int) bool {
	if n > 1 && w.X.Stride != 1 {
		return false
	}
	return hasBytes(w.Image, n) && w.X.By()*w.Y.By() == 1 && w.X.Stride <= 2 && items%PerWord == 0
}

// hasBytes reports whether pixels are n bytes.
func hasBytes(m *hast.Image, n int) bool {
	return m.Elem == types.Scalar(types.U8).WithLanes(n) && Channels(m) == n
}

// Alike reports whether instances in blocks of so many are alike and do nothing but compute scalars and store them, each for a component of a pixel, or update pixels by them.
func (c Component) Alike(what *Stage, items int) bool {
	s := c.Of
	if items%PerWord != 0 || s.Where != nil {
		return false
	}
	updates := false
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || !st.Var.Type.IsScalar() || st.Init == nil {
				return false
			}
		case *hast.If:
			if updates = true; c.N != 1 || !updatesAtHand(st.Then) || !updatesAtHand(st.Else) {
				return false
			}
		case *hast.Store:
			switch {
			case st.Updates():
				if updates = true; c.N != 1 || !updatesOne(st) {
					return false
				}
			case int(st.Image.Elem.Lanes) != c.N || Channels(st.Image) != c.N || !what.puts(st.Image):
				return false
			}
		default:
			return false
		}
	}
	return updates || !what.Once && len(what.Outputs) > 0
}

// updatesAtHand reports whether statements are nothing but updates of scalars by values and at places that have been computed before: of what stands under a condition, nothing
// is computed for several instances that is not at hand, since that may be right under the condition alone.
func updatesAtHand(list []hast.Stmt) bool {
	return !slices.ContainsFunc(list, func(st hast.Stmt) bool {
		s, ok := st.(*hast.Store)
		return !ok || !updatesOne(s) || !isKnown(s.Value) || slices.ContainsFunc(s.Index, func(x hast.Expr) bool { return !isKnown(x) })
	})
}

// updatesOne reports whether a store updates a scalar at a place of the instance's, or a flag that all share, of which four instances have one update. Whatever else they share, work-items
// update once by themselves.
func updatesOne(s *hast.Store) bool {
	return s.Updates() && s.Image.Elem.IsScalar() && (!s.Image.Scalar || s.Op == ops.LOr && s.Image.Elem.Kind == types.Bool)
}

// isKnown reports whether an expression is a variable or a number, in any kind.
func isKnown(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Ref, *hast.Const:
		return e.Type().IsScalar()
	case *hast.Convert:
		return e.X.Type().Kind.IsInt() && e.T.Kind.IsInt() && isKnown(e.X)
	}
	return false
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
	if !dense || !(Component{p.Of, 1}).Alike(p.Stage, items) || updatesSome(p.Of) {
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

// updatesSome reports whether a stage updates pixels: at which instances of those in words is not known.
func updatesSome(s *hast.Stage) (found bool) {
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || st.Updates() })
	return found
}

// HoldsWords reports whether what a part in words reads or keeps of an image lies in words.
func HoldsWords(w *Window) bool { return hasBytes(w.Image, 1) }
