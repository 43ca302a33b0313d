package plan_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// TestCells plans updates of cells of neighbouring pixels: in local memory, with a copy for each work-item where floats are added, and in memory where strict mode rounds each of them.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		elem, update string
		mode         kir.Mode
		want         bool
	}{
		{"u32[(H + 15)/16][(W + 15)/16]", "b[y/16][x/16] += 1u", kir.Strict, true},
		{"u8[(W + 7)/8][(H + 7)/8]", "b[x/8][y/8] max= src[y][x]", kir.Strict, true},
		{"u32[(H + 63)/64][(W + 63)/64][256]", "b[y/64][x/64][src[y][x]] += 1u", kir.Strict, true},
		{"f32[(H + 7)/8][(W + 7)/8][9]", "b[y/8][x/8][src[y][x] % 9] += f32(src[y][x])", kir.Contract, true},
		{"f32[(H + 7)/8][(W + 7)/8][9]", "b[y/8][x/8][src[y][x] % 9] += f32(src[y][x])", kir.Strict, false},
		{"u32[H][W]", "b[src[y][x] % H][x] += 1u", kir.Strict, false},
	} {
		text := "pipeline p(in src: u8[H][W], inout b: " + c.elem + ") { iterate (y, x) over src " + c.update + "; }"
		p := plan.For(compiled(t, text), target(t, "nvidia-h200", 8192, c.mode))
		if got := strings.Contains(p.Schedule().String(), " cells("); got != c.want {
			t.Errorf("%s %v: cells %v\n%s", c.update, c.mode, got, p.Text())
		}
	}
}

// TestManyFloatBins plans histograms of floats whose copies for each work-item take more local memory than all devices have.
func TestManyFloatBins(t *testing.T) {
	to := target(t, "nvidia-h200", 8192, kir.Contract)
	to.Local = lower.MostLocal
	to.Legal = func(s *hast.Stage, d schedule.Decisions) string {
		return lower.RefuseWithin(s, d, kir.Contract, lower.MostLocal)
	}
	p := plan.For(compiled(t, "pipeline p(in a: u8[H][W], in w: f32[H][W], inout h: f32[256]) { iterate (y, x) over a h[a[y][x]] += w[y][x]; }"), to)
	if want := "copies(32, 32, 924)"; !strings.Contains(p.Schedule().String(), want) {
		t.Errorf("want %s\n%s", want, p.Text())
	}
}
