package interp

import (
	"math"

	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// A raster is an image while the program runs: its components as Go values of a type that holds the kind's, so that
// closures for a kind index a slice and nothing else.
type raster struct {
	image  *hast.Image
	elem   types.Type
	extent []int
	stride []int // distance in components from one pixel to the next on each axis
	cells  cells
}

// cells are the components of a raster, one of the types below; get and set are for where speed is no concern. from is the rest
// behind the first i, in the same memory.
type cells interface {
	get(i int) types.Word
	set(i int, w types.Word)
	from(i int) cells
}

// ints holds a component in Go's type of its kind, a bool in a byte that is 0 or 1.
type ints[T integer] []T

func (d ints[T]) get(i int) types.Word    { return types.Word(d[i]) }
func (d ints[T]) set(i int, w types.Word) { d[i] = T(w) }
func (d ints[T]) from(i int) cells        { return d[i:] }

// singles holds f32, f16 and bf16 as float32, which keeps NaN's bits of each.
type singles []float32

func (d singles) get(i int) types.Word { return widen(d[i]) }
func (d singles) from(i int) cells     { return d[i:] }
func (d singles) set(i int, w types.Word) {
	d[i] = math.Float32frombits(uint32(types.Bits(types.F32, w)))
}

// widen is the word of v. The processor's conversion would quiet a NaN; a copied pixel is to keep its bits.
func widen(v float32) types.Word {
	if v != v {
		return types.FromBits(types.F32, uint64(math.Float32bits(v)))
	}
	return types.Float(float64(v))
}

type doubles []float64

func (d doubles) get(i int) types.Word    { return types.Float(d[i]) }
func (d doubles) set(i int, w types.Word) { d[i] = w.Float() }
func (d doubles) from(i int) cells        { return d[i:] }

// newCells makes n components of zero.
var newCells = map[types.Kind]func(n int) cells{
	types.Bool: func(n int) cells { return make(ints[uint8], n) },
	types.I8:   func(n int) cells { return make(ints[int8], n) },
	types.I16:  func(n int) cells { return make(ints[int16], n) },
	types.I32:  func(n int) cells { return make(ints[int32], n) },
	types.I64:  func(n int) cells { return make(ints[int64], n) },
	types.U8:   func(n int) cells { return make(ints[uint8], n) },
	types.U16:  func(n int) cells { return make(ints[uint16], n) },
	types.U32:  func(n int) cells { return make(ints[uint32], n) },
	types.U64:  func(n int) cells { return make(ints[uint64], n) },
	types.F16:  func(n int) cells { return make(singles, n) },
	types.BF16: func(n int) cells { return make(singles, n) },
	types.F32:  func(n int) cells { return make(singles, n) },
	types.F64:  func(n int) cells { return make(doubles, n) },
}

// newRaster makes a raster of zeros for image m with the given extents.
func newRaster(m *hast.Image, extent []int) *raster {
	n := int(m.Elem.Lanes)
	stride := make([]int, len(extent))
	for axis := len(extent) - 1; axis >= 0; axis-- {
		stride[axis] = n
		n *= extent[axis]
	}
	return &raster{image: m, elem: m.Elem, extent: extent, stride: stride, cells: newCells[m.Elem.Kind](n)}
}

// read fills the raster from an image of the same type and extents.
func (r *raster) read(from *pixels.Image) {
	if bytes, ok := r.cells.(ints[uint8]); ok && r.elem.Kind == types.U8 {
		copy(bytes, from.Data)
		return
	}
	for i := range from.Words() {
		r.cells.set(i, from.Word(i))
	}
}

// write puts the raster into an image of the same type and extents.
func (r *raster) write(to *pixels.Image) {
	if bytes, ok := r.cells.(ints[uint8]); ok {
		copy(to.Data, bytes)
		return
	}
	for i := range to.Words() {
		to.SetWord(i, r.cells.get(i))
	}
}

// lower is the least index on an axis.
func (r *raster) lower(axis int) int64 { return r.image.First(axis) }

// round brings components of 16-bit floats to the nearest values of their kind.
func (r *raster) round() {
	if d, ok := r.cells.(singles); ok {
		for i, v := range d {
			if v == v {
				d[i] = float32(types.Round(r.elem.Kind, float64(v)))
			}
		}
	}
}
