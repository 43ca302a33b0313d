package fusion

import (
	"fmt"
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// fromElsewhere are pipelines of images that begin before 0, or behind it: chains of them, with rules, read at places that data chooses, written in part
// and elsewhere than where an instance counts, by scans, in rounds, and by way of views.
const fromElsewhere = `
pipeline chain(in src: f32[H][W], out dst: f32[H][W]) {
    image far: f32[3][-2 : H+2][-3 : W+3] = [abs(src[clamp(y, 0, H-1)][clamp(x + k, 0, W-1)]) for k, y, x];
    image rows: f32[3][-2 : H+2][W] = [sum(far[k][y][x-3 : 7]) for k, y, x];
    dst = [sum(rows[k][y+i][x] * (k + 1) for k in 0:3, i in -2:3) for y, x];
}
pipeline ruled(in src: i32[H][W] border clamp, out dst: i32[H][W]) {
    image m: i32[-2 : H+1][-1 : W+4] border reflect = [src[y][x] * 3 + y - 2 * x for y, x];
    dst = [m[y-4][x] + m[y+3][x+5] - m[y][x-7] for y, x];
}
pipeline behind(in src: i32[H][W] border constant(7), out dst: i32[H][W]) {
    image m: i32[1 : H+3][2 : W+2] border constant(-5) = [src[y-1][x-2] + x for y, x];
    dst = [m[y][x] * 2 + m[y+2][x+1] for y, x];
}
pipeline anywhere(in src: i32[H][W], out dst: i32[H][W]) {
    image m: i32[-3 : H+1][-2 : W] border clamp = [src[max(y, 0) % H][max(x, 0) % W] for y, x];
    image n: i32[-3 : H+1][-2 : W] border repeat = m;
    dst = [m[src[y][x]][x] - n[y][src[y][x]] for y, x];
}
pipeline parts(in src: i32[H][W], out dst: i32[H][W]) {
    image m: i32[-1 : H][-1 : W] = 4;
    iterate (y in 0:H, x in 0:W) where ((x + y) % 3 > 0) m[y][x] = src[y][x];
    iterate (y in 1:H, x in 1:W) m[y-2][x-2] = src[y][x] - y;
    dst = [m[y-1][x] + m[y][x-1] for y, x];
}
pipeline sums(in src: i32[H][W], out dst: i32[H][W]) {
    image across: i32[H][-2 : W];
    iterate (y in 0:H, x in -2:0) across[y][x] = y;
    iterate (y in 0:H, x in 0:W) scan(x) across[y][x] = across[y][x-1] + src[y][x] - across[y][x-2] / 2;
    dst = [across[y][x-2] for y, x];
}
pipeline turns(in src: i32[H][W], out dst: i32[H][W]) {
    image a: i32[-1 : H+1][W] border clamp = [src[clamp(y, 0, H-1)][x] for y, x];
    image b: i32[-1 : H+1][W] border clamp;
    for (i in 0:3) {
        b = [a[y-1][x] + i for y, x];
        swap(a, b);
    }
    dst = [a[y][x] for y, x];
}
pipeline seen(in src: i32[H][W], out dst: i32[H][W]) {
    image m: i32[-2 : H+2][W] border clamp = [src[clamp(y, 0, H-1)][x] for y, x];
    view v = m[0 : H];
    dst = [v[y][x] + m[y-1][x] for y, x];
}
`

// TestImagesFromElsewhere has their stages stored, fused and under decisions of all kinds.
func TestImagesFromElsewhere(t *testing.T) {
	root := func(string, *hast.Stage) schedule.Decisions { return schedule.Decisions{Place: schedule.Root} }
	t.Run("stored", func(t *testing.T) { elsewhereUnder(t, root) })
	for _, place := range []schedule.Placement{schedule.Fuse, schedule.Inline} {
		blocks := harness.Blocks(uint64(place))
		t.Run(fmt.Sprint(place), func(t *testing.T) {
			elsewhereUnder(t, func(pipeline string, s *hast.Stage) schedule.Decisions {
				d := blocks(pipeline, s)
				d.Place = place
				return d
			})
		})
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { elsewhereUnder(t, harness.Legal(seed, imgc.Strict)) })
	}
}

func elsewhereUnder(t *testing.T, way func(pipeline string, s *hast.Stage) schedule.Decisions) {
	p := harness.CompileWith(t, "elsewhere.img", fromElsewhere, imgc.Options{Mode: imgc.Strict, Decide: way})
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for k, size := range [][2]int{{1, 1}, {2, 37}, {13, 61}, {40, 3}} {
			args := arguments(q, size)
			t.Run(fmt.Sprint(q.Name, size, k), func(t *testing.T) { equal(t, p, built, q.Name, args, layouts[k%2]) })
		}
	}
}
