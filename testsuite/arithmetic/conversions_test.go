package arithmetic

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A conversion is one output of the pipeline that its source kind names: T(src[i]) or sat<T>(src[i]).
type conversion struct {
	from, to types.Kind
	saturate bool
}

func (c conversion) out() string {
	if c.saturate {
		return "sat_" + c.to.String()
	}
	return "to_" + c.to.String()
}

func (c conversion) text() string {
	if c.saturate {
		return "sat<" + c.to.String() + ">(src[i])"
	}
	return c.to.String() + "(src[i])"
}

// conversions lists those that the language has of a kind: sat goes to integers and floats, not to bool.
func conversions(from types.Kind) []conversion {
	var all []conversion
	for _, to := range types.Kinds {
		all = append(all, conversion{from, to, false})
		if to != types.Bool {
			all = append(all, conversion{from, to, true})
		}
	}
	return all
}

// program has a pipeline for each source kind.
func program() string {
	var b strings.Builder
	for _, from := range types.Kinds {
		params, body := "", ""
		for _, c := range conversions(from) {
			params += fmt.Sprintf(", out %s: %s[N]", c.out(), c.to)
			body += fmt.Sprintf("        %s[i] = %s;\n", c.out(), c.text())
		}
		fmt.Fprintf(&b, "pipeline of_%s(in src: %s[N]%s) {\n    iterate (i) over src {\n%s    }\n}\n", from, from, params, body)
	}
	return b.String()
}

// operands are the values of a kind that conversions and operators meet: the ends of every kind and what lies next to them, values
// half way between two of a narrower kind, and random ones.
func operands(kind types.Kind) *pixels.Image {
	var all []types.Word
	add := func(v float64) {
		all = append(all, types.Convert(types.Float(types.Round(kind, v)), types.F64, types.F64))
	}
	if kind.IsFloat() {
		for _, v := range []float64{0, 0.5, 1, 1.5, 2.5, 3.5, 126.5, 127.5, 128.5, 254.5, 255.5, 256, 32767.5, 65535.5, 65504, 65519.9, 65520,
			1 << 24, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1 << 32, 1 << 63, 1 << 64, 1e-8, 5.96e-8, 2.98e-8, 1e-40, 1e-45, 3.4e38, 1e39, 1e300,
			math.Inf(1), 0x1.002p0, 0x1.006p0, 0x1.000001p0, 0x1.000003p0, 0x1.01p0, 0x1.03p0, 0x1p-14, 0x1.ffcp-15} {
			for _, x := range []float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)), v * (1 + 0x1p-23), v * (1 - 0x1p-24)} {
				add(x)
				add(-x)
			}
		}
		add(math.NaN())
	} else {
		for shift := range 64 {
			for _, d := range []int64{-1, 0, 1} {
				all = append(all, types.Convert(types.Int(1<<shift+d), types.I64, kind), types.Convert(types.Int(-(1<<shift)+d), types.I64, kind))
			}
		}
	}
	random := harness.Input("operands", harness.Random, types.Scalar(kind), 200)
	for i := range random.Words() {
		all = append(all, random.Word(i))
	}
	m, err := pixels.New(types.Scalar(kind), len(all))
	if err != nil {
		panic(err)
	}
	for i, w := range all {
		m.SetWord(i, w)
	}
	return m
}

func TestConversions(t *testing.T) {
	p := harness.Compile(t, "conversions.img", program(), imgc.Strict)
	wants := map[types.Kind]imgc.Results{}
	for _, from := range types.Kinds {
		wants[from] = harness.Interpret(t, p, "of_"+from.String(), imgc.Args{Images: map[string]*pixels.Image{"src": operands(from)}})
	}
	t.Run("reference", func(t *testing.T) { compareReferences(t, wants) })
	t.Run("device", func(t *testing.T) {
		built := harness.Build(t, p)
		for _, from := range types.Kinds {
			src := operands(from)
			r, err := built.Run(context.Background(), "of_"+from.String(), device.Args{Images: map[string]*pixels.Image{"src": src}}, device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range conversions(from) {
				t.Run(fmt.Sprint(from, "_", c.out()), func(t *testing.T) {
					if err := same(r.Images[c.out()], wants[from].Images[c.out()], src); err != nil {
						t.Error(err)
					}
				})
			}
		}
	})
}

// compareReferences holds the interpreter against exact arithmetic.
func compareReferences(t *testing.T, wants map[types.Kind]imgc.Results) {
	var all []conversion
	var calls []harness.ReferenceCase
	for _, from := range types.Kinds {
		for _, c := range conversions(from) {
			all = append(all, c)
			calls = append(calls, harness.ReferenceCase{
				Function: "conversions.convert", Images: []*pixels.Image{operands(from)}, Want: []*pixels.Image{wants[from].Images[c.out()]},
				Scalars: map[string]any{"source": from.String(), "target": c.to.String(), "saturate": c.saturate},
			})
		}
	}
	for i, r := range harness.References(t, calls) {
		t.Run(fmt.Sprint(all[i].from, "_", all[i].out()), func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if err := same(calls[i].Want[0], r.Images[0], calls[i].Images[0]); err != nil {
				t.Error(err)
			}
		})
	}
}

// same is Compare, to the bit, with the first operand in its message.
func same(got, want, operand *pixels.Image) error {
	if err := harness.Compare(got, want, harness.Bound{}); err != nil {
		for i := range got.Words() {
			if got.Word(i) != want.Word(i) {
				return fmt.Errorf("%w; the first of operand %v (bits %#x)", err, number(operand, i), types.Bits(operand.Elem.Kind, operand.Word(i)))
			}
		}
		return err
	}
	return nil
}

func number(m *pixels.Image, i int) any {
	switch k := m.Elem.Kind; {
	case k.IsFloat():
		return m.Word(i).Float()
	case k.IsSigned():
		return m.Word(i).Int()
	}
	return m.Word(i).Uint()
}
