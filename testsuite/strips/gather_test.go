package strips

import (
	"strings"
	"testing"
	"time"

	"imgc"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
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

// near reads components of all sizes at places that lie within two registers of 16 lanes, or just not: rising by up to two from lane to
// lane, by exactly as many as are loaded at once, the other way round, and far apart.
const near = `pipeline near(in src: u8[H][W], in words: u16[H][W], in signed: i8[H][W], in whole: i32[H][W], in real: f32[H][W],
        out a: f32[H][W], out b: i32[H][W], out c: i32[H][W]) {
    iterate (y, x) over a border clamp {
        let at = x + (x >> 1) + i32(src[y][x] >> 7);
        a[y][x] = real[y][at] + f32(src[y][at]) - 2.0f * f32(words[y][at]);
    }
    iterate (y, x) over b border repeat {
        let at = 2*x + (x & 15) / 15;
        b[y][x] = i32(signed[y][at]) + i32(words[y][at]) + (whole[y][at - 1] & 255) - i32(src[y][at]);
    }
    iterate (y, x) over c border reflect {
        let back = W - 1 - x;
        let apart = 3*x + i32(src[y][x] >> 6);
        c[y][x] = i32(src[y][back + i32(src[y][x] & 0)]) - i32(words[y][back + i32(src[y][x] & 1)]) + i32(signed[y][apart]);
    }
}

`

// TestNearGathers runs them.
func TestNearGathers(t *testing.T) {
	decide := func(_ string, s *hast.Stage) schedule.Decisions { return schedule.Decisions{Rows: 2, Lanes: 16} }
	runAll(t, cpu, near, decide, append([][2]int{{1, 1}, {9, 64}}, wide...))
}

// TestNearGathersCompileWithoutWarnings, which some drivers print to the user's terminal.
func TestNearGathersCompileWithoutWarnings(t *testing.T) {
	decide := func(_ string, s *hast.Stage) schedule.Decisions { return schedule.Decisions{Rows: 2, Lanes: 16} }
	text := near + "\n// " + time.Now().String() // that no driver takes what it has compiled before
	p := compile(t, cpu, text, &imgc.Text{Name: "schedule.img", Text: pinned(t, cpu, text, decide)})
	if log := harness.Build(t, p).Log(); strings.Contains(log, "warning") {
		t.Error(log)
	}
}
