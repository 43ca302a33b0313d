package types

import "math"

// A grid describes the values of a float kind narrower than f32 within float64.
type grid struct {
	drop     uint    // significand bits of a float64 that the kind lacks
	normal   float64 // the smallest normal value
	unit     float64 // the smallest positive value, the spacing below normal
	snap     float64 // x + snap - snap rounds 0 <= x < normal to a multiple of unit: snap is unit * 2^52
	overflow float64 // the power of two above the largest finite value
	bias     uint64  // the float64 exponent bias less the kind's
}

var grids = [...]grid{
	F16:  {drop: 52 - 10, normal: 0x1p-14, unit: 0x1p-24, snap: 0x1p28, overflow: 0x1p16, bias: 1023 - 15},
	BF16: {drop: 52 - 7, normal: 0x1p-126, unit: 0x1p-133, snap: 0x1p-81, overflow: 0x1p128, bias: 1023 - 127},
}

const (
	float64Sign     = 1 << 63
	float64Exponent = 0x7ff << 52
	float64Fraction = 1<<52 - 1
	float64Quiet    = 1 << 51
)

// Round returns the value of the float kind k nearest to v, the one with an even significand of two equally near. It
// overflows to infinity as IEEE 754 does, keeps subnormal values and keeps NaN.
func Round(k Kind, v float64) float64 {
	switch k {
	case F64:
		return v
	case F32:
		return float64(float32(v))
	}
	return grids[k].round(v)
}

func (g *grid) round(v float64) float64 {
	a := math.Abs(v)
	if a >= g.normal {
		bits := math.Float64bits(a)
		bits += 1<<(g.drop-1) - 1 + bits>>g.drop&1
		a = math.Float64frombits(bits >> g.drop << g.drop)
		if a >= g.overflow {
			a = math.Inf(1)
		}
	} else {
		a = (a + g.snap) - g.snap // NaN comes here too and stays NaN
	}
	return math.Copysign(a, v)
}

// encode returns the bits of v, rounded to the kind; size is the kind's width.
func (g *grid) encode(v float64, size uint) uint64 {
	bits := math.Float64bits(v)
	sign := bits >> 63 << (size - 1)
	if v != v {
		return sign | nan(bits, g.drop, size)
	}
	a := math.Abs(g.round(v))
	switch {
	case a < g.normal:
		return sign | uint64(a/g.unit)
	case a >= g.overflow:
		return sign | infinityBits(g.drop, size)
	}
	return sign | (math.Float64bits(a)>>g.drop - g.bias<<(52-g.drop))
}

// decode is the value whose bits in the kind are b; size is the kind's width.
func (g *grid) decode(b uint64, size uint) Word {
	sign := Word(b >> (size - 1) << 63)
	b &= 1<<(size-1) - 1
	switch infinite := infinityBits(g.drop, size); {
	case b >= infinite:
		return sign | float64Exponent | Word(b-infinite)<<g.drop
	case b>>(52-g.drop) == 0:
		return sign | Float(float64(b)*g.unit)
	}
	return sign | Word(b+g.bias<<(52-g.drop))<<g.drop
}

// infinityBits is plus infinity in a kind of the given width that lacks drop of a float64's significand bits.
func infinityBits(drop, size uint) uint64 {
	return 1<<(size-1) - 1<<(52-drop)
}

// nan keeps of a NaN's fraction what fits, without the sign. One that nothing would be left of turns quiet.
func nan(bits uint64, drop, size uint) uint64 {
	fraction := bits & float64Fraction >> drop
	if fraction == 0 {
		fraction = float64Quiet >> drop
	}
	return infinityBits(drop, size) | fraction
}

// encode32 returns the bits of v rounded to f32. The processor's conversion would quiet a NaN; this keeps its bits, so that
// to read a pixel and to write it again changes nothing.
func encode32(v float64) uint32 {
	if v != v {
		bits := math.Float64bits(v)
		return uint32(bits>>63<<31 | nan(bits, 52-23, 32))
	}
	return math.Float32bits(float32(v))
}

func decode32(b uint32) Word {
	f := math.Float32frombits(b)
	if f != f {
		return Word(b>>31)<<63 | float64Exponent | Word(b&(1<<23-1))<<(52-23)
	}
	return Float(float64(f))
}
