package docs_test

import (
	"testing"

	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// lineCount is how many lines of a program say something: lines that hold more than blanks and comments, without tables of
// coefficients, which are as long in every language.
func lineCount(t *testing.T, p *page) int {
	t.Helper()
	diags := &diag.List{}
	file := parser.Parse(source.NewFile(p.path, p.text), diags)
	if diags.HasErrors() {
		t.Fatalf("%s does not parse", p.path)
	}
	said := []byte(p.text)
	for _, c := range file.Comments {
		blank(said, c.At)
	}
	for _, d := range file.Decls {
		if isTable(d) {
			blank(said, d.Span())
		}
	}
	n := 0
	counted := false
	for _, c := range said {
		switch {
		case c == '\n':
			counted = false
		case !counted && c != ' ' && c != '\t' && c != '\r':
			counted = true
			n++
		}
	}
	return n
}

// blank overwrites what a span covers, but for its ends of lines.
func blank(text []byte, at source.Span) {
	for i := at.Start; i < at.End; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// isTable is true of a constant, mask or domain that lists its values one by one, also where all are divided by something.
func isTable(d syntax.Decl) bool {
	var value syntax.Expr
	switch d := d.(type) {
	case *syntax.Const:
		value = d.Value
	case *syntax.Mask:
		value = d.Value
	case *syntax.Domain:
		value = d.Value
	}
	if b, ok := value.(*syntax.Binary); ok {
		value = b.X
	}
	list, ok := value.(*syntax.List)
	return ok && list.For == nil
}

func TestLinesAreThoseThatSaySomething(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"blanks and comments", "// a\n\n  /* b\n c */ \n\t\n", 0},
		{"code beside comments", "const A = 1; // a\n/* b */ const B = 2;\n", 2},
		{"no last line end", "const A = 1;", 1},
		{"two on a line", "const A = 1; const B = 2;\n", 1},
		{"a mask by formula", "mask m: i32[3] = [i for i in 0:3];\nconst A = sum(m);\n", 2},
		{"a mask for all", "mask m: i32[3][3] = 1;\n", 1},
		{"a table", "mask m: i32[3] = [\n    1, 2, 1\n];\nconst A = 1;\n", 1},
		{"a table divided", "mask m: f32[3] = [1, 2, 1] / 4.0;\n", 0},
		{"a domain", "domain d[1][3] = [[1, 0, 1]];\ndomain e[3];\n", 1},
		{"braces", "pipeline p(in a: u8[N], out b: u8[N]) {\n    iterate (i) over b {\n        b[i] = a[i];\n    }\n}\n", 5},
	} {
		if got := lineCount(t, &page{c.name, c.text}); got != c.want {
			t.Errorf("%s: %d lines, want %d", c.name, got, c.want)
		}
	}
}
