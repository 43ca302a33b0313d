package reductions

import (
	"context"
	"fmt"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// Reductions of each line and of each column, of which groups take several: neighbours share a line, and have different columns.
const lines = `
pipeline rows(in src: u8[H][W], out total: i32[H], out least: u8[H], out at: i32[H]) {
    iterate (y) over total {
        total[y] = sum(i32(src[y][x]) for x in 0:W);
        least[y] = min(src[y][x] for x in 0:W);
        at[y] = argmax(src[y][x] for x in 0:W);
    }
}

pipeline row_means(in src: f32x2[H][W], out mean: f32x2[H], out odd: f32x2[H]) {
    mean = [mean(src[y][x] for x in 0:W) for y];
    odd = [sum(abs(src[y][x]) for x in 1:W:2) for y];
}

pipeline columns(in src: i16[H][W], out total: i32[W], out most: i16[W], out at: i32[W]) {
    iterate (x) over total {
        total[x] = sum(i32(src[y][x]) for y in 0:H);
        most[x] = max(src[y][x] for y in 0:H);
        at[x] = argmin(src[y][x] for y in 0:H);
    }
}

pipeline product(in a: f32[H][W], in b: f32[H], out c: f32[W]) {
    iterate (x) over c
        c[x] = c0(x) + sum(a[y][x] * b[y] for y in 0:H);
}

pipeline planes(in src: u8[3][H][W], out total: i32[3][H], out down: i32[3][W]) {
    iterate (p, y) over total
        total[p][y] = sum(i32(src[p][y][x]) for x in 0:W);
    iterate (p, x) over down
        down[p][x] = sum(i32(src[p][y][x]) for y in 0:H);
}

func c0(x: i32): f32 = f32(x % 5);
`

// abreast has groups of a size take so many instances wherever a stage lets them.
func abreast(size, instances, width int, seen map[string]bool) func(string, *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		for _, d := range []schedule.Decisions{{Reduce: size, Abreast: instances, Item: [2]int{width}}, {Reduce: size, Abreast: instances}} {
			if lower.Refuse(s, d, imgc.Contract) == "" {
				seen[pipeline] = true
				return d
			}
		}
		return schedule.Decisions{}
	}
}

// extents are those of an image of some axes at a size: planes stay three.
func extents(p *imgc.Param, size [2]int) []int {
	names := map[string]int{"H": size[0], "W": size[1], "3": 3}
	out := make([]int, len(p.Extent))
	for i, e := range p.Extent {
		out[i] = names[e]
	}
	return out
}

// onLines runs the pipelines under a shape of groups, at sizes that leave some of a group without an instance and some items without a point.
func onLines(t *testing.T, size, instances, width int, sizes [][2]int) {
	seen := map[string]bool{}
	p := harness.CompileWith(t, "lines.img", lines, imgc.Options{Mode: imgc.Contract, Decide: abreast(size, instances, width, seen)})
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		if !seen[q.Name] {
			t.Errorf("%s: no group takes %d instances", q.Name, instances)
		}
		for _, n := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", q.Name, n[0], n[1]), func(t *testing.T) {
				args := imgc.Args{Images: map[string]*pixels.Image{}}
				for _, in := range q.Params {
					if in.Dir == "in" {
						args.Images[in.Name] = harness.Input(in.Name, harness.Random, in.Type, extents(in, n)...)
					}
				}
				want := harness.Interpret(t, p, q.Name, args)
				got, err := built.Run(context.Background(), q.Name, device.Args(args), device.Layout{Pad: 1, Offset: 7})
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, got.Images, got.Scalars, want, harness.Bound{Rel: 1e-5, Abs: 1e-3})
			})
		}
	}
}

func TestGroupsTakeSeveralLines(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]int{{64, 4, 4}, {256, 2, 1}, {32, 16, 0}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) { onLines(t, c[0], c[1], c[2], [][2]int{{1, 1}, {5, 130}, {67, 33}, {130, 7}}) })
	}
}

// TestGroupsTakeSeveralLinesUnderOclgrind looks for races between those of a group that share an instance and the others.
func TestGroupsTakeSeveralLinesUnderOclgrind(t *testing.T) {
	t.Parallel()
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedLines there")
	}
	harness.SimulateTest(t, "TestSimulatedLines")
}

// TestSimulatedLines runs in the process that TestGroupsTakeSeveralLinesUnderOclgrind starts.
func TestSimulatedLines(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestGroupsTakeSeveralLinesUnderOclgrind runs it in a process of its own")
	}
	onLines(t, 16, 4, 4, [][2]int{{5, 9}, {10, 6}})
}
