package parser

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/source"
)

// syntaxEntries are the documented codes of this package.
func syntaxEntries(t *testing.T) []diag.Entry {
	t.Helper()
	var out []diag.Entry
	for _, e := range diag.Entries() {
		if strings.HasPrefix(string(e.Code), "IMG01") {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		t.Fatal("no codes")
	}
	return out
}

func TestDocumentedExamplesFailAndAreMended(t *testing.T) {
	for _, e := range syntaxEntries(t) {
		var failing, mended diag.List
		Parse(source.NewFile("failing.img", e.Failing), &failing)
		if got := failing.Sorted(); len(got) != 1 || got[0].Code != e.Code {
			t.Errorf("%s: the failing example reports:", e.Code)
			for _, d := range got {
				t.Errorf("    %s", line(d))
			}
		}
		Parse(source.NewFile("mended.img", e.Mended), &mended)
		for _, d := range mended.Sorted() {
			t.Errorf("%s: the mended example reports %s", e.Code, line(d))
		}
	}
}

func TestEveryCodeOfTheParserIsDocumented(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range codesIn(file) {
			found++
			if _, ok := diag.Describe(code); !ok {
				t.Errorf("%s is reported but not documented", code)
			}
		}
	}
	if documented := len(syntaxEntries(t)); found < documented {
		t.Errorf("%d codes are documented, %d stand in the parser", documented, found)
	}
}

// codesIn lists the codes that stand in a Go file.
func codesIn(file *ast.File) []diag.Code {
	var codes []diag.Code
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(s, "IMG01") && len(s) == len("IMG0123") {
				codes = append(codes, diag.Code(s))
			}
		}
		return true
	})
	return codes
}
