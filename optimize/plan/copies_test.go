package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// TestManyBins plans histograms of more bins than every device has room for: in the local memory that there is, in parts, or in memory where those are too many or the image too small
// for them.
func TestManyBins(t *testing.T) {
	const cuda, openCL = lower.MostLocal, 48 << 10
	for _, c := range []struct {
		model       string
		bins, local int
		size        int64
		want        string
	}{
		{"nvidia-h200", 4096, cuda, 8192, "h: item(8, 4) copies(2, 512, 264);"},
		{"nvidia-h200", 16384, cuda, 8192, "h: item(8, 4) copies(1, 1024, 132);"},
		{"nvidia-h200", 16384, openCL, 8192, "h: item(8, 4) copies(1, 1024, 132) parts(2);"},
		{"nvidia-h200", 65536, cuda, 8192, "h: item(8, 4) copies(1, 1024, 132) parts(2);"},
		{"nvidia-h200", 65536, openCL, 8192, "h: item(8, 4) copies(1, 1024, 132) parts(6);"},
		{"nvidia-h200", 65536, cuda, 1024, "h: item(8, 4) copies(1, 1024, 66) parts(3);"}, // fewer groups, which join their copies for less
		{"nvidia-h200", 65536, cuda, 512, "h: item(8, 4) copies(1, 1024, 32) parts(2);"},  // in memory they take less, unless some are at one place
		{"nvidia-h200", 65536, cuda, 128, "h: tile("},
		{"nvidia-h200", 1 << 18, cuda, 8192, "parts(5);"},
		{"nvidia-h200", 1 << 18, openCL, 8192, "h: tile("},
		{"nvidia-h200", 1 << 20, cuda, 8192, "h: tile("},
		{"nvidia-a100", 65536, cuda, 8192, "h: tile("}, // of which it is not known what reading twice takes
	} {
		to := target(t, c.model, c.size, kir.Strict)
		to.Local = c.local
		to.Legal = func(s *hast.Stage, d schedule.Decisions) string {
			if d.Copies[0] > 1 {
				return lower.Refuse(s, d, kir.Strict)
			}
			return lower.RefuseWithin(s, d, kir.Strict, c.local)
		}
		text := fmt.Sprintf("pipeline p(in src: u32[H][W], out h: u32[%d]) { iterate (y, x) over src h[i32(src[y][x] %% %[1]du)] += 1u; }", c.bins)
		if c.bins <= 1<<16 {
			text = fmt.Sprintf("pipeline p(in src: u16[H][W], out h: u32[%d]) { iterate (y, x) over src h[src[y][x] & %d] += 1u; }", c.bins, c.bins-1)
		}
		if p := plan.For(compiled(t, text), to); !strings.Contains(p.Schedule().String(), c.want) {
			t.Errorf("%s: %d bins in %d bytes of %d x %[4]d pixels: want %s\n%s", c.model, c.bins, c.local, c.size, c.want, p.Text())
		}
	}
}

// TestUpdatesOfMemory predicts what was measured of random values on an H200: 256 bins 8.3 ms, and 65536 0.73 to 0.79.
func TestUpdatesOfMemory(t *testing.T) {
	for bins, want := range map[int][2]float64{256: {8000e-6, 8500e-6}, 65536: {700e-6, 800e-6}} {
		to := target(t, "nvidia-h200", 8192, kir.Strict)
		to.Legal = func(s *hast.Stage, d schedule.Decisions) string {
			if d.Copies[0] > 0 {
				return "it is not to be"
			}
			return lower.Refuse(s, d, kir.Strict)
		}
		p := plan.For(compiled(t, fmt.Sprintf("pipeline p(in src: u16[H][W], out h: u32[%d]) { iterate (y, x) over src h[src[y][x] & %d] += 1u; }", bins, bins-1)), to)
		if c := p.Choices[len(p.Choices)-1].Picked.Cost.Total(); c < want[0] || c > want[1] {
			t.Errorf("%d bins: %.0f us\n%s", bins, c*1e6, p.Text())
		}
	}
}
