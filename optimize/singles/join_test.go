package singles_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/singles"
	"imgc/sema/sematest"
)

func TestStagesOfOneInstanceAreJoined(t *testing.T) {
	for _, c := range []struct {
		name, params, body string
		want               string // the stages that are left
	}{
		{"a mean", "in a: f32[H][W], out r: f32[1]", "r[0] = mean(a);", "sum_part r"},
		{"scalars of scalars", "in a: f32[H][W], out r: f32", "let m = sum(a); let n = 2*m + 1; r = n * m;", "sum_part r"},
		{"two reductions", "in a: u8[H][W], out r: i32[2]", "r[0] = max(a); r[1] = min(a);", "max_part min_part r_2"},
		{"where a stage needs the first", "in a: f32[H][W], out r: f32[H][W], out s: f32", "let m = sum(a); r = [a[y][x] - m for y, x]; s = m + 1;", "sum_part m r s"},
		{"a stage between that needs nothing", "in a: f32[H][W], out r: f32[H][W], out s: f32", "let m = sum(a); r = [a[y][x] + 1 for y, x]; s = m + 1;", "sum_part r s"},
		{"pixels that are read again", "in a: f32[H][W], inout r: f32[2]", "r[0] = a[0][0]; let m = r[0] + r[1]; r[1] = m;", "r m r_2"},
		{"a var", "in a: f32[H][W], out r: f32", "var m = sum(a); m = m * 2; m = m + 1; r = m;", "sum_part m_2 r"},
		{"in a loop", "in a: f32[H][W], out r: f32, in n: i32 = 3", "var m = sum(a); for (i in 0:n) { let k = m * 2; m = k + 1; } r = m;", "sum_part m k m_2 r"},
	} {
		p := sematest.Program(t, "pipeline p("+c.params+") { "+c.body+" }")
		before := hast.Dump(p)
		out := singles.Join(p)
		if hast.Dump(p) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, hast.Dump(out))
		}
		var names []string
		hast.WalkSteps(out.Pipelines[0].Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				names = append(names, s.Name)
			}
		})
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: stages %s, want %s\n%s", c.name, got, c.want, hast.Dump(out))
		}
	}
}
