package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// counters is a sum in one launch.
const counters = `
pipeline counters(in src: u8[H][W], out total: i64) { total = sum(src); }
schedule counters { sum_part: item(16, 4) reduce(64); total: item(2, 4) reduce(64) last; }
`

// countersAtZero calls it in all ways that there are, several times: each call finds its counter at 0.
func countersAtZero(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "counters.img", counters, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "everycall.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
}
