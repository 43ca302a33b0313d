package parser

import (
	"os"
	"path/filepath"
	"testing"

	"imgc/diag"
	"imgc/source"
)

// FuzzParse parses and prints any text: nothing panics, messages have places and codes, and what is valid keeps its tree.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.img", "testdata/wrong/*.img", "testdata/format/*.img"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	for _, e := range diag.Entries() {
		f.Add(e.Failing)
		f.Add(e.Mended)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var diags, exprDiags diag.List
		file := source.NewFile("fuzz.img", text)
		tree := Parse(file, &diags)
		for _, d := range diags.Sorted() {
			if d.Severity == diag.Error && (!d.Span.IsValid() || d.Span.End > len(text) || d.Span.End < d.Span.Start || d.Code == "") {
				t.Errorf("a message without a place or code: %v", d)
			}
		}
		checkSpans(t, tree)
		if diags.HasErrors() {
			Format(tree)
		} else {
			checkFormat(t, "fuzz.img", text)
		}
		if x := ParseExpr(file, &exprDiags); (x == nil) != exprDiags.HasErrors() {
			t.Errorf("ParseExpr gives %v with %d messages", x, exprDiags.Len())
		}
	})
}
