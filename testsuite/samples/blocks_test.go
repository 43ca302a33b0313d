package samples

import (
	"os"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestSamplesInBlocks runs every pipeline under decisions at random whose work-items compute blocks of instances, or, where
// IMGC_BLOCKS names an architecture, as planned for that. It takes many minutes and runs where IMGC_BLOCKS is set.
func TestSamplesInBlocks(t *testing.T) {
	name := os.Getenv("IMGC_BLOCKS")
	if name == "" {
		t.Skip("IMGC_BLOCKS is not set")
	}
	for _, r := range chosen() {
		t.Run(r.file+"/"+r.pipeline, func(t *testing.T) {
			s := r.prepare(t, small)
			opts := imgc.Options{Mode: imgc.Strict, Pipelines: []string{r.pipeline}}
			if model, err := imgc.OpenArchitecture(name); err == nil {
				opts.Arch = model
			} else {
				opts.Decide = harness.Blocks(1)
			}
			s.onDevice(t, harness.CompileFileWith(t, r.path(), opts), r.strict, layouts)
		})
	}
}
