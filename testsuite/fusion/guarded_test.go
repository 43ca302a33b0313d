package fusion

import (
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// guarded are pipelines with tiles that lie behind the ends of an image between, of which nobody reads a pixel.
const guarded = `pipeline behind(in src: i32[H + 4][W + 6], out dst: i32[H + 4][W + 6]) {
    image mid: i32[H][W] = [src[y][x] - src[y + 1][x + 2] for y, x];
    iterate (y, x) over dst where (y < H && x < W - 1)
        dst[y][x] = mid[y][x] + mid[y][x + 1];
}

pipeline behind_coarse(in src: i32[H + 4][W + 6], out dst: i32[H + 4][W + 6]) {
    image mid: i32[H / 2 + 1][W / 2 + 1] = [src[2*y][2*x] - src[2*y + 1][2*x + 2] for y, x];
    iterate (y, x) over dst where (y < H && x < W - 1)
        dst[y][x] = mid[y / 2][x / 2] + mid[(y + 1) / 2][(x + 1) / 2];
}

`

// TestTilesBehindImagesUnderOclgrind has the simulator look at what groups read in local memory for such tiles.
func TestTilesBehindImagesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedTilesBehindImages there")
	}
	harness.SimulateTest(t, "TestSimulatedTilesBehindImages")
}

// TestSimulatedTilesBehindImages runs in the process that TestTilesBehindImagesUnderOclgrind starts.
func TestSimulatedTilesBehindImages(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestTilesBehindImagesUnderOclgrind runs it in a process of its own")
	}
	decide := func(_ string, s *hast.Stage) schedule.Decisions {
		d := inTile(s, [4]int{12, 12, 1, 1}, false)
		d.Place = schedule.Fuse
		return d
	}
	p := harness.CompileWith(t, "fusion.img", guarded, imgc.Options{Mode: imgc.Strict, Decide: decide})
	agree(t, p, harness.BuildPlain(t, p), [][2]int{{9, 9}, {21, 10}, {7, 32}})
}
