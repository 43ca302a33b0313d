package steps

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/testsuite/harness"
)

// TestGeneratedProject runs the programs, all in one library, through the demo program, on the OpenCL device and under Oclgrind.
func TestGeneratedProject(t *testing.T) {
	harness.Device(t)
	var text strings.Builder
	for _, p := range programs {
		text.WriteString(p.text)
	}
	all := harness.Compile(t, "steps.img", text.String(), imgc.Strict)
	demo := harness.WriteProject(t, all, imgc.ProjectOptions{}).Demo(t)
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			p.onDemo(t, all, func(dir string, args ...string) { harness.Command(t, dir, demo, args...) })
		})
		t.Run(p.name+"/oclgrind", func(t *testing.T) {
			p.onDemo(t, all, func(_ string, args ...string) { harness.Simulate(t, demo, args...) })
		})
	}
}

// onDemo passes a program's images as files and holds what run leaves there against the wanted values.
func (p program) onDemo(t *testing.T, all *imgc.Program, run func(dir string, args ...string)) {
	dir := t.TempDir()
	want := harness.Interpret(t, all, p.name, p.args())
	pipeline, err := all.Pipeline(p.name)
	if err != nil {
		t.Fatal(err)
	}
	var args, paths []string
	for _, set := range []map[string]int64{p.scalars, sizes(p.sizes)} {
		for name, v := range set {
			args = append(args, "--set", fmt.Sprintf("%s=%d", name, v))
		}
	}
	for _, q := range pipeline.Params {
		if !q.IsImage {
			continue
		}
		path := filepath.Join(dir, q.Name+".npy")
		if q.Takes() && q.Returns() {
			paths = append(paths, path) // what it is before, and after
		}
		if v, ok := p.images[q.Name]; ok {
			if err := imagefile.Write(path, line(v...), imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
	}
	run(dir, append(append(args, p.name), paths...)...)
	for name, m := range want.Images {
		got, err := harness.ReadArray(filepath.Join(dir, name+".npy"), m)
		if err == nil {
			err = harness.Compare(got, m, harness.Bound{})
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sizes(given map[string]int) map[string]int64 {
	all := map[string]int64{}
	for name, n := range given {
		all[name] = int64(n)
	}
	return all
}

// TestSwapsInMemoryOfTheCaller calls the generated library with images in device memory: the C program says what it expects.
func TestSwapsInMemoryOfTheCaller(t *testing.T) {
	harness.Device(t)
	project := harness.WriteProject(t, harness.CompileFile(t, "testsuite/steps/testdata/turn.img", imgc.Strict), imgc.ProjectOptions{})
	main, err := filepath.Abs("testdata/turn.c")
	if err != nil {
		t.Fatal(err)
	}
	options := append([]string{"-g", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"}, harness.Warnings...)
	harness.Command(t, ".", project.Compile(t, "turn", "gcc", options, "src/turn.c", main))
	plain := project.Compile(t, "turn", "gcc", harness.Warnings, "src/turn.c", main)
	if _, err := os.Stat(plain); err != nil {
		t.Fatal(err)
	}
	t.Run("oclgrind", func(t *testing.T) { harness.Simulate(t, plain) })
}
