package block_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/optimize/block"
)

// TestCells finds cells of instances in what these update.
func TestCells(t *testing.T) {
	for _, c := range []struct{ params, over, body, want string }{
		{"out b: u32[(H + 7)/8][(W + 7)/8][9]", "", "b[y/8][x/8][src[y][x] % 9] += 1", "8 x 8: [1 0 -1] 9"},
		{"out b: u32[2][3][(W + 3)/4][(H + 7)/8]", "", "b[x % 2][src[y][x] % 3][x >> 2][y/8] += 1", "4 x 8: [-1 -1 0 1] 6"},
		{"out b: u32[H][(W + 3)/4]", "", "b[y][x/4] max= src[y][x]", "4 x 1: [1 0] 1"},
		{"out b: u32[(H + 7)/8][(W + 7)/8]", "", "let j = y/8; b[j][floordiv(x, 8)] += 1", "8 x 8: [1 0] 1"},
		{"out b: u32[(H + 7)/8][(W + 7)/8], out c: u32[(W + 7)/8][(H + 7)/8]", "", "b[y/8][x/8] += 1; c[x/8][y/8] += 2", "8 x 8: [1 0] 1 [0 1] 1"},
		{"out b: u32[(H + 7)/8][(W + 7)/8], out c: u32[(H + 3)/4][(W + 3)/4]", "", "b[y/8][x/8] += 1; c[y/4][x/4] += 2", "its updates are of cells of 8 x 8 and of 4 x 4 instances"},
		{"out b: u32[(H + 7)/8][2]", "", "b[y/8][x % 2] += 1", "instances of other cells update the same pixels"},
		{"out b: u32[(H + 7)/8][(W + 7)/8]", "", "b[y/8][(x + 1)/8 * 0] += 1", "what it updates lies neither in cells"},
		{"out b: u32[(H + 7)/8][(W + 7)/8][2]", "", "b[y/8][x/8][0] += 1; b[y/8][y/8*0][1] += 1", "what it updates lies neither in cells"},
		{"out b: u32[(H + 7)/8][(W + 7)/8]", "(y in 1:H, x in 0:W)", "b[y/8][x/8] += 1", "its instances are not those of one or two variables that count from 0 on"},
	} {
		over := c.over
		if over == "" {
			over = "(y, x) over src"
		}
		text := fmt.Sprintf("pipeline p(in src: u8[H][W], %s) { iterate %s { %s; } }", strings.ReplaceAll(c.params, "out ", "inout "), over, c.body)
		got := cellsText(block.CellsOf(lastStage(t, text)))
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

func cellsText(c *block.Cells, why string) string {
	if c == nil {
		return why
	}
	text := fmt.Sprintf("%d x %d:", c.Size[0], c.Size[1])
	for _, m := range c.Images {
		text += fmt.Sprintf(" %v %d", m.Along, m.Bins)
	}
	return text
}
