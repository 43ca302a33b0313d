package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// keptAsZeros makes calls in all ways that there are, several times: each finds its counter and its bins as zeros.
func keptAsZeros(t *testing.T, host *harness.Host) {
	caller, err := filepath.Abs(filepath.Join("testdata", "everycall.c"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range harness.Kept {
		p := harness.CompileWith(t, "counters.img", kept.Text, imgc.Options{Mode: imgc.Strict})
		project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
		harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
	}
}
