package loops_test

import (
	"os"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/loops"
	"imgc/sema/sematest"
)

// Which loops of the program ask every few rounds.
func TestLoopsThatSettleAskEveryFewRounds(t *testing.T) {
	text, err := os.ReadFile("../../testsuite/differential/testdata/until_nothing_changes.img")
	if err != nil {
		t.Fatal(err)
	}
	p := loops.Batched(sematest.Program(t, string(text)), func(name string) bool { return name != "filled" })
	if err := hast.Verify(p); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range p.Pipelines {
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if _, ok := s.(*hast.ForHost); ok {
				got = append(got, q.Name)
			}
		})
	}
	// Of labels the copy has to be a swap first (fuse.Exchange), and nobody has asked for the third.
	if want := "hysteresis"; strings.Join(got, " ") != want {
		t.Errorf("in batches are %s, want %s", strings.Join(got, " "), want)
	}
}
