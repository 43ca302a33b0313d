package scans

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

// inPlace are scans that read what they write: of which images old pixels are read ahead.
var inPlace = []struct {
	name, body string
	ahead      string // images, of d and c
}{
	{"second", "iterate (y, x) over d scan(-y) border constant(9) d[y][x] = min(d[y][x], d[y+1][x] + 1);", "d"},
	{"named", "iterate (y, x) over d scan(y) border clamp { let old = d[y][x] * 3; d[y][x] = old - d[y-1][x] / 2 + src[y][x]; }", "d"},
	{"rows", "iterate (y, x) over d scan(x) border clamp d[y][x] = d[y][x] - d[y][x-1] / 2;", "d"},
	{"update", "iterate (y, x) over d scan(y) border clamp d[y][x] += d[y-1][x] / 3;", "d"},
	{"twice", "iterate (y, x) over d scan(y) border clamp { d[y][x] = d[y][x] - d[y-1][x] / 2; c[y][x][1] = d[y][x]; }", ""},
	{"later", "iterate (y, x) over d scan(y) border clamp { d[y][x] = src[y][x] - d[y-1][x] / 2; c[y][x][1] = d[y][x] + c[y][x][2]; }", "c"},
	{"again", "iterate (y, x) over d scan(y) border clamp { d[y][x] = d[y][x] - d[y-1][x] / 2; if (src[y][x] > 0) d[y][x] = 3; }", ""},
	{"maybe", "iterate (y, x) over d scan(y) border clamp { let old = d[y][x]; if (src[y][x] > 0) d[y][x] = old - d[y-1][x] / 2; }", "d"},
	{"both", "iterate (y, x) over d scan(y) border constant(5) d[y][x] = d[y-1][x] / 2 - d[y+1][x] + d[y][x];", "d"},
	{"last", "iterate (y, x) over d scan(y) border clamp d[y][x] = d[y-1][x] / 2 - d[y+1][x];", "d"},
	{"last_after", "iterate (y, x) over d scan(y) border clamp { d[y][x] = d[y-1][x] / 2 - src[y][x]; c[y][x][1] = d[y+1][x]; }", ""},
	{"mirrored", "iterate (y, x) over d scan(y) border reflect101 d[y][x] = d[y-1][x] / 2 - d[y+1][x];", ""},
	{"around", "iterate (y, x) over d scan(-y) border repeat d[y][x] = d[y+1][x] / 2 - d[y-1][x];", ""},
	{"strides", "iterate (y in 1:H-3:2, x in 0:W) scan(y) d[y+1][x] = d[y+1][x] - d[y+2][x] + d[y-1][x] / 2;", "d"},
	{"down", "iterate (y in H-2:0:-1, x in 0:W) scan(y) d[y][x] = d[y][x] - d[y-1][x] / 3 + d[y+1][x] / 2;", "d"},
	{"downwards", "iterate (y in H-2:0:-1, x in 0:W) scan(-y) d[y][x] = d[y][x] - d[y-1][x] / 3 + d[y+1][x] / 2;", "d"},
	{"short", "iterate (y, x) over d scan(y) border clamp for (k in 0:4) c[y][x][k] = c[y][x][k] - c[y-1][x][k] / 2;", "c"},
	{"before", "iterate (y, x) over d scan(y) border clamp { let all = c[y][x][0:4]; for (k in 0:4) c[y][x][k] = max(all) - c[y-1][x][k] / 2; }", "c"},
	{"first", "iterate (y, x) over d scan(y) border clamp for (k in 0:4) c[y][x][k] = c[y][x][0] - c[y-1][x][k] / 2;", ""},
	{"window", "iterate (y, x) over d scan(y) border clamp for (k in 0:4) c[y][x][k] = max(c[y][x][0:4]) - c[y-1][x][k] / 2;", ""},
	{"rounds", "iterate (y, x) over d scan(y) border clamp for (r in 0:2) for (k in 0:4) c[y][x][k] = c[y][x][k] * 3 - c[y-1][x][k] / 2;", ""},
	{"late", "iterate (y, x) over d scan(y) border clamp for (k in 0:4) { c[y][x][k] = src[y][x] - c[y-1][x][k] / 2; d[y][x] = c[y][x][k]; }", ""},
	{"one", "iterate (y, x) over d scan(y) { d[0][x] = d[0][x] * 3 + src[y][x]; }", ""},
	{"runs", `image e: u16[H][W][8] border constant(4);
    iterate (y, x, k) over e e[y][x][k] = u16(src[y][x] >> k & 4095);
    iterate (y, x) over src scan(y) { let least = min(e[y-1][x][0:8]); for (k in 0:8) e[y][x][k] = u16(e[y][x][k] + e[y-1][x][k] - least); }
    d = [sum(e[y][x][0:8]) for y, x];`, ""},
	{"diagonal", "iterate (y in 0:min(H, W)) scan(y) border constant(1) d[y][y] = d[y][y] - d[y-1][y-1] / 2;", "d"},
}

// inPlaceText is the program of them all.
func inPlaceText() string {
	var text strings.Builder
	for _, c := range inPlace {
		fmt.Fprintf(&text, "pipeline %s(in src: i32[H][W], inout d: i32[H][W], inout c: i32[H][W][4]) {\n    assume(H >= 3);\n    %s\n}\n", c.name, c.body)
	}
	return text.String()
}

func TestAheadInPlace(t *testing.T) {
	for _, n := range []int{1, 3, 4} {
		p := harness.CompileWith(t, "in_place.img", inPlaceText(), steppers(n, imgc.Strict, map[string]int{}))
		kernels, err := p.OpenCL()
		if err != nil {
			t.Fatal(err)
		}
		source := map[string]string{}
		for _, text := range strings.Split(kernels.Output.Source, "kernel void ")[1:] {
			name, _, _ := strings.Cut(text, "(")
			source[name] += text
		}
		if n > 1 && !strings.Contains(source["runs_e_2"], "imgc_store_u16x8(e") {
			t.Error("runs are not stored at once")
		}
		built := harness.BuildPlain(t, p)
		for _, c := range inPlace {
			text := ""
			for name, s := range source {
				if strings.HasPrefix(name, c.name+"_d") || strings.HasPrefix(name, c.name+"_c") {
					text += s
				}
			}
			for _, m := range []string{"d", "c"} {
				if got, want := strings.Contains(text, " "+m+"_ahead["), strings.Contains(c.ahead, m); text == "" || got != want {
					t.Errorf("%s: %s is read ahead: %v, want %v", c.name, m, got, want)
				}
			}
			for _, s := range [][2]int{{3, 5}, {4, 33}, {9, 17}, {24, 6}, {31, 2}} {
				t.Run(fmt.Sprintf("%d/%s/%dx%d", n, c.name, s[0], s[1]), func(t *testing.T) {
					want := harness.Interpret(t, p, c.name, inPlaceArgs(c.name, s[0], s[1]))
					r, err := built.Run(context.Background(), c.name, device.Args(inPlaceArgs(c.name, s[0], s[1])), device.Layout{})
					if err != nil {
						t.Fatal(err)
					}
					harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
				})
			}
		}
	}
}

func inPlaceArgs(name string, h, w int) imgc.Args {
	e := types.Scalar(types.I32)
	return imgc.Args{Images: map[string]*pixels.Image{
		"src": harness.Input(name+"src", harness.Random, e, h, w),
		"d":   harness.Input(name+"d", harness.Random, e, h, w),
		"c":   harness.Input(name+"c", harness.Random, e, h, w, 4),
	}}
}
