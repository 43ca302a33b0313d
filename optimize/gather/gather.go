package gather

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// mostTerms bounds what a pixel is computed by, in nodes of expressions: transforms of larger blocks have too much in common to be computed pixel by pixel.
const mostTerms = 400

// Stage is a stage with an instance for each pixel that it writes, where its instances write blocks of them; else why it is none, as the end of a sentence.
func Stage(s *hast.Stage) (out *hast.Stage, why string) {
	b, why := blocksOf(s)
	if why != "" {
		return nil, why
	}
	return b.gathered()
}

// A gatherer makes the stage of pixels.
type gatherer struct {
	*blocks
	vars   []*hast.Var             // the pixel's coordinates, from the first one that is written on
	phases []hast.Expr             // where it lies in its block
	now    map[*hast.Var]hast.Expr // which block that is, for the variables of the program's stage
}

func (b *blocks) gathered() (*hast.Stage, string) {
	g := &gatherer{blocks: b, now: map[*hast.Var]hast.Expr{}}
	out := *b.stage
	out.Space = hast.Space{}
	store := &hast.Store{Image: b.image, At: b.at}
	for k := range b.axes {
		a := &b.axes[k]
		v := &hast.Var{Name: a.iterator.Name, Type: i32, Class: hast.Iterator, At: a.iterator.At}
		g.vars = append(g.vars, v)
		out.Space.Vars = append(out.Space.Vars, v)
		out.Space.Ranges = append(out.Space.Ranges, a.pixels)
		store.Index = append(store.Index, hast.Plus(hast.RefTo(v), a.from))
		g.divide(v, a)
	}
	all := make([]int, len(b.values))
	for i := range all {
		all[i] = i
	}
	value := g.merged(b.values, all)
	if terms(value) > mostTerms {
		return nil, "a pixel would be computed by too much"
	}
	store.Value = value
	arrays := map[*hast.Var]bool{}
	for v := range b.arrays {
		arrays[v] = true
	}
	here := func(e hast.Expr) hast.Expr { return hast.Replaced(e, g.now) }
	body := append(hast.MapStmts(b.lets, here), &hast.Store{Image: store.Image, Index: store.Index, Value: here(store.Value), At: store.At})
	out.Body = hast.Renewed(hast.WithoutUnread(body, arrays))
	return &out, ""
}

// divide notes the block of a pixel and the phase in it along an axis. What is divided is never negative.
func (g *gatherer) divide(v *hast.Var, a *axis) {
	if a.step == 1 {
		g.phases = append(g.phases, hast.Int(0))
		g.now[a.iterator] = hast.Plus(hast.RefTo(v), a.from-a.first)
		return
	}
	ahead := a.from - a.first // from where the block 0 begins to the first pixel
	block := ops.FloorQuotient(ahead, a.step)
	x, by := hast.Plus(hast.RefTo(v), ahead-block*a.step), hast.Int(a.step)
	g.phases = append(g.phases, hast.Binary(ops.Rem, x, by))
	g.now[a.iterator] = hast.Plus(hast.Binary(ops.Div, x, by), block)
}

// terms is the number of nodes of an expression.
func terms(e hast.Expr) int {
	n := 0
	hast.Walk(e, func(hast.Expr) { n++ })
	return n
}

var i32 = types.Scalar(types.I32)
