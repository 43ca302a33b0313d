package sema_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/load"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
	"imgc/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

// check runs the checker over a text.
func check(name, text string, defines map[string]syntax.Expr) (*hast.Program, *diag.List) {
	diags := &diag.List{}
	file := parser.Parse(source.NewFile(name, text), diags)
	imports := load.Imports(file, load.Options{Files: texts{}}, diags) // the library's
	return sema.Check(file, sema.Options{Defines: defines, Imports: imports}, diags), diags
}

// listing is what diagnostics say, a line for each message and note.
func listing(diags *diag.List) string {
	var b strings.Builder
	for _, d := range diags.Sorted() {
		fmt.Fprintf(&b, "%s: %s[%s]: %s\n", d.Span, d.Severity, d.Code, d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "    %s: %s\n", n.Span, n.Message)
		}
	}
	return b.String()
}

func programs(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.img"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in testdata/%s: %v", folder, err)
	}
	return files
}

func TestRightProgramsBecomeTheExpectedTree(t *testing.T) {
	for _, name := range programs(t, "good") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p, diags := check(filepath.Base(name), string(text), nil)
			if p == nil {
				t.Fatalf("not accepted:\n%s", listing(diags))
			}
			if err := hast.Verify(p); err != nil {
				t.Error(err)
			}
			got := ofAccess.ReplaceAllString(hast.Dump(p), "") + listing(diags)
			again, _ := check(filepath.Base(name), string(text), nil)
			if hast.Dump(again) != hast.Dump(p) {
				t.Error("two runs differ")
			}
			golden := strings.TrimSuffix(name, ".img") + ".hast"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// ofAccess are the checks at entry that the access analysis adds, which its own tests look at.
var ofAccess = regexp.MustCompile(`(?m)^ *check .*\(\w+\.img:\d+\)"\n`)

// expectation is // want CODE "part of the message or a note" at the end of the line that a diagnostic is reported on. Several
// may stand in one line.
var expectation = regexp.MustCompile(`want (IMG\d{4}) "([^"]*)"`)

func TestWrongProgramsAreReportedAsAnnotated(t *testing.T) {
	for _, name := range programs(t, "bad") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			_, diags := check(filepath.Base(name), string(text), nil)
			compare(t, string(text), diags)
		})
	}
}

// compare holds the diagnostics of a file against its annotations: each is expected, and each expectation is met.
func compare(t *testing.T, text string, diags *diag.List) {
	t.Helper()
	left := map[int][]*diag.Diagnostic{}
	for _, d := range diags.Sorted() {
		left[d.Span.Line()] = append(left[d.Span.Line()], d)
	}
	for i, line := range strings.Split(text, "\n") {
		for _, want := range expectation.FindAllStringSubmatch(line, -1) {
			if !take(left, i+1, diag.Code(want[1]), want[2]) {
				t.Errorf("line %d: no %s with %q", i+1, want[1], want[2])
			}
		}
	}
	for line, rest := range left {
		for _, d := range rest {
			t.Errorf("line %d: unexpected %s: %s %s", line, d.Code, d.Message, notes(d))
		}
	}
}

func notes(d *diag.Diagnostic) string {
	var parts []string
	for _, n := range d.Notes {
		parts = append(parts, n.Message)
	}
	return strings.Join(parts, " | ")
}

func take(left map[int][]*diag.Diagnostic, line int, code diag.Code, part string) bool {
	for i, d := range left[line] {
		if d.Code == code && strings.Contains(d.Message+" | "+notes(d), part) {
			left[line] = append(left[line][:i:i], left[line][i+1:]...)
			return true
		}
	}
	return false
}
