package harness

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
)

// Warnings are the options under which generated C compiles without a word.
var Warnings = []string{"-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}

// A Project is a generated C project on disk.
type Project struct {
	Name string // of the library
	Dir  string
}

// WriteProject generates the project of a program into a folder that goes with the test.
func WriteProject(t testing.TB, p *imgc.Program, opts imgc.ProjectOptions) *Project {
	t.Helper()
	files, err := p.Project(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	q := &Project{Name: opts.Name, Dir: t.TempDir()}
	for path, text := range files {
		if name, ok := strings.CutPrefix(path, "include/"); ok && opts.Name == "" {
			q.Name = strings.TrimSuffix(name, ".h")
		}
		full := filepath.Join(q.Dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

// Path is a file of the project.
func (p *Project) Path(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Demo compiles the library and its demo program with every warning an error, and returns the program.
func (p *Project) Demo(t testing.TB) string {
	t.Helper()
	return p.Compile(t, "demo", "gcc", Warnings, "src/"+p.Name+".c", "demo/main.c", "demo/image.c")
}

// Compile builds a program from files of the project, or absolute paths, and links it with OpenCL. It skips where there is no
// compiler or no OpenCL to build with.
func (p *Project) Compile(t testing.TB, name, compiler string, options []string, files ...string) string {
	t.Helper()
	needOpenCL(t)
	Need(t, compiler)
	out := filepath.Join(t.TempDir(), name)
	args := append([]string{"-O1", "-I", p.Path("include")}, options...)
	for _, f := range files {
		if !filepath.IsAbs(f) {
			f = p.Path(f)
		}
		args = append(args, f)
	}
	Command(t, p.Dir, compiler, append(args, "-o", out, "-lOpenCL", "-lm")...)
	return out
}

// needOpenCL skips a test where C programs cannot be built with OpenCL.
func needOpenCL(t testing.TB) {
	t.Helper()
	Need(t, "pkg-config")
	if err := exec.Command("pkg-config", "--exists", "OpenCL").Run(); err != nil {
		t.Skip("no OpenCL to compile C programs with; script/setup installs it")
	}
}

// Need skips a test where a tool is missing.
func Need(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("no %s; script/setup installs it", tool)
	}
}

// Command runs a tool that must succeed, and returns what it prints.
func Command(t testing.TB, dir, tool string, args ...string) string {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
	}
	return string(out)
}
