package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
)

// TestTurnedWindows looks at what groups find of images that are read in other directions than instances go.
func TestTurnedWindows(t *testing.T) {
	swapped, across, down := block.Turn{Swapped: true}, [2]bool{true, false}, [2]bool{false, true}
	one := func(lo, hi int) block.Span { return block.Span{Stride: 1, Lo: lo, Hi: hi} }
	for _, c := range []struct {
		name, value string
		turn        block.Turn // the zero one where there is none
		y, x        block.Span
	}{
		{"exchanged", "src[x][y]", swapped, one(0, 0), one(0, 0)},
		{"with a frame", "src[x-1][y+2] + src[x+3][y]", swapped, one(0, 2), one(-1, 3)},
		{"clockwise", "src[H-1-x][y]", block.Turn{Swapped: true, Back: down}, one(0, 0), one(0, 0)},
		{"counterclockwise, beyond the end", "src[x][W+1-y]", block.Turn{Swapped: true, Back: across}, one(-2, -2), one(0, 0)},
		{"by a half", "src[H-1-y][W-1-x-2]", block.Turn{Back: [2]bool{true, true}}, one(0, 0), one(2, 2)},
		{"mirrored, by a let", "src[y][m]", block.Turn{Back: across}, one(0, 0), one(0, 0)},
		{"of so many lines", "small[63-y][x]", block.Turn{Back: down}, one(0, 0), one(0, 0)},
		{"straight", "src[y][x]", block.Turn{}, one(0, 0), one(0, 0)},
		{"from another image's end", "src[y][H-1-x]", block.Turn{}, block.Span{}, block.Span{}},
		{"elsewhere", "src[y-1+by][x] + src[y+by][x+2]", block.Turn{From: [2]hast.Expr{nil, &hast.Ref{}}}, one(-1, 0), one(0, 2)},
		{"elsewhere, of so many lines", "small[y+by][x]", block.Turn{From: [2]hast.Expr{nil, &hast.Ref{}}}, one(0, 0), one(0, 0)},
		{"in steps", "src[2*x][y]", block.Turn{}, block.Span{}, block.Span{}},
		{"one variable", "src[x][x]", block.Turn{}, block.Span{}, block.Span{}},
	} {
		text := "pipeline p(in src: f32[H][W] border clamp, in small: f32[64][48] border clamp, in by: i32, out dst: f32[H][W]) { iterate (y, x) over dst { let m = W - 1 - x; dst[y][x] = " + c.value + "; } }"
		g := new(block.Looks).Shared(lastStage(t, text), 64)
		if g.Apart != "" {
			t.Errorf("%s: %s", c.name, g.Apart)
			continue
		}
		turned := g.Turned()
		for _, w := range turned { // what by stands for is a variable of the program
			for dim, from := range w.Turn.From {
				if c.turn.From[dim] != nil && from != nil {
					c.turn.From[dim] = from
				}
			}
		}
		if c.turn == (block.Turn{}) {
			if len(turned) > 0 {
				t.Errorf("%s: turned by %v", c.name, turned[0].Turn)
			}
			continue
		}
		if len(turned) != 1 || turned[0].Turn != c.turn || turned[0].Y != c.y || turned[0].X != c.x {
			t.Errorf("%s: %v, want %v at %v and %v", c.name, turned, c.turn, c.y, c.x)
		}
	}
}
