package plan_test

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/optimize/normal"
	"imgc/optimize/plan"
	"imgc/sema/sematest"
)

// TestLayersOfNetworksAreBlocks plans sums over planes of 8192 x 8192 floats, with weights that are parameters, within twice the time of their bytes and of their products.
func TestLayersOfNetworksAreBlocks(t *testing.T) {
	for _, c := range []struct {
		name, program string
		most          float64 // us
	}{
		{"four planes", "in a: f32[4][H][W] border constant(0), in k: f32[4][4][3][3], in b: f32[4], out dst: f32[4][H][W]) { iterate (o, y, x) over dst { var s = b[o]; for (c in 0:4) for (j in 0:3) for (i in 0:3) s += k[o][c][j][i]*a[c][y+j-1][x+i-1]; dst[o][y][x] = max(s, 0); } }", 1000},
		{"outputs in a loop", "in a: f32[4][H][W] border clamp, in k: f32[4][4][3][3], out dst: f32[4][H][W]) { iterate (y in 0:H, x in 0:W) for (o in 0:4) dst[o][y][x] = sum(k[o][c][j][i]*a[c][y+j-1][x+i-1] for c in 0:4, j in 0:3, i in 0:3); }", 1000},
		{"more outputs than sums", "in a: f32[16][H][W] border constant(0), in k: f32[16][16][3][3], out dst: f32[16][H][W]) { dst = [sum(k[o][c][j][i]*a[c][y+j-1][x+i-1] for c in 0:16, j in 0:3, i in 0:3) for o, y, x]; }", 9500},
		{"many planes", "in a: f32[64][H][W] border constant(0), in k: f32[64][64][3][3], out dst: f32[64][H][W]) { dst = [sum(k[o][c][j][i]*a[c][y+j-1][x+i-1] for c in 0:64, j in 0:3, i in 0:3) for o, y, x]; }", 150000},
	} {
		p := normal.Program(sematest.Program(t, "pipeline p("+c.program), normal.Options{Exact: true}).Pipelines[0]
		got := plan.For(p, target(t, "nvidia-h200", 8192, kir.Strict))
		if text := got.Schedule().String(); got.Time()*1e6 > c.most || !strings.Contains(text, "item(") || strings.Contains(text, "local") {
			t.Errorf("%s: %.0f us, want %.0f at most in blocks:\n%s", c.name, got.Time()*1e6, c.most, got.Text())
		}
	}
}
