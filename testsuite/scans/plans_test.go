package scans

import (
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// planned are scans along columns of 8192 x 8192 pixels, what their schedules say, and how long they take at most on an H200 by the model: some times what moving
// the pixels once does, where a work-item that waits in each of 8192 steps takes 3 ms and more.
var planned = []struct {
	text   string
	says   []string
	micros float64
}{
	{"pipeline sums(in src: f32[H][W], out d: f32[H][W]) { iterate (y, x) over d scan(y) border constant(0) d[y][x] = src[y][x] + d[y-1][x]; }",
		[]string{"d_local: tile(256, 1) fetch(16);", "d: tile(256, 1) fetch(16);"}, 300},
	{"pipeline back(in src: f32[H][W], out d: f32[H][W]) { iterate (y, x) over d scan(-y) border clamp d[y][x] = 0.5*src[y][x] + 0.5*d[y+1][x]; }",
		[]string{"d_local: tile(256, 1) fetch(16);", "d: tile(256, 1) fetch(16);"}, 300},
	{"pipeline highest(in src: u8[H][W], out d: u8[H][W]) { iterate (y, x) over d scan(y) border constant(0) d[y][x] = max(src[y][x], d[y-1][x]); }",
		[]string{"d: tile(256, 1) fetch(16);"}, 150},
	{`pipeline far(in src: u8[H][W], out d: u16[H][W]) {
    iterate (y, x) over d scan(y) border constant(255) d[y][x] = src[y][x] > 0 ? 0 : u16(min(d[y-1][x] + 1, 255));
    iterate (y, x) over d scan(-y) border constant(255) d[y][x] = u16(min(d[y][x], d[y+1][x] + 1));
}`, []string{"d_local: tile(256, 1) fetch(16);", "d_2_local: tile(256, 1) fetch(16);"}, 500},
	{"pipeline kept(inout d: f32[H][W]) { iterate (y, x) over d scan(y) border clamp d[y][x] = d[y][x] + sqrt(abs(d[y-1][x])); }",
		[]string{"d: tile(32) ahead(32);"}, 500},
	{"pipeline update(inout d: f32[H][W]) { iterate (y, x) over d scan(y) border clamp d[y][x] += sqrt(abs(d[y-1][x])); }",
		[]string{"d: tile(32) ahead(32);"}, 500},
}

func TestPlansOfScans(t *testing.T) {
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range planned {
		plans, err := harness.Compile(t, "planned.img", c.text, imgc.Contract).ExplainFor(imgc.TargetCUDA, arch, map[string]int64{"H": 8192, "W": 8192})
		if err != nil {
			t.Fatal(err)
		}
		text := plans[0].Schedule().String()
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nlacks %s:\n%s", c.text, want, text)
			}
		}
		if got := plans[0].Time() * 1e6; got > c.micros {
			t.Errorf("%s\ntakes %.0f us, %.0f at most\n%s", c.text, got, c.micros, plans[0].Text())
		}
	}
}

// TestProcessorsKeepLines holds plans for processors to leave lines as wholes whose chunks would be run twice.
func TestProcessorsKeepLines(t *testing.T) {
	arch, err := imgc.OpenArchitecture("pocl-avx512")
	if err != nil {
		t.Fatal(err)
	}
	plans, err := harness.Compile(t, "planned.img", planned[3].text, imgc.Contract).Explain(arch, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := plans[0].Text(); strings.Contains(text, "_local") {
		t.Errorf("lines are cut:\n%s", text)
	}
}
