package steps

import (
	"context"
	"slices"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// line is an image of one axis.
func line(v ...int64) *pixels.Image {
	m, err := pixels.New(types.Scalar(types.I32), len(v))
	if err != nil {
		panic(err)
	}
	for i, x := range v {
		m.SetWord(i, types.Int(x))
	}
	return m
}

func values(m *pixels.Image) []int64 {
	var out []int64
	for i := range m.Words() {
		out = append(out, m.Word(i).Int())
	}
	return out
}

func (p program) args() imgc.Args {
	a := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: p.sizes}
	for name, v := range p.images {
		a.Images[name] = line(v...)
	}
	for name, v := range p.scalars {
		a.Scalars[name] = types.Of(types.I32, types.Int(v))
	}
	return a
}

func TestStepsOfTheHost(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			compiled := harness.Compile(t, p.name+".img", p.text, imgc.Strict)
			want := harness.Interpret(t, compiled, p.name, p.args())
			for name, v := range p.want {
				got := want.Images[name]
				if got == nil {
					if n := want.Scalars[name].Words[0].Int(); !slices.Equal([]int64{n}, v) {
						t.Errorf("%s = %v, want %v", name, n, v)
					}
				} else if !slices.Equal(values(got), v) {
					t.Errorf("%s = %v, want %v", name, values(got), v)
				}
			}
			built := harness.Build(t, compiled)
			for _, l := range []device.Layout{{}, {Pad: 3, Offset: 5}} {
				r, err := built.Run(context.Background(), p.name, device.Args(p.args()), l)
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			}
			times, err := built.Time(context.Background(), p.name, device.Args(p.args()), 2)
			if err != nil || len(times) != 2 {
				t.Errorf("timed %d runs: %v", len(times), err)
			}
		})
	}
}
