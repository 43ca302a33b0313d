package hast

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A Border is a border by formula applied to one image: what a pixel outside is, computed from pixels inside. Its lines are
// looked at for pixels outside only, in order; places of different lines never meet.
type Border struct {
	Name   string
	Image  *Image
	Coords []*Var // i32, Class Loop, one for each axis: the coordinates that are wanted
	Frames []*Frame
	Else   *Rule // a named rule for what no line lists; nil where every access is proved to need none
	At     source.Span
}

// A Frame is one line of a border by formula. It serves a coordinate that is on every axis at its place: 0 any coordinate inside,
// -k the k-th before the first, +k the k-th behind the last.
type Frame struct {
	Places []int64
	Value  Expr // of the image's element type, over Coords; it reads the image inside only
}

// Outside is the pixel at Coords, which are known to be outside on some axis, as an expression over them.
func (b *Border) Outside() Expr {
	out := b.Unserved()
	for i := len(b.Frames) - 1; i >= 0; i-- {
		f := b.Frames[i]
		out = &Select{Typed: Typed{b.Image.Elem, f.Value.Span()}, Cond: b.Serves(f), Then: f.Value, Else: out}
	}
	return out
}

// Unserved is the pixel at Coords where no line serves them: by the rule behind else. Without one it is proved not to happen,
// and is a read that does no harm.
func (b *Border) Unserved() Expr {
	load := &Load{Typed: Typed{b.Image.Elem, b.At}, Image: b.Image, Rule: b.Else}
	for _, v := range b.Coords {
		load.Index = append(load.Index, Coord{X: RefTo(v), Below: true, Above: true})
	}
	if b.Else == nil {
		load.Rule = &Rule{Kind: Undefined}
	}
	return load
}

// Serves is the condition under which a line serves Coords.
func (b *Border) Serves(f *Frame) Expr {
	var all Expr
	for k, place := range f.Places {
		all = And(all, b.at(k, place))
	}
	return all
}

// at is the condition that coordinate k is at a place.
func (b *Border) at(k int, place int64) Expr {
	x := RefTo(b.Coords[k])
	lo, end := b.Range(k)
	switch {
	case place == 0:
		return And(Compare(ops.Ge, x, lo), Compare(ops.Lt, x, end))
	case place < 0:
		return Compare(ops.Eq, x, Int(b.lower(k)+place))
	}
	return Compare(ops.Eq, x, Plus(end, place-1))
}

// Range is the first coordinate of an axis and the one behind the last.
func (b *Border) Range(axis int) (lo, end Expr) {
	return Int(b.lower(axis)), Plus(b.Image.Extent[axis], b.lower(axis))
}

func (b *Border) lower(axis int) int64 { return b.Image.First(axis) }

var i32 = types.Scalar(types.I32)

// RefTo reads a variable.
func RefTo(v *Var) Expr { return &Ref{Typed{v.Type, v.At}, v} }

// Pixels is a window as the array of its pixels.
func Pixels(w *Window) Expr {
	out := &Array{Typed: w.Typed}
	index := make([]Coord, len(w.Axes))
	var fill func(k int)
	fill = func(k int) {
		if k == len(w.Axes) {
			pixel := &Load{Typed: Typed{w.Image.Elem, w.At}, Image: w.Image, Index: append([]Coord(nil), index...), Rule: w.Rule}
			out.Elems = append(out.Elems, pixel)
			return
		}
		for i := range w.Axes[k].Count {
			index[k] = w.Axes[k].Start
			index[k].X = Plus(index[k].X, int64(i*w.Axes[k].Stride))
			fill(k + 1)
		}
	}
	fill(0)
	return out
}
