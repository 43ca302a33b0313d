package reductions

import (
	"context"
	"fmt"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// added are sums whose result depends on the order of their terms.
const added = `
pipeline sum_f32(in src: f32[H][W], out value: f32) { value = sum(src); }
pipeline sum_f64(in src: f64[H][W], out value: f64) { value = sum(src); }
pipeline product_f32(in src: f32[H][W], out value: f32) { value = product(1 + src[y][x] * 0.001f for (y, x) over src); }
pipeline mean_f32x3(in src: f32x3[H][W], out value: f32x3) { value = mean(src); }
pipeline backwards_f32(in src: f32[H][W], out value: f32) { value = sum(src[y][x] for y in 1:H, x in W-1:-1:-3); }
pipeline line_f32(in src: f32[H][W], out value: f32) { value = sum(src[H-1][x] for x in 0:W); }
pipeline one_way_f32(in src: f32[H][W], out value: f32) { value = sum(src[y][x] for y in 0:H, x in 0:W:65); }
`

// sideways has work-items take so many points side by side, where a stage lets them.
func sideways(lanes int) func(string, *hast.Stage) schedule.Decisions {
	return func(_ string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Tile: [2]int{1}, Lanes: lanes}
		if lower.Refuse(s, d, kir.Strict) != "" {
			return schedule.Decisions{}
		}
		return d
	}
}

// TestFloatsAreAddedInOneOrder holds work-items alone, those that take points side by side, and groups of all shapes that take as many points at once as the language has
// partial results to the bits of the interpreter.
func TestFloatsAreAddedInOneOrder(t *testing.T) {
	for _, shape := range [][3]int{{}, {64, 0, 4}, {256, 2, 2}, {256, 0, 1}, {1, 0, 16}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			opts, build := imgc.Options{Mode: imgc.Strict}, harness.BuildPlain
			switch shape[0] {
			case 0:
				build = harness.Build
			case 1:
				opts.Decide = sideways(shape[2])
			default:
				opts.Decide = byTeams(shape[0], shape[1], shape[2], imgc.Strict)
			}
			p := harness.CompileWith(t, "added.img", added, opts)
			built := build(t, p)
			for _, q := range p.Pipelines {
				for _, size := range [][]int{{1, 1}, {2, 260}, {3, 1030}, {2060, 5}} {
					t.Run(fmt.Sprintf("%s/%dx%d", q.Name, size[0], size[1]), func(t *testing.T) {
						src := harness.Input("src", harness.Random, q.Param("src").Type, size...)
						args := imgc.Args{Images: map[string]*pixels.Image{"src": src}}
						want := harness.Interpret(t, p, q.Name, args)
						got, err := built.Run(context.Background(), q.Name, device.Args(args), device.Layout{Pad: 1, Offset: 7})
						if err != nil {
							t.Fatal(err)
						}
						harness.CompareAll(t, got.Images, got.Scalars, want, harness.Bound{})
					})
				}
			}
		})
	}
}
