package samples

import (
	"os"
	"path/filepath"
	"testing"

	"imgc"
)

// TestSamplesAreFormatted holds the samples to the layout that imgc fmt prints.
func TestSamplesAreFormatted(t *testing.T) {
	paths, err := filepath.Glob("../../samples/*/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		formatted, diags, err := imgc.Format(filepath.Base(path), string(text))
		if err != nil || diags.HasErrors() {
			t.Errorf("%s: %v", path, err)
		} else if formatted != string(text) {
			t.Errorf("%s is not in the layout of imgc fmt -w", path)
		}
	}
}
