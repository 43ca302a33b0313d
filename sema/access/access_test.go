package access

import (
	"slices"
	"testing"
)

// Each case gives what Prove finds: for each read the sides on which each axis can leave, images that start as zeros, checks; or the errors.
var cases = []struct {
	name, program string
	points        [][]int64
	want          []string
}{
	{"stencil with a border", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = points(dy, dx, src[y + dy][x + dx])
}
`, square(2), []string{"src[y + dy][x + dx] <> <>"}},
}

func square(r int64) (out [][]int64) {
	for y := -r; y <= r; y++ {
		for x := -r; x <= r; x++ {
			out = append(out, []int64{y, x})
		}
	}
	return out
}

func TestProve(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := build(t, c.program, c.points...)
			assumed := len(p.Checks)
			p, diags := proved(t, c.program, c.points...)
			got := messages(diags)
			if len(got) == 0 {
				got = summary(p, assumed)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
