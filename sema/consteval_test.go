package sema_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
)

// valueOf is what a constant expression is worth, as the dump of a pipeline that stores it in a pixel of the given type.
func valueOf(t *testing.T, typ, expr string) string {
	t.Helper()
	text := fmt.Sprintf(`const N = 5;
const HALF: f32 = 0.5;
mask taps: i32[1][5] = [[1, 4, 6, 4, 1]];
domain plus[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];
func cube(a: i32): i32 = a * a * a;
func gcd(a: i32, b: i32): i32 {
    var x = a;
    var y = b;
    while (y != 0) { let r = x %% y; x = y; y = r; }
    return x;
}
func total(v: f32[3]): f32 { var s = 0.0; for (i in 0:3) { if (i == 1) continue; s += v[i]; } return s; }
func swap2(v: f32x2): f32x2 = v.yx;
const RESULT = %s;
pipeline p(out dst: %s[1]) { dst = RESULT; }
`, expr, typ)
	p, diags := check("value.img", text, nil)
	if p == nil {
		t.Errorf("%s: %s", expr, listing(diags))
		return ""
	}
	dump := hast.Dump(p)
	return strings.TrimSpace(dump[strings.LastIndex(dump, "= ")+2:])
}

func TestConstantsAreComputedExactlyAndRoundedOnce(t *testing.T) {
	for _, c := range []struct{ typ, expr, want string }{
		{"i32", "1 + 2 * 3", "7"},
		{"i32", "7 / 2", "3"},
		{"i32", "-7 / 2", "-3"},
		{"i32", "-7 % 3", "-1"},
		{"i32", "mod(-7, 3)", "2"},
		{"i32", "floordiv(-7, 2)", "-4"},
		{"i64", "1 << 40", "1099511627776l"},
		{"i32", "(1 << 40) >> 38", "4"},
		{"i64", "2147483647 + 1", "2147483648l"},
		{"u32", "0xffffffff", "4294967295u"},
		{"u32", "~0u", "4294967295u"},
		{"i32", "~0", "-1"},
		{"f32", "7 / 8.0", "0.875"},
		{"f32", "1 / 3.0", "0.33333334"},
		{"f64", "1 / 3.0", "0.3333333333333333d"},
		{"f64", "0.1", "0.1d"},
		{"f64", "f32(0.1)", "0.10000000149011612d"},
		{"f16", "0.1", "0.099975586h"},
		{"f32", "2.0 * HALF", "1.0"},
		{"u8", "u8(300)", "u8(44)"},
		{"u8", "sat<u8>(300)", "u8(255)"},
		{"u8", "sat<u8>(2.5)", "u8(2)"},
		{"u8", "sat<u8>(3.5)", "u8(4)"},
		{"u8", "u8(3.9)", "u8(3)"},
		{"i32", "i32(-3.9)", "-3"},
		{"i32", "i32(16777217.0)", "16777217"},
		{"i32", "bitcast<i32>(1.0)", "1065353216"},
		{"f32", "bitcast<f32>(0x40490fdb)", "3.1415927"},
		{"f32", "sqrt(2)", "1.4142135"},
		{"f64", "exp(1)", "2.718281828459045d"},
		{"f32", "pi", "3.1415927"},
		{"f64", "pi", "3.141592653589793d"},
		{"i32", "cube(N)", "125"},
		{"i32", "gcd(84, 36)", "12"},
		{"f32", "total([1, 2, 4])", "5.0"},
		{"f32", "swap2(f32x2(1, 2)).x", "2.0"},
		{"i32", "sum(taps)", "16"},
		{"i32", "max(taps)", "6"},
		{"i32", "product([1, 2, 3, 4])", "24"},
		{"f32", "mean([1, 2])", "1.5"},
		{"i32", "median([5, 1, 4, 2])", "2"},
		{"i32", "sum(d.x * d.x for d in plus)", "2"},
		{"i32", "count(x % 2 == 0 for x in 0:7)", "4"},
		{"i32", "argmax([3, 9, 9])", "1"},
		{"i32", "argmin(x * x for x in -3:4)", "0"},
		{"i32", "argmax(taps).x", "2"},
		{"i32", "taps[0][2]", "6"},
		{"i32", "transpose(taps)[2][0]", "6"},
		{"i32", "(taps * transpose(taps))[0][0]", "70"},
		{"i32", "(transpose(taps) * taps)[1][2]", "24"},
		{"i32", "[1, 2, 3] * [4, 5, 6]", "32"},
		{"i32", "([1, 2, 3] .* [4, 5, 6])[1]", "10"},
		{"i32", "sum([x + 10 * y for y in 0:3, x in 0:2])", "63"},
		{"i32", "min(4, 2, 3)", "2"},
		{"i32", "clamp(7, 0, 5)", "5"},
		{"i32", "true ? 1 : 2", "1"},
		{"i32", "N == 5 && !(N < 3) ? N : 0", "5"},
		{"i32", "select(i32x2(1, 2) > 1, i32x2(7), i32x2(8)).y", "7"},
		{"i32", "popcount(255) + clz(1)", "39"},
		{"i32", "i32(dot(f32x3(1, 2, 3), f32x3(1, 1, 1)))", "6"},
		{"i32", "fold(gcd, 0, 6 * x for x in 2:5)", "6"},
		{"u8", "-1 + 256", "u8(255)"},
	} {
		if got := valueOf(t, c.typ, c.expr); got != c.want {
			t.Errorf("%s as %s is %s, want %s", c.expr, c.typ, got, c.want)
		}
	}
}

func TestDefinesReplaceConsts(t *testing.T) {
	const text = `const R: i32 = 2;
const S = 1;
mask m: f32[3] = 1;
pipeline p(out dst: i32[2*R + S]) { dst = R; }
`
	p, diags := check("p.img", text, defines(t, map[string]string{"R": "3 + S", "S": "4"}))
	if p == nil {
		t.Fatal(listing(diags))
	}
	if got := hast.Text(p.Pipelines[0].Images[0].Extent[0]); got != "18" {
		t.Errorf("the extent is %s, want 18", got)
	}
	for _, c := range []struct {
		name, value string
		code        diag.Code
		part        string
	}{
		{"Q", "3", diag.UnknownName, "the program has no const Q"},
		{"m", "3", diag.UnknownName, "the program has no const m"},
		{"RR", "3", diag.UnknownName, "did you mean R?"},
		{"R", "2.5", diag.ConstantRange, "does not hold the constant 2.5"},
		{"R", "R", diag.ConstantCycle, "depends on itself"},
		{"S", "x + 1", diag.UnknownName, "x is not declared"},
	} {
		_, diags := check("p.img", text, defines(t, map[string]string{c.name: c.value}))
		if !strings.Contains(listing(diags), c.part) || diags.Sorted()[0].Code != c.code {
			t.Errorf("-D %s=%s reports\n%s", c.name, c.value, listing(diags))
		}
	}
}
