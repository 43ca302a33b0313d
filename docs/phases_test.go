package docs_test

import (
	"strings"
	"testing"

	"imgc/diag"
	"imgc/emit/opencl"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// TestArchitecturePageShowsThePhases takes the program of the page through the compiler.
func TestArchitecturePageShowsThePhases(t *testing.T) {
	const path = "docs/architecture.md"
	var program *fence
	for _, f := range readPage(t, path).fences(t) {
		if f.is("img") {
			program = f
		}
	}
	if program == nil {
		t.Fatalf("%s shows no program", path)
	}
	diags := &diag.List{}
	file := parser.Parse(source.NewFile(program.name(), program.text), diags)
	typed := sema.Check(file, sema.Options{}, diags)
	if typed == nil || diags.Len() > 0 {
		t.Fatal("the program of the page has errors")
	}
	section(t, path, "hast", "```\n"+hast.Dump(typed)+"```\n")

	lowered := lower.Program(typed, lower.Defaults())
	section(t, path, "kir", "```\n"+kir.Dump(lowered)+"```\n")

	printed, err := opencl.Emit(lowered, opencl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, kernel, ok := strings.Cut(printed.Source, "__attribute__")
	if !ok {
		t.Fatal("no kernel")
	}
	section(t, path, "opencl", "```c\n__attribute__"+kernel+"```\n")
}
