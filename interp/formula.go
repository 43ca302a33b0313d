package interp

import (
	"imgc/hast"
	"imgc/source"
	"imgc/types"
)

// A formula computes the pixels outside of an image under a border by formula.
type formula struct {
	place []int  // where the coordinates are expected
	run   action // computes the pixel at the coordinates
	value int    // where its components are afterwards
}

// formula compiles a border, once for all of its reads: values read inside only, so that one never runs while another does.
func (c *compiler) formula(b *hast.Border, at source.Span) *formula {
	if f := c.formulas[b]; f != nil {
		return f
	}
	f := &formula{value: c.temp(b.Image.Elem)}
	if r := c.raster(b.Image, len(b.Coords), at); len(r.extent) != len(b.Coords) {
		throw(at, "a border of %d coordinates for %s", len(b.Coords), b.Image.Name)
	}
	for _, v := range b.Coords {
		f.place = append(f.place, c.slot(v))
	}
	c.formulas[b] = f
	f.run = c.store(b.Outside(), f.value)
	return f
}

// expect puts the coordinates where the formula finds them; nil expects nothing.
func (f *formula) expect(fr *frame, coords []int64) {
	if f == nil {
		return
	}
	for k, x := range coords {
		fr.w[f.place[k]] = types.Int(x)
	}
}

// word is one component of the pixel at the coordinates.
func (f *formula) word(fr *frame, lane int) types.Word {
	f.run(fr)
	return fr.w[f.value+lane]
}
