package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"imgc/archmodels"
)

func TestModelPageListsTheSchemaAndTheModels(t *testing.T) {
	var b strings.Builder
	for _, s := range archmodels.Sections {
		fmt.Fprintf(&b, "### %s\n\n%s.\n\n| figure | unit | meaning |\n|---|---|---|\n", s.Name, capital(s.Meaning))
		for _, f := range archmodels.Fields {
			if f.Section == s.Name {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Unit, f.Meaning)
			}
		}
		b.WriteString("\n")
	}
	section(t, "docs/archmodels.md", "fields", b.String())

	b.Reset()
	b.WriteString("| model | device | figures known |\n|---|---|---|\n")
	for _, m := range archmodels.All() {
		known, all := m.Known()
		fmt.Fprintf(&b, "| `%s` | %s | %d of %d |\n", m.Name, m.Title, known, all)
	}
	section(t, "docs/archmodels.md", "models", b.String())
}

func TestModelPageShowsAModel(t *testing.T) {
	text, err := os.ReadFile("archmodels.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the page shows no model")
	}
	if _, err := archmodels.Parse("example.yaml", []byte(example)); err != nil {
		t.Error(err)
	}
}
