package strips

import (
	"fmt"
	"strings"
	"testing"

	"imgc/testsuite/harness"
)

// TestSumsByMatrixUnits runs sums over masks of bytes in the form that matrix units compute, which the OpenCL of the tests computes without
// them: at sizes below and above those of tiles, so that some lie inside of the images.
func TestSumsByMatrixUnits(t *testing.T) {
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			runUnder(t, gpu, underRules(seed), byMatrix(seed), [][2]int{{1, 1}, {5, 37}, {34, 112}})
		})
	}
}

// TestMatrixUnderOclgrind has the simulator watch the accesses.
func TestMatrixUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedMatrix there")
	}
	harness.SimulateTest(t, "TestSimulatedMatrix")
}

// TestSimulatedMatrix runs in the process that TestMatrixUnderOclgrind starts.
func TestSimulatedMatrix(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestMatrixUnderOclgrind runs it in a process of its own")
	}
	runUnder(t, gpu, underRules(2), byMatrix(2), [][2]int{{3, 5}})
}

// underRules is the text of the pipelines, each under a rule of its own.
func underRules(first int) string {
	parts := strings.SplitAfter(byteMasks, "}\n\n")
	for i, p := range parts {
		parts[i] = under(rules[(first+i)%len(rules)], p)
	}
	return borders + strings.Join(parts, "")
}

// byMatrix are schedules of the pipelines.
func byMatrix(seed int) string {
	tiles := []string{"tile(32, 32) item(8, 4)", "tile(32, 16) item(4, 2)", "tile(32, 64) item(4, 8)", "tile(32, 32) item(4, 2)"}
	var b strings.Builder
	for i, pipeline := range []string{"mean", "signed", "broad", "both", "part"} {
		fmt.Fprintf(&b, "schedule %s { dst: %s matrix unroll(512); }\n", pipeline, tiles[(seed+i)%len(tiles)])
	}
	return b.String()
}

// byteMasks are sums with weights of both signs and above 127, over masks that reach further to one side and wider than one product takes, and
// bodies that read and write other pixels besides.
const byteMasks = `mask hill: i32[9][9] = [1 + min(4 - abs(y), 4 - abs(x)) for y in -4:5, x in -4:5];
mask slope: i32[5][7] = [y*37 - x*9 for y in -2:3, x in -3:4];
mask bright: i32[3][21] = [(y*50 + x*11) % 256 for y in 0:3, x in 0:21];

pipeline mean(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = u8((convolve(hill, src[y][x]) + 82) / 165);
}

pipeline signed(in src: u8[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = convolve(slope, src[y][x]) - 3*src[y][x];
}

pipeline broad(in src: u8[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = f32(sum(bright[j][i]*i32(src[y+j-1][x+i-3]) for j in 0:3, i in 0:21)) / 4;
}

pipeline both(in src: u8[H][W], in other: u8[H][W], out dst: u8[H][W], out rest: i16x2[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let a = convolve(slope, src[y][x]);
        let b = convolve(hill, other[y][x]) / 165;
        dst[y][x] = sat<u8>(abs(a) / 8 + b);
        rest[y][x] = i16x2(i16(b - other[y-1][x]), i16(y + x));
    }
}

pipeline part(in src: u8[H][W], inout dst: u16[H][W]) {
    iterate (y in 1:H, x in 3:W) border RULE2
        dst[y][x] = u16(convolve(hill, src[y][x]));
}

`
