package harness

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc/device/cl"
)

// simulated is set in the environment of a process whose OpenCL device is Oclgrind.
const simulated = "IMGC_TEST_OCLGRIND"

// UnderOclgrind reports whether this process was started by SimulateTest.
func UnderOclgrind() bool { return os.Getenv(simulated) != "" }

// SimulateTest runs a test of this test program once more, in a process of its own whose only OpenCL device is the simulator
// Oclgrind, and fails where that test fails or the simulator reports anything: a race, a wrong access, a value that was never
// written, a wrong use of the API. Without Oclgrind it skips.
func SimulateTest(t *testing.T, name string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	Simulate(t, self, "-test.run=^"+name+"$", "-test.v", "-test.timeout=18m") // the samples take 4 on a quiet core
}

// Simulate runs a program under Oclgrind and returns its output. It fails as SimulateTest does.
func Simulate(t *testing.T, program string, args ...string) string {
	t.Helper()
	report, out, err := simulate(t, program, args...)
	if report != "" {
		t.Errorf("Oclgrind reports:\n%s", head(report, 60))
	}
	if err != nil {
		t.Errorf("%s under Oclgrind: %v\n%s", filepath.Base(program), err, tail(out, 60))
	}
	return out
}

// simulate returns what the simulator reports, which its exit status says nothing of, and the program's output.
//
// Kernels are not optimised: the simulator then sees every access as it was written, and none of the intrinsics of LLVM that it
// does not know. Its check for values never written is left out, for it crashes on writes of the host.
// It adds up the local memory of all kernels of a program, of which it has 32 KB unless it is told otherwise.
func simulate(t *testing.T, program string, args ...string) (report, out string, err error) {
	t.Helper()
	openDevice() // at first by one test alone: drivers do not bear to be asked by two
	if _, err := cl.Devices(); errors.Is(err, cl.ErrNoCgo) {
		t.Skip(err)
	}
	launcher, err := exec.LookPath("oclgrind")
	if err != nil {
		t.Skip("no oclgrind; script/setup installs it")
	}
	log := filepath.Join(t.TempDir(), "oclgrind.log")
	options := []string{"--log", log, "--data-races", "--check-api", "--max-errors", "20", "--local-mem-size", OclgrindLocal, "--build-options", "-cl-opt-disable",
		program}
	cmd := exec.Command(launcher, append(options, args...)...)
	cmd.Env = append(os.Environ(), simulated+"=1")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err = cmd.Run()
	text, readErr := os.ReadFile(log)
	if readErr != nil && !os.IsNotExist(readErr) {
		t.Fatal(readErr)
	}
	return strings.TrimSpace(string(text)), output.String(), err
}

// OclgrindLocal is the local memory of the simulator's device, in bytes: enough for some kernels of a program.
const OclgrindLocal = "1048576"

func head(text string, lines int) string {
	all := strings.SplitAfterN(text, "\n", lines+1)
	if len(all) > lines {
		all[lines] = "...\n"
	}
	return strings.Join(all, "")
}

func tail(text string, lines int) string {
	all := strings.SplitAfter(text, "\n")
	return strings.Join(all[max(0, len(all)-lines):], "")
}
