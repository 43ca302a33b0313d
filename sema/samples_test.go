package sema_test

import (
	"os"
	"path/filepath"
	"testing"

	"imgc/hast"
)

func TestSamplesAreAccepted(t *testing.T) {
	files, err := filepath.Glob("../samples/*/*.img")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../samples/*/*/*.img")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := check(filepath.Base(name), string(text), nil)
		if p == nil || diags.Len() > 0 {
			t.Errorf("%s", listing(diags))
		} else if err := hast.Verify(p); err != nil {
			t.Error(err)
		}
	}
}
