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

// TestPersistentGroupsArePredictedAsSeen holds what plans predict against what was seen in CUDA on an H200, for 8192 x 8192 pixels and most of it in these shapes, within a fifth.
func TestPersistentGroupsArePredictedAsSeen(t *testing.T) {
	const (
		masks = `mask bell: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; mask across: i32[3][3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]; `
		most  = `max(src[y-1:3][x-1:3])`
		bytes = `in src: u8[H][W] border clamp, `
	)
	for _, c := range []struct {
		name, text string
		seen       float64 // us
	}{
		{"greatest, counted", bytes + `out h: u32[256]) { image e: u8[H][W] = [` + most + ` for y, x]; iterate (y, x) over e h[e[y][x]] += 1u; }`, 45},
		{"greatest, stored and counted", bytes + `out e: u8[H][W], out h: u32[256]) { e = [` + most + ` for y, x]; iterate (y, x) over e h[e[y][x]] += 1u; }`, 53},
		{"two blurred", `in a: u8[H][W] border clamp, in b: u8[H][W] border clamp, out h: u32[16][16]) { image u: u8[H][W] = [u8(sum(a[y-1:3][x-1:3]) / 9) for y, x];
			image v: u8[H][W] = [u8(sum(b[y-1:3][x-1:3]) / 9) for y, x]; iterate (y, x) over u h[u[y][x] / 16][v[y][x] / 16] += 1u; }`, 73},
		{"binary patterns", bytes + `out h: u32[256]) { iterate (y, x) over src { let c = src[y][x];
			let code = u8((src[y-1][x-1] >= c ? 1 : 0) + (src[y-1][x] >= c ? 2 : 0) + (src[y-1][x+1] >= c ? 4 : 0) + (src[y][x+1] >= c ? 8 : 0)
				+ (src[y+1][x+1] >= c ? 16 : 0) + (src[y+1][x] >= c ? 32 : 0) + (src[y+1][x-1] >= c ? 64 : 0) + (src[y][x-1] >= c ? 128 : 0));
			h[code] += 1u; } }`, 82},
		{"directions", bytes + `out h: u32[8]) { image soft: i32[H][W] border clamp = [convolve(bell, src[y][x]) / 16 for y, x]; iterate (y, x) over src {
			let gx = convolve(across, soft[y][x]); let gy = convolve(transpose(across), soft[y][x]);
			let bin = (gx > 0 ? 1 : 0) + (gy > 0 ? 2 : 0) + (abs(gx) > abs(gy) ? 4 : 0); h[bin] += u32(abs(gx) + abs(gy)); } }`, 146},
		{"magnitudes", `in src: f32[H][W] border clamp, out h: u32[64]) { image gx: f32[H][W] = [src[y][x+1] - src[y][x-1] for y, x]; image gy: f32[H][W] = [src[y+1][x] - src[y-1][x] for y, x];
			iterate (y, x) over gx h[sat<u8>(sqrt(gx[y][x]*gx[y][x] + gy[y][x]*gy[y][x])) / 4] += 1u; }`, 70},
		{"a gradient by dot products, stored and reduced", bytes + `out e: u16[H][W], out usual: f32) {
			e = [u16(abs(convolve(across, src[y][x])) + abs(convolve(transpose(across), src[y][x]))) for y, x]; usual = f32(mean(e)); }`, 77},
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		p := plan.For(compiled(t, masks+"pipeline p("+c.text), to)
		if got := p.Time() * 1e6; got < 0.8*c.seen || got > 1.2*c.seen {
			t.Errorf("%s: %.0f us are predicted, and %.0f were seen\n%s", c.name, got, c.seen, p.Text())
		}
	}
}
