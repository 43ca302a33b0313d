package normal_test

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

// weighted are bodies that have weights; "has" is what is in the form of those that become entries of constant arrays or numbers, "not" what has gone.
var weighted = []struct{ name, body, has, not string }{
	{"a bell", "dst[y][x] = sum(exp(-(j*j + i*i) / 4.5) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3][3]{0.6411804 0.8007374 0.6411804 0.8007374 1.0", "exp"},
	{"behind the pixel", "dst[y][x] = sum(src[y+j][x+i] * exp(-f32(j*j) / 4.5) * exp(-f32(i*i) / 4.5) for j in -1:2, i in -1:2);", "f32[3]{0.8007374 1.0 0.8007374}[(j + 1)]", "exp"},
	{"a tent", "dst[y][x] = sum((2 - abs(j)) * (2 - abs(i)) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3][3]{1.0 2.0 1.0 2.0 4.0", "abs"},
	{"a ramp", "dst[y][x] = sum(j * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3]{-1.0 0.0 1.0}[(j + 1)]", "f32(j)"},
	{"every second", "dst[y][x] = sum(exp(f32(j)) * src[y+j][x] for j in -2:3:2, i in 0:2);", "f32[5]{0.13533528 ", "exp"},
	{"a condition", "dst[y][x] = sum((abs(j) + abs(i) < 2 ? 1.0 : 0.0) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3][3]{0.0 1.0 0.0", "?"},
	{"a func", "dst[y][x] = sum(near(j, i) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3][3]{0.5 ", "near"},
	{"a point alone", "dst[y][x] = sum(exp(f32(j)) * src[y+j][x+i] for j in 1:2, i in -1:2);", "f32[1]{2.7182817}[(j - 1)]", "exp"},
	{"a domain", "dst[y][x] = sum(exp(f32(d.x - d.y)) * src[y+d.y][x+d.x] for d in cross);", "f32[3][3]{1.0 2.7182817 7.389056 0.36787945 1.0", "exp"},
	{"a sum of weights", "let s = sum(exp(f32(-j*j)) for j in -1:2); dst[y][x] = sum(exp(f32(-j*j)) / s * src[y+j][x] for j in -1:2);", "f32[3]{0.21194157 0.5761169 0.21194157}", "/"},
	{"numbers of the host", "dst[y][x] = sum(exp(-f32(j*j) / spread) * src[y+j][x] for j in -1:2);", "f32[3]{0.8007374 1.0 0.8007374}", "exp"},
	{"a loop", "var s = 0.0; var all = 0.0; for (j in -1:2) for (i in -1:2) { let w = near(j, i); s += w * src[y+j][x+i]; all += w; } dst[y][x] = s / all;", "let all: f32 = 5.0", "near"},
	{"a loop that stays", "var s = 0.0; for (j in -1:2) { let w = exp(f32(j)); if (src[y][x] > 2) s = w * src[y+j][x] - s; } dst[y][x] = s;", "let w: f32 = f32[3]{0.36787945 ", "exp"},
	{"sums of products", "dst[y][x] = sum(near(j, i) * src[y+j][x+i] - exp(f32(i)) * src[y][x] for j in -1:2, i in -1:2);", "f32[3]{0.36787945 ", "near"},
	{"least of what is added", "dst[y][x] = max(src[y+j][x+i] - exp(f32(i)) for j in -1:2, i in -1:2);", "f32[3]{0.36787945 ", "exp"},
	{"division by 0", "dst[y][x] = sum(f32(6 / j) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3]{-6.0 0.0 6.0}", "/"},
	{"no number", "dst[y][x] = sum(sqrt(f32(j)) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3]{NaN", "sqrt"},
	{"infinite", "dst[y][x] = sum(1 / f32(j) * src[y+j][x+i] for j in -1:2, i in -1:2);", "f32[3]{-1.0 +Inf 1.0}", "/"},

	{"pixels in a weight", "dst[y][x] = sum(exp(-src[y+j][x+i]) * src[y+j][x+i] for j in -1:2, i in -1:2);", "exp(", "{"},
	{"sizes in a weight", "dst[y][x] = sum(exp(-f32(j) / H) * src[y+j][x+i] for j in -1:2, i in -1:2);", "exp(", "{"},
	{"parameters in a weight", "dst[y][x] = sum(exp(-j * k) * src[y+j][x+i] for j in -1:2, i in -1:2);", "exp(", "{"},
	{"what the host computes with parameters", "dst[y][x] = sum(exp(-j * more) * src[y+j][x+i] for j in -1:2, i in -1:2);", "exp(", "{"},
	{"the instance in a weight", "dst[y][x] = sum(exp(f32(-j*y)) * src[y+j][x+i] for j in -1:2, i in -1:2);", "exp(", "{"},
	{"as long as a parameter says", "dst[y][x] = sum(exp(f32(-j)) * src[y+j][x] for j in 0:i32(k));", "exp(", "{"},
	{"nothing", "dst[y][x] = sum(exp(f32(-j)) * src[y+j][x+i] for j in 0:0, i in 0:3);", "exp(", "{"},
	{"many", "dst[y][x] = sum(exp(f32(-j)) * src[y][x+j] for j in 0:5000);", "exp(", "{"},
	{"many of what is cheap", "dst[y][x] = sum(abs(i) * src[y][x+i] for j in 0:2, i in 0:1500);", "abs(", "{"},
	{"what is cheap in a line", "dst[y][x] = sum(abs(i) * src[y][x+i] for i in 0:5);", "abs(", "{"},
	{"coordinates", "dst[y][x] = sum(src[y + j/2][x + abs(i)] for j in -1:2, i in -1:2);", "src[(y + (j / 2))][(x + abs(i))", "{"},
	{"coordinates by name", "var s = 0.0; for (j in -1:2) { let at = y + j/2; if (src[y][x] > 2) s += src[at][x]; } dst[y][x] = s;", "(y + (j / 2))", "{"},
}

const around = `domain cross[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];
func near(j: i32, i: i32): f32 { var d = 0; if (j != 0) d = d + 1; if (i != 0) d = d + 1; return 1.0 / (d + 1) + (d > 1 ? 1 / 6.0 : 0.0); }
`

// weighing is the program with such a body.
func weighing(t *testing.T, body string) *hast.Program {
	return sematest.Program(t, around+"pipeline p(in src: f32[H][W] border clamp, in k: f32, out dst: f32[H][W]) { let sigma = 1.5; let spread = 2 * sigma * sigma; let more = k * sigma; iterate (y, x) over dst { "+body+" } }")
}

func TestWeightsAreEntriesOfConstants(t *testing.T) {
	for _, c := range weighted {
		got := formed(t, c.name, weighing(t, c.body))
		got = got[strings.Index(got, "stage dst"):]
		if !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%s: want %s and no %q in\n%s", c.name, c.has, c.not, got)
		}
	}
}

// The arrays hold what the instances would have computed, to the bit.
func TestWeightsKeepEveryBit(t *testing.T) {
	for _, c := range weighted {
		p := weighing(t, c.body)
		if want, got := computed(t, p), computed(t, normal.Program(p, normal.Options{Exact: true})); !slices.Equal(got, want) {
			t.Errorf("%s: %x, want %x", c.name, got, want)
		}
	}
}

// computed are the words of dst.
func computed(t *testing.T, p *hast.Program) []types.Word {
	t.Helper()
	src, err := pixels.New(types.Scalar(types.F32), 4, 6)
	if err != nil {
		t.Fatal(err)
	}
	for i := range src.Words() {
		src.SetWord(i, types.Float(float64(i*i%13)/4))
	}
	args := interp.Args{Images: map[string]*pixels.Image{"src": src}, Scalars: map[string]types.Value{"k": types.Of(types.F32, types.Float(3))}}
	return interptest.Words(t, p.Pipelines[0], args, "dst")
}
