package fuse_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/sema/sematest"
)

// inLoops says which stages and swaps the loops of a pipeline have, a stage with what it writes.
func inLoops(list []hast.Step) string {
	var parts []string
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Stage:
			text := s.Name
			hast.EachStore(s.Body, func(st *hast.Store) {
				if st.Image.Name != s.Name {
					text += ">" + st.Image.Name
				}
			})
			parts = append(parts, text)
		case *hast.Swap:
			parts = append(parts, "swap("+s.A.Name+","+s.B.Name+")")
		case *hast.ForHost, *hast.WhileHost:
			parts = append(parts, "("+inLoops(hast.StepBodies(s)[0])+")")
		case *hast.IfHost:
			parts = append(parts, "if("+inLoops(s.Then)+"|"+inLoops(s.Else)+")")
		}
	}
	return strings.Join(parts, " ")
}

func TestCopiesInLoopsAreSwaps(t *testing.T) {
	const next = "next = [u[y][x-1] + u[y][x+1] for y, x] border clamp; "
	for _, c := range []struct{ name, body, want string }{
		{"at the end of a round", "for (k in 0:n) { " + next + "u = next; }", "(next swap(u,next))"},
		{"of one that each round has", "for (k in 0:n) { image own: i32[H][W] = [u[x][y] for y, x] border clamp; u = own; }", "(own swap(u,own))"},
		{"at its beginning", "for (k in 0:n) { next = u; u = [next[y][x-1] + k for y, x] border clamp; }", "(u>next swap(next,u))"},
		{"as long as something holds", "var left = n; while (left > 0) { " + next + "u = next; left -= 1; }", "(next swap(u,next))"},
		{"three in turn", "for (k in 0:n) { next = [2*u[y][x] - v[y][x] + u[y][x-1] for y, x] border clamp; v = u; u = next; }", "(next swap(v,next) swap(v,u))"},
		{"in a loop in a loop", "for (k in 0:n) { for (j in 0:k) { " + next + "u = next; } u = [u[y][x] + 1 for y, x]; }", "((next swap(u,next)) u_2>u)"},
		{"under a condition", "for (k in 0:n) { " + next + "if (k > 2) u = next; }", "(next if(swap(u,next)|))"},

		{"in no loop", next + "u = next;", "next u"},
		{"needed behind the loop", "for (k in 0:n) { " + next + "u = next; } v = next;", "(next u) v"},
		{"needed behind the copy", "for (k in 0:n) { " + next + "u = next; v = [next[y][x] + v[y][x] for y, x]; }", "(next u v)"},
		{"needed in the next round", "for (k in 0:n) { v = [next[y][x] + v[y][x] for y, x]; " + next + "u = next; }", "(v next u)"},
		{"needed by the next round of the outer loop", "for (k in 0:n) { v = [next[y][x] + v[y][x] for y, x]; for (j in 0:k) { " + next + "u = next; } }", "(v (next u))"},
		{"of the caller's", "for (k in 0:n) { u = [v[y][x-1] for y, x] border clamp; v = u; }", "(u v)"},
		{"left in the middle", "for (k in 0:n) { " + next + "u = next; if (k > 3) break; next = 0; }", "(next u if(|) next_2>next)"},
		{"written in part", "for (k in 0:n) { next = u; iterate (y in 1:H, x in 0:W) u[y][x] = next[y-1][x]; }", "(next u)"},
		{"written where something holds", "for (k in 0:n) { next = u; iterate (y, x) over u border clamp where (next[y][x] > 3) u[y][x] = next[y-1][x]; }", "(next u)"},
		{"written from itself", "for (k in 0:n) { next = u; u = [u[y][x] + next[y][x-1] for y, x] border clamp; }", "(next u)"},
		{"with zeros left in it", "for (k in 0:n) { image own: i32[H][W]; iterate (y in 1:H, x in 0:W) own[y][x] = u[y-1][x]; u = own; }", "(own u)"},
		{"left at the beginning", "for (k in 0:n) { if (k > 3) break; " + next + "u = next; }", "(if(|) next swap(u,next))"},
		{"with views", "view top = u[0:1]; for (k in 0:n) { " + next + "u = next; } v[0] = top[0];", "(next u) v_0"},
		{"changed on the way", "for (k in 0:n) { " + next + "u = [next[y][x] + 1 for y, x]; }", "(next u)"},
		{"turned", "for (k in 0:n) { " + next + "u = [next[y][W-1-x] for y, x]; }", "(next u)"},
		{"with components", "image a: i32[N][3]; image b: i32[N][3]; for (k in 0:n) { b = [a[i][c] + k for i, c]; a = b; } w = [a[i][0] for i];", "(b a) w"},
	} {
		p := sematest.Program(t, "pipeline p(inout u: i32[H][W], inout v: i32[H][W], out w: i32[N], in n: i32) { assume(H == W); image next: i32[H][W]; "+c.body+" }")
		before := hast.Dump(p)
		out := fuse.Exchange(p, func(string, *hast.Stage) bool { return true })
		if hast.Dump(p) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, hast.Dump(out))
		}
		if got := inLoops(out.Pipelines[0].Steps); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		stays := fuse.Exchange(p, func(string, *hast.Stage) bool { return false })
		if hast.Dump(stays) != before {
			t.Errorf("%s: a copy that is not to be a swap is one", c.name)
		}
	}
}
