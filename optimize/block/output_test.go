package block_test

import (
	"fmt"
	"testing"

	"imgc/optimize/block"
)

// TestOutputsOfSeveralPixels looks at what instances write: all pixels between them and the next ones, or not.
func TestOutputsOfSeveralPixels(t *testing.T) {
	for _, c := range []struct {
		name, body string
		rows, cols string // first and last of an instance's; "" where there is no output
	}{
		{"a pixel", "dst[y][x] = 1;", "0 0", "0 0"},
		{"a block", "dst[2*y : 2][4*x : 4] = src[y][x];", "0 1", "0 3"},
		{"a block beside the instance's", "dst[2*y + 1 : 2][4*x + 3 : 4] = src[y][x];", "1 2", "3 6"},
		{"a row", "dst[y][3*x : 3] = [1, 2, 3];", "0 0", "0 2"},
		{"one by one, in any order", "dst[y][2*x + 1] = 1; dst[y][2*x] = 2; dst[y][2*x + 1] = 3;", "0 0", "0 1"},
		{"a gap in a row", "dst[2*y : 2][4*x : 3] = src[y][x];", "", ""},
		{"a row left out", "dst[4*y : 3][2*x : 2] = src[y][x];", "", ""},
		{"a corner left out", "dst[2*y][2*x : 2] = src[y][x]; dst[2*y + 1][2*x] = 1;", "", ""},
		{"every second pixel", "dst[y][4*x : 2 : 2] = src[y][x];", "", ""},
		{"a pixel that some write", "dst[y][2*x] = 1; if (src[y][x] > 0) dst[y][2*x + 1] = 2;", "", ""},
		{"farther apart than blocks go", "dst[y][9*x : 9] = src[y][x];", "", ""},
	} {
		text := `pipeline p(in src: i32[H][W], inout dst: i32[4*H + 4][9*W + 4]) { iterate (y, x) over src { ` + c.body + " } }"
		what := block.AnalyzeBlocks(lastStage(t, text), 64)
		rows, cols := "", ""
		for _, o := range what.Outputs {
			rows, cols = fmt.Sprint(o.Y.Lo, o.Y.Hi), fmt.Sprint(o.X.Lo, o.X.Hi)
		}
		if rows != c.rows || cols != c.cols || what.Once != (rows == "") {
			t.Errorf("%s: rows %q and columns %q, want %q and %q; once: %t", c.name, rows, cols, c.rows, c.cols, what.Once)
		}
	}
}

// TestBlocksOfPlanesHaveWindowsOfEach: a read of a pixel of several planes is one of each of them.
func TestBlocksOfPlanesHaveWindowsOfEach(t *testing.T) {
	what := block.AnalyzeBlocks(lastStage(t, `pipeline p(in src: u8[7][H][W] border clamp, out dst: i32[H][W]) { iterate (y, x) over dst dst[y][x] = ([[1, 2, 3]] * src[1 : 3 : 2][y + 1][x])[0]; }`), 64)
	got := ""
	for _, w := range what.Windows {
		got += fmt.Sprintf("%d: %d %d, ", w.Outer[0].Lo, w.Y.Lo, w.Y.Hi)
	}
	if want := "1: 1 1, 3: 1 1, 5: 1 1, "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
