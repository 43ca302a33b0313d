package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	unsaid  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func TestLinksLeadSomewhere(t *testing.T) {
	for _, p := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(p.prose(), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				t.Errorf("%s: a link to another site may break: %s", p.path, m[1])
				continue
			}
			file := p.path
			if target != "" {
				file = path.Join(path.Dir(p.path), target)
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", p.path, m[1])
				continue
			}
			if anchor != "" && !readPage(t, file).has(anchor) {
				t.Errorf("%s: %s has no heading for the link %s", p.path, file, m[1])
			}
		}
	}
}

// has reports whether a heading of the page gets the anchor, as Git hosts make them.
func (p *page) has(anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(p.prose(), -1) {
		if strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestPagesAreReached fails on a page of docs, or of a folder of docs, that the index there does not link to, and on such an index that
// docs/README.md does not link to.
func TestPagesAreReached(t *testing.T) {
	for _, p := range pages(t) {
		folder, name := path.Split(p.path)
		switch {
		case folder == "":
			continue
		case name == "README.md" && folder != "docs/":
			folder, name = "docs/", strings.TrimPrefix(p.path, "docs/")
		case name == "README.md":
			continue
		}
		if !strings.Contains(readPage(t, folder+"README.md").text, "("+name+")") {
			t.Errorf("%sREADME.md does not link to %s", folder, name)
		}
	}
}
