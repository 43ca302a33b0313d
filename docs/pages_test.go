package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the generated pages, tables and pictures")

// root is the repository, seen from this package's folder.
const root = ".."

// A page is a Markdown file that this package keeps true.
type page struct {
	path string // from the root of the repository
	text string
}

// A fence is a block between ``` lines.
type fence struct {
	page  *page
	index int      // among the page's fences
	line  int      // of the opening ```, from 1
	info  []string // words after the opening ```: "img", "error", "IMG0501"
	text  string
}

// is reports whether the fence's first word is lang.
func (f *fence) is(lang string) bool { return len(f.info) > 0 && f.info[0] == lang }

// name is the file that the fence shows: a word with a dot in its info line; "" without.
func (f *fence) name() string {
	for _, w := range f.info {
		if strings.Contains(w, ".") {
			return w
		}
	}
	return ""
}

// pages reads README.md, CHANGELOG.md and every page of docs and of its folders.
func pages(t *testing.T) []*page {
	t.Helper()
	paths := []string{"README.md", "CHANGELOG.md"}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			paths = append(paths, "docs/"+filepath.ToSlash(name))
		}
	}
	var list []*page
	for _, p := range paths {
		list = append(list, readPage(t, p))
	}
	return list
}

func readPage(t *testing.T, path string) *page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return &page{path, string(text)}
}

// fences lists the fences of a page in order. A fence that is not closed fails the test.
func (p *page) fences(t *testing.T) []*fence {
	t.Helper()
	var list []*fence
	var open *fence
	for i, line := range strings.SplitAfter(p.text, "\n") {
		rest, marked := strings.CutPrefix(line, "```")
		switch {
		case marked && open == nil:
			open = &fence{page: p, index: len(list), line: i + 1, info: strings.Fields(rest)}
		case marked:
			list = append(list, open)
			open = nil
		case open != nil:
			open.text += line
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: this fence is not closed", p.path, open.line)
	}
	return list
}

// prose is the page without its fences.
func (p *page) prose() string {
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(p.text, "")
}

// section replaces, under -update, what stands between the comments <!-- name --> and <!-- end --> of a page, and holds it
// against want otherwise.
func section(t *testing.T, path, name, want string) {
	t.Helper()
	p := readPage(t, path)
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(p.text, begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the comments %s and %s", path, strings.TrimSpace(begin), end)
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s: the part %q is out of date; run go test ./docs -update\ngot:\n%s\nwant:\n%s", path, name, got, want)
		return
	}
	writePage(t, path, before+begin+want+end+after)
}

func writePage(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
