package imgc_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
)

// samples are the paths of all samples.
func samples(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("samples/*/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples: ", err)
	}
	return paths
}

// TestPassesLeaveValidKernels compiles every sample with the verifier between the passes, with all of them and without each.
func TestPassesLeaveValidKernels(t *testing.T) {
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	leaveOut := append([]string{""}, imgc.Passes()...)
	for i, path := range samples(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		opts := imgc.Options{Arch: arch, Passes: imgc.PassOptions{Verify: true}}
		if without := leaveOut[i%len(leaveOut)]; without != "" {
			opts.Passes.Without = []string{without}
		}
		result, err := imgc.Check(context.Background(), path, string(text), opts)
		if err != nil || result.Program == nil {
			t.Fatalf("%s does not compile: %v", path, err)
		}
		if _, err := result.Program.OpenCL(); err != nil {
			t.Errorf("%s without %v: %v", path, opts.Passes.Without, err)
		}
	}
}

func TestKernelsAreDumpedAfterAPass(t *testing.T) {
	var dump bytes.Buffer
	opts := imgc.Options{Passes: imgc.PassOptions{DumpAfter: "dead", Dump: &dump}}
	result, err := imgc.Check(context.Background(), "p.img", "pipeline p(in a: u8[N], out b: u8[N]) {\n    iterate (i) over b\n        b[i] = a[i];\n}\n", opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := result.Program.OpenCL(); err != nil || !strings.Contains(dump.String(), "kernel p_b(") {
		t.Errorf("%v, dumped %q", err, dump.String())
	}
}
