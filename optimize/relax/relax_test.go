package relax_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/ops"
	"imgc/optimize/relax"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// cases are bodies of a pipeline of one stage, with how many divisions, exponentials and products each instance is left with, loops
// counting once, and what else the stage is to have in it.
var cases = []struct {
	name, body string
	divisions  int
	powers     int // of two; there are no others left
	products   int
	has        string
}{
	{"by a scalar", "dst[y][x] = a[y][x] / s;", 0, 0, 1, ""},
	{"by a constant", "dst[y][x] = a[y][x] / 3;", 0, 0, 1, ""},
	{"by a constant that is too small", "dst[y][x] = a[y][x] / 1e-39;", 1, 0, 0, ""},
	{"by a value of the instance", "dst[y][x] = a[y][x] / b[y][x];", 1, 0, 0, ""},
	{"by a size", "dst[y][x] = a[y][x] / f32(H * W);", 0, 0, 1, ""},
	{"of a constant", "dst[y][x] = 1 / s + a[y][x];", 0, 0, 0, ""},
	{"exponential", "dst[y][x] = exp(a[y][x]);", 0, 1, 1, ""},
	{"one product of all that is known", "dst[y][x] = 2 * a[y][x] * s / 3 * b[y][x] * 0.5;", 0, 0, 2, ""},
	{"across a let", "let f = (a[y][x] - b[y][x]) / s; dst[y][x] = exp(-f * f / 2);", 0, 1, 2, "f_unscaled"},
	{"a let that is read elsewhere, too", "let f = a[y][x] / s; dst[y][x] = f * f * 3 + f;", 0, 0, 3, "f_unscaled"},
	{"a let in a loop", "var t: f32; for (i in 0:3) { let f = a[y][x] * s; t += f * f; } dst[y][x] = t;", 0, 0, 2, "f_unscaled"},
	{"a let under a condition", "var t: f32; if (a[y][x] > 1) { let f = a[y][x] * s; t = f * f; } dst[y][x] = t;", 0, 0, 2, ""},
	{"a weight goes into the power", "dst[y][x] = sum(m[d] * exp(-a[y][x+d.x] / s) for d in m);", 0, 1, 1, "m_log2"},
	{"a weight that is not positive stays", "dst[y][x] = sum(n[d] * exp(-a[y][x+d.x] / s) for d in n);", 0, 1, 2, ""},
	{"points without weight", "dst[y][x] = sum(n[0][i+1] * a[y][x+i] for i in -1:2);", 0, 0, 1, "for i in {-1 1}"},
	{"negated", "dst[y][x] = -a[y][x] * -s * b[y][x];", 0, 0, 2, ""},
	{"negated, nothing else known", "dst[y][x] = -a[y][x] * b[y][x];", 0, 0, 2, ""},
	{"vectors", "let f = f32x3(a[y][x], b[y][x], 1) / s; dst[y][x] = (f * f).y + f.x;", 0, 0, 3, ""},
	{"integers stay", "dst[y][x] = i32(a[y][x]) / 3 * 2 * 5;", 1, 0, 2, ""},
	{"doubles stay", "dst[y][x] = f32(exp(f64(a[y][x])) / 3);", 1, 0, 0, ""},
}

const head = `mask m: f32[1][3] = [[1, 2, 1]];
mask n: f32[1][3] = [[1, 0, -1]];
`

func program(t *testing.T, body string) *hast.Program {
	t.Helper()
	return sematest.Program(t, head+"pipeline p(in a: f32[H][W] border clamp, in b: f32[H][W], out dst: f32[H][W], in s: f32 = 1.75) { iterate (y, x) over dst { "+body+" } }")
}

// count is how many of an operator instances compute for themselves, each written once.
func count(p *hast.Program, op ops.Op) (n int) {
	var in func(e hast.Expr)
	in = func(e hast.Expr) {
		if o, ok := e.(*hast.Op); ok && o.Op == op && !hast.SameForAll(e) {
			n++
		}
		if !hast.SameForAll(e) {
			for _, x := range hast.Operands(e) {
				in(x)
			}
		}
	}
	var body func(list []hast.Stmt)
	body = func(list []hast.Stmt) {
		for _, s := range list {
			exprs, inner := hast.Parts(s)
			for _, e := range exprs {
				in(e)
			}
			for _, list := range inner {
				body(list)
			}
		}
	}
	hast.WalkSteps(p.Pipelines[0].Steps, func(s hast.Step) { body(s.(*hast.Stage).Body) })
	return n
}

func TestWhatAllInstancesShareIsComputedOnce(t *testing.T) {
	for _, c := range cases {
		p := program(t, c.body)
		before := hast.Dump(p)
		out := relax.Program(p)
		if hast.Dump(p) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
		text := hast.Dump(out)
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
		got := [3]int{count(out, ops.Div), count(out, ops.Exp2), count(out, ops.Mul)}
		if want := [3]int{c.divisions, c.powers, c.products}; got != want || !strings.Contains(text, c.has) {
			t.Errorf("%s: %v divisions, powers and products, want %v, and %q\n%s", c.name, got, want, c.has, text)
		}
	}
}

func TestRelaxedProgramsGiveNearlyTheSame(t *testing.T) {
	for _, c := range cases {
		p := program(t, c.body)
		want, got := run(t, p), run(t, relax.Program(p))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
				t.Errorf("%s: pixel %d is %v, want %v", c.name, i, got[i], want[i])
			}
		}
	}
}

// run gives the pixels of dst for random pixels between -4 and 4.
func run(t *testing.T, p *hast.Program) (out []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	args := interp.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}
	for _, name := range []string{"a", "b"} {
		m, err := pixels.New(types.Scalar(types.F32), 5, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			m.SetWord(i, types.Float(float64(float32(8*rng.Float64()-4))))
		}
		args.Images[name] = m
	}
	for _, w := range interptest.Words(t, p.Pipelines[0], args, "dst") {
		out = append(out, w.Float())
	}
	return out
}
