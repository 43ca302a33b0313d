package borders_test

import (
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/optimize/normal"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// bordered are bodies whose reads keep inside by themselves; has is in the form of those that are read under a rule then, not has gone.
var bordered = []struct{ name, body, has, not string }{
	{"both sides", "dst[y][x] = sum(src[clamp(y+j, 0, H-1)][clamp(x+i, 0, W-1)] for j in -1:2, i in -1:2);", "src[(y + j)<>][(x + i)<>]@clamp", "clamp("},
	{"the greater of the lesser", "dst[y][x] = src[max(min(y-1, H-1), 0)][min(max(0, x+2), W-1)];", "src[(y - 1)<>][(x + 2)<>]@clamp", "max"},
	{"one side", "dst[y][x] = src[max(y-1, 0)][min(x+1, W-1)];", "src[(y - 1)<][(x + 1)>]@clamp", "max"},
	{"lets", "let u = x + 3; let v = min(u, last); dst[y][x] = src[y][v];", "src[y][(x + 3)>]@clamp", "let"},
	{"a func", "dst[y][x] = src[near(y-1, H)][near(x+1, W)];", "src[(y - 1)<>][(x + 1)<>]@clamp", "near(("},
	{"a func of statements", "dst[y][x] = ruled[close(y-1, H)][close(x+1, W)];", "ruled[(y - 1)<>][(x + 1)<>]@clamp", "close(("},
	{"a choice", "dst[y][x] = src[y > 0 ? y-1 : 0][x+1 < W ? x+1 : W-1];", "src[(y - 1)<][(x + 1)>]@clamp", "?"},
	{"a choice of the instance's own", "dst[y][x] = src[y == 0 ? y : y-1][x == W-1 ? x : x+1];", "src[(y - 1)<][(x + 1)>]@clamp", "?"},
	{"step by step", "var u = x - 2; if (u < 0) u = 0; else if (u >= W) u = W - 1; dst[y][x] = src[y][u];", "src[y][(x - 2)<>]@clamp", "if"},
	{"another rule, which is not needed", "dst[y][x] = ruled[clamp(y-1, 0, H-1)][x];", "ruled[(y - 1)<>][x]@clamp", "clamp("},
	{"every second", "dst[y][x] = wide[clamp(2*y-1, 0, 2*H-1)][min(2*x+2, 2*W-1)];", "wide[((2 * y) - 1)<>][((2 * x) + 2)>]@clamp", "min("},
	{"remainders", "dst[y][x] = round[mod(y-1, H)][(x+2+W)%W];", "round[(y - 1)<][(x + 2)>]@repeat", "%"},
	{"around the edge", "dst[y][x] = src[y == 0 ? H-1 : y-1][x == W-1 ? 0 : x+1];", "src[(y - 1)<][(x + 1)>]@repeat", "?"},
	{"around the edge step by step", "var s = 0; for (i in -2:3) { var u = x + i; if (u < 0) u += W; if (u >= W) u -= W; s += round[y][u]; } dst[y][x] = s;", "round[y][(x + i)<>]@repeat", "if"},
	{"tiles", "dst[y][x] = tile[y%h][x%w];", "tile[y>][x>]@repeat", "%"},

	{"a condition", "var s = 0; for (j in -1:2) for (i in -1:2) if (y+j >= 0 && H > y+j && x+i > -1 && x+i <= W-1) s += taps[j+1][i+1] * src[y+j][x+i]; dst[y][x] = s;", "let s: i32 = sum((taps[(j + 1)][(i + 1)] * src[(y + j)<>][(x + i)<>]@constant(0))", "if"},
	{"rounds that are left out", "var s = 0; for (j in -1:2) { let v = y + j; if (v < 0 || v >= H) continue; for (i in -1:2) { if (x+i < 0) continue; if (x+i >= W) continue; s += src[v][x+i]; } } dst[y][x] = s;", "sum(src[(y + j)<>][(x + i)<>]@constant(0)", "if"},
	{"a condition without signs", "var s = 0; for (i in -1:2) { let u = x + i; if (u32(u) < u32(W)) s -= src[y][u]; } dst[y][x] = s;", "src[y][(x + i)<>]@constant(0)", "if"},
	{"a mean of what is inside", "var s = 0; var n = 0; for (j in -1:2) for (i in -1:2) if (y+j >= 0 && y+j < H && x+i >= 0 && x+i < W) { s += src[y+j][x+i]; n += 1; } dst[y][x] = s / n;", "let n: i32 = (max(((min(1, ((H - y) - 1)) - max(-1, (0 - y))) + 1), 0) * ", "if"},
	{"a choice of a pixel", "dst[y][x] = (x > 0 ? src[y][x-1] : 7) + (y >= H-1 ? -1 : src[y+1][x]);", "(src[y][(x - 1)<]@constant(7) + src[(y + 1)>][x]@constant(-1))", "?"},
	{"a choice in a sum", "dst[y][x] = sum(x+i >= 0 && x+i < W ? (i - 3) * src[y][x+i] : 0 for i in -1:2);", "src[y][(x + i)<>]@constant(0)", "?"},
	{"nothing behind a round that is left out", "var s = 0; for (i in -1:2) if (x+i >= 0 && x+i < W) s += src[y][x+i]; for (i in 0:3) { if (x > i) continue; } dst[y][x] = s;", "src[y][(x + i)<>]@constant(0)", "@clamp"},
	{"a maximum", "var m = -9; for (i in -1:2) if (x+i >= 0 && x+i < W) m = max(m, src[y][x+i]); dst[y][x] = m;", "max(src[y][(x + i)<>]@constant(-2147483648)", "if"},

	{"an element that is in range everywhere", "var s = 0; for (i in -1:2) if (x+i >= 0 && x+i < W) s += table[(x+i+5) % 5] * src[y][x+i]; dst[y][x] = s;", "src[y][(x + i)<>]@constant(0)", "if"},

	{"another size", "dst[y][x] = src[y][clamp(x-1, 0, W-2 < 0 ? 0 : W-2)];", "clamp(", "@"},
	{"from 1", "dst[y][x] = src[y][min(max(x-1, 1), W-1)];", "max(", "@"},
	{"what is not at the instance", "dst[y][x] = src[y][clamp(src[y][x], 0, W-1)];", "clamp(", "@"},
	{"one of two", "dst[y][x] = src[y][max(x-1, 0)] + src[y][W-1-max(x-1, 0)];", "max(", "@"},
	{"a rule that is needed", "dst[y][x] = ruled[max(y-1, 0)][x+1];", "@reflect", "@clamp"},
	{"a side of another", "dst[y][x] = src[y][x > 2 ? x-1 : 0];", "?", "@"},
	{"one pixel too few", "dst[y][x] = x > 1 ? src[y][x-1] : 7;", "?", "@"},
	{"a weight that is counted", "var s = 0; var n = 0; for (i in -1:2) if (x+i >= 0 && x+i < W) { s += src[y][x+i]; n += i; } dst[y][x] = s / n;", "if", "@"},
	{"a round that is left out in a condition", "var s = 0; var u = 0; for (i in -1:2) { if (x+i >= 0 && y > 0) { if (x+i >= W) continue; s += src[y-1][x+i]; } u += i + 2; } dst[y][x] = s * u;", "continue", "u + (i + 2)) *"},
	{"a func that returns out of a loop", "dst[y][x] = ruled[found(y, H)][x];", "found(", "@clamp"},
	{"a changed one", "var u = x - 1; for (i in 0:2) { if (u < 0) u = 0; dst[y][x] = src[y][min(u, W-1)]; u = u - i; }", "if", "@"},
	{"around another edge", "dst[y][x] = round[y < 1 ? H-2 : y-1][x];", "?", "(y - 1)<]"},
	{"an element that is in range under the condition", "var s = 0; if (x >= 1 && x-1 < 4 && y < H) s += table[x-1] * src[y][x-1]; for (i in -1:2) if (x+i >= 0 && x+i < W) s += table[(x+i) % 5] * src[y][x+i]; dst[y][x] = s;", "if", "@"},
	{"a product that wraps", "dst[y][x] = x*65536*65536 >= 0 && x*65536*65536 < W ? src[y][x*65536*65536] : 7;", "?", "@"},
	{"no multiple of it", "dst[y][x] = src[y%H][(x+3)%(W+1) < W ? (x+3)%(W+1) : 0];", "%", "@"},
}

const keeping = `func found(i: i32, n: i32): i32 { for (k in 1:3) if (i == k) return 0; return min(max(i, 0), n - 1); }
const table: i32[5] = [1, 2, 3, 4, 5];
func near(i: i32, n: i32): i32 = min(max(i, 0), n - 1);
func close(i: i32, n: i32): i32 { if (i < 0) return 0; if (i >= n) return n - 1; return i; }
`

// formed is a program with the forms behind these.
func formed(t *testing.T, name string, p *hast.Program) string {
	t.Helper()
	q := normal.Program(p, normal.Options{})
	if err := hast.Verify(q); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return hast.Dump(q)
}

// keepingInside is the program with such a body.
func keepingInside(t *testing.T, body string) *hast.Program {
	return sematest.Program(t, keeping+`pipeline p(in src: i32[H][W], in ruled: i32[H][W] border reflect, in round: i32[H][W] border repeat, in wide: i32[2*H][2*W], in tile: i32[h][w], in taps: i32[3][3], out dst: i32[H][W]) {
		let last = W - 1; iterate (y, x) over dst { `+body+" } }")
}

func TestCoordinatesThatAreKeptInsideAreUnderARule(t *testing.T) {
	for _, c := range bordered {
		got := formed(t, c.name, keepingInside(t, c.body))
		got = got[strings.Index(got, "stage dst"):]
		if !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%s: want %s and no %q in\n%s", c.name, c.has, c.not, got)
		}
	}
}

// Pixels are the same, to the bit, in images of one row or column, too.
func TestRulesKeepEveryBit(t *testing.T) {
	for _, c := range bordered {
		p := keepingInside(t, c.body)
		for _, size := range [][2]int{{1, 1}, {1, 5}, {4, 1}, {2, 2}, {3, 7}} {
			if want, got := withImages(t, p, size), withImages(t, normal.Program(p, normal.Options{}), size); !slices.Equal(got, want) {
				t.Errorf("%s, %d: %x, want %x", c.name, size, got, want)
			}
		}
	}
}

// withImages are the words of dst where the images of a program have some size, or those of a few others that go with it.
func withImages(t *testing.T, p *hast.Program, size [2]int) []types.Word {
	t.Helper()
	sizes := map[string][2]int{"wide": {2 * size[0], 2 * size[1]}, "tile": {2, 3}, "taps": {3, 3}}
	args := interp.Args{Images: map[string]*pixels.Image{}}
	for k, name := range []string{"src", "ruled", "round", "wide", "tile", "taps"} {
		of := size
		if own, ok := sizes[name]; ok {
			of = own
		}
		m, err := pixels.New(types.Scalar(types.I32), of[0], of[1])
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			m.SetWord(i, types.Int(int64((i*i+7*k)%23-11)))
		}
		args.Images[name] = m
	}
	return interptest.Words(t, p.Pipelines[0], args, "dst")
}

// Reads that stand in several places as one node stay one, and what is read the same way has the same rule.
func TestRulesOfReadsAreShared(t *testing.T) {
	p := normal.Program(keepingInside(t, "dst[y][x] = src[y][max(x-1, 0)] + src[y][max(x-1, 0)] + (x > 0 ? src[y][x-1] : 0) + (x > 1 ? src[y][x-2] : 0);"), normal.Options{})
	var rules []*hast.Rule
	hast.WalkStages(p.Pipelines[0].Steps, func(_ []hast.Step, s *hast.Stage) {
		s.EachRule(func(r *hast.Rule) {
			if !slices.Contains(rules, r) {
				rules = append(rules, r)
			}
		})
	})
	if len(rules) != 2 {
		t.Errorf("%d rules, want one of clamp and one of constant", len(rules))
	}
}
