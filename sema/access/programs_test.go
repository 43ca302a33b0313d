package access_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
)

// found lists what the analysis says of a program: errors, or images that start as zeros and checks at the entry.
func found(text string) []string {
	p, diags := check("test.img", text)
	if diags.Len() > 0 {
		var out []string
		for _, d := range diags.Sorted() {
			out = append(out, fmt.Sprintf("%s %s", d.Code, d.Message))
		}
		return out
	}
	if err := hast.Verify(p); err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, pipe := range p.Pipelines {
		for _, m := range pipe.Images {
			if m.Zero && m.Of == nil { // levels start as their pyramid does
				out = append(out, m.Name+" starts as zeros")
			}
		}
		for _, p := range pipe.Pyramids {
			if p.Zero {
				out = append(out, p.Name+" starts as zeros")
			}
		}
		for _, c := range pipe.Checks {
			out = append(out, c.Message)
		}
	}
	return out
}

// In each body, src is the image that is read and dst the one that is written.
var programs = []struct {
	name, text string
	want       []string
}{
	{"bits of several values put together",
		`(in src: u8x3[h][w], out dst: u32[512], out few: u32[8], out mixed: u32[256]) {
			iterate (y, x) over src {
				let p = src[y][x];
				dst[p.r >> 5 << 6 | p.g >> 5 << 3 | p.b >> 5] += 1;
				few[(p.r & 1) | (p.g & 2) | (p.b >> 3 & 4)] += 1;
				mixed[p.r ^ p.g | p.b ^ 0x55] += 1;
			}
		}`, []string{"dst starts as zeros", "few starts as zeros", "mixed starts as zeros"}},
	{"a condition on a pixel that is not what it was",
		`(in src: i32[h][w], out dst: i32[9], inout u: i32[h][w]) {
			iterate (y, x) over u where (y == 0 && x == 0) {
				if (u[y][x] >= 0 && u[y][x] < 9) { u[y][x] = src[y][x]; dst[u[y][x]] = 1; }
			}
		}`, []string{"IMG0508 cannot prove that dst[u[y][x]] stays inside dst"}},
	{"a condition on a pixel that stays",
		`(in src: i32[h][w], out dst: i32[9], inout u: i32[h][w]) {
			iterate (y, x) over u where (y == 0 && x == 0) {
				if (src[y][x] >= 0 && src[y][x] < 9) { u[y][x] = 7; dst[src[y][x]] = 1; }
			}
		}`, []string{"dst starts as zeros"}},
	{"a bit more than there is room for",
		`(in src: u8x3[h][w], out dst: u32[500]) {
			iterate (y, x) over src dst[src[y][x].r >> 5 << 6 | src[y][x].g >> 5 << 3 | src[y][x].b >> 5] += 1;
		}`, []string{"IMG0508 cannot prove that dst[the index] stays inside dst"}},
	{"the other of two pixels by a bit of the coordinate",
		`(in src: f32[w], out dst: f32[w]) {
			assume(w % 128 == 0);
			iterate (x) over dst dst[x] = src[x ^ 64];
		}`, []string{"w % 128 == 0 was assumed, and does not hold"}},
	{"how many bits and neighbours there are",
		`(in src: u8[h][w] border clamp, in t: u8[10], out dst: u8[h][w]) {
			iterate (y, x) over dst {
				let n = count(src[y+dy][x+dx] > src[y][x] for dy in -1:2, dx in -1:2);
				let m = sum(i32(src[y][x+k] > 20) for k in 0:9);
				dst[y][x] = u8(t[n] + t[m] + t[popcount(src[y][x])] + t[max(i32(src[y][x+k]) / 26 for k in 0:9)] + t[clz(src[y][x] | 1 << 22)]);
			}
		}`, nil},
	{"one neighbour too many",
		`(in src: u8[h][w] border clamp, in t: u8[8], out dst: u8[h][w]) {
			iterate (y, x) over dst dst[y][x] = t[count(src[y][x+k] > 20 for k in 0:8)];
		}`, []string{"IMG0507 cannot prove that t[count(src[y][x+k] > 20 for k in 0:8)] stays inside t"}},
	{"behind a count of none",
		`(in src: u8[h][w], out dst: u8[h][w]) {
			iterate (y, x) over dst {
				if (count(src[y][x] > 3 for k in 0:2) < 1) dst[y][x] = src[y][x + 1000];
			}
		}`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"behind a count of none in a list",
		`(in src: u8[h][w], out dst: u8[h][w]) {
			iterate (y, x) over dst {
				if (count(src[y][x] > 3 for d in three) < 2) dst[y][x] = src[y][x + 1000];
			}
		}
		domain three[3];`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"behind a count that wraps around",
		`(in src: u8[h][w], out dst: u8[h][w]) {
			iterate (y, x) over dst {
				if (count(src[y][x] < 3 for j in 0:65536, k in 0:65536) < 0) dst[y][x] = src[y][x + 1000];
			}
		}`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"behind a count of as many as there are pixels",
		`(in src: u8[h][w], out dst: u8[h][w]) {
			iterate (y, x) over dst {
				if (count(src[y][x] < 3 for j in 0:h, k in 0:w) < 0) dst[y][x] = src[y][x + 1000];
			}
		}`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"behind a sum of i64 that wraps around",
		`(in src: i64[h][w], out dst: i64[h][w]) {
			iterate (y, x) over dst {
				if (sum(max(src[y][x], i64(1)) for k in 0:2) < i64(2)) dst[y][x] = src[y][x + 1000];
			}
		}`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"behind a sum of u64 that wraps around",
		`(in src: u64[h][w], out dst: u64[h][w]) {
			iterate (y, x) over dst {
				if (sum(max(src[y][x], u64(1)) for k in 0:2) < u64(2)) dst[y][x] = src[y][x + 1000];
			}
		}`, []string{"IMG0501 for w = 8, x = 0 this reads src[y][1000]"}},
	{"every second pixel of a halved image",
		`(in src: u8[h][w], out dst: u8[(h + 1) / 2][(w + 1) / 2]) {
			iterate (y, x) over dst dst[y][x] = src[2*y][2*x];
		}`, nil},
	{"half of a coordinate",
		`(in src: u8[(h + 1) / 2][w], out dst: u8[h][w]) {
			iterate (y, x) over dst dst[y][x] = src[y / 2][x];
		}`, nil},
	{"half of a coordinate, rounded up, leaves an image of even height",
		`(in src: u8[(h + 1) / 2][w], out dst: u8[h][w]) {
			iterate (y, x) over dst dst[y][x] = src[(y + 1) / 2][x];
		}`, []string{"IMG0501 for h = 8, y = 7 this reads src[4][x]"}},
	{"a binomial filter with a border",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst border clamp dst[y][x] = u8(sum(src[y-2 : 5][x-2 : 5]) / 25);
		}`, nil},
	{"a pyramid that is gone down and up",
		`(in src: f32[h][w], out dst: f32[h][w]) {
			pyramid g: f32[h][w] levels 3;
			g[0] = src;
			traverse (g) {
				if (!g.top) g[0] = [g[-1][min(2*y, g[-1].height - 1)][min(2*x, g[-1].width - 1)] for y, x];
				descend;
				if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y / 2][x / 2] for y, x];
			}
			dst = g[0];
		}`, nil},
	{"a pyramid whose levels are written by the ones above, in a loop, and swapped with what is written",
		`(in src: f32[h][w], out dst: f32[h][w], in n: i32) {
			dst = src;
			for (i in 0:n) {
				pyramid u: f32[h][w] levels 3;
				u[0] = dst;
				traverse (u) {
					image next: f32[u[0].height][u[0].width] = [u[0][y][x] + 1 for y, x];
					swap(u[0], next);
					if (!u.bottom) {
						u[+1] = 0;
						descend 2;
						u[0] = [u[0][y][x] + u[+1][y / 2][x / 2] for y, x];
					}
				}
				dst = u[0];
			}
		}`, nil},
	{"planes that are written one by one",
		`(in src: f32[3][h][w], out dst: f32[3][h][w], out two: i32[2][h][2]) {
			iterate (y in 0:h, x in 0:w) {
				dst[2][y][x] = src[0][y][x];
				dst[0][y][x] = src[1][y][x];
				dst[1][y][x] = src[2][y][x];
			}
			iterate (y in 0:h) { two[1][y][0] = 1; two[0][y][1] = 2; two[1][y][1] = 3; two[0][y][0] = 4; }
		}`, nil},
	{"planes of which one is left out",
		`(in src: f32[h][w], out dst: f32[3][h][w], out far: u8[1 << 20][h][w], out part: i32[2][h][2]) {
			iterate (y, x) over src {
				dst[2][y][x] = 1;
				dst[0][y][x] = src[y][x];
				far[0][y][x] = 1;
				far[(1 << 20) - 1][y][x] = 1;
			}
			iterate (y in 0:h) { part[1][y][0] = 1; part[0][y][1] = 2; part[1][y][1] = 3; }
		}`, []string{"dst starts as zeros", "far starts as zeros", "part starts as zeros"}},
	{"blocks that reach outside of an image",
		`(in src: u8[(h + 3)/4][(w + 3)/4], out dst: u8[h][w], out between: u8[h][w], out by_hand: u8[h][w], out rows: u8[h][w]) {
			iterate (y, x) over src border(dst: skip) dst[4*y : 4][4*x : 4] = src[y][x];
			iterate (y in -1 : (h + 3)/4, x in -1 : (w + 3)/4) border(between: skip) between[4*y + 2 : 4][4*x + 2 : 4] = 5;
			iterate (y in -1 : h/2 + 1, x in 0:w) border(by_hand: skip) { by_hand[2*y + 1][x] = 1; by_hand[2*y + 2][x] = 2; }
			iterate (y in 0 : h + 2, x in 0:w) border(rows: skip) rows[y - 2][x] = 7;
		}`, nil},
	{"blocks that do not reach all of it",
		`(in src: u8[h][w], out dst: u8[h][w], out far: u8[h][w], out some: u8[h][w]) {
			iterate (y in 0 : h/4, x in 0 : (w + 3)/4) border(dst: skip) dst[4*y : 4][4*x : 4] = src[4*y][0];
			iterate (y, x) over src border(far: skip) far[y - 2][x - 1] = src[y][x];
			iterate (y, x) over src border(some: skip) if (src[y][x] > 3) some[y][x] = 1;
		}`, []string{"dst starts as zeros", "far starts as zeros", "some starts as zeros"}},
	{"several iterates that write an image between them",
		`(in src: u8[h][w], in k: i32, out dst: u8[h][w], out planes: u8[3][h][w], out chosen: u8[3][h][w], out copy: u8[h][w]) {
			iterate (x in 0:w) { dst[0][x] = src[0][x]; dst[h - 1][x] = 5; }
			iterate (y in 1 : h - 1) { dst[y][0] = 2; dst[y][w - 1] = src[y - 1][0]; }
			iterate (y in 1 : h - 1, x in 1 : w - 1) dst[y][x] = 9;
			planes[0] = src;
			for (c in 1:3) planes[c] = src;
			for (c in 0:3) { if (c != k) chosen[c] = src; else chosen[c] = 3; }
			image rows: u8[h][w];
			iterate (y in 0 : h/2, x in 0:w) rows[2*y][x] = src[0][x];
			iterate (y in 0 : h/2, x in 0:w) rows[2*y + 1][x] = src[y][x];
			iterate (x in 0:w) rows[h - 1][x] = 3;
			copy = rows;
		}`, nil},
	{"several iterates that leave something out, read between, or do not all run",
		`(in src: u8[h][w], in k: i32, out dst: u8[h][w], out planes: u8[3][h][w], out chosen: u8[3][h][w], out left: u8[3][h][w], out last: u8[h][w], out sum: u8[h][w]) {
			iterate (x in 0:w) { dst[0][x] = src[0][x]; dst[h - 1][x] = 5; }
			iterate (y in 1 : h - 1) dst[y][0] = 2;
			iterate (y in 1 : h - 1, x in 1 : w - 1) dst[y][x] = 9;
			planes[0] = src;
			for (c in 1:2) planes[c] = src;
			for (c in 0:3) if (c != k) chosen[c] = src;
			for (c in 0:3) { if (c > k) break; left[c] = src; }
			image rows: u8[h][w];
			iterate (y in 0 : h/2, x in 0:w) rows[y][x] = src[0][x];
			last = rows;
			iterate (y in h/2 : h, x in 0:w) rows[y][x] = src[y][x];
			sum = [u8(rows[y][x] + last[y][x]) for y, x];
		}`, []string{"dst starts as zeros", "planes starts as zeros", "chosen starts as zeros", "left starts as zeros", "rows starts as zeros"}},
	{"scans that read what steps before have written, and those that read more",
		`(in src: i32[H][W], out up: i32[H][W], out down: i32[H][W], out first: i32[H][W], out near: i32[H][W], out own: i32[H][W], out later: i32[H][W], out folded: i32[H][W], out odd: i32[H][W], out some: i32[H][W], out twice: i32[H][W]) {
			iterate (y, x) over up scan(y) border constant(0) up[y][x] = src[y][x] + max(up[y-2 : 2][x-1 : 3]);
			iterate (y, x) over down scan(-x) border clamp down[y][x] = src[y][x] + (x < W - 1 ? down[y+1][x+1] : 0);
			iterate (y, x) over first scan(y) border clamp first[y][x] = src[y][x] + first[y-1][x];
			iterate (y, x) over near scan(-y) border(near: reflect) near[y][x] = src[y][x] + near[y+2][x];
			iterate (y, x) over own scan(y) border constant(0) own[y][x] = own[y][x] + own[y-1][x];
			iterate (y, x) over later scan(y) border constant(0) later[y][x] = later[y-1][x] + later[y+1][x];
			iterate (y, x) over folded scan(x) border constant(0) folded[y][x] = folded[y][x/2];
			iterate (y in 0:H:2, x) over odd scan(y) border constant(0) odd[y][x] = odd[y-2][x];
			iterate (y, x) over some scan(y) border constant(0) if (src[y][x] > 0) some[y][x] = some[y-1][x];
			iterate (y, x) over twice scan(y) border constant(0) { twice[y][x] = twice[y-1][x] + 1; twice[y][x] = twice[y-1][x] + 2; }
		}`, []string{"first starts as zeros", "near starts as zeros", "own starts as zeros", "later starts as zeros", "folded starts as zeros", "odd starts as zeros", "some starts as zeros"}},
	{"a pyramid of which only the finest level is written",
		`(in src: f32[h][w], out dst: f32[h][w]) {
			pyramid g: f32[h][w] levels 3;
			g[0] = src;
			traverse (g) {
				descend;
				if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y / 2][x / 2] for y, x];
			}
			dst = g[0];
		}`, []string{"g starts as zeros"}},
	{"a pyramid that is written in part",
		`(in src: f32[h][w], out dst: f32[h][w]) {
			pyramid g: f32[h][w] levels 3;
			g[0] = src;
			traverse (g) {
				if (!g.top) iterate (y in 0 : g[0].height - 1, x in 0 : g[0].width) g[0][y][x] = 1;
				descend;
				if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y / 2][x / 2] for y, x];
			}
			dst = g[0];
		}`, []string{"g starts as zeros"}},
	{"a pyramid that is written under a condition",
		`(in src: f32[h][w], out dst: f32[h][w], in n: i32) {
			pyramid g: f32[h][w] levels 3;
			g[0] = src;
			traverse (g) {
				if (n > 0) g[0] = 1;
				descend;
				if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y / 2][x / 2] for y, x];
			}
			dst = g[0];
		}`, []string{"g starts as zeros"}},
	{"a pyramid that may not be gone down",
		`(in src: f32[h][w], out dst: f32[h][w], in n: i32) {
			pyramid g: f32[h][w] levels 3;
			traverse (g) {
				g[0] = 1;
				descend n;
				if (!g.bottom) g[0] = [g[0][y][x] + g[+1][y / 2][x / 2] for y, x];
			}
			dst = [src[y][x] + g[0][y][x] for y, x];
		}`, []string{"g starts as zeros"}},
	{"a pyramid that gets what was not written by a swap",
		`(in src: f32[h][w], out dst: f32[h][w]) {
			pyramid g: f32[h][w] levels 2;
			pyramid k: f32[h][w] levels 2;
			g[0] = src;
			traverse (g, k) {
				if (!g.top) g[0] = 1;
				swap(g[0], k[0]);
				descend;
			}
			dst = k[0];
		}`, []string{"g starts as zeros", "k starts as zeros"}},
	{"a level below a traverse",
		`(in src: f32[h][w], out dst: f32[1][1]) {
			pyramid g: f32[h][w] levels 31;
			traverse (g) {
				g[0] = 1;
				descend;
			}
			dst[0][0] = g[30][0][0] + src[0][0];
		}`, nil},
	{"a level below a traverse that leaves it out",
		`(in src: f32[h][w], out dst: f32[1][1]) {
			pyramid g: f32[h][w] levels 31;
			traverse (g) {
				g[0] = 1;
				if (g.level < 5) descend;
			}
			dst[0][0] = g[30][0][0] + src[0][0];
		}`, []string{"g starts as zeros"}},
	{"the interior without a border",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y in 1:H-1, x in 1:W-1) dst[y][x] = max(src[y-1 : 3][x-1 : 3]);
		}`, []string{"dst starts as zeros"}},
	{"a window that is wider than the interior leaves for",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y in 1:H-1, x in 1:W-1) dst[y][x] = max(src[y-1 : 3][x-1 : 4]);
		}`, []string{"IMG0501 for W = 8, x = 6, j = 3 this reads src[y + i - 1][8]"}},
	{"a transposed image",
		`(in src: u8[H][W], out dst: u8[W][H]) {
			iterate (y, x) over src dst[x][y] = src[y][x];
		}`, nil},
	{"a rotated image",
		`(in src: u8[H][W], out dst: u8[W][H]) {
			iterate (y, x) over src dst[x][H - 1 - y] = src[y][x];
		}`, nil},
	{"where and conditions keep an access inside",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst where (x > 0) {
				if (y < H - 1) dst[y][x] = src[y + 1][x - 1];
				else dst[y][x] = y > 0 && src[y - 1][x] > 3 ? 1 : 0;
			}
		}`, []string{"dst starts as zeros"}},
	{"conditions with continue, and a variable that is brought into range",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst {
				var best = 0;
				for (d in -3:4) {
					let at = x + d;
					if (at < 0 || at >= W) continue;
					best = max(best, i32(src[y][at]));
				}
				var left = x - 1;
				if (left < 0) left = 0;
				dst[y][x] = u8(best + src[y][left]);
			}
		}`, nil},
	{"a column that a narrow image lacks",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y in 0:H) dst[y][0] = src[y][W - 4];
		}`, []string{"dst starts as zeros", "src needs W >= 4, because src[y][W - 4] is read (test.img:2)"}},
	{"one of two sizes that have to agree",
		`(in src: u8[h][w], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = src[y][x];
		}`, []string{"src needs h >= H, because src[y][x] is read (test.img:2)", "src needs w >= W, because src[y][x] is read (test.img:2)"}},
	{"a column that a parameter names",
		`(in src: u8[H][W], out dst: u8[H][W], in k: i32) {
			iterate (y, x) over dst dst[y][x] = src[y][k];
		}`, []string{"src needs W > k, because src[y][k] is read (test.img:2)", "src needs k >= 0, because src[y][k] is read (test.img:2)"}},
	{"a shift that can only be 0",
		`(in src: u8[H][W], out dst: u8[H][W], in k: i32) {
			iterate (y, x) over dst dst[y][x] = src[y][x + k];
		}`, []string{"IMG0501 for W = 8, k = 1, x = 7 this reads src[y][8]"}},
	{"a shift that may wrap around, under a condition that sees it",
		`(in src: u8[H][W], out dst: u8[H][W], in k: i32) {
			iterate (y, x) over dst dst[y][x] = x + k >= 0 && x + k < W ? src[y][x + k] : 0;
		}`, nil},
	{"a read without a rule at both ends",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = max(src[y][x - 1], src[y + 1][x]);
		}`, []string{"IMG0501 for x = 0 this reads src[y][-1]", "IMG0501 for H = 8, y = 7 this reads src[8][x]"}},
	{"a reading ahead that no size makes good",
		`(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = src[y][2*x];
		}`, []string{"IMG0501 for W = 8, x = 4 this reads src[y][8]"}},
	{"a table for all bytes",
		`(in src: u8[H][W], in table: u8[256], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = table[src[y][x]];
		}`, nil},
	{"a table for bytes of unknown length",
		`(in src: u8[H][W], in table: u8[N], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = table[src[y][x]];
		}`, []string{"IMG0507 cannot prove that table[src[y][x]] stays inside table"}},
	{"an index from data that is masked",
		`(in src: i32[H][W], in table: u8[16], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = table[src[y][x] & 15];
		}`, nil},
	{"an index from a float that is clamped",
		`(in src: f32[H][W], in table: u8[16], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = table[i32(clamp(src[y][x], 0.0, 15.0))];
		}`, nil},
	{"an index from a float",
		`(in src: f32[H][W], in table: u8[16], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = table[i32(src[y][x])];
		}`, []string{"IMG0507 cannot prove that table[i32(src[y][x])] stays inside table"}},
	{"red-black in place, clamped", redBlack("clamp"), nil},
	{"red-black in place, reflected", redBlack("reflect101"), nil},
	{"red-black in place, constant", redBlack("constant(0.0)"), nil},
	{"red-black in place is wrong for odd images that repeat", redBlack("repeat"),
		[]string{"IMG0504 for H = 3 instance (y = 0, x = 0) reads u[2][0], which instance (y = 2, x = 0) writes"}},
	{"in place at the own pixel", `(inout u: f32[H][W]) {
			iterate (y, x) over u u[y][x] = sqrt(u[y][x]);
		}`, nil},
	{"in place from rows that are not written", `(inout u: f32[H][W]) {
			iterate (y in 1:H:2, x in 0:W) u[y][x] = u[y - 1][x];
		}`, nil},
	{"in place from a neighbour", `(inout u: f32[H][W]) {
			iterate (y, x) over u border clamp u[y][x] = u[y][x - 1];
		}`, []string{"IMG0504 for W = 2 instance (y = 0, x = 1) reads u[0][0], which instance (y = 0, x = 0) writes"}},
	{"all instances write one pixel", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over src dst[0][x] = src[y][x];
		}`, []string{"IMG0503 instances (y = 0, x = 0) and (y = 1, x = 0) both write dst[0][0]"}},
	{"two statements of different instances write one pixel", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y in 0:H, x in 0:W-1) { dst[y][x] = src[y][x]; dst[y][x + 1] = 0; }
		}`, []string{"IMG0503 instances (y = 0, x = 1) and (y = 0, x = 0) both write dst[0][1]"}},
	{"two statements of one instance may write one pixel", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst { dst[y][x] = 0; if (src[y][x] > 3) dst[y][x] = 1; }
		}`, nil},
	{"mirrored halves", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y in 0:H/2, x in 0:W) { dst[y][x] = src[y][x]; dst[H - 1 - y][x] = src[y][x]; }
		}`, []string{"dst starts as zeros"}},
	{"four pixels of each instance", `(in src: u8[H][W], out dst: u8[2*H][2*W]) {
			iterate (y, x) over src
				for (v in 0:2) for (u in 0:2) dst[2*y + v][2*x + u] = src[y][x];
		}`, nil},
	{"four pixels of each instance, as far as there are any", `(in src: u8[(H + 1) / 2][(W + 1) / 2], out dst: u8[H][W]) {
			iterate (y, x) over src {
				dst[2*y][2*x] = src[y][x];
				if (2*x + 1 < W) dst[2*y][2*x + 1] = src[y][x];
				if (2*y + 1 < H) {
					dst[2*y + 1][2*x] = src[y][x];
					if (2*x + 1 < W) dst[2*y + 1][2*x + 1] = src[y][x];
				}
			}
		}`, nil},
	{"tiles that overlap", `(in src: u8[H][W], out dst: u8[8*H + 8][W]) {
			iterate (y, x) over src
				for (v in 0:16) dst[8*y + v][x] = src[y][x];
		}`, []string{"IMG0503 instances (y = 0, x = 0) and (y = 1, x = 0) both write dst[8][0]"}},
	{"tiles of one parity", `(in src: u8[H][W], out dst: u8[8*H + 8][W], in c: i32) {
			iterate (y, x) over src where (y % 2 == c)
				for (v in 0:16) dst[8*y + v][x] = src[y][x];
		}`, []string{"dst starts as zeros", "dst needs 8 * H + 8 <= 2147483647, because indices are of type i32 (test.img:1)"}},
	{"both sides of a condition on data write", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst
				if (src[y][x] > 127) dst[y][x] = 255; else dst[y][x] = 0;
		}`, nil},
	{"one side of a condition on data writes", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst if (src[y][x] > 127) dst[y][x] = 255;
		}`, []string{"dst starts as zeros"}},
	{"a write behind a loop that ends some time", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst {
				var n = i32(src[y][x]);
				while (n > 9) n = n / 2;
				dst[y][x] = u8(n);
			}
		}`, nil},
	{"a write in a loop that may never run", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst
				while (src[y][x] > 9) { dst[y][x] = 1; break; }
		}`, []string{"dst starts as zeros"}},
	{"a smaller image in between", `(in src: u8[H][W], out dst: u8[H][W]) {
			image tmp: u8[H - 2][W];
			iterate (y in 1:H-1, x in 0:W) tmp[y - 1][x] = max(src[y - 1][x], src[y + 1][x]);
			iterate (y, x) over dst dst[y][x] = tmp[clamp(y, 0, H - 3)][x];
		}`, []string{"tmp needs H - 2 >= 1, because extents are positive (test.img:2)"}},
	{"one axis", `(in src: f32[N], out dst: f32[N]) {
			iterate (i) over dst border repeat dst[i] = src[i - 1] + src[i + 1];
		}`, nil},
	{"three axes", `(in src: f32[D][H][W], out dst: f32[D][H][W]) {
			iterate (z in 1:D-1, y in 1:H-1, x in 1:W-1) dst[z][y][x] = mean(src[z-1 : 3][y-1 : 3][x-1 : 3]);
		}`, []string{"dst starts as zeros"}},
	{"four axes", `(in src: f32[T][D][H][W], out dst: f32[T][D][H][W]) {
			iterate (t, z, y, x) over dst dst[t][z][y][x] = src[t][z][y][x - 1];
		}`, []string{"IMG0501 for x = 0 this reads src[t][z][y][-1]"}},
	{"functions and vectors of indices", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst {
				let p = i32x2(half(x), inside(y - 1, H));
				dst[y][x] = src[p.y][p.x];
			}
		}
		func half(v: i32): i32 = v / 2;
		func inside(v: i32, n: i32): i32 { let w = max(v, 0); return min(w, n - 1); }`, nil},
	{"a host value", `(in src: u8[H][W], out dst: u8[H][W], in sigma: f32) {
			let r = i32(3 * sigma);
			iterate (y in 0:H, x in r:W-r) dst[y][x] = max(src[y][x - r], src[y][x + r]);
		}`, []string{"dst starts as zeros", "dst needs i32(3.0 * sigma) >= 0, because dst[y][x] is written (test.img:3)"}},
	{"a shift by a host value", `(in src: u8[H][W], out dst: u8[H][W], in sigma: f32) {
			let r = i32(3 * sigma);
			iterate (y, x) over dst dst[y][x] = src[y][x + r];
		}`, []string{"IMG0501 for W = 8, i32(3.0 * sigma) = 1, x = 7 this reads src[y][8]"}},
	{"a vector of parameters", `(in src: u8[H][W], out dst: u8[H][W], in at: i32x2) {
			iterate (y, x) over dst dst[y][x] = src[at.y][at.x];
		}`, []string{"src needs H > at.y, because src[at.y][at.x] is read (test.img:2)", "src needs W > at.x, because src[at.y][at.x] is read (test.img:2)",
		"src needs at.y >= 0, because src[at.y][at.x] is read (test.img:2)", "src needs at.x >= 0, because src[at.y][at.x] is read (test.img:2)"}},
	{"an extent that index arithmetic could not bear", `(in src: u8[2000000000], out dst: u8[N]) {
			iterate (i) over dst dst[i] = src[i];
		}`, []string{"IMG0306 an extent is at most 1073741824, this is 2000000000"}},
	{"errors of two stages", `(in src: u8[H][W], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[0][x] = src[y][x];
			iterate (y, x) over dst dst[y][x / 2] = src[y][x];
		}`, []string{"IMG0503 instances (y = 0, x = 0) and (y = 1, x = 0) both write dst[0][0]",
		"IMG0503 instances (y = 0, x = 0) and (y = 0, x = 1) both write dst[0][0]"}},
	{"the sum of three coordinates may wrap around and is still even or odd", `(inout u: f32[D][H][W], in c: i32) {
			iterate (z, y, x) over u border clamp where ((z + y + x) % 2 == c) u[z][y][x] = u[z - 1][y][x] + u[z][y][x + 1];
		}`, nil},
	{"components of constant vectors", `(in src: i32[H][W], in table: u8[7], out dst: i32[H][W]) {
			iterate (y in 3 : H - 2, x in 1 : W - 1) {
				let o = RING[(y + x) % 3];
				var n = src[y + o.y][x + o.x] + table[RING[1].y + 4];
				for (k in 0 : 3) n += src[y + RING[k].y][x + RING[k].x] + table[RING[k].x + RING[0].x + 5];
				dst[y][x] = n;
			}
		}
		const RING: i32x2[3] = [i32x2(-1, -3), i32x2(1, 2), i32x2(0, 0)];`, []string{"dst starts as zeros"}},
	{"components of constant vectors that reach too far", `(in src: i32[H][W], in table: u8[7], out dst: i32[H][W]) {
			iterate (y in 2 : H, x in 1 : W - 1) {
				dst[y][x] = table[RING[1].y + 5];
				for (k in 0 : 3) dst[y][x] += src[y][x + RING[k].x] + src[y + RING[k].y][x];
			}
		}
		const RING: i32x2[3] = [i32x2(-1, -3), i32x2(1, 2), i32x2(0, 0)];`, []string{
		"IMG0501 this reads table[7]", "IMG0507 cannot prove that src[y + RING[k].y][x] stays inside src"}},
	{"cells of tables by floats that are computed of bytes", `(in src: u8x3[H][W], in cells: u8x3[33][33][33], in curve: f32[16], out dst: u8x3[H][W], out other: f32[H][W]) {
			iterate (y, x) over dst {
				let p = i32x3(f32x3(src[y][x]) * (32.0 / 255.0));
				dst[y][x] = cells[p.x][p.y][p.z];
				let v = f32(src[y][x].x);
				other[y][x] = curve[i32(v / 255 * 15)] + curve[i32(v * 15 / 255)] + curve[i32(15 - v * 0.05)] + curve[i32(v) / 17];
			}
		}`, nil},
	{"cells that rounding may miss", `(in src: u8[N], in table: u8[256], in scale: f32, out dst: u8[N]) {
			iterate (i) over dst {
				let v = f32(src[i]);
				dst[i] = table[i32(v / 3 * 3.0125)] + table[i32(v * scale)] + table[i32(v - 0.001 + 0.002)] + table[i32(0.5 - v)] + table[i32(v / (v - 100))] > 3 ? 1 : 0;
			}
		}`, []string{"IMG0507 cannot prove that table[i32(v / 3 * 3.0125)] stays inside table", "IMG0507 cannot prove that table[i32(v * scale)] stays inside table",
		"IMG0507 cannot prove that table[i32(0.5 - v)] stays inside table", "IMG0507 cannot prove that table[i32(v / (v - 100))] stays inside table"}},
	{"ranges whose bounds are computed from floats", `(in src: f32[N], in f: f32, in n: i32, out dst: f32[N]) {
			iterate (i) over dst {
				let from = f32(i) * f;
				var total = sum(src[k] for k in i32(from) : i + 1);
				total += sum(src[k] for k in max(i32(from), 0) : i + 1);
				for (k in 0 : i32(from)) total += src[N - 1 - k];
				for (k in 0 : i32(from)) total += src[k - 1];
				dst[i] = total;
			}
		}`, []string{"IMG0507 cannot prove that src[k] stays inside src", "IMG0507 cannot prove that src[N - 1 - k] stays inside src",
		"IMG0501 for k = 0 this reads src[-1]"}},
	{"axes that have changed places", `(in src: u8[H][W], in n: i32, out dst: u8[H][W]) {
			iterate (x, y) over dst dst[y][x] = src[y][x];
		}`, []string{"IMG0511 test takes images only where H == W"}},
	{"axes that have changed places where that is meant", `(in src: u8[H][W], out dst: u8[H][W]) {
			assume(H == W);
			iterate (x, y) over dst dst[y][x] = src[y][x];
		}`, []string{"H == W was assumed, and does not hold"}},
	{"sizes that bound each other on one side", `(in src: u8[H][W], in t: u8[N], out dst: u8[H][W]) {
			iterate (y, x) over dst dst[y][x] = src[y][x] + t[y] + t[x] > 3 ? 1 : 0;
		}`, []string{"t needs N >= H, because t[y] is read (test.img:2)", "t needs N >= W, because t[x] is read (test.img:2)"}},
	{"where an extreme is", `(in src: i32[H][W], in table: u8[7], out dst: i32[H][W]) {
			iterate (y, x) over dst border(src: clamp) {
				let up = table[argmin(src[y][x + k] for k in 0 : 7)];
				let down = table[argmax(src[y][x + k] for k in 6 : -1 : -1)];
				let at = argmin(src[j][i] for j in 0 : H, i in 0 : W);
				dst[y][x] = up + down + src[at.y][at.x];
			}
		}`, nil},
	{"where an extreme is among floats: 0 if all are NaN", `(in src: f32[H][W], in table: u8[4], out dst: u8[H][W]) {
			iterate (y, x) over dst border(src: clamp)
				dst[y][x] = table[argmin(src[y][x + k] for k in 1 : 4)] + table[argmin(src[y][x + k] for k in 1 : 4) - 1] > 3 ? 1 : 0;
		}`, []string{"IMG0507 cannot prove that table[argmin(src[y][x + k] for k in 1 : 4) - 1] stays inside table"}},
	{"where an extreme is in an empty range: 0", `(in src: i32[N], in a: u8[N], in n: i32, out dst: u8[N]) {
			iterate (i) over dst {
				let first = argmin(src[k] for k in i : min(n, N));
				dst[i] = first < N && a[first] > a[first - i] ? 1 : 0;
			}
		}`, []string{"IMG0507 cannot prove that a[first - i] stays inside a"}},
	{"a value of the device that a range is known of", `(in src: f32[H][W], out dst: f32[W], out bins: i32[16]) {
			let p = argmax(src);
			dst = [src[p.y][x] for x];
			for (k in 0 : H) {
				let best = clamp(argmin(abs(src[y][0] - f32(k)) for y in k : H), k, H - 1);
				let bin = i32(clamp(src[k][0], 0, 1) * 0 + 15) & 15;
				iterate (x) over dst dst[x] += src[best - k][x];
				bins[bin] = k;
			}
		}`, []string{"bins starts as zeros"}},
	{"a value of the device that is one for all instances", `(in src: i32[N], out dst: i32[9]) {
			let p = clamp(src[0], 0, 8);
			iterate (i in 0 : N) dst[p] = src[i];
		}`, []string{"IMG0503 instances (i = 0) and (i = 1) both write dst[0]"}},
	{"values of the device: a var has more than one", `(in src: i32[N], out dst: i32[N]) {
			var p = 0;
			for (k in 0 : 2) {
				iterate (i) over dst dst[i] = src[p] + src[p - 1];
				p = 1 + argmin(src);
			}
		}`, []string{"IMG0507 cannot prove that src[p] stays inside src", "IMG0507 cannot prove that src[p - 1] stays inside src"}},
	{"values of the device: a var that is set last in a loop", `(in src: i32[N], out dst: i32[N]) {
			var p: i32;
			for (k in 0 : 2) {
				iterate (i) over dst dst[i] = src[p] + src[p - 3];
				p = clamp(argmin(src), 3, 4);
			}
		}`, []string{"IMG0507 cannot prove that src[p] stays inside src", "IMG0507 cannot prove that src[p - 3] stays inside src"}},
	{"values of the device: set in a branch alone", `(in src: i32[N], out dst: i32[N]) {
			assume(N > 4);
			var p: i32;
			if (N > 7) p = clamp(argmin(src), 3, 4);
			iterate (i) over dst dst[i] = src[p - 3];
		}`, []string{"IMG0507 cannot prove that src[p - 3] stays inside src"}},
	{"the offset of an extreme in a domain", `(in src: i32[H][W], out dst: i32[H][W]) {
			iterate (y in 1 : H-1, x in 1 : W-1) {
				let p = argmax(src[y + d.y][x + d.x] for d in ring);
				dst[y][x] = src[y + p.y][x + p.x];
			}
		}
		domain ring[3][3] = [[0, 1, 0], [1, 0, 1], [0, 1, 0]];`, []string{"dst starts as zeros"}},
}

func redBlack(rule string) string {
	return `(inout u: f32[H][W], in c: i32) {
			iterate (y, x) over u border ` + rule + ` where ((y + x) % 2 == c)
				u[y][x] = (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1]) / 4;
		}`
}

func TestProofsOfPrograms(t *testing.T) {
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			if got := found("pipeline test" + c.text); !slices.Equal(got, c.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
		})
	}
}
