package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/source"
)

// want matches an expectation: want CODE "part of the message", for the line it stands on or, with +n or -n, another.
var want = regexp.MustCompile(`want([+-]\d+)? (IMG\d{4}) "([^"]*)"`)

type expectation struct {
	line    int
	code    diag.Code
	message string
}

func expectationsOf(text string) []expectation {
	var out []expectation
	for i, line := range strings.Split(text, "\n") {
		for _, m := range want.FindAllStringSubmatch(line, -1) {
			offset, _ := strconv.Atoi(m[1])
			out = append(out, expectation{i + 1 + offset, diag.Code(m[2]), m[3]})
		}
	}
	return out
}

func TestWrongProgramsGetTheMessagesNotedInThem(t *testing.T) {
	paths, err := filepath.Glob("testdata/wrong/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no wrong programs: ", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var diags diag.List
			Parse(source.NewFile(filepath.Base(path), string(text)), &diags)
			compare(t, expectationsOf(string(text)), diags.Sorted())
		})
	}
}

// compare wants each expectation met by one diagnostic and each diagnostic expected.
func compare(t *testing.T, wanted []expectation, got []*diag.Diagnostic) {
	t.Helper()
	met := make([]bool, len(got))
next:
	for _, w := range wanted {
		for i, d := range got {
			if !met[i] && d.Span.Line() == w.line && d.Code == w.code && says(d, w.message) {
				met[i] = true
				continue next
			}
		}
		t.Errorf("line %d: no %s %q", w.line, w.code, w.message)
	}
	for i, d := range got {
		if !met[i] {
			t.Errorf("not expected: %s", line(d))
		}
	}
}

// says reports whether the message or a note has the text.
func says(d *diag.Diagnostic, text string) bool {
	return strings.Contains(d.Message, text) ||
		slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return strings.Contains(n.Message, text) })
}

func line(d *diag.Diagnostic) string {
	return fmt.Sprintf("%s: %s[%s]: %s", d.Span, d.Severity, d.Code, d.Message)
}
