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

// TestPersistentGroups plans histograms whose bins are computed of windows, of stages before them and of coordinates.
func TestPersistentGroups(t *testing.T) {
	const local = 48 << 10
	for _, c := range []struct{ name, text, want string }{
		{"of windows", `in src: u8[H][W] border clamp, out h: u32[256]) { iterate (y, x) over src h[max(src[y-1:3][x-1:3])] += 1u; }`,
			"h: tile(512, 128) item(16, 8) vector(16) packed16 copies(32, 512, 132);"},
		{"of an image", `in src: u8[H][W] border clamp, out h: u32[256]) { image e: u8[H][W] = [max(src[y-1:3][x-1:3]) for y, x]; iterate (y, x) over e h[e[y][x]] += 1u; }`,
			"e: inline;"},
		{"of an image that is stored", `in src: u8[H][W] border clamp, out e: u8[H][W], out h: u32[256]) { e = [max(src[y-1:3][x-1:3]) for y, x]; iterate (y, x) over e h[e[y][x]] += 1u; }`,
			"e: join;"},
		{"of regions", `in src: u8[H][W], out h: u32[8][8][256]) { let r = (H + 7)/8; let c = (W + 7)/8; iterate (y, x) over src h[min(y/r, 7)][min(x/c, 7)][src[y][x]] += 1u; }`,
			"copies(1, 512, 264) parts(2);"},
		{"of pixels", `in src: u8[H][W], out h: u32[256]) { iterate (y, x) over src h[src[y][x]] += 1u; }`, "h: item(16, 4) copies(32, 512, 264);"},
	} {
		to := target(t, "nvidia-h200", 8192, kir.Strict)
		to.Local = local
		to.Legal = func(s *hast.Stage, d schedule.Decisions) string { return lower.RefuseWithin(s, d, kir.Strict, local) }
		if p := plan.For(compiled(t, "pipeline p("+c.text), to); !strings.Contains(p.Schedule().String(), c.want) {
			t.Errorf("%s: want %s\n%s", c.name, c.want, p.Text())
		}
	}
}
