package samples

import (
	"os"
	"slices"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// onHost are the files whose CUDA projects every run of the tests checks: between them they have atomic functions, shared memory and
// barriers, vectors, floats of 16 bits and several pipelines.
var onHost = []string{"scatter", "median", "blend"}

// TestCUDAProjectsOnTheHost runs the demo programs of CUDA projects on a runtime that runs kernels on the host, under the sanitizers
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
			for _, r := range chosen() {
				if r.file == file {
					t.Run(r.pipeline, func(t *testing.T) { r.prepare(t, tiny).onDemo(t, demo, harness.Command) })
				}
			}
		})
	}
}
