package loops_test

import (
	"os"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/loops"
	"imgc/sema/sematest"
)

// eachBatched calls f for the loops of counted rounds that a program of testdata has once its loops are in batches, in the order of its text.
func eachBatched(t *testing.T, name string, asked func(name string) bool, f func(pipeline string, l *hast.ForHost)) {
	t.Helper()
	text, err := os.ReadFile("../../testsuite/differential/testdata/" + name + ".img")
	if err != nil {
		t.Fatal(err)
	}
	p := loops.Batched(sematest.Program(t, string(text)), asked)
	if err := hast.Verify(p); err != nil {
		t.Fatal(err)
	}
	for _, q := range p.Pipelines {
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if l, ok := s.(*hast.ForHost); ok {
				f(q.Name, l)
			}
		})
	}
}

// Which loops of the program ask every few rounds.
func TestLoopsThatSettleAskEveryFewRounds(t *testing.T) {
	var got []string
	eachBatched(t, "until_nothing_changes", func(name string) bool { return name != "filled" }, func(pipeline string, l *hast.ForHost) {
		if got = append(got, pipeline); l.Settles == nil {
			t.Errorf("%s: no round knows what those before it have changed", pipeline)
		}
	})
	// Of labels the copy has to be a swap first (fuse.Exchange), and nobody has asked for the third.
	if want := "hysteresis"; strings.Join(got, " ") != want {
		t.Errorf("in batches are %s, want %s", strings.Join(got, " "), want)
	}
}
