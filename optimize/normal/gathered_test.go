package normal_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/normal"
	"imgc/sema/sematest"
)

// updating is the text of a program with some steps, after the pass.
func updating(t *testing.T, steps string, exact bool) string {
	t.Helper()
	p := sematest.Program(t, `commutative func either(a: i32, b: i32): i32 = max(a, b);
		pipeline p(in src: u8[H][W], in pix: u8[H][W][3], in f: f32[H][W], inout r: i32[H], inout c: i32[W], inout few: i32[3], inout some: i32[64], inout dst: i32[H][W], out n: i32) {
			var k: i32; var l: i64; var b: u8; var g = 1.5; var any = false; `+steps+` n = k + i32(l) + b + i32(g) + i32(any); }`)
	before := hast.Dump(p)
	out := normal.Program(p, normal.Options{Exact: exact})
	if hast.Dump(p) != before {
		t.Errorf("%s: the program has changed", steps)
	}
	if err := hast.Verify(out); err != nil {
		t.Errorf("%s: %v\n%s", steps, err, hast.Dump(out))
	}
	return hast.Dump(out)
}

// Updates of which it is known beforehand which instances meet are reductions; where instances are left out, of the value that changes nothing.
func TestUpdatesThatMeetAreReductions(t *testing.T) {
	for _, c := range []struct{ name, steps, has string }{
		{"a count", "iterate (y, x) over src where (src[y][x] > 3) k += 1;", "k_part[i] = sum(i32((i32(src[y][x]) > 3))"},
		{"joined with what was", "iterate (y, x) over src k += src[y][x];", "k[0] = (k[0] + sum(k_part[i] for i in 0:1024))"},
		{"of 64 bits", "iterate (y, x) over src where (src[y][x] > 3) l += x;", "sum(i64(((i32(src[y][x]) > 3) ? x : 0))"},
		{"a difference", "iterate (y, x) over src l -= x;", "sum(-i64(x)"},
		{"of bytes", "iterate (y, x) over src b += src[y][x];", "b[0] = u8((i32(b[0]) + sum("},
		{"a minimum", "iterate (y, x) over src if (src[y][x] > 3) b min= src[y][x];", "min(((i32(src[y][x]) > 3) ? src[y][x] : u8(255))"},
		{"a minimum of floats", "iterate (y, x) over src if (src[y][x] > 3) g min= f[y][x];", "? f[y][x] : +Inf)"},
		{"both sides", "iterate (y, x) over src if (src[y][x] > 3) k += 1; else k += x;", "? 1 : x)"},
		{"several", "iterate (y, x) over src { k += 1; if (src[y][x] > 3) k += x; l += 1; }", "l_part[i] = sum("},
		{"a variable of the body", "iterate (y, x) over src { var v = 1; if (src[y][x] > 3) v = x; k += v; }", "? x : 1)"},
		{"in a loop", "iterate (y, x) over src for (j in 0:x) k += j;", "sum(sum(j for j in 0:x)"},
		{"sums of rows", "iterate (y, x) over src r[y] += src[y][x];", "r[y] = (r[y] + sum(i32(src[y][x]) for x in 0:W))"},
		{"maxima of columns", "iterate (y, x) over src c[x] max= src[y][x];", "c[x] = max(c[x], max("},
		{"components", "iterate (y, x, j) over pix few[j] += pix[y][x][j];", "few_part_3[i] = sum("},
		{"pixels of constants", "iterate (y, x) over src { few[0] += 1; few[2] += x; }", "few[2] = (few[2] + sum("},
	} {
		if text := updating(t, c.steps, true); !strings.Contains(text, c.has) || strings.Contains(text, "+=") {
			t.Errorf("%s: want %s in\n%s", c.name, c.has, text)
		}
	}
}

func TestUpdatesThatStay(t *testing.T) {
	for _, c := range []struct{ name, steps, has string }{
		{"where data says", "iterate (y, x) over src some[src[y][x] / 4] += 1;", "some["},
		{"beside other stores", "iterate (y, x) over src { dst[y][x] = x; k += x; }", "k[0] "},
		{"beside others that stay", "iterate (y, x) over src { some[src[y][x] / 4] += 1; k += x; }", "k[0] "},
		{"products", "iterate (y, x) over src k *= x;", "k[0] "},
		{"flags", "iterate (y, x) over src any |= src[y][x] > 3;", "any[0] "},
		{"by a func", "iterate (y, x) over src k = fold(either, k, x);", "k[0] "},
		{"sums of floats", "iterate (y, x) over src g += f[y][x];", "g[0] "},
		{"pixels of their own", "iterate (y, x) over src dst[y][x] += x;", "dst[y][x] "},
		{"divided places", "iterate (y, x) over src r[y / 2] += x;", "r[(y / 2)] "},
		{"few lines", "iterate (y, x, j in 0:64) where (x < W) some[j] += 1;", "some[j] "},
		{"what may lie outside", "iterate (y, x) over src border(r: skip) r[y+1] += x;", "r[(y + 1)] "},
		{"while loops", "iterate (y, x) over src { var v = x; while (v > 1) v /= 2; k += v; }", "k[0] "},
		{"arrays", "iterate (y, x) over src { var v: i32[4]; v[x & 3] = 1; k += v[y & 3]; }", "k[0] "},
	} {
		steps := strings.Replace(c.steps, "(y, x, j in 0:64)", "(y in 0:H, x in 0:W, j in 0:64)", 1)
		if text := updating(t, steps, true); strings.Contains(text, "_part") || !strings.Contains(text, c.has) {
			t.Errorf("%s: want an update %s in\n%s", c.name, c.has, text)
		}
	}
}

// Updates of floats are rounded one by one where results are exact.
func TestSumsOfFloatsByUpdates(t *testing.T) {
	if text := updating(t, "iterate (y, x) over src g += f[y][x];", false); !strings.Contains(text, "g_part[i] = sum(f[y][x]") {
		t.Errorf("no sum in\n%s", text)
	}
}

// Reductions of whole images in stages of few instances are dealt out, and lets that hold what they find become pixels.
func TestFewThatReduceImages(t *testing.T) {
	for _, c := range []struct {
		name, steps string
		parts       int
		has         string
	}{
		{"an image each", "few = [max(i32(src[y][x]) * k2 for y in 0:H, x in 0:W) for k2];", 3, "few[2] = max(few_part_3[i] for i in 0:1024)"},
		{"components", "iterate (j in 0:3) few[j] = sum(pix[y][x][j] + j for y in 0:H, x in 0:W) / 2;", 3, "few[1] = (sum(few_part_2[i] for i in 0:1024) / 2)"},
		{"counts", "iterate (j in 0:3) few[j] = count(src[y][x] > j for y in 0:H, x in 0:W);", 3, "sum(i32((i32(src[y][x]) > 2))"},
		{"loops", "iterate (j in 0:3) { var s = 0; for (y in 0:H) for (x in 0:W) s += src[y][x] << j; few[j] = s; }", 3, "few_part_2[i] = sum((i32(src[y][x]) << 1)"},
		{"behind a let", "iterate (j in 0:3) { let m = min(src[0][0], 7) + j; few[j] = sum(src[y][x] * m for y in 0:H, x in 0:W); }", 3, "let m: i32 = (i32(min(src[0][0], u8(7))) + 1)"},
		{"one behind the other", "iterate (j in 0:3) { let m = max(src[y][x] for y in 0:H, x in 0:W); few[j] = sum(m - src[y][x] > j ? 1 : 0 for y in 0:H, x in 0:W) + m; }", 6, "m_2[0] = max("},
		{"extremes of floats", "iterate (j in 0:3) few[j] = i32(max(f[y][x] for y in 0:H, x in 0:W));", 3, "max("},

		{"sums of floats", "iterate (j in 0:3) few[j] = i32(sum(f[y][x] for y in 0:H, x in 0:W));", 0, ""},
		{"many instances", "iterate (j in 0:64) some[j] = sum(src[y][x] << j for y in 0:H, x in 0:W);", 0, ""},
		{"lines", "iterate (j in 0:3) few[j] = sum(src[0][x] << j for x in 0:W);", 0, ""},
		{"windows", "iterate (j in 0:3) few[j] = sum(i * j for i in 0:9, k2 in 0:9);", 0, ""},
		{"of what they write", "iterate (j in 0:3) { few[j] = 1; few[j] = sum(src[y][x] * few[j] for y in 0:H, x in 0:W); }", 0, ""},
		{"under conditions", "iterate (j in 0:3) few[j] = j < H ? sum(src[y][x] << j for y in 0:H, x in 0:W) : 0;", 0, ""},
		{"of some", "iterate (j in 0:3) where (j > n2) few[j] = sum(src[y][x] << j for y in 0:H, x in 0:W);", 0, ""},
		{"where pixels end", "iterate (j in 0:3) few[j] = sum(src[y][x] << j for y in 0:H, x in 0:min(W, i32(src[0][j % W])));", 0, ""},
		{"places", "iterate (j in 0:3) few[j] = argmax(src[y][x] << j for y in 0:H, x in 0:W).x;", 0, ""},
	} {
		text := updating(t, "let n2 = H - 1; "+c.steps, true)
		if parts := strings.Count(text, "_part[i] = ") + strings.Count(text, "_part_2[i] = ") + strings.Count(text, "_part_3[i] = ") + strings.Count(text, "_part_4[i] = ") +
			strings.Count(text, "_part_5[i] = ") + strings.Count(text, "_part_6[i] = "); parts != c.parts || !strings.Contains(text, c.has) {
			t.Errorf("%s: %d parts, want %d and %s in\n%s", c.name, parts, c.parts, c.has, text)
		}
	}
	if text := updating(t, "iterate (j in 0:3) few[j] = i32(sum(f[y][x] for y in 0:H, x in 0:W));", false); !strings.Contains(text, "few_part") {
		t.Errorf("sums of floats that need not be in order stay in\n%s", text)
	}
}
