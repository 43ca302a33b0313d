package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"imgc/testsuite/harness"
)

// compilers are how C and C++ fences are compiled. A declaration of the interface that a page quotes compiles as well as a program.
var compilers = map[string]struct {
	args   []string
	ending string
}{
	"c":   {[]string{"gcc", "-std=c99"}, ".c"},
	"cpp": {[]string{"g++", "-std=c++11"}, ".cpp"},
}

// The fences ```c and ```cpp are compiled against the library that imgc writes for samples/basics/sharpen.img; those of the
// tutorial are for another library, and a console fence compiles them.
func TestCodeOfThePagesCompiles(t *testing.T) {
	dir := newClone(t)
	if out := shell(t, dir, "bin/imgc build samples/basics/sharpen.img -o lib"); out != "" {
		t.Fatal(out)
	}
	if err := exec.Command("pkg-config", "--exists", "OpenCL").Run(); err != nil {
		t.Skip("no OpenCL headers")
	}
	for _, path := range []string{"README.md", "docs/integration.md"} {
		for _, f := range readPage(t, path).fences(t) {
			if c, ok := compilers[f.lang()]; ok {
				t.Run(fmt.Sprintf("%s:%d", path, f.line), func(t *testing.T) { f.compile(t, dir, c.args, c.ending) })
			}
		}
	}
}

// The fences ```cuda are C for the library of the same program that uses CUDA.
func TestCodeForCUDAOfThePagesCompiles(t *testing.T) {
	kit := harness.CUDA(t)
	dir := newClone(t)
	if out := shell(t, dir, "bin/imgc build samples/basics/sharpen.img -o lib --target cuda"); out != "" {
		t.Fatal(out)
	}
	for _, f := range readPage(t, "docs/integration.md").fences(t) {
		if f.lang() == "cuda" {
			f.compile(t, dir, []string{"gcc", "-std=c99", "-isystem", kit.Include}, ".c")
		}
	}
}

func TestIntegrationPageListsTheStatuses(t *testing.T) {
	dir := newClone(t)
	shell(t, dir, "bin/imgc build samples/basics/sharpen.img -o lib")
	header, err := os.ReadFile(filepath.Join(dir, "lib/include/sharpen.h"))
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile("(?m)^\\| `(SHARPEN_[A-Z_]+)` \\|").FindAllStringSubmatch(readPage(t, "docs/integration.md").text, -1)
	declared := regexp.MustCompile(`(?m)^ *(SHARPEN_[A-Z_]+) = \d+`).FindAllStringSubmatch(string(header), -1)
	if len(declared) == 0 || len(listed) != len(declared) {
		t.Fatalf("the page lists %d statuses, the header has %d", len(listed), len(declared))
	}
	for i := range declared {
		if listed[i][1] != declared[i][1] {
			t.Errorf("the page lists %s where the header has %s", listed[i][1], declared[i][1])
		}
	}
}

func (f *fence) lang() string {
	if len(f.info) == 0 {
		return ""
	}
	return f.info[0]
}

func (f *fence) compile(t *testing.T, dir string, compiler []string, ending string) {
	t.Helper()
	if _, err := exec.LookPath(compiler[0]); err != nil {
		t.Skipf("no %s", compiler[0])
	}
	text := f.text
	if f.name() == "" { // it may need the header that an earlier fence includes
		text = "#include \"sharpen.h\"\n" + text
	}
	writeFile(t, filepath.Join(dir, "snippet"+ending), text)
	args := append(slices.Clone(compiler[1:]), "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-deprecated-declarations", "-Ilib/include",
		"-c", "snippet"+ending, "-o", "snippet.o")
	cmd := exec.Command(compiler[0], args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", cmd.Args, err, out)
	}
}
