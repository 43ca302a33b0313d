package block_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
	"imgc/types"
)

// Groups have room for floats in local memory where all that a stage reads of small integers is converted to f32 at once.
func TestWhatIsOnlyConvertedIsFloatsInLocalMemory(t *testing.T) {
	for _, c := range []struct {
		name, kind, value string
		floats            bool
	}{
		{"convolved", "u8", "convolve(m, src[y][x])", true},
		{"pixels", "u16", "sum(f32(src[y+j][x+i]) for j in -1:2, i in -1:2) + f32(src[y][x-1])", true},
		{"elements of a window", "i16", "sum(f32(src[y-1 : 3][x-1 : 3][j][i]) * 2 for j in 0:3, i in 0:3)", true},
		{"added as integers", "u8", "f32(sum(i32(src[y+j][x+i]) for j in -1:2, i in -1:2))", false},
		{"one compared", "u8", "src[y][x+1] > 7 ? convolve(m, src[y][x]) : 0.0", false},
		{"words", "i32", "convolve(m, src[y][x])", false},
		{"floats", "f32", "convolve(m, src[y][x])", false},
	} {
		p := sematest.Program(t, "mask m: f32[3][3] = [x + 2*y for y in 0:3, x in 0:3]; pipeline p(in src: "+c.kind+
			"[H][W] border clamp, out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = "+c.value+"; }")
		s := p.Pipelines[0].Steps[0].(*hast.Stage)
		tiling := block.TilingOf([2]int{32, 8}, [2]int{1, 1}, false, false)
		g := block.Together(s, 64)
		if large := block.TilingOf([2]int{256, 64}, [2]int{1, 1}, false, false); g.HoldsFloats(large, g.Windows[0]) {
			t.Errorf("%s: floats where there is no room for them", c.name)
		}
		rows, _, components := g.LocalShape(tiling, g.Windows[0])
		each := g.Windows[0].Image.Elem.Kind.Bytes()
		if c.floats {
			each = types.F32.Bytes()
		}
		if got, want := g.LocalBytes(tiling), rows*components*each; got != want || g.Windows[0].Floats != c.floats {
			t.Errorf("%s: floats %v, %d bytes, want %v, %d", c.name, g.Windows[0].Floats, got, c.floats, want)
		}
	}
}

// TestPixelsOfThreeBytesLieApart has bytes of other pixels side by side, and those of three where no compiler needs more.
func TestPixelsOfThreeBytesLieApart(t *testing.T) {
	for _, c := range []struct {
		kind  string
		dense bool
		each  int
	}{{"u8x3", false, 2}, {"u8x3", true, 1}, {"i8x3", false, 2}, {"u8x4", false, 1}, {"u8", false, 1}, {"u16x3", false, 2}} {
		wide := "i32" + strings.TrimLeft(c.kind, "ui1689")
		p := sematest.Program(t, "mask m: i32[3][3] = [x + 2*y for y in 0:3, x in 0:3]; pipeline p(in src: "+c.kind+"[H][W] border clamp, out dst: "+wide+"[H][W]) { dst = [convolve(m, src[y][x]) for y, x]; }")
		s, looks := p.Pipelines[0].Steps[0].(*hast.Stage), &block.Looks{Dense: c.dense}
		tiling := block.TilingOf([2]int{32, 8}, [2]int{1, 1}, false, false)
		for _, g := range []*block.Group{looks.Together(s, 64), looks.Shared(s, 64)} {
			rows, _, components := g.LocalShape(tiling, g.Windows[0])
			if got, want := g.LocalBytes(tiling), rows*components*c.each; got != want || g.Windows[0].IsSpread() != (c.each == 2 && c.kind != "u16x3") {
				t.Errorf("%s, dense %t: %d bytes, want %d", c.kind, c.dense, got, want)
			}
		}
		down, why := looks.Down(s, 64)
		if why != "" {
			t.Fatal(why)
		}
		before, components := down.LocalRow(tiling, down.Shared[0])
		if got, want := down.LocalBytes(tiling), 2*(before+components)*c.each; got != want {
			t.Errorf("%s down rows, dense %t: %d bytes, want %d", c.kind, c.dense, got, want)
		}
	}
}
