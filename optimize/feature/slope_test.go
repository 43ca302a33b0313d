package feature

import (
	"testing"

	"imgc/hast"
	"imgc/sema/sematest"
)

// TestSlopes looks at how places are found to follow coordinates.
func TestSlopes(t *testing.T) {
	known := func(x, y float64) *Slopes { return &Slopes{{x, true}, {y, true}} }
	for _, c := range []struct {
		place string
		want  *Slopes
	}{
		{"i32(floor(0.5*f32(x) - 2*f32(y) + c))", known(0.5, -2)},
		{"i32(f32(x - y) / 4)", known(0.25, -0.25)},
		{"i32(clamp(f32(x)*3, 0, 100))", known(3, 0)},
		{"i32(-(f32(y) + 1.5))", known(0, -1)},
		{"i32(c*f32(x))", &Slopes{{}, {0, true}}},
		{"i32(f32(x)*f32(y))", &Slopes{}},
		{"i32(max(f32(x), f32(y)))", &Slopes{}},
		{"i32(sqrt(f32(y)))", &Slopes{{0, true}, {}}},
		{"x + 2*y", known(1, 2)},
		{"i32(c)", known(0, 0)},
		{"i32(at[y][x]) + x", nil},
		{"2*x", nil}, // of which there is more to say
	} {
		text := "pipeline p(in src: u8[H][W] border clamp, in at: u8[H][W], in c: f32, out dst: u8[H][W]) { iterate (y, x) over dst { let u = " + c.place + "; dst[y][x] = src[y][u]; } }"
		s := OfStage(sematest.Program(t, text).Pipelines[0].Steps[0].(*hast.Stage), false)
		for _, a := range s.Accesses {
			if a.Image.Name != "src" {
				continue
			}
			got := a.Axes[1].Slopes
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("%s: %v, want %v", c.place, got, c.want)
			}
		}
	}
}
