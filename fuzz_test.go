package imgc_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"imgc"
	"imgc/archmodels"
	"imgc/diag"
	"imgc/grammar"
	"imgc/optimize/schedule"
)

// mutated changes some tokens of a text: leaves out, doubles, exchanges or replaces them by others of the text.
func mutated(text string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var words []string
	for _, t := range grammar.Scan(text).Tokens {
		words = append(words, t.Value)
	}
	for range seed % 5 {
		if len(words) < 2 {
			break
		}
		i, j := r.IntN(len(words)-1), r.IntN(len(words))
		switch r.IntN(4) {
		case 0:
			words = append(words[:i:i], words[i+1:]...)
		case 1:
			words = append(words[:i:i], append([]string{words[j]}, words[i:]...)...)
		case 2:
			words[i], words[i+1] = words[i+1], words[i]
		case 3:
			words[i] = words[j]
		}
	}
	return strings.Join(words, " ")
}

// patience is more than any text of a few thousand bytes may take.
const patience = time.Minute

// ways compile a program: to kernels of each target, and to whole projects. A project's kernels are those of its target.
var ways = []func(p *imgc.Program) error{
	func(p *imgc.Program) error { _, err := p.OpenCL(); return err },
	func(p *imgc.Program) error { _, err := p.CUDA(); return err },
	func(p *imgc.Program) error { return project(p, imgc.TargetOpenCL) },
	func(p *imgc.Program) error { return project(p, imgc.TargetCUDA) },
}

func project(p *imgc.Program, target imgc.Target) error {
	_, err := p.Project(context.Background(), imgc.ProjectOptions{Name: "fuzzed", Targets: []imgc.Target{target}})
	return err
}

// survives checks a text and compiles it in one of the ways where it is a program: no fault of imgc comes to light.
func survives(t *testing.T, text string, way uint64, opts imgc.Options) {
	t.Helper()
	defer time.AfterFunc(patience, func() { panic("no end of\n" + text) }).Stop()
	opts.Files = noFiles{}
	result, err := imgc.Check(context.Background(), "fuzz.img", text, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, d := range result.Diagnostics.Sorted() {
		if strings.Contains(d.Message, "%!") && !strings.Contains(text, "%!") || d.Message == "" {
			t.Errorf("a message that is none: %q\n%s", d.Message, text)
		}
	}
	if result.Program == nil {
		return
	}
	var usage *imgc.UsageError
	if err := ways[way%uint64(len(ways))](result.Program); err != nil && !errors.As(err, &usage) {
		t.Errorf("%v\n%s", err, text)
	}
}

// noFiles has none: what a text imports is in std or missing.
type noFiles struct{}

func (noFiles) ReadFile(name string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// texts are programs to begin with: samples and the examples of all messages.
func texts(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"samples/*/*.img", "testsuite/differential/testdata/*.img"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	for _, e := range diag.Entries() {
		all = append(all, e.Failing, e.Mended)
	}
	return all
}

// models are the shipped architectures, and none.
func models(t testing.TB) []*imgc.Architecture {
	t.Helper()
	all, err := imgc.Architectures()
	if err != nil {
		t.Fatal(err)
	}
	return append(all, nil)
}

// FuzzCheck checks and compiles what is like a program, for some architecture.
func FuzzCheck(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text, uint64(0))
	}
	archs := models(f)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) < 8000 {
			arch := seed / 5
			survives(t, mutated(text, seed), arch/uint64(len(archs)), imgc.Options{Arch: archs[arch%uint64(len(archs))]})
		}
	})
}

// scheduled are programs for schedules and plans, each a pipeline p of one or two stages that are called a and b. They are small, so
// that a fuzzer tries many.
var scheduled = []string{
	`pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    a: iterate (y, x) over dst
        dst[y][x] = u8(max(src[y][x], src[y][x + 1]) + 1);
}`,
	`mask taps: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    a: iterate (y, x) over dst
        dst[y][x] = u8(convolve(taps, src[y][x]) / 16);
}`,
	`mask wide: f32[5][5] = [1 for i in 0:5, j in 0:5];
pipeline p(in src: f32[H][W] border reflect, out dst: f32[H][W]) {
    image mid: f32[H][W] border constant(1);
    a: iterate (y, x) over mid
        mid[y][x] = convolve(wide, src[y][x]);
    b: iterate (y, x) over dst
        dst[y][x] = mid[y][x - 1] + mid[y + 1][x];
}`,
	`pipeline p(in src: u8[H][W], out rows: i32[H], out total: i32) {
    a: iterate (y) over rows
        rows[y] = sum(src[y][x] for x in 0:W);
    b: total = max(rows);
}`,
	`pipeline p(in src: u8[H][W], out hist: i32[256], out least: f32) {
    a: iterate (y, x) over src
        hist[src[y][x]] += 1;
    b: least = min(f32(src[y][x]) for (y, x) over src);
}`,
	`pipeline p(in src: f32[H][W], out dst: f32[H][W]) {
    a: iterate (y, x) over dst scan(x) border constant(0)
        dst[y][x] = dst[y][x-1] + src[y][x];
}`,
	`pipeline p(in src: u16x4[H][W] border clamp, out dst: u16x4[H / 2][W / 2]) {
    image mid: u16x4[H][W] border clamp;
    a: iterate (y, x) over mid
        mid[y][x] = u16x4((u32x4(src[y][x]) + u32x4(src[y][x + 1])) / 2);
    b: iterate (y, x) over dst
        dst[y][x] = max(mid[2 * y][2 * x], mid[2 * y + 1][2 * x + 1]);
}`,
}

// pick is one of the programs.
func pick(n uint8) string { return scheduled[int(n)%len(scheduled)] }

// FuzzSchedule compiles programs under texts that are like schedules.
func FuzzSchedule(f *testing.F) {
	for i, text := range []string{
		"schedule p { a: item(4, 2) tile(64, 8) vector(4) dot4 packed16; b: item(4) vector(16); }",
		"schedule p on \"h200\" { a: reduce(64); b: root copies(4, 256, 100) rolled(9); }",
		"schedule p { b: reduce(256); a: flat unroll(1024) rows(4) lanes(8); }",
		"schedule p { a: stream(8) item(256, 256) tile(65536) rowsums; b: separate; }",
		"schedule p { a: inline; b: local tile(32, 8) item(2, 2); } schedule p on \"a\" { a: fuse; }",
		"schedule p { a: line(4) prefix(256); b: fuse; }",
		"schedule q { nothing: item(0) tile(1, 2, 3) unknown(-1); }",
	} {
		f.Add(text, uint64(0), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, program uint8) {
		if len(text) < 1000 {
			survives(t, pick(program), seed/5, imgc.Options{Schedule: &imgc.Text{Name: "fuzz.schedule", Text: mutated(text, seed)}})
		}
	})
}

// numbers are all numbers of decisions.
func numbers(d *schedule.Decisions) (all []reflect.Value) {
	v := reflect.ValueOf(d).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Array {
			all = append(all, f)
			continue
		}
		for k := range f.Len() {
			all = append(all, f.Index(k))
		}
	}
	return all
}

// decided is a schedule of decisions: each pair of bytes says for which stage, which number, and its value, about a power of two.
func decided(bytes []byte) string {
	s := schedule.Schedule{Pipeline: "p", Stages: []*schedule.Stage{{Name: "a"}, {Name: "b"}}}
	for ; len(bytes) > 1; bytes = bytes[2:] {
		all := numbers(&s.Stages[bytes[0]%2].Decisions)
		all[int(bytes[0]/2)%len(all)].SetInt(max(1, 1<<(bytes[1]%12)-int64(bytes[1]/128)))
	}
	s.Stages = slices.DeleteFunc(s.Stages, func(s *schedule.Stage) bool { return s.Decisions == schedule.Decisions{} })
	return s.String()
}

// FuzzDecisions compiles programs under decisions, most of which say what can be said.
func FuzzDecisions(f *testing.F) {
	for i := range numbers(&schedule.Decisions{}) {
		f.Add(uint8(i), uint8(i), []byte{byte(2 * i), byte(i)})
	}
	f.Fuzz(func(t *testing.T, program, way uint8, bytes []byte) {
		if len(bytes) < 40 {
			survives(t, pick(program), uint64(way), imgc.Options{Schedule: &imgc.Text{Name: "fuzz.schedule", Text: decided(bytes)}})
		}
	})
}

// figures are what may stand for a figure of a model, next to unknown: small ones, and those about what stands there or may.
func figures(f *archmodels.Field, was float64) []float64 {
	all := []float64{0, 1, 2, 3, 7, 64, was / 2, was + 1, 2 * was, f.Max / 3, f.Max / 2, f.Max}
	for i, v := range all {
		all[i] = min(v, f.Max)
		if f.Whole {
			all[i] = math.Floor(all[i])
		}
	}
	return all
}

// edited is a model with some figures replaced: each pair of bytes says which one, and by what.
func edited(m *imgc.Architecture, edits []byte) string {
	out := *m
	for ; len(edits) > 1; edits = edits[2:] {
		field := archmodels.Fields[int(edits[0])%len(archmodels.Fields)]
		at := field.At(&out)
		values := figures(field, at.Value)
		if n := int(edits[1]) % (len(values) + 1); n == len(values) {
			*at = archmodels.Figure{}
		} else {
			*at = archmodels.Figure{Known: true, Value: values[n], Source: "FUZZ", How: archmodels.Measured}
		}
	}
	out.Sources = maps.Clone(m.Sources)
	out.Sources["FUZZ"] = "a fuzzer"
	return out.Text()
}

// FuzzModel plans programs for architectures of which any figure may be wrong. That any text at all may be read as a model is tried
// where models are read.
func FuzzModel(f *testing.F) {
	all := models(f)
	all = all[:len(all)-1] // without none
	for i := range all {
		f.Add(uint8(i), uint8(i), []byte{byte(i), byte(i)})
	}
	f.Fuzz(func(t *testing.T, model, program uint8, edits []byte) {
		if len(edits) > 100 {
			return
		}
		text := edited(all[int(model)%len(all)], edits)
		if m, err := archmodels.Parse("fuzz.yaml", []byte(text)); err == nil {
			survives(t, pick(program), uint64(model)/uint64(len(all)), imgc.Options{Arch: m})
		}
	})
}

func TestMutatedProgramsAreCheckedWithoutAFault(t *testing.T) {
	rounds := uint64(4)
	if testing.Short() {
		rounds = 1
	}
	archs := models(t)
	for i, text := range texts(t) {
		for round := range rounds {
			seed := 1000*uint64(i) + 5*round + 1 + round%4
			survives(t, mutated(text, seed), seed/5, imgc.Options{Arch: archs[seed%uint64(len(archs))]})
		}
	}
}
