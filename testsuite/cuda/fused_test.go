package cuda

import (
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestFusedProducts looks for products by 2 fused with sums in the text, which happens in modes that allow it and for floats that are computed as they are.
func TestFusedProducts(t *testing.T) {
	const program = `pipeline p(in a: KIND[H][W], in b: KIND[H][W], out dst: KIND[H][W]) {
    dst = [2*b[y][x] + a[y][x] - b[y][x]*2 + 3*b[y][x] for y, x];
}`
	for _, test := range []struct {
		kind  string
		mode  imgc.Mode
		fused int
	}{{"f32", imgc.Contract, 2}, {"f64", imgc.Fast, 2}, {"f32", imgc.Strict, 0}, {"f16", imgc.Contract, 0}, {"i32", imgc.Contract, 0}} {
		p := harness.CompileWith(t, "p.img", strings.ReplaceAll(program, "KIND", test.kind), imgc.Options{Mode: test.mode})
		code, err := p.CUDA()
		if err != nil {
			t.Fatal(err)
		}
		_, kernel, _ := strings.Cut(code.Output.Source, "__global__")
		if n := strings.Count(kernel, "fma"); n != test.fused {
			t.Errorf("%s in mode %v has %d fused operations instead of %d:\n%s", test.kind, test.mode, n, test.fused, kernel)
		}
	}
}
