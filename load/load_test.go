package load_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/load"
	"imgc/parser"
	"imgc/source"
	"imgc/std"
	"imgc/syntax"
)

// memory is a disk of texts by name.
type memory map[string]string

func (m memory) ReadFile(name string) ([]byte, error) {
	text, ok := m[name]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case text == "locked":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return []byte(text), nil
}

// run loads what a file imports and returns the names of the files found, sorted, and what was reported.
func run(files memory, main string, dirs ...string) ([]string, string) {
	diags := &diag.List{}
	file := parser.Parse(source.NewFile(main, files[main]), diags)
	found := load.Imports(file, load.Options{Dirs: dirs, Files: files}, diags)
	names := map[string]bool{}
	for f := range maps.Values(found) {
		names[f.Source.Name] = true
	}
	var b strings.Builder
	for _, d := range diags.Sorted() {
		b.WriteString(d.Span.String() + ": " + string(d.Code) + " " + d.Message)
		for _, n := range d.Notes {
			b.WriteString(" | ")
			if n.Span.IsValid() {
				b.WriteString(n.Span.String() + " ")
			}
			b.WriteString(n.Message)
		}
		b.WriteString("\n")
	}
	return slices.Sorted(maps.Keys(names)), b.String()
}

func TestImportsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		files memory
		main  string
		dirs  []string
		want  []string
	}{
		"in the folder of the file": {memory{"a/m.img": `import "b.img";`, "a/b.img": ""}, "a/m.img", nil, []string{"a/b.img"}},
		"above it, where written":   {memory{"a/m.img": `import "../b.img";`, "b.img": ""}, "a/m.img", nil, []string{"b.img"}},
		"in an include folder":      {memory{"m.img": `import "b.img";`, "inc/b.img": ""}, "m.img", []string{"none", "inc"}, []string{"inc/b.img"}},
		"in the library":            {memory{"m.img": `import "std/filters.img";`}, "m.img", nil, []string{"std/filters.img"}},
		"before the library": {memory{"m.img": `import "std/filters.img";`, "std/filters.img": "const X = 1;"}, "m.img", nil,
			[]string{"std/filters.img"}},
		"relative to the import": {memory{"m.img": `import "a/b.img";`, "a/b.img": `import "c.img";`, "a/c.img": ""}, "m.img", nil,
			[]string{"a/b.img", "a/c.img"}},
		"once by two ways": {memory{"m.img": `import "b.img"; import "a/../c.img";`, "b.img": `import "c.img";`, "c.img": ""}, "m.img", nil,
			[]string{"b.img", "c.img"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := run(c.files, c.main, c.dirs...)
			if !slices.Equal(got, c.want) || report != "" {
				t.Errorf("found %v, wanted %v\n%s", got, c.want, report)
			}
		})
	}
}

func TestImportsThatCannotBeUsedAreReported(t *testing.T) {
	for name, c := range map[string]struct {
		files memory
		dirs  []string
		want  string
	}{
		"missing":             {memory{"m.img": `import "b.img";`}, nil, "m.img:1:8: IMG0610 there is no file b.img | looked in the folder of m.img | -I DIR names another folder to look in"},
		"missing everywhere":  {memory{"m.img": `import "b.img";`}, []string{"x", "y"}, "there is no file b.img | looked in the folder of m.img, x, y and the library"},
		"misspelt library":    {memory{"m.img": `import "std/filter.img";`}, nil, "did you mean std/filters.img?"},
		"unknown in library":  {memory{"m.img": `import "std/quaternions.img";`}, nil, "the library has std/colour.img, std/filters.img"},
		"climbing by include": {memory{"m.img": `import "../b.img";`, "b.img": ""}, []string{"inc"}, "there is no file ../b.img | looked in the folder of m.img"},
		"absolute":            {memory{"m.img": `import "/b.img";`, "/b.img": ""}, nil, "/b.img starts at the root"},
		"with backslashes":    {memory{"m.img": `import "a\b.img";`}, nil, `write import "a/b.img";`},
		"empty":               {memory{"m.img": `import "";`}, nil, "names no file"},
		"unreadable":          {memory{"m.img": `import "b.img";`, "b.img": "locked"}, nil, "b.img cannot be read: permission denied"},
		"of itself":           {memory{"m.img": `import "m.img";`}, nil, "m.img imports itself"},
		"in a circle": {memory{"m.img": `import "b.img";`, "b.img": `import "c.img";`, "c.img": `import "b.img";`}, nil,
			"c.img:1:8: IMG0610 files import each other in a circle | b.img:1:8 b.img imports c.img | c.img:1:8 c.img imports b.img"},
		"not parsed": {memory{"m.img": `import "b.img";`, "b.img": "const A = ;"}, nil, "b.img:1:11: IMG0114"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, report := run(c.files, "m.img", c.dirs...); !strings.Contains(report, c.want) || strings.Count(report, "\n") != 1 {
				t.Errorf("reports\n%swanted\n%s", report, c.want)
			}
		})
	}
}

func TestLibraryParses(t *testing.T) {
	for _, name := range std.Names() {
		text, ok := std.Read(name)
		diags := &diag.List{}
		file := parser.Parse(source.NewFile(name, text), diags)
		if !ok || diags.Len() > 0 || len(file.Decls) == 0 {
			t.Errorf("%s: %v %d", name, ok, diags.Len())
		}
		if parser.Format(file) != text {
			t.Errorf("%s is not in the canonical layout: imgc fmt -w %s", name, name)
		}
		for _, d := range file.Decls {
			if d, ok := d.(*syntax.Import); ok {
				t.Errorf("%s imports %s", name, d.Path)
			}
		}
	}
}
