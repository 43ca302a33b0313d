package rotate_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp/interptest"
	"imgc/optimize/finest"
	"imgc/optimize/fuse"
	"imgc/optimize/rotate"
	"imgc/optimize/schedule"
	"imgc/sema/sematest"
)

const head = "border ends(s[M][N]) { s[*][+1] = 2*s[*][N - 1]; } else clamp\npipeline p(in src: i32[H][W] border clamp, in n: i32 = 3, out dst: i32[H][W]) {\n" +
	"pyramid g: i32[H][W] border clamp levels n; pyramid s: i32[H][W] border reflect101 levels n; g[0] = src;\ntraverse (g, s) {\n"
const tail = "\n}\ndst = g[0]; }"

// smooth and up are what the traverses do at a level before they descend, and behind that.
const (
	smooth = `s[0] = [g[0][y][x - 1] + 2*g[0][y][x] + g[0][y + 1][x] for y, x]; `
	up     = `descend; if (!g.bottom) g[0] = [s[0][y][x] - 3*g[+1][y/2][x/2] for y, x]; `
)

// bodies are those of traverses.
var bodies = []struct{ name, body string }{
	{"the next one of a smoothed level", `if (!g.top) g[0] = [s[-1][2*y - 1][2*x] + s[-1][2*y][2*x + 1] for y, x]; ` + smooth + up},
	{"two stages of the next level", `if (!g.top) { s[0] = [g[-1][2*y][2*x] for y, x]; g[0] = [s[-1][2*y][2*x] + s[0][y][x] for y, x]; } ` + smooth + up},
	{"two conditions", `if (!g.top) g[0] = [s[-1][2*y][2*x] + g.level for y, x]; if (!s.top) s[0] = [g[0][y][x] for y, x]; ` + smooth + up},
	{"done by itself", smooth + `if (!g.bottom) g[+1] = [s[0][2*y - 1][2*x] + s[0][2*y][2*x + 1] for y, x]; ` + up},
	{"done by itself, of some levels", smooth + `if (g.level == 1 && !g.bottom) g[+1] = [s[0][2*y][2*x] for y, x]; ` + up},
	{"values and images of each level", `let k = 2*g.level + 1; image d: i32[g[0].height][g[0].width] border clamp; if (!g.top) g[0] = [s[-1][2*y][2*x] for y, x];
		d = [g[0][y][x] * k for y, x]; s[0] = [d[y][x - k] + g[0][y][x] for y, x]; descend; g[0] = [d[y][x] + s[0][y][x] for y, x];`},
	{"a loop before", `if (!g.top) g[0] = [s[-1][2*y][2*x] for y, x]; for (r in 0 : g.level + 1) g[0] = [3*g[0][y][x] + r for y, x]; ` + smooth + up},
}

func TestResultsStayTheSame(t *testing.T) {
	for _, c := range bodies {
		p := sematest.Program(t, head+c.body+tail)
		before := hast.Dump(p)
		for _, from := range []*hast.Program{p, finest.Program(p, always)} {
			out := rotate.Program(from, always)
			if err := hast.Verify(out); err != nil {
				t.Fatalf("%s: %v\n%s", c.name, err, hast.Dump(out))
			}
			if !strings.Contains(hast.Dump(out), " rotated") {
				t.Errorf("%s: stays as it is: %s", c.name, rotate.Refuse(from.Pipelines[0], finest.Traverses(from.Pipelines[0])[0]))
			}
			for _, n := range []int{1, 2, 3, 5, 32} {
				for _, size := range [][2]int{{1, 1}, {1, 6}, {7, 12}} {
					if got, want := interptest.Result(t, out.Pipelines[0], n, size), interptest.Result(t, p.Pipelines[0], n, size); got != want {
						t.Fatalf("%s, n = %d, %v: %s, want %s\n%s", c.name, n, size, got, want, hast.Dump(out))
					}
				}
			}
		}
		if hast.Dump(p) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
	}
}

func always(*hast.Pipeline, *hast.Traverse, func() *hast.Pipeline) bool { return true }

// TestALevelAndTheNextOneAreOneStage once they are beside each other.
func TestALevelAndTheNextOneAreOneStage(t *testing.T) {
	for _, c := range bodies[:4] {
		p := rotate.Program(sematest.Program(t, head+c.body+tail), always).Pipelines[0]
		q, refused := fuse.Apply(p, fuse.Options{Unroll: 64}, func(s *hast.Stage) (d schedule.Decisions) {
			if strings.HasPrefix(s.Name, "s") && !strings.Contains(s.Name, "_") {
				d.Place = schedule.Kept
			}
			return d
		})
		if strings.HasPrefix(c.name, "two") {
			continue // s is written twice, or last by what the next level begins with
		}
		together := false
		hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) { together = together || len(s.Fused) == 1 })
		if !together {
			t.Errorf("%s: %v\n", c.name, refused)
		}
	}
}

func TestTraversesThatStayAsTheyAre(t *testing.T) {
	const halve = `if (!g.top) g[0] = [s[-1][2*y][2*x] for y, x]; `
	for _, c := range []struct{ name, body, want string }{
		{"several descents", halve + smooth + `descend 2;`, "its traverse descends several times at a level"},
		{"under a condition", halve + smooth + `if (n > 2) descend;`, "its traverse has others inside, or does not descend once, whatever its conditions"},
		{"no next level", smooth + up, "its traverse does nothing of the next level by itself: neither before it descends, nor where that begins"},
		{"nothing beside", halve + up, "what its traverse does right before it descends has nothing to do with what it does of the next level"},
		{"some levels", `if (g.level == 2) g[0] = [s[-1][2*y][2*x] for y, x]; ` + smooth + up, "not all levels but the finest begin with the same"},
		{"values of a level", `let k = g.level; if (!g.top) g[0] = [s[-1][2*y][2*x] + k for y, x]; ` + smooth + up, "g_2 takes values that each level has of its own"},
		{"a formula", `if (!g.top) { iterate (y, x) over g[0] border(s: ends) g[0][y][x] = s[-1][2*y][2*x + 1]; } ` + smooth + up, "g_2 reads under a border by formula, which is for one image"},
		{"more than stages", `if (!g.top) { for (r in 0 : 2) g[0] = [s[-1][2*y][2*x] + r for y, x]; } ` + smooth + up, "its traverse begins with more than stages"},
	} {
		p := sematest.Program(t, head+c.body+tail).Pipelines[0]
		if got := rotate.Refuse(p, finest.Traverses(p)[0]); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
