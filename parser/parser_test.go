package parser

import (
	"os"
	"path/filepath"
	"testing"

	"imgc/diag"
	"imgc/source"
)

func validFiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/valid/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no valid programs: ", err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	return texts
}

func TestValidProgramsParseWithoutAMessage(t *testing.T) {
	for name, text := range validFiles(t) {
		var diags diag.List
		tree := Parse(source.NewFile(name, text), &diags)
		for _, d := range diags.Sorted() {
			t.Errorf("%s: %s %s", d.Span, d.Code, d.Message)
		}
		if len(tree.Decls) == 0 {
			t.Errorf("%s: nothing parsed", name)
		}
	}
}
