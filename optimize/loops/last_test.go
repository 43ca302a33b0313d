package loops_test

import (
	"os"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/loops"
	"imgc/sema/sematest"
)

// Which stages of the loops of a program only the last round has to run.
func TestStagesThatOnlyTheLastRoundRuns(t *testing.T) {
	text, err := os.ReadFile("../../testsuite/differential/testdata/last_rounds.img")
	if err != nil {
		t.Fatal(err)
	}
	p := loops.Batched(sematest.Program(t, string(text)), func(string) bool { return true })
	var got []string
	for _, q := range p.Pipelines {
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if l, ok := s.(*hast.ForHost); ok {
				for _, x := range loops.LastAlone(l) {
					got = append(got, q.Name+"."+x.Name)
				}
			}
		})
	}
	// The loop of carried reads what it has made, and that of counted adds to it.
	if want := "hysteresis.changed_2 watched.any watched.grown_2"; strings.Join(got, " ") != want {
		t.Errorf("the last round alone runs %s, want %s", strings.Join(got, " "), want)
	}
}
