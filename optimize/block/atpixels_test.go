package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
)

// TestReductionsOverBlocks looks at which reductions become those over the pixels that they read, which share variables, and how many of them words of bytes do for.
func TestReductionsOverBlocks(t *testing.T) {
	for _, c := range []struct {
		name, values string
		moved        int // reductions over pixels
		spaces       int // that they have together
		words        int // those in words, in blocks of 8 points
	}{
		{"a sum", "sum(i32(src[16*y + j][16*x + i]) for j in 0:16, i in 0:16)", 1, 1, 1},
		{"several of one block", "sum(i32(src[8*y + j][8*x + i]) for j in 0:8, i in 0:8) + max(src[8*y + j][8*x + i] for j in 0:8, i in 0:8)", 2, 1, 2},
		{"of two blocks", "min(src[8*y + j][8*x + i] for j in 0:8, i in 0:8) + max(src[8*y + j][8*x + i] for j in 0:8, i in 1:9)", 2, 2, 2},
		{"beside the block", "max(src[8*y + j - 1][8*x + i + 1] for j in 0:10, i in 0:10)", 1, 1, 1},
		{"a number less bytes", "min(9 - i32(src[8*y + j][8*x + i]) for j in 0:8, i in 0:8)", 1, 1, 1},
		{"twice the bytes", "min(2*i32(src[8*y + j][8*x + i]) for j in 0:8, i in 0:8)", 1, 1, 0},
		{"of few points", "max(src[2*y + j][2*x + i] for j in 0:2, i in 0:2)", 0, 0, 0},
		{"blocks far apart", "max(src[8*y + j][100*x + i] for j in 0:8, i in 0:8)", 0, 0, 0},
		{"at two places", "max(src[8*y + j][8*x + i] - i32(src[8*y + j][8*x + i + 1]) for j in 0:8, i in 0:8)", 0, 0, 0},
		{"in steps", "max(src[8*y + j][8*x + 2*i] for j in 0:8, i in 0:8)", 0, 0, 0},
		{"backwards", "max(src[8*y + j][8*x - i] for j in 0:8, i in 0:8)", 0, 0, 0},
		{"from the other end", "max(src[8*y + j][i - 8*x + 40] for j in 0:8, i in 0:8)", 0, 0, 0},
		{"columns that items share", "max(src[64*y + j][8*x + i] for j in 0:64, i in 0:8)", 0, 0, 0},
		{"where that is", "argmax(src[8*y + j][8*x + i] for j in 0:8, i in 0:8)[0]", 0, 0, 0},
		{"under a rule that turns around", "max(back[8*y + j][8*x + i] for j in 0:8, i in 0:8)", 0, 0, 0},
	} {
		s := lastStage(t, "pipeline p(in src: u8[H][W] border clamp, in back: u8[H][W] border reflect, out dst: i32[h][w]) { iterate (y, x) over dst { dst[y][x] = "+c.values+"; } }")
		before := map[*hast.Reduce]bool{}
		hast.WalkBody(s.Body, nil, func(e hast.Expr) {
			if r, ok := e.(*hast.Reduce); ok {
				before[r] = true
			}
		})
		moved, spaces := 0, map[*hast.Var]bool{}
		hast.WalkBody(block.AtPixels(s).Body, nil, func(e hast.Expr) {
			if r, ok := e.(*hast.Reduce); ok && !before[r] {
				moved++
				spaces[r.Space.Vars[0]] = true
			}
		})
		if words := len(block.DottedSums(s, 8, 64)); moved != c.moved || len(spaces) != c.spaces || words != c.words {
			t.Errorf("%s: %d over pixels, of %d spaces, %d in words; want %d, %d, %d", c.name, moved, len(spaces), words, c.moved, c.spaces, c.words)
		}
	}
}
