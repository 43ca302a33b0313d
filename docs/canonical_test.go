package docs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"imgc"
)

// TestExamplesAreFormatted holds examples to the layout of imgc fmt, so that a reader who formats one sees no change. It leaves
// alone what has syntax errors, files of the repository, and what is marked so: ```img unformatted.
//
// This file comes first, so that under -update the messages about an example are those of its new layout.
func TestExamplesAreFormatted(t *testing.T) {
	for _, p := range pages(t) {
		for _, f := range p.fences(t) {
			if !f.is("img") || slices.Contains(f.info, "unformatted") || strings.Contains(f.name(), "/") {
				continue
			}
			formatted, diags, err := imgc.Format("example.img", f.text)
			if err != nil {
				t.Fatal(err)
			}
			if !diags.HasErrors() {
				t.Run(fmt.Sprintf("%s:%d", p.path, f.line), func(t *testing.T) { f.holds(t, formatted) })
			}
		}
	}
}
