package scans

import (
	"context"
	"fmt"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

const text = `
pipeline diagonal(in src: i32[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst scan(y) border constant(0)
        dst[y][x] = 3 * dst[y-1][x-1] - dst[y-1][x+1] + src[y][x];
}
pipeline sums(in src: i32[H][W], out dst: i32[H]) {
    iterate (y, x) over src scan(-x)
        dst[y] = 3 * dst[y] + src[y][x];
}
pipeline strided(in src: i32[H][W], inout dst: i32[H][W]) {
    iterate (y in H-1:-1:-2, x in 0:W:3) scan(y) where (src[y][x] > 0) border reflect
        dst[y][x] = dst[y-2][x] * 2 + src[y][x];
}
pipeline falling(in src: i32[H][W], inout dst: i32[H][W]) {
    iterate (y in H-1:-1:-2, x in 0:W:3) scan(-y) where (src[y][x] > 0) border clamp
        dst[y][x] = dst[y+2][x] * 2 + src[y][x];
}
pipeline relaxed(inout dst: i32[N]) {
    iterate (i) over dst scan(i) border clamp
        dst[i] = dst[i-1] + 2 * dst[i] + dst[i+1];
}
pipeline middle(in src: i32[D][H][W], out dst: i32[D][H][W]) {
    iterate (z, y, x) over dst scan(-y) border constant(1)
        dst[z][y][x] = dst[z][y+1][x] * 3 + src[z][y][x];
}
pipeline slanted(in src: i32[D][H][W], out dst: i32[D][H][W]) {
    iterate (z, y, x) over dst scan(z) border constant(2)
        dst[z][y][x] = dst[z-1][y][x-1] * 3 + dst[z-1][y+1][x] + src[z][y][x];
}
`

// A scan is one pipeline, with the rank of its images; in place, dst is given, and alone, there is no src.
type scan struct {
	name    string
	rank    int
	inPlace bool
	alone   bool
}

var scans = []scan{
	{name: "diagonal", rank: 2}, {name: "sums", rank: 2}, {name: "strided", rank: 2, inPlace: true}, {name: "falling", rank: 2, inPlace: true},
	{name: "relaxed", rank: 1, inPlace: true, alone: true}, {name: "middle", rank: 3}, {name: "slanted", rank: 3},
}

var sizes = [][][]int{
	1: {{1}, {2}, {257}},
	2: {{1, 1}, {1, 7}, {5, 1}, {11, 13}, {37, 150}},
	3: {{1, 1, 1}, {1, 4, 1}, {2, 2, 2}, {5, 7, 11}},
}

func (s scan) args(extent []int) imgc.Args {
	args := imgc.Args{Images: map[string]*pixels.Image{}}
	if !s.alone {
		args.Images["src"] = harness.Input(s.name, harness.Random, types.Scalar(types.I32), extent...)
	}
	if s.inPlace {
		args.Images["dst"] = harness.Input(s.name+"/dst", harness.Random, types.Scalar(types.I32), extent...)
	}
	return args
}

func TestScans(t *testing.T) {
	p := harness.Compile(t, "scans.img", text, imgc.Strict)
	var list []harness.ReferenceCase
	var names []string
	var all []*pixels.Image
	for _, s := range scans {
		for _, extent := range sizes[s.rank] {
			c := harness.ReferenceCase{Function: "scans." + s.name}
			for _, name := range []string{"src", "dst"} {
				if m := s.args(extent).Images[name]; m != nil {
					c.Images = append(c.Images, m)
				}
			}
			got := harness.Interpret(t, p, s.name, s.args(extent)).Images["dst"]
			c.Want = []*pixels.Image{got}
			list, all = append(list, c), append(all, got)
			names = append(names, fmt.Sprint(s.name, extent))
		}
	}
	t.Run("device", func(t *testing.T) { onDevice(t, p, all) })
	t.Run("reference", func(t *testing.T) {
		for i, r := range harness.References(t, list) {
			if r.Err != nil {
				t.Fatal(names[i], r.Err)
			}
			if err := harness.Compare(all[i], r.Images[0], harness.Bound{}); err != nil {
				t.Errorf("%s: %v", names[i], err)
			}
		}
	})
}

// onDevice compares every call with what the interpreter has given.
func onDevice(t *testing.T, p *imgc.Program, want []*pixels.Image) {
	built := harness.Build(t, p)
	i := 0
	for _, s := range scans {
		for _, extent := range sizes[s.rank] {
			for _, l := range []device.Layout{{}, {Pad: 3, Offset: 5}} {
				r, err := built.Run(context.Background(), s.name, device.Args(s.args(extent)), l)
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(r.Images["dst"], want[i], harness.Bound{}); err != nil {
					t.Errorf("%s %v with the layout %+v: %v", s.name, extent, l, err)
				}
			}
			i++
		}
	}
}
