package plan

import (
	"testing"

	"imgc/hast"
	"imgc/sema/sematest"
)

// TestDefaultsAreSizes plans for the values that scalars have where a caller gives none, and for 1 where there is no such value.
func TestDefaultsAreSizes(t *testing.T) {
	const program = `pipeline p(in src: f32[H][W], out dst: f32[H][W], in planes: i32 = 10, in more: i32) {
    assume(planes > 0 && more > 0);
    image all: f32[planes + 1][2*more][W] = [src[0][x] for z, y, x];
    dst = [all[0][0][x] for y, x];
}`
	p := sematest.Program(t, program).Pipelines[0]
	eval := evaluator(func(*hast.Var) int64 { return 512 }, settled(p, 0))
	stage := p.Steps[len(p.Steps)-2].(*hast.Stage)
	for i, want := range []int64{11, 2, 512} {
		if n := eval(stage.Space.Ranges[i].Hi); n != want {
			t.Errorf("axis %d has %d values instead of %d", i, n, want)
		}
	}
}
