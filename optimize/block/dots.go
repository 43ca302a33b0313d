package block

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/types"
)

// Sums and extremes of bytes over many points, of which a work-item takes blocks of neighbours: dot products of four bytes and their weight add four, and halves of words have two of them.

// PointStage is a stage with an instance for each point of the reductions of each instance.
func PointStage(of *hast.Stage, s hast.Space, same []*hast.Reduce) *hast.Stage {
	out := &hast.Stage{Name: of.Name, At: of.At}
	out.Space.Vars = slices.Concat(of.Space.Vars, s.Vars)
	out.Space.Ranges = slices.Concat(of.Space.Ranges, s.Ranges)
	for k := range len(out.Space.Ranges) - 1 {
		out.Space.Ranges[k].Step = 1 // lines are taken one by one
	}
	value := func(x hast.Expr) {
		v := &hast.Var{Name: "elem", Type: x.Type(), Class: hast.Value, At: x.Span()}
		out.Body = append(out.Body, &hast.Define{Var: v, Init: x, At: x.Span()})
	}
	for _, st := range of.Body { // lets that subscripts may use
		if d, ok := st.(*hast.Define); ok && d.Init != nil && len(hast.Operands(d.Init)) > 0 && !hast.ReadsPixels(d.Init) {
			out.Body = append(out.Body, d)
		}
	}
	for _, r := range same {
		value(r.Elem)
		if r.Where != nil {
			value(r.Where)
		}
	}
	return out
}

// Dots is what each point adds to a sum whose blocks of so many neighbouring points dot products of four bytes add up, in 32 bits: bytes of
// neighbours that lie next to each other, times weights of 8 bits; nil for other reductions.
func (k *Combiner) Dots(e *hast.Reduce, width int) *Combination {
	if e.Op != hast.Sum || e.Where != nil || width%4 != 0 {
		return nil
	}
	elem := e.Elem
	if c, ok := elem.(*hast.Convert); ok && c.T.Kind == types.U64 && c.How == hast.Wrap && c.X.Type().Kind.IsInt() {
		elem = c.X // modulo 2^64 what it adds is the same
	}
	c := k.Of(elem)
	if c == nil || len(c.Taps) == 0 || !c.EightBits() {
		return nil
	}
	for p := range c.Taps {
		if x := k.Stage.Windows[p.Window].X; x.Stride != 1 || x.Div != 0 {
			return nil
		}
	}
	if lo, hi := c.Bounds(); max(-lo, hi) > math.MaxInt32/int64(width) {
		return nil
	}
	return c
}

// An Extreme is what a reduction compares of each point: a byte and a number, or with Falls the number less the byte.
type Extreme struct {
	At    Tap
	Plus  int64
	Falls bool
}

// Extreme is what a reduction compares that finds the least or the greatest of bytes, or where that is, in blocks of so many neighbouring points whose bytes lie next to each other: of halves of words
// the upper bytes are compared first, so that two bytes take one instruction; nil for other reductions.
func (k *Combiner) Extreme(e *hast.Reduce, width int) *Extreme {
	if !extremes[e.Op] || e.Where != nil || width%PerWord != 0 {
		return nil
	}
	c := k.Of(e.Elem)
	if c == nil || len(c.Taps) != 1 {
		return nil
	}
	if lo, hi := c.Bounds(); lo < math.MinInt32 || hi > math.MaxInt32 {
		return nil
	}
	for p, w := range c.Taps {
		if (w == 1 || w == -1) && k.Stage.Windows[p.Window].X.apartOne() {
			return &Extreme{At: p, Plus: c.Plus, Falls: w < 0}
		}
	}
	return nil
}

// extremes are the reductions that find the least or the greatest of values.
var extremes = map[hast.ReduceOp]bool{hast.Min: true, hast.Max: true, hast.ArgMin: true, hast.ArgMax: true}

// A Dotted is a reduction of bytes that lie in words, with what each of its points adds, one of the first two, or what it finds an extreme of.
type Dotted struct {
	Reduce *hast.Reduce
	Each   *Combination
	Pair   *Pairing
	Byte   *Extreme
}

// Operations are how many operations on words of four bytes add up what four points add.
func (d *Dotted) Operations() int {
	switch {
	case d.Pair == nil:
		return len(d.Each.Taps)
	case d.Pair.Op == kir.Squares:
		return 2
	}
	return 1
}

// DottedSums are the reductions of a stage whose points are taken in blocks of so many neighbours that are added up four bytes at a time, or of which extremes are found in halves of words. Points of those
// inside of others are written out up to unroll of them.
func DottedSums(s *hast.Stage, width, unroll int) (list []Dotted) {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		if !ok || r.Op != hast.Sum && !extremes[r.Op] || r.Where != nil || r.Space.Points != nil {
			return
		}
		at := atPixels(s, r)
		what := Analyze(PointStage(s, at.Space, []*hast.Reduce{at}), unroll)
		if what.Alone != "" {
			return
		}
		k := &Combiner{Stage: what, Unroll: unroll}
		if each := k.Dots(at, width); each != nil {
			list = append(list, Dotted{Reduce: r, Each: each})
		} else if pair := k.Pairs(at, width); pair != nil {
			list = append(list, Dotted{Reduce: r, Pair: pair})
		} else if x := k.Extreme(at, width); x != nil {
			list = append(list, Dotted{Reduce: r, Byte: x})
		}
	})
	return list
}
