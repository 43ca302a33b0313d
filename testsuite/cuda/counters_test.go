package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// countersAtZero calls it in all ways that there are, several times: each call finds its counter at 0.
func countersAtZero(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "counters.img", harness.Counters, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "everycall.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
}
