package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// kernelPointer and saturating are what a host's compiler cannot read in generated kernels: the table of kernels, whose entries lose
// what arguments they take, and instructions of PTX outside of conditional text.
var (
	kernelPointer = regexp.MustCompile(`\(const void \*\)(\w+),`)
	saturating    = regexp.MustCompile(`asm\("cvt\.r([zn])i\.sat\.(\w+)\.f32 %0, %1;" : "=r"\(y\) : "f"\(x\)\);`)
)

// CompileForHost builds a program of a CUDA project and other files of C, with a runtime that runs kernels on the host (cudart/). The
// kernels are built with the options, too, which may be those of sanitizers: device memory is the host's.
func (p *Project) CompileForHost(t testing.TB, kit Toolkit, name string, options []string, files ...string) string {
	t.Helper()
	Need(t, "gcc")
	Need(t, "g++")
	dir := t.TempDir()
	here, err := filepath.Abs(filepath.Join(Root, "testsuite", "harness", "cudart"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Path("kernels/" + p.Name + ".cu"))
	if err != nil {
		t.Fatal(err)
	}
	text = kernelPointer.ReplaceAll(text, []byte("device_kernel($1),"))
	text = saturating.ReplaceAll(text, []byte("y = device_cvt_${1}_$2(x);"))
	kernels := filepath.Join(dir, "kernels.cpp")
	if err := os.WriteFile(kernels, text, 0o600); err != nil {
		t.Fatal(err)
	}
	all := append([]string{"-O1", "-g", "-ffp-contract=off", "-fno-strict-aliasing", "-isystem", kit.Include, "-I", here}, options...)
	var objects []string
	compile := func(compiler, file string, more ...string) {
		out := filepath.Join(dir, filepath.Base(file)+".o")
		objects = append(objects, out)
		Command(t, dir, compiler, append(append(append([]string{}, all...), more...), "-c", file, "-o", out)...)
	}
	compile("g++", kernels, "-std=c++17", "-include", filepath.Join(here, "device.h"))
	compile("g++", filepath.Join(here, "blocks.cpp"), "-std=c++17")
	runtime := filepath.Join(dir, "runtime.o") // which no test is about
	Command(t, dir, "g++", "-O1", "-std=c++17", "-isystem", kit.Include, "-c", filepath.Join(here, "runtime.cpp"), "-o", runtime)
	objects = append(objects, runtime)
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = p.Path(file)
		}
		compile("gcc", file, "-std=gnu99", "-I", p.Path("include"))
	}
	out := filepath.Join(dir, name)
	Command(t, dir, "g++", append(append(append([]string{}, options...), objects...), "-o", out, "-lm")...)
	return out
}
