package arguments

import (
	"fmt"
	"math"
	"strings"

	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// sizes gives every size name its value: (extent - Add) / Mul of the image that binds it, or the one in Args.Sizes where that image
// is an out image that was not given.
func (s *Signature) sizes(args Args, b *Bound) error {
	for _, size := range s.Sizes {
		bound, err := size.bind(&s.Params[size.Image], args)
		if err != nil {
			return err
		}
		b.Sizes = append(b.Sizes, bound)
	}
	return nil
}

func (s *Size) bind(p *Param, args Args) (BoundSize, error) {
	given, isGiven := args.Sizes[s.Name]
	m := args.Images[p.Name]
	if m == nil {
		if !isGiven {
			return BoundSize{}, failf(p.At, "nothing gives the size %s: pass the image %s or the size", s.Name, p.Name)
		}
		if given < math.MinInt32 || given > math.MaxInt32 {
			return BoundSize{}, failf(p.At, "the size %s = %d does not fit an i32", s.Name, given)
		}
		return BoundSize{int64(given), "given"}, nil
	}
	extent := int64(m.Extent[s.Axis])
	n := (extent - s.Add) / s.Mul
	if n*s.Mul+s.Add != extent {
		return BoundSize{}, failf(p.At, "%s is %s, but no whole number %s gives %s = %d %s", p.Name,
			pixels.Dimensions(m.Extent), s.Name, p.Extent[s.Axis], extent, axisName(len(p.Extent), s.Axis))
	}
	if isGiven && int64(given) != n {
		return BoundSize{}, failf(p.At, "%s = %d was given, but %s is %s, so %s = %d", s.Name, given, p.Name,
			pixels.Dimensions(m.Extent), s.Name, n)
	}
	return BoundSize{n, "bound by " + p.Name}, nil
}

// A Quantity is a value that an extent is made of, for messages; Origin is that of a size, else "".
type Quantity struct {
	Name   string
	Value  types.Value
	Origin string
}

// Known lists quantities: "H = 98 and W = 5 (bound by src)".
func Known(list []Quantity) string {
	var parts []string
	for i, q := range list {
		part := fmt.Sprintf("%s = %s", q.Name, ValueText(q.Value))
		if q.Origin != "" && (i+1 == len(list) || list[i+1].Origin != q.Origin) {
			part += " (" + q.Origin + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

// Because is " for H = 98 (bound by src)", or nothing of no quantities.
func Because(list []Quantity) string {
	if len(list) == 0 {
		return ""
	}
	return " for " + Known(list)
}

// An Extents is what the extents of an image come to; Of lists the quantities that one is made of.
type Extents struct {
	Name   string
	Extent []int
	Of     func(axis int) []Quantity
	At     source.Span
}

// Possible refuses extents that no image has.
func (x *Extents) Possible() error {
	for axis, e := range x.Extent {
		if e < 1 {
			return failf(x.At, "%s would be %s%s, but every extent must be at least 1", x.Name, pixels.Dimensions(x.Extent), Because(x.Of(axis)))
		}
		if e > types.MaxExtent {
			return failf(x.At, "%s would be %s%s, but an extent is at most %d",
				x.Name, pixels.Dimensions(x.Extent), Because(x.Of(axis)), types.MaxExtent)
		}
	}
	return nil
}

// Fit compares the extents of an argument with those that are asked for.
func (x *Extents) Fit(given []int) error {
	for axis, want := range x.Extent {
		if given[axis] == want {
			continue
		}
		reason := "its declaration"
		if of := x.Of(axis); len(of) > 0 {
			reason = Known(of)
		}
		return failf(x.At, "%s is %s, but %s asks for %d %s", x.Name, pixels.Dimensions(given), reason, want, axisName(len(x.Extent), axis))
	}
	return nil
}

// Levels refuses a number of levels that a pyramid cannot have.
func Levels(name string, at source.Span, n, most int64, of []Quantity) error {
	if n < 1 || n > most {
		return failf(at, "%s would have %d levels%s, but a pyramid has 1 to %d", name, n, Because(of), most)
	}
	return nil
}

// Finest refuses an extent that the finest level of a pyramid cannot have.
func Finest(name string, at source.Span, n, most int64, of []Quantity) error {
	if n < 1 || n > most {
		return failf(at, "an extent of %s would be %d%s, but it is at least 1 and at most %d", name, n, Because(of), most)
	}
	return nil
}

// axisName is what users call the extent of an axis.
func axisName(rank, axis int) string {
	switch {
	case rank == 1:
		return "elements"
	case rank == 2 && axis == 0:
		return "rows"
	case rank == 2:
		return "columns"
	}
	return fmt.Sprintf("along axis %d", axis)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ValueText is a value as messages show it: "3", "0.5", "(1, 2, 3)".
func ValueText(v types.Value) string {
	parts := make([]string, len(v.Words))
	for i, w := range v.Words {
		switch k := v.Type.Kind; {
		case k == types.Bool:
			parts[i] = fmt.Sprint(w.Truth())
		case k.IsFloat():
			parts[i] = fmt.Sprint(w.Float())
		case k.IsSigned():
			parts[i] = fmt.Sprint(w.Int())
		default:
			parts[i] = fmt.Sprint(w.Uint())
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
