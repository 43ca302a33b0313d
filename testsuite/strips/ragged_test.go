package strips

import (
	"strings"
	"testing"

	"imgc/testsuite/harness"
)

// ragged are pipelines whose blocks end with no line: of all kinds of components that go by words, of floats, of stages in a row, of windows at some
// columns only, and of what must be computed once. RULE stands for a border rule.
const ragged = `mask far: i32[1][7] = [[1, -2, 3, 5, -7, 11, 13]];
mask five: i32[5][5] = [[1, 2, 3, 2, 1], [2, 3, 4, 3, 2], [3, 4, 5, 4, 3], [2, 3, 4, 3, 2], [1, 2, 3, 2, 1]];
mask large: f32[5][9] = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1], [1, 0, 1, 0, 1, 0, 1, 0, 1], [2, 2, 2, 2, 2, 2, 2, 2, 2], [5, 4, 3, 2, 1, 2, 3, 4, 5]];

pipeline words(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = u8(convolve(five, src[y][x]) / 65);
}

pipeline bytes(in src: u8[H][W], out dst: i8[H][W]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = i8(convolve(far, src[y][x]) >> 4);
}

pipeline shorts(in src: u16[H][W], in add: i16[H][W], out dst: u16[H][W], out low: i16[H][W]) {
    iterate (y, x) over dst border RULE {
        dst[y][x] = u16(convolve(far, src[y][x]) >> 3 & 0xffff);
        low[y][x] = i16(add[y - 1][x + 1] / 2 - add[y][x - 1] / 2);
    }
}

pipeline colours(in src: u8x3[H][W], out dst: u8x3[H][W]) {
    iterate (y, x) over dst border COLOUR
        dst[y][x] = max(src[y][x - 1], max(src[y - 1][x], src[y + 1][x + 2]));
}

pipeline floats(in src: f32[H][W], in add: f16[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = src[y][x - 2] - src[y + 1][x + 2] + f32(add[y][x + 1]);
}

pipeline rows(in src: u8[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = convolve(large, src[y][x]);
}

pipeline chain(in src: u8[H][W], out mid: u8[H][W], out dst: i16[H][W]) {
    iterate (y, x) over mid border CHAIN
        mid[y][x] = u8(src[y][x - 1] / 3 + src[y][x + 1] / 3 + src[y + 1][x] / 3);
    iterate (y, x) over dst border CHAIN
        dst[y][x] = i16(mid[y][x + 2] - mid[y - 1][x - 1]);
}

pipeline known(in src: u8[19][37], out dst: u8[19][37]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = u8(convolve(five, src[y][x]) / 65);
}

pipeline tiny(in src: u8[3][19], out dst: u8[3][19]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = u8(convolve(five, src[y][x]) / 65);
}

pipeline points(in src: u8[H][W], in by: u16[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = sat<u8>(src[y][x] * 3 - i32(by[y][x] >> 8));
}

pipeline halved(in src: u8[H][W], out dst: u8[(H + 1)/2][(W + 1)/2]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = u8(convolve(five, src[2*y][2*x]) / 65);
}

pipeline pairs(in src: f32[H][W], out dst: f32[H/2][W/2]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = src[2*y][2*x - 1] - src[2*y + 1][2*x + 1];
}

pipeline thirds(in src: u16[H][W], in own: u16[H][W], out dst: u16[(H + 2)/3][(W + 2)/3]) {
    iterate (y, x) over dst border RULE
        dst[y][x] = u16((src[3*y - 1][3*x] / 2 + src[3*y + 1][3*x + 3] / 2) ^ own[y][x + 1]);
}

pipeline inplace(inout dst: u8[H][W], in src: u8[H][W]) {
    iterate (y, x) over dst border(src: RULE)
        dst[y][x] = u8(dst[y][x] * 3 + src[y - 1][x + 2]);
}

pipeline counted(in src: u16[H][W], out dst: u16[H][W], inout counts: i32[256]) {
    iterate (y, x) over dst border RULE {
        dst[y][x] = u16((src[y][x - 1] ^ src[y][x + 1]) & 0xffff);
        counts[src[y][x] % 256] += 1;
    }
}

pipeline wider(in src: f32[H + 2][W + 5], out dst: f32[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y + 1][x + 3] - src[y][x + 5];
}

`

// raggedSchedules are what is decided for them, twice.
var raggedSchedules = []string{`
schedule words { dst: tile(32, 4) item(16, 2) vector(16) dot4; }
schedule bytes { dst: tile(16, 2) item(8, 1) vector(8); }
schedule shorts { dst: tile(16, 2) item(8, 2) vector(16); }
schedule colours { dst: tile(16, 2) item(8, 1) vector(8); }
schedule floats { dst: tile(16, 2) item(4, 2) vector(16) interior; }
schedule rows { dst: tile(16, 64) item(8, 64) vector(8) stream(2) rolled(1); }
schedule chain { mid: fuse; dst: tile(16, 4) item(8, 2) vector(8); }
schedule points { dst: tile(32, 2) item(16, 1) vector(16); }
schedule known { dst: tile(32, 4) item(8, 2) vector(8); }
schedule tiny { dst: tile(32, 4) item(16, 2) vector(16); }
schedule halved { dst: tile(16, 4) item(4, 2) vector(8); }
schedule pairs { dst: tile(16, 4) item(2, 2) vector(16); }
schedule thirds { dst: tile(16, 4) item(8, 1) vector(16); }
schedule inplace { dst: tile(16, 4) item(8, 2) vector(8); }
schedule counted { dst: tile(16, 4) item(4, 2) vector(8); }
schedule wider { dst: tile(16, 4) item(4, 2) vector(16); }
`, `
schedule words { dst: tile(16, 2) item(8, 2) vector(8) packed16; }
schedule bytes { dst: tile(16, 2) item(16, 2) vector(16); }
schedule shorts { dst: tile(16, 2) item(4, 1) vector(8); }
schedule colours { dst: tile(16, 2) item(4, 2) vector(4); }
schedule floats { dst: tile(16, 2) item(8, 1) vector(8); }
schedule rows { dst: tile(16, 8) item(8, 8) vector(8) stream(1); }
schedule chain { mid: fuse; dst: tile(16, 4) item(4, 2) vector(4) interior; }
schedule points { dst: tile(32, 2) item(8, 2) vector(8) flat; }
schedule known { dst: tile(32, 4) item(16, 2) vector(16) dot4; }
schedule tiny { dst: tile(32, 4) item(8, 2) vector(8); }
schedule halved { dst: tile(16, 4) item(8, 4) vector(16); }
schedule pairs { dst: tile(16, 4) item(4, 1) vector(8); }
schedule thirds { dst: tile(16, 4) item(4, 4) vector(8); }
schedule inplace { dst: tile(32, 4) item(16, 1) vector(16); }
schedule counted { dst: tile(16, 4) item(8, 1) vector(16); }
schedule wider { dst: tile(16, 4) item(2, 4) vector(8); }
`}

// raggedUnder is the text of the pipelines under a rule.
func raggedUnder(rule string) string {
	colour, chain := rule, rule
	switch rule {
	case "constant(7)":
		colour = "constant(u8x3(7, 8, 9))"
	case "repeat": // no block holds what it takes of an image between
		chain = "clamp"
	}
	return strings.NewReplacer("RULE", rule, "COLOUR", colour, "CHAIN", chain).Replace(ragged)
}

// raggedWidths are lines with room for one block and some places more: each of the places where a line can end in a block, and those that have
// no room for blocks to be moved.
func raggedWidths(from, to int) (sizes [][2]int) {
	for w := from; w <= to; w++ {
		sizes = append(sizes, [2]int{3 + w%5, w})
	}
	return sizes
}

// TestRaggedLines runs blocks at all places where lines may end.
func TestRaggedLines(t *testing.T) {
	for i, rule := range []string{"clamp", "reflect101", "constant(7)", "repeat"} {
		t.Run(rule, func(t *testing.T) {
			runUnder(t, gpu, raggedUnder(rule), raggedSchedules[i%2], append(raggedWidths(19, 44), [2]int{83, 27}, [2]int{19, 83}))
		})
	}
}

// TestRaggedLinesUnderOclgrind has the simulator watch the accesses.
func TestRaggedLinesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedRaggedLines there")
	}
	harness.SimulateTest(t, "TestSimulatedRaggedLines")
}

// TestSimulatedRaggedLines runs in the process that TestRaggedLinesUnderOclgrind starts.
func TestSimulatedRaggedLines(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestRaggedLinesUnderOclgrind runs it in a process of its own")
	}
	runUnder(t, gpu, raggedUnder("reflect101"), raggedSchedules[0], [][2]int{{2, 27}, {3, 37}})
}

// TestBlocksBeforeTheFirstRow has rows of instances above the image that they read, which is why their blocks are not inside of it.
func TestBlocksBeforeTheFirstRow(t *testing.T) {
	runUnder(t, gpu, `pipeline above(in src: i32[H][W], out dst: i32[H][W]) {
    image d: i32[-2 : H + 2][-1 : W + 1];
    iterate (y, x) over d border(src: reflect)
        d[y][x] = 2*src[y][x];
    iterate (y, x) over dst
        dst[y][x] = d[y - 2][x - 1] + d[y + 1][x];
}
`, "schedule above { d: tile(8) item(4) vector(1) interior; }\n", [][2]int{{5, 21}})
}
