package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/fuse"
	"imgc/sema/sematest"
)

// Parts that read rows at different distances reach them in the same round: by going further, by waiting, or by loading them again.
func TestPartsGoDownAbreast(t *testing.T) {
	const images = "in src: f32[H][W] border clamp, in by: f32[H][W], out dst: f32[H][W]"
	for _, c := range []struct {
		name, body string
		loads      int            // windows that are loaded
		his        map[string]int // the last row of what is computed, from that of the instance on
		why        string
	}{
		{"one goes further", "image a: f32[H][W] border clamp = [src[y][x-1] + src[y][x+1] for y, x]; image b: f32[H][W] border clamp = [src[y][x-2] + src[y][x+2] for y, x];" +
			"iterate (y, x) over dst dst[y][x] = sum(a[y+i][x] for i in -1:2) - sum(b[y+i][x] for i in -3:4);", 1, map[string]int{"a": 3, "b": 3}, ""},
		{"one waits", "image a: f32[H][W] border clamp = [src[y][x-1] + src[y][x+1] for y, x]; image b: f32[H][W] border clamp = [src[y][x-2] + src[y][x+2] for y, x];" +
			"image c: f32[H][W] = [sum(a[y+i][x] for i in -1:2) for y, x]; image d: f32[H][W] = [sum(b[y+i][x] for i in -3:4) for y, x];" +
			"iterate (y, x) over dst dst[y][x] = c[y][x] - d[y][x];", 1, map[string]int{"a": 3, "b": 3, "c": 0, "d": 0}, ""},
		{"a pixel is loaded again", "image a: f32[H][W] border clamp = [src[y][x-1] + src[y][x+1] for y, x];" +
			"iterate (y, x) over dst dst[y][x] = src[y][x] - sum(a[y+i][x] for i in -2:3);", 2, map[string]int{"a": 2}, ""},
		{"another image is loaded later", "image a: f32[H][W] border clamp = [src[y][x-1] + src[y][x+1] for y, x];" +
			"iterate (y, x) over dst dst[y][x] = by[y][x] * sum(a[y+i][x] for i in -2:3);", 2, map[string]int{"a": 2}, ""},
		{"an image is needed from further above", "iterate (y, x) over dst border clamp dst[y][x] = sum(src[y+i][x+1] for i in -1:2) + sum(by[y+i][x-1] for i in -3:1);", 2, map[string]int{"dst": 0}, ""},
		{"what is computed is gone", "image a: f32[H][W] border clamp = [src[y][x-1] + src[y][x+1] for y, x];" +
			"iterate (y, x) over dst dst[y][x] = a[y][x] - sum(a[y+i][x] for i in -2:3);", 0, nil, "dst reads rows of a after others have left them behind"},
	} {
		p := sematest.Program(t, "pipeline p("+images+") { "+c.body+" }")
		groups := fuse.Of(p.Pipelines[0], 64)
		for _, s := range groups.Stages() {
			if why := groups.Fuse(s); why != "" && s.Name != "dst" {
				t.Fatal(c.name, s.Name, why)
			}
		}
		stages := []*hast.Stage{}
		hast.WalkSteps(groups.Pipeline().Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				stages = append(stages, s)
			}
		})
		d, why := block.Down(stages[len(stages)-1], 64)
		if why != c.why {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
		if why != "" {
			continue
		}
		for _, p := range d.Parts { // whose windows neighbours share here: the first of its rows is complete when all that its sums need has been there
			if p.Rows != nil && d.Ahead < p.Rows.Hi-p.Rows.Lo {
				t.Errorf("%s: %d rows ahead, %s needs %d to %d", c.name, d.Ahead, p.Of.Name, p.Rows.Lo, p.Rows.Hi)
			}
		}
		if len(d.Windows) != c.loads {
			t.Errorf("%s: %d windows, want %d", c.name, len(d.Windows), c.loads)
		}
		for _, p := range d.Parts {
			if hi, ok := c.his[p.Of.Name]; ok && p.Y.Hi != hi {
				t.Errorf("%s: %s reaches row %d, want %d", c.name, p.Of.Name, p.Y.Hi, hi)
			}
		}
	}
}
