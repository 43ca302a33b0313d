package hast

import (
	"slices"
	"strings"

	"imgc/source"
	"imgc/types"
)

// A View makes an image a part of another one, Of, which may be a view itself. Such an image has no storage: its pixels are those
// of Of. It is none of a pipeline's Images; a DefineView declares it. Its extents are known at entry and may be 0, and a read of
// it under a border rule is proved to happen only where none is.
type View struct {
	Of   *Image
	Axes []ViewAxis // one for each axis of Of
}

// A ViewAxis places a view along an axis of the image that it is a part of.
type ViewAxis struct {
	First Expr // host expression of kind i32: the index in Of of the view's first pixel
	Kept  bool // the axis is one of the view's; else all of its pixels have the index First
}

// DefineView declares a view: from here on its First are known. It is proved to lie inside of the image that it is a part of.
type DefineView struct {
	Image  *Image        // with View set
	Within []source.Span // the calls that it was expanded from, the innermost first; for messages
	At     source.Span
}

func (s *DefineView) Span() source.Span { return s.At }
func (*DefineView) step()               {}

// Base is the image with the storage of m: m itself, unless it is a view.
func (m *Image) Base() *Image {
	for m.View != nil {
		m = m.View.Of
	}
	return m
}

// First is the first index of an axis.
func (m *Image) First(axis int) int64 {
	if m.Lower == nil {
		return 0
	}
	return m.Lower[axis]
}

// view checks the declaration of a view.
func (v *verifier) view(s *DefineView) {
	m := s.Image
	if m.View == nil || !v.images[m.View.Of] || m.Elem != m.View.Of.Elem || m.Dir != m.View.Of.Dir || len(m.View.Axes) != m.View.Of.Rank() {
		v.failf("%s: %s is no view of an image", s.At, m.Name)
		return
	}
	kept := 0
	for _, ax := range m.View.Axes {
		v.value(ax.First, types.Scalar(types.I32))
		if ax.Kept {
			kept++
		}
	}
	if kept != m.Rank() {
		v.failf("%s: %s keeps %d axes and has %d", s.At, m.Name, kept, m.Rank())
	}
	v.image(m)
	v.images[m] = true
}

// viewText is "src[y0 : h][k]", the part of an image that a view is.
func viewText(m *Image) string {
	var b strings.Builder
	b.WriteString(m.View.Of.Name)
	extents := slices.Clone(m.Extent)
	for _, ax := range m.View.Axes {
		b.WriteString("[" + Text(ax.First))
		if ax.Kept {
			b.WriteString(" : " + Text(extents[0]))
			extents = extents[1:]
		}
		b.WriteString("]")
	}
	return b.String()
}
