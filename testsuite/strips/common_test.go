package strips

import (
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// pairs have weights that both pixels of a pair compute: by differences that are squared or without sign, of integers and floats, converted
// and as they are, of two images; and what every pixel of a window computes of itself, beside reads of other kinds.
const pairs = `pipeline pairs(in src: u8[H][W], in real: f32[H][W], out dst: u8[H][W], out whole: i32[H][W], out both: f32[H][W], out own: i32[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let here = f32(src[y][x]);
        var total = f32x2(0, 0);
        for (d in bell) {
            let there = f32(src[y + d.y][x + d.x]);
            let far = (there - here) * (1 / 30.0);
            total += bell[d] * exp(-0.5 * far * far) * f32x2(there, 1);
        }
        dst[y][x] = sat<u8>(total.x / total.y);
    }
    iterate (y, x) over whole border RULE2 {
        var total = y * 7;
        for (d in high) {
            let a = i32(src[y][x + 1]);
            let b = i32(src[y + d.y][x + d.x + 1]);
            total += (abs(a - b) * (b - a) * (a - b) ^ 5 + a * b) * (x + d.x - b);
        }
        whole[y][x] = total;
    }
    iterate (y, x) over both border RULE2 {
        var total = 0.0;
        for (d in bell) {
            let far = real[y + d.y][x + d.x] - real[y][x];
            let near = f32(src[y][x]) - f32(src[y + d.y][x + d.x]);
            total += bell[d] / (1 + far * far + abs(near)) * real[y + d.y][x + d.x];
        }
        both[y][x] = total;
    }
    iterate (y, x) over own border RULE2 {
        var total = 0;
        for (d in wide) {
            let b = i32(src[y + d.y][x + d.x + 2]);
            total += (b * b * b - 7 * b + 3) >> (d.x + 3);
        }
        own[y][x] = total;
    }
}

`

const pairsValues = "mask bell: f32[5][5] = [y*y + x*x > 5 ? 0 : exp(-(y*y + x*x) / 8.0) for y in -2:3, x in -2:3];\n" +
	"mask high: i32[5][3] = [1 for y in 0:5, x in 0:3];\nmask wide: i32[3][5] = [1 for y in 0:3, x in 0:5];\n\n"

// inCommon are these pipelines under some rules, and schedules that compute once what instances have in common.
func inCommon(t *testing.T, rules ...string) (text string, decide decider) {
	text = pairsValues + underEach(pairs, "pairs", rules)
	n := 0
	return text, func(_ string, s *hast.Stage) schedule.Decisions {
		n++
		d := schedule.Decisions{Rows: []int{1, 2, 5, 16}[n%4], Lanes: []int{16, 8, 16, 8, 8}[n%5], Line: 32 << (n % 2)}
		if why := lower.Refuse(s, d, kir.Strict); why != "" {
			t.Errorf("%s: %s", s.Name, why)
		}
		return d
	}
}

// TestWhatInstancesHaveInCommon runs under every rule, over blocks of columns and less than one step.
func TestWhatInstancesHaveInCommon(t *testing.T) {
	text, decide := inCommon(t, "clamp", "reflect", "reflect101", "repeat", "constant(7)")
	runCopies(t, text, decide, steps)
}

// TestCommonUnderOclgrind has the simulator watch them.
func TestCommonUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedCommon there")
	}
	harness.SimulateTest(t, "TestSimulatedCommon")
}

// TestSimulatedCommon runs in the process that TestCommonUnderOclgrind starts.
func TestSimulatedCommon(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestCommonUnderOclgrind runs it in a process of its own")
	}
	text, decide := inCommon(t, "reflect101", "constant(7)")
	runAll(t, cpu, text, decide, [][2]int{{1, 2}, {3, 41}})
}
