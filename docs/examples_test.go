package docs_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/diag"
)

var deviceName = flag.String("device", "ref", "the device that runs the examples: ref, opencl, or part of a device's name")

// A fence ```img holds a whole program. It compiles without a word, but for
//
//	```img error IMG0501      reports exactly this error, or these
//	```img warning IMG0230    compiles, with exactly this warning
//	```img blur.img           is the file blur.img of the console fences after it
//	```img samples/x.img      is this file of the repository
//
// It may name the files that fences ```c NAME of the page show.
//
// A fence ```out right behind it shows a run; see values_test.go. A fence ```report shows what imgc check prints, and is
// written anew under -update.
func TestExamplesCompileAndRun(t *testing.T) {
	device, err := imgc.OpenDevice(*deviceName)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	for _, p := range pages(t) {
		list := p.fences(t)
		for i, f := range list {
			if !f.is("img") {
				continue
			}
			t.Run(fmt.Sprintf("%s:%d", p.path, f.line), func(t *testing.T) {
				program, report := compileExample(t, f)
				for _, next := range list[i+1:] {
					switch {
					case next.is("report"):
						next.holds(t, report)
					case next.is("out") && program == nil:
						t.Fatal("a program with errors has no output")
					case next.is("out"):
						runExample(t, device, program, next)
					default:
						return
					}
				}
			})
		}
	}
}

// besides are the files that fences ```c NAME of a page show.
type besides struct {
	t    *testing.T
	page *page
}

func (b besides) ReadFile(name string) ([]byte, error) {
	for _, f := range b.page.fences(b.t) {
		if len(f.info) == 2 && f.info[0] == "c" && f.info[1] == name {
			return []byte(f.text), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// compileExample checks an example, reports what its info line does not announce, and returns it where it has no errors.
func compileExample(t *testing.T, f *fence) (program *imgc.Program, report string) {
	t.Helper()
	name := f.name()
	if name == "" {
		name = "example.img"
	}
	if strings.Contains(name, "/") && f.text != readPage(t, name).text {
		t.Errorf("the page does not show %s as it is", name)
	}
	result, err := imgc.Check(context.Background(), name, f.text, imgc.Options{Files: besides{t, f.page}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range result.Diagnostics.Sorted() {
		got = append(got, d.Severity.String(), string(d.Code))
	}
	want := slices.DeleteFunc(slices.Clone(f.info[1:]), func(w string) bool { return strings.Contains(w, ".") || w == "unformatted" })
	var b strings.Builder
	diag.Text(&b, result.Diagnostics, diag.TextOptions{})
	if !slices.Equal(got, want) {
		t.Errorf("reports %v, the page says %v\n%s", got, want, b.String())
	}
	return result.Program, b.String()
}

// holds compares a fence with what it should show, or writes it anew under -update.
func (f *fence) holds(t *testing.T, want string) {
	t.Helper()
	if f.text == want {
		return
	}
	if !*update {
		t.Errorf("%s:%d is out of date; run go test ./docs -update\ngot:\n%s\nwant:\n%s", f.page.path, f.line, f.text, want)
		return
	}
	now := readPage(t, f.page.path).fences(t)[f.index] // earlier fences may have grown
	lines := strings.SplitAfter(now.page.text, "\n")
	was := now.line + strings.Count(now.text, "\n")
	writePage(t, f.page.path, strings.Join(lines[:now.line], "")+want+strings.Join(lines[was:], ""))
}

// runExample runs a pipeline on the values of an out fence and compares its results with it.
func runExample(t *testing.T, device *imgc.Device, program *imgc.Program, f *fence) {
	t.Helper()
	show, err := parseShow(f.text)
	if err != nil {
		t.Fatalf("%s:%d: %v", f.page.path, f.line, err)
	}
	pipeline, err := program.Pipeline(show.pipeline)
	if err != nil {
		t.Fatalf("%s:%d: %v", f.page.path, f.line, err)
	}
	args, expected, err := show.arguments(pipeline)
	if err != nil {
		t.Fatalf("%s:%d: %v", f.page.path, f.line, err)
	}
	results, err := program.Run(context.Background(), device, pipeline.Name, args)
	switch {
	case err != nil && show.fault == "":
		t.Fatalf("%s:%d: %v", f.page.path, f.line, err)
	case err != nil:
		if !strings.HasSuffix(err.Error(), ": "+show.fault) {
			t.Errorf("%s:%d: fails with\n%v\nthe page says\n%s", f.page.path, f.line, err, show.fault)
		}
		return
	case show.fault != "":
		t.Fatalf("%s:%d: runs, but the page says that it fails", f.page.path, f.line)
	}
	for _, e := range expected {
		if diff := e.compare(results); diff != "" {
			t.Errorf("%s:%d: %s", f.page.path, f.line, diff)
		}
	}
}
