package sematest

import (
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// Program is a program from its text, which has to be one without errors: the test ends otherwise.
func Program(t testing.TB, text string) *hast.Program {
	t.Helper()
	var diags diag.List
	p := sema.Check(parser.Parse(source.NewFile("t.img", text), &diags), sema.Options{}, &diags)
	if p == nil || diags.HasErrors() {
		t.Fatalf("%s\n%s", text, diags.Sorted()[0].Message)
	}
	return p
}
