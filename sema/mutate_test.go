package sema_test

import (
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"imgc/hast"
)

var mutations = flag.Int("mutations", 200, "how many mutated programs to check")

// word splits a program into what can be dropped, doubled or exchanged: names, numbers and operators.
var word = regexp.MustCompile(`[A-Za-z_]\w*|[0-9.]+\w*|\s+|//.*|.`)

// TestMutatedProgramsAreReportedOrWellFormed checks programs with a few words changed: the checker either reports something
// or returns a tree that keeps hast's promises, and never panics.
func TestMutatedProgramsAreReportedOrWellFormed(t *testing.T) {
	texts := corpus(t)
	var pool []string
	for _, text := range texts {
		pool = append(pool, word.FindAllString(text, -1)...)
	}
	r := rand.New(rand.NewSource(1))
	accepted := 0
	for range *mutations {
		words := word.FindAllString(texts[r.Intn(len(texts))], -1)
		for range 1 + r.Intn(3) {
			mutate(r, words, pool)
		}
		text := strings.Join(words, "")
		p, diags := checkSafely(t, text)
		switch {
		case p == nil && !diags.HasErrors():
			t.Errorf("refused without an error:\n%s", text)
		case p != nil:
			accepted++
			if err := hast.Verify(p); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
		}
	}
	t.Logf("%d of %d were accepted", accepted, *mutations)
}

func corpus(t *testing.T) []string {
	t.Helper()
	var texts []string
	for _, folder := range []string{"good", "good", "good", "bad"} {
		for _, name := range programs(t, folder) {
			if filepath.Base(name) == "constants.img" && folder == "bad" {
				continue // it computes for a while
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, expectation.ReplaceAllString(string(text), ""))
		}
	}
	return texts
}

func mutate(r *rand.Rand, words, pool []string) {
	i := r.Intn(len(words))
	switch r.Intn(4) {
	case 0:
		words[i] = ""
	case 1:
		words[i] += " " + words[i]
	case 2:
		j := r.Intn(len(words))
		words[i], words[j] = words[j], words[i]
	default:
		words[i] = pool[r.Intn(len(pool))]
	}
}

func checkSafely(t *testing.T, text string) (p *hast.Program, diags interface{ HasErrors() bool }) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("panic: %v in\n%s", v, text)
		}
	}()
	return check("mutated.img", text, nil)
}
