package interp

import (
	"imgc/hast"
	"imgc/source"
)

// part is the raster of a view: the same components, from the view's first pixel on. What sema has proved of a view is looked at
// again, since its own extents are all that its accesses are compared with.
func (c *compiler) part(m *hast.Image, at source.Span) *raster {
	of := c.raster(m.View.Of, len(m.View.Axes), at)
	r := &raster{image: m, elem: m.Elem}
	first, pixels := 0, 1
	for k, ax := range m.View.Axes {
		start, n := int(c.b.words(ax.First)[0].Int()-of.lower(k)), 1
		if ax.Kept {
			n = int(c.b.words(m.Extent[len(r.extent)])[0].Int())
			r.extent = append(r.extent, n)
			r.stride = append(r.stride, of.stride[k])
		}
		if start < 0 || n < 0 || start+n > of.extent[k] {
			throw(at, "the view %s of %d pixels from %d on is outside the %d pixels of %s, which was taken to be proved impossible",
				m.Name, n, start, of.extent[k], m.View.Of.Name)
		}
		first += start * of.stride[k]
		pixels *= n
	}
	if pixels == 0 { // its first pixel need not exist
		first = 0
	}
	r.cells = of.cells.from(first)
	return r
}

// define looks at a view where it is declared.
func (h *host) define(s *hast.DefineView) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	newCompiler(h.b, h.storage).part(s.Image, s.At)
	return nil
}
