package robust

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// thorough says that everything is to be tried: it takes half an hour on one core.
var thorough = os.Getenv("IMGC_ROBUST") != ""

var parts = strings.Fields("main.c calls.c wrong.c failing.c builds.c threads.c shim.c")

// TestLibrariesBearFailures builds the programs' libraries with the address, leak and undefined behaviour sanitizers, and runs the C
// tests of testdata on them.
func TestLibrariesBearFailures(t *testing.T) {
	harness.Device(t)
	for _, r := range programs {
		name := r.name()
		if !thorough && !slices.Contains(short, name) {
			continue
		}
		for _, arch := range architectures {
			if !thorough && arch == "" && name != "kinds" {
				continue
			}
			t.Run(strings.Trim(name+"/"+arch, "/"), func(t *testing.T) {
				program := build(t, r, arch, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
				run(t, exec.Command(program, mode()...),
					"ASAN_OPTIONS=detect_leaks=1:exitcode=99:allocator_may_return_null=1",
					"LSAN_OPTIONS=print_suppressions=0:suppressions="+drivers(t), "UBSAN_OPTIONS=print_stacktrace=1:exitcode=99")
			})
		}
	}
}

// TestThreadsDoNotRace runs two libraries in two threads under the thread sanitizer, which sees our code only: drivers are not built
// for it.
func TestThreadsDoNotRace(t *testing.T) {
	thoroughly(t)
	for _, r := range programs {
		t.Run(r.name(), func(t *testing.T) {
			program := build(t, r, "nvidia-h200", "-fsanitize=thread")
			run(t, exec.Command(program, "threads"), "TSAN_OPTIONS=ignore_noninstrumented_modules=1:exitcode=99")
		})
	}
}

// TestValgrind runs everything but the building of broken kernels under valgrind, which sees what drivers do with our memory, too.
func TestValgrind(t *testing.T) {
	thoroughly(t)
	harness.Need(t, "valgrind")
	valgrind := []string{"--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
		"--suppressions=" + testdata(t, "valgrind.supp")}
	for _, r := range programs {
		t.Run(r.name(), func(t *testing.T) {
			program := build(t, r, "nvidia-h200")
			run(t, exec.Command("valgrind", append(valgrind, program, "wrong", "failing", "lost", "work")...))
		})
	}
}

// thoroughly leaves a test for when everything is to be tried.
func thoroughly(t *testing.T) {
	t.Helper()
	harness.Device(t)
	if !thorough {
		t.Skip("IMGC_ROBUST=1 runs it")
	}
}

func mode() []string {
	if thorough {
		return []string{"thorough"}
	}
	return nil
}

// drivers is a file that says whose leaks are not ours: drivers and their compilers keep what they like until the end.
func drivers(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drivers.supp")
	text := "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\nleak:libhwloc\nleak:dlopen\nleak:libnvidia\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// build makes the test program of a library. Its calls of OpenCL go through shim.c.
func build(t *testing.T, r program, arch string, options ...string) string {
	t.Helper()
	opts := imgc.Options{Mode: imgc.Strict}
	if arch != "" {
		model, err := imgc.OpenArchitecture(arch)
		if err != nil {
			t.Fatal(err)
		}
		opts.Arch = model
	}
	opts.Pipelines = r.keep(harness.CompileFileWith(t, r.file, opts))
	p := harness.CompileFileWith(t, r.file, opts)
	project := harness.WriteProject(t, p, imgc.ProjectOptions{})
	options = append(append([]string{"-g", "-I", testdata(t, "")}, harness.Warnings...), options...)
	object := project.Path("library.o")
	args := append([]string{"-O1", "-I", project.Path("include"), "-D", "SHIM_REDIRECT", "-include", "shim.h"}, options...)
	harness.Need(t, "gcc")
	harness.Command(t, project.Dir, "gcc", append(args, "-c", project.Path("src/"+project.Name+".c"), "-o", object)...)
	checkRedirected(t, object)
	files := []string{object, writeTables(t, r, p, project)}
	for _, part := range parts {
		files = append(files, testdata(t, part))
	}
	return project.Compile(t, "robust", "gcc", append(options, "-pthread", "-std=gnu99", "-Wno-deprecated-declarations"), files...)
}

var notRedirected = regexp.MustCompile(`(?m) U (cl[A-Z]\w*|malloc|calloc|realloc|free|strdup|aligned_alloc|posix_memalign)$`)

// checkRedirected fails where a library calls something that could fail and cannot be made to.
func checkRedirected(t *testing.T, object string) {
	t.Helper()
	harness.Need(t, "nm")
	for _, m := range notRedirected.FindAllStringSubmatch(harness.Command(t, ".", "nm", object), -1) {
		t.Errorf("the library calls %s, which shim.c does not know", m[1])
	}
}

func run(t *testing.T, cmd *exec.Cmd, environment ...string) {
	t.Helper()
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
