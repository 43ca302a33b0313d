package reductions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// mediansText has medians in bodies of as many values as an extent says, and of more than a work-item keeps: of every kind there are keys
// for, of vectors, of ranges in both directions and of two variables, and of nothing.
const mediansText = `
pipeline NAME(in src: TYPE[T][H][W], in n: i32, out all: TYPE[H][W], out some: TYPE[H][W], out around: TYPE[H][W], out many: TYPE[H][W]) {
    iterate (y, x) over all border clamp {
        all[y][x] = median(src[t][y][x] for t in 0:T);
        some[y][x] = median(src[t][y][x] for t in n-1 : -1 : -2);
        around[y][x] = median(src[t][y + k][x] for t in 0:T, k in -1:2);
    }
    many = [median(src[t % T][y][x + t] for t in 0:1100) for y, x] border repeat;
}
`

var medianTypes = []string{"u8", "i16x3", "u32", "i32", "i64", "u64", "f16", "f32x2", "f64"}

// mediansProgram has a pipeline for each type.
func mediansProgram(types []string) string {
	var b strings.Builder
	for _, typ := range types {
		b.WriteString(strings.NewReplacer("NAME", "of_"+typ, "TYPE", typ).Replace(mediansText))
	}
	return b.String()
}

func TestMediansOfAnyLength(t *testing.T) {
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []imgc.Options{{Mode: imgc.Strict}, {Mode: imgc.Contract, Arch: arch}} {
		p := harness.CompileWith(t, "medians.img", mediansProgram(medianTypes), opts)
		built := harness.BuildPlain(t, p)
		for _, q := range p.Pipelines {
			for _, s := range [][]int{{1, 1, 1, 0}, {5, 3, 17, 4}, {6, 2, 40, 6}} {
				t.Run(fmt.Sprintf("%s/%v/%v", opts.Mode, q.Name, s), func(t *testing.T) {
					src := harness.Input("src", harness.Random, q.Param("src").Type, s[:3]...)
					args := imgc.Args{Images: map[string]*pixels.Image{"src": src}, Scalars: map[string]types.Value{"n": types.Of(types.I32, types.Int(int64(s[3])))}}
					want := harness.Interpret(t, p, q.Name, args)
					r, err := built.Run(context.Background(), q.Name, device.Args(args), device.Layout{Pad: 1, Offset: 7})
					if err != nil {
						t.Fatal(err)
					}
					harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
				})
			}
		}
	}
}
