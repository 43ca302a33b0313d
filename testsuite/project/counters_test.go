package project

import (
	"os"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestEveryCallFindsItsCounterAtZero makes calls in all ways that there are, several times, of a kernel whose last group goes on.
func TestEveryCallFindsItsCounterAtZero(t *testing.T) {
	harness.Device(t)
	library := harness.WriteProject(t, harness.CompileWith(t, "counters.img", harness.Counters, imgc.Options{Mode: imgc.Strict}), imgc.ProjectOptions{})
	text, err := os.ReadFile(library.Path("src/counters.c"))
	if err != nil || strings.Count(string(text), "TRY(launch(") != 1 {
		t.Fatalf("the sum takes more than one launch (%v)", err)
	}
	options := append([]string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}, harness.Warnings...)
	if out, err := sanitized(t, library.Compile(t, "everycall", "gcc", options, "src/counters.c", testdata(t, "everycall.c"))).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
