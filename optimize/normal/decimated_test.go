package normal_test

import (
	"strings"
	"testing"

	"imgc/sema/sematest"
)

func TestImagesReadInStepsHaveThesePixelsAlone(t *testing.T) {
	for _, c := range []struct{ name, border, read, extents, from string }{
		{"along rows", "clamp", "t[2*y - 1][2*x] + t[2*y][2*x]", "[H][((W + 1) / 2)]", "a[y][(x * 2)]"},
		{"along both axes", "clamp", "t[2*y][3*x] * t[4*y][6*x]", "[((H + 1) / 2)][((W + 2) / 3)]", "a[(y * 2)][(x * 3)]"},
		{"under a formula that names its own column", "above", "t[y - 1][2*x]", "[H][((W + 1) / 2)]", "a[y][(x * 2)]"},
		{"under a formula that names others", "other", "t[y - 1][2*x]", "[H][W]", "a[y][x]"},
		{"at pixels between them", "clamp", "t[2*y][2*x] + t[2*y][2*x + 1]", "[((H + 1) / 2)][W]", "a[(y * 2)][x]"},
		{"outside along the axis", "clamp", "t[y][2*x - 2]", "[H][W]", "a[y][x]"},
		{"in windows", "clamp", "sum(t[2*y : 2][2*x : 2])", "[H][W]", "a[y][x]"},
	} {
		p := sematest.Program(t, `border above(s[M][N]) { s[-1][*] = s[0][*]; }
border other(s[M][N]) { s[-1][*] = s[0][0]; }
pipeline p(in a: i32[H][W], out r: i32[H/8][W/8]) {
    assume(H >= 8);
    assume(W >= 8);
    image t: i32[H][W] border `+c.border+`;
    iterate (y, x) over t t[y][x] = a[y][x];
    r = [`+c.read+` for y, x];
}`)
		text := formed(t, c.name, p)
		if !strings.Contains(text, "local t: i32"+c.extents) || !strings.Contains(text, c.from) {
			t.Errorf("%s: no t of %s from %s in\n%s", c.name, c.extents, c.from, text)
		}
	}
}
