package samples

import (
	"os"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestSamplesInBlocks runs every pipeline under decisions at random whose work-items compute blocks of instances. It takes many
// minutes and runs where IMGC_BLOCKS is set.
func TestSamplesInBlocks(t *testing.T) {
	if os.Getenv("IMGC_BLOCKS") == "" {
		t.Skip("IMGC_BLOCKS is not set")
	}
	for _, r := range chosen() {
		t.Run(r.file+"/"+r.pipeline, func(t *testing.T) {
			s := r.prepare(t, small)
			opts := imgc.Options{Mode: imgc.Strict, Decide: harness.Blocks(1), Pipelines: []string{r.pipeline}}
			s.onDevice(t, harness.CompileFileWith(t, r.path(), opts), r.strict, layouts)
		})
	}
}
