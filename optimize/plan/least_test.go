package plan

import (
	"fmt"
	"testing"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
)

// TestLeastIsWhatIsPicked holds the time of the best candidate, of those that are asked until none can be better, against that of what is chosen among all.
func TestLeastIsWhatIsPicked(t *testing.T) {
	text := floatMasks() + `
pipeline median(in src: u8[H][W], out dst: u8[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = median(src[y - 1 : 3][x - 1 : 3]); }
pipeline histogram(in src: u8[H][W], inout h: u32[256]) { iterate (y, x) over src h[src[y][x]] += 1u; }
pipeline rows(in src: f32[H][W], out r: f32[H]) { iterate (y) over r r[y] = sum(src[y][x] for x in 0:W); }
pipeline points(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = 2*src[y][x]; }
`
	stages := map[string]*hast.Stage{}
	stagesOf(t, text, stages)
	for _, model := range []string{"nvidia-h200", "pocl-avx512", "generic-gpu"} {
		m, err := archmodels.Load(model)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{2048, 1000, 1003} {
			trials, asked := new(lower.Trials), 0
			to := Target{
				Model: m.WithUsual(), Size: func(*hast.Var) int64 { return width }, Fusing: fuse.Options{Unroll: lower.Defaults().Unroll},
				EndsApart: func(s *hast.Stage, d schedule.Decisions) bool { return trials.EndsApart(s, d, kir.Contract) },
			}
			to.Legal = func(s *hast.Stage, d schedule.Decisions) string {
				asked++
				return trials.Refuse(s, d, kir.Contract, 0)
			}
			fewer := 0
			for name, s := range stages {
				t.Run(fmt.Sprint(model, "/", width, "/", name), func(t *testing.T) {
					work := func() *work { return newWork(feature.OfStage(s, false), to.Model, evaluator(to.Size, nil)) }
					all := choose(work(), to)
					fewer += asked
					asked = 0
					if got, want := least(work(), to), all.Picked.Cost.Total(); got != want {
						t.Errorf("least is %g, what is picked takes %g: %s", got, want, all.Picked.Decisions)
					}
					fewer -= asked
					asked = 0
				})
			}
			if fewer <= 0 {
				t.Errorf("%s, %d columns: as many candidates are asked as there are", model, width)
			}
		}
	}
}
