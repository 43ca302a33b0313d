package block

import (
	"imgc/hast"
	"imgc/hast/linear"
)

// An End is what a border by formula says of the pixels beside one end of an axis: each is made of pixels within Reach of that end, in the line through it.
type End struct {
	Border *hast.Border
	Axis   int
	Behind bool
	Frames []*hast.Frame // for the first pixel outside, the second, and so on
	Reach  int           // the number of pixels inside, from the end on
}

// EndOf is what a rule says of so many pixels beside an end of an axis, if it is a formula of that kind and pixels are scalars; nil else.
func EndOf(r *hast.Rule, axis int, behind bool, pixels int) *End {
	if r == nil || r.Kind != hast.Formula || axis < 0 || !r.Border.Image.Elem.IsScalar() || r.Border.Image.Lower != nil {
		return nil
	}
	e := &End{Border: r.Border, Axis: axis, Behind: behind}
	for n := range int64(pixels) {
		place := -n - 1
		if behind {
			place = n + 1
		}
		f := e.frame(place)
		if f == nil || !e.straight(f) {
			return nil
		}
		e.Frames = append(e.Frames, f)
	}
	return e
}

// frame is the line for a place on the axis, and any on the others; nil where there is none.
func (e *End) frame(place int64) *hast.Frame {
	for _, f := range e.Border.Frames {
		own := true
		for k, p := range f.Places {
			own = own && (k == e.Axis && p == place || k != e.Axis && p == 0)
		}
		if own {
			return f
		}
	}
	return nil
}

// straight reports whether a line takes pixels of its own line of the image alone, and notes how far from the end.
func (e *End) straight(f *hast.Frame) bool {
	ok, named, own := true, 0, 0
	hast.Walk(f.Value, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Ref:
			if x.Var.Class == hast.Loop {
				named++
			}
		case *hast.Load:
			at, known := e.At(x)
			ok = ok && known
			e.Reach = max(e.Reach, at+1)
			own += len(x.Index) - 1
		case *hast.Window, *hast.Reduce:
			ok = false
		}
	})
	return ok && named == own
}

// At is how many pixels lie between the end and one that a line takes; false where that is not known, or it is in another line of the image.
func (e *End) At(x *hast.Load) (at int, ok bool) {
	ok = x.Image == e.Border.Image
	for k, c := range x.Index {
		if k != e.Axis {
			ok = ok && hast.IsVar(c.X, e.Border.Coords[k])
		}
	}
	if !ok {
		return 0, false
	}
	terms, n := linear.Terms(x.Index[e.Axis].X)
	if !e.Behind {
		return int(n), len(terms) == 0 && n >= 0
	}
	of, more := linear.Terms(x.Image.Extent[e.Axis])
	same := len(terms) == 1 && len(of) == 1 && !terms[0].Minus && !of[0].Minus && hast.Equal(terms[0].X, of[0].X)
	return int(more - n - 1), same && more-n >= 1
}
