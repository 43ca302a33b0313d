package strips

import (
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// several have instances that write blocks of pixels: of 4 x 4, 2 x 2, 3 x 1 and 1 x 3, beside the block of their own coordinates, in planes, of
// vectors and of channels, over again, and those that leave gaps or pixels out.
const several = `const P: f32[4][2] = [[7 / 8.0, 1 / 8.0], [5 / 8.0, 3 / 8.0], [3 / 8.0, 5 / 8.0], [1 / 8.0, 7 / 8.0]];

pipeline between(in src: u8[H][W], out dst: u8[4*H][4*W]) {
    iterate (y in 0 : H-1, x in 0 : W-1)
        dst[4*y + 2 : 4][4*x + 2 : 4] = u8(P * f32(src[y:2][x:2]) * transpose(P));
}

pipeline fours(in src: u8[H][W], out dst: u8[4*H + 3][4*W + 1]) {
    iterate (y, x) over src border RULE2
        dst[4*y : 4][4*x : 4] = u8(P * f32(src[y - 1 : 2][x : 2]) * transpose(P));
}

pipeline filled(in src: u16[H][W], out dst: u16[4*H][4*W]) {
    iterate (y, x) over src
        dst[4*y : 4][4*x : 4] = src[y][x];
}

pipeline pairs(in src: f32[H][W], out dst: f32[2*H][2*W], out own: u8[H][W]) {
    iterate (y, x) over src border RULE2 {
        let here = src[y][x];
        dst[2*y][2*x] = here;
        dst[2*y + 1][2*x + 1] = here + src[y + 1][x + 1];
        own[y][x] = u8(i32(here));
        dst[2*y + 1][2*x] = here - src[y + 1][x - 1];
        dst[2*y][2*x + 1] = 7.0;
        dst[2*y][2*x + 1] = here * src[y][x + 2];
    }
}

pipeline triples(in src: u8[H][W], out dst: i16[H][3*W], out high: f64[3*H][W]) {
    iterate (y, x) over src border RULE2 {
        dst[y][3*x : 3] = i16([src[y][x], 2*src[y][x - 1], -src[y - 1][x]]);
        high[3*y : 3][x] = f64(src[y][x]);
    }
}

pipeline colours(in src: u8x3[H][W], out dst: u8x3[2*H][2*W]) {
    iterate (y, x) over src border CONST3 {
        dst[2*y : 2][2*x] = src[y][x];
        dst[2*y : 2][2*x + 1] = max(src[y][x], src[y - 1][x + 1]);
    }
}

pipeline channels(in src: u8[H][W][3], out dst: u8[2*H][2*W][3]) {
    iterate (y in 0:H, x in 0:W)
        for (c in 0:3)
            dst[2*y : 2][2*x : 2][c] = u8(src[y][x][c] + c);
}

pipeline named(in src: u8[H][W][3], out dst: u8[H][2*W][3]) {
    iterate (y in 0:H, x in 0:W) {
        dst[y][2*x : 2][0] = src[y][x][2];
        dst[y][2*x : 2][2] = src[y][x][0];
        dst[y][2*x : 2][1] = u8(x);
    }
}

pipeline planes(in src: u16[H][W], out dst: u16[2][2*H][3*W]) {
    iterate (y, x) over src {
        dst[1][2*y : 2][3*x : 3] = u16(src[y][x] / 2);
        dst[0][2*y : 2][3*x : 3] = u16([[1, 2, 3], [4, 5, 6]] * src[y][x]);
    }
}

pipeline line(in src: i32[W], out dst: i32[2*W + 1]) {
    iterate (i) over src border RULE1
        dst[2*i + 1 : 2] = [src[i], src[i + 1]];
}

pipeline later(in src: u8[H][W], inout dst: u8[2*H][2*W]) {
    iterate (y in 1 : H, x in 1 : W)
        dst[2*y - 2 : 2][2*x - 1 : 2] = u8(src[y][x] + src[y - 1][x - 1]);
}

pipeline chosen(in src: u8[H][W], inout dst: u8[2*H][2*W]) {
    iterate (y, x) over src where (src[y][x] > 90)
        dst[2*y : 2][2*x : 2] = src[y][x];
}

pipeline gaps(in src: u8[H][W], out dst: u8[4*H][4*W], out low: i32[2*H][2*W]) {
    iterate (y, x) over src {
        dst[4*y : 4][4*x : 3] = src[y][x];
        low[2*y : 2][2*x : 2] = src[y][x];
    }
}

pipeline sometimes(in src: u8[H][W], out dst: u8[2*H][2*W]) {
    iterate (y, x) over src border RULE2 {
        dst[2*y][2*x : 2] = src[y][x - 1];
        if (src[y][x] > 90)
            dst[2*y + 1][2*x : 2] = src[y][x + 1];
    }
}

pipeline itself(in src: u8[H][W], inout dst: u8[2*H][2*W]) {
    iterate (y, x) over src
        dst[2*y : 2][2*x : 2] = u8(transpose(dst[2*y : 2][2*x : 2]) + src[y][x]);
}

pipeline seen(in src: u8[H][W], inout dst: u8[2*H][2*W]) {
    view to = dst[H : H][W : W];
    iterate (y in 0 : H/2, x in 0 : W/2)
        to[2*y : 2][2*x : 2] = src[y][x];
}

pipeline counted(in src: u8[H][W], out dst: u8[2*H][2*W], inout counts: i32[256]) {
    iterate (y, x) over src {
        dst[2*y : 2][2*x : 2] = src[y][x];
        counts[src[y][x]] += 1;
    }
}

pipeline shrunk(in src: f32[2*H][2*W], out dst: f32[H][2*W]) {
    iterate (y in 0 : H, x in 0 : W)
        dst[y][2*x : 2] = [src[2*y][2*x] + src[2*y + 1][2*x + 1], src[2*y][2*x] - src[2*y + 1][2*x]];
}

`

// inSeveral takes blocks of some instances in turn, which are moved by accesses of all widths.
func inSeveral() decider {
	items := [][2]int{{4, 2}, {2, 2}, {8, 1}, {1, 2}, {4, 1}, {3, 3}, {2, 4}, {16, 1}}
	n := 0
	return func(_ string, s *hast.Stage) schedule.Decisions {
		for range items {
			n++
			item := items[n%len(items)]
			d := schedule.Decisions{Item: item, Tile: [2]int{4 * item[0], 2 * item[1]}, Vector: []int{16, 8, 4, 16, 1}[n%5]}
			if len(s.Space.Vars) == 1 {
				d.Item[1], d.Tile[1] = 0, 0
			}
			if d.Item != [2]int{1, 0} && lower.Refuse(s, d, kir.Strict) == "" {
				return d
			}
		}
		return schedule.Decisions{}
	}
}

// TestSeveralPixels runs them under three rules a round.
func TestSeveralPixels(t *testing.T) {
	for seed := range rounds() {
		for i := range 3 {
			runAll(t, gpu, borders+under(rules[(3*seed+2*i)%len(rules)], several), inSeveral(), sizes)
		}
	}
}

// TestSeveralPixelsUnderOclgrind has the simulator watch them.
func TestSeveralPixelsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedSeveralPixels there")
	}
	harness.SimulateTest(t, "TestSimulatedSeveralPixels")
}

// TestSimulatedSeveralPixels runs in the process that TestSeveralPixelsUnderOclgrind starts.
func TestSimulatedSeveralPixels(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestSeveralPixelsUnderOclgrind runs it in a process of its own")
	}
	decide := func(_ string, s *hast.Stage) schedule.Decisions {
		if len(s.Space.Vars) == 1 {
			return schedule.Decisions{Item: [2]int{4}, Tile: [2]int{8}, Vector: 16}
		}
		return schedule.Decisions{Item: [2]int{4, 2}, Tile: [2]int{8, 2}, Vector: 16}
	}
	runAll(t, gpu, borders+under("clamp", several), decide, small)
}
