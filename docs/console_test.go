package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"imgc"
)

// A fence ```console is carried out. Lines that start with "$ " are commands for a shell; what stands between them is what the
// command before prints, on both streams, where "..." stands for any text. The commands of a page run one after the other in
// one folder that looks like a fresh clone: bin/imgc and samples/ are there, imgc is on the PATH, and fences before that
// carry a file's name lie there as files. "console opencl" needs an OpenCL device and a C compiler. Commands that are shown
// and not carried out stand in ```sh.
func TestCommandsPrintWhatThePagesShow(t *testing.T) {
	for _, p := range pages(t) {
		list := p.fences(t)
		if !anyFence(list, "console") {
			continue
		}
		t.Run(p.path, func(t *testing.T) {
			dir := newClone(t)
			for _, f := range list {
				switch {
				case f.is("console"):
					f.carryOut(t, dir)
				case f.name() != "" && !strings.HasPrefix(f.name(), "samples/"):
					writeFile(t, filepath.Join(dir, f.name()), f.text)
				}
			}
		})
	}
}

func anyFence(list []*fence, lang string) bool {
	for _, f := range list {
		if f.is(lang) {
			return true
		}
	}
	return false
}

// newClone is a folder with what the commands of a page start from.
func newClone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	samples, err := filepath.Abs(filepath.Join(root, "samples"))
	if err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"samples": samples, "bin/imgc": imgcBinary(t)} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// carryOut runs the commands of a fence and compares what they print.
func (f *fence) carryOut(t *testing.T, dir string) {
	t.Helper()
	if len(f.info) > 1 && f.info[1] == "opencl" {
		needOpenCL(t)
	}
	var now strings.Builder
	same := true
	for _, c := range f.commands() {
		got := shell(t, dir, c.line)
		same = same && c.expects(got)
		now.WriteString("$ " + c.line + "\n" + got)
	}
	if !same {
		f.holds(t, now.String())
	}
}

// A command is a line of a console fence and what it prints.
type command struct{ line, output string }

func (f *fence) commands() []*command {
	var list []*command
	for line := range strings.Lines(f.text) {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, &command{line: strings.TrimSuffix(text, "\n")})
		} else if len(list) > 0 {
			list[len(list)-1].output += line
		}
	}
	return list
}

func (c *command) expects(got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(c.output), `\.\.\.`, `.*?`)
	return regexp.MustCompile(`(?s)^` + pattern + `$`).MatchString(got)
}

func shell(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if _, status := err.(*exec.ExitError); err != nil && !status {
		t.Fatalf("%s: %v", line, err)
	}
	return string(out)
}

// imgcBinary builds the compiler once for all tests.
func imgcBinary(t *testing.T) string {
	t.Helper()
	binary, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

var buildOnce = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(scratch, "imgc")
	out, err := exec.Command("go", "build", "-o", binary, "../cmd/imgc").CombinedOutput()
	if err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return binary, nil
})

// scratch is a folder for the whole run.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "imgc-docs-")
	if err != nil {
		panic(err)
	}
	scratch = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// needOpenCL skips where there is nothing to compile and run generated projects with.
func needOpenCL(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: builds and runs projects")
	}
	for _, tool := range []string{"cmake", "gcc", "g++", "pkg-config", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s", tool)
		}
	}
	if list, err := imgc.Devices(); err != nil || len(list) == 0 {
		t.Skipf("no OpenCL device: %v", err)
	}
}
