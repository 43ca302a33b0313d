package normal_test

import "testing"

// Variables of scans count as the places do that they write.
func TestScansCountAsWhatTheyWrite(t *testing.T) {
	checkForms(t, "in a: f32[H][W], inout b: f32[H][W] border clamp, inout c: f32[H][W]", []formCase{
		{"along rows", "iterate (y, i) over b scan(i) b[y][W-1-i] = b[y][W-i] + a[y][W-1-i];", "scan(-i) by lines", "b[y][i] = (b[y][(i + 1)>"},
		{"with a name", "iterate (i, x) over b scan(i) { let y = H-1-i; b[y][x] = b[y+1][x] + a[y][x]; }", "scan(-i) by lines", "b[i][x] = (b[(i + 1)>"},
		{"that another name has", "iterate (i, x) over b scan(-i) { let d = i + 1; let y = H - d; b[y][x] = b[y-1][x] + f32(d); }", "scan(i) by lines", "let d: i32 = (H - i)"},
		{"not from 0 on", "iterate (i in 2:H, x in 0:W) scan(i) b[H-i][x] = b[H+1-i][x] + a[i][x];", "scan(-i) by lines", "b[(i - 1)][x] = (b[i][x] + a[((H - i) + 1)][x])"},
		{"beside the scan", "iterate (y, i) over b scan(y) b[y][W-1-i] = b[y-1][W-1-i] + a[y][i];", "scan(y) by lines", "a[y][((W - i) - 1)]"},
		{"a first step", "iterate (i, x) over b scan(i) if (i == 0) b[H-1-i][x] = 0.0; else b[H-1-i][x] = b[H-i][x] + 1.0;", "scan(-i) by lines", "(i == (H - 1))"},
		{"all others", "iterate (i, x) over b scan(i) if (0 < i) b[H-1-i][x] = b[H-i][x] + 1.0; else b[H-1-i][x] = 2.0;", "scan(-i) by lines", "((H - 1) > i)"},
		{"slanted", "iterate (t in 0 : W+2*H, i in 0:H) scan(t) { let x = W-1 - (t - 2*i); let y = H-1-i; if (x >= 0 && x < W) b[y][x] = b[y+1][x] + 1.0; }", "scan(-t)", "let x: i32 = ((t - (2 * i)) - 2)"},
		{"forth", "iterate (y, x) over b scan(-x) b[y][x] = b[y][x+1] + a[y][x];", "", ""},
		{"in both directions", "iterate (y, x) over b scan(x) { b[y][x] = a[y][x]; c[y][W-1-x] = a[y][x]; }", "", ""},
		{"by two", "iterate (y in 0:H, i in 0:W:2) scan(i) b[y][W-1-i] = a[y][i];", "", ""},
	})
}
