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

// TestSpecialValues compares in every mode what the language says of NaN and of whole powers: tests of NaN hold, clamps have one order, and powers are products.
func TestSpecialValues(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 0.5, -3, 2, 1e10, -1e-10, 300}
	operations := []string{
		"isnan(a) ? 1.0 : 0.0", "a != a ? 1.0 : 0.0", "max(min(a, 1), 0)", "max(0, min(1, a))", "max(min(a*a, 1), 0)", "max(min(a + 2, 1), 0)", "min(max(a, 0), 1)",
		"clamp(a, 0, 1)", "max(min(f32x2(a, 1), f32x2(1)), f32x2(0)).x", "pow(a, 0)", "pow(a, 1)", "pow(a, 2)", "pow(a, 3)", "pow(a, 5)", "pow(a, 16)", "pow(f32x2(a), f32x2(3)).y",
	}
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline p(in x: f32[N], out dst: f32[%d][N]) {\n    iterate (i) over x {\n        let a = x[i];\n", len(operations))
	for i, op := range operations {
		fmt.Fprintf(&b, "        dst[%d][i] = %s;\n", i, op)
	}
	b.WriteString("    }\n}\n")
	x, _ := pixels.New(types.Scalar(types.F32), len(values))
	for i, v := range values {
		x.SetWord(i, types.Convert(types.Float(v), types.F64, types.F32))
	}
	args := imgc.Args{Images: map[string]*pixels.Image{"x": x}}
	for _, mode := range []imgc.Mode{imgc.Strict, imgc.Contract, imgc.Fast} {
		p := harness.Compile(t, "special.img", b.String(), mode)
		want := harness.Interpret(t, p, "p", args).Images["dst"]
		got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Words() {
			g, w := got.Images["dst"].Word(i).Float(), want.Word(i).Float()
			if g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
				t.Errorf("%s: %s of %v is %v, wanted %v", mode, operations[i/len(values)], x.Word(i%len(values)).Float(), g, w)
			}
		}
	}
}
