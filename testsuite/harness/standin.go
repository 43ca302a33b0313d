package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// kernelPointer and the others are what a host's compiler cannot read in generated kernels: the table of kernels, whose entries lose
// what arguments they take, shared memory whose size comes with a launch, and instructions of PTX outside of conditional text.
var (
	kernelPointer = regexp.MustCompile(`\(const void \*\)(\w+),`)
	sharedMemory  = regexp.MustCompile(`extern __shared__ __align__\(16\) uint8_t memory\[\];`)
	reciprocal    = regexp.MustCompile(`asm\("rcp\.approx\.ftz\.f32 %0, %1;" : "=f"\(r\) : "f"\(y\)\);`)
	matrixUnits   = regexp.MustCompile(`defined\(__CUDA_ARCH__\) && __CUDA_ARCH__ >= 750|__CUDA_ARCH__ >= 800`)
	matrixProduct = regexp.MustCompile(`asm volatile\("mma\.sync\.aligned\.m16n8k32\.row\.col\.s32\.u8\.([us])8\.s32 [^;]*;"[^;]*;`)
	saturating    = regexp.MustCompile(`asm\("cvt\.r([zn])i\.sat\.(\w+)\.f32 %0, %1;" : "=r"\(y\) : "f"\(x\)\);`)
)

// A Host builds CUDA projects for a runtime that runs kernels on the host (cudart/).
type Host struct {
	kit     Toolkit
	here    string
	options []string
	kernels []string // options of kernels alone
	runtime []string
}

// CUDAOnHost builds the runtime. Kernels and all else are built with the options, which may be those of sanitizers: device memory is the
// host's.
func CUDAOnHost(t testing.TB, options ...string) *Host {
	t.Helper()
	kit := CUDA(t)
	Need(t, "gcc")
	Need(t, "g++")
	here, err := filepath.Abs(filepath.Join(Root, "testsuite", "harness", "cudart"))
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{kit: kit, here: here, options: options}
	dir := t.TempDir()
	h.runtime = []string{
		h.compile(t, dir, "g++", filepath.Join(here, "watch.cpp"), "-std=c++17", "-O2", "-fno-sanitize=undefined"),
		h.compile(t, dir, "g++", filepath.Join(here, "blocks.cpp"), "-std=c++17"),
		h.compile(t, dir, "g++", filepath.Join(here, "runtime.cpp"), "-std=c++17", "-fno-sanitize=all"), // which no test is about
	}
	return h
}

// WatchedCUDA builds the runtime with kernels whose every access is looked at (cudart/watch.cpp): they end at one that does not fit its
// type's alignment or leaves memory, and at a race; shared memory that nobody has written holds anything.
func WatchedCUDA(t testing.TB) *Host {
	t.Helper()
	h := CUDAOnHost(t, "-fsanitize=undefined", "-fno-sanitize-recover=undefined")
	h.kernels = []string{"-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "-fno-threadsafe-statics"}
	return h
}

// compile makes an object file. It knows the lines that sanitizers name and no more: to follow variables through optimized kernels takes
// compilers twice as long as all else.
func (h *Host) compile(t testing.TB, dir, compiler, file string, more ...string) string {
	t.Helper()
	out := filepath.Join(dir, filepath.Base(file)+".o")
	args := append([]string{"-O1", "-g1", "-ffp-contract=off", "-fno-strict-aliasing", "-isystem", h.kit.Include, "-I", h.here}, h.options...)
	Command(t, dir, compiler, append(append(args, more...), "-c", file, "-o", out)...)
	return out
}

// Build makes a program of a project and other files of C, which are built with more options.
func (h *Host) Build(t testing.TB, p *Project, more []string, files ...string) string {
	t.Helper()
	return h.Link(t, p, h.Objects(t, p, more, files...))
}

// Objects are those files of C, built once for programs that differ in their kernels. They run for a moment, so that compilers leave them as they are, in half the time: sanitizers see as much.
func (h *Host) Objects(t testing.TB, p *Project, more []string, files ...string) (objects []string) {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = p.Path(file)
		}
		objects = append(objects, h.compile(t, dir, "gcc", file, append([]string{"-O0", "-std=gnu99", "-I", p.Path("include")}, more...)...))
	}
	return objects
}

// Link builds the kernels of a project as they are now and makes a program of them and its objects.
func (h *Host) Link(t testing.TB, p *Project, objects []string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(p.Path("kernels/" + p.Name + ".cu"))
	if err != nil {
		t.Fatal(err)
	}
	text = kernelPointer.ReplaceAll(text, []byte("device_kernel($1),"))
	text = sharedMemory.ReplaceAll(text, []byte("uint8_t *const memory = device_pool;"))
	text = reciprocal.ReplaceAll(text, []byte("r = 1.0f / y;"))
	text = saturating.ReplaceAll(text, []byte("y = device_cvt_${1}_$2(x);"))
	text = matrixUnits.ReplaceAll(text, []byte("1"))
	text = matrixProduct.ReplaceAll(text, []byte("device_mma(c, a, b0, b1, '$1' == 's');"))
	kernels := filepath.Join(dir, "kernels.cpp")
	if err := os.WriteFile(kernels, text, 0o600); err != nil {
		t.Fatal(err)
	}
	options := append([]string{"-std=c++17", "-include", filepath.Join(h.here, "device.h")}, h.kernels...)
	built := append([]string{h.compile(t, dir, "g++", kernels, options...)}, h.runtime...)
	out := filepath.Join(dir, "program")
	args := append(append(append(slices.Clone(h.options), built...), objects...), "-o", out, "-lm")
	Command(t, dir, "g++", args...)
	return out
}
