package arithmetic

import (
	"context"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// TestCornersAgree runs programs at the corners of the language, which random programs do not reach.
func TestCornersAgree(t *testing.T) {
	vector := types.Type{Kind: types.I32, Lanes: 3}
	for _, test := range []struct {
		name, text string
		src        types.Type
		want       []float64 // of dst, where it is known by hand
	}{
		{"a domain without points", `
domain none[3][3] = [0 for y in 0:3, x in 0:3];

pipeline p(in src: i32[N], out dst: i32[N]) {
    iterate (i) over src border clamp {
        var sums = sum(src[i+d.x] for d in none) + product(src[i+d.x] for d in none);
        for (d in none) sums += src[i + 100*d.x];
        dst[i] = sums + count(src[i+d.y] > 0 for d in none);
    }
}`, types.Scalar(types.I32), []float64{1, 1, 1, 1, 1}},
		{"counting vectors", `
pipeline p(in src: i32x3[N], out dst: i32x3[N]) {
    iterate (i) over src border repeat
        dst[i] = count(src[k] > 3 for k in i : i + 40) + count(src[i-1 : 3] > 5);
}`, vector, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := harness.Compile(t, "corner.img", test.text, imgc.Strict)
			args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, test.src, 5)}}
			want := harness.Interpret(t, p, "p", args).Images["dst"]
			for i, w := range test.want {
				if got := float64(want.Word(i).Int()); got != w {
					t.Errorf("dst[%d] is %v, want %v", i, got, w)
				}
			}
			got, err := harness.Build(t, p).Run(context.Background(), "p", device.Args(args), device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(got.Images["dst"], want, harness.Bound{}); err != nil {
				t.Error(err)
			}
		})
	}
}
