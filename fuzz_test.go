package imgc_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"imgc"
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
func survives(t *testing.T, text string) {
	t.Helper()
	defer time.AfterFunc(patience, func() { panic("no end of\n" + text) }).Stop()
	result, err := imgc.Check(context.Background(), "fuzz.img", text, imgc.Options{})
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

// FuzzCheck checks and compiles what is like a program.
func FuzzCheck(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text, uint64(0))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) < 8000 {
			survives(t, mutated(text, seed))
		}
	})
}

func TestMutatedProgramsAreCheckedWithoutAFault(t *testing.T) {
	rounds := uint64(4)
	if testing.Short() {
		rounds = 1
	}
	for i, text := range texts(t) {
		for round := range rounds {
			survives(t, mutated(text, 1000*uint64(i)+5*round+1+round%4))
		}
	}
}
