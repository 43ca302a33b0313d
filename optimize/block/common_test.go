package block_test

import (
	"fmt"
	"testing"

	"imgc/optimize/block"
)

func TestWhatInstancesHaveInCommon(t *testing.T) {
	for _, c := range []struct {
		name, term string // of src[y+d.y][x+d.x] as b and src[y][x] as a
		points     int    // of 9 that have a value that another one has, too
		keeps      int
	}{
		{"a difference that is squared", "exp(-(a - b) * (b - a) / 9)", 8, 4},
		{"one without sign", "sqrt(abs(a - b) * 3 + 1)", 8, 4},
		{"one that is squared by way of a product", "((a - b) * 3 + 0) * ((a - b) * 3 + 0) + 1", 0, 0},
		{"with its sign", "(a - b) * 3 + a * b + 1", 0, 0},
		{"one that is divided and converted", "exp((f16(b) - f16(a)) * f32((f16(b) - f16(a)) / 3))", 8, 4},
		{"two that are turned at once", "(a - b) * (a * 3 - b * 3) * 5 + 2", 0, 0},
		{"a weight of the point", "exp(-(a - b) * (a - b) / 9) * mirrored[d]", 8, 4},
		{"all but a weight that differs on both sides", "exp(-(a - b) * (a - b) / 9) * skew[d]", 8, 4},
		{"what a pixel computes of itself", "exp(b * b * 3 + 1)", 9, 1},
		{"what depends on the place", "exp(b * b * 3 + f32(x))", 0, 0},
		{"too little", "b * b", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := lastStage(t, fmt.Sprintf(`mask mirrored: f32[3][3] = [[1, 2, 3], [4, 5, 4], [3, 2, 1]];
mask skew: f32[3][3] = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
pipeline p(in src: f32[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border clamp {
        let a = src[y][x];
        var total = 0.0;
        for (d in skew) {
            let b = src[y + d.y][x + d.x];
            total += %s;
        }
        dst[y][x] = total;
    }
}
`, c.term))
			found := block.FindCommons(s, 64)
			points, keeps := 0, 0
			for _, x := range found.List {
				keeps += len(x.Keeps)
				for _, v := range x.Values {
					if v.Keep != nil {
						points++
					}
				}
			}
			if points != c.points || keeps != c.keeps {
				t.Errorf("%d points have %d values in common, want %d and %d", points, keeps, c.points, c.keeps)
			}
		})
	}
}
