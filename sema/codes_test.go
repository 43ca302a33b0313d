package sema_test

import (
	"strings"
	"testing"

	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// documented are the codes of this package.
func documented(e diag.Entry) bool {
	for _, prefix := range []string{"IMG02", "IMG03", "IMG04", "IMG06", "IMG09"} {
		if strings.HasPrefix(string(e.Code), prefix) {
			return true
		}
	}
	return false
}

func TestDocumentedExamplesFailAndAreMended(t *testing.T) {
	for _, e := range diag.Entries() {
		if !documented(e) {
			continue
		}
		_, failing := check("failing.img", e.Failing, nil)
		if failing.Len() == 0 {
			t.Errorf("%s: the failing example is accepted", e.Code)
		}
		for _, d := range failing.Sorted() {
			if d.Code != e.Code {
				t.Errorf("%s: the failing example reports\n%s", e.Code, listing(failing))
				break
			}
		}
		if p, mended := check("mended.img", e.Mended, nil); p == nil || mended.Len() > 0 {
			t.Errorf("%s: the mended example reports\n%s", e.Code, listing(mended))
		}
	}
}

// defines parses the values of -D.
func defines(t *testing.T, values map[string]string) map[string]syntax.Expr {
	t.Helper()
	out := map[string]syntax.Expr{}
	for name, text := range values {
		var diags diag.List
		out[name] = parser.ParseExpr(source.NewFile("-D "+name, text), &diags)
		if diags.Len() > 0 {
			t.Fatal(listing(&diags))
		}
	}
	return out
}
