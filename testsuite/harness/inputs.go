package harness

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"imgc/pixels"
	"imgc/types"
)

// A Pattern is a kind of input image.
type Pattern string

const (
	Random     Pattern = "random"     // any value; floats are spread around 0 within 300
	Extremes   Pattern = "extremes"   // the ends of the type, 0, 1 and their neighbours; floats stay small enough to be summed
	Constant   Pattern = "constant"   // one value everywhere
	Structured Pattern = "structured" // a ramp, a checkerboard and edges
	NonFinite  Pattern = "nonfinite"  // floats: NaN, infinities and huge values among others; integers: like Extremes
)

// Input makes the image that pattern and name stand for: the same on every machine and in every run.
func Input(name string, pattern Pattern, elem types.Type, extent ...int) *pixels.Image {
	m, err := pixels.New(elem, extent...)
	if err != nil {
		panic(fmt.Sprintf("test input %s: %v", name, err))
	}
	hash := fnv.New64a()
	fmt.Fprint(hash, name, pattern, elem, extent)
	g := &generator{rand.New(rand.NewPCG(hash.Sum64(), 1)), elem.Kind}
	next := map[Pattern]func(int) types.Word{
		Random:     func(int) types.Word { return g.random() },
		Extremes:   func(int) types.Word { return g.extreme(finite) },
		NonFinite:  func(int) types.Word { return g.extreme(anything) },
		Constant:   func(i int) types.Word { return g.plain(77 + float64(i%int(elem.Lanes))) },
		Structured: func(i int) types.Word { return g.structured(m, i) },
	}[pattern]
	for i := range m.Words() {
		m.SetWord(i, next(i))
	}
	return m
}

type generator struct {
	*rand.Rand
	kind types.Kind
}

func (g *generator) plain(v float64) types.Word {
	return types.Convert(types.Float(v), types.F64, g.kind)
}

func (g *generator) random() types.Word {
	if g.kind.IsFloat() {
		return types.Float(types.Round(g.kind, 100*min(3, max(-3, g.NormFloat64()))))
	}
	return types.Convert(types.Int(int64(g.Uint64())), types.I64, g.kind)
}

var (
	finite   = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 255, -255, 65504, -65504, 1e-30, -1e-30, 1e-40, 1.0 / 3}
	anything = append([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 3e38, -3e38}, finite...)
)

func (g *generator) extreme(floats []float64) types.Word {
	if g.kind.IsFloat() {
		return types.Float(types.Round(g.kind, floats[g.IntN(len(floats))]))
	}
	half := int64(1) << (g.kind.Bits() - 1)
	edges := []int64{0, 1, -1, half, half - 1, half + 1, -half, 127, 128, 254, 255}
	return types.Convert(types.Int(edges[g.IntN(len(edges))]), types.I64, g.kind)
}

// structured is a ramp along the last axis, a checkerboard in the middle third and a bright frame line.
func (g *generator) structured(m *pixels.Image, i int) types.Word {
	lane, i := i%int(m.Elem.Lanes), i/int(m.Elem.Lanes)
	w := m.Extent[len(m.Extent)-1]
	x, y := i%w, i/w
	switch {
	case x == w/2:
		return g.plain(255)
	case x > w/3 && x < 2*w/3:
		return g.plain(float64((x + y + lane) % 2 * 200))
	}
	return g.plain(math.Mod(float64(3*x+2*y+40*lane), 251))
}
