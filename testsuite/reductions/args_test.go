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

// Places of extremes, which items find by blocks: with many that are as good, with infinities and NaN, in images of nothing else, of a part and of lines.
const places = `
pipeline most(in src: u8[H][W], out at: i32x2, out least: i32x2) {
    at = argmax(src);
    least = argmin(src);
}

pipeline few(in src: u8[H][W], out at: i32x2) {
    at = argmax(src[y][x] / 64 for (y, x) over src);
}

pipeline inner(in src: i16[H][W], out at: i32x2) {
    at = argmin(src[y][x] for y in 1:H, x in 2:W);
}

pipeline words(in src: i32[H][W], out at: i32x2, out last: i32x2) {
    at = argmin(src[y][x] & 3 for (y, x) over src);
    last = argmax(src[H - 1 - y][x] for (y, x) over src);
}

pipeline floats(in src: f32[H][W], out at: i32x2, out least: i32x2, out some: i32x2, out none: i32x2) {
    at = argmax(src);
    least = argmin(sqrt(src[y][x]) for (y, x) over src);
    some = argmax(x + y < H + W - 3 ? sqrt(-1 - abs(src[y][x])) : src[y][x] for (y, x) over src);
    none = argmin(sqrt(-1 - abs(src[y][x])) for (y, x) over src);
}

pipeline of_lines(in src: u8[H][W], out at: i32[H]) {
    at = [argmax(src[y][x] & 7 for x in 0:W) for y];
}
`

// byBlocks has groups share reductions in blocks wherever a stage lets them.
func byBlocks(size, abreast int, item [2]int, seen map[string]bool) func(string, *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		for _, d := range []schedule.Decisions{{Place: schedule.Join, Reduce: size, Abreast: abreast, Item: item, Vector: 16}, {Reduce: size}} {
			if lower.Refuse(s, d, imgc.Strict) == "" {
				seen[pipeline] = seen[pipeline] || d.Item[0] > 0
				return d
			}
		}
		return schedule.Decisions{}
	}
}

func TestPlacesByBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size, abreast int
		item          [2]int
	}{{64, 0, [2]int{16, 4}}, {8, 2, [2]int{4, 2}}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			seen := map[string]bool{}
			p := harness.CompileWith(t, "places.img", places, imgc.Options{Mode: imgc.Strict, Decide: byBlocks(c.size, c.abreast, c.item, seen)})
			built := harness.BuildPlain(t, p)
			for _, q := range p.Pipelines {
				if !seen[q.Name] {
					t.Errorf("%s: no group takes blocks", q.Name)
				}
				for _, size := range [][2]int{{2, 3}, {5, 32}, {37, 53}, {40, 160}, {1100, 48}} {
					placesOf(t, p, built, q, size)
				}
			}
		})
	}
}

// placesOf runs a pipeline on an image that lies so that blocks can be loaded, and on one that does not.
func placesOf(t *testing.T, p *imgc.Program, built *device.Program, q *imgc.Pipeline, size [2]int) {
	args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, q.Param("src").Type, size[:]...)}}
	want := harness.Interpret(t, p, q.Name, args)
	for _, layout := range []device.Layout{{}, {Pad: 1, Offset: 7}} {
		t.Run(fmt.Sprintf("%s/%dx%d/%d", q.Name, size[0], size[1], layout.Pad), func(t *testing.T) {
			got, err := built.Run(context.Background(), q.Name, device.Args(args), layout)
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, got.Images, got.Scalars, want, harness.Bound{})
		})
	}
}
