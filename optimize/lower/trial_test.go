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
