package loops_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/loops"
	"imgc/sema/sematest"
)

// outline says which loops, decisions, stages and swaps a list of steps has.
func outline(list []hast.Step) string {
	var parts []string
	for _, s := range list {
		switch s := s.(type) {
		case *hast.ForHost:
			parts = append(parts, "for("+outline(s.Body)+")")
		case *hast.IfHost:
			parts = append(parts, "if("+outline(s.Then)+"|"+outline(s.Else)+")")
		case *hast.Stage:
			parts = append(parts, s.Name)
		case *hast.Swap:
			parts = append(parts, "swap")
		case *hast.SetHost:
			parts = append(parts, "set")
		}
	}
	return strings.Join(parts, " ")
}

func TestDecisionsAreTakenOutOfLoops(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a parameter", "for (i in 0:n) if (c) u = 1; else u = 2;", "if(for(u)|for(u_2))"},
		{"one side", "for (i in 0:n) if (n > 2) u = 1;", "if(for(u)|)"},
		{"a loop in a loop", "for (i in 0:n) for (j in 0:n) if (c) u = 1; else u = 2;", "if(for(for(u))|for(for(u_2)))"},
		{"the round", "for (i in 0:n) if (i > 2) u = 1;", "for(if(u|))"},
		{"the round of the outer loop", "for (i in 0:n) for (j in 0:n) if (i > 2) u = 1;", "for(if(for(u)|))"},
		{"more than that", "for (i in 0:n) { if (c) u = 1; u = 2; }", "for(if(u|) u_2)"},
		{"what rounds change", "var k = 0; for (i in 0:n) if (k < 3) { u = 1; k = k + 1; }", "for(if(u set|))"},
		{"what may fail", "for (i in 0:n) if (9 / n > 2) u = 1;", "for(if(u|))"},
	} {
		p := sematest.Program(t, "pipeline p(inout u: i32[H][W], in n: i32, in c: bool) { "+c.body+" }")
		before := hast.Dump(p)
		out := loops.Unswitch(p)
		if hast.Dump(p) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, hast.Dump(out))
		}
		if got := outline(out.Pipelines[0].Steps); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestLoopsThatAGroupRuns(t *testing.T) {
	const each = "iterate (y, x) over u border clamp where ((y + x) % 2 == 0) u[y][x] = u[y][x-1] + u[y-1][x];"
	for _, c := range []struct{ name, body, want string }{
		{"in place", "for (i in 0:n) " + each, ""},
		{"a loop in a loop", "for (i in 0:n) for (j in 0:2) " + each, ""},
		{"a swap", "for (i in 0:n) { v = [u[y][x] + i for y, x]; swap(u, v); }", ""},
		{"a swap amidst", "for (i in 0:n) { swap(u, v); v = [u[y][x] + i for y, x]; }", "to swap two images at the end of a round"},
		{"a decision", "for (i in 0:n) { if (c) u = 1; v = 2; }", ""},
		{"a decision by round", "for (i in 0:n) { if (i > 1) u = 1; v = 2; }", "what it does depends on the round"},
		{"as often as the round says", "for (i in 0:n) for (j in 0:i) " + each, ""},
		{"shared pixels", "for (i in 0:n) iterate (y, x) over u s[clamp(u[y][x], 0, 8)] += 1;", "updates pixels that instances share"},
		{"no loop", each, "not the last stage of a loop"},
	} {
		p := sematest.Program(t, "pipeline p(inout u: i32[H][W], inout v: i32[H][W], inout s: i32[9], in n: i32, in c: bool) { "+c.body+" }").Pipelines[0]
		var last *hast.Stage
		hast.WalkSteps(p.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				last = s
			}
		})
		l, why := loops.Of(p, last)
		if (l == nil) != (c.want != "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.name, why, c.want)
		}
	}
}

func TestWhatALoopTouches(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"in place", "for (i in 0:n) u = [u[y][x] + 1 for y, x];", "u before writes"},
		{"written before it is read", "for (i in 0:n) { v = [u[y][x] + 1 for y, x]; u = [v[y][x] * 2 for y, x]; }", "u before writes, v writes"},
		{"a swap", "for (i in 0:n) { v = [u[y][x] + 1 for y, x]; swap(u, v); }", "u before writes, v writes"},
		{"in part", "for (i in 0:n) iterate (y, x) over v where (x > 1) v[y][x] = u[y][x];", "u before, v before writes"},
		{"in a view", "view w = v[0:1]; for (i in 0:n) iterate (y, x) over w w[y][x] = u[y][x];", "u before, v before writes"},
		{"where a round does", "for (i in 0:n) { if (c) v = 2; u = v; }", "v before writes, u writes"},
	} {
		p := sematest.Program(t, "pipeline p(inout u: i32[H][W], inout v: i32[H][W], in n: i32, in c: bool) { "+c.body+" }").Pipelines[0]
		var parts []string
		for _, x := range loops.Touches(p.Steps[len(p.Steps)-1].(*hast.ForHost)) {
			part := x.Image.Name
			if x.Before {
				part += " before"
			}
			if x.Writes {
				part += " writes"
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
