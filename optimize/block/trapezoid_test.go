package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
)

// What a scan reads of steps before says how far groups have to reach; what depends on none of them can be computed early.
func TestScansAreCutIntoTrapezoids(t *testing.T) {
	for _, c := range []struct {
		name, body                   string
		reach                        [2]int
		depth, states, ahead, handed int
	}{
		{"a sum", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] + c[y-1][x-1] / 2;", [2]int{1, 0}, 1, 1, 1, 1},
		{"a window", "iterate (y, x) over c border clamp scan(-y) c[y][x] = y < H - 1 ? min(c[y+1][x-1 : 4]) : 0;", [2]int{1, 2}, 1, 1, 0, 0},
		{"two steps back", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = c[y-2][x+3] + c[y-1][x];", [2]int{0, 3}, 2, 1, 0, 0},
		{"lets", "iterate (y, x) over c border constant(0) scan(y) { let left = x - 1; let near = a[y][x] + a[y][left]; let before = c[y-1][left]; c[y][x] = near + before; }", [2]int{1, 0}, 1, 1, 2, 1},
		{"under a condition", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = c[y-1][x-1] > 0 ? a[y][x] : 0;", [2]int{1, 0}, 1, 1, 0, 0},
		{"a condition that is known early", "iterate (y, x) over c border constant(0) scan(y) { var now: i32 = 0; if (x > y) { let v = a[y][x] + c[y-1][x-1]; now = v * a[y][x]; } c[y][x] = now; }", [2]int{1, 0}, 1, 1, 2, 2},
		{"pixels under a condition are read before anything is computed with them", "iterate (y, x) over c border constant(0) scan(y) { var now: i32 = 0; if (x > y) { now = c[y-1][x-1] + a[y][x] * a[y][x+1]; } c[y][x] = now; }", [2]int{1, 0}, 1, 1, 2, 1},
		{"a choice that is known early", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = min(a[y][x] > 3 ? 0 : 9, c[y-1][x-1]);", [2]int{1, 0}, 1, 1, 1, 1},
		{"the condition of one that is not", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] > 3 ? 0 : c[y-1][x-1];", [2]int{1, 0}, 1, 1, 1, 1},
		{"what a variable begins with, and what another image gets", "iterate (y, x) over c border constant(0) scan(y) { var now = a[y][x]; if (x > y) now = c[y-1][x-1]; c[y][x] = now; d[y][x] = a[y][x]; }", [2]int{1, 0}, 1, 1, 2, 2},
		{"two images", "iterate (y, x) over c border constant(0) scan(y) { c[y][x] = d[y-1][x-1]; d[y][x] = c[y-1][x+1] + a[y][x] * 3; }", [2]int{1, 1}, 1, 2, 1, 1},
	} {
		p := sematest.Program(t, "pipeline p(in a: i32[H][W], inout c: i32[H][W], inout d: i32[H][W]) { "+c.body+" }")
		x, why := block.AnalyzeTrapezoid(p.Pipelines[0].Steps[0].(*hast.Stage))
		if why != "" {
			t.Errorf("%s: %s", c.name, why)
			continue
		}
		if got := [4]int{x.Depth, len(x.States), len(x.Ahead), len(x.Handed())}; x.Reach != c.reach || got != [4]int{c.depth, c.states, c.ahead, c.handed} {
			t.Errorf("%s: reach is %d; depth, states, ahead and handed are %v", c.name, x.Reach, got)
		}
	}
}
