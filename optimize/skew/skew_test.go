package skew_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/skew"
	"imgc/sema/sematest"
)

// What is carried along slanted lines is stored by steps; what is not, or not only, stays as it is.
func TestSlantedScansCarryBySteps(t *testing.T) {
	const diffused = "iterate (t in 0 : W + 2*H, y in 0:H) scan(t) { let x = t - 2*y; if (x >= 0 && x < W) "
	for _, c := range []struct{ name, body, want string }{
		{"an image of its own", "image e: i32[H][W] border constant(0); " + diffused + "{ e[y][x] = a[y][x] + e[y-1][x+1]; d[y][x] = e[y][x]; } }", "a d e_steps"},
		{"an image that is returned", diffused + "d[y][x] = a[y][x] + d[y-1][x]; }", "a d d_steps"},
		{"read as it was, too", diffused + "d[y][x] = d[y][x+1] + d[y-1][x]; }", "a d d_steps d_before"},
		{"a window", diffused + "d[y][x] = max(d[y-1][x-1 : 3]); }", "a d d_steps"},
		{"lines by themselves", diffused + "d[y][x] = a[y][x] + d[y][x-1]; }", "a d"},
		{"down", "iterate (t in 0 : W + 2*H, y in 0:H) scan(-t) { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y+1][x-1]; }", "a d d_steps"},
		{"two images", "image e: i32[H][W] border constant(0); " + diffused + "{ e[y][x] = d[y][x-1] + 1; d[y][x] = e[y-1][x] + e[y][x]; } }", "a d e_steps d_steps"},
		{"nothing of steps before", diffused + "d[y][x] = a[y][x]; }", "a d"},
		{"other borders", "iterate (t in 0 : W + 2*H, y in 0:H) scan(t) border clamp { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d"},
		{"a part of the pixels", "iterate (t in 0 : W + 2*H, y in 0:H) scan(t) { let x = t - 2*y; if (x >= 1 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d d_steps d_before"},
		{"too few steps", "iterate (t in 0 : W + H, y in 0:H) scan(t) { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d d_steps d_before"},
		{"every second step", "iterate (t in 0 : W + 2*H : 2, y in 0:H) scan(t) { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d"},
		{"steps of which nothing is known", "iterate (t in 0 : W*H, y in 0:H) scan(t) { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d d_steps d_before"},
		{"some of the lines", "iterate (t in 0 : W + 2*H, y in 1:H) scan(t) { let x = t - 2*y; if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d d_steps d_before"},
		{"no slant", "iterate (y in 0:H, x in 0:W) scan(y) { if (x >= 0 && x < W) d[y][x] = a[y][x] + d[y-1][x+1]; }", "a d"},
		{"a place that data say", diffused + "d[y][x] = d[y-1][x - min(max(a[y][x], 0), 1)]; }", "a d"},
		{"far back", diffused + "d[y][x] = a[y][x] + d[y-40][x]; }", "a d"},
	} {
		p := sematest.Program(t, "pipeline p(in a: i32[H][W], inout d: i32[H][W] border constant(0)) { "+c.body+" }")
		out := skew.Program(p)
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for _, m := range out.Pipelines[0].Images {
			got = append(got, m.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: images %s, want %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}
