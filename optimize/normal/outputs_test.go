package normal_test

import (
	"strings"
	"testing"

	"imgc/sema/sematest"
)

// stageOf is the text of the last stage of a program, after the pass.
func stageOf(t *testing.T, text string) string {
	t.Helper()
	text = formed(t, text, sematest.Program(t, text))
	return text[strings.LastIndex(text, "stage "):]
}

func TestOutputsOfAPlaceAreOneInstance(t *testing.T) {
	for _, c := range []struct {
		name, params, space, value string
		stores                     int // of an instance; 1 where it stays as it is
	}{
		{"a layer", "in a: f32[3][H][W] border clamp, in k: f32[4][3][3], out dst: f32[4][H][W]", "o, y, x", "sum(k[o][c][i]*a[c][y][x+i] for c in 0:3, i in 0:3)", 4},
		{"single pixels of planes", "in a: f32[3][H][W], in k: f32[4][3], out dst: f32[4][H][W]", "o, y, x", "sum(k[o][c]*a[c][y][x] for c in 0:3)", 4},
		{"a bank of filters", "in a: f32[H][W] border clamp, in k: f32[4][3], out dst: f32[4][H][W]", "o, y, x", "sum(k[o][i]*a[y][x+i] for i in 0:3)", 4},
		{"components", "in a: f32[H][W][8], in k: f32[4][8], out dst: f32[H][W][8]", "y, x, o", "sum(k[o & 3][c]*a[y][x][c] for c in 0:8)", 8},
		{"more than there are sums for", "in a: f32[2][H][W] border clamp, in k: f32[12][2][3], out dst: f32[12][H][W]", "o, y, x", "sum(k[o][c][i]*a[c][y][x+i] for c in 0:2, i in 0:3)", 6},
		{"of which none are together", "in a: f32[2][H][W] border clamp, in k: f32[13][2][3], out dst: f32[13][H][W]", "o, y, x", "sum(k[o][c][i]*a[c][y][x+i] for c in 0:2, i in 0:3)", 1},
		{"one pixel", "in a: f32[H][W], in k: f32[4], out dst: f32[4][H][W]", "o, y, x", "k[o]*a[y][x]", 1},
		{"a plane for each", "in a: f32[4][H][W] border clamp, in k: f32[4][3], out dst: f32[4][H][W]", "o, y, x", "sum(k[o][i]*a[o][y][x+i] for i in 0:3)", 1},
		{"integers", "in a: u8[H][W] border clamp, in k: i32[4][3], out dst: i32[4][H][W]", "o, y, x", "sum(k[o][i]*a[y][x+i] for i in 0:3)", 1},
		{"many", "in a: f32[H][W] border clamp, in k: f32[4][25][25], out dst: f32[4][H][W]", "o, y, x", "sum(k[o][j][i]*a[y+j][x+i] for j in 0:25, i in 0:25)", 1},
		{"any number", "in a: f32[3][H][W], in k: f32[O][3], out dst: f32[O][H][W]", "o, y, x", "sum(k[o][c]*a[c][y][x] for c in 0:3)", 1},
	} {
		got := stageOf(t, "pipeline p("+c.params+") { dst = ["+c.value+" for "+c.space+"]; }")
		if n := strings.Count(got, " dst["); n != c.stores {
			t.Errorf("%s: %d stores, want %d in\n%s", c.name, n, c.stores, got)
		}
	}
}

// TestReductionsThatAreTheSameAreComputedOnce has a maximum over planes in a sum over them, for all outputs.
func TestReductionsThatAreTheSameAreComputedOnce(t *testing.T) {
	for _, c := range []struct {
		name, value string
		maxima      int
	}{
		{"in a sum", "sum(exp(a[j][y][x] - max(a[k][y][x] for k in 0:8)) for j in 0:8)", 1},
		{"beside it, too", "exp(a[0][y][x] - max(a[k][y][x] for k in 0:8)) / sum(exp(a[j][y][x] - max(a[k][y][x] for k in 0:8)) for j in 0:8)", 1},
		{"over other planes", "a[0][y][x] - max(a[k][y][x] for k in 0:7) - sum(a[j][y][x] - max(a[k][y][x] for k in 0:8) for j in 0:8)", 2},
		{"that is not", "sum(a[j][y][x] - max(a[k][y][x] for k in j:8) for j in 0:8)", 0},
		{"under a condition", "sum(a[j][y][x] > 0 ? max(a[k][y][x] for k in 0:8) : 0.0 for j in 0:8)", 0},
	} {
		got := stageOf(t, "pipeline p(in a: f32[8][H][W], out dst: f32[H][W]) { dst = ["+c.value+" for y, x]; }")
		lets := strings.Count(got, "let max")
		if lets != min(c.maxima, 1) || c.maxima > 0 && strings.Count(got, "max(") != c.maxima {
			t.Errorf("%s: %d lets of maxima in\n%s", c.name, lets, got)
		}
	}
	got := stageOf(t, "pipeline p(in a: f32[8][H][W], out dst: f32[8][H][W]) { dst = [exp(a[c][y][x]) / sum(exp(a[j][y][x]) for j in 0:8) for c, y, x]; }")
	if strings.Count(got, "sum(") != 1 || strings.Count(got, " dst[") != 8 {
		t.Errorf("the sum is not there once for all outputs:\n%s", got)
	}
}

func TestLoopsThatBeginWithSomethingAreWrittenOut(t *testing.T) {
	for _, c := range []struct {
		name, body string
		links      int
	}{
		{"a mask", "{ var s = b; for (j in 0:3) for (i in 0:3) s += k[i]*a[0][y+j][x+i]; dst[y][x] = s; }", 9},
		{"with a let", "{ var s = b; for (i in 0:3) { let e = a[0][y][x+i]; s += k[i]*e; } dst[y][x] = s; }", 3},
		{"over planes", "{ var s = b; for (c in 0:4) for (i in 0:3) s += k[i]*a[c][y][x+i]; dst[y][x] = s; }", 1},
		{"that is long", "{ var s = b; for (j in 0:9) for (i in 0:3) s += k[i]*a[0][y+j][x+i]; dst[y][x] = s; }", 1},
		{"from 0 on", "{ var s = 0.0; for (i in 0:3) s += k[i]*a[0][y][x+i]; dst[y][x] = s; }", 0},
	} {
		got := stageOf(t, "pipeline p(in a: f32[4][H][W] border clamp, in k: f32[3], in b: f32, out dst: f32[H][W]) { iterate (y, x) over dst "+c.body+" }")
		if n := strings.Count(got, " = (s + "); n != c.links {
			t.Errorf("%s: %d links, want %d in\n%s", c.name, n, c.links, got)
		}
	}
}
