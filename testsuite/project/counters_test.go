package project

import (
	"os"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestEveryCallFindsZeros makes calls in all ways that there are, several times, of kernels whose last group goes on.
func TestEveryCallFindsZeros(t *testing.T) {
	harness.Device(t)
	for _, kept := range harness.Kept {
		t.Run(kept.Name, func(t *testing.T) {
			library := harness.WriteProject(t, harness.CompileWith(t, "counters.img", kept.Text, imgc.Options{Mode: imgc.Strict}), imgc.ProjectOptions{})
			text, err := os.ReadFile(library.Path("src/counters.c"))
			if n := strings.Count(string(text), "TRY(launch("); err != nil || n != kept.Launches {
				t.Fatalf("there are %d launches, not %d (%v)", n, kept.Launches, err)
			}
			options := append([]string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}, harness.Warnings...)
			if out, err := sanitized(t, library.Compile(t, "everycall", "gcc", options, "src/counters.c", testdata(t, "everycall.c"))).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
