package strips

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// masks has sums over masks that are no products, whole and with holes, some beside other reads, and the greatest over a ring.
const masks = `pipeline masks(in src: u8[H][W], in real: f32[H][W], out dst: i32[H][W], out filtered: f32[H][W], out most: u8[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = sum(whole[j + 2][i + 3] * (3*src[y + j][x + i + 1] - 7) for j in -2:3, i in -3:4) - x * src[y][x - 1];
    iterate (y, x) over filtered border RULE2
        filtered[y][x] = convolve(holes, real[y][x]) - convolve(tall, real[y - 1][x + 2]);
    iterate (y, x) over most border RULE2
        most[y][x] = max(src[y + d.y][x + d.x] for d in ring);
}

`

const maskValues = `mask whole: i32[5][7] = [mod(7*y + 3*x + y*x*x, 11) - 4 for y in 0:5, x in 0:7];
mask holes: f32[5][7] = [max(0, mod(7*y + 3*x + y*x*x, 11) - 4) / 64.0 for y in 0:5, x in 0:7];
mask tall: f32[7][2] = [(y + 1.0) / (x + y + 3) for y in 0:7, x in 0:2];
mask ring: i32[3][3] = [[1, 1, 1], [1, 0, 1], [1, 1, 1]];

`

// blocked are these pipelines under some rules, and schedules that compute all sums for blocks of columns.
func blocked(rules ...string) (text string, decide decider) {
	text = maskValues + underEach(masks, "masks", rules)
	n := 0
	return text, func(string, *hast.Stage) schedule.Decisions {
		n++
		return schedule.Decisions{Rows: 1 + 3*n%8, Lanes: []int{16, 8, 16, 8}[n%4], Block: 16 << (n % 2)}
	}
}

// TestMasksInBlocks runs under every rule, over blocks, the columns at their ends, and less than one step; with more rows to an item than
// a mask has, too.
func TestMasksInBlocks(t *testing.T) {
	text, decide := blocked("clamp", "reflect", "reflect101", "repeat", "constant(7)")
	runCopies(t, text, decide, steps)
}

// TestMasksUnderOclgrind has the simulator watch them.
func TestMasksUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedMasks there")
	}
	harness.SimulateTest(t, "TestSimulatedMasks")
}

// TestSimulatedMasks runs in the process that TestMasksUnderOclgrind starts.
func TestSimulatedMasks(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestMasksUnderOclgrind runs it in a process of its own")
	}
	text, decide := blocked("reflect101", "constant(7)")
	runAll(t, cpu, text, decide, [][2]int{{1, 2}, {3, 41}})
}
