package feature_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// TestBytesOfWhatIsReadInSteps: a stage that is fused with one which reads it in steps reads all pixels that lie below, as often as it has instances there.
func TestBytesOfWhatIsReadInSteps(t *testing.T) {
	for _, c := range []struct {
		name, body string
		read       float64
	}{
		{"all pixels", `image m: f32[2*H][2*W] border clamp = [src[y][x] + 1 for y, x]; dst = [m[2*y - 1][2*x] + m[2*y + 1][2*x + 2] for y, x];`, 4 * 100},
		{"every second one", `image m: f32[2*H][2*W] = [src[y][x] + 1 for y, x]; dst = [m[2*y][2*x] for y, x];`, 100},
		{"every second column", `image m: f32[2*H][2*W] = [src[y][x] + 1 for y, x]; dst = [m[2*y][2*x] + m[2*y + 1][2*x] for y, x];`, 2 * 100},
	} {
		p := pipeline(t, "in src: f32[2*H][2*W], out dst: f32[H][W]", c.body)
		q, refused := fuse.Apply(fuse.Needed(p), fuse.Options{Unroll: 64}, func(s *hast.Stage) (d schedule.Decisions) {
			if s.Name == "m" {
				d.Place = schedule.Fuse
			}
			return d
		})
		if len(refused) > 0 {
			t.Fatalf("%s: %s", c.name, refused[0].Why)
		}
		hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) {
			if read, _ := feature.OfStage(s, false).Bytes(ofTen); read != 4*c.read {
				t.Errorf("%s: %v bytes are read, not %v", c.name, read, 4*c.read)
			}
		})
	}
}

// ofTen is what a product of numbers and sizes is where all sizes are 10.
func ofTen(e hast.Expr) int64 {
	if n, known := hast.Number(e); known {
		return n
	}
	if op, ok := e.(*hast.Op); ok {
		return ofTen(op.Args[0]) * ofTen(op.Args[1])
	}
	return 10
}
