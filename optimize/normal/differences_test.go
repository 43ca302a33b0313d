package normal_test

import (
	"strings"
	"testing"

	"imgc/sema/sematest"
)

// Of differences from what all points of a sum share, integers are summed without it; floats, and what differs in other ways, stay.
func TestSumsOfDifferences(t *testing.T) {
	for _, c := range []struct{ name, elem, want string }{
		{"from the middle", "bell[j+1][i+1] * (a[y+j][x+i] - a[y][x])", "(sum((bell[(j + 1)][(i + 1)] * a[(y + j)<>][(x + i)<>]@clamp) for j in -1:2, i in -1:2) - (16 * a[y][x]))"},
		{"from pixels", "(n - a[y+j][x+i]) * 3", "((27 * n) - sum((3 * a[(y + j)<>][(x + i)<>]@clamp) for j in -1:2, i in -1:2))"},
		{"without weights", "a[y+j][x+i] - n", "(sum(a[(y + j)<>][(x + i)<>]@clamp for j in -1:2, i in -1:2) - (9 * n))"},
		{"of three", "2 * (a[y+j][x+i] - n + b[y][x])", "((sum((2 * a[(y + j)<>][(x + i)<>]@clamp) for j in -1:2, i in -1:2) - (18 * n)) + (18 * i32(b[y][x])))"},
		{"of weights beyond 32 bits", "2147483647 * (a[y+j][x+i] - n)", "- (2147483639 * n))"},
		{"of pixels alone", "a[y+j][x+i] - b[y+j][x+i]", "sum((a[(y + j)<>]"},
		{"of nothing that differs", "n - b[y][x]", "sum((n - "},
		{"products", "a[y+j][x+i] * (a[y+j][x+i] - n)", "@clamp - n)"},
		{"floats", "i32(0.5 * (f[y+j][x+i] - f[y][x]))", "@clamp - f[y][x])"},
		{"weights of parameters", "n * (a[y+j][x+i] - a[y][x])", "@clamp - a[y][x])"},
	} {
		p := sematest.Program(t, "mask bell: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; pipeline p(in a: i32[H][W], in b: u8[H][W], in f: f32[H][W], in n: i32, out dst: i32[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = sum("+c.elem+" for j in -1:2, i in -1:2); }")
		if text := formed(t, c.name, p); !strings.Contains(text, c.want) {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, text)
		}
	}
}

// Points of integers whose weight is 0 are left out; floats keep them here, since infinite pixels would tell.
func TestPointsWithoutWeight(t *testing.T) {
	for _, c := range []struct{ name, elem, want string }{
		{"a mask", "bell[j+1][i+1] * a[y+j][x+i]", "for j, i in {-1,-1 -1,1 0,0 1,-1 1,1})"},
		{"a condition", "(abs(j) == abs(i) ? 1 : 0) * a[y+j][x+i]", "for j, i in {-1,-1 -1,1 0,0 1,-1 1,1})"},
		{"several weights", "j * i * a[y+j][x+i]", "for j, i in {-1,-1 -1,1 1,-1 1,1})"},
		{"a component", "i * (a[y+j][x+i] - a[y][x])", "- (0 * a[y][x]))"},
		{"none that is 0", "(bell[j+1][i+1] + 1) * a[y+j][x+i]", "for j in -1:2, i in -1:2)"},
		{"all are", "(j - j) * a[y+j][x+i]", "for j in -1:2, i in -1:2)"},
		{"floats", "i32(sum(f32(n) * f[y+n][x] for n in -1:2, m in 0:2)) * a[y+j][x+i]", "for n in -1:2, m in 0:2)"},
	} {
		p := sematest.Program(t, "mask bell: i32[3][3] = [[1, 0, 1], [0, 4, 0], [1, 0, 1]]; pipeline p(in a: i32[H][W], in f: f32[H][W], out dst: i32[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = sum("+c.elem+" for j in -1:2, i in -1:2); }")
		if text := formed(t, c.name, p); !strings.Contains(text, c.want) {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, text)
		}
	}
}
