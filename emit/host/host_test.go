package host

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/types"
)

func TestLibraryNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"blur": true, "blur_2": true, "Blur": true,
		"": false, "2d": false, "_x": false, "a-b": false, "int": false, "class": false, "main": false, "bl\u00fcr": false,
		"view": false, "memory": false, "fail": false, "image": false, "stdio": false, "printf": false, "gamma": false, "test": false,
		"INFINITY": false, "CL_X": false, "kernel_names": false, "grid_first": false, "pool_bytes": false, "kept_at": false, "graphs_kept": false, "kept_bytes": false, "max_extent": false, "calls": true, "most": true,
	} {
		_, err := OpenCL(&kir.Program{}, &opencl.Output{}, Options{Name: name})
		if (err == nil) != ok {
			t.Errorf("library name %q: %v", name, err)
		}
	}
}

func TestProgramsOfAnyFileNameHaveALibraryName(t *testing.T) {
	for program, want := range map[string]string{
		"blur": "blur", "gaussian-5x5": "gaussian_5x5", "2d": "program_2d", "größe": "gr__e", "": "program", "_": "program",
		"int": "int_img", "view": "view_img", "test": "test_img", "gamma": "gamma_img", "-": "program",
	} {
		if got := LibraryName(program); got != want || !isLibraryName(got) {
			t.Errorf("%q becomes %q, want %q", program, got, want)
		}
	}
}

func TestRuntimeKeepsWhatIsUsed(t *testing.T) {
	text := string(withRuntime([]byte("head\n"+runtimeMark+"    TRY(settle(self, v));\n"), "blur", openclTarget, false))
	for want, kept := range map[string]bool{
		"static int settle(struct blur *self": true, "static int fail(": true, "static int product(": true,
		"static int launch(": false, "static int fill_zero(": false, "struct view {": true,
	} {
		if strings.Contains(text, want) != kept {
			t.Errorf("%q is there: %t", want, !kept)
		}
	}
	if strings.Contains(text, "struct library") || strings.Contains(text, "LIBRARY_") {
		t.Error("a placeholder is left")
	}
}

// compileC builds a C program around the support functions of host expressions and runs it.
func compileC(t *testing.T, main, input string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	arith, err := files.ReadFile("arith/arith.c")
	if err != nil {
		t.Fatal(err)
	}
	source := "#include <stdio.h>\n#include <string.h>\n" + string(arith) + main
	path := filepath.Join(dir, "a.c")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function",
		"-fsanitize=undefined", "-fno-sanitize-recover", "-o", filepath.Join(dir, "a"), path, "-lm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(filepath.Join(dir, "a"))
	run.Stdin = strings.NewReader(input)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestFloatsOf16BitsAreRoundedToNearestEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var in strings.Builder
	var values []float32
	add := func(v float32) {
		values = append(values, v)
		fmt.Fprintf(&in, "%08x\n", math.Float32bits(v))
	}
	for _, k := range []types.Kind{types.F16, types.BF16} {
		for range 3000 { // values of the kind, and the midpoints behind them
			bits := rng.Uint64N(1 << 15)
			a := types.FromBits(k, bits).Float()
			b := types.FromBits(k, bits+1).Float()
			add(float32(a))
			add(float32((a + b) / 2))
			add(-float32((a + b) / 2))
		}
	}
	for range 5000 {
		add(math.Float32frombits(rng.Uint32()))
	}
	for _, v := range []float32{0, float32(math.Copysign(0, -1)), 65519, 65520, 1e-8, 5.9604645e-8, 2.9802322e-8, float32(math.Inf(1)), float32(math.Inf(-1))} {
		add(v)
	}
	out := strings.Fields(compileC(t, `
int main(void) {
    unsigned u;
    float x;
    while (scanf("%x", &u) == 1) {
        memcpy(&x, &u, sizeof x);
        printf("%04x %04x\n", imgc_bits_f16(x), imgc_bits_bf16(x));
    }
    return 0;
}`, in.String()))
	for i, v := range values {
		if v != v {
			continue // NaN stays NaN, with bits of its own
		}
		for j, k := range []types.Kind{types.F16, types.BF16} {
			want := fmt.Sprintf("%04x", types.Bits(k, types.Float(types.Round(k, float64(v)))))
			if got := out[2*i+j]; got != want {
				t.Errorf("%g as %s is %s, want %s", v, k, got, want)
			}
		}
	}
}

func TestIntegersSaturateAndDivideByZero(t *testing.T) {
	const lo, hi = "INT64_MIN", "INT64_MAX"
	rows := []struct{ call, want string }{
		{"imgc_add_i64(" + hi + ", 1)", hi}, {"imgc_add_i64(" + lo + ", -1)", lo}, {"imgc_add_i64(-3, 5)", "2"},
		{"imgc_sub_i64(" + lo + ", 1)", lo}, {"imgc_sub_i64(" + hi + ", -1)", hi}, {"imgc_sub_i64(0, " + lo + ")", hi},
		{"imgc_sub_i64(-1, " + lo + ")", hi}, {"imgc_neg_i64(" + lo + ")", hi},
		{"imgc_mul_i64(" + hi + ", 2)", hi}, {"imgc_mul_i64(" + hi + ", -2)", lo}, {"imgc_mul_i64(" + lo + ", -1)", hi},
		{"imgc_mul_i64(" + lo + ", 1)", lo}, {"imgc_mul_i64(-1, " + lo + ")", hi}, {"imgc_mul_i64(3000000000, 3000000000)", "9000000000000000000"},
		{"imgc_mul_i64(3100000000, 3100000000)", hi}, {"imgc_mul_i64(-3100000000, 3100000000)", lo}, {"imgc_mul_i64(-7, -6)", "42"},
		{"imgc_div_i64(7, 0)", "0"}, {"imgc_div_i64(" + lo + ", -1)", hi}, {"imgc_div_i64(-7, 2)", "-3"},
		{"imgc_rem_i64(7, 0)", "0"}, {"imgc_rem_i64(" + lo + ", -1)", "0"}, {"imgc_rem_i64(-7, 2)", "-1"},
		{"imgc_mod_i64(-7, 2)", "1"}, {"imgc_mod_i64(7, -2)", "-1"}, {"imgc_floordiv_i64(-7, 2)", "-4"}, {"imgc_floordiv_i64(7, 0)", "0"},
		{"imgc_shl_i64(3, 4)", "48"},
		{"imgc_popcount_i32(-3)", "31"}, {"imgc_popcount_u64(UINT64_MAX)", "64"}, {"imgc_popcount_i64(0)", "0"}, {"imgc_popcount_u32(9)", "2"},
		{"imgc_clz_i32(0)", "32"}, {"imgc_clz_i32(-1)", "0"}, {"imgc_clz_u32(9)", "28"}, {"imgc_clz_u64(9)", "60"}, {"imgc_clz_i64(-1)", "0"}, {"imgc_shr_i64(-5, 1)", "-3"},
		{"imgc_to_i32(1e20)", "INT32_MAX"}, {"imgc_to_u8(-3)", "0"}, {"imgc_to_i64(NAN)", "0"}, {"imgc_to_i8(-1.9)", "-1"},
		{"imgc_to_i64(9.3e18)", hi}, {"imgc_round_u8(2.5)", "2"}, {"imgc_round_u8(3.5)", "4"}, {"imgc_sat_i8(200)", "127"},
	}
	var b strings.Builder
	b.WriteString("int main(void) {\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "    if ((int64_t)%s != (int64_t)%s) printf(\"%s is %%lld\\n\", (long long)%s);\n", r.call, r.want, r.call, r.call)
	}
	b.WriteString("    return 0;\n}\n")
	if out := compileC(t, b.String(), ""); out != "" {
		t.Error(out)
	}
}
