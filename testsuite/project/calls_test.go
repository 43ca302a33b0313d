package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// wrapped are the functions that testdata/objects.c stands in for.
var wrapped = strings.Fields(`
	clCreateBuffer clCreateSubBuffer clReleaseMemObject clCreateKernel clReleaseKernel clCreateProgramWithSource clReleaseProgram
	clCreateCommandQueue clRetainCommandQueue clReleaseCommandQueue clEnqueueMarkerWithWaitList clEnqueueNDRangeKernel clRetainEvent clReleaseEvent`)

// TestCalls runs the C programs in testdata, which say what they expect, under the address and undefined behaviour sanitizers.
func TestCalls(t *testing.T) {
	harness.Device(t)
	library := harness.WriteProject(t, harness.CompileFile(t, "testsuite/project/testdata/calls.img", imgc.Strict), imgc.ProjectOptions{})
	options := append([]string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-I", testdata(t, "")}, harness.Warnings...)
	for _, name := range wrapped {
		options = append(options, "-Wl,--wrap="+name)
	}
	for _, name := range []string{"host", "device"} {
		t.Run(name, func(t *testing.T) {
			program := library.Compile(t, name, "gcc", options,
				"src/calls.c", testdata(t, name+".c"), testdata(t, "objects.c"), testdata(t, "place.c"))
			out, err := sanitized(t, program).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// sanitized runs a program that reports leaks of its own code; drivers and their compilers keep what they like until the end.
func sanitized(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	suppressions := filepath.Join(t.TempDir(), "drivers.supp")
	text := "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\nleak:libhwloc\nleak:dlopen\n"
	if err := os.WriteFile(suppressions, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(),
		"ASAN_OPTIONS=detect_leaks=1:exitcode=99", "LSAN_OPTIONS=print_suppressions=0:suppressions="+suppressions, "UBSAN_OPTIONS=print_stacktrace=1:exitcode=99")
	return cmd
}
