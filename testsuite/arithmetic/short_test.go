package arithmetic

import (
	"context"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// short has products of integers of 24 bits, some of the greatest that there are, and of others.
const short = `mask weights: i32[3] = [32767, -8388608, 3];

pipeline p(in a: u8[N], in b: i16[N], in c: i32[N], out dst: i32[6][N]) {
    iterate (i) over a {
        let x = i32(a[i]);
        let y = i32(b[i]);
        dst[0][i] = 5*x + y;
        dst[1][i] = y*x - 7;
        dst[2][i] = x*-8388608 + y;
        dst[3][i] = c[i]*x + 1;
        dst[4][i] = weights[0]*y + weights[2]*x;
        dst[5][i] = y*y + 3*(y + 70000);
    }
}
`

// TestShortProducts has products of integers of 24 bits be such where a model says that they pay, and nowhere else.
func TestShortProducts(t *testing.T) {
	args := imgc.Args{Images: map[string]*pixels.Image{
		"a": harness.Input("a", harness.Extremes, types.Scalar(types.U8), 64), "b": harness.Input("b", harness.Extremes, types.Scalar(types.I16), 64),
		"c": harness.Input("c", harness.Extremes, types.Scalar(types.I32), 64),
	}}
	for arch, want := range map[string]bool{"nvidia-quadro-fx-5800": true, "amd-r9-285": true, "nvidia-c2050": false, "nvidia-h200": false} {
		t.Run(arch, func(t *testing.T) {
			model, err := imgc.OpenArchitecture(arch)
			if err != nil {
				t.Fatal(err)
			}
			p := harness.CompileWith(t, "short.img", short, imgc.Options{Mode: imgc.Strict, Arch: model})
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			text := kernels.Output.Source
			for _, call := range []string{"mad24(5, ", "mul24(", "mad24("} {
				if strings.Contains(text, call) != want {
					t.Errorf("%s) is there: %v\n%s", call, !want, text)
				}
			}
			expected := harness.Interpret(t, p, "p", args)
			got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, got.Images, got.Scalars, expected, harness.Bound{})
		})
	}
}

const lined = `
pipeline p(in a: i32[K][H][W] border reflect, out dst: i32[K][H][W]) {
    dst = [a[K - 1 - k][y + 1][x - 1] - 2*a[k][y - 3][x + 2] for k, y, x];
}
`

// TestLineProducts has lines of images start at products of 32 bits on GPUs, and on these alone.
func TestLineProducts(t *testing.T) {
	a, err := pixels.New(types.Scalar(types.I32), 3, 7, 37)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Words() {
		a.SetWord(i, types.Int(int64(i*i%1009)))
	}
	args := imgc.Args{Images: map[string]*pixels.Image{"a": a}}
	for arch, want := range map[string]bool{"nvidia-h200": true, "generic-gpu": true, "pocl-avx512": false, "": false} {
		t.Run(arch, func(t *testing.T) {
			options := imgc.Options{Mode: imgc.Strict}
			if arch != "" {
				if options.Arch, err = imgc.OpenArchitecture(arch); err != nil {
					t.Fatal(err)
				}
			}
			p := harness.CompileWith(t, "lined.img", lined, options)
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(kernels.Output.Source, "imgc_line("); got != want {
				t.Errorf("imgc_line is there: %v\n%s", got, kernels.Output.Source)
			}
			expected := harness.Interpret(t, p, "p", args)
			got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, got.Images, got.Scalars, expected, harness.Bound{})
		})
	}
}
