package samples

import (
	"os"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// onHost are the files whose CUDA projects every run of the tests checks: between them they have atomic functions, shared memory and
// barriers, vectors, floats of 16 bits and several pipelines.
var onHost = []string{"scatter", "median", "blend"}

// asGraph runs a demo program with its calls as graphs, and measures some in one.
func asGraph(t testing.TB, dir, demo string, args ...string) string {
	t.Helper()
	return harness.Command(t, dir, demo, append([]string{"--graph", "--bench", "1", "--together", "2"}, args...)...)
}

// TestCUDAProjectsOnTheHost runs the demo programs of CUDA projects, with host memory and as graphs, on a runtime that runs kernels on the host, under the sanitizers
// of the host's compilers. IMGC_CUDA=1 does so for all samples that are chosen.
func TestCUDAProjectsOnTheHost(t *testing.T) {
	host := harness.CUDAOnHost(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
	for _, file := range files() {
		if os.Getenv("IMGC_CUDA") == "" && !slices.Contains(onHost, file) {
			continue
		}
		t.Run(file, func(t *testing.T) {
			program := harness.CompileFile(t, row{file: file}.path(), imgc.Strict)
			project := harness.WriteProject(t, program, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
			demo := host.Build(t, project, nil, "src/"+project.Name+".c", "demo/main.c", "demo/image.c")
			header, err := os.ReadFile(project.Path("include/" + project.Name + ".h"))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range chosen() {
				if r.file != file {
					continue
				}
				t.Run(r.pipeline, func(t *testing.T) { r.prepare(t, tiny).onDemo(t, demo, harness.Command) })
				if strings.Contains(string(header), "_enqueue_graph(") {
					t.Run(r.pipeline+"/graph", func(t *testing.T) { r.prepare(t, tiny).onDemo(t, demo, asGraph) })
				}
			}
		})
	}
}
