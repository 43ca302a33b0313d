package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
)

// TestTallies tells sums that leave room for the number of groups from others.
func TestTallies(t *testing.T) {
	for _, c := range []struct {
		name, result string
		tally        bool
	}{
		{"bytes", "sum(bytes)", true},
		{"signed bytes", "sum(signed)", true},
		{"points that are counted", "count(bytes[y][x] > 3 for y in 0:H, x in 0:W)", true},
		{"points of a range", "count((x + y) % 3 == 0 for y in 0:H, x in 0:W)", false}, // which is no image
		{"differences of bytes", "sum(abs(i32(bytes[y][x]) - others[y][x]) for y in 0:H, x in 0:W)", true},
		{"squares of differences", "sum((i32(bytes[y][x]) - others[y][x]) * (i32(bytes[y][x]) - others[y][x]) for y in 0:H, x in 0:W)", false},
		{"differences of bytes and 16 bits", "sum(abs(i32(bytes[y][x]) - words[y][x]) for y in 0:H, x in 0:W)", false},
		{"points of a line that are counted", "count(line[x] > 3 for x in 0:N)", true},
		{"16 bits of a line", "sum(line)", true},
		{"16 bits of an image", "sum(words)", false},
		{"32 bits", "sum(numbers)", false},
		{"products of bytes", "sum(i32(bytes[y][x])*bytes[y][x] for y in 0:H, x in 0:W)", false},
		{"one row again and again", "sum(bytes[0][x] for y in 0:H, x in 0:W)", false},
		{"floats", "i64(sum(floats))", false},
		{"a maximum", "max(bytes)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := sematest.Program(t, `pipeline p(in bytes: u8[H][W], in others: u8[H][W], in signed: i8[H][W], in line: u16[N], in words: u16[H][W], in numbers: i32[H][W], in floats: f32[H][W],
				out total: i64[1]) { total[0] = `+c.result+`; }`).Pipelines[0].Steps
			before, s := steps[0].(*hast.Stage), steps[1].(*hast.Stage)
			got, ok := block.TallyOf(before, s)
			if ok != c.tally {
				t.Fatalf("%v, not %v", ok, c.tally)
			}
			if ok && (got.Shift != 53 || got.Total == nil || got.Parts == nil) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestTalliesThatWrap takes sums of 32 bits for tallies, which wrap as their parts do, whatever is added.
func TestTalliesThatWrap(t *testing.T) {
	for _, c := range []struct {
		parts, total string
		tally        bool
	}{{"i32", "i32", true}, {"i32", "i64", false}, {"i64", "i64", false}} {
		steps := sematest.Program(t, `pipeline p(in a: i32[H][W], out total: `+c.total+`[1]) {
			image parts: `+c.parts+`[1024];
			iterate (i in 0:1024) parts[i] = sum(`+c.parts+`(a[y][x]) for y in i:H:1024, x in 0:W);
			iterate (k in 0:1) total[k] = sum(`+c.total+`(parts[i]) for i in 0:1024);
		}`).Pipelines[0].Steps
		if _, ok := block.TallyOf(steps[0].(*hast.Stage), steps[1].(*hast.Stage)); ok != c.tally {
			t.Errorf("%s of %s: %v, not %v", c.total, c.parts, ok, c.tally)
		}
	}
}
