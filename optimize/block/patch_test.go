package block_test

import (
	"fmt"
	"testing"

	"imgc/optimize/block"
)

// TestPatches looks at which pixels are found to lie side by side at a place of the instance's own.
func TestPatches(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       string // pixels, lines, how far a line reaches; of each patch
	}{
		{"between pixels", "dst[y][x] = sample(src, f32(y)*f, f32(x)*f, linear);", "[4 2 1]"},
		{"between more pixels", "dst[y][x] = sample(src, f32(y)*f, f32(x)*f, cubic);", "[16 4 3]"},
		{"in statements", "let u = at[y][x]; let l = src[y][u]; let r = src[y][u+2]; dst[y][x] = f32(l) - f32(r);", "[2 1 2]"},
		{"above each other", "let u = at[y][x]; dst[y][x] = f32(src[u][x] + src[u+1][x]);", ""},
		{"known places", "dst[y][x] = f32(src[y][x] + src[y][x+1]);", ""},
		{"far apart", "let u = at[y][x]; dst[y][x] = f32(src[y][u] + src[y][u+20]);", ""},
		{"under a condition", "let u = at[y][x]; dst[y][x] = u > 5 ? f32(src[y][u]) : f32(src[y][u+1]);", ""},
		{"of a variable that changes", "var u = at[y][x]; let l = src[y][u]; u = 7; dst[y][x] = f32(l + src[y][u+1]);", ""},
		{"of two places", "let u = at[y][x]; let v = at[y][x+1]; dst[y][x] = f32(src[y][u] + src[y][v] + src[u][u] + src[u][u+1]);", "[2 1 1]"},
		{"before a condition alone", "let u = at[y][x]; let l = src[y][u]; if (u > 9) dst[y][x] = f32(l); else dst[y][x] = f32(src[y][u+1]);", ""},
	} {
		text := "pipeline p(in src: u8[H][W] border clamp, in at: i32[H][W] border clamp, in f: f32, out dst: f32[H][W]) { iterate (y, x) over dst { " + c.body + " } }"
		got := ""
		for _, p := range block.PatchesOf(lastStage(t, text).Body) {
			if p.Image.Name == "src" {
				got += fmt.Sprint([]int{len(p.Spots), len(p.Lines), int(p.Reach[1])})
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPatchesByWords looks at the words of lines of pixels of different types.
func TestPatchesByWords(t *testing.T) {
	for _, c := range []struct {
		pixel, mode     string
		accesses        int // of a pixel
		words, overhang int
		mean            float64 // words, over all places in a word; 0 where there are none
		by              bool
	}{
		{"u8", "linear", 1, 2, 3, 1.25, false},
		{"u8", "cubic", 1, 2, 3, 1.75, true},
		{"u8x2", "linear", 2, 2, 2, 1.75, true},
		{"u8x3", "linear", 3, 3, 1, 2.25, true},
		{"u8x4", "linear", 4, 3, 1, 2.75, true},
		{"u8x4", "linear", 1, 3, 1, 2.75, false},
		{"i16x3", "linear", 3, 4, 1, 3.5, false},
		{"i16x3", "cubic", 3, 7, 1, 6.5, false},
		{"f16x3", "linear", 3, 4, 1, 3.5, false},
		{"bf16", "linear", 1, 2, 1, 1.5, false},
		{"f32x3", "cubic", 3, 12, 0, 0, false},
	} {
		text := fmt.Sprintf("pipeline p(in src: %s[H][W] border clamp, in f: f32, out dst: f32%[2]s[H][W]) { iterate (y, x) over dst dst[y][x] = f32%[2]s(sample(src, f32(y)*f, f32(x)*f, %[3]s)); }", c.pixel, lanesOf(c.pixel), c.mode)
		list := block.PatchesOf(lastStage(t, text).Body)
		if len(list) != 1 {
			t.Errorf("%s, %s: %d patches", c.pixel, c.mode, len(list))
			continue
		}
		p := list[0]
		if p.ByWords(c.accesses) != c.by || c.mean > 0 && (p.Words() != c.words || p.Overhang() != c.overhang) {
			t.Errorf("%s, %s: %d words, %d pixels behind them, by words %t", c.pixel, c.mode, p.Words(), p.Overhang(), p.ByWords(c.accesses))
		}
		if p.HasWords() != (c.mean > 0) || p.HasWords() && p.MeanWords() != c.mean {
			t.Errorf("%s, %s: by words %t, %v of them", c.pixel, c.mode, p.HasWords(), p.MeanWords())
		}
	}
}

// lanesOf is the end of a vector type's name.
func lanesOf(pixel string) string {
	for i, r := range pixel {
		if r == 'x' {
			return pixel[i:]
		}
	}
	return ""
}

// TestStagesHavePatchWords: the statements of loops and conditions are looked at, too.
func TestStagesHavePatchWords(t *testing.T) {
	for body, want := range map[string]bool{
		"let u = at[y][x]; dst[y][x] = f32(src[y][u] + src[y][u+1]);":                true,
		"if (x > 3) { let u = at[y][x]; dst[y][x] = f32(src[y][u] + src[y][u+1]); }": true,
		"let u = at[y][x]; dst[y][x] = f32(src[u][x] + src[u+1][x]);":                false,
		"dst[y][x] = f32(src[y][x] + src[y][x+1]);":                                  false,
	} {
		text := "pipeline p(in src: u8[H][W] border clamp, in at: i32[H][W] border clamp, out dst: f32[H][W]) { iterate (y, x) over dst { " + body + " } }"
		if got := block.HasPatchWords(lastStage(t, text)); got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}
