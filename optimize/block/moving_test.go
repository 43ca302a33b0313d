package block_test

import (
	"testing"

	"imgc/optimize/block"
)

func TestMovingSums(t *testing.T) {
	for _, c := range []struct {
		name, value string
		dim, n      int // 0 points where there is no such sum
	}{
		{"of a row", "sum(src[y][x-4 : 9])", 0, 9},
		{"of a column", "sum(src[y-4 : 9][x])", 1, 9},
		{"of products", "sum(src[y][x+i] * other[y][x+i+1] for i in 0:8)", 0, 8},
		{"of what a number is added to", "sum(src[y+j][2] - k for j in -4:5)", 1, 9},
		{"of few points", "sum(src[y][x-3 : 7])", 0, 0},
		{"with weights", "sum(src[y][x+i] * [1.0, 2, 3, 4, 5, 6, 7, 8, 9][i] for i in 0:9)", 0, 0},
		{"with the point itself", "sum(src[y][x+i] * i for i in 0:9)", 0, 0},
		{"with the instance's pixel", "sum(src[y][x+i] - src[y][x] for i in 0:9)", 0, 0},
		{"every second one", "sum(src[y][x+2*i] for i in 0:9)", 0, 0},
		{"backwards", "sum(src[y][x-i] for i in 0:9)", 0, 0},
		{"along a diagonal", "sum(src[y+i][x+i] for i in 0:9)", 0, 0},
		{"along both axes", "sum(src[y+i][x] * src[y][x+i] for i in 0:9)", 0, 0},
		{"of a window", "sum(src[y-4 : 9][x-4 : 9])", 0, 0},
		{"under a condition", "x > 3 ? sum(src[y][x-4 : 9]) : 0", 0, 0},
		{"of integers", "f32(sum(bytes[y][x-4 : 9]))", 0, 0},
		{"the greatest", "max(src[y][x-4 : 9])", 0, 9},
		{"the least of a column of bytes", "f32(min(bytes[y+j][x] for j in 0:7))", 1, 7},
		{"the greatest of few", "max(src[y][x-3 : 6])", 0, 0},
		{"where the greatest is", "f32(argmax(src[y][x+i] for i in 0:9))", 0, 0},
		{"a product", "product(src[y][x+i] for i in 0:9)", 0, 0},
	} {
		s := lastStage(t, "pipeline p(in src: f32[H][W] border clamp, in other: f32[H][W] border clamp, in bytes: u8[H][W] border clamp, in k: f32, out dst: f32[H][W]) { dst = ["+c.value+" for y, x]; }")
		list := block.MovingSums(s)
		switch {
		case c.n == 0 && len(list) > 0:
			t.Errorf("%s: there is one of %d points", c.name, list[0].N)
		case c.n > 0 && (len(list) != 1 || list[0].Dim != c.dim || list[0].N != c.n):
			t.Errorf("%s: %v, want one of %d points along %d", c.name, list, c.n, c.dim)
		}
	}
}

func TestMovingSumsSaveAdditions(t *testing.T) {
	s := lastStage(t, "pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) { dst = [sum(src[y][x-8 : 17]) for y, x]; }")
	m := block.MovingSums(s)[0]
	for n, want := range map[int]int{2: 17, 4: 24, 8: 50} {
		if got := m.Operations(n); got != want {
			t.Errorf("%d instances: %d additions, want %d", n, got, want)
		}
	}
	if m.Shared(1) || m.Shared(18) || !m.Shared(17) {
		t.Error("shared where all instances have no point in common, or not where they have one")
	}
}

// Extremes are shared in equal pieces of the block, none larger than the window.
func TestMovingExtremesSaveOperations(t *testing.T) {
	for _, c := range []struct {
		value                   string
		n, together, operations int
	}{
		{"max(src[y][x-7 : 15])", 8, 8, 34},
		{"max(src[y][x-4 : 9])", 4, 4, 16},
		{"max(src[y][x-4 : 9])", 16, 8, 56},
		{"max(src[y][x-4 : 9])", 11, 1, 99},
		{"f32(min(bytes[y][x-3 : 7]))", 8, 4, 26},
		{"f32(min(bytes[y][x-3 : 7]))", 1, 1, 6},
	} {
		s := lastStage(t, "pipeline p(in src: f32[H][W] border clamp, in bytes: u8[H][W] border clamp, out dst: f32[H][W]) { dst = ["+c.value+" for y, x]; }")
		m := block.MovingSums(s)[0]
		if together, got := m.Together(c.n), m.Operations(c.n); together != c.together || got != c.operations || m.Shared(c.n) != (together > 1) {
			t.Errorf("%s: %d instances share it %d at a time by %d operations, want %d by %d", c.value, c.n, together, got, c.together, c.operations)
		}
	}
}
