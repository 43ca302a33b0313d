package robust

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// shortCUDA are the programs of a short run: scalars of all kinds, results that kernels compute, pyramids.
var shortCUDA = []string{"kinds", "statistics", "detail"}

// unplannedCUDA are programs whose kernels, as planned for a GPU, wait at barriers more often than threads on a host can in a short time.
var unplannedCUDA = []string{"statistics", "histogram", "otsu", "poisson"}

// TestCUDALibrariesBearFailures builds the programs' CUDA libraries, kernels and all, with the address, leak and undefined behaviour
// sanitizers on a CUDA runtime that runs them on the host, in the most unfavourable order, and whose calls fail.
func TestCUDALibrariesBearFailures(t *testing.T) {
	host := harness.CUDAOnHost(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
	for _, r := range programs {
		if !thorough && !slices.Contains(shortCUDA, r.name()) {
			continue
		}
		t.Run(r.name(), func(t *testing.T) {
			program := buildCUDA(t, host, r)
			run(t, exec.Command(program, mode()...), "ASAN_OPTIONS=detect_leaks=1:exitcode=99",
				"UBSAN_OPTIONS=print_stacktrace=1:exitcode=99")
		})
	}
}

func buildCUDA(t *testing.T, host *harness.Host, r program) string {
	t.Helper()
	opts := imgc.Options{Mode: imgc.Strict}
	if !slices.Contains(unplannedCUDA, r.name()) {
		model, err := imgc.OpenArchitecture("nvidia-h200")
		if err != nil {
			t.Fatal(err)
		}
		opts.Arch = model
	}
	opts.Pipelines = r.keep(harness.CompileFileWith(t, r.file, opts))
	p := harness.CompileFileWith(t, r.file, opts)
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	dir := t.TempDir()
	library := filepath.Join(dir, "library.c") // with an allocator that fails
	text := fmt.Sprintf("#include \"allocator.h\"\n#include %q\n", project.Path("src/"+project.Name+".c"))
	if err := os.WriteFile(library, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options := []string{"-I", testdata(t, "cuda"), "-I", testdata(t, ""), "-Wall", "-Wextra"}
	return host.Build(t, project, options, library, writeCUDATables(t, r, p, project), testdata(t, "cuda/main.c"))
}

// writeCUDATables writes program.c for a CUDA library.
func writeCUDATables(t *testing.T, r program, p *imgc.Program, project *harness.Project) string {
	t.Helper()
	header, err := os.ReadFile(project.Path("include/" + project.Name + ".h"))
	if err != nil {
		t.Fatal(err)
	}
	w := &tables{library: project.Name, only: len(p.Pipelines) == 1}
	w.entry = func(w *tables, i int, function, run, enqueue string) string {
		return cudaEntry(w, i, function, run, enqueue, string(header))
	}
	w.pipelines(t, r, p)
	w.statuses("OK", "BUFFER", "WORKSPACE", "DEVICE", "CUDA")
	fmt.Fprintf(&w.text, `static int create_log(int device, void **out, char *message, size_t size) {
    return %[1]s_create_log(device, (%[1]s **)out, message, size);
}

static void destroy(void *self) { %[1]s_destroy(self); }

static const char *last_error(const void *self) { return %[1]s_last_error(self); }

const struct subject subject = {"%[1]s", %[2]d, pipelines, create_log, destroy, %[1]s_status, last_error};
`, w.library, len(p.Pipelines))
	path := filepath.Join(t.TempDir(), "program.c")
	text := fmt.Sprintf("#include \"library.h\"\n\n#include \"%s.h\"\n\n%s", w.library, w.text.String())
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// cudaEntry writes the functions by which the C program calls the i-th pipeline: those that the library has, NULL for the others.
func cudaEntry(w *tables, i int, function, run, enqueue, header string) string {
	names := fmt.Sprintf("run_%d, enqueue_%d", i, i)
	fmt.Fprintf(&w.text, `static int run_%[1]d(void *self, void *const *at) {
    (void)at;
    return %[2]s_run(self%[3]s);
}

static int enqueue_%[1]d(void *self, cudaStream_t stream, void *const *at) {
    (void)at;
    return %[2]s_enqueue(self, stream%[4]s);
}

`, i, function, run, enqueue)
	if !strings.Contains(header, function+"_enqueue_graph(") {
		return names + ", NULL"
	}
	fmt.Fprintf(&w.text, `static int graph_%[1]d(void *self, cudaStream_t stream, void *const *at) {
    (void)at;
    return %[2]s_enqueue_graph(self, stream%[3]s);
}

`, i, function, enqueue)
	return fmt.Sprintf("%s, graph_%d", names, i)
}
