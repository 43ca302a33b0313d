package block_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
)

// inLegs is a text of the legs of the only stage of a program: of each whether it is a loop, how many statements its parts have, and what these take and leave.
func inLegs(t *testing.T, text string) string {
	t.Helper()
	var what *block.Stage
	hast.WalkSteps(sematest.Program(t, text).Pipelines[0].Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			what = block.AnalyzeBlocks(s, 64)
		}
	})
	names := func(list []*hast.Var) string {
		var all []string
		for _, v := range list {
			all = append(all, v.Name)
		}
		return strings.Join(all, " ")
	}
	var out []string
	for _, p := range what.Legs {
		var parts []string
		for _, x := range p.Parts {
			parts = append(parts, fmt.Sprintf("%d(%s;%s)", len(x.Body), names(x.Takes), names(x.Leaves)))
		}
		one := strings.Join(parts, " ")
		if p.Loop != nil {
			one = "loop " + one
		}
		out = append(out, one)
	}
	return strings.Join(out, ", ")
}

func TestLoopsOverPlanesAreLegs(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a sum", "dst[y][x] = sum(a[c][y][x+i] for c in 0:4, i in 0:3);", "1(;sum), loop 1(sum;sum), 1(sum;)"},
		{"a loop", "{ var s = v; for (c in 0:C) for (i in 0:3) s += a[c][y][x+i]; dst[y][x] = s; }", "1(;s), loop 1(s;s), 1(s;)"},
		{"two that are one", "dst[y][x] = sum(a[c][y][x+i] for c in 0:4, i in 0:3) * sum(a[d][y+i][x] for d in 0:4, i in 0:3);",
			"1(;sum) 1(;sum), loop 1(sum;sum) 1(sum;sum), 1(sum sum;)"},
		{"two over other planes", "dst[y][x] = sum(a[c][y][x+i] for c in 0:4, i in 0:3) * sum(a[d][y+i][x] for d in 1:4, i in 0:3);",
			"1(;sum) 1(;sum), loop 1(sum;sum), loop 1(sum;sum), 1(sum sum;)"},
		{"one after the other", "{ var s = v; for (c in 0:4) for (i in 0:3) s += a[c][y][x+i]; let m = s/12; var q = v; for (c in 0:4) for (i in 0:3) q += a[c][y][x+i]*m; dst[y][x] = q; }",
			"1(;s) 1(;q), loop 1(s;s), 1(s;m), loop 1(q m;q), 1(q;)"},
		{"single pixels", "dst[y][x] = sum(a[c][y][x] for c in 0:4);", ""},
		{"single pixels of any number of planes", "dst[y][x] = sum(a[c][y][x] for c in 0:C);", "1(;sum), loop 1(sum;sum), 1(sum;)"},
		{"under a condition", "dst[y][x] = v > 0 ? sum(a[c][y][x+i] for c in 0:4, i in 0:3) : v;", ""},
		{"planes inside", "dst[y][x] = sum(a[c][y][x+i] for i in 0:3, c in 0:4);", ""},
		{"that ends early", "{ var s = v; for (c in 0:4) { if (s > 1) break; for (i in 0:3) s += a[c][y][x+i]; } dst[y][x] = s; }", ""},
		{"an array", "{ var s: f32[2]; for (c in 0:4) for (i in 0:3) s[i & 1] += a[c][y][x+i]; dst[y][x] = s[0]; }", ""},
		{"what is written", "dst[y][x] = sum(a[c][y][x+i] for c in 0:4, i in 0:3) + dst[y][x];", ""},
	} {
		got := inLegs(t, "pipeline p(in a: f32[C][H][W] border clamp, in v: f32, inout dst: f32[H][W]) { assume(C >= 4); iterate (y, x) over dst "+c.body+" }")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOutputsWithWeightsOfTheirOwnAreParts(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"of weights", "{ dst[0][y][x] = k[0]*a[y][x]; dst[1][y][x] = k[1]*a[y][x]; }", "1(;) 1(;)"},
		{"that share a let", "{ let e = a[y][x]*2; dst[0][y][x] = k[0]*e; dst[1][y][x] = k[1]*e; }", ""},
		{"without weights", "{ dst[0][y][x] = a[y][x]; dst[1][y][x] = a[y][x]; }", ""},
		{"of weights of each instance", "{ dst[0][y][x] = k[x]*a[y][x]; dst[1][y][x] = k[1]*a[y][x]; }", ""},
	} {
		got := inLegs(t, "pipeline p(in a: f32[H][W], in k: f32[W], out dst: f32[2][H][W]) { assume(W > 1); iterate (y, x) over a "+c.body+" }")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
