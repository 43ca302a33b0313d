package lower_test

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/optimize/lower"
)

// TestLoopsThatSlideTakeSeveralSteps has loops of which steps read what others have read, and others.
func TestLoopsThatSlideTakeSeveralSteps(t *testing.T) {
	const params = "in a: u8[H][W] border clamp, in b: u8[H][W] border clamp, out c: i32[H][W], in n: i32, in m: i32"
	for _, x := range []struct {
		name, body string
		several    bool
	}{
		{"a window that moves along a line", "min(sum(abs(a[y][x + i] - b[y][x + i - d]) for i in -2:3) for d in 0:n)", true},
		{"a window that moves along a column", "max(sum(b[y + j + d][x] for j in 0:4) for d in 0:n)", true},
		{"steps farther than the window", "min(sum(b[y][x + i + 4*d] for i in 0:4) for d in 0:n)", false},
		{"single pixels", "sum(b[y][x + d] for d in 0:n)", false},
		{"a window that stands still", "sum(d * sum(b[y][x + i] for i in 0:4) for d in 0:n)", false},
		{"a window that is a loop itself", "max(sum(b[y][x + i + d] for i in 0:m) for d in 0:n)", false},
		{"a large window", "max(sum(b[y + j][x + i + d] for j in -5:6, i in -5:6) for d in 0:n)", false},
	} {
		text := "pipeline p(" + params + ") {\nassume(n >= 1 && m >= 1 && n <= 256 && m <= 256);\nc = [i32(" + x.body + ") for y, x];\n}"
		for _, gpu := range []bool{false, true} {
			opts := lower.Defaults()
			opts.GPU = gpu
			if got := strings.Contains(kir.Dump(lowered(t, "t.img", text, opts)), "several"); got != (gpu && x.several) {
				t.Errorf("%s, GPU %t: several steps at once: %t", x.name, gpu, got)
			}
		}
	}
}

// TestDistancesAreOneOperation has absolute values of differences that cannot wrap, and one that can.
func TestDistancesAreOneOperation(t *testing.T) {
	for body, want := range map[string]bool{
		"i32(abs(a[y][x] - b[y][x]))": true, "abs(c[y][x] - 1)": false, "abs(i32(a[y][x]))": false,
	} {
		text := "pipeline p(in a: u8[H][W], in b: u8[H][W], in c: i32[H][W], out d: i32[H][W]) {\nd = [" + body + " for y, x];\n}"
		for _, gpu := range []bool{false, true} {
			opts := lower.Defaults()
			opts.GPU = gpu
			marked := false
			for _, p := range lowered(t, "t.img", text, opts).Pipelines {
				kir.WalkSteps(p.Steps, func(s kir.Step) {
					if l, ok := s.(*kir.Launch); ok {
						kir.WalkStmts(l.Kernel.Body, nil, func(e kir.Expr) {
							if o, isOp := e.(*kir.Op); isOp && o.Short && len(o.Args) == 1 {
								marked = true
							}
						})
					}
				})
			}
			if marked != (gpu && want) {
				t.Errorf("%s, GPU %t: one operation: %t", body, gpu, marked)
			}
		}
	}
}
