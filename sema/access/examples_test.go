package access_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// check compiles a text up to hast.
func check(name, text string) (*hast.Program, *diag.List) {
	diags := &diag.List{}
	file := parser.Parse(source.NewFile(name, text), diags)
	return sema.Check(file, sema.Options{}, diags), diags
}

func listing(diags *diag.List) string {
	var b strings.Builder
	for _, d := range diags.Sorted() {
		fmt.Fprintf(&b, "%s: %s[%s]: %s\n", d.Span, d.Severity, d.Code, d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "    %s\n", n.Message)
		}
	}
	return b.String()
}

func TestDocumentedExamplesFailAndAreMended(t *testing.T) {
	found := 0
	for _, e := range diag.Entries() {
		if !strings.HasPrefix(string(e.Code), "IMG05") {
			continue
		}
		found++
		_, failing := check("failing.img", e.Failing)
		if got := failing.Sorted(); len(got) != 1 || got[0].Code != e.Code {
			t.Errorf("%s: the failing example reports:\n%s", e.Code, listing(failing))
		}
		if _, mended := check("mended.img", e.Mended); mended.Len() > 0 {
			t.Errorf("%s: the mended example reports:\n%s", e.Code, listing(mended))
		}
	}
	if found == 0 {
		t.Error("no codes")
	}
}
