package strips

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// reductions are over rows, images and parts of them, with sums that wrap around, and over what depends on the place.
const reductions = `
pipeline rows(in src: u8[H][W], inout sums: i32[H], inout most: u8[H]) {
    iterate (y) over sums
        sums[y] = sum(7*i32(src[y][x]) - x for x in 0:W) * 3;
    iterate (y) over most
        most[y] = max(src[y][x] for x in 0:W);
}

pipeline whole(in src: i32[H][W], out few: u32[2], out least: i32[1]) {
    iterate (i) over few
        few[i] = sum(u32(src[y][x]) * 2654435761u for y in 0:H, x in i:W);
    iterate (i) over least border clamp
        least[i] = min(src[y][x + 1] - sum(src[y + k][x] for k in 0:2) for y in 0:H - 1, x in 0:W - 1);
}

pipeline long(in src: u16[H][W], in signed: i16[H][W], out few: i64[2], out lines: u64[H]) {
    iterate (i) over few
        few[i] = sum(i64(signed[y][x]) for y in 0:H, x in i:W) - 5;
    iterate (y) over lines
        lines[y] = sum(u64(src[y][x]) for x in 0:W);
}
`

// full has items whose sums do not stay within 32 bits on the way.
const full = `
pipeline full(in src: u8[H][W], out all: i64[1]) {
    iterate (i) over all
        all[i] = sum(i64(u16(65535 - src[y][x] % 2)) for k in 0:40, y in 0:H, x in 0:W);
}
`

// TestSumsIn64BitsAreEmptiedInTime runs more steps than sums of 32 bits hold.
func TestSumsIn64BitsAreEmptiedInTime(t *testing.T) {
	runAll(t, cpu, full, decideLanes(), [][2]int{{200, 200}, {1, 41000}})
}

func decideLanes() decider {
	n := 0
	return func(string, *hast.Stage) schedule.Decisions {
		n++
		return schedule.Decisions{Tile: [2]int{1 + n%2*3}, Lanes: []int{8, 16}[n%2]}
	}
}

// TestReductionsSideBySide runs over fewer points than one step takes, some steps, and what they leave over.
func TestReductionsSideBySide(t *testing.T) {
	runAll(t, cpu, reductions, decideLanes(), [][2]int{{2, 2}, {3, 31}, {5, 32}, {2, 64}, {3, 200}})
}

// TestReductionsUnderOclgrind has the simulator watch them.
func TestReductionsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedReductions there")
	}
	harness.SimulateTest(t, "TestSimulatedReductions")
}

// TestSimulatedReductions runs in the process that TestReductionsUnderOclgrind starts.
func TestSimulatedReductions(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestReductionsUnderOclgrind runs it in a process of its own")
	}
	runAll(t, cpu, reductions, decideLanes(), [][2]int{{2, 3}, {2, 71}})
}
