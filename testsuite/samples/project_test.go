package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// TestProjects runs the demo program of each sample's generated project on files and holds its results against the
// interpreter's, for the projects are generated under strict arithmetic. The large size is left to package device; so is what pixels
// hold, for the kernels are those of TestSamples, and the host's code does not look at pixels.
func TestProjects(t *testing.T) {
	t.Parallel()
	harness.Device(t)
	for _, file := range files() {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			project := harness.WriteProject(t, harness.CompileFile(t, row{file: file}.path(), imgc.Strict), imgc.ProjectOptions{})
			demo := project.Demo(t)
			for _, r := range chosen() {
				if r.file == file {
					t.Run(r.pipeline, func(t *testing.T) { r.prepare(t, small, patterns...).onDemo(t, demo, harness.Command) })
				}
			}
			t.Run("oclgrind", func(t *testing.T) { simulateDemo(t, file, demo) })
		})
	}
}

// files lists the sample files of the rows.
func files() []string {
	var all []string
	for _, r := range chosen() {
		if !slices.Contains(all, r.file) {
			all = append(all, r.file)
		}
	}
	return all
}

// simulateDemo has Oclgrind watch the generated host code and its calls of OpenCL, once for each pipeline.
func simulateDemo(t *testing.T, file, demo string) {
	for _, r := range chosen() {
		if r.file != file {
			continue
		}
		s := r.prepare(t, tiny)
		i := slices.IndexFunc(s.cases, func(k kase) bool { return strings.HasSuffix(k.name, "2x3") || k.name == "2x2x2" })
		i = max(i, 0) // samples that need larger images begin with the smallest
		s.cases, s.want = s.cases[i:i+1], s.want[i:i+1]
		s.onDemo(t, demo, func(t testing.TB, _, tool string, args ...string) string {
			return harness.Simulate(t.(*testing.T), tool, args...)
		})
	}
}

// onDemo runs the cases through the demo program. run is called as harness.Command is.
func (s *tested) onDemo(t *testing.T, demo string, run func(t testing.TB, dir, tool string, args ...string) string) {
	dir := t.TempDir()
	for i, k := range s.cases {
		t.Run(k.name, func(t *testing.T) {
			args := s.settings(k)
			if len(s.strict.Pipelines) > 1 {
				args = append(args, s.row.pipeline)
			}
			for _, q := range s.pipeline.Params {
				if !q.IsImage {
					continue
				}
				path := filepath.Join(dir, q.Name+".npy")
				if m := k.args.Images[q.Name]; m != nil {
					if err := imagefile.Write(path, m, imagefile.Want{}); err != nil {
						t.Fatal(err)
					}
				} else if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if q.Takes() && q.Returns() {
					args = append(args, path) // what it is before, and after
				}
				args = append(args, path)
			}
			run(t, dir, demo, args...)
			s.compareFiles(t, dir, outputsByName(s.pipeline, s.want[i]))
		})
	}
}

// settings are the scalars and free sizes of a call on the demo's command line.
func (s *tested) settings(k kase) []string {
	var args []string
	for _, name := range append(names(s.pipeline.Params, func(q *imgc.Param) string { return q.Name }),
		names(s.pipeline.Sizes, func(z *imgc.Size) string { return z.Name })...) {
		switch v := k.numbers[name].(type) {
		case int:
			args = append(args, "--set", fmt.Sprintf("%s=%d", name, v))
		case float64:
			args = append(args, "--set", name+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return args
}

func names[T any](list []T, name func(T) string) []string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = name(v)
	}
	return all
}

func outputsByName(p *imgc.Pipeline, r imgc.Results) map[string]*pixels.Image {
	all := map[string]*pixels.Image{}
	for _, q := range p.Params {
		if q.IsImage && q.Returns() {
			all[q.Name] = r.Images[q.Name]
		}
	}
	return all
}

// compareFiles holds the files that the demo wrote against the wanted images.
func (s *tested) compareFiles(t *testing.T, dir string, wanted map[string]*pixels.Image) {
	t.Helper()
	for name, want := range wanted {
		got, err := harness.ReadArray(filepath.Join(dir, name+".npy"), want)
		if err != nil {
			t.Fatal(err)
		}
		if err := harness.Compare(got, want, s.row.strict); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
