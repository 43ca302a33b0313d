package block

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/types"
)

// A Patch is pixels of an image that an instance reads constants apart from each other, at a place that data or a formula of floats decides, as interpolation
// takes those around a position. Those of a line that lie side by side can be loaded together, wherever the first one is.
type Patch struct {
	Image *hast.Image
	Rule  *hast.Rule // of those pixels that have one
	Spots []Spot
	Reach []int64   // how far the last place is from the first on each axis
	Lines [][]int64 // the places on all axes but the last at which it has lines
	bases [][]linear.Term
}

// A Spot is one of its pixels.
type Spot struct {
	Index []hast.Coord
	At    []int64   // seen from the first place on each axis
	Of    hast.Expr // the load, or the window of which it is an element
}

// mostAlongLine is how far pixels of a line may lie apart, so that what lies between them is little, mostInPatch how many a patch may have, each of which is loaded by itself near the ends of images.
const (
	mostAlongLine = 8
	mostInPatch   = 64
)

// PatchesOf finds the patches of the statements of a list, up to the first that has others in it. Neither what is read under a condition is one of them, nor
// what may change between two of the statements.
func PatchesOf(list []hast.Stmt) []*Patch {
	f := &patchFinder{seen: map[hast.Expr]bool{}, changed: changed(list), data: map[*hast.Var]bool{}}
	for _, s := range list {
		exprs, bodies := hast.Parts(s)
		if len(bodies) > 0 {
			break
		}
		for _, e := range exprs {
			f.visit(e)
		}
		if d, ok := s.(*hast.Define); ok && d.Init != nil {
			f.data[d.Var] = f.byData(d.Init)
		}
	}
	return slices.DeleteFunc(f.out, func(p *Patch) bool { return !p.settle() })
}

// A patchFinder collects patches.
type patchFinder struct {
	seen    map[hast.Expr]bool
	changed map[any]bool       // variables that are set, and images that are written
	data    map[*hast.Var]bool // variables of the list that data or floats decide
	out     []*Patch
}

// changed are the variables that statements set, and the images that they write.
func changed(list []hast.Stmt) map[any]bool {
	out := map[any]bool{}
	hast.WalkBody(list, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Set:
			out[s.Var] = true
		case *hast.Store:
			out[s.Image.Base()] = true
		}
	}, nil)
	return out
}

// visit looks for pixels that an expression reads in any case.
func (f *patchFinder) visit(e hast.Expr) {
	if e == nil || f.seen[e] {
		return
	}
	f.seen[e] = true
	switch e := e.(type) {
	case *hast.Reduce:
		return
	case *hast.Select:
		f.visit(e.Cond)
		return
	case *hast.Op:
		if e.Op.Lazy() {
			f.visit(e.Args[0])
			return
		}
	case *hast.Load:
		f.take(e, e.Image, e.Rule, e.Index)
	case *hast.Window:
		f.window(e)
	}
	hast.EachOperand(e, f.visit)
}

// take takes a pixel to the patch that it is part of.
func (f *patchFinder) take(of hast.Expr, m *hast.Image, rule *hast.Rule, index []hast.Coord) {
	if len(index) == 0 || f.changed[m.Base()] {
		return
	}
	bases, at, known := make([][]linear.Term, len(index)), make([]int64, len(index)), true
	for k, c := range index {
		if !f.stays(c.X) {
			return
		}
		known = known && !f.byData(c.X)
		bases[k], at[k] = linear.Terms(c.X)
	}
	if known {
		return
	}
	spot := Spot{index, at, of}
	for _, t := range f.out {
		if t.Image == m && (t.Rule == rule || t.Rule == nil || rule == nil) && slices.EqualFunc(t.bases, bases, sameTerms) {
			t.Spots = append(t.Spots, spot)
			if t.Rule == nil {
				t.Rule = rule
			}
			return
		}
	}
	f.out = append(f.out, &Patch{Image: m, Rule: rule, Spots: []Spot{spot}, bases: bases})
}

// window takes all pixels of a window, in their order.
func (f *patchFinder) window(e *hast.Window) {
	if e.T.Len() > mostInPatch {
		return
	}
	first := make([]int64, len(e.Axes))
	var each func(axis int)
	each = func(axis int) {
		if axis < len(e.Axes) {
			for i := range e.Axes[axis].Count {
				first[axis] = int64(i * e.Axes[axis].Stride)
				each(axis + 1)
			}
			return
		}
		index := make([]hast.Coord, len(e.Axes))
		for k, a := range e.Axes {
			index[k] = a.Start
			index[k].X = linear.Plus(a.Start.X, first[k])
		}
		f.take(e, e.Image, e.Rule, index)
	}
	each(0)
}

// byData reports whether a coordinate depends on what the instance has read, or on floats.
func (f *patchFinder) byData(e hast.Expr) (found bool) {
	hast.Walk(e, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Load, *hast.Window, *hast.Call:
			found = true
		case *hast.Convert:
			found = found || x.X.Type().Kind.IsFloat()
		case *hast.Ref:
			found = found || f.data[x.Var]
		}
	})
	return found
}

// stays reports whether a coordinate is the same in all statements.
func (f *patchFinder) stays(e hast.Expr) bool {
	same := true
	hast.Walk(e, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Ref:
			same = same && !f.changed[x.Var]
		case *hast.Load:
			same = same && !f.changed[x.Image.Base()]
		case *hast.Window:
			same = same && !f.changed[x.Image.Base()]
		case *hast.Call:
			same = same && x.Func.Extern == nil
		}
	})
	return same
}

func sameTerms(a, b []linear.Term) bool {
	return slices.EqualFunc(a, b, func(x, y linear.Term) bool { return x.Minus == y.Minus && (x.X == y.X || hast.Equal(x.X, y.X)) })
}

// settle finds the box around a patch, and reports whether some of its pixels lie side by side.
func (p *Patch) settle() bool {
	last := len(p.bases) - 1
	first := slices.Clone(p.Spots[0].At)
	for _, s := range p.Spots {
		for k, n := range s.At {
			first[k] = min(first[k], n)
		}
	}
	p.Reach = make([]int64, last+1)
	for i, s := range p.Spots {
		for k, n := range first {
			s.At[k] -= n
			p.Reach[k] = max(p.Reach[k], s.At[k])
		}
		if p.Line(i) < 0 {
			p.Lines = append(p.Lines, s.At[:last])
		}
	}
	return 0 < p.Reach[last] && p.Reach[last] < mostAlongLine && len(p.Spots) <= mostInPatch
}

// Line is which of the lines a spot is in; -1 where it is in none of them yet.
func (p *Patch) Line(i int) int {
	at := p.Spots[i].At[:len(p.bases)-1]
	return slices.IndexFunc(p.Lines, func(line []int64) bool { return slices.Equal(line, at) })
}

// First is the coordinate of the first place on an axis.
func (p *Patch) First(axis int) hast.Expr {
	i := slices.IndexFunc(p.Spots, func(p Spot) bool { return p.At[axis] == 0 })
	return p.Spots[i].Index[axis].X
}

// Leaves reports on which sides of an axis some of the pixels may be outside of the image.
func (p *Patch) Leaves(axis int) (below, above bool) {
	for _, p := range p.Spots {
		below, above = below || p.Index[axis].Below, above || p.Index[axis].Above
	}
	return below, above
}

// Count is how many components a line of a patch has.
func (p *Patch) Count() int {
	return (int(p.Reach[len(p.Reach)-1]) + 1) * int(p.Image.Elem.Lanes)
}

// wordBytes are those of a word.
const wordBytes = 4

// Words is how many words a line of a patch may lie in, of components of at most 16 bits.
func (p *Patch) Words() int {
	bytes := p.Image.Elem.Kind.Bytes()
	return (p.Count()*bytes + wordBytes - bytes + wordBytes - 1) / wordBytes
}

// Overhang is how many pixels behind the last one of a line lie in the word in which it ends, at most.
func (p *Patch) Overhang() int {
	pixel, bytes := int(p.Image.Elem.Bytes()), p.Image.Elem.Kind.Bytes()
	return (wordBytes - bytes + pixel - 1) / pixel
}

// RuleCosts reports whether a border rule does more for a pixel than to limit its coordinates, which takes less than to tell whether it is needed.
func (p *Patch) RuleCosts() bool {
	return p.Rule != nil && p.Rule.Kind != hast.Clamp && p.Rule.Kind != hast.Undefined
}

// worthWords is how many times as many accesses as words a patch must take pixel by pixel: words are shifted into place.
const worthWords = 2

// ByWords reports whether a patch is better loaded by words, where so many accesses load a pixel and nothing else is decided.
func (p *Patch) ByWords(accesses int) bool {
	return p.HasWords() && worthWords*len(p.Lines)*p.Words() <= len(p.Spots)*accesses
}

// HasWords reports whether a patch can be loaded by words: more than one of its components lies in one.
func (p *Patch) HasWords() bool {
	k := p.Image.Elem.Kind
	return p.Image.Rank() > 1 && k != types.Bool && 2*k.Bytes() <= wordBytes
}

// HasPatchWords reports whether a stage, or one that is fused with it, reads patches that can be loaded by words.
func HasPatchWords(s *hast.Stage) bool {
	return inLists(s.Body, func(list []hast.Stmt) bool {
		return slices.ContainsFunc(PatchesOf(list), (*Patch).HasWords)
	}) || slices.ContainsFunc(s.Fused, HasPatchWords)
}

// inLists reports whether something holds for a list of statements, or one that lies in it.
func inLists(list []hast.Stmt, holds func([]hast.Stmt) bool) bool {
	if holds(list) {
		return true
	}
	return slices.ContainsFunc(list, func(s hast.Stmt) bool {
		_, bodies := hast.Parts(s)
		return slices.ContainsFunc(bodies, func(body []hast.Stmt) bool { return inLists(body, holds) })
	})
}

// MeanWords is how many words are loaded of a line, on average over where in a word it may begin.
func (p *Patch) MeanWords() float64 {
	bytes, words, n := p.Image.Elem.Kind.Bytes(), 0, 0
	for skip := 0; skip < wordBytes; skip += bytes {
		words, n = words+(skip+p.Count()*bytes+wordBytes-1)/wordBytes, n+1
	}
	return float64(words) / float64(n)
}
