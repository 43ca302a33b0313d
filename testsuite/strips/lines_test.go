package strips

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// columns has sums over masks that are products: with other terms, at every second pixel, of the least and the greatest, and plain
// ones.
const columns = `pipeline columns(in src: u8[H][W], out dst: i32[H][W], out half: u8[(H + 1) / 2][(W + 1) / 2], out most: u8[H][W],
        out total: i32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = sum(smooth[j][i] * (3*src[y + j][x + i + 1] - y) for j in -1:2, i in -2:3) - x * src[y][x - 1];
    iterate (y, x) over half border RULE2
        half[y][x] = u8(convolve(smooth, src[2*y][2*x - 1]) & 255);
    iterate (y, x) over most border RULE2
        most[y][x] = u8(max(src[y - 2 : 3][x : 4]) - min(src[y : 3][x - 1 : 3]));
    iterate (y, x) over total border RULE2
        total[y][x] = sum(src[y - 1 : 4][x - 2 : 5]) - sum(src[y + j][x + i] * src[y + j][x + i] for j in 0:3, i in -1:3);
}

`

// underEach are copies of a pipeline under rules, their names with numbers.
func underEach(text, name string, rules []string) (all string) {
	for i, rule := range rules {
		all += strings.Replace(under(rule, text), name, fmt.Sprint(name, i), 1)
	}
	return all
}

// lined are these pipelines under some rules, and schedules that take all sums from lines.
func lined(rules ...string) (text string, decide decider) {
	text = borders + underEach(columns, "columns", rules)
	n := 0
	return text, func(string, *hast.Stage) schedule.Decisions {
		n++
		return schedule.Decisions{Rows: []int{1, 2, 3, 8}[n%4], Lanes: []int{16, 8, 32, 8, 16}[n%5], Line: 32 << (n % 2)}
	}
}

// TestLinesOfSums runs under every rule that lines know, over blocks of lines and less than one step.
func TestLinesOfSums(t *testing.T) {
	text, decide := lined("clamp", "reflect", "reflect101", "repeat", "constant(7)")
	runCopies(t, text, decide, steps)
}

// TestLinesUnderOclgrind has the simulator watch them.
func TestLinesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedLines there")
	}
	harness.SimulateTest(t, "TestSimulatedLines")
}

// TestSimulatedLines runs in the process that TestLinesUnderOclgrind starts.
func TestSimulatedLines(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestLinesUnderOclgrind runs it in a process of its own")
	}
	text, decide := lined("reflect101", "constant(7)")
	runAll(t, cpu, text, decide, [][2]int{{1, 2}, {3, 41}})
}
