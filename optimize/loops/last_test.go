package loops_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/loops"
)

// Which stages of the loops of a program only the last round has to run.
func TestStagesThatOnlyTheLastRoundRuns(t *testing.T) {
	var got []string
	eachBatched(t, "last_rounds", func(string) bool { return true }, func(pipeline string, l *hast.ForHost) {
		for _, x := range loops.LastAlone(l) {
			got = append(got, pipeline+"."+x.Name)
		}
	})
	// The loop of carried reads what it has made, and that of counted adds to it.
	if want := "watched.any watched.grown_2"; strings.Join(got, " ") != want {
		t.Errorf("the last round alone runs %s, want %s", strings.Join(got, " "), want)
	}
}
