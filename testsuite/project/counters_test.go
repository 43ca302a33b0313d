package project

import (
	"os"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// counters is a sum in one launch.
const counters = `
pipeline counters(in src: u8[H][W], out total: i64) { total = sum(src); }
schedule counters { sum_part: item(16, 4) reduce(64); total: item(2, 4) reduce(64) last; }
`

// TestEveryCallFindsItsCounterAtZero makes calls in all ways that there are, several times, of a kernel whose last group goes on.
func TestEveryCallFindsItsCounterAtZero(t *testing.T) {
	harness.Device(t)
	library := harness.WriteProject(t, harness.CompileWith(t, "counters.img", counters, imgc.Options{Mode: imgc.Strict}), imgc.ProjectOptions{})
	text, err := os.ReadFile(library.Path("src/counters.c"))
	if err != nil || strings.Count(string(text), "TRY(launch(") != 1 {
		t.Fatalf("the sum takes more than one launch (%v)", err)
	}
	options := append([]string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}, harness.Warnings...)
	if out, err := sanitized(t, library.Compile(t, "everycall", "gcc", options, "src/counters.c", testdata(t, "everycall.c"))).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
