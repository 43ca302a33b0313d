package arithmetic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// fastOperations are of two values a and b between 1/2 and 4, of a vector of both, and of a scalar parameter s. Devices have instructions of
// their own for them in fast mode, or they are rewritten before (optimize/relax).
var fastOperations = []string{
	"exp(-a / s)", "exp(a) * exp(-b)", "3 * exp(-a * a / s / 2) / b", "exp2(a)", "log(a)", "log2(a)", "log10(a)", "sin(a)", "cos(a)", "sqrt(a)", "rsqrt(a)",
	"a / s", "a / 3", "s / a", "-a / s * -b / 7", "(f32x2(a, b) / s).y", "exp(f32x2(a, b) / s).x", "f32(exp(f64(a)) / 3)", "f32(sqrt(f64(b)))",
}

func fastProgram() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline p(in x: f32[H][W], in y: f32[H][W], out dst: f32[%d][H][W], in s: f32 = 1.75) {\n    iterate (v, u) over x {\n", len(fastOperations))
	b.WriteString("        let a = x[v][u];\n        let b = y[v][u];\n")
	for i, op := range fastOperations {
		fmt.Fprintf(&b, "        dst[%d][v][u] = %s;\n", i, op)
	}
	b.WriteString("    }\n}\n")
	return b.String()
}

// TestFastModeStaysNear compares programs in fast mode with the interpreter, as they are without a plan and as CPUs and GPUs have them.
func TestFastModeStaysNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, _ := pixels.New(types.Scalar(types.F32), 9, 150)
	y := x.Clone()
	for _, m := range []*pixels.Image{x, y} {
		for i := range m.Words() {
			m.SetWord(i, types.Float(float64(float32(0.5+3.5*rng.Float64()))))
		}
	}
	args := imgc.Args{Images: map[string]*pixels.Image{"x": x, "y": y}}
	want := harness.Interpret(t, harness.Compile(t, "fast.img", fastProgram(), imgc.Strict), "p", args).Images["dst"]
	for _, name := range []string{"", "pocl-avx512", "nvidia-h200"} {
		opts := imgc.Options{Mode: imgc.Fast}
		if name != "" {
			arch, err := imgc.OpenArchitecture(name)
			if err != nil {
				t.Fatal(err)
			}
			opts.Arch = arch
		}
		p := harness.CompileWith(t, "fast.img", fastProgram(), opts)
		got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
		if err != nil {
			t.Fatal(err)
		}
		if err := harness.Compare(got.Images["dst"], want, harness.Bound{Rel: 1e-5, Abs: 1e-6}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
