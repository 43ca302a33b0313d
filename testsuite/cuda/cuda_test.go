package cuda

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// A unit is a file with the kernels of several programs: a compiler reads CUDA's headers once for all of them, which takes it as long as
// ten programs.
const programsPerUnit = 24

// A way is how samples are compiled: unplanned or for an architecture, and in which mode.
type way struct {
	name string
	arch string
	mode imgc.Mode
}

var (
	plain   = way{"plain", "", imgc.Strict}
	planned = way{"planned", "nvidia-h200", imgc.Contract}
)

// sources lists every program, relative to the repository.
func sources(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"samples/*/*.img", "testsuite/gpu/*.img", "testsuite/project/testdata/calls.img"} {
		paths, err := filepath.Glob(filepath.Join(harness.Root, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no programs %s: %v", pattern, err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(harness.Root, path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, name)
		}
	}
	return all
}

// projects are those that have been generated, since several tests look at the same ones.
var projects = map[string]map[string][]byte{}

// project generates the CUDA project of a program under a name of its own.
func project(t *testing.T, path string, w way) (name string, files map[string][]byte) {
	t.Helper()
	name = regexp.MustCompile(`\W`).ReplaceAllString(strings.TrimSuffix(path, ".img"), "_")
	if files = projects[w.name+"/"+name]; files != nil {
		return name, files
	}
	opts := imgc.Options{Mode: w.mode}
	if w.arch != "" {
		arch, err := imgc.OpenArchitecture(w.arch)
		if err != nil {
			t.Fatal(err)
		}
		opts.Arch = arch
	}
	p := harness.CompileFileWith(t, path, opts)
	files, err := p.Project(context.Background(), imgc.ProjectOptions{Name: name, Targets: []imgc.Target{imgc.TargetCUDA}})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	projects[w.name+"/"+name] = files
	return name, files
}

// units writes the kernels of all programs, several to a file, each in a namespace.
func units(t *testing.T, w way) []string {
	t.Helper()
	return unitsOf(t, w, sources(t))
}

func unitsOf(t *testing.T, w way, all []string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	var text strings.Builder
	for i, path := range all {
		if i%programsPerUnit == 0 {
			text.Reset()
			text.WriteString("#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <limits.h>\n#include <math.h>\n#include <stdint.h>\n")
		}
		name, files := project(t, path, w)
		kernels := string(files["kernels/"+name+".cu"])
		kernels = strings.Replace(kernels, "#define IMGC_STRICT\n", "", 1)
		if i%programsPerUnit == 0 && w.mode == imgc.Strict {
			text.WriteString("#define IMGC_STRICT\n")
		}
		fmt.Fprintf(&text, "namespace %s {\n%s}\n", name, kernels)
		if i%programsPerUnit == programsPerUnit-1 || i == len(all)-1 {
			unit := filepath.Join(dir, fmt.Sprintf("unit%d.cu", len(paths)))
			if err := os.WriteFile(unit, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, unit)
		}
	}
	return paths
}

// TestKernelsCompileForTheOldestAndTheNewestArchitecture compiles every sample's kernels without a warning, and without the
// optimizations that take time where the compiler can leave them out.
func TestKernelsCompileForTheOldestAndTheNewestArchitecture(t *testing.T) {
	kit := harness.CUDA(t)
	known := kit.Architectures(t)
	for arch, w := range map[string]way{known[0]: plain, known[len(known)-1]: planned} {
		for i, unit := range units(t, w) {
			t.Run(fmt.Sprintf("%s/%s/%d", arch, w.name, i), func(t *testing.T) {
				t.Parallel()
				kit.PTX(t, arch, unit, kit.Quick(t)...)
			})
		}
	}
}

// TestNoKernelStartsBeforeThoseBeforeIt looks at kernels of all shapes as they are used, fully optimized.
func TestNoKernelStartsBeforeThoseBeforeIt(t *testing.T) {
	kit := harness.CUDA(t)
	known := kit.Architectures(t)
	for i, unit := range unitsOf(t, planned, []string{"samples/basics/blur.img", "samples/basics/statistics.img", "samples/basics/histogram.img"}) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			startsByWaiting(t, kit.PTX(t, known[len(known)-1], unit))
		})
	}
}

var (
	entry   = regexp.MustCompile(`(?m)^\s*(?:\.visible |\.weak )?\.entry `)
	touches = regexp.MustCompile(`\b(?:ld|st|atom|red)\.(?:global|volatile|relaxed|v\d|[usbf]\d)|\bcall\b`)
)

// startsByWaiting fails for a kernel that touches memory, which may be that of a kernel before it, ahead of waiting for it. A compiler
// might take a load of what a kernel only reads there.
func startsByWaiting(t *testing.T, ptx string) {
	t.Helper()
	kernels := entry.Split(ptx, -1)[1:]
	if len(kernels) == 0 {
		t.Error("no kernels")
	}
	for _, k := range kernels {
		name, _, _ := strings.Cut(k, "(")
		before, _, waits := strings.Cut(k, "griddepcontrol.wait")
		if !waits || touches.MatchString(before) {
			t.Errorf("%s does not wait before it touches memory", name)
		}
	}
}

// TestKernelsCompileWithClang compiles every sample's kernels for an architecture that nvcc has left behind, without optimizing them: nobody
// runs them.
func TestKernelsCompileWithClang(t *testing.T) {
	kit := harness.ClangCUDA(t)
	for i, unit := range units(t, plain) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			harness.Command(t, "", "clang-19", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_50", "--cuda-path="+kit, "-O0", "-S",
				"-Wall", "-Werror", "-Wno-unknown-cuda-version", unit, "-o", unit+".ptx")
		})
	}
}

// TestHostCodeCompiles compiles the host code of every sample, as planned for a GPU, as C99, and all headers together as C++.
func TestHostCodeCompiles(t *testing.T) {
	kit := harness.CUDA(t)
	headers := filepath.Join(t.TempDir(), "headers.cpp")
	var include strings.Builder
	for _, path := range sources(t) {
		name, files := project(t, path, planned)
		dir := t.TempDir()
		fmt.Fprintf(&include, "#include \"%s/include/%s.h\"\n", dir, name)
		for file, text := range files {
			full := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"-Wconversion"}, harness.Warnings...)
			harness.Command(t, dir, "gcc", append(args, "-O0", "-fsyntax-only", "-I", "include", "-isystem", kit.Include,
				"src/"+name+".c", "demo/main.c")...)
		})
	}
	if err := os.WriteFile(headers, []byte(include.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", "g++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-isystem", kit.Include, headers)
}

// TestALibraryLinks builds one project with its demo program, which says that there is no device where there is none.
func TestALibraryLinks(t *testing.T) {
	kit := harness.CUDA(t)
	p := harness.CompileFile(t, "samples/basics/sharpen.img", imgc.Contract)
	q := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	args := append(kit.Quick(t), "-Werror", "all-warnings", "-I", "include", "-L", kit.Lib, "kernels/sharpen.cu", "src/sharpen.c", "demo/main.c",
		"demo/image.c", "-o", "demo/run")
	harness.Command(t, q.Dir, kit.Nvcc, args...)
}

// TestCMake builds and installs a project, and links a program in C with it, which finds the library by find_package: what nvcc makes
// of kernels needs the library of C++, which the linker for C does not add by itself.
func TestCMake(t *testing.T) {
	kit := harness.CUDA(t)
	harness.Need(t, "cmake")
	root := kit.Layout(t)
	p := harness.CompileFile(t, "samples/basics/blur.img", imgc.Strict)
	q := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	dir := t.TempDir()
	build, prefix, user := filepath.Join(dir, "build"), filepath.Join(dir, "prefix"), filepath.Join(dir, "user")
	toolkit := "-DCUDAToolkit_ROOT=" + root
	harness.Command(t, dir, "cmake", "-S", q.Dir, "-B", build, "-DBLUR_DEMO=OFF", "-DCMAKE_INSTALL_PREFIX="+prefix, toolkit,
		"-DCMAKE_CUDA_COMPILER="+filepath.Join(root, "bin", "nvcc"), "-DCMAKE_CUDA_FLAGS="+strings.Join(kit.Quick(t), " "))
	harness.Command(t, dir, "cmake", "--build", build, "--target", "install")
	if err := os.Mkdir(user, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.c": "#include <blur.h>\nint main(void) { return blur_status(BLUR_OK) == NULL; }\n",
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.18)\nproject(user LANGUAGES C)\nfind_package(blur REQUIRED)\n" +
			"add_executable(user main.c)\ntarget_link_libraries(user PRIVATE blur::blur)\n",
	} {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	harness.Command(t, dir, "cmake", "-S", user, "-B", filepath.Join(user, "build"), "-DCMAKE_PREFIX_PATH="+prefix, toolkit)
	harness.Command(t, dir, "cmake", "--build", filepath.Join(user, "build"))
}

// TestHostCodeKnowsOlderToolkits compiles host code as if the toolkit were an older one, with the calls that it has.
func TestHostCodeKnowsOlderToolkits(t *testing.T) {
	kit := harness.CUDA(t)
	q := oldProject(t)
	for _, version := range []string{"11000", "11020", "11030", "11080", "12000"} {
		t.Run(version, func(t *testing.T) {
			args := append([]string{}, harness.Warnings...)
			harness.Command(t, q.Dir, "gcc", append(args, "-O0", "-fsyntax-only", "-I", "include", "-DTOOLKIT="+version, "-isystem", old(t), "-isystem", kit.Include,
				"src/"+q.Name+".c")...)
		})
	}
}

// graphsOfOldToolkits runs a library that an old toolkit built: graphs have a status, all else works.
func graphsOfOldToolkits(t *testing.T, host *harness.Host) {
	q := oldProject(t)
	demo := host.Build(t, q, []string{"-I", old(t), "-DTOOLKIT=11020"}, "src/"+q.Name+".c", "demo/main.c", "demo/image.c")
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pgm"), filepath.Join(dir, "out.pgm")
	if err := os.WriteFile(in, []byte("P5 2 2 255\nabcd"), 0o600); err != nil {
		t.Fatal(err)
	}
	harness.Command(t, dir, demo, in, out)
	text, err := exec.Command(demo, "--graph", in, out).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "calls as graphs need CUDA 11.3 or newer, and this library was built with CUDA 11.2") {
		t.Errorf("%v: %s", err, text)
	}
}

// oldProject is a project with graphs.
func oldProject(t *testing.T) *harness.Project {
	t.Helper()
	p := harness.CompileFile(t, "samples/basics/blur.img", imgc.Strict)
	return harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
}

// old is the folder with the headers of older toolkits.
func old(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "old"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
