package block

import (
	"slices"

	"imgc/hast"
	"imgc/types"
)

// Floats in local memory. A pixel there is read by many instances: where these do nothing with its small integers but convert them to f32, each is converted
// once, when it is put there, and not once for each that reads it, which takes longer than a sum's product. What it takes more of local memory is worth that.

// floatsRoom is how many bytes of local memory the tiles of a group take at most of which some are held as floats: as many as every device has.
const floatsRoom = 48 << 10

// HoldsFloats reports whether a group that computes a tile of instances has a window as floats in local memory. Those that go down rows always have, of which few are there.
func (g *Group) HoldsFloats(t Tiling, w *Window) bool { return w.Floats && g.floatsFit(t) }

// floatsFit reports whether there is room for floats.
func (g *Group) floatsFit(t Tiling) bool { return g.localBytes(t, true) <= floatsRoom }

// floatsInLocal finds out which windows groups may hold as floats in local memory.
func (g *Group) floatsInLocal() {
	for _, w := range g.Windows {
		k := w.Image.Elem.Kind
		w.Floats = k.IsInt() && k.Bits() <= 16 && w.Turn == Turn{} && !slices.ContainsFunc(g.Parts, func(p *Part) bool {
			return slices.Contains(p.Sources, w) && !becomesFloats(p.Of, w.Image)
		})
	}
}

// becomesFloats reports whether all that a stage reads of an image is converted to f32 at once.
func becomesFloats(s *hast.Stage, m *hast.Image) bool {
	read, converted := 0, 0
	note := func(e hast.Expr) {
		if imageOf(e) == m.Base() {
			read++
		}
		if c, ok := e.(*hast.Convert); ok && c.T.Kind == types.F32 && c.How != hast.Bitcast {
			x := c.X
			if elem, ok := x.(*hast.Elem); ok {
				x = elem.X
			} else if _, whole := x.(*hast.Window); whole {
				return // an array, of which more may be made
			}
			if imageOf(x) == m.Base() {
				converted++
			}
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, note)
	}
	hast.WalkBody(s.Body, nil, note)
	return read > 0 && read == converted
}

// imageOf is the image that an expression reads; nil where it is no read.
func imageOf(e hast.Expr) *hast.Image {
	switch e := e.(type) {
	case *hast.Load:
		return e.Image.Base()
	case *hast.Window:
		return e.Image.Base()
	}
	return nil
}
