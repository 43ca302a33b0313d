package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutCgo builds imgc without cgo: all but OpenCL works, and says so.
func TestWithoutCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole compiler")
	}
	dir := t.TempDir()
	imgc := filepath.Join(dir, "imgc")
	build := exec.Command("go", "build", "-o", imgc, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := filepath.Join(samples, "basics", "mandelbrot.img")
	image := filepath.Join(dir, "m.png")
	for _, c := range []struct {
		args []string
		want string
		fine bool
	}{
		{[]string{"version"}, "without OpenCL", true},
		{[]string{"devices"}, "built without cgo", true},
		{[]string{"run", program, image, "--set", "H=5", "--set", "W=5"}, "running on the reference interpreter", true},
		{[]string{"run", program, image, "--set", "H=5", "--set", "W=5", "--device", "opencl"}, "built without cgo", false},
		{[]string{"build", program, "-o", filepath.Join(dir, "project")}, "", true},
	} {
		out, err := exec.Command(imgc, c.args...).CombinedOutput()
		if !strings.Contains(string(out), c.want) || (err == nil) != c.fine {
			t.Errorf("imgc %s: %v\n%s", strings.Join(c.args, " "), err, out)
		}
	}
	if _, err := os.Stat(image); err != nil {
		t.Error(err)
	}
}
