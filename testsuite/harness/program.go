package harness

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/diag"
	"imgc/pixels"
	"imgc/types"
)

// Root is the repository's top folder, seen from a package two folders below it.
const Root = "../.."

// Compile takes a text that must have no error.
func Compile(t testing.TB, name, text string, mode imgc.Mode) *imgc.Program {
	t.Helper()
	return CompileWith(t, name, text, imgc.Options{Mode: mode})
}

// CompileWith is Compile with any options. Whatever the interpreter computes of the program is held against what its proofs take for true.
func CompileWith(t testing.TB, name, text string, opts imgc.Options) *imgc.Program {
	t.Helper()
	opts.CheckClaims = true
	result, err := imgc.Check(context.Background(), name, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	if result.Program == nil {
		var b strings.Builder
		if err := diag.Text(&b, result.Diagnostics, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s is not accepted:\n%s", name, b.String())
	}
	return result.Program
}

// CompileFile is Compile for a file, whose name is relative to the repository.
func CompileFile(t testing.TB, path string, mode imgc.Mode) *imgc.Program {
	t.Helper()
	return CompileFileWith(t, path, imgc.Options{Mode: mode})
}

// CompileFileWith is CompileFile with any options.
func CompileFileWith(t testing.TB, path string, opts imgc.Options) *imgc.Program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root, path))
	if err != nil {
		t.Fatal(err)
	}
	return CompileWith(t, filepath.Base(path), string(text), opts)
}

// Interpret runs a pipeline with the reference interpreter.
func Interpret(t testing.TB, p *imgc.Program, pipeline string, args imgc.Args) imgc.Results {
	t.Helper()
	ref, err := imgc.OpenDevice("ref")
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Run(context.Background(), ref, pipeline, args)
	if err != nil {
		t.Fatalf("the interpreter: %v", err)
	}
	return results
}

var openDevice = sync.OnceValues(func() (*device.Device, error) { return device.Open("opencl") })

// Device is the first OpenCL device, open until the process ends. Without one the test is skipped.
func Device(t testing.TB) *device.Device {
	t.Helper()
	d, err := openDevice()
	if err != nil {
		t.Skipf("no OpenCL device, script/setup installs one: %v", err)
	}
	return d
}

// Build compiles a program for the OpenCL device. It is released when the test ends.
func Build(t testing.TB, p *imgc.Program) *device.Program {
	t.Helper()
	return build(t, p, "")
}

// BuildPlain is Build for kernels that are planned for other devices. The device's compiler leaves them as they are: it takes a
// quarter of the time, and only what they compute is of interest here.
func BuildPlain(t testing.TB, p *imgc.Program) *device.Program {
	t.Helper()
	return build(t, p, " -cl-opt-disable")
}

func build(t testing.TB, p *imgc.Program, more string) *device.Program {
	t.Helper()
	d := Device(t)
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	kernels.Output.BuildOptions += more
	built, err := d.Build(kernels.Program, kernels.Output)
	if err != nil {
		t.Fatalf("%v\nthe kernels:\n%s", err, kernels.Output.Source)
	}
	t.Cleanup(built.Close)
	return built
}

// CompareAll holds every result against the interpreter's.
func CompareAll(t testing.TB, images map[string]*pixels.Image, scalars map[string]types.Value, want imgc.Results, b Bound) {
	t.Helper()
	for name, m := range want.Images {
		if err := Compare(images[name], m, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, v := range want.Scalars {
		if got, ok := scalars[name]; !ok || len(got.Words) != len(v.Words) {
			t.Errorf("%s: no value, wanted %v", name, v)
			continue
		}
		if err := Compare(asImage(scalars[name]), asImage(v), b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// asImage is a scalar or vector as an image of one element.
func asImage(v types.Value) *pixels.Image {
	m, err := pixels.New(v.Type, 1)
	if err != nil {
		panic(err)
	}
	for i, w := range v.Words {
		m.SetWord(i, w)
	}
	return m
}
