package lower

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/schedule"
	"imgc/sema/sematest"
)

// TestTrialsOfSomePointsSayWhatThoseOfAllDo holds what trials say of the stages of samples, for the shapes that rows have, against what they say where
// nothing is left out: no point, no number of lanes, no column that is computed by itself.
func TestTrialsOfSomePointsSayWhatThoseOfAllDo(t *testing.T) {
	paths, err := filepath.Glob("../../samples/*/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples: ", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "import ") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, p := range sematest.Program(t, string(text)).Pipelines {
				hast.WalkSteps(p.Steps, func(step hast.Step) {
					if s, ok := step.(*hast.Stage); ok {
						trialsAgree(t, s)
					}
				})
			}
		})
	}
}

// TestTrialsOfSomePointsKnowBitsAndPlaces holds the same of sums of which samples have few: whose integers need more bits than those of some points, wrap, or are of 64 bits, and whose points lie
// apart, or at divided coordinates.
func TestTrialsOfSomePointsKnowBitsAndPlaces(t *testing.T) {
	for _, value := range []string{
		"f32(sum(a[y-3:7][x-3:7]))",
		"f32(sum(a[y+j][x+i] * a[y+j][x+i] * 4000 for j in -3:4, i in -3:4))",
		"f32(sum(i64(a[y+j][x+i]) * a[y+j][x+i] for j in -3:4, i in -3:4))",
		"sum(f32(a[y+2*j][x+2*i]) * bell[j+3][i+3] for j in -3:4, i in -3:4)",
		"sum(f32(a[y+j/2][x+i/3]) for j in -3:4, i in -3:4)",
		"f32(sum(a[y+j][x+j*i] for j in -3:4, i in -3:4))",
		"sqrt(f32(sum(a[y+j][x+i] for j in -8:9, i in -8:9)))",
		"f32(max(a[y-3:7][x-3:7])) + sum(f32(a[y+j][x+i] * j) for j in -3:4, i in -3:4)",
	} {
		p := sematest.Program(t, "mask bell: f32[7][7] = [exp(-(y*y + x*x) / 4.0) for y in -3:4, x in -3:4];\n"+
			"pipeline p(in a: u8[H][W] border clamp, out r: f32[H][W]) { iterate (y, x) over r r[y][x] = "+value+"; }")
		t.Run(value, func(t *testing.T) { trialsAgree(t, p.Pipelines[0].Steps[0].(*hast.Stage)) })
	}
}

func trialsAgree(t *testing.T, s *hast.Stage) {
	t.Helper()
	for _, mode := range []kir.Mode{kir.Contract, kir.Fast} {
		some, all := new(Trials), &Trials{all: true}
		for _, d := range rowShapes() {
			if got, want := some.Refuse(s, d, mode, 0), all.Refuse(s, d, mode, 0); got != want {
				t.Errorf("%s: %s: some points say %q, all %q", s.Name, d, got, want)
			}
		}
	}
}

// rowShapes are the forms of work-items that compute rows, with reductions of a few and of many points written out.
func rowShapes() (list []schedule.Decisions) {
	for _, unroll := range []int{0, 289} {
		for _, lanes := range []int{8, 16, 64} {
			for _, d := range []schedule.Decisions{{Rows: 1}, {Rows: 4, RowSums: 1}, {Rows: 1, Line: 128}, {Rows: 2, Line: 128}, {Rows: 2, Block: lanes}} {
				d.Lanes, d.Unroll = lanes, unroll
				list = append(list, d)
			}
		}
	}
	return list
}
