package strips

import (
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// scaled reads at divided coordinates: of a half, a third, along one axis, with rests, and beside its own pixels.
const scaled = `func weights(odd: i32): f32[3] {
    var w: f32[3] = [0.125, 0.75, 0.125];
    if (odd == 1) w = [0.0, 0.5, 0.5];
    return w;
}

pipeline halves(in src: f32[H][W], out dst: f32[2*H - 1][2*W - 1]) {
    iterate (y, x) over dst border RULE2 {
        let cy = y / 2;
        let wy = weights(y % 2);
        let wx = weights(x % 2);
        dst[y][x] = sum(wy[i] * wx[j] * src[cy - 1 + i][x/2 - 1 + j] for i in 0:3, j in 0:3) + src[(y + 1)/2][(x + 3)/2] * (y % 2);
    }
}

pipeline thirds(in src: u8[H][W], out dst: i32[3*H][3*W - 1]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = src[y/3][(x + 2)/3 - 1] + 3*src[(y + 1)/3 + 1][(x + 1)/3] - x % 3;
}

pipeline taller(in src: u8x3[H][W], out dst: u8x3[2*H - 1][W]) {
    iterate (y, x) over dst border CONST3
        dst[y][x] = max(src[y/2][x - 1], src[(y + 1)/2][x + 1]);
}

pipeline itself(in low: f32[H][W], inout a: f32[H][W], inout b: u8[3][H][W]) {
    iterate (y, x) over a border RULE2
        a[y][x] = a[y][x]*(1 + y % 2) + low[y/2][x/2 + 1];
    iterate (c, y, x) over b
        b[c][y][x] = u8(b[c][y][x] + (y + x) % 4 + y/4);
}

pipeline skewed(in src: i32[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y - y % 2][x/2] + src[y/2][max(x - x % 4, 0)];
}

`

// TestScaledReads runs them under two rules a round, in blocks of which the divisors divide both extents, one, and none.
func TestScaledReads(t *testing.T) {
	items := [][2]int{{4, 2}, {2, 2}, {8, 4}, {4, 1}, {3, 3}, {6, 6}, {4, 3}, {12, 1}}
	n := 0
	decide := func(_ string, s *hast.Stage) schedule.Decisions {
		for range items {
			n++
			item := items[n%len(items)]
			d := schedule.Decisions{Item: item, Tile: [2]int{4 * item[0], 2 * item[1]}, Vector: 16}
			if lower.Refuse(s, d, kir.Strict) == "" {
				return d
			}
		}
		return schedule.Decisions{}
	}
	for seed := range rounds() {
		for i := range 2 {
			runAll(t, gpu, borders+under(rules[(2*seed+4*i)%len(rules)], scaled), decide, sizes)
		}
	}
}

// TestScaledReadsUnderOclgrind has the simulator watch them.
func TestScaledReadsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedScaledReads there")
	}
	harness.SimulateTest(t, "TestSimulatedScaledReads")
}

// TestSimulatedScaledReads runs in the process that TestScaledReadsUnderOclgrind starts.
func TestSimulatedScaledReads(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestScaledReadsUnderOclgrind runs it in a process of its own")
	}
	decide := func(string, *hast.Stage) schedule.Decisions {
		return schedule.Decisions{Item: [2]int{4, 2}, Tile: [2]int{8, 2}, Vector: 16}
	}
	runAll(t, gpu, borders+under("clamp", scaled), decide, small)
}
