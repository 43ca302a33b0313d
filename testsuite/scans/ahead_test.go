package scans

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// stepped are scans whose items keep what a step has stored for the next one, and read ahead what several need: in both directions along all axes, from and to a
// part of an image, with border rules that say what stands before the first step, of pixels, vectors and short axes; and with what must not be taken for the
// pixel before: other lines, older pixels, the pixel as it was, other rules, and what only some steps come to.
const stepped = `pipeline down(in src: f32[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst scan(y) border(dst: constant(2.5))
        dst[y][x] = src[y][x] + sqrt(abs(dst[y-1][x]));
}

pipeline up(in src: u8x3[H][W], in other: f32[H][W], out dst: u8x3[H][W]) {
    iterate (y, x) over dst scan(-y) border clamp {
        let before = y + 1;
        dst[y][x] = u8x3(src[y-1][x] ^ dst[before][x] + i32(other[y][x+2] * 100));
    }
}

pipeline ways(in src: i32[H][W][8], inout way: i32[H][W][8], out least: i32[H][W]) {
    iterate (y, x) over least scan(x) border(way: constant(3)) {
        let before = way[y][x-1][0:8];
        let low = min(before);
        least[y][x] = low;
        for (d in 0:8) {
            var best = before[d] - low;
            if (d > 0) best min= before[d-1] - low + 1;
            way[y][x][d] = src[y][x][d] / 4 + best;
        }
    }
}

pipeline five(in src: u8[H][W][5], inout way: u8[H][W][5]) {
    iterate (y in 0:H, x in 0:W) scan(-y) border(way: clamp) {
        let before = way[y+1][x][1:4];
        for (d in 0:5)
            way[y][x][d] = u8(max(src[y][x][d], d > 0 && d < 4 ? before[d-1] : way[y+1][x][d]) - 1);
    }
}

pipeline runs(in src: u8[H][W], out dst: u8[H][W]) {
    image cost: i32[H][W][8];
    image way: i32[H][W][8] border constant(0);
    image small: u8[H][W][16] border constant(9);
    iterate (y, x, d) over cost cost[y][x][d] = abs(src[y][x] - 32*d);
    along: iterate (y, x) over dst scan(-x) {
        let least = min(way[y][x+1][0:8]);
        for (d in 0:8) way[y][x][d] = cost[y][x][d] + min(way[y][x+1][d] - least, 40 + d);
    }
    bytes: iterate (y, x) over dst scan(y) {
        let least = max(small[y-1][x][0:16]);
        for (d in 0:16) small[y][x][d] = u8(way[y][x][d / 2] - least + d);
    }
    dst = [u8(min(small[y][x][0:16]) + min(way[y][x][0:8])) for y, x];
}

pipeline mixed(in src: i16[H][W], inout a: i32[H][W], out b: i32[H][W]) {
    assume(H >= 3);
    iterate (y, x) over a scan(y) border(a: reflect101, b: constant(1), src: repeat) {
        let old = a[y][x];
        b[y][x] = a[y-1][x] - b[y-1][x] + src[y-2][x+1];
        a[y][x] = old + a[y-2][x] + b[y][x] * 3 + a[y-1][x] + src[y][x];
        if (src[y][x] > 100) { b[y][x] = 7; }
    }
}

pipeline part(in src: f64[H][W], inout d: f64[2:H + 2][W]) {
    assume(H >= 2);
    iterate (y in 1:H, x in 0:W) border clamp scan(y)
        d[y+1][x] = src[y-1][x] - d[y][x] / 2;
    iterate (y in H + 1:2:-1, x in 0:W) border clamp scan(y)
        d[y][x] = d[y+1][x] / 2 + d[y][x];
    iterate (y in 2:H + 2, x in 0:W) border(d: repeat) scan(y)
        d[y][x] = max(d[y-1][x], 0.25 * src[y-2][x]);
}

pipeline empty(in src: f32[H][W], in none: i32, inout d: f32[H][W]) {
    iterate (y in none:H, x in 0:W) border clamp scan(y)
        d[y][x] = src[y][x] * 0.5 - d[y-1][x];
}
`

// steppers has items read so many steps ahead wherever a stage allows it.
func steppers(n int, mode imgc.Mode, seen map[string]int) imgc.Options {
	return imgc.Options{Mode: mode, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Ahead: n}
		if n == 0 || lower.Refuse(s, d, mode) != "" {
			return schedule.Decisions{}
		}
		seen[pipeline+"."+s.Name]++
		return d
	}}
}

// TestAhead has items read some steps ahead, and none.
func TestAhead(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 8} {
		runAhead(t, n, [][]int{{3, 5}, {4, 33}, {9, 67}, {24, 6}, {31, 2}}, harness.BuildPlain)
	}
}

func runAhead(t *testing.T, n int, sizes [][]int, build func(testing.TB, *imgc.Program) *device.Program) {
	seen := map[string]int{}
	p := harness.CompileWith(t, "stepped.img", stepped, steppers(n, imgc.Strict, seen))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{"dst_before", "way_before[8]", "way_before[5]", "small_before[16]", "a_before", "d_before"} {
		if !strings.Contains(kernels.Output.Source, " "+kept) {
			t.Errorf("no item keeps %s", kept)
		}
	}
	for _, name := range []string{"down.dst", "up.dst", "ways.least", "five.way", "runs.along", "mixed.b", "part.d", "part.d_3", "empty.d"} {
		if n > 0 && seen[name] == 0 {
			t.Errorf("%s does not read %d steps ahead: %v", name, n, seen)
		}
	}
	if n > 0 && !strings.Contains(kernels.Output.Source, "imgc_load_i32x4(cost + cost_y_x, cost_ahead[") {
		t.Error("no run of components is read ahead")
	}
	if !strings.Contains(kernels.Output.Source, "imgc_store_u8x16(small + small_y_x, small_now)") {
		t.Error("no run of components is stored at once")
	}
	built := build(t, p)
	for _, q := range p.Pipelines {
		for i, s := range sizes {
			t.Run(fmt.Sprintf("%d/%s/%dx%d", n, q.Name, s[0], s[1]), func(t *testing.T) {
				want := harness.Interpret(t, p, q.Name, steppedArgs(t, q.Name, s[0], s[1]))
				layout := []device.Layout{{}, {Pad: 3, Offset: 5}, {Pad: 16, Offset: 32}}[i%3]
				r, err := built.Run(context.Background(), q.Name, device.Args(steppedArgs(t, q.Name, s[0], s[1])), layout)
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			})
		}
	}
}

func steppedArgs(t *testing.T, pipeline string, h, w int) imgc.Args {
	args := imgc.Args{Images: map[string]*pixels.Image{}}
	in := func(name, elem string, extent ...int) {
		e, ok := types.Parse(elem)
		if !ok {
			t.Fatal(elem)
		}
		args.Images[name] = harness.Input(pipeline+name, harness.Random, e, extent...)
	}
	switch pipeline {
	case "down":
		in("src", "f32", h, w)
	case "up":
		in("src", "u8x3", h, w)
		in("other", "f32", h, w)
	case "ways":
		in("src", "i32", h, w, 8)
		in("way", "i32", h, w, 8)
	case "runs":
		in("src", "u8", h, w)
	case "five":
		in("src", "u8", h, w, 5)
		in("way", "u8", h, w, 5)
	case "mixed":
		in("src", "i16", h, w)
		in("a", "i32", h, w)
	case "part":
		in("src", "f64", h, w)
		in("d", "f64", h, w)
	case "empty":
		in("src", "f32", h, w)
		in("d", "f32", h, w)
		args.Scalars = map[string]types.Value{"none": types.Of(types.I32, types.Int(int64(h-h%2)))}
	}
	return args
}

// TestAheadOfRecurrences has items take lines as wholes that could be cut into chunks, but for those that read nothing ahead.
func TestAheadOfRecurrences(t *testing.T) {
	s := bandedLines()
	p := harness.CompileWith(t, "wholes.img", s.text, steppers(4, imgc.Contract, map[string]int{}))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	if n, all := strings.Count(kernels.Output.Source, "_ahead[4]"), len(p.Pipelines); n < all-5 {
		t.Errorf("%d of %d scans read ahead", n, all)
	}
	s.compare(t, p, harness.BuildPlain(t, p), imgc.Contract)
}

// TestAheadRefusals are stages that read nothing ahead.
func TestAheadRefusals(t *testing.T) {
	for _, c := range []struct{ body, why string }{
		{"iterate (y, x) over d border clamp d[y][x] = src[y][x];", "it is no scan"},
		{"iterate (y, x) over d scan(x) border clamp d[y][x] = x > 0 ? max(d[y-1 : 3][x-1]) : src[y][x];", "touch pixels together"},
		{"iterate (y, x) over d scan(y) border clamp d[y][x] = 3 - d[y-1][x];", "read nothing that is known"},
		{"iterate (y, x) over d scan(y) border clamp d[y][x] = d[y-1][x] + src[d[y-1][x]][x];", "read nothing that is known"},
		{"iterate (y, x) over d scan(y) border clamp d[y][x] = d[y-1][x] > 3 ? src[y][x] : 1;", "read nothing that is known"},
		{"iterate (y, x) over d scan(y) border clamp d[y][x] = d[y-1][x] + sum(src[y-3 : 7][x-3 : 7]);", "read nothing that is known"},
	} {
		why := harness.Refused(t, "pipeline refused(in src: i32[H][W], inout d: i32[H][W]) {\n    "+c.body+"\n}\n", schedule.Decisions{Ahead: 4})
		if !strings.Contains(why, c.why) {
			t.Errorf("%s is refused since %q, want %q", c.body, why, c.why)
		}
	}
}
