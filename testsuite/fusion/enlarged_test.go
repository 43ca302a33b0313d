package fusion

import (
	"context"
	"strings"
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// enlarged are pipelines whose stages read what others compute at divided coordinates; IN and RULE stand for two rules.
const enlarged = `pipeline fine_detail(in src: u8[H][W] border IN, out dst: i32[H][W]) {
    image coarse: i32[(H + 1)/2][(W + 1)/2] = [sum(i32(src[2*y : 2][2*x : 2])) / 4 for y, x];
    dst = [src[y][x] - coarse[y / 2][x / 2] for y, x];
}

pipeline bilinear(in src: u8[H][W] border IN, out dst: i32[H][W]) {
    image coarse: i32[(H + 1)/2][(W + 1)/2] border RULE = [sum(i32(src[2*y - 1 : 3][2*x - 1 : 4])) for y, x];
    dst = [coarse[y / 2][x / 2] + 3*coarse[(y + 1) / 2][x / 2] - coarse[y / 2][(x + 1) / 2] + 5*coarse[(y + 1) / 2][(x + 1) / 2] + x % 2 for y, x];
}

pipeline short_by_one(in src: i32[H + 4][W + 6] border IN, out dst: i32[H + 4][W + 6]) {
    image coarse: i32[(H + 4)/2][(W + 6)/2] border RULE = [src[2*y][2*x] - src[2*y + 1][2*x + 3] for y, x];
    dst = [coarse[y / 2 - 1][(x + 1) >> 1] - 2*coarse[y / 2 + 2][x / 2] for y, x];
}

pipeline short_and_behind(in src: i32[H + 4][W + 6] border IN, out dst: i32[H + 4][W + 6]) {
    image coarse: i32[(H + 4)/2][(W + 6)/2] border RULE = [src[2*y][2*x] - src[2*y + 1][2*x + 3] for y, x];
    dst = [coarse[y / 2 + 1][x / 2] - 2*coarse[(y + 1) / 2][(x + 3) / 2] for y, x];
}

pipeline kept_behind(in src: u8[H][W] border IN, out half: u8[(H + 1)/2][(W + 1)/2], out dst: i32[H][W]) {
    iterate (y, x) over half
        half[y][x] = u8(src[2*y][2*x] / 2 + src[2*y - 1][2*x + 1] / 2);
    iterate (y, x) over dst border RULE
        dst[y][x] = src[y][x] - half[y / 2 + 3][x / 2 + 2];
}

pipeline kept_before(in src: u8[H][W] border IN, out half: u8[(H + 1)/2][(W + 1)/2], out dst: i32[H][W]) {
    iterate (y, x) over half
        half[y][x] = u8(src[2*y][2*x] / 2 + src[2*y - 1][2*x + 1] / 2);
    iterate (y, x) over dst where (y > 5 && x > 5)
        dst[y][x] = src[y][x] - half[y / 2 - 3][x / 2 - 2];
}

pipeline down_and_up(in src: i32[H][W] border IN, out dst: i32[H][W], out more: i32[H][W]) {
    image smooth: i32[H][W] border RULE = [convolve(ramp, src[y][x]) for y, x];
    image coarse: i32[(H + 1)/2][(W + 1)/2] border RULE = [smooth[2*y][2*x] - smooth[2*y + 1][2*x - 1] for y, x];
    dst = [smooth[y][x] - coarse[(y + 1) / 2][x / 2] for y, x];
    more = [coarse[y / 2][x / 2 - 1] + src[y][x] for y, x];
}

pipeline quarters(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image quarter: i32[((H + 1)/2 + 1)/2][((W + 1)/2 + 1)/2] border RULE = [src[4*y][4*x] - 7*y + x for y, x];
    image half: i32[(H + 1)/2][(W + 1)/2] border RULE = [quarter[y / 2][x / 2] - 2*quarter[(y + 1) / 2][x / 2 - 1] for y, x];
    dst = [half[y / 2][x / 2] + 3*half[(y + 3) / 2][(x + 1) / 2] - src[y][x] for y, x];
}

pipeline thirds(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image coarse: i32[(H + 2)/3][(W + 2)/3] border RULE = [src[3*y + 1][3*x + 1] - src[3*y][3*x - 2] for y, x];
    dst = [coarse[(y + 2) / 3 - 1][x / 3 + 1] - 2*coarse[(y + 1) / 3][(x + 2) / 3] + src[y][x] for y, x];
}

pipeline three_halves(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image mid: i32[(3*H + 1)/2][(3*W + 1)/2] border RULE = [src[y / 2][x / 2] + src[y][x] - x + 3*y for y, x];
    image next: i32[(3*H + 1)/2][(3*W + 1)/2] border RULE = [mid[y][x] - mid[y + 1][x - 1] for y, x];
    dst = [next[3*y / 2][3*x / 2] - 2*next[(3*y + 1) / 2][(3*x + 4) / 2 - 3] for y, x];
}

pipeline stepped(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image fine: i32[H][W] border RULE = [3*src[y][x] - src[y][x - 1] for y, x];
    image third: i32[(H + 2)/3][(W + 2)/3] border RULE = [fine[3*y][3*x] + fine[3*y + 1][3*x + 2] for y, x];
    image steps: i32[(H + 1)/2][(W + 1)/2] border RULE = [src[y][x] - 2*third[2*y / 3][2*x / 3] for y, x];
    dst = [steps[y / 2][x / 2] - steps[(y + 1) / 2][x / 2 + 1] + fine[y][x] for y, x];
}

pipeline rows_alone(in src: u8[H][W] border IN, out dst: i32[H][W]) {
    image coarse: u8[(H + 1)/2][W] border RULE = [u8(src[2*y][x] / 2 + src[2*y + 1][x - 1] / 2) for y, x];
    dst = [sum(i32(coarse[y / 2 - 1 : 3][x - 1 : 3])) - src[y][x] for y, x];
}

pipeline columns_alone(in src: u8[H][W] border IN, out dst: i32[H][W]) {
    image coarse: u8[H][(W + 1)/2] border RULE = [u8(src[y][2*x] / 2 + src[y - 1][2*x + 1] / 2) for y, x];
    dst = [coarse[y - 1][x / 2] - 3*coarse[y][x / 2 + 1] + src[y][x] for y, x];
}

pipeline doubled(in src: i32[H][W] border IN, out dst: i32[2*H][2*W]) {
    image coarse: i32[H][W] border RULE = [src[y][x] - 2*src[y - 1][x + 1] for y, x];
    dst = [coarse[y / 2][x / 2] + coarse[(y + 1) / 2][(x + 1) / 2]*(x % 2) - coarse[y / 2 - 3][x / 2] for y, x];
}

pipeline enlarged_pixels(in src: u8x3[H][W] border IN, out dst: i32[H][W]) {
    image coarse: u8x3[(H + 1)/2][(W + 1)/2] border RULE = [u8x3(src[2*y][2*x] / 2 + src[2*y + 1][2*x] / 2) for y, x];
    iterate (y, x) over dst {
        let c = coarse[(y + 1) / 2][x / 2];
        dst[y][x] = c.x + 2*c.y - c.z + src[y][x].y;
    }
}

pipeline enlarged_channels(in src: u8[H][W][3], out dst: i32[H][W]) {
    image coarse: i32[(H + 1)/2][(W + 1)/2][3];
    iterate (y in 0 : (H + 1)/2, x in 0 : (W + 1)/2) border CUBE {
        coarse[y][x][0] = src[2*y][2*x + 1][2] - 2*src[2*y - 1][2*x][0];
        coarse[y][x][2] = src[2*y][2*x][1];
        coarse[y][x][1] = src[2*y + 1][2*x - 2][1];
    }
    iterate (y, x) over dst border CUBE
        dst[y][x] = coarse[y / 2][x / 2][0] + coarse[y / 2 - 1][(x + 1) / 2][1] + 2*coarse[y / 2][x / 2 - 1][2];
}

pipeline enlarged_planes(in src: i16[3][H][W], out dst: i16[3][H][W]) {
    image coarse: i16[3][(H + 1)/2][(W + 1)/2];
    iterate (c, y, x) over coarse border CUBE
        coarse[c][y][x] = i16(src[c][2*y][2*x - 1] - src[c][2*y][2*x + 1] + c);
    iterate (c, y, x) over dst border CUBE
        dst[c][y][x] = i16(coarse[c][y / 2 - 1][x / 2] + coarse[c][(y + 1) / 2][x / 2 + 1] - src[c][y][x]);
}

pipeline enlarged_line(in src: i32[W], out dst: i32[W]) {
    image coarse: i32[(W + 1)/2];
    iterate (i) over coarse border LINE
        coarse[i] = src[2*i - 2] + 3*src[2*i + 1];
    iterate (i) over dst border LINE
        dst[i] = coarse[i / 2 - 1] - coarse[(i + 3) / 2] + src[i];
}

pipeline level(in src: u8[H][W] border IN, out half: u8[(H + 1)/2][(W + 1)/2], out detail: i32[H][W]) {
    iterate (y, x) over half
        half[y][x] = u8(src[2*y][2*x] / 2 + src[2*y - 1][2*x + 1] / 2);
    iterate (y, x) over detail border RULE
        detail[y][x] = src[y][x] - half[y / 2][x / 2] + half[(y + 1) / 2][(x + 1) / 2 - 3];
}

pipeline levels_kept(in src: i16[3][H][W], out third: i16[3][(H + 2)/3][(W + 1)/2], out next: i32[3][(H + 2)/3][(W + 1)/2], out dst: i32[3][H][W]) {
    iterate (c, y, x) over third border CUBE {
        third[c][y][x] = i16(src[c][3*y][2*x] - src[c][3*y][2*x + 1]);
        next[c][y][x] = c + y - x;
    }
    iterate (c, y, x) over dst border CUBE
        dst[c][y][x] = third[c][y / 3 - 1][x / 2] + 3*third[c][(y + 1) / 3 + 1][x / 2 - 1] - src[c][y][x];
}

pipeline more_than_below(in src: i32[H][W] border IN, out more: i32[(H + 4)/2][(W + 6)/2], out dst: i32[H][W]) {
    iterate (y, x) over more
        more[y][x] = src[2*y][2*x] - src[2*y - 1][2*x + 1];
    iterate (y, x) over dst border RULE
        dst[y][x] = more[y / 2][x / 2] - more[(y + 1) / 2][x / 2 - 1];
}

pipeline line_kept(in src: i32[W], out coarse: i32[(W + 1)/2], out dst: i32[W]) {
    iterate (i) over coarse border LINE
        coarse[i] = src[2*i - 2] + 3*src[2*i + 1];
    iterate (i) over dst border LINE
        dst[i] = coarse[i / 2 - 1] - coarse[(i + 3) / 2];
}

pipeline enlarged_wider(in src: i32[H][W] border IN, out dst: i32[H + 4][W + 6]) {
    image coarse: i32[(H + 1)/2][(W + 1)/2] border RULE = [src[2*y][2*x] + 5*src[2*y][2*x + 1] for y, x];
    dst = [coarse[y / 2 - 1][x / 2 - 1] - coarse[y / 2][(x + 1) / 2] for y, x];
}

pipeline enlarged_unrelated(in src: i32[H][W] border IN, out dst: i32[W][H]) {
    image coarse: i32[H][W] border RULE = [src[y][x - 1] + 300*y for y, x];
    dst = [2*coarse[y / 2][x / 2] - coarse[y / 2 - 1][(x + 1) / 2] for y, x];
}

pipeline enlarged_floats(in src: f32[H][W] border IN, out dst: f32[H][W], out sharp: f32[H][W]) {
    image smooth: f32[H][W] border RULE = [sum(src[y][x-2 : 5]) for y, x];
    image coarse: f32[(H + 1)/2][(W + 1)/2] border RULE = [0.25*smooth[2*y][2*x] + smooth[2*y + 2][2*x] for y, x];
    image up: f32[H][W] border RULE = [coarse[y / 2][x / 2] + coarse[(y + 1) / 2][(x + 1) / 2] for y, x];
    dst = [up[y - 1][x] + up[y + 1][x + 2] for y, x];
    sharp = [2*src[y][x] - up[y][x] for y, x];
}

`

// TestEnlargedStages has stages fused that are read at divided coordinates, under many rules and decisions.
func TestEnlargedStages(t *testing.T) {
	for round := range 2 * rounds() {
		decide := decide(5 * round) // all are fused that can be
		opts := imgc.Options{Mode: imgc.Strict, Decide: decide}
		p := harness.CompileWith(t, "fusion.img", withRules(round, enlarged), opts)
		agree(t, p, harness.BuildPlain(t, p), append(sizes, [2]int{33, 70}))
	}
}

// TestEnlargedInLocalMemory computes them by tiles that groups have together, all but those of which nothing is fused.
func TestEnlargedInLocalMemory(t *testing.T) {
	made := map[string]bool{}
	for round := range shapes {
		enlargedInTiles(t, round, append(sizes, [2]int{33, 70}), made)
	}
	if all := strings.Count(enlarged, "pipeline "); len(made) < all-1 { // one stores more than blocks have below them
		t.Errorf("%d of %d pipelines are computed in local memory: %v", len(made), all, made)
	}
}

// TestEnlargedUnderOclgrind has the simulator watch some of them at small sizes.
func TestEnlargedUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedEnlarged there")
	}
	harness.SimulateTest(t, "TestSimulatedEnlarged")
}

// TestSimulatedEnlarged runs in the process that TestEnlargedUnderOclgrind starts.
func TestSimulatedEnlarged(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestEnlargedUnderOclgrind runs it in a process of its own")
	}
	enlargedInTiles(t, 1, small, map[string]bool{})
}

// shapes are tiles and items in x and y, of which the rounds of a test have one each.
var shapes = [][4]int{{24, 12, 1, 1}, {12, 12, 4, 2}, {36, 12, 3, 4}, {48, 24, 6, 3}, {12, 24, 4, 2}}

// enlargedInTiles has groups compute the pipelines in local memory, all that is fused, and adds those that have such.
func enlargedInTiles(t *testing.T, round int, sizes [][2]int, made map[string]bool) {
	decide := func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := inTile(s, shapes[round], round%2 == 1)
		if len(s.Fused) > 0 && block.Together(s, 64).Divided() != nil && d.Local != 0 {
			made[pipeline] = true
		}
		d.Place = schedule.Fuse
		return d
	}
	p := harness.CompileWith(t, "fusion.img", withRules(round, enlarged), imgc.Options{Mode: imgc.Strict, Decide: decide})
	agree(t, p, harness.BuildPlain(t, p), sizes)
}

// inTile has a group compute a tile of a shape, with what is fused with it, some of it directly from memory where it can be; nothing where the stage refuses that.
func inTile(s *hast.Stage, shape [4]int, direct bool) schedule.Decisions {
	d := schedule.Decisions{Tile: [2]int{shape[0], shape[1]}, Item: [2]int{shape[2], shape[3]}, Local: schedule.Shared}
	if len(s.Space.Vars) == 1 {
		d.Tile[1], d.Item[1] = 0, 0
	}
	if next := d; direct {
		if next.Local = schedule.Direct; lower.Refuse(s, next, imgc.Strict) == "" {
			return next
		}
	}
	if lower.Refuse(s, d, imgc.Strict) != "" {
		return schedule.Decisions{}
	}
	return d
}

// TestBlocksBeginWhereCoarsePixelsDo: tiles and items that would begin between them are refused.
func TestBlocksBeginWhereCoarsePixelsDo(t *testing.T) {
	const program = `pipeline run(in src: i32[H][W] border clamp, out dst: i32[H][W]) {
    image coarse: i32[(H + 1)/2][(W + 2)/3] = [src[2*y][3*x] - src[2*y][3*x + 1] for y, x];
    dst = [src[y][x] - coarse[y / 2][x / 3] for y, x];
}
schedule run { coarse: fuse; dst: DECISIONS; }`
	for decisions, refused := range map[string]string{
		"tile(36, 8) item(1, 1) local": "",
		"tile(32, 8) item(1, 1) local": "its tile has to be a multiple of 3 x 2, not 32 x 8",
		"tile(36, 9) item(1, 1) local": "its tile has to be a multiple of 3 x 2, not 36 x 9",
		"tile(36, 8) item(3, 2)":       "",
		"tile(36, 8) item(3, 1)":       "its item has to be a multiple of 3 x 2, not 3 x 1",
		"tile(36, 8) item(3, 2) sweep": "coarse is read at divided coordinates",
		"unroll(32)":                   "",
	} {
		result, err := imgc.Check(context.Background(), "run.img", strings.ReplaceAll(program, "DECISIONS", decisions), imgc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, d := range result.Diagnostics.Sorted() {
			said += d.Message
		}
		if !strings.Contains(said, refused) || refused == "" && said != "" {
			t.Errorf("%s: %q", decisions, said)
		}
	}
}
