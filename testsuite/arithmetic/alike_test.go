package arithmetic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// alike are masks whose rows or columns are alike, and one that has none; together is whether pixels of a row are added up before they are multiplied.
var alike = []struct {
	name, pixel, sum string
	together         bool
}{
	{"columns", "f32", "convolve(tilted, src[y][x])", true},
	{"rows", "f32", "convolve(sideways, src[y][x])", false},
	{"both", "f32", "convolve(gauss, src[y][x])", true},
	{"neither", "f32", "convolve(uneven, src[y][x])", false},
	{"box", "f32", "sum(src[y - 3 : 7][x - 3 : 7])", true},
	{"vector", "f32x3", "convolve(gauss, src[y][x])", true},
	{"squares", "f32", "sum(src[y + v][x + u] * src[y + v][x + u] * 0.5 for v in -3:4, u in -2:3)", true},
	{"differences", "f32", "sum((src[y + v][x + u] - 3) * gauss[v + 5][u + 5] for v in -5:6, u in -5:6)", true},
}

func alikeProgram() string {
	var b strings.Builder
	b.WriteString("mask gauss: f32[11][11] = [exp(-(y*y + x*x) / 18.0) / 50 for y in -5:6, x in -5:6];\n")
	b.WriteString("mask tilted: f32[9][9] = [exp(-(x*x + 7*y + 30) / 30.0) for y in -4:5, x in -4:5];\n")
	b.WriteString("mask sideways: f32[9][9] = [exp(-(y*y + 7*x + 30) / 30.0) for y in -4:5, x in -4:5];\n")
	b.WriteString("mask uneven: f32[9][9] = [exp(-(x*x / 7.0 + 3*x + 7*y + 60) / 30.0) for y in -4:5, x in -4:5];\n")
	for _, a := range alike {
		fmt.Fprintf(&b, "pipeline %s(in src: %s[H][W], out dst: %s[H][W]) {\n    iterate (y, x) over dst border clamp\n        dst[y][x] = %s;\n}\n", a.name, a.pixel, a.pixel, a.sum)
	}
	return b.String()
}

// TestRowsAlikeInFastMode compares sums by rows, written out and in a loop, in fast mode with the interpreter's.
func TestRowsAlikeInFastMode(t *testing.T) {
	exact := harness.Compile(t, "alike.img", alikeProgram(), imgc.Strict)
	for _, d := range []schedule.Decisions{
		{Tile: [2]int{16, 8}, Item: [2]int{4, 4}, Vector: 16, Stream: 2, Unroll: 121},
		{Tile: [2]int{16, 32}, Item: [2]int{4, 32}, Vector: 16, Stream: 1, Rolled: 64, Unroll: 121},
	} {
		t.Run(fmt.Sprint("stream/", d.Stream), func(t *testing.T) {
			p := harness.CompileWith(t, "alike.img", alikeProgram(), imgc.Options{Mode: imgc.Fast, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
				if why := lower.Refuse(s, d, kir.Fast); why != "" {
					t.Errorf("%s: %s", pipeline, why)
				}
				return d
			}})
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			built := harness.BuildPlain(t, p)
			for _, a := range alike {
				_, body, _ := strings.Cut(kernels.Output.Source, "__kernel void "+a.name+"_dst(")
				body, _, _ = strings.Cut(body, "__kernel")
				if got := strings.Contains(body, " together ="); got != a.together {
					t.Errorf("%s: pixels are added up before they are multiplied: %v, want %v", a.name, got, a.together)
				}
				pipeline, err := p.Pipeline(a.name)
				if err != nil {
					t.Fatal(err)
				}
				args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, pipeline.Param("src").Type, 45, 70)}}
				want := harness.Interpret(t, exact, a.name, args).Images["dst"]
				got, err := built.Run(context.Background(), a.name, device.Args(args), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(got.Images["dst"], want, harness.Bound{Rel: 1e-4, Abs: 1e-2}); err != nil {
					t.Errorf("%s: %v", a.name, err)
				}
			}
		})
	}
}
