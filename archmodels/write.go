package archmodels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Text is a model as a file that Parse reads back, with every figure in it, inherited ones too; of those that are not known, what plans assume is a comment.
func (m *Model) Text() string {
	with := m.WithUsual()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("name: %s", m.Name)
	line("title: %s", quoted(m.Title))
	line("class: %s", m.Class)
	for _, entry := range [...]struct{ key, text string }{{"cuda", m.CUDA}, {"notes", m.Notes}} {
		if entry.text != "" {
			line("%s: %s", entry.key, quoted(entry.text))
		}
	}
	if m.Vendor != "" || m.Device != "" {
		line("match:")
		line("  vendor: %s", quoted(m.Vendor))
		line("  device: %s", quoted(m.Device))
	}
	line("sources:")
	for _, name := range m.usedSources() {
		line("  %s: %s", name, quoted(m.Sources[name]))
	}
	for _, s := range Sections {
		line("\n# %s", s.Meaning)
		line("%s:", s.Name)
		for _, f := range Fields {
			if f.Section == s.Name {
				line("  %s: %s  # %s: %s%s", f.Name, f.At(m).text(), f.Unit, f.Meaning, f.At(with).assumption())
			}
		}
	}
	return b.String()
}

// usedSources are the sources that a figure names, sorted.
func (m *Model) usedSources() []string {
	var out []string
	for _, f := range Fields {
		if at := f.At(m); at.Known && !slices.Contains(out, at.Source) {
			out = append(out, at.Source)
		}
	}
	slices.Sort(out)
	return out
}

func (f *Figure) text() string {
	if !f.Known {
		return "unknown"
	}
	text := fmt.Sprintf("{value: %s, source: %s, how: %s", strconv.FormatFloat(f.Value, 'g', -1, 64), f.Source, f.How)
	if f.Note != "" {
		text += ", note: " + quoted(f.Note)
	}
	return text + "}"
}

// assumption says what plans assume of a figure, with why; "" where it is known, or nothing is assumed.
func (f *Figure) assumption() string {
	if !f.Known || f.How != Assumed {
		return ""
	}
	text := fmt.Sprintf("; plans assume %.4g", f.Value)
	if f.Note != "" {
		text += ", " + f.Note
	}
	return text
}

// quoted is a text as YAML writes it between double quotes.
func quoted(s string) string { return strconv.QuoteToASCII(s) }
