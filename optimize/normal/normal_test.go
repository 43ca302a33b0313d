package normal_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/normal"
	"imgc/sema/sematest"
)

// formed is the text of a program after the pass, which must not change it.
func formed(t *testing.T, name string, p *hast.Program) string {
	t.Helper()
	before := hast.Dump(p)
	out := normal.Program(p, normal.Options{Exact: true})
	if hast.Dump(p) != before {
		t.Errorf("%s: the program has changed", name)
	}
	if err := hast.Verify(out); err != nil {
		t.Errorf("%s: %v\n%s", name, err, hast.Dump(out))
	}
	return hast.Dump(out)
}

// dumped is the body of the only stage of a program, after the pass.
func dumped(t *testing.T, params, body string) string {
	t.Helper()
	p := sematest.Program(t, "pipeline p("+params+") { iterate (x) over r "+body+" }")
	text := formed(t, body, p)
	text = text[strings.Index(text, "stage r"):]
	return text[strings.Index(text, "\n")+1:]
}

func TestStoresOfOnePixelAreJoined(t *testing.T) {
	for _, c := range []struct {
		name, body string
		stores     int    // that are left
		has        string // in the text
	}{
		{"both sides", "if (a[x] > 3) r[x] = a[x]; else r[x] = 0;", 1, "?"},
		{"a chain", "if (a[x] > 3) r[x] = 1; else if (a[x] > 2) r[x] = 2; else r[x] = 3;", 1, "?"},
		{"updates", "if (a[x] > 3) { r[a[x]] += 1; } else { r[a[x]] += 2; }", 1, "?"},
		{"with a let", "if (a[x] > 3) { let v = a[x] * 2; r[x] = v; } else r[x] = 0;", 1, "r_pixel"},
		{"first and then under a condition", "{ r[x] = 1; if (a[x] > 3) r[x] = 2; }", 1, "r_pixel"},
		{"in a loop", "{ r[x] = 0; for (i in 0:3) { if (a[x] > i) r[x] = i; } }", 1, "r_pixel"},
		{"a side without", "{ if (a[x] > 3) r[x] = 2; if (a[x] < 2) r[x] = 4; }", 2, ""},
		{"one of them", "if (a[x] > 3) r[x] = 2;", 1, ""},
		{"a sum and a difference", "if (a[x] > 3) { r[a[x]] += 1; } else { r[a[x]] -= 2; }", 2, ""},
		{"what is read between", "{ r[x] = a[x]; r[x] = r[x] * 2; }", 2, ""},
		{"at a var", "{ var i = 2*x; r[i] = 1; i += 1; r[i] = 2; }", 2, ""},
	} {
		text := dumped(t, "in a: u8[N], inout r: i32[N]", strings.Replace("border(r: skip) BODY", "BODY", c.body, 1))
		if n := strings.Count(text, " r["); n != c.stores || !strings.Contains(text, c.has) {
			t.Errorf("%s: %d stores, want %d and %q in\n%s", c.name, n, c.stores, c.has, text)
		}
	}
}

func TestMeansOfWindowsAreSums(t *testing.T) {
	for _, c := range []struct{ name, elem, body, want string }{
		{"bytes", "u8", "r[x] = i32(mean(a[x : 3]));", "f32(sum(i32("},
		{"words of 16 bits", "u16", "r[x] = i32(mean(a[x : 300]));", "f32(sum(i32("},
		{"floats", "f32", "r[x] = i32(mean(a[x : 3]));", "sum(a["},
		{"integers of 32 bits", "i32", "r[x] = i32(mean(a[x : 3]));", "f64(sum(i64("},
		{"products of bytes", "u8", "r[x] = i32(mean(a[x + i] * a[x + i] for i in 0:3));", "f64(sum((i32(a[(x + i)>]"},
		{"differences of 16 bits", "u16", "r[x] = i32(mean(a[x + i] - a[x] for i in 0:3));", "f64((sum(i32(a[(x + i)>]"},
		{"words of which few bits are", "u32", "r[x] = i32(mean(i32(a[x + i] & 255) * 3 - 5 for i in 0:3));", "f64((sum((i32((a["},
		{"words of which all bits but one are", "u32", "r[x] = i32(mean(i32(a[x + i] >> 1) for i in 0:3));", "f64(sum(i64("},
		{"remainders that may be negative", "i32", "r[x] = i32(mean(a[x + i] % 1000 * 1000 for i in 0:3));", "f64(sum("},
		{"products of 16 bits", "u16", "r[x] = i32(mean(a[x + i] * a[x + i] for i in 0:3));", "f64(sum(i64("},
		{"products that wrap", "u8", "r[x] = i32(mean(a[x + i] * a[x] * a[x] * a[x] * a[x] for i in 0:3));", "f64(sum(i64("},
		{"bytes that are needed as floats", "u8", "{ let m = mean(a[x : 3]); r[x] = i32(sum((a[x + i] - m) * (a[x + i] - m) for i in 0:3)); }", "let m: f32 = (sum(f32(a"},
		{"bytes that a loop needs as floats", "u8", "{ let m = mean(a[x : 3]); var v = 0.0; for (i in 0:3) v = max(v, a[x + i] - m); r[x] = i32(v); }", "let m: f32 = (sum(f32(a"},
		{"bytes beside one as a float", "u8", "r[x] = i32(mean(a[x : 3]) - f32(a[x]));", "f32(sum(i32("},
	} {
		text := dumped(t, "in a: "+c.elem+"[N] border clamp, inout r: i32[N]", "border(r: skip) "+c.body)
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, text)
		}
	}
}

// TestElementsOfArraysAreOfPixels has arrays that are made element by element, whose elements are read one by one where that is little.
func TestElementsOfArraysAreOfPixels(t *testing.T) {
	for _, c := range []struct{ name, body, has, not string }{
		{"products", "{ let w = f32(a[x : 3]); r[x] = i32(sum(w .* w)); }", "sum((f32(a[(x + i)", "let w"},
		{"differences from one", "{ let m = f32(a[x]); let w = f32(a[x : 3]); r[x] = i32(max(abs(w - m))); }", "abs((f32(a[(x + i)", "let w"},
		{"of each other", "{ let w = f32(a[x : 3]); let v = w + w; r[x] = i32(sum(v .* w)); }", "(f32(a[(x + i)<>]@clamp) + f32(a[(x + i)<>]@clamp))", "let "},
		{"every second", "{ let w = f32(a[x : 3 : 2]); r[x] = i32(sum(w .* w)); }", "(i * 2)", "let w"},
		{"that are needed as a whole", "{ let w = f32(a[x : 3]); r[x] = i32(median(w) + sum(w .* w)); }", "sum((f32(a[(x + i)", ""},
		{"that take long", "{ let w = exp(f32(a[x : 3])); r[x] = i32(sum(w .* w)); }", "sum((w[i] * w[i])", ""},
		{"of a var", "{ var k = 1.0; k = 2.0; let w = f32(a[x : 3]) * k; r[x] = i32(sum(w .* w)); }", "sum((w[i] * w[i])", ""},
		{"of what is written", "{ let w = f32(r[x : 1]); r[x] = 5; r[x] = i32(sum(w .* w)) + r[x]; }", "sum((w[i] * w[i])", ""},
		{"outside", "{ let w = f32(a[x : 3]) + 1.0; var s = 0.0; for (i in 0:9) s = max(s, w[a[i]]); r[x] = i32(s); }", "w?[i32(a[", ""},
	} {
		text := dumped(t, "in a: u8[N] border clamp, inout r: i32[N]", "border(r: skip) "+c.body)
		if !strings.Contains(text, c.has) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: want %q, and no %q, in\n%s", c.name, c.has, c.not, text)
		}
	}
}

// TestProductsAroundPixelsAreSums has a matrix of pixels between a row and a column of constants.
func TestProductsAroundPixelsAreSums(t *testing.T) {
	const sum = "sum((i32[3][2]{3 4 6 8 9 12}[j][i] * i32(a[(y + j)<>][(x + i)<>]@clamp)) for j in 0:3, i in 0:2)" // of bytes, which floats hold
	for _, c := range []struct{ name, value, has string }{
		{"a row first", "ROW * f32(a[y : 3][x : 2]) * COLUMN", sum},
		{"a column first", "ROW * (f32(a[y : 3][x : 2]) * COLUMN)", sum},
		{"integers", "ROWS * i32(a[y : 3][x : 2]) * COLUMNS", "sum((i32[3][2]"},
		{"of what takes long", "ROW * exp(f32(a[y : 3][x : 2])) * COLUMN", "MATMUL"},
		{"a row alone", "(ROW * f32(a[y : 3][x : 2]))[0]", "MATMUL"},
		{"pixels on both sides", "ROW * f32(a[y : 3][x : 2]) * f32(a[y][x : 2])", "MATMUL"},
	} {
		p := sematest.Program(t, "const ROW: f32[3] = [1.0, 2.0, 3.0]; const COLUMN: f32[2] = [3.0, 4.0]; const ROWS: i32[3] = [1, 2, 3]; const COLUMNS: i32[2] = [3, 4];"+
			"pipeline p(in a: u8[H][W] border clamp, out r: i32[H][W]) { iterate (y, x) over r r[y][x] = i32("+c.value+"); }")
		out := normal.Program(p, normal.Options{})
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if text := hast.Dump(out); !strings.Contains(text, c.has) {
			t.Errorf("%s: want %q in\n%s", c.name, c.has, text)
		}
		if exact := formed(t, c.name, p); strings.Contains(exact, "MATMUL") != (c.name != "integers") {
			t.Errorf("%s: in exact programs\n%s", c.name, exact)
		}
	}
}

func TestImagesBeginAtZero(t *testing.T) {
	for _, c := range []struct{ name, body, want, not string }{
		{"a frame", "image m: i32[-2 : N+3] = [a[clamp(x, 0, N-1)] for x]; r = [m[x-2] + m[x+1] for x];", "m[x] + m[(x + 3)]", "m[(x - 2)]"},
		{"its stage", "image m: i32[-2 : N+3] = [a[clamp(x, 0, N-1)] for x]; r = [m[x-2] for x];", "stage m (x in 0:(N + 5))", "-2"},
		{"behind 0", "image m: i32[3 : N+3] = [a[x-3] for x]; r = [m[x+3] for x];", "a[x]", "+ 3"},
		{"a rule", "image m: i32[-2 : N] border clamp = 1; r = [m[x-9] for x];", "m[(x - 7)<", "m[(x - 9)"},
		{"where data says", "image m: i32[-2 : N] border clamp = 1; r = [m[a[x]] for x];", "local m: i32[-2", ""},
		{"a swap", "image m: i32[-2 : N] = 1; image n: i32[-2 : N] = 2; swap(m, n); r = [m[x-2] for x];", "local m: i32[-2", ""},
		{"a view", "image m: i32[-2 : N] = 1; view v = m[0 : N]; r = [v[x] for x];", "local m: i32[-2", ""},
		{"a scan", "image m: i32[-1 : N] = 1; iterate (x in 0:N) scan(x) m[x] = m[x-1] + a[x]; r = [m[x] for x];", "local m: i32[-1", ""},
		{"in part", "image m: i32[-2 : N] = 1; iterate (x in 1:N) m[x-3] = a[x]; r = [m[x-2] for x];", "m[(x - 1)] = a[x]", ""},
	} {
		p := sematest.Program(t, "pipeline p(in a: i32[N], out r: i32[N]) { "+c.body+" }")
		text := formed(t, c.name, p)
		text = text[strings.Index(text, "  local m"):]
		if !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: want %q, and no %q, in\n%s", c.name, c.want, c.not, text)
		}
	}
}

func TestStagesGoInTheOrderOfWhatTheyWrite(t *testing.T) {
	checkForms(t, "in a: f32[H][W], in planes: f32[3][H][W], inout r: f32[W][H], inout b: f32[H][W], inout q: f32[H][W][3]", []formCase{
		{"exchanged", "iterate (y, x) over a r[x][y] = a[y][x];", "(x in 0:W, y in 0:H)", "r[x][y] = a[y][x]"},
		{"a quarter", "iterate (y, x) over a r[x][H-1-y] = a[y][x];", "(x in 0:W, y in 0:H)", "r[x][y] = a[((H - y) - 1)][x]"},
		{"mirrored", "iterate (y, x) over a b[y][W-1-x] = a[y][x];", "(y in 0:H, x in 0:W)", "b[y][x] = a[y][((W - x) - 1)]"},
		{"on two sides", "iterate (y, x) over a if (a[y][x] > 0.0) r[x][y] = 1.0; else r[x][y] = 2.0;", "(x in 0:W, y in 0:H)", ""},
		{"where", "iterate (y, x) over a where (x > y) border(r: skip) r[x][H-1-y] = 1.0;", "(x in 0:W, y in 0:H)", "(x > ((H - y) - 1))"},
		{"straight", "iterate (y, x) over a b[y][x] = a[y][x];", "", ""},
		{"in two orders", "iterate (y, x) over a { r[x][y] = a[y][x]; b[y][x] = a[y][x]; }", "", ""},
		{"not all of it", "iterate (y in 0:H, x in 0:W-1) border(r: skip) r[x][H-1-y] = 1.0;", "(x in 0:(W - 1), y in 0:H)", "r[x][y] = 1"},
		{"from 1 on", "iterate (y in 1:H, x in 0:W) border(r: skip) r[x][H-1-y] = 1.0;", "", ""},
		{"from another end", "iterate (y in 0:H, x in 0:W) where (y < H - 1) border(r: skip) r[x][H-2-y] = 1.0;", "", ""},
		{"components", "iterate (c, y, x) over planes q[y][x][c] = planes[c][y][x];", "(y in 0:H, x in 0:W)", "q[y][x] = "},
	})
}

// A formCase is the body of a pipeline, what its stage is in its form, and what is in that; both "" where it stays as it is.
type formCase struct{ name, body, stage, has string }

// checkForms compares the forms of pipelines of some parameters with what they are to be.
func checkForms(t *testing.T, params string, cases []formCase) {
	t.Helper()
	for _, c := range cases {
		p := sematest.Program(t, "pipeline p("+params+") { "+c.body+" }")
		text := formed(t, c.name, p)
		switch {
		case c.stage == "" && stages(text) != stages(hast.Dump(p)):
			t.Errorf("%s: it has changed to\n%s", c.name, text)
		case !strings.Contains(text, c.stage) || !strings.Contains(text, c.has):
			t.Errorf("%s: no %q with %q in\n%s", c.name, c.stage, c.has, text)
		}
	}
}

// stages are the stages of a program's text.
func stages(text string) string { return text[strings.Index(text, "stage"):] }

func TestColourAsAnAxisIsAVector(t *testing.T) {
	const nine = "iterate (y, x, c) over q q[y][x][c] = sum(a[y+j][x+i][c] for j in -1:2, i in -1:2);"
	for _, c := range []struct {
		name, body string
		has, not   string
	}{
		{"side by side", "iterate (y, x, c) over q q[y][x][c] = 2.0 * a[y][x][c];", "q[y][x] = (f32x3{2.0 2.0 2.0} * a[y][x])", "for"},
		{"in a loop", "iterate (y in 0:H, x in 0:W) for (c in 0:3) q[y][x][c] = a[y][x][c];", "q[y][x] = a[y][x]", "for"},
		{"a mask", nine, "sum(a[(y + j)", "for (c"},
		{"a table", "iterate (y, x, c) over q q[y][x][c] = a[y][x][c] * T[c];", "f32x3{1.0 2.0 3.0}", "for"},
		{"lets", "iterate (y, x, c) over q { let s = a[y][x][c] + b; let n = b * b; q[y][x][c] = s * n; }", "let s: f32x3", "for"},
		{"a choice", "iterate (y, x, c) over q { let v = a[y][x][c]; q[y][x][c] = v > b ? v : b; }", "q[y][x] = ", ".x"},
		{"turned around", "iterate (y, x, c) over q q[y][x][c] = a[y][x][2-c];", "q[y][x] = a[y][x].zyx", "for"},
		{"the next one", "iterate (y, x, c) over q q[y][x][c] = a[y][x][(c + 1) % 3] + b * i32(c == 1);", "a[y][x].yzx", "for"},
		{"of a vector, by number", "iterate (y, x, c) over q q[y][x][c] = u[y][x][c] + u[y][x+1][2-c];", "q[y][x] = (u[y][x] + u[y][(x + 1)>]@clamp.zyx)", "for"},
		{"of a vector to planes", "iterate (c, y, x) over p { let w = 2.0 * u[y][x]; p[c][y][x] = w[c]; }", "p[1][y][x] = w.y", "for"},
		{"from planes", "iterate (c, y, x) over p q[y][x][c] = p[c][y][x];", "q[y][x] = f32x3(", "for"},
		{"to planes", "iterate (c, y, x) over p border(p: skip) p[c][y][x] = a[y][x][c];", "a[y][x].y", "for"},
		{"one after the other", "iterate (y in 0:H, x in 0:W) { q[y][x][2] = b; q[y][x][0] = a[y][x][1]; q[y][x][1] = 3.0; }", "q[y][x] = f32x3(", ""},
		{"between", "image m: f32[H][W][3] border clamp = [2.0 * a[y][x][c] for y, x, c]; q = [m[y][x-1][c] for y, x, c];", "m: f32x3", "for"},
		{"an update", "iterate (y, x, c) over q border(q: skip) q[y][x][c] += a[y][x][c];", "q[y][x][1] += a[y][x].y", ""},
		{"one of them", "iterate (y in 0:H, x in 0:W) border(q: skip) q[y][x][1] = a[y][x][0];", "q[y][x][1] = a[y][x].x", ""},
		{"as data says", "iterate (y, x, c) over q q[y][x][c] = a[y][x][i32(b) & 1];", "q[y][x] = ", "a: f32x3"},
		{"along a line", "iterate (y, x, c) over q q[y][x][c] = sum(a[y][i][c] for i in 0:W);", "(y in 0:H, x in 0:W, c in 0:3)", ""},
		{"a scan", "iterate (y in 0:H, x in 1:W, c in 0:3) scan(x) border(q: skip) q[y][x][c] = q[y][x-1][c] + a[y][x][c];", "c in 0:3", ""},
		{"a view", "view v = a[0:H][0:W]; q = [v[y][x][c] for y, x, c];", "in a: f32[H][W][3]", ""},
		{"neighbours of what is written", "iterate (y in 0:H, x in 0:W) { for (c in 0:3) q[y][x][c] = q[y][x][2-c]; }", "q[y][x][c]", ""},
	} {
		p := sematest.Program(t, "const T: f32[3] = [1, 2, 3]; pipeline run(in a: f32[H][W][3] border clamp, in u: f32x3[H][W] border clamp, in b: f32, inout p: f32[3][H][W], inout q: f32[H][W][3]) { "+c.body+" }")
		if text := formed(t, c.name, p); !strings.Contains(text, c.has) || c.not != "" && strings.Contains(stages(text), c.not) {
			t.Errorf("%s: want %q without %q in\n%s", c.name, c.has, c.not, text)
		}
	}
}

func TestLoopsOverWhatAnInstanceWritesAreWrittenOut(t *testing.T) {
	for _, c := range []struct {
		name, body string
		has, not   string
	}{
		{"along a line", "iterate (y in 0:H, x in 0:W) for (i in 0:4) q[y][4*x + i] = a[y][x] + i;", "q[y][((4 * x) + 3)] = (a[y][x] + f32(3))", "for"},
		{"at lets", "iterate (y in 0:H, x in 0:W) for (i in 0:4) { let left = 4*x; let o = left + i; q[y][o] = a[y][x] + i; }", "q[y][o] = (a[y][x] + f32(3))", "for"},
		{"planes at a let", "iterate (y in 0:H, x in 0:W) for (c in 0:3) { let plane = c; r[plane][y][x] = a[y][x] + c; }", "r[plane][y][x] = (a[y][x] + f32(2))", "for"},
		{"blocks", "iterate (y in 0:H, x in 0:W) for (j in 0:2) for (i in 0:4) p[2*y + j][4*x + i] = a[y][x];", "p[((2 * y) + 1)][((4 * x) + 3)]", "for"},
		{"planes", "iterate (y in 0:H, x in 0:W) for (k in 0:3) r[k][y][x] = a[y][x];", "r[2][y][x] = a[y][x]", "for"},
		{"many", "iterate (y in 0:H, x in 0:W) border(q: skip) for (i in 0:32) q[y][32*x + i] = a[y][x];", "for", ""},
		{"not from the instance", "iterate (y in 0:H) for (i in 0:4) q[y][i] += a[y][i];", "for", ""},
		{"as long as the data says", "iterate (y in 0:H, x in 0:W) for (i in 0:4) { if (a[y][x] > i) break; q[y][4*x + i] = a[y][x]; }", "for", ""},
	} {
		p := sematest.Program(t, "pipeline run(in a: f32[H][W], inout p: f32[2*H][4*W], inout q: f32[H][4*W], inout r: f32[3][H][W]) { "+c.body+" }")
		if text := stages(formed(t, c.name, p)); !strings.Contains(text, c.has) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: want %q without %q in\n%s", c.name, c.has, c.not, text)
		}
	}
}

func TestFewWindowsOfALoopAreWrittenOut(t *testing.T) {
	for _, c := range []struct {
		name, body string
		loops      int // that are left
	}{
		{"windows that lie elsewhere", "{ var m = 0; for (q in 0:4) m max= sum(a[x + i - 3*q] for i in 0:4); r[x] = m; }", 0},
		{"at a place with a name", "{ var m = 0; for (q in 0:4) { let o = x - 3*q; m max= sum(a[o + i] for i in 0:4); } r[x] = m; }", 0},
		{"with weights of their own", "{ var m = 0; for (q in 0:2) { let s = sum(T[q][i] * a[x + i] for i in 0:4); if (s > m) m = s; } r[x] = m; }", 0},
		{"many windows", "{ var m = 0; for (q in 0:40) m max= sum(a[x + i - 3*q] for i in 0:4); r[x] = m; }", 1},
		{"the same window", "{ var m = 0; for (q in 0:4) m ^= sum(a[x + i] * q for i in 0:4); r[x] = m; }", 1},
		{"as many as the caller says", "{ var m = 0; for (q in 0:n) m max= sum(a[x + i - 3*q] for i in 0:4); r[x] = m; }", 1},
		{"a loop that ends early", "{ var m = 0; for (q in 0:4) { m max= sum(a[x + i - 3*q] for i in 0:4); if (m > 9) break; } r[x] = m; }", 1},
	} {
		p := sematest.Program(t, "const T: i32[2][4] = [[1, 2, 3, 4], [5, 6, 7, 8]]; pipeline p(in a: u8[N] border clamp, in n: i32, out r: i32[N]) { iterate (x) over r "+c.body+" }")
		if text := formed(t, c.name, p); strings.Count(text, "for (q") != c.loops {
			t.Errorf("%s: want %d loops in\n%s", c.name, c.loops, text)
		}
	}
}

func TestArraysOfFewIntegersAreScalars(t *testing.T) {
	const of = "{ let d: i32[4] = [a[x + k] - 9 for k in 0:4]; "
	for _, c := range []struct {
		name, body string
		runs       int // that have names
		array      bool
	}{
		{"elements", of + "r[x] = d[0] * d[3]; }", 0, false},
		{"a sum", of + "r[x] = sum(d); }", 0, false},
		{"the greatest of runs on a circle", of + "r[x] = max(min(d[(s + k) % 4] for k in 0:3) for s in 0:4); }", 4 + 4 + 3, false},
		{"a run once more", of + "r[x] = min(d[k] for k in 0:2) - min(d[k] for k in 0:2); }", 1, false},
		{"of pixels, too", of + "r[x] = max(d[k] + a[x + k] for k in 0:4); }", 0, false},
		{"a count", of + "r[x] = i32(count(d[k] > 3 for k in 0:4)); }", 0, false},
		{"where data says", of + "r[x] = d[a[x] & 3]; }", 0, true},
		{"where a loop says", of + "var m = 0; for (k in 0:4) m ^= d[k]; r[x] = m; }", 0, true},
		{"of as many as the caller says", of + "r[x] = sum(d[k & 3] for k in 0:n); }", 0, true},
		{"that changes", "{ var d: i32[4] = [a[x + k] for k in 0:4]; d[0] = 3; r[x] = d[0] * d[1]; }", 0, true},
		{"floats", "{ let d: f32[4] = [a[x + k] / 2.0 for k in 0:4]; r[x] = i32(sum(d)); }", 0, true},
	} {
		p := sematest.Program(t, "pipeline p(in a: u8[N] border clamp, in n: i32, out r: i32[N]) { iterate (x) over r "+c.body+" }")
		text := formed(t, c.name, p)
		if strings.Contains(text, "[4]") != c.array || strings.Count(text, "let run") != c.runs {
			t.Errorf("%s: want %d runs and array %v in\n%s", c.name, c.runs, c.array, text)
		}
	}
}

func TestWhatLiesElsewhereIsAPart(t *testing.T) {
	for _, c := range []struct{ name, body, has string }{ // has is "" where no part is made
		{"read", "iterate (y, x) over r r[y][x] = a[y+top][x+left+1] + a[y+top][x+left-1];", "view a: f32 = a[top : h][(left - 1) : (w + 2)]"},
		{"written", "iterate (y, x) over r { r[y][x] = 1.0; b[y+top][x] = 2.0; }", "view b: f32 = b[top : h][0 : W]"},
		{"under a rule", "iterate (y, x) over r border clamp r[y][x] = a[y+top-5][x];", ""},
		{"under a condition", "iterate (y, x) over r if (y + top < H) r[y][x] = a[y+top][x]; else r[y][x] = 0.0;", ""},
		{"at its own place", "iterate (y, x) over r r[y][x] = a[y][x];", ""},
		{"in two ways", "iterate (y, x) over r r[y][x] = a[y+top][x] + a[y][x+left];", ""},
		{"of a local image", "image m: f32[H][W] = 1.0; iterate (y, x) over r r[y][x] = m[y+top][x];", ""},
	} {
		p := sematest.Program(t, "pipeline p(in a: f32[H][W], in top: i32, in left: i32, out r: f32[h][w], inout b: f32[H][W]) { assume(top >= 0); assume(left >= 1); "+c.body+" }")
		out := normal.Program(p, normal.Options{Exact: true})
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, hast.Dump(out))
		}
		if text := hast.Dump(out); c.has == "" && strings.Contains(text, "view ") || !strings.Contains(text, c.has) {
			t.Errorf("%s: want %q in\n%s", c.name, c.has, text)
		}
	}
}

// Entries of constant arrays that are computed with constants, or with the same entries of others, are those of other arrays; what depends on more stays.
func TestEntriesOfConstants(t *testing.T) {
	const masks = "const long: f32[5000] = [f32(i) for i in 0:5000]; mask a: f32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; mask b: f32[3][3] = [[3, 0, 1], [0, 2, 0], [1, 0, 1]]; mask n: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; "
	for _, c := range []struct{ elem, want, not string }{
		{"a[d] / sum(a) * src[y+d.y][x+d.x]", "f32[3][3]{0.0625 0.125 0.0625", "/"},
		{"a[d] * b[d] * src[y+d.y][x+d.x]", "f32[3][3]{3.0 0.0 1.0 0.0 8.0", ""},
		{"f32(n[d]) * src[y+d.y][x+d.x]", "f32[3][3]{1.0 2.0 1.0", "f32("},
		{"max(a[d], 1.5) * src[y+d.y][x+d.x]", "f32[3][3]{1.5 2.0 1.5", "max"},
		{"a[d] * scale * src[y+d.y][x+d.x]", "a[(d_y + 1)][(d_x + 1)] * scale", ""},
		{"a[i32(scale)][0] / 2 * src[y+d.y][x+d.x]", "a?[i32(scale)][0] / 2.0", ""},
		{"long[d.y + 1] / 2 * src[y+d.y][x+d.x]", "f32[3]{0.0 0.5 1.0}[(d_y + 1)]", "long"},
		{"long[i32(scale)] / 2 * src[y+d.y][x+d.x]", "long?[i32(scale)] / 2.0", ""},
		{"f32(n[d] / 2) * src[y+d.y][x+d.x]", "f32[3][3]{0.0 1.0 0.0", "/"},
	} {
		text := masks + "pipeline p(in src: f32[H][W] border clamp, in scale: f32, out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = sum(" + c.elem + " for d in a); }"
		got := formed(t, c.elem, sematest.Program(t, text))
		got = got[strings.Index(got, "stage dst"):]
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: want %s and no %q in\n%s", c.elem, c.want, c.not, got)
		}
	}
}

// Loops that do nothing but to add up are sums; all others stay.
func TestLoopsThatAddUpAreSums(t *testing.T) {
	for _, c := range []struct{ name, body, want, not string }{
		{"a mask", "var s = 0.0; for (d in bell) s += bell[d] * src[y+d.y][x+d.x]; dst[y][x] = s / 2;", "let s: f32 = sum((bell[(d_y + 1)][(d_x + 1)] * src[(y + d_y)<>][(x + d_x)<>]@clamp) for d_y, d_x in", "var"},
		{"two loops", "var s: f32; for (j in -1:2) for (i in -2:3) s = src[y+j][x+i] + s; dst[y][x] = s;", "let s: f32 = sum(src[(y + j)<>][(x + i)<>]@clamp for j in -1:2, i in -2:3)", ""},
		{"two variables", "var s = 0.0; var q = 0.0; for (j in -1:2) for (i in -1:2) { let v = src[y+j][x+i]; s += v; q += v*v; } dst[y][x] = q - s*s;",
			"let q: f32 = sum((src[(y + j)<>][(x + i)<>]@clamp * src[(y + j)<>][(x + i)<>]@clamp) for j in -1:2, i in -1:2)", "var"},
		{"weights alone", "var s = 0.0; var all = 0.0; for (d in bell) { s += bell[d] * src[y+d.y][x+d.x]; all += bell[d]; } dst[y][x] = s / all;", "let all: f32 = 16.0", "var"},
		{"weights that are divided", "var s = 0.0; for (d in bell) { let w = bell[d] / sum(bell); s += w * src[y+d.y][x+d.x]; } dst[y][x] = s;", "let s: f32 = sum((f32[3][3]{0.0625 0.125 ", " / "},
		{"not from 0", "var s = 1.0; for (d in bell) s += bell[d] * src[y+d.y][x+d.x]; dst[y][x] = s;", "var s", "sum("},
		{"from a negative 0", "var s = -0.0; for (d in bell) s += bell[d] * src[y+d.y][x+d.x]; dst[y][x] = s;", "var s", "sum("},
		{"read on the way", "var s = 0.0; for (d in bell) s += s * src[y+d.y][x+d.x]; dst[y][x] = s;", "var s", "sum("},
		{"changed later", "var s = 0.0; for (d in bell) s += bell[d] * src[y+d.y][x+d.x]; s += 1; dst[y][x] = s;", "var s", "sum("},
		{"read before", "var s = 0.0; let r = s; for (d in bell) s += bell[d] * src[y+d.y][x+d.x]; dst[y][x] = s + r;", "var s", "sum("},
		{"conditions", "var s = 0.0; for (d in bell) { if (d.x > 0) s += src[y+d.y][x+d.x]; } dst[y][x] = s;", "let s: f32 = sum(src[(y + d_y)<>][(x + d_x)>]@clamp for d_y, d_x in {-1,1 0,1 1,1})", "var"},
		{"conditions of pixels", "var k = 0; for (i in -1:2) { if (src[y][x+i] > src[y][x]) k += 1; } dst[y][x] = f32(k);", "var k", "sum("},
		{"conditions that never hold", "var s = 0.0; for (d in bell) { if (d.x > 1) s += src[y+d.y][x+d.x]; } dst[y][x] = s;", "var s", "sum("},
		{"two branches", "var s = 0.0; for (d in bell) { if (d.x > 0) s += src[y+d.y][x+d.x]; else s += 1; } dst[y][x] = s;", "var s", "sum("},
		{"conditions on it", "var s = 0.0; for (d in bell) { if (s > 0) s += src[y+d.y][x+d.x]; } dst[y][x] = s;", "var s", "sum("},
		{"conditions that take long", "var s = 0.0; for (d in bell) { if (exp(src[y+d.y][x]) > 2) s += src[y+d.y][x+d.x]; } dst[y][x] = s;", "var s", "sum("},
		{"the least", "var m = 9.0; for (d in bell) m = min(src[y+d.y][x+d.x], m); dst[y][x] = m;", "let m: f32 = min(9.0, min(src[(y + d_y)<>][(x + d_x)<>]@clamp for", "var"},
		{"the greatest of some", "var m = 1.0; for (d in bell) { if (bell[d] > 1) m = max(m, src[y+d.y][x+d.x]); } dst[y][x] = m;", "let m: f32 = max(1.0, max(src[(y + d_y)<>][(x + d_x)<>]@clamp for d_y, d_x in {-1,0 0,-1 0,0 0,1 1,0}))", "var"},
		{"the greatest from a pixel on", "var m = src[y][x]; for (d in bell) m = max(m, src[y+d.y][x+d.x]); dst[y][x] = m;", "var m", "max(src"},
		{"the greatest integer from a pixel on", "var m = i32(src[y][x]); for (d in bell) m = max(m, i32(src[y+d.y][x+d.x])); dst[y][x] = f32(m);", "let m: i32 = max(m, max(i32(src", "var"},
		{"the least from no number on", "var m = sqrt(-1.0); for (d in bell) m = min(m, src[y+d.y][x+d.x]); dst[y][x] = m;", "var m", " min(src"},
		{"the least by a condition, which tells zeros apart", "var m = 9.0; for (d in bell) { if (src[y+d.y][x+d.x] < m) m = src[y+d.y][x+d.x]; } dst[y][x] = m;", "var m", " min("},
		{"weights that all share", "var s = 0.0; var all = 0.0; for (d in bell) { let w = exp(-src[y+d.y][x+d.x]); s += w * src[y+d.y][x+d.x]; all += w; } dst[y][x] = s / all;", "var s", "sum("},
		{"as many as a parameter says", "var s = 0.0; for (i in 0:n) s += src[y][x+i]; dst[y][x] = s;", "var s", "sum("},
		{"a line", "var s = 0.0; for (i in 0:W) s += abs(src[y][i]); dst[y][x] = s;", "let s: f32 = sum(abs(src[y][i]) for i in 0:W)", "var"},
		{"conditions of pixels of a line", "var k = 0; for (i in 0:W) { if (src[y][i] > src[y][x]) k += 1; } dst[y][x] = f32(k);", "let k: i32 = sum(i32((src[y][i] > src[y][x])) for i in 0:W)", "var"},
		{"of some pixels of an image", "var s = 0.0; for (j in 1:H) for (i in 0:W) { if (j > i) s += src[j][i]; } dst[y][x] = s;", "let s: f32 = sum(((j > i) ? src[j][i] : 0.0) for j in 1:H, i in 0:W)", "var"},
		{"the least of a line", "var m = 9.0; for (i in 0:W) { if (i != x) m = min(m, src[y][i]); } dst[y][x] = m;", "let m: f32 = min(9.0, min(((i != x) ? src[y][i] : +Inf) for i in 0:W))", "var"},
		{"what a let of a line takes long to compute", "var s = 0.0; var q = 0.0; for (i in 0:W) { let e = exp(src[y][i]); s += e; q += e*e; } dst[y][x] = q - s*s;", "var s", "sum("},
		{"as long as the line lasts", "var k = 0; for (i in 0:W) { if (src[y][i] > 2) break; k += 1; } dst[y][x] = f32(k);", "var k", "sum("},
		{"bytes of a line", "var s: u8; for (i in 0:W) s += u8(i & 1); dst[y][x] = f32(s);", "var s", "sum("},
		{"bytes", "var s: u8; for (i in 0:3) s += u8(i); dst[y][x] = f32(s);", "var s", "sum("},
	} {
		text := "mask bell: f32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; pipeline p(in src: f32[H][W] border clamp, in n: i32, out dst: f32[H][W]) { iterate (y, x) over dst { " + c.body + " } }"
		got := formed(t, c.name, sematest.Program(t, text))
		got = got[strings.Index(got, "stage dst"):]
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: want %s and no %q in\n%s", c.name, c.want, c.not, got)
		}
	}
}
