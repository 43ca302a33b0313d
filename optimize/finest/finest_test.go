package finest_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp/interptest"
	"imgc/optimize/finest"
	"imgc/optimize/fuse"
	"imgc/sema/sematest"
)

const head = "pipeline p(in src: i32[H][W] border clamp, in n: i32 = 3, out dst: i32[H][W]) {\n"

// pyramids are bodies of pipelines with one traverse.
var pyramids = []struct{ name, body string }{
	{"down and up", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x + 1] + g[-1][2*y - 1][2*x] for y, x]; descend; if (!g.bottom) g[0] = [3*g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"a number that is known", `pyramid g: i32[H][W] border reflect101 levels 3; g[0] = [2*src[y][x] + x for y, x];
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x - 3] for y, x]; descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][(y + 1)/2][x/2] for y, x]; }
		dst = [g[0][y][x + 1] + g[0][y][x] for y, x] border repeat;`},
	{"two pyramids, of which one is filled on the way up", `pyramid g: i32[H][W] border clamp levels n; pyramid o: i32[H][W] border constant(5) levels n; g[0] = [src[y][x] & 255 for y, x];
		traverse (g, o) { if (!g.top) g[0] = [max(g[-1][2*y : 2][2*x : 2]) for y, x]; descend;
			if (o.bottom) o[0] = g[0]; else o[0] = [g[0][y][x] + o[+1][y/2 - 1][x/2] for y, x]; }
		dst = [o[0][y][x] ^ g[0][y][x] for y, x];`},
	{"what the finest level alone does", `pyramid g: i32[H][W] border clamp levels n;
		traverse (g) { if (g.top) g[0] = [src[y][x + 1] for y, x]; else g[0] = [g[-1][2*y][2*x] + g.level for y, x]; descend;
			if (g.top) g[0] = [g[0][y][x] + 1000 for y, x]; if (!g.bottom) g[0] = [g[0][y][x] + g.levels * g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"images and values of each level", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
		traverse (g) { let k = 2*g.level + 1; if (!g.top) { g[0] = [g[-1][2*y][2*x] + k for y, x]; }
			image d: i32[g[0].height][g[0].width] border clamp = [g[0][y][x] * k for y, x];
			descend;
			let m = k + n; if (!g.bottom) g[0] = [d[y][x - m] + g[+1][y/2][x/2] for y, x]; else g[0] = [d[y - 1][x] for y, x]; }
		dst = g[0];`},
	{"levels that are named outside", `pyramid g: i32[H][W] border clamp levels 4; g[0] = src; g[1] = [src[2*y][2*x] for y, x]; g[3] = [7 for y, x]; g[2] = [y*x for y, x];
		traverse (g) { descend; if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y/2][x/2] for y, x]; }
		dst = [g[0][y][x] + g[2][y/4][x/4] + g[1][y/2][x/2] for y, x];`},
	{"a loop at each level", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x] for y, x]; descend; for (r in 0 : g.level + 1) g[0] = [g[0][y][x] * 3 + r for y, x]; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"in a loop", `pyramid g: i32[H][W] border clamp levels n; dst = src;
		for (r in 0 : 3) { g[0] = [dst[y][x] + r for y, x];
			traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x] for y, x]; descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
			dst = [g[0][y][x] + 1 for y, x]; }`},
	{"values of the finest level", `pyramid g: i32[H][W] border clamp levels n; g[0] = src; let m = max(g[0]); g[0] = [g[0][y][x] + m for y, x];
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x] for y, x]; descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		let k = min(g[0]); dst = [g[0][y][x] + k for y, x];`},
	{"values that the host waits for", `pyramid g: i32[H][W] border clamp levels n; g[0] = src; var m = max(g[0]); if (m > 500) m = 500; g[0] = [g[0][y][x] + m for y, x];
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x] for y, x]; descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		if (min(g[0]) < 0) dst = [0 - g[0][y][x] for y, x]; else dst = g[0];`},
	{"pixels that nothing writes", `pyramid g: i32[H][W] border clamp levels n; iterate (y, x) over g[0] where (src[y][x] % 2 == 0) g[0][y][x] = src[y][x];
		traverse (g) { if (!g.top) g[0] = [g[-1][2*y][2*x] for y, x]; descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"an image of a finer level's extents", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
		traverse (g) { if (!g.top) { image rows: i32[g[-1].height][g[0].width] = [g[-1][y][2*x] + g[-1][y][2*x + 1] for y, x];
				g[0] = [rows[2*y][x] - rows[2*y + 1][x] for y, x] border clamp; }
			descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"images of finer levels' extents, of a number of levels that is known", `pyramid g: i32[H][W] border clamp levels 4; g[0] = src;
		traverse (g) { if (!g.top) { image both: i32[g[-1].height][g[-1].width] border clamp = [g[-1][y][x] * 3 for y, x];
				image columns: i32[g[0].height][g[-1].width] = [both[2*y][x] + both[2*y - 1][x] for y, x];
				g[0] = [columns[y][2*x] - columns[y][2*x + 1] for y, x] border clamp; }
			descend; if (!g.bottom) g[0] = [g[0][y][x] - g[+1][y/2][x/2] for y, x]; }
		dst = g[0];`},
	{"thirds, and planes that stay", `pyramid g: i32[2][H][W] border clamp levels n scale (1, 3, 2); iterate (k, y, x) over g[0] g[0][k][y][x] = src[y][x] + k;
		traverse (g) { if (!g.top) g[0] = [g[-1][k][3*y + 1][2*x] for k, y, x]; descend; if (!g.bottom) g[0] = [g[0][k][y][x] + g[+1][1 - k][y/3][x/2] for k, y, x]; }
		dst = [g[0][1][y][x] for y, x];`},
}

func TestResultsStayTheSame(t *testing.T) {
	for _, c := range pyramids {
		stay(t, c.name, c.body, 1)
		stay(t, c.name, c.body, 2)
	}
}

// stay holds a program with so many of its finest levels by themselves against the one that has none.
func stay(t *testing.T, name, body string, finer int) {
	t.Helper()
	p := sematest.Program(t, head+body+" }")
	before := hast.Dump(p)
	out := apart(p, finer)
	if hast.Dump(p) != before {
		t.Errorf("%s: the program has changed", name)
	}
	if err := hast.Verify(out); err != nil {
		t.Errorf("%s, %d: %v\n%s", name, finer, err, hast.Dump(out))
		return
	}
	if !strings.Contains(hast.Dump(out), fmt.Sprintf("below %d finer", finer)) {
		t.Errorf("%s, %d: stays as it is: %s", name, finer, finest.Refuse(p.Pipelines[0], finest.Traverses(p.Pipelines[0])[0]))
		return
	}
	needed := *out
	needed.Pipelines = []*hast.Pipeline{fuse.Needed(out.Pipelines[0])}
	for _, n := range []int{0, 1, 2, 3, 5, 32} {
		for _, size := range [][2]int{{1, 1}, {1, 6}, {2, 2}, {7, 12}, {16, 16}} {
			want := interptest.Result(t, p.Pipelines[0], n, size)
			for _, q := range []*hast.Program{out, &needed} {
				if got := interptest.Result(t, q.Pipelines[0], n, size); got != want {
					t.Errorf("%s, %d, n = %d, %v: %s, want %s\n%s", name, finer, n, size, got, want, hast.Dump(q))
					return
				}
			}
		}
	}
}

// apart is a program with so many of its finest levels by themselves, wherever they can be.
func apart(p *hast.Program, finer int) *hast.Program {
	return finest.Program(p, func(_ *hast.Pipeline, t *hast.Traverse, _ func() *hast.Pipeline) bool { return t.Apart < finer })
}

func TestTraversesThatStayAsTheyAre(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"several descents", `pyramid g: i32[H][W] levels n; g[0] = src; traverse (g) { descend 2; g[0] = [g[0][y][x] + 1 for y, x]; } dst = g[0];`,
			"its traverse descends several times at a level"},
		{"under a condition", `pyramid g: i32[H][W] levels n; g[0] = src; traverse (g) { if (n > 2) descend; g[0] = [g[0][y][x] + 1 for y, x]; } dst = g[0];`,
			"its traverse does not descend once, whatever its conditions"},
		{"one level", `pyramid g: i32[H][W] levels 1; g[0] = src; traverse (g) { descend; g[0] = [g[0][y][x] + 1 for y, x]; } dst = g[0];`, "its traverse has one level"},
		{"two traverses", `pyramid g: i32[H][W] levels n; g[0] = src; traverse (g) { descend; g[0] = [1 for y, x]; } traverse (g) { descend; g[0] = [g[0][y][x] + 1 for y, x]; } dst = g[0];`,
			"another traverse goes through the same levels"},
		{"a finer level behind other steps", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
			traverse (g) { descend; g[0] = [g[0][y][x] + 1 for y, x]; if (!g.top) g[0] = [g[0][y][x] + g[-1][2*y][2*x] for y, x]; } dst = g[0];`,
			"g[-1] is needed elsewhere than where the traverse begins and asks whether there is such a level"},
		{"two levels finer", `pyramid g: i32[H][W] border clamp levels n; g[0] = src;
			traverse (g) { if (g.level > 1) g[0] = [g[-2][4*y][4*x] for y, x]; descend; } dst = g[0];`, "g[-2] is needed elsewhere than where the traverse begins and asks whether there is such a level"},
		{"a swap", `pyramid g: i32[H][W] levels n; pyramid h: i32[H][W] levels n; g[0] = src; traverse (g, h) { h[0] = [g[0][y][x] for y, x]; descend; } swap(g, h); dst = g[0];`,
			"g and h are swapped"},
		{"another inside", `pyramid g: i32[H][W] levels n; pyramid h: i32[H][W] levels 2; g[0] = src; traverse (g) { traverse (h) { h[0] = [1 for y, x]; descend; } g[0] = [g[0][y][x] + 1 for y, x]; descend; } dst = g[0];`,
			"its traverse has others inside"},
	} {
		p := sematest.Program(t, head+c.body+" }").Pipelines[0]
		if got := finest.Refuse(p, finest.Traverses(p)[0]); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
