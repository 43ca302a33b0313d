package harness

import (
	"fmt"
	"math"

	"imgc/pixels"
)

// A Bound says how far a result may lie from the one that it is compared with. The zero Bound demands equal bits, but for the
// bits of a NaN.
type Bound struct {
	Abs      float64 // of the difference of two components
	Rel      float64 // of the difference, relative to the magnitude of the wanted component
	Scale    float64 // of the difference, relative to the largest finite magnitude in the wanted image
	Modulus  float64 // components that differ by a multiple of this are equal: 180 for a hue in half degrees
	Outliers float64 // share of the components that may lie farther off, where a decision hangs on a rounding
}

// Compare returns an error that says where got first differs from want by more than the bound, and how often it does.
func Compare(got, want *pixels.Image, b Bound) error {
	if got == nil {
		return fmt.Errorf("there is no image, wanted %s", want)
	}
	if got.String() != want.String() {
		return fmt.Errorf("the image is %s, wanted %s", got, want)
	}
	scale := b.Scale
	if scale > 0 {
		scale *= magnitude(want)
	}
	first, bad := -1, 0
	for i := range want.Words() {
		if !b.holds(got, want, i, scale) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	if float64(bad) <= b.Outliers*float64(want.Words()) {
		return nil
	}
	return fmt.Errorf("%s is %s, wanted %s; %d of %d components differ by more than allowed", place(want, first), component(got, first),
		component(want, first), bad, want.Words())
}

func (b Bound) holds(got, want *pixels.Image, i int, scale float64) bool {
	g, w := got.Word(i), want.Word(i)
	if !want.Elem.Kind.IsFloat() {
		if g == w {
			return true
		}
		if want.Elem.Kind.IsSigned() {
			return b.near(float64(g.Int()), float64(w.Int()), scale)
		}
		return b.near(float64(g.Uint()), float64(w.Uint()), scale)
	}
	x, y := g.Float(), w.Float()
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	return g == w || b.near(x, y, scale)
}

func (b Bound) near(x, y, scale float64) bool {
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return x == y
	}
	d := math.Abs(x - y)
	if b.Modulus > 0 {
		d = math.Mod(d, b.Modulus)
		d = min(d, b.Modulus-d)
	}
	limit := max(b.Abs, b.Rel*math.Abs(y), scale)
	return limit > 0 && d <= limit
}

// magnitude is the largest finite magnitude in an image.
func magnitude(m *pixels.Image) float64 {
	most := 0.0
	for i := range m.Words() {
		v := math.Abs(number(m, i))
		if !math.IsInf(v, 0) && v > most {
			most = v
		}
	}
	return most
}

func number(m *pixels.Image, i int) float64 {
	switch k := m.Elem.Kind; {
	case k.IsFloat():
		return m.Word(i).Float()
	case k.IsSigned():
		return float64(m.Word(i).Int())
	}
	return float64(m.Word(i).Uint())
}

func component(m *pixels.Image, i int) string {
	switch k := m.Elem.Kind; {
	case k.IsFloat():
		return fmt.Sprintf("%.9g", m.Word(i).Float())
	case k.IsSigned():
		return fmt.Sprint(m.Word(i).Int())
	}
	return fmt.Sprint(m.Word(i).Uint())
}

// place spells the coordinates of component i: "[3][17].y".
func place(m *pixels.Image, i int) string {
	lanes := int(m.Elem.Lanes)
	text := ""
	if lanes > 1 {
		text = "." + string("xyzw"[i%lanes])
	}
	i /= lanes
	for k := len(m.Extent) - 1; k >= 0; k-- {
		text = fmt.Sprintf("[%d]%s", i%m.Extent[k], text)
		i /= m.Extent[k]
	}
	return text
}
