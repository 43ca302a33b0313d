package sema_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"imgc/diag"
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
		said := slices.ContainsFunc(diags.Sorted(), func(d *diag.Diagnostic) bool { return d.Severity != diag.Info })
		if p == nil || said {
			t.Errorf("%s", listing(diags))
		} else if err := hast.Verify(p); err != nil {
			t.Error(err)
		}
	}
}
