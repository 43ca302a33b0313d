package updates

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
	"imgc/types"
)

// Lines of pixels that one instance alone updates: some that nothing has touched before, which start as zeros; some that the caller has filled, or that no
// instance has; by several updates, under conditions, by extremes and by a func; with lines along each axis.
const keptPrograms = `commutative func most(a: i32x2, b: i32x2): i32x2 { return i32x2(max(a.x, b.x), a.y + b.y); }

pipeline grid(in src: f32[H][W] border clamp, out means: f32x2[n][(H + 3)/4 + 1][(W + 3)/4 + 1], in n: i32 = 11) {
    assume(n >= 1 && n <= 100);
    let h = (H + 3)/4 + 1;
    let w = (W + 3)/4 + 1;
    image cells: f32x2[n][h][w];
    iterate (y in 0:h, x in 0:w)
        for (i in 0:4)
            for (j in 0:4) {
                let v = src[4*y + i - 2][4*x + j - 2];
                cells[clamp(sat<i32>(v), 0, n - 1)][y][x] += f32x2(v, 1);
            }
    iterate (z, y, x) over means means[z][y][x] = cells[z][y][x];
}

pipeline counts(in src: u8[H][W], inout rows: u16[H][256]) {
    iterate (y in 0:H)
        for (x in 0:W) {
            rows[y][src[y][x]] += 1;
            if (x % 3 == 0) { rows[y][255 - i32(src[y][x])] += 2; }
        }
}

pipeline columns(in src: u8[H][W], inout found: i32x2[W + 3][9]) {
    iterate (x in 0:W) where (src[0][x] % 5 != 0)
        for (y in 0:H) found[x + 2][src[y][x] % 9] = fold(most, found[x + 2][src[y][x] % 9], i32x2(src[y][x], y));
}

pipeline skipping(in src: i16[H][W], out found: i32[7][H][W]) {
    iterate (y in 1:H, x in 0:W) border(found: skip)
        for (i in 0:3) found[src[y][x] % 11 - 2 + i][y - 1][x] max= src[y][x];
}

pipeline first(in src: u8[H][W], inout d: f64[-3 : 5][H]) {
    iterate (y in 0:H)
        for (x in 0:W) d[src[y][x] % 8 - 3][y] += f64(src[y][x]) / 3;
}

pipeline again(in src: u8[H][W], out total: u8[H][W][4]) {
    image parts: u8[H][W][4];
    for (i in 0:3)
        iterate (y in 0:H, x in 0:W)
            parts[y][x][(src[y][x] + i) % 4] += src[y][x];
    total = parts;
}
`

// keeping has items keep so many pixels wherever a stage allows it, in groups of some shapes.
func keeping(count int, seen map[string]bool) imgc.Options {
	return imgc.Options{Mode: imgc.Strict, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
		for _, tile := range [][2]int{{8, 4}, {32, 0}} {
			d := schedule.Decisions{Keep: count, Tile: tile}
			if lower.Refuse(s, d, kir.Strict) == "" {
				seen[pipeline] = true
				return d
			}
		}
		return schedule.Decisions{}
	}}
}

func keptArgs(pipeline string, h, w int) imgc.Args {
	in := func(name string, t types.Type) *pixels.Image { return harness.Input(name, harness.Random, t, h, w) }
	images := map[string]*pixels.Image{}
	switch pipeline {
	case "grid":
		images["src"] = in("src", types.Scalar(types.F32))
	case "counts":
		images["src"], images["rows"] = in("src", types.Scalar(types.U8)), before("rows", types.Scalar(types.U16), h, 256)
	case "columns":
		images["src"], images["found"] = in("src", types.Scalar(types.U8)), before("found", types.Vector(types.I32, 2), w+3, 9)
	case "skipping":
		images["src"] = in("src", types.Scalar(types.I16))
	case "first":
		images["src"], images["d"] = in("src", types.Scalar(types.U8)), before("d", types.Scalar(types.F64), 8, h)
	default:
		images["src"] = in("src", types.Scalar(types.U8))
	}
	return imgc.Args{Images: images}
}

// TestKeptPixels runs updates of an instance's own pixels with as many kept at a time as there are, fewer, and more.
func TestKeptPixels(t *testing.T) {
	t.Parallel()
	for _, count := range []int{1, 3, 4, 11, 16} {
		runAllKept(t, count, sizes, harness.BuildPlain)
	}
}

// runAllKept runs all programs with so many pixels kept.
func runAllKept(t *testing.T, count int, sizes [][]int, build func(testing.TB, *imgc.Program) *device.Program) {
	seen := map[string]bool{}
	p := harness.CompileWith(t, "kept.img", keptPrograms, keeping(count, seen))
	built := build(t, p)
	for _, q := range p.Pipelines {
		if !seen[q.Name] {
			t.Errorf("%s keeps no %d pixels", q.Name, count)
		}
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%d/%s/%dx%d", count, q.Name, s[0], s[1]), func(t *testing.T) { runKept(t, p, built, q.Name, s[0], s[1]) })
		}
	}
}

func runKept(t *testing.T, p *imgc.Program, built *device.Program, pipeline string, h, w int) {
	args := keptArgs(pipeline, h, w)
	want := harness.Interpret(t, p, pipeline, copied(args))
	r, err := built.Run(context.Background(), pipeline, device.Args(copied(args)), device.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
}

// TestKeptPixelsAreNotCleared looks at who clears images: the items where all lines are theirs and nothing has been there before, else the library.
func TestKeptPixelsAreNotCleared(t *testing.T) {
	p := harness.CompileWith(t, "kept.img", keptPrograms, keeping(4, map[string]bool{}))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	cleared := map[string]bool{"cells": false, "parts": true}
	for _, q := range kernels.Program.Pipelines {
		for _, m := range q.Locals {
			if want, ok := cleared[m.Name]; ok && m.Zero != want {
				t.Errorf("%s is cleared: %v, want %v", m.Name, m.Zero, want)
			}
		}
	}
}

// TestKeptRefusals are stages whose instances do not update lines of their own, or more than that.
func TestKeptRefusals(t *testing.T) {
	for _, c := range []struct{ body, why string }{
		{"iterate (y in 0:H, x in 0:W) d[y][x][0] += src[y][x];", "no data chooses"},
		{"iterate (y in 0:H, x in 0:W) d[y][src[y][x] % 5][0] += src[y][x];", "update pixels that no two instances share"},
		{"iterate (y in 0:H) for (x in 0:W) { d[y][src[y][x] % 5][0] += 1; d[y][src[y][x] % 7][1] += 1; }", "several lines"},
		{"iterate (y in 0:H) for (x in 0:W) { d[y][src[y][x] % 5][src[y][x] % 3] += 1; }", "several axes"},
		{"iterate (y in 0:H/2) for (x in 0:W) { d[2*y][src[y][x] % 5][0] += 1; }", "several axes"},
	} {
		why := harness.Refused(t, "pipeline refused(in src: u8[H][W], inout d: i32[H][W + 8][4]) {\n    "+c.body+"\n}\n", schedule.Decisions{Keep: 4})
		if !strings.Contains(why, c.why) {
			t.Errorf("%s is refused since %q, want %q", c.body, why, c.why)
		}
	}
}
