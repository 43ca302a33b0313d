package reductions

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

// meansText has means of integers whose sums f32 does not hold: of a window, over a range of run time, and of vectors.
const meansText = `
pipeline means(in src: u16[H][W], in pairs: i16x2[H][W], in far: u32[H][W],
        out window: f32[H][W], out line: f32[H], out two: f32x2[H], out long: f64[H]) {
    window = [mean(src[y-15 : 31][x-15 : 31]) for y, x] border clamp;
    line = [mean(src[y][x] for x in 0:W) for y];
    two = [mean(pairs[y][x] for x in 0:W) for y];
    long = [mean(far[y][x] for x in 0:W) for y];
}
`

// TestMeansOfIntegersAreExact compares bits with sums in 64 bits.
func TestMeansOfIntegersAreExact(t *testing.T) {
	const h, w = 3, 1023
	image := func(elem types.Type, value func(i int) int) *pixels.Image {
		m, err := pixels.New(elem, h, w)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			m.SetWord(i, types.Int(int64(value(i))))
		}
		return m
	}
	src := image(types.Scalar(types.U16), func(i int) int { return 65535 - i*7919%197 })
	pairs := image(types.Vector(types.I16, 2), func(i int) int { return 32767 - i%2*65535 + (i%2*2-1)*(i*7919%197) })
	far := image(types.Scalar(types.U32), func(i int) int { return 4294967295 - i*7919%197 })
	at := func(m *pixels.Image, y, x, c int) int64 {
		return m.Word((min(max(y, 0), h-1)*w+min(max(x, 0), w-1))*int(m.Elem.Lanes) + c).Int()
	}
	mean32 := func(sum int64, n float32) types.Word { return types.Float(float64(float32(sum) / n)) }
	for _, arch := range []string{"", "nvidia-h200", "pocl-cpu"} {
		for _, mode := range []imgc.Mode{imgc.Contract, imgc.Strict} {
			t.Run(fmt.Sprint(arch, "/", mode), func(t *testing.T) {
				opts := imgc.Options{Mode: mode}
				if arch != "" {
					var err error
					if opts.Arch, err = imgc.OpenArchitecture(arch); err != nil {
						t.Fatal(err)
					}
				}
				p := harness.CompileWith(t, "means.img", meansText, opts)
				args := imgc.Args{Images: map[string]*pixels.Image{"src": src, "pairs": pairs, "far": far}}
				reference := harness.Interpret(t, p, "means", args)
				run, err := harness.BuildPlain(t, p).Run(context.Background(), "means", device.Args(args), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				for by, images := range map[string]map[string]*pixels.Image{"interpreter": reference.Images, "device": run.Images} {
					check := func(name string, i int, want ...types.Word) {
						for c, word := range want {
							if got := images[name].Word(i*len(want) + c); got != word {
								t.Errorf("%s: %s, pixel %d is %v, want %v", by, name, i, got.Float(), word.Float())
							}
						}
					}
					for y := range h {
						var line, first, second, long int64
						for x := range w {
							line, first, second, long = line+at(src, y, x, 0), first+at(pairs, y, x, 0), second+at(pairs, y, x, 1), long+at(far, y, x, 0)
						}
						check("line", y, mean32(line, w))
						check("two", y, mean32(first, w), mean32(second, w))
						check("long", y, types.Float(float64(long)/w))
						for x := range w {
							sum := int64(0)
							for j := -15; j <= 15; j++ {
								for i := -15; i <= 15; i++ {
									sum += at(src, y+j, x+i, 0)
								}
							}
							check("window", y*w+x, mean32(sum, 961))
						}
					}
				}
			})
		}
	}
}
