package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"imgc"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"imgc": main})
}

// drivers are the variables by which the OpenCL loader and drivers find each other; scripts run without the others.
var drivers = []string{"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "LD_LIBRARY_PATH", "POCL_DEVICES"}

// TestScripts runs the command lines of testdata/script. Conditions: [opencl] a device can be used, [root] the user may write
// everywhere, [mount] file systems may be mounted.
func TestScripts(t *testing.T) {
	cache := t.TempDir() // of PoCL's compiled kernels, shared by all scripts
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("POCL_CACHE_DIR", cache)
			for _, name := range drivers {
				if value, ok := os.LookupEnv(name); ok {
					env.Setenv(name, value)
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "opencl":
				return hasDevice(), nil
			case "mount":
				return canMount(), nil
			case "root":
				return os.Geteuid() == 0, nil
			}
			return false, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  status,
			"samples": copySamples,
			"trim":    trim,
			"npy":     npy,
			"mount":   mount,
		},
	})
}

func hasDevice() bool {
	list, err := imgc.Devices()
	if err != nil {
		return false
	}
	for _, d := range list {
		if d.Available && d.Compiler {
			return true
		}
	}
	return false
}

// status runs imgc and compares its exit status: status 2 run blur.img.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N ARG...")
	}
	err := ts.Exec("imgc", args[1:]...)
	got := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		got = string(rune('0' + exit.ExitCode()))
	} else if err != nil {
		got = err.Error()
	}
	if got != args[0] {
		ts.Fatalf("imgc %s: exit status %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// copySamples puts files of samples/ into the script's folder: samples basics/blur.img photo.png.
func copySamples(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		data, err := os.ReadFile(filepath.Join(samples, name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(filepath.Base(name)), data, 0o666))
	}
}

// trim drops the line end with which every file of a script ends, and which no image file may have.
func trim(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := strings.TrimSuffix(ts.ReadFile(name), "\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}

// npy writes a file that says of itself what extents it has, and has eight bytes of pixels: npy lie.npy '(1000, 1000)'.
func npy(ts *testscript.TestScript, _ bool, args []string) {
	header := "{'descr': '|u1', 'fortran_order': False, 'shape': " + args[1] + ", }"
	text := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + "abcdefgh"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// canMount reports whether this process may mount file systems.
var canMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "imgc-mount")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	return mountAt(dir) == nil && exec.Command("umount", dir).Run() == nil
})

func mountAt(dir string) error {
	return exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir).Run()
}

// mount puts a file system of 64 KiB at a folder.
func mount(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(mountAt(dir))
	ts.Defer(func() { exec.Command("umount", dir).Run() })
}

// samples is the samples' folder; scripts change the working directory.
var samples = func() string {
	dir, err := filepath.Abs("../../samples")
	if err != nil {
		panic(err)
	}
	return dir
}()
