package pyramids

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/diag"
	"imgc/hast"
	"imgc/imagefile"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// small are pipelines with a traverse whose coarse levels a group can compute: on the way down, on the way up and both, of several pyramids, of planes, of
// levels that are divided by other than two, with images of each level, values of levels, conditions, finer levels and those far away.
const small = `
import "std/pyramid.img";

pipeline detail(in src: f32[H][W], out dst: f32[H][W], in depth: i32) {
    pyramid g: f32[H][W] levels depth;
    pyramid l: f32[H][W] levels depth;
    g[0] = src;
    traverse (g, l) {
        if (!g.top) reduce2(g[-1], g[0]);
        descend;
        if (!g.bottom) {
            expand2_subtract(g[0], g[+1], l[0]);
            l[0] = [1.5 * l[0][y][x] for y, x];
            expand2_add(g[+1], l[0], g[0]);
        }
    }
    dst = g[0];
}
pipeline gauss(in src: f32[H][W], out dst: f32[H][W], in depth: i32) {
    pyramid g: f32[(H + 1)/2][(W + 1)/2] levels depth;
    traverse (g) {
        if (g.top) reduce2(src, g[0]);
        else reduce2(g[-1], g[0]);
        descend;
        if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y/2][x/2] for y, x];
    }
    dst = [g[0][y/2][x/2] for y, x];
}
pipeline planes(in src: i32[H][W], out dst: i32[H][W], in depth: i32) {
    pyramid g: i32[3][H][W] border reflect levels depth scale (1, 3, 2);
    iterate (c in 0:3, y in 0:H, x in 0:W) g[0][c][y][x] = src[y][x] % 1000 + 10*c;
    traverse (g) {
        if (!g.top) iterate (c, y, x) over g[0] g[0][c][y][x] = sum(g[-1][c][3*y-1 : 3][2*x : 2]) % 10007 + g.level;
        descend;
        if (!g.bottom && g.level != 1) iterate (c, y, x) over g[0] g[0][c][y][x] = g[0][c][y][x] + g[+1][c][y/3][x/2] * g[0].width;
    }
    dst = [sum(g[0][c][y][x] for c in 0:3) for y, x];
}
pipeline own(in src: i32[H][W], out dst: i32[H][W], in depth: i32) {
    pyramid g: i32[H][W] border clamp levels depth;
    pyramid h: u8[W] levels depth;
    g[0] = src;
    h[0] = 7;
    traverse (g, h) {
        image kept: i32[g[0].height][g[0].width] = g[0];
        if (!g.bottom) {
            image wide: i32[g[0].height][g[0].width + 1];
            iterate (y, x) over wide border clamp wide[y][x] = g[0][y][x] - g[0][y][x-1];
            g[+1] = [wide[2*y][2*x] + g.level for y, x];
            h[+1] = [u8(h[0][2*x] + x) for x];
            descend;
            iterate (y, x) over g[0] where (x % 2 == 0) g[0][y][x] = kept[y][x] + g[+1][y/2][x/2] * h[+1][x/2];
        }
        iterate (y, x) over g[0] where (y % 2 == 0) g[0][y][x] = 2 * g[0][y][x] + h[0][x];
    }
    dst = g[0];
}
pipeline far(in src: i32[H][W], out dst: i32[H][W], in depth: i32) {
    pyramid g: i32[H][W] border clamp levels depth;
    for (n in 0:2) {
        g[0] = [src[y][x] + n for y, x];
        traverse (g) {
            if (!g.top) g[0] = [g[-1][2*y][2*x] + g[-1][2*y+1][2*x] for y, x];
            if (g.level > 1) g[0] = [g[0][y][x] + g[-2][y][x] for y, x];
            descend;
            if (g.level + 2 < g.levels) g[0] = [g[0][y][x] + g[+2][y/4][x/4] - g[+1][y/2][x/2] for y, x];
        }
    }
    dst = g[0];
}
`

// decided has a group compute coarse levels of each traverse that it may.
func decided(way [3]int) func(string, *hast.Stage) schedule.Decisions {
	return func(string, *hast.Stage) schedule.Decisions {
		return schedule.Decisions{Place: schedule.Root, Coarse: way}
	}
}

// compileCoarse compiles a program so, and says which pipelines have a launch for coarse levels.
func compileCoarse(t *testing.T, name, text string, way [3]int) (p *imgc.Program, together map[string]bool) {
	t.Helper()
	p = harness.CompileWith(t, name, text, imgc.Options{Mode: imgc.Strict, Decide: decided(way)})
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	together = map[string]bool{}
	for _, k := range kernels.Program.Kernels {
		if strings.HasSuffix(k.Name, "_coarse") {
			together[k.Name[:strings.Index(k.Name, "_")]] = true
		}
	}
	return p, together
}

// planeArgs are arguments for pipelines of one image and a number of levels.
func planeArgs(q *imgc.Pipeline, h, w, depth int) imgc.Args {
	a := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{"depth": types.Of(types.I32, types.Int(int64(depth)))}}
	for _, p := range q.Params {
		if p.IsImage && p.Takes() {
			a.Images[p.Name] = harness.Input(q.Name, harness.Random, p.Type, h, w)
		}
	}
	return a
}

// planeSizes are extents and numbers of levels: one level, levels that are all small, some of them, none, that end at one pixel before the last one, and more
// than are written out.
var planeSizes = [][3]int{{1, 1, 1}, {5, 7, 1}, {5, 7, 2}, {13, 61, 3}, {37, 18, 4}, {64, 64, 7}, {9, 9, 9}, {1, 100, 5}, {70, 51, 12}, {33, 40, 2}}

// TestCoarseLevelsOfOneGroup has groups of several sizes compute levels of several sizes and numbers.
func TestCoarseLevelsOfOneGroup(t *testing.T) {
	for _, way := range [][3]int{{1, 100, 3}, {32, 1 << 20, 7}, {96, 500, 4}, {256, 1 << 20, 2}, {1024, 4096, 5}} {
		p, together := compileCoarse(t, "small.img", small, way)
		built := harness.BuildPlain(t, p)
		for _, q := range p.Pipelines {
			if !together[q.Name] {
				t.Errorf("%s has no launch for coarse levels", q.Name)
			}
			for i, size := range planeSizes {
				t.Run(fmt.Sprint(way, q.Name, size), func(t *testing.T) {
					args := planeArgs(q, size[0], size[1], size[2])
					want := harness.Interpret(t, p, q.Name, args)
					got, err := built.Run(context.Background(), q.Name, device.Args(args), []device.Layout{{}, {Pad: 3, Offset: 5}}[i%2])
					if err != nil {
						t.Fatal(err)
					}
					harness.CompareAll(t, got.Images, got.Scalars, want, harness.Bound{})
				})
			}
		}
	}
}

// TestCoarseLevelsInProjects runs generated host code: for OpenCL, and for CUDA on the host, where accesses and races are looked at.
func TestCoarseLevelsInProjects(t *testing.T) {
	p, _ := compileCoarse(t, "small.img", small, [3]int{64, 300, 3})
	t.Run("OpenCL", func(t *testing.T) {
		harness.Device(t)
		demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
		coarseOnDemo(t, p, demo, nil)
	})
	t.Run("CUDA", func(t *testing.T) {
		host := harness.WatchedCUDA(t)
		project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
		demo := host.Build(t, project, nil, "src/small.c", "demo/main.c", "demo/image.c")
		coarseOnDemo(t, p, demo, nil)
		coarseOnDemo(t, p, demo, []string{"--graph", "--bench", "1", "--together", "2"})
	})
}

// coarseOnDemo holds what a demo program with some flags makes of images of several sizes against the interpreter's.
func coarseOnDemo(t *testing.T, p *imgc.Program, demo string, flags []string) {
	t.Helper()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
	for _, q := range p.Pipelines {
		for _, size := range [][3]int{{5, 7, 1}, {5, 7, 4}, {41, 18, 3}, {33, 20, 7}} {
			args := planeArgs(q, size[0], size[1], size[2])
			if err := imagefile.Write(from, args.Images["src"], imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			want := harness.Interpret(t, p, q.Name, args).Images["dst"]
			harness.Command(t, dir, demo, append(slices.Clone(flags), "--set", fmt.Sprintf("depth=%d", size[2]), q.Name, from, to)...)
			got, err := harness.ReadArray(to, want)
			if err == nil {
				err = harness.Compare(got, want, harness.Bound{})
			}
			if err != nil {
				t.Errorf("%s of %v: %v", q.Name, size, err)
			}
		}
	}
}

// TestProgramsWithCoarseLevels runs the programs with pyramids of all sorts, of some of which a group can compute coarse levels.
func TestProgramsWithCoarseLevels(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			compiled, _ := compileCoarse(t, p.name+".img", p.text, [3]int{64, 20, 3})
			built := harness.BuildPlain(t, compiled)
			for _, n := range p.sizes {
				want := harness.Interpret(t, compiled, p.name, p.args(n))
				r, err := built.Run(context.Background(), p.name, device.Args(p.args(n)), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			}
		})
	}
}

// TestCoarseLevelsThatNoGroupComputes has a schedule ask for what traverses do not allow.
func TestCoarseLevelsThatNoGroupComputes(t *testing.T) {
	for _, c := range []struct{ name, body, why string }{
		{"a loop", "for (k in 0:3) g[0] = [g[0][y][x] + 1 for y, x]; descend;", "does more than run stages and descend"},
		{"a value", "let k = 3 * g.level; descend; g[0] = k;", "does more than run stages and descend"},
		{"two turns", "descend 2; g[0] = 1;", "descends several times at a level"},
		{"no way down", "g[0] = 1;", "does not descend once"},
		{"a sum", "descend; iterate (y, x) over g[0] s[clamp(g[0][y][x], 0, 8)] += 1;", "updates pixels that instances share"},
		{"one level", "descend; g[0] = h[1][0][0];", "h[1] is one level, whichever is at hand"},
		{"a quotient", "descend; if (9 / n > g.level) g[0] = 1;", "might not be there"},
	} {
		text := "pipeline p(inout u: i32[H][W], inout s: i32[9], in n: i32) { pyramid g: i32[H][W] levels 3; pyramid h: i32[H][W] levels 3; h[1] = 0; g[0] = u; traverse (g) { " + c.body + " } u = g[0]; }"
		last := "g_2" // the first one of the traverse, which is the last one
		if c.name == "a sum" {
			last = "s"
		}
		asked := &imgc.Text{Name: "coarse_schedule.img", Text: fmt.Sprintf("schedule p { %s: coarse(64, 100, 3); }", last)}
		result, err := imgc.Check(context.Background(), "coarse.img", text, imgc.Options{Schedule: asked})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := diag.Text(&out, result.Diagnostics, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "cannot be") || !strings.Contains(out.String(), c.why) {
			t.Errorf("%s: want %q, got %s", c.name, c.why, out.String())
		}
	}
}
