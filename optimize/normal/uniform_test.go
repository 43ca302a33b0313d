package normal_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/normal"
	"imgc/sema/sematest"
)

// TestWeightsOfParameters says which stages of weights there are before others.
func TestWeightsOfParameters(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a parameter", "iterate (y, x) over dst dst[y][x] = sum(exp(-f32(j*j) / sigma) * src[y+j][x] for j in -2:3);", "dst_weights[5] dst"},
		{"a let", "iterate (y, x) over dst { let s = sigma * 2; dst[y][x] = sum(exp(-f32(j*j + i) / s) * src[y+j][x+i] for j in -2:3, i in 0:2); }", "dst_weights[5 2] dst"},
		{"their sum", "iterate (y, x) over dst dst[y][x] = src[y][x] / sum(exp(-f32(j*j) / sigma) for j in -4:5);", "dst_weights[1] dst"},
		{"the same twice", "iterate (y, x) over dst dst[y][x] = sum(exp(f32(j) / sigma) * src[y+j][x] + exp(f32(j) / sigma) * src[y][x+j] for j in -2:3);", "dst_weights[5] dst"},
		{"two", "iterate (y, x) over dst dst[y][x] = sum(exp(f32(j) / sigma) * src[y+j][x] + exp(f32(j) * sigma) * src[y][x+j] for j in -2:3);", "dst_weights[5] dst_weights_2[5] dst"},
		{"a name that is taken", "image dst_weights: f32[H][W] = src; iterate (y, x) over dst dst[y][x] = dst_weights[y][x] + sum(exp(f32(j) / sigma) * src[y+j][x] for j in -2:3);", "dst_weights dst_weights_2[5] dst"},
		{"a loop", "iterate (y, x) over dst { var acc: f32 = 0; for (j in -2:3) acc += exp(f32(j) / sigma) * src[y+j][x]; dst[y][x] = acc; }", "dst_weights[5] dst"},
		{"of no variable", "iterate (y, x) over dst dst[y][x] = exp(sigma) * src[y][x];", "dst"},
		{"of the pixel", "iterate (y, x) over dst dst[y][x] = sum(exp(src[y][x] * sigma * f32(j)) * src[y+j][x] for j in -2:3);", "dst"},
		{"of the instance", "iterate (y, x) over dst dst[y][x] = sum(exp(f32(x + j) / sigma) * src[y+j][x] for j in -2:3);", "dst"},
		{"as cheap as a pixel", "iterate (y, x) over dst dst[y][x] = sum((sigma + f32(j)) * src[y+j][x] for j in -2:3);", "dst"},
		{"of too many", "iterate (y, x) over dst dst[y][x] = sum(exp(f32(j) / sigma) * src[y][x] for j in 0:5000);", "dst"},
		{"of as many as the size", "iterate (y, x) over dst dst[y][x] = sum(exp(f32(j) / sigma) * src[y][x] for j in 0:H);", "dst"},
		{"of levels", "pyramid g: f32[H][W] levels 2; g[0] = src; traverse (g) { iterate (y, x) over g[0] g[0][y][x] = sum(exp(f32(j) / sigma) for j in 0:9); descend; } dst = g[0];", "g g_2 dst"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := sematest.Program(t, "pipeline p(in src: f32[H][W] border clamp, in sigma: f32, out dst: f32[H][W]) { "+c.body+" }")
			formed(t, c.name, program)
			p := normal.Program(program, normal.Options{Exact: true}).Pipelines[0]
			var got []string
			hast.WalkStages(p.Steps, func(_ []hast.Step, s *hast.Stage) {
				name := s.Name
				if n, known := hast.Number(s.Space.Ranges[0].Hi); known {
					name += fmt.Sprintf("[%d", n)
					for _, r := range s.Space.Ranges[1:] {
						n, _ := hast.Number(r.Hi)
						name += fmt.Sprintf(" %d", n)
					}
					name += "]"
				}
				got = append(got, name)
			})
			if strings.Join(got, " ") != c.want {
				t.Errorf("stages %s, want %s", strings.Join(got, " "), c.want)
			}
		})
	}
}
