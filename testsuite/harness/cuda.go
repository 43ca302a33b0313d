package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Toolkit is what compiles CUDA programs, without a device.
type Toolkit struct {
	Nvcc    string
	Include string // CUDA's headers
	Lib     string // the runtime library
}

// CUDA finds the toolkit that script/setup has installed, or the system's. It skips where there is none.
func CUDA(t testing.TB) Toolkit {
	t.Helper()
	for _, pattern := range []string{Root + "/.venv/lib/python3*/site-packages/nvidia/cu13", "/usr/local/cuda"} {
		found, _ := filepath.Glob(pattern)
		for _, dir := range found {
			if dir, err := filepath.Abs(dir); err == nil && exists(filepath.Join(dir, "bin", "nvcc")) {
				lib := filepath.Join(dir, "lib64")
				if !exists(lib) {
					lib = filepath.Join(dir, "lib")
				}
				return Toolkit{filepath.Join(dir, "bin", "nvcc"), filepath.Join(dir, "include"), lib}
			}
		}
	}
	t.Skip("no nvcc: script/setup installs it")
	return Toolkit{}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Layout is a folder with the toolkit as its installer lays it out, which CMake asks for; Python's packages have another layout.
func (k Toolkit) Layout(t testing.TB) string {
	t.Helper()
	dir := filepath.Dir(k.Include)
	if exists(filepath.Join(dir, "lib64", "libcudart.so")) {
		return dir
	}
	root := t.TempDir()
	for _, part := range []string{"bin", "include", "nvvm"} {
		Command(t, "", "cp", "-rs", filepath.Join(dir, part), root)
	}
	lib := filepath.Join(root, "lib64")
	Command(t, "", "cp", "-rs", k.Lib, lib)
	shared, _ := filepath.Glob(filepath.Join(k.Lib, "libcudart.so*"))
	if len(shared) == 0 {
		t.Skip("the toolkit has no shared runtime library")
	}
	for link, to := range map[string]string{filepath.Join(lib, "libcudart.so"): shared[0], filepath.Join(root, "lib"): "lib64"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Architectures lists the virtual architectures that nvcc compiles for, the oldest first: "compute_75".
func (k Toolkit) Architectures(t testing.TB) []string {
	t.Helper()
	list := strings.Fields(Command(t, "", k.Nvcc, "--list-gpu-arch"))
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return list
}

// PTX compiles a file for a virtual architecture, with all warnings as errors, and returns the text.
func (k Toolkit) PTX(t testing.TB, arch, file string, options ...string) string {
	t.Helper()
	out := file + ".ptx"
	args := append([]string{"-arch=" + arch, "-Werror", "all-warnings", "-ptx", file, "-o", out}, options...)
	Command(t, "", k.Nvcc, args...)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Assemble compiles a file for the device of a virtual architecture: what PTX does, and what instructions written inline come to.
func (k Toolkit) Assemble(t testing.TB, arch, file string, options ...string) {
	t.Helper()
	args := []string{"-arch=" + strings.Replace(arch, "compute_", "sm_", 1), "-Werror", "all-warnings", "-cubin", file, "-o", file + ".cubin"}
	Command(t, "", k.Nvcc, append(args, options...)...)
}

// Quick are options under which nvcc compiles in a fraction of the time, code that nobody runs; none for an nvcc that has none.
func (k Toolkit) Quick(t testing.TB) []string {
	t.Helper()
	if !strings.Contains(Command(t, "", k.Nvcc, "--help"), "--Ofast-compile") {
		return nil
	}
	return []string{"--Ofast-compile", "max"}
}

// ClangCUDA makes a folder that clang takes for a CUDA toolkit, of the headers of one that it knows. It skips where there are none.
func ClangCUDA(t testing.TB) string {
	t.Helper()
	Need(t, "clang-19")
	runtime, _ := filepath.Glob(Root + "/.venv/lib/python3*/site-packages/nvidia/cuda_runtime")
	compiler, _ := filepath.Glob(Root + "/.venv/lib/python3*/site-packages/nvidia/cuda_nvcc")
	if len(runtime) == 0 || len(compiler) == 0 {
		t.Skip("no headers of CUDA 12 for clang: script/setup installs them")
	}
	dir := t.TempDir()
	link := func(from, to string) {
		from, err := filepath.Abs(from)
		if err == nil {
			err = os.Symlink(from, filepath.Join(dir, to))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "include"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{runtime[0], compiler[0]} {
		headers, _ := filepath.Glob(filepath.Join(from, "include", "*"))
		for _, h := range headers {
			if name := filepath.Join("include", filepath.Base(h)); !exists(filepath.Join(dir, name)) {
				link(h, name)
			}
		}
	}
	if !exists(filepath.Join(dir, "include", "nv")) { // the same in all versions
		link(filepath.Join(CUDA(t).Include, "nv"), "include/nv")
	}
	link(filepath.Join(compiler[0], "nvvm"), "nvvm")
	link(filepath.Join(compiler[0], "bin"), "bin")
	// Clang includes this one of another library's, and nothing that we write uses it.
	if err := os.WriteFile(filepath.Join(dir, "include", "curand_mtgp32_kernel.h"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
