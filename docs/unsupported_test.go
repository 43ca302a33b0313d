package docs_test

import (
	"context"
	"strings"
	"testing"

	"imgc"
	"imgc/diag"
)

// The rows of the reference's table of what parses and is not supported yet: a word of each entry, and a program of it. When one of
// them compiles, the table has to say so no longer.
var unsupported = []struct{ entry, program string }{
	{"`p[k]` of a pyramid with a k that is no constant", `pipeline p(in a: u8[N], in k: i32) { pyramid g: u8[N] levels 3; g[k] = a; }`},
	{"a pyramid in the body of a `traverse`", `pipeline p(in a: u8[N]) { pyramid g: u8[N] levels 3; traverse (g) { pyramid h: u8[N] levels 3; } }`},
}

func TestReferenceListsWhatIsNotSupported(t *testing.T) {
	_, list, ok := strings.Cut(readPage(t, "docs/language.md").text, "\n## What parses and is not supported yet\n")
	if !ok {
		t.Fatal("the reference has no such chapter")
	}
	list, _, _ = strings.Cut(list, "```")
	for _, u := range unsupported {
		if !strings.Contains(list, u.entry) {
			t.Errorf("the reference does not list %s", u.entry)
		}
		result, err := imgc.Check(context.Background(), "example.img", u.program, imgc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, d := range result.Diagnostics.Sorted() {
			found = found || d.Code == diag.NotSupported
		}
		if !found {
			t.Errorf("the reference lists %s, but this is not reported so:\n%s", u.entry, u.program)
		}
	}
}
