package parser

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/grammar"
	"imgc/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// formatted parses and prints a text; ok is false if it has errors.
func formatted(name, text string) (out, tree string, ok bool) {
	var diags diag.List
	f := Parse(source.NewFile(name, text), &diags)
	if diags.HasErrors() {
		return "", "", false
	}
	return Format(f), dump(f), true
}

// checkFormat wants a valid text's layout to keep its tokens, comments and tree, and to be final.
func checkFormat(t *testing.T, name, text string) string {
	t.Helper()
	once, tree, ok := formatted(name, text)
	if !ok {
		t.Fatalf("%s does not parse:\n%s", name, text)
	}
	twice, again, ok := formatted(name, once)
	switch {
	case !ok:
		t.Fatalf("%s: what was printed does not parse:\n%s\n--- from\n%s", name, once, text)
	case tree != again:
		t.Fatalf("%s: the tree has changed:\n%s\n--- from\n%s", name, once, text)
	case once != twice:
		t.Fatalf("%s: printed again it differs:\n%s\n--- first\n%s\n--- from\n%s", name, twice, once, text)
	}
	if a, b := elements(text), elements(once); a != b {
		t.Fatalf("%s: tokens or comments are lost:\n%s\n--- from\n%s", name, once, text)
	}
	return once
}

// elements lists the tokens of a text, then its comments without blanks.
func elements(text string) string {
	scanned := grammar.Scan(text)
	var b strings.Builder
	for _, t := range scanned.Tokens {
		b.WriteString(t.Value + "\n")
	}
	for _, c := range scanned.Comments {
		b.WriteString(strings.Join(strings.Fields(text[c.Start:c.End]), "") + "\n")
	}
	return b.String()
}

func TestFormatKeepsValidProgramsAndIsFinal(t *testing.T) {
	for name, text := range validFiles(t) {
		checkFormat(t, name, text)
		checkFormat(t, name+" on one line", strings.Join(strings.Fields(withoutComments(text)), " "))
		checkFormat(t, name+" with a token on each line", tokenPerLine(text))
		checkFormat(t, name+" with comments everywhere", commentsEverywhere(text, "/* c */"))
		checkFormat(t, name+" with line comments everywhere", commentsEverywhere(text, "// c\n"))
		checkFormat(t, name+" with own lines everywhere", commentsEverywhere(text, "\n\n\n// c\n\n\n"))
		checkFormat(t, name+" with CRLF", strings.ReplaceAll(text, "\n", "\r\n"))
	}
}

func withoutComments(text string) string {
	scanned := grammar.Scan(text)
	for i := len(scanned.Comments) - 1; i >= 0; i-- {
		c := scanned.Comments[i]
		text = text[:c.Start] + " " + text[c.End:]
	}
	return text
}

func tokenPerLine(text string) string { return joinTokens(text, "\n") }

func commentsEverywhere(text, comment string) string { return joinTokens(text, " "+comment+" ") }

// joinTokens puts something between all tokens. Declarations must not start in the first column inside a block.
func joinTokens(text, between string) string {
	var b strings.Builder
	for _, t := range grammar.Scan(text).Tokens {
		b.WriteString(" " + t.Value + between)
	}
	return b.String()
}

func TestFormatGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/format/*.in.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs to format: ", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := checkFormat(t, filepath.Base(path), string(text))
		golden := strings.TrimSuffix(path, ".in.img") + ".out.img"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\n--- want\n%s", path, got, want)
		}
	}
}

func TestFormatReturnsTextsWithErrorsAsTheyAre(t *testing.T) {
	for _, text := range []string{"const a = ;\n  const b = 1;", "pipeline p() { x = ; y = 1; }", "const a  =  1; }", "const a = 'c';", "/* open"} {
		var diags diag.List
		if got := Format(Parse(source.NewFile("a.img", text), &diags)); got != text || !diags.HasErrors() {
			t.Errorf("%q became %q", text, got)
		}
	}
}
