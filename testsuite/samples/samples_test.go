package samples

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A tested row is one with its program and the interpreter's results.
type tested struct {
	row
	strict   *imgc.Program
	pipeline *imgc.Pipeline
	cases    []kase
	want     []imgc.Results
}

// chosen are the rows whose file or pipeline has the text of the environment variable IMGC_SAMPLES in its name: for work on one sample.
func chosen() []row {
	text := os.Getenv("IMGC_SAMPLES")
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !strings.Contains(r.file+" "+r.pipeline, text) })
}

// prepare compiles a row's sample and runs the interpreter over its cases up to a weight, but those with some patterns.
func (r row) prepare(t *testing.T, most weight, unwanted ...harness.Pattern) *tested {
	t.Helper()
	s := &tested{row: r, strict: harness.CompileFile(t, r.path(), imgc.Strict)}
	var err error
	if s.pipeline, err = s.strict.Pipeline(r.pipeline); err != nil {
		t.Fatal(err)
	}
	s.cases = without(r.cases(s.pipeline), unwanted...)
	s.cases = slices.DeleteFunc(s.cases, func(k kase) bool { return k.weight > most })
	for _, k := range s.cases {
		s.want = append(s.want, s.interpreted(t, k))
	}
	return s
}

// interpreted keeps the interpreter's results, which several tests want; but for the large images, which one does.
var interpreted sync.Map

func (s *tested) interpreted(t *testing.T, k kase) imgc.Results {
	t.Helper()
	key := fmt.Sprint(s.row.file, s.row.pipeline, k.name, k.numbers)
	if known, ok := interpreted.Load(key); ok {
		return known.(imgc.Results)
	}
	result := harness.Interpret(t, s.strict, s.row.pipeline, k.fresh())
	if k.weight < large {
		interpreted.Store(key, result)
	}
	return result
}

func (r row) path() string {
	if strings.Contains(r.file, "/") {
		return "samples/" + r.file + ".img"
	}
	return "samples/basics/" + r.file + ".img"
}

func TestEveryPipelineOfASampleHasARow(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(harness.Root, "samples", "*", "*.img"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	for _, path := range files {
		folder, name := filepath.Base(filepath.Dir(path)), filepath.Base(path)
		file := strings.TrimPrefix(folder+"/"+strings.TrimSuffix(name, ".img"), "basics/")
		p := harness.CompileFile(t, "samples/"+folder+"/"+name, imgc.Contract)
		for _, q := range p.Pipelines {
			if !slices.ContainsFunc(rows, func(r row) bool { return r.file == file && r.pipeline == q.Name }) {
				t.Errorf("%s: pipeline %s has no row in rows_test.go", path, q.Name)
			}
		}
	}
}

func TestSamples(t *testing.T) {
	var all []*tested
	t.Run("prepare", func(t *testing.T) {
		for _, r := range chosen() {
			all = append(all, r.prepare(t, most()))
		}
	})
	if t.Failed() {
		return
	}
	t.Run("reference", func(t *testing.T) { compareReferences(t, all) })
	for _, s := range all {
		t.Run(s.row.pipeline, func(t *testing.T) {
			t.Run("strict", func(t *testing.T) { s.onDevice(t, s.strict, s.row.strict, layouts) })
			t.Run("contract", func(t *testing.T) {
				p := harness.CompileFile(t, s.path(), imgc.Contract)
				if !hasFloats(t, p) {
					t.Skip("all modes are one where no kernel has floats")
				}
				s.onDevice(t, p, s.contract, layouts[:1])
			})
		})
	}
}

// floats are the types that a compiler may compute with in its own way, as the mode lets it.
var floats = regexp.MustCompile(`\b(half|float|double)\d*\b`)

func hasFloats(t *testing.T, p *imgc.Program) bool {
	t.Helper()
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	return floats.MatchString(kernels.Output.Source)
}

func most() weight {
	if testing.Short() {
		return small
	}
	return large
}

// layouts are how images lie in device memory: packed, and with odd gaps between and before their lines.
var layouts = []device.Layout{{}, {Pad: 3, Offset: 5}}

// onDevice runs the cases on the first OpenCL device.
func (s *tested) onDevice(t *testing.T, p *imgc.Program, b harness.Bound, layouts []device.Layout) {
	s.onBuilt(t, harness.Build(t, p), b, layouts)
}

// onBuilt runs the cases with a program that is built.
func (s *tested) onBuilt(t *testing.T, built *device.Program, b harness.Bound, layouts []device.Layout) {
	for i, k := range s.cases {
		t.Run(k.name, func(t *testing.T) {
			for _, l := range layouts {
				compareRun(t, s.want[i], b, func() (map[string]*pixels.Image, map[string]types.Value, error) {
					r, err := built.Run(context.Background(), s.row.pipeline, device.Args(k.fresh()), l)
					return r.Images, r.Scalars, err
				})
				if t.Failed() {
					t.Fatalf("with the layout %+v", l)
				}
			}
		})
	}
}

// compareReferences holds the interpreter against NumPy, SciPy and OpenCV, all cases in one process.
func compareReferences(t *testing.T, all []*tested) {
	var calls []harness.ReferenceCase
	for _, s := range all {
		for i, k := range s.cases {
			calls = append(calls, harness.ReferenceCase{
				Function: s.reference, Images: k.inputs(s.pipeline), Scalars: k.numbers, Want: outputs(s.pipeline, s.want[i]),
			})
		}
	}
	results := harness.References(t, calls)
	for _, s := range all {
		t.Run(s.row.pipeline, func(t *testing.T) {
			for i, k := range s.cases {
				r := results[0]
				results = results[1:]
				if !k.finite {
					continue // the reference computes in f64, where less overflows
				}
				t.Run(k.name, func(t *testing.T) { compareReference(t, r, outputs(s.pipeline, s.want[i]), s.near) })
			}
		})
	}
}

func compareReference(t *testing.T, r harness.ReferenceResult, got []*pixels.Image, b harness.Bound) {
	t.Helper()
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	for i, want := range r.Images {
		if err := harness.Compare(got[i], want, b); err != nil {
			t.Error(err)
		}
	}
}
