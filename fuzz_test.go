package imgc_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"imgc"
	"imgc/archmodels"
	"imgc/diag"
	"imgc/grammar"
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

// survives checks a text and compiles it where it is a program: no fault of imgc comes to light.
func survives(t *testing.T, text string, opts imgc.Options) {
	t.Helper()
	defer time.AfterFunc(patience, func() { panic("no end of\n" + text) }).Stop()
	opts.Files = noFiles{}
	result, err := imgc.Check(context.Background(), "fuzz.img", text, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, d := range result.Diagnostics.Sorted() {
		if strings.Contains(d.Message, "%!") || d.Message == "" {
			t.Errorf("a message that is none: %q\n%s", d.Message, text)
		}
	}
	if result.Program == nil {
		return
	}
	if _, err := result.Program.OpenCL(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var usage *imgc.UsageError
	if _, err := result.Program.Project(context.Background(), imgc.ProjectOptions{Name: "fuzzed"}); err != nil && !errors.As(err, &usage) {
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
			survives(t, mutated(text, seed), imgc.Options{Arch: archs[seed/5%uint64(len(archs))]})
		}
	})
}

// scheduled is a program with stages of several kinds, for schedules and plans.
const scheduled = `mask taps: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
mask wide: f32[5][5] = [1 for i in 0:5, j in 0:5];

pipeline p(in src: u8[H][W] border clamp, in real: f32[H][W] border reflect, out dst: u8[H][W], out sums: f32[H][W], out rows: i32[H],
        out hist: i32[256], out total: i32) {
    blur: iterate (y, x) over dst
        dst[y][x] = u8(convolve(taps, src[y][x]) / 16);
    sums = [convolve(wide, real[y][x]) for y, x];
    iterate (y) over rows
        rows[y] = sum(src[y][x] for x in 0:W);
    iterate (y, x) over src
        hist[src[y][x]] += 1;
    iterate (y, x) over sums scan(x) border constant(0)
        sums[y][x] = sums[y][x-1] + sums[y][x];
    total = max(hist);
}
`

// FuzzSchedule compiles a program under schedules of all sorts.
func FuzzSchedule(f *testing.F) {
	f.Add("schedule p { blur: item(4, 2) tile(64, 8) vector(4) dot4; sums: item(4) vector(16); }", uint64(0))
	f.Add("schedule p for \"h200\" { rows: reduce(64); hist: copies(4, 256, 100); }", uint64(0))
	f.Add("schedule p { total: reduce(256); dst: flat unroll(1024); blur: item(256, 256) tile(65536); }", uint64(3))
	f.Add("schedule q { nothing: item(0) tile(1, 2, 3) unknown(-1); }", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) < 1000 {
			survives(t, scheduled, imgc.Options{Schedule: &imgc.Text{Name: "fuzz.schedule", Text: mutated(text, seed)}})
		}
	})
}

// FuzzModel plans a program for architectures of which any figure may be wrong.
func FuzzModel(f *testing.F) {
	for i, m := range models(f) {
		if m != nil && i%5 == 0 {
			f.Add(m.Text())
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20000 {
			return
		}
		m, err := archmodels.Parse("fuzz.yaml", []byte(text))
		if err == nil {
			survives(t, scheduled, imgc.Options{Arch: m})
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
			survives(t, mutated(text, seed), imgc.Options{Arch: archs[seed%uint64(len(archs))]})
		}
	}
}
