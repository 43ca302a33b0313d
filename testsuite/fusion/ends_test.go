package fusion

import (
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// An ended is a chain whose image between has other ends than the blocks that read it, and the forms of a kernel that it is computed in.
type ended struct {
	name, text string
	shapes     []string
}

const (
	byItems = "tile(16, 4) item(4, 1) vector(16)"
	square  = "tile(8, 4) item(2, 2)"
	plain   = "interior tile(8, 4) item(2, 4)"
	local   = "tile(16, 8) item(1, 2) local"
	direct  = "tile(16, 8) item(4, 2) direct"
	sweep   = "tile(16, 8) item(4, 2) sweep"
)

// ends read beyond: by far, in an image of an unknown size, and in steps of which the image lacks some pixels.
var ends = []ended{
	{"far", `(in src: u8[H][W] border clamp, out dst: i32[H][W]) {
    image mid: i32[H][W] border RULE = [src[y][x + 1] - 3*src[y - 1][x] + x for y, x];
    dst = [mid[y][x - 2] - 2*mid[y + 1][x] for y, x];
}`, []string{byItems, square, plain, local, direct, sweep}},
	{"unknown", `(in src: i32[H][W] border reflect, out dst: i32[W][H]) {
    image mid: i32[H][W] border RULE = [src[y][x - 1] + 300*y for y, x];
    dst = [2*mid[y][x] - mid[y - 1][x + 2] for y, x];
}`, []string{byItems, square, plain, local, direct, sweep}},
	{"half", `(in src: f32[H][W] border repeat, out dst: f32[(H + 1)/2][(W + 1)/2]) {
    image mid: f32[H][W] border RULE = [2*src[y][x] - src[y + 1][x] for y, x];
    dst = [mid[2*y - 1][2*x + 3] + 4*mid[2*y + 1][2*x] for y, x];
}`, []string{byItems, square, plain, local}},
	{"third", `(in src: u8[H][W] border clamp, out dst: i32[(H + 2)/3][(W + 2)/3]) {
    image mid: i32[H][W] border RULE = [src[y][x] / 2 + 300*x for y, x];
    dst = [mid[3*y - 2][3*x] + 2*mid[3*y + 2][3*x + 4] for y, x];
}`, []string{byItems, square, plain, local}},
}

// TestFramesAtOtherEnds runs each of them under each rule, in all forms.
func TestFramesAtOtherEnds(t *testing.T) { runEnds(t, append(sizes, [2]int{12, 31})) }

// TestFramesAtOtherEndsUnderOclgrind has the simulator watch what they read and write.
func TestFramesAtOtherEndsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedFramesAtOtherEnds there")
	}
	harness.SimulateTest(t, "TestSimulatedFramesAtOtherEnds")
}

// TestSimulatedFramesAtOtherEnds runs in the process that TestFramesAtOtherEndsUnderOclgrind starts.
func TestSimulatedFramesAtOtherEnds(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestFramesAtOtherEndsUnderOclgrind runs it in a process of its own")
	}
	runEnds(t, small)
}

func runEnds(t *testing.T, sizes [][2]int) {
	for _, c := range ends {
		t.Run(c.name, func(t *testing.T) {
			var text strings.Builder
			for _, rule := range []string{"clamp", "reflect", "reflect101", "constant(7)", "repeat"} {
				for i, shape := range c.shapes {
					name := fmt.Sprintf("%s_%s_%d", c.name, strings.TrimSuffix(rule, "(7)"), i)
					fmt.Fprintf(&text, "pipeline %s%s\nschedule %s { mid: fuse; dst: %s; }\n", name, strings.ReplaceAll(c.text, "RULE", rule), name, shape)
				}
			}
			p := harness.CompileWith(t, "ends.img", text.String(), imgc.Options{Mode: imgc.Strict})
			built := harness.BuildPlain(t, p)
			agree(t, p, built, sizes)
		})
	}
}
