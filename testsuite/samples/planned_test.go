package samples

import (
	"os"
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// TestSamplesPlannedForGPUs runs the kernels that a plan for a GPU makes: in strict mode they give the interpreter's results.
func TestSamplesPlannedForGPUs(t *testing.T) {
	for _, model := range []string{"nvidia-h200"} {
		arch, err := imgc.OpenArchitecture(model)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range byFile(chosen()) {
			t.Run(model+"/"+list[0].file, func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join(harness.Root, list[0].path()))
				if err != nil {
					t.Fatal(err)
				}
				p := harness.CompileWith(t, filepath.Base(list[0].path()), string(text), imgc.Options{Mode: imgc.Strict, Arch: arch})
				build := harness.BuildPlain
				if list[0].rounds {
					build = harness.Build
				}
				built := build(t, p)
				for _, r := range list {
					s := r.prepare(t, small)
					t.Run(r.pipeline, func(t *testing.T) { s.onBuilt(t, built, s.row.strict, layouts) })
				}
			})
		}
	}
}

// byFile puts the rows of one file together, in the order of the table.
func byFile(list []row) [][]row {
	var out [][]row
	place := map[string]int{}
	for _, r := range list {
		i, ok := place[r.file]
		if !ok {
			i = len(out)
			place[r.file] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}
