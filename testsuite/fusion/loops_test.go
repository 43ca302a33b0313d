package fusion

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
	"imgc/types"
)

// inLoops are pipelines with loops of the host: in place, of two colours, of several stages, decided by what is the same in all rounds and by what is not,
// downwards, of lines and of planes, and loops that a group cannot run.
const inLoops = `
pipeline colours(inout u: f32[H][W], in f: f32[H][W], in n: i32) {
    for (i in 0:n)
        for (colour in 0:2)
            iterate (y, x) over u border clamp where ((y + x) % 2 == colour)
                u[y][x] = (u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1] - f[y][x]) / 4;
}
pipeline either(inout u: i32[K][H][W], in n: i32, in other: bool) {
    image next: i32[K][H][W];
    for (i in -2:n)
        if (other) {
            iterate (k, y, x) over u where ((y + x + i) % 2 == 0) u[k][y][x] = u[k][y][x] + i * k;
        } else {
            iterate (k, y, x) over next border clamp next[k][y][x] = u[k][y-1][x] - u[k][y+1][x] + 3 * u[k][y][x-1] + i;
            swap(u, next);
        }
}
pipeline stages(inout u: i32[H][W], in n: i32, in more: bool) {
    image a: i32[H][W+1];
    image b: i32[W];
    for (i in n:-1:-1) {
        iterate (y, x) over a border clamp a[y][x] = u[y][x-1] + 2 * u[y][x] + i;
        if (more)
            iterate (x) over b b[x] = a[H-1][x+1] - a[0][x];
        else
            b = i;
        iterate (y, x) over u u[y][x] = a[y][x+1] - b[x];
    }
}
pipeline lines(inout w: i32[N], in n: i32) {
    for (i in 0:n)
        for (j in 0:2)
            iterate (x) over w border clamp where (x % 2 == j) w[x] = w[x-1] * i - w[x+1] + j;
}
pipeline kinds(inout b: bool[H][W], inout c: u8[H][W], inout d: i16[W], inout e: f32x2[H][W], in n: i32) {
    for (i in 0:n) {
        iterate (y, x) over b border clamp where ((x + y) % 2 == i % 2) b[y][x] = b[y][x] != (c[y][x] > 99);
        iterate (y, x) over c c[y][x] = u8(c[y][x] * 3 + (b[y][x] ? 1 : 0));
        iterate (x) over d d[x] = i16(d[x] - c[H-1][x]);
    }
    for (i in 0:n)
        iterate (y, x) over e e[y][x] = e[y][x].yx / 2 + f32(d[x]);
}
border edge(s[M][N]) {
    s[-1][*] = 2*s[0][*] + 1;
    s[+1][*] = s[M-1][*] - 3;
} else clamp
pipeline formulas(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W];
    for (i in 0:n) {
        next = [u[y-1][x] + u[y+2][x-3] + i for y, x] border edge;
        swap(u, next);
    }
}
pipeline viewed(inout u: i32[H][W], in n: i32) {
    image m: i32[H][W] = u;
    view v = m[0 : 1];
    for (i in 0:n)
        iterate (y, x) over v v[y][x] = u[y][x] + i;
    u = m;
}
pipeline turned(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W];
    for (i in 0:n) {
        for (j in 0:3) {
            next = [u[y][x-1] + j for y, x] border clamp;
            swap(u, next);
        }
        next = u;
    }
}
pipeline decided(inout u: i32[H][W], in n: i32) {
    for (i in 0:n) {
        if (i % 2 == 0)
            iterate (y, x) over u u[y][x] = u[y][x] * 3;
        iterate (y, x) over u u[y][x] = u[y][x] - i;
    }
}
pipeline summed(inout u: i32[H][W], in n: i32) {
    image total: i32[2] = 0;
    for (i in 0:n) {
        iterate (y, x) over u total[u[y][x] & 1] += u[y][x];
        iterate (y, x) over u u[y][x] = u[y][x] - total[0] + total[1];
    }
}
pipeline added(inout u: i32[H][W], in n: i32) {
    image total: i32[1] = 0;
    for (i in 0:n) {
        iterate (y, x) over u total[0] += u[y][x]; // a reduction
        iterate (y, x) over u u[y][x] = u[y][x] - total[0];
    }
}
`

// byOneGroup are the pipelines with a loop that a group can run.
var byOneGroup = map[string]bool{
	"colours": true, "either": true, "stages": true, "lines": true, "kinds": true, "viewed": true, "formulas": true, "turned": true, "decided": false, "summed": false, "added": true,
	"nearest": true, "bytes": true, "mirrored": true, "outside": true, "vectors": true, "halves": true, "flows": true, "across": true, "counted": true,
	"kept": true, "shown": true, "parts": true,
}

// TestLoopsOfOneGroup has groups of several sizes run loops, where images are small, and launches where they are not.
func TestLoopsOfOneGroup(t *testing.T) {
	for _, way := range [][2]int{{1, 100}, {32, 1 << 20}, {96, 500}, {256, 1 << 20}} {
		t.Run(fmt.Sprint(way), func(t *testing.T) {
			loopsUnder(t, "loops.img", inLoops, way)
			loopsUnder(t, "rounds.img", inRounds, way)
		})
	}
}

func loopsUnder(t *testing.T, name, text string, way [2]int) {
	opts := imgc.Options{Mode: imgc.Strict, Decide: func(string, *hast.Stage) schedule.Decisions {
		return schedule.Decisions{Place: schedule.Root, Loops: way}
	}}
	p := harness.CompileWith(t, name, text, opts)
	built := harness.BuildPlain(t, p)
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{} // pipelines with a loop that a group runs
	for _, k := range kernels.Program.Kernels {
		if strings.HasSuffix(k.Name, "_loop") {
			run[k.Name[:strings.Index(k.Name, "_")]] = true
		}
	}
	for _, q := range p.Pipelines {
		if run[q.Name] != byOneGroup[q.Name] {
			t.Errorf("%s has a loop that a group runs: %v", q.Name, run[q.Name])
		}
		for rounds := range 6 {
			size := [][2]int{{1, 1}, {2, 37}, {13, 61}}[rounds%3]
			args := arguments(q, size)
			args.Scalars = map[string]types.Value{"n": types.Of(types.I32, types.Int(int64(rounds)))}
			for _, s := range q.Params {
				if !s.IsImage && s.Name != "n" {
					args.Scalars[s.Name] = types.Of(types.Bool, types.Truth(rounds/2%2 == 1))
				}
			}
			t.Run(fmt.Sprint(q.Name, size, rounds), func(t *testing.T) { equal(t, p, built, q.Name, args, layouts[rounds%2]) })
		}
	}
}

// TestLoopsThatNoGroupRuns has a schedule ask for what the loops do not allow.
func TestLoopsThatNoGroupRuns(t *testing.T) {
	for pipeline, c := range map[string]struct{ stage, why string }{
		"decided": {"u_2", "what it does depends on the round"},
		"summed":  {"u", "updates pixels that instances share"},
	} {
		schedule := &imgc.Text{Name: "loops_schedule.img", Text: fmt.Sprintf("schedule %s { %s: loops(64, 100); }", pipeline, c.stage)}
		result, err := imgc.Check(context.Background(), "loops.img", inLoops, imgc.Options{Schedule: schedule})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := diag.Text(&text, result.Diagnostics, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if want := "cannot be the last one of a loop that a work-group runs: "; !strings.Contains(text.String(), want) || !strings.Contains(text.String(), c.why) {
			t.Errorf("%s: want %q, got %s", pipeline, want+c.why, text.String())
		}
	}
}
