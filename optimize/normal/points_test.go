package normal_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/normal"
	"imgc/sema/sematest"
)

// TestPointsThatReadWindowsArePixels: the elements of reductions are in an image of their own where they read around their points, in the fewest bits.
func TestPointsThatReadWindowsArePixels(t *testing.T) {
	for _, c := range []struct{ name, value, image, has string }{
		{"greatest values", "sum(max(src[y-1:3][x-1:3]) for y in 0:H, x in 0:W)", "sum_point: u8[H][W]", "sum_part[i] = sum(i64(i32(sum_point[y][x]))"},
		{"what is counted", "count(src[y][x+1] > src[y][x] for y in 0:H, x in 0:W)", "sum_point: u8[H][W]", "sum(i64(sum_point[y][x])"},
		{"truth", "i64(any(src[y][x+1] > src[y][x] for y in 0:H, x in 0:W))", "any_point: u8[H][W]", "any((any_point[y][x] != u8(0))"},
		{"floats", "i64(max(f[y][x+1] - f[y][x] for y in 0:H, x in 0:W))", "max_point: f32[H][W]", "max(max_point[y][x]"},
		{"floats in order", "i64(sum(f[y][x+1] - f[y][x] for y in 0:H, x in 0:W))", "", ""},
		{"their own pixels", "sum(src[y][x] for y in 0:H, x in 0:W)", "", ""},
		{"look-ups", "sum(table[src[y][x]] for y in 0:H, x in 0:W)", "", ""},
		{"points that there may be none of", "sum(max(src[y:3][x:3]) for y in 0:H-2, x in 0:W-2)", "", ""},
	} {
		p := sematest.Program(t, "pipeline p(in src: u8[H][W] border clamp, in f: f32[H][W] border clamp, in table: u8[256], out n: i64) { n = "+c.value+"; }")
		all := func(string) bool { return true }
		out := normal.Program(p, normal.Options{Exact: true, Blocks: all})
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, hast.Dump(out))
		}
		text := hast.Dump(out)
		if !strings.Contains(text, c.image) || !strings.Contains(text, c.has) || (c.image == "") == strings.Contains(text, "_point") {
			t.Errorf("%s: want %s and %s in\n%s", c.name, c.image, c.has, text)
		}
	}
}
