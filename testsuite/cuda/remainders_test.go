package cuda

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// divisors are those of remainders: short ones, such as lie as near to a power of two as these do, and the last two, which lie too near to be short. The
// table is that of testdata/remainders.c.
var divisors = []string{"6.0", "180.0", "0.1", "1.0", "1.7", "3.0e-20", "1.0000012", "1.9999981", "1.0000001", "1.9999999"}

// remainders is a program that takes remainders of quotients up to 2^20 by each divisor, and of quotients by pixels, which may be infinite or NaN.
func remainders() string {
	n := len(divisors)
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline rest(in a: f32[N], in s: i16[N], in t: i16[N], out mods: f32[%d][N], out rems: f32[%d][N],\n        out wild: f32[2][N]) {\n    iterate (i) over a {\n", n, n)
	for k, y := range divisors {
		fmt.Fprintf(&b, "        let x%d = clamp(a[i], -1048576*%s, 1048576*%s);\n", k, y, y)
		fmt.Fprintf(&b, "        mods[%d][i] = mod(x%d, %s);\n        rems[%d][i] = x%d %% %s;\n", k, k, y, k, k, y)
	}
	b.WriteString("        let q = f32(s[i]) / f32(t[i]);\n        wild[0][i] = mod(q, 6.0);\n        wild[1][i] = q % 6.0;\n    }\n}\n")
	return b.String()
}

// shortRemainders holds remainders in their short form against C's fmodf, to the bit.
func shortRemainders(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "rest.img", remainders(), imgc.Options{Mode: imgc.Strict})
	code, err := p.CUDA()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mod", "rem"} {
		_, kernel, _ := strings.Cut(code.Output.Source, "__global__")
		if n := strings.Count(kernel, "imgc_short_"+name+"_f32("); n != len(divisors)-2+1 {
			t.Errorf("%d short %s:\n%s", n, name, kernel)
		}
	}
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "remainders.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
}

// TestShortQuotients looks for quotients as products by reciprocals: by what is made of pixels, in the mode that allows it.
func TestShortQuotients(t *testing.T) {
	const program = `pipeline p(in a: u8[H][W], in b: f32[H][W], in s: f32, out dst: f32[H][W]) {
    dst = [b[y][x] / (f32(a[y][x]) + 0.5) + s / b[y][x] + b[y][x] / s + f32(a[y][x]) / 3.0 for y, x];
}`
	for mode, want := range map[imgc.Mode]int{imgc.Contract: 1, imgc.Strict: 0, imgc.Fast: 0} {
		code, err := harness.CompileWith(t, "p.img", program, imgc.Options{Mode: mode}).CUDA()
		if err != nil {
			t.Fatal(err)
		}
		_, kernel, _ := strings.Cut(code.Output.Source, "__global__")
		if n := strings.Count(kernel, "imgc_ratio_f32("); n != want {
			t.Errorf("mode %v has %d such quotients instead of %d:\n%s", mode, n, want, kernel)
		}
	}
}
