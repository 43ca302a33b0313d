package scans

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/imagefile"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// banded are scans along rows that are no linear recurrences, or read more than the pixels of a line: images that end before the scan does, other rows,
// windows, several images and kinds, statements and functions, a part of the columns, and what only some of the sizes have.
const banded = `pipeline smooth(in src: f32[H][W], out dst: f32[H][W]) {
    image a: f32[H][W] = src;
    iterate (y, x) over a scan(x) border clamp
        a[y][x] = 0.25*a[y][x] + 0.75*a[y][x-1];
    iterate (y, x) over a scan(-x) border clamp
        a[y][x] = 0.25*a[y][x] + 0.75*a[y][x+1];
    dst = a;
}

pipeline runs(in src: u8[H][W], out length: u16[H][W]) {
    iterate (y, x) over length scan(x) border constant(0)
        length[y][x] = src[y][x] > 100 ? u16(length[y][x-1] + 1) : u16(0);
}

pipeline errors(in src: i16[H][W], out dst: i16[H][W], out rest: f32[H][W]) {
    iterate (y, x) over dst scan(-x) border reflect {
        var v = f32(src[y][x]) + 0.5*rest[y][x+1] - 0.25*rest[y][x+2];
        if (v > 30) { v = sqrt(v); }
        for (k in 0:3) v += f32(max(src[y][x-1 : 3])) / (k + 2);
        dst[y][x] = sat<i16>(v);
        rest[y][x] = v - f32(dst[y][x+1]);
    }
}

pipeline narrower(in src: i32[H][W], in other: i32[H - 1][W - 3], inout d: i32[H][W]) {
    assume(H >= 2 && W >= 4);
    iterate (y, x) over d scan(x) border(d: repeat, src: clamp)
        d[y][x] = (x < W - 3 && y > 0 ? other[y-1][x] : d[y][x]) + d[y][x-3] ^ src[y+1][x];
}

pipeline colours(in src: f32x3[H][W], in flags: bool[H][W], out seen: bool[H][W], inout d: f32x3[3][H][W]) {
    iterate (z, y, x) over d scan(x) border reflect101 {
        let v = d[z][y][x-1];
        d[z][y][x] = flags[y][x] ? src[y][x] : max(d[z][y][x], 0.5*v + 0.125*d[z][y][x-4]);
    }
    iterate (y, x) over seen scan(-x) border constant(false)
        seen[y][x] = seen[y][x+1] != flags[y][x];
}

pipeline part(in src: f64[H][W], inout d: f16[2:H + 2][W]) {
    iterate (y in 1:H, x in 2:W - 1) border clamp scan(x)
        d[y+1][x] = f16(src[y-1][x] - f64(d[y+1][x-1]));
    iterate (y in H - 1:-1:-2, x in 0:W) border clamp scan(-x)
        d[y+2][x] = f16(f32(d[y+2][x+1]) / 2 + f32(d[y+2][x]));
}

pipeline levels(in src: f32[H][W], inout d: f32[H][W]) {
    pyramid g: f32[H][W] border reflect levels 3;
    g[0] = d;
    traverse (g) {
        iterate (y, x) over g[0] scan(x) g[0][y][x] = max(g[0][y][x], 0.75*g[0][y][x-1] + 0.5*g[0][y][x-2]);
        if (!g.bottom) iterate (y, x) over g[+1] scan(-x) g[+1][y][x] = g[0][2*y][2*x] - g[+1][y][x+1];
        descend;
        if (!g.bottom) iterate (y, x) over g[0] g[0][y][x] += g[+1][y/2][x/2];
    }
    d = g[0];
}
`

// bands has groups take lines by bands wherever a stage allows it, with accesses of some widths.
func bands(lines, columns, items int, mode imgc.Mode, seen map[string]int) imgc.Options {
	return imgc.Options{Mode: mode, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Band: [3]int{lines, columns, items}, Vector: lines & 12}
		if lower.Refuse(s, d, mode) != "" {
			return schedule.Decisions{}
		}
		seen[pipeline+"."+s.Name]++
		return d
	}}
}

var bandShapes = [][3]int{{4, 8, 4}, {2, 16, 16}, {8, 4, 32}, {1, 32, 8}, {16, 32, 32}}

// TestBands has groups of some shapes run scans by bands.
func TestBands(t *testing.T) {
	for i, c := range bandShapes {
		sizes := [][]int{{2, 4}, {3, 5}, {5, 33}, {19, 67}, {18, 64}, {5, 80}, {7, 48}}
		if i == 0 {
			sizes = append(sizes, []int{2, 32}, []int{17, 4})
		}
		runBands(t, c, sizes, harness.BuildPlain)
	}
}

func runBands(t *testing.T, c [3]int, sizes [][]int, build func(testing.TB, *imgc.Program) *device.Program) {
	seen := map[string]int{}
	p := harness.CompileWith(t, "banded.img", banded, bands(c[0], c[1], c[2], imgc.Strict, seen))
	built := build(t, p)
	for _, name := range []string{"smooth.a_2", "smooth.a_3", "runs.length", "errors.dst", "narrower.d", "colours.d", "colours.seen", "part.d", "part.d_2"} {
		if seen[name] == 0 {
			t.Errorf("%s has no bands of %v", name, c)
		}
	}
	for _, q := range p.Pipelines {
		for i, s := range sizes {
			t.Run(fmt.Sprintf("%v/%s/%dx%d", c, q.Name, s[0], s[1]), func(t *testing.T) {
				args := bandArgs(t, q.Name, s[0], s[1])
				want := harness.Interpret(t, p, q.Name, bandArgs(t, q.Name, s[0], s[1]))
				layout := []device.Layout{{}, {Pad: 3, Offset: 5}, {Pad: 16, Offset: 32}}[i%3]
				r, err := built.Run(context.Background(), q.Name, device.Args(args), layout)
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			})
		}
	}
}

func bandArgs(t *testing.T, pipeline string, h, w int) imgc.Args {
	images := map[string]*pixels.Image{}
	in := func(name, elem string, extent ...int) {
		e, ok := types.Parse(elem)
		if !ok {
			t.Fatal(elem)
		}
		images[name] = harness.Input(pipeline+name, harness.Random, e, extent...)
	}
	in("src", map[string]string{"smooth": "f32", "runs": "u8", "errors": "i16", "narrower": "i32", "colours": "f32x3", "part": "f64", "levels": "f32"}[pipeline], h, w)
	switch pipeline {
	case "narrower":
		in("other", "i32", h-1, w-3)
		in("d", "i32", h, w)
	case "colours":
		in("flags", "bool", h, w)
		in("d", "f32x3", 3, h, w)
	case "levels":
		in("d", "f32", h, w)
	case "part":
		in("d", "f16", h, w)
	}
	return imgc.Args{Images: images}
}

// TestBandsInCUDA runs scans by bands as CUDA's kernels, each access of which is looked at.
func TestBandsInCUDA(t *testing.T) {
	host, seen := harness.WatchedCUDA(t), map[string]int{}
	p := harness.CompileWith(t, "banded.img", banded, bands(4, 16, 32, imgc.Strict, seen))
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	demo := host.Build(t, project, nil, "src/banded.c", "demo/main.c", "demo/image.c")
	for _, q := range []struct {
		name string
		out  []string
	}{{"smooth", []string{"dst"}}, {"runs", []string{"length"}}, {"errors", []string{"dst", "rest"}}} {
		for _, s := range [][]int{{1, 1}, {5, 64}, {6, 37}} {
			args, dir := bandArgs(t, q.name, s[0], s[1]), t.TempDir()
			want := harness.Interpret(t, p, q.name, bandArgs(t, q.name, s[0], s[1]))
			path := func(name string) string { return filepath.Join(dir, name+".npy") }
			if err := imagefile.Write(path("src"), args.Images["src"], imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			command := []string{q.name, path("src")}
			for _, name := range q.out {
				command = append(command, path(name))
			}
			harness.Command(t, dir, demo, command...)
			for _, name := range q.out {
				got, err := harness.ReadArray(path(name), want.Images[name])
				if err == nil {
					err = harness.Compare(got, want.Images[name], harness.Bound{})
				}
				if err != nil {
					t.Errorf("%s %v, %s: %v", q.name, s, name, err)
				}
			}
		}
	}
}

// bandedLines is recurrences along the last axis, in both directions.
func bandedLines() (s suite) {
	for i, r := range recurrences {
		s.add(r, axes[2], 1, i%2 == 0, []int{1, 1}, []int{3, 2}, []int{9, 70})
		s.add(r, axes[3], 2, i%2 == 1, []int{2, 5, 33})
	}
	return s
}

// TestBandsOfRecurrences has groups take the lines of recurrences as wholes, which are then the same to the bit.
func TestBandsOfRecurrences(t *testing.T) {
	s, seen := bandedLines(), map[string]int{}
	p := harness.CompileWith(t, "bands.img", s.text, bands(2, 16, 8, imgc.Strict, seen))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(kernels.Output.Source, "reqd_work_group_size(8, 1, 1)"); got != 2*len(p.Pipelines) { // for lines that start at vectors, and for others
		t.Errorf("%d of %d scans are run by bands", got, len(p.Pipelines))
	}
	s.compare(t, p, harness.BuildPlain(t, p), imgc.Strict)
}

// TestBandRefusals are scans that have no bands.
func TestBandRefusals(t *testing.T) {
	for _, c := range []struct{ body, why string }{
		{"iterate (y, x) over d scan(y) border clamp d[y][x] = d[y-1][x] + src[y][x];", "not pixels of its own in lines of images along the scan"},
		{"iterate (y, x) over d border clamp d[y][x] = src[y][x];", "it is no scan"},
		{"iterate (y, x) over d scan(x) border clamp d[y][x] = x > 0 ? max(d[y-1 : 3][x-1]) : src[y][x];", "touch pixels together"},
		{"iterate (y, x) over d scan(x) where (src[y][x] > 0) border clamp d[y][x] += d[y][x-1];", "leaves out instances"},
		{"iterate (y, x) over d scan(x) border clamp { if (src[y][x] > 3) { d[y][x] = d[y][x-1]; } }", "under conditions"},
		{"iterate (y, x) over d scan(x) border clamp d[y][x] = d[y][x+1] + src[y][x];", "behind it"},
		{"iterate (y, x) over d scan(x) border clamp d[y][x] = d[y][x-5] + src[y][x];", "more instances before"},
		{"iterate (y, x) over d scan(x) border clamp d[y][x] = max(d[y][x-1 : 3]);", "elsewhere than on its line"},
		{"iterate (y in 0:H, x in 0:W:2) scan(x) border clamp d[y][x] = d[y][x-2];", "from pixel to pixel"},
	} {
		why := harness.Refused(t, "pipeline refused(in src: i32[H][W], inout d: i32[H][W]) {\n    "+c.body+"\n}\n", schedule.Decisions{Band: [3]int{4, 8, 4}})
		if !strings.Contains(why, c.why) {
			t.Errorf("%s is refused since %q, want %q", c.body, why, c.why)
		}
	}
}
