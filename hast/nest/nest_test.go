package nest_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/hast/nest"
	"imgc/sema/sematest"
)

// Loops over pixels become variables of stages, in the order in which images lie, with a scan where rounds need others; lines that need no other line are so.
func TestLoopsOverPixelsBecomeVariables(t *testing.T) {
	const down, up, one = "iterate (y in 1 : H-1) scan(y) ", "iterate (y in 1 : H-1) scan(-y) ", "iterate (i in 0:1) "
	for _, c := range []struct{ name, body, want string }{
		{"each round by itself", "iterate (y in 0:H) for (x in 0:W) d[y][x] = a[y][x];", "d(y x)"},
		{"the whole image", one + "for (x in 0:W) for (y in 0:H) d[y][x] = a[y][x];", "d(y x)"},
		{"the pixel before", "iterate (y in 0:H) for (x in 1:W) d[y][x] = d[y][x-1] + a[y][x];", "d(y x scan(x) lines)"},
		{"the one behind, which is as it was", "iterate (y in 0:H) for (x in 0 : W-1) d[y][x] = d[y][x+1] + a[y][x];", "d(y x scan(x) lines)"},
		{"backward", "iterate (y in 0:H) for (x in W-2 : -1 : -1) d[y][x] = d[y][x+1] + a[y][x];", "d(y x scan(-x) lines)"},
		{"backward by the places", "iterate (y in 0:H) for (i in 1:W) { let x = W-1-i; d[y][x] = d[y][x+1] + a[y][x]; }", "d(y i scan(-i) lines)"},
		{"every second pixel", "iterate (y in 0:H) for (x in 2:W:2) d[y][x] = d[y][x-2] + a[y][x];", "d(y x scan(x) lines)"},
		{"pixels between", "iterate (y in 0:H) for (x in 2:W:2) d[y][x] = d[y][x-1] + a[y][x];", "d(y x)"},
		{"the line before", down + "for (x in 0:W) d[y][x] = d[y-1][x] + a[y][x];", "d(y x scan(y) lines)"},
		{"pixels of the line before", down + "for (x in 1 : W-1) d[y][x] = d[y-1][x+1] + d[y-1][x-1];", "d(y x scan(y))"},
		{"places by data in the line before", down + "for (x in 0:W) d[y][x] = d[y-1][clamp(a[y][x], 0, W-1)];", "d(y x scan(y))"},
		{"the pixel before in a scan", down + "for (x in 1:W) d[y][x] = d[y][x-1] + a[y][x];", "d(y x scan(x) lines)"},
		{"both", down + "for (x in 1:W) d[y][x] = d[y][x-1] + d[y-1][x];", "d(t y scan(t))"},
		{"both, and to the right above", one + "for (y in 1:H) for (x in 1 : W-1) d[y][x] = d[y][x-1] + d[y-1][x+1];", "d(t y scan(t))"},
		{"both backward", up + "for (x in W-2 : -1 : -1) d[y][x] = d[y][x+1] + d[y+1][x];", "d(t y scan(-t))"},
		{"a variable", "iterate (y in 0:H) { var s: i32 = 0; for (x in 0:W) { s += a[y][x]; d[y][x] = s; } }", "d(y x scan(x) lines)"},
		{"a variable that is not stored", "iterate (y in 0:H) { var s: i32 = 0; for (x in 0:W) { s += a[y][x]; d[y][x] = s / 2; } }", "d(y x scan(x) lines) +d_s"},
		{"beside other things", "iterate (y in 0:H) { d[y][0] = 1; for (x in 1:W) d[y][x] = d[y][x-1] + a[y][x]; e[y] = d[y][W-1]; }", "d_2(y) d(y x scan(x) lines) d_3(y)"},
		{"a sum of the line", "iterate (y in 0:H) { let m = sum(a[y][x] for x in 0:W); let n = m / 2; for (x in 0:W) d[y][x] = a[y][x] - n; }", "d_2(y) d(y x) +d_m"},
		{"a sum of the image", one + "{ let m = sum(a[y][x] for y in 0:H, x in 0:W); for (y in 0:H) { let f = sum(a[y][x] for x in 0:W); for (x in 0:W) d[y][x] = m - f; } }", "d_2(i) d_3(y) d(y x) +d_m +d_f"},
		{"a sum that a loop makes", "iterate (y in 0:H) { var m: i32 = 0; for (x in 0:W) m += a[y][x]; let n = m / W; e[y] = n; for (x in 0:W) d[y][x] = a[y][x] - n; }", "e_2(y) loop e(y x) +e_m"},
		{"a sum of some lines", "iterate (y in 0:H) where (a[y][0] > 3) { let m = sum(a[y][x] for x in 0:W); for (x in 0:W) d[y][x] = a[y][x] - m; }", "d(y) loop"},
		{"some lines", "iterate (y in 0:H) where (a[y][0] > 3) { for (x in 0:W) d[y][x] = a[y][x]; e[y] = 1; }", "d(y x) d_2(y)"},
		{"what a variable was", "iterate (y in 0:H) { var m = a[y][0]; let was = m; m = 7; e[y] = m; for (x in 0:W) d[y][x] = a[y][x] - was; }", "e(y) loop"},
		{"few rounds", "iterate (y in 0:H) for (x in 0:3) d[y][x] = 0;", "d(y) loop"},
		{"through all lines", one + "{ var s: i32 = 0; for (y in 0:H) for (x in 0:W) { s = s/2 + a[y][x]; d[y][x] = s; } }", "d(i) loop"},
		{"left early", "iterate (y in 0:H) for (x in 0:W) { if (a[y][x] > 9) break; d[y][x] = 1; }", "d(y) loop"},
		{"as far as the line says", "iterate (y in 0 : min(H, W)) for (x in 0:y) d[y][x] = a[y][x];", "d(y) loop"},
		{"a variable that is used behind", "iterate (y in 0:H) { var s: i32 = 0; for (x in 0:W) { s += a[y][x]; d[y][x] = s; } e[y] = s; }", "d(y) loop"},
	} {
		p := sematest.Program(t, "pipeline p(in a: i32[H][W], inout d: i32[H][W], inout e: i32[H]) { "+c.body+" }")
		out := nest.Program(p)
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := shape(out.Pipelines[0]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// shape says which stages a pipeline has, with their variables, and which images more than the test's three.
func shape(p *hast.Pipeline) string {
	var out []string
	for _, s := range p.Steps {
		s := s.(*hast.Stage)
		var in []string
		for _, v := range s.Space.Vars {
			in = append(in, v.Name)
		}
		if s.Scan != nil {
			sign := ""
			if s.Scan.Down {
				sign = "-"
			}
			in = append(in, fmt.Sprintf("scan(%s%s)", sign, s.Space.Vars[s.Scan.Axis].Name))
			if s.Scan.Lines {
				in = append(in, "lines")
			}
		}
		text := fmt.Sprintf("%s(%s)", s.Name, strings.Join(in, " "))
		hast.WalkBody(s.Body, func(st hast.Stmt) {
			if _, ok := st.(*hast.For); ok && !strings.HasSuffix(text, "loop") {
				text += " loop"
			}
		}, nil)
		out = append(out, text)
	}
	for _, m := range p.Images[3:] {
		out = append(out, "+"+m.Name)
	}
	return strings.Join(out, " ")
}

// Loops over pixels that stay are told, and no others.
func TestLoopsThatStayAreTold(t *testing.T) {
	for _, c := range []struct {
		body string
		told int
	}{
		{"iterate (y in 0:H) for (x in 0:W) d[y][x] = a[y][x];", 0},
		{"iterate (y in 0:H) for (x in 0:3) d[y][x] = 0;", 0},
		{"iterate (y in 0:H, x in 0:W) for (k in 0:1) d[y][x] = k;", 0},
		{"iterate (y in 0:H) for (x in 0:W) { if (a[y][x] > 9) break; d[y][x] = 1; }", 1},
		{"iterate (y in 0:H) { var s: i32 = 0; for (x in 0:W) s += a[y][x]; d[y][0] = s; }", 0},
	} {
		p := sematest.Program(t, "pipeline p(in a: i32[H][W], inout d: i32[H][W]) { "+c.body+" }")
		if got := len(nest.Serial(p.Pipelines[0])); got != c.told {
			t.Errorf("%s: %d loops are told, want %d", c.body, got, c.told)
		}
	}
}
