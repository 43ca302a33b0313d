package arithmetic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// asFloats has a pipeline for each kind of integers of 8 and 16 bits, which converts pixels and a neighbour that a border may give, and
// one whose pixels are added as integers besides.
func asFloats() string {
	var b strings.Builder
	for _, k := range smallKinds {
		fmt.Fprintf(&b, `pipeline of_%[1]s(in src: %[1]s[H][W], out each: f32[H][W], out far: f32[H][W]) {
    iterate (y, x) over src border reflect {
        let near = src[y][x];
        each[y][x] = f32(near);
        far[y][x] = f32(near) * 0.5 + f32(src[y][x + 1]);
    }
}
`, k)
	}
	return b.String() + `pipeline both(in src: u8[H][W], out each: f32[H][W], out next: i32[H][W]) {
    iterate (y, x) over src border clamp {
        each[y][x] = f32(src[y][x]);
        next[y][x] = i32(src[y][x]) + i32(src[y][x - 1]);
    }
}
`
}

var smallKinds = []types.Kind{types.U8, types.I8, types.U16, types.I16}

// every is an image of all values of a kind, so many to a row.
func every(t *testing.T, k types.Kind, width int) *pixels.Image {
	t.Helper()
	n := 1 << k.Bits()
	m, err := pixels.New(types.Scalar(k), n/width, width)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		m.SetWord(i, types.Convert(types.Int(int64(i)), types.I32, k))
	}
	return m
}

// TestFloatsOfWords has all integers of 8 and 16 bits become floats by logic and an addition where a model says that this pays, where images
// are aligned and where not.
func TestFloatsOfWords(t *testing.T) {
	model, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	schedule := &imgc.Text{Name: "floats.sched"}
	for _, k := range smallKinds {
		schedule.Text += fmt.Sprintf("schedule of_%s { each: tile(64, 4) item(8, 1) vector(16); }\n", k)
	}
	schedule.Text += "schedule both { each: tile(64, 4) item(8, 1) vector(16); }\n"
	p := harness.CompileWith(t, "floats.img", asFloats(), imgc.Options{Mode: imgc.Strict, Arch: model, Schedule: schedule})
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range smallKinds {
		if call := fmt.Sprintf("imgc_load_floats_%sx8(", k); !strings.Contains(kernels.Output.Source, call) {
			t.Errorf("nothing is loaded by %s)\n%s", call, kernels.Output.Source)
		}
	}
	built := harness.Build(t, p)
	for name, kind := range map[string]types.Kind{"of_u8": types.U8, "of_i8": types.I8, "of_u16": types.U16, "of_i16": types.I16, "both": types.U8} {
		for _, layout := range []device.Layout{{}, {Offset: 1}} {
			args := imgc.Args{Images: map[string]*pixels.Image{"src": every(t, kind, 16)}}
			expected := harness.Interpret(t, p, name, args)
			got, err := built.Run(context.Background(), name, device.Args(args), layout)
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, got.Images, got.Scalars, expected, harness.Bound{})
		}
	}
}
