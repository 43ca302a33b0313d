package arithmetic

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// narrowOperations are of two values a and b of a kind K, and of a vector v of both. Their results are rounded after each step.
var narrowOperations = []string{
	"a + b", "a - b", "a * b", "a / b", "a % b", "-a", "min(a, b)", "max(a, b)", "a*b + b", "fma(a, b, a)", "sqrt(abs(a))", "floor(a)", "fract(b)",
	"abs(a) - b", "a < b ? a : b", "clamp(a, b, K(2))", "(v*v).x", "(v + K(3)).y", "dot(v, v)", "mix(a, b, K(0.25))", "K(i32(a) + 1)", "sat<K>(a) + K(true)",
	"sum([a, b, a])", "mean([a, b])", "[[a, b], [b, a]][1][0] * K(3)", "sign(a)", "round(a) + ceil(b)", "mod(a, b)", "K(f32(a) * f32(b))", "f64(a) > 3 ? b : a",
}

func narrowProgram(k types.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline p(in x: %[1]s[N], in y: %[1]s[N], out dst: %[1]s[%[2]d][N]) {\n    iterate (i) over x {\n", k, len(narrowOperations))
	fmt.Fprintf(&b, "        let a = x[i];\n        let b = y[i];\n        let v = %sx2(a, b);\n        var r = a;\n", k)
	for i, op := range narrowOperations {
		fmt.Fprintf(&b, "        r = %s(%s);\n        dst[%d][i] = r;\n", k, strings.ReplaceAll(op, "K", k.String()), i)
	}
	b.WriteString("    }\n}\n")
	return b.String()
}

// TestNarrowFloatsRoundEachResult compares arithmetic in f16 and bf16, which devices do in f32, with the interpreter's.
func TestNarrowFloatsRoundEachResult(t *testing.T) {
	for _, k := range []types.Kind{types.F16, types.BF16} {
		t.Run(k.String(), func(t *testing.T) {
			p := harness.Compile(t, "narrow.img", narrowProgram(k), imgc.Strict)
			args := narrowArgs(k)
			want := harness.Interpret(t, p, "p", args).Images["dst"]
			got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			n := len(want.Data) / len(narrowOperations) / k.Bytes()
			for i := range want.Words() {
				g, w := got.Images["dst"].Word(i).Float(), want.Word(i).Float()
				if g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
					a, b := args.Images["x"].Word(i%n).Float(), args.Images["y"].Word(i%n).Float()
					t.Errorf("%s of a = %v, b = %v is %v, wanted %v", narrowOperations[i/n], a, b, g, w)
				}
			}
		})
	}
}

// narrowArgs are pairs of values: ordinary ones of many sizes, and what arithmetic is special about.
func narrowArgs(k types.Kind) imgc.Args {
	values := []float64{0, 1, -1, 2, 0.5, 3, 1.0 / 3, 0.1, 100, 255, -77.5, 2047, 2049, 1e-3, 6.1e-5, 65504, 1e4, math.Inf(1), math.NaN()}
	x, _ := pixels.New(types.Scalar(k), len(values)*len(values))
	y := x.Clone()
	for i := range x.Words() {
		x.SetWord(i, types.Convert(types.Float(values[i/len(values)]), types.F64, k))
		y.SetWord(i, types.Convert(types.Float(values[i%len(values)]), types.F64, k))
	}
	return imgc.Args{Images: map[string]*pixels.Image{"x": x, "y": y}}
}

// TestNarrowProductsAreRoundedWithTheirSums: in contract mode a product may be one operation with the sum that it is of, which is what devices compute; of two products the second, and none in strict mode.
func TestNarrowProductsAreRoundedWithTheirSums(t *testing.T) {
	const program = "pipeline p(in x: K[N], in y: K[N], out dst: K[3][N]) { iterate (i) over x { let a = x[i]; let b = y[i]; dst[0][i] = a*b + b; dst[1][i] = a - a*b; dst[2][i] = a*b + b*b; } }"
	for _, k := range []types.Kind{types.F16, types.BF16} {
		round := func(v float64) float64 { return types.Convert(types.Float(v), types.F64, k).Float() }
		fused := []func(a, b float64) float64{
			func(a, b float64) float64 { return round(a*b + b) },
			func(a, b float64) float64 { return round(a - a*b) },
			func(a, b float64) float64 { return round(round(a*b) + b*b) },
		}
		p := harness.Compile(t, "narrow.img", strings.ReplaceAll(program, "K", k.String()), imgc.Contract)
		args := narrowArgs(k)
		got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
		if err != nil {
			t.Fatal(err)
		}
		strict := harness.Interpret(t, p, "p", args).Images["dst"]
		n, apart := len(strict.Data)/len(fused)/k.Bytes(), 0
		for i := range strict.Words() {
			a, b := args.Images["x"].Word(i%n).Float(), args.Images["y"].Word(i%n).Float()
			g, want := got.Images["dst"].Word(i).Float(), fused[i/n](a, b)
			if g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
				t.Errorf("%s: operation %d of %v and %v is %v, wanted %v", k, i/n, a, b, g, want)
			}
			if g != strict.Word(i).Float() && !math.IsNaN(g) {
				apart++
			}
		}
		if apart == 0 {
			t.Errorf("%s: nothing differs from what each rounding by itself gives", k)
		}
	}
}
