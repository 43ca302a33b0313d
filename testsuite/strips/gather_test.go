package strips

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/schedule"
)

// gathered reads at places along a row that data decides: in a table, in a row of an image, and between pixels.
const gathered = `pipeline lookup(in src: u8[H][W], in table: f32[256], out dst: f32[H][W], out far: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        let here = i32(src[y][x]);
        dst[y][x] = table[src[y][x]] - table[255 - src[y][x]] * f32(src[y + 1][here - 20]);
    }
    iterate (y, x) over far border repeat
        far[y][x] = src[y - 1][x + i32(src[y][x]) - 128];
}

pipeline between(in src: u8[H][W], out dst: u8[2*H + 1][3*W]) {
    view other: u8[2*H + 1][3*W] = resample(src, linear);
    dst = other;
}

`

// TestGathers runs look-ups side by side.
func TestGathers(t *testing.T) {
	n := 0
	decide := func(_ string, s *hast.Stage) schedule.Decisions {
		if len(s.Space.Vars) < 2 {
			return schedule.Decisions{}
		}
		n++
		return schedule.Decisions{Rows: 1 + n%3, Lanes: []int{16, 8, 16}[n%3]}
	}
	runAll(t, cpu, gathered, decide, append([][2]int{{1, 1}, {5, 2}, {9, 64}}, wide...))
}
