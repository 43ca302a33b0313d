package strips

import (
	"fmt"
	"strings"
	"testing"

	"imgc/testsuite/harness"
)

// TestBytesInWords runs programs on bytes under the schedules that compute several of them at once.
func TestBytesInWords(t *testing.T) {
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			runUnder(t, gpu, bytes(seed), inWords(t, seed), [][2]int{{1, 1}, {5, 2}, {13, 61}, {9, 64}})
		})
	}
}

// TestSimulatedBytes runs in the process that TestBytesUnderOclgrind starts.
func TestSimulatedBytes(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestBytesUnderOclgrind runs it in a process of its own")
	}
	runUnder(t, gpu, bytes(1), inWords(t, 1), [][2]int{{3, 5}, {5, 16}})
}

// TestBytesUnderOclgrind has the simulator watch the accesses.
func TestBytesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedBytes there")
	}
	harness.SimulateTest(t, "TestSimulatedBytes")
}

// bytes is the text of the pipelines, each under a rule of its own.
func bytes(first int) string {
	parts := strings.SplitAfter(packed, "}\n\n")
	for i, p := range parts {
		parts[i] = under(rules[(first+i)%len(rules)], p)
	}
	return borders + strings.Join(parts, "")
}

// inWords are schedules of the pipelines.
func inWords(t *testing.T, seed int) string {
	t.Helper()
	choices := []string{
		"tile(16, 2) item(4, 2) vector(4) packed16", "tile(16, 1) item(8, 1) vector(8) dot4", "tile(8, 2) item(4, 1) vector(16) dot4 packed16",
		"tile(16, 1) item(16, 1) vector(16) packed16",
	}
	var b strings.Builder
	for i, stage := range []string{"soften.dst", "edges.dst", "extremes.least", "odd.dst", "halved.dst"} {
		pipeline, name, _ := strings.Cut(stage, ".")
		choice := choices[(seed+i)%len(choices)]
		if pipeline == "extremes" {
			choice = strings.Replace(choice, "dot4", "packed16", 1)
			choice = strings.Replace(choice, "packed16 packed16", "packed16", 1)
		}
		fmt.Fprintf(&b, "schedule %s { %s: %s; }\n", pipeline, name, choice)
	}
	return b.String()
}

// packed are pipelines whose values are bytes, and what 16 bits hold of sums of them.
const packed = `mask blur5: i32[5][5] = [
    [1, 2, 3, 2, 1],
    [2, 3, 4, 3, 2],
    [3, 4, 5, 4, 3],
    [2, 3, 4, 3, 2],
    [1, 2, 3, 2, 1]
];
mask rightward: i32[3][3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
mask downward: i32[3][3] = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]];

pipeline soften(in src: u8[H][W], out dst: u8[H][W], out half: u8[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let sum = convolve(blur5, src[y][x]);
        dst[y][x] = u8(sum / 65);
        half[y][x] = u8((sum + 32) >> 7);
    }
}

pipeline edges(in src: u8[H][W], out dst: u8[H][W], out both: i16[H][W], out far: f32[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let gx = convolve(rightward, src[y][x]);
        let gy = convolve(downward, src[y][x]);
        dst[y][x] = sat<u8>(abs(gx) + abs(gy));
        both[y][x] = i16(max(gx, gy) - min(gx, -40));
        far[y][x] = 0.25*f32(gx*gy) + f32(clamp(gx - gy, -100, 900));
    }
}

pipeline extremes(in src: u8[H][W], out least: u8[H][W], out range: u8[H][W], out central: u8[H][W], out some: u8[H][W]) {
    iterate (y, x) over least border RULE2 {
        let lo = min(src[y-1 : 3][x-1 : 3]);
        let hi = max(src[y-1 : 3][x-2 : 5]);
        least[y][x] = lo;
        range[y][x] = u8(hi - lo);
        central[y][x] = median(src[y-1 : 3][x-1 : 3]);
        some[y][x] = hi > 128 ? lo : u8(hi ^ 0x55);
    }
}

pipeline odd(in src: u8[H][W], out dst: u8[H][W], out bits: u8[H][W], out low: i32[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let d = i32(src[y][x+1]) - i32(src[y+1][x-1]);
        let s = 3*src[y][x] + 7*src[y-1][x] + 5;
        dst[y][x] = u8(d);
        bits[y][x] = u8((s & 0x3c) | (s >> 3 ^ 9));
        low[y][x] = (d >> 2) + s / 7 - 300*d;
    }
}

pipeline halved(in src: u8[2*H][2*W], out dst: u8[H][W], out slope: i16[H][W]) {
    iterate (y, x) over dst border RULE2 {
        dst[y][x] = u8((src[2*y][2*x] + src[2*y][2*x+1] + src[2*y+1][2*x] + src[2*y+1][2*x+1] + 2) >> 2);
        slope[y][x] = i16(abs(src[2*y][2*x+2] - src[2*y][2*x-1]));
    }
}

`
