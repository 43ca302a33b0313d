package archmodels

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds a model file; the shipped ones have a few thousand bytes.
const maxFile = 1 << 20

// A reader turns a file into a model and collects what is wrong with it.
type reader struct {
	file string
	hows []string // the words that say how far a figure can be trusted
	errs []error
}

func (r *reader) fail(line int, format string, args ...any) {
	r.errs = append(r.errs, &FileError{r.file, line, fmt.Sprintf(format, args...)})
}

// read returns nil where the text is no model at all. above are the models that inherit from this one.
func (r *reader) read(text []byte, above []string) *Model {
	root := r.document(text)
	if root == nil {
		return nil
	}
	m := &Model{Sources: map[string]string{}}
	fields := r.mapping(root, "the file")
	if at := fields["inherit"]; at != nil {
		if base := r.inherited(r.text(at), at.Line, above); base != nil {
			m = base
			m.Device, m.Title, m.Notes = "", "", ""
		}
		m.Inherit = at.Value
	}
	r.sources(m, fields["sources"])
	for _, key := range sortedByLine(fields) {
		r.entry(m, key, fields[key])
	}
	return m
}

func (r *reader) document(text []byte) *yaml.Node {
	if len(text) > maxFile {
		r.fail(0, "the file has %d bytes: a model has at most %d", len(text), maxFile)
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		line, message := yamlError(err)
		r.fail(line, "%s", message)
		return nil
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		r.fail(0, "this is no architecture model: expected keys such as name, class and limits")
		return nil
	}
	return doc.Content[0]
}

// yamlError takes the line out of the library's message: "yaml: line 3: ...".
func yamlError(err error) (int, string) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(message); m != nil {
		line, err := strconv.Atoi(m[1])
		if err == nil {
			return line, "not YAML: " + m[2]
		}
	}
	return 0, "not YAML: " + message
}

// mapping returns the values of a mapping by key. Keys are plain texts that stand once.
func (r *reader) mapping(n *yaml.Node, what string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if n == nil {
		return out
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n.Line, "%s has keys and values, found %s", what, shape(n))
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || value.Kind == yaml.AliasNode || value.Anchor != "":
			r.fail(key.Line, "anchors, aliases and keys that are no plain text are not used in models")
		case out[key.Value] != nil:
			r.fail(key.Line, "%s stands a second time in %s; the first is in line %d", key.Value, what, out[key.Value].Line)
		default:
			out[key.Value] = value
		}
	}
	return out
}

func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "keys and values"
	}
	if n.Value == "" {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.fail(n.Line, "expected a text, found %s", shape(n))
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// sources adds the file's sources to those inherited. One name stands for one source.
func (r *reader) sources(m *Model, n *yaml.Node) {
	own := r.mapping(n, "sources")
	for _, name := range sortedByLine(own) {
		text := r.text(own[name])
		if have, ok := m.Sources[name]; ok && have != text {
			r.fail(own[name].Line, "the source %s stands for something else in the family", name)
		}
		m.Sources[name] = text
	}
}

// heads are the keys of a file that are no sections.
var heads = map[string]func(r *reader, m *Model, n *yaml.Node){
	"name":    func(r *reader, m *Model, n *yaml.Node) { m.Name = r.text(n) },
	"title":   func(r *reader, m *Model, n *yaml.Node) { m.Title = r.text(n) },
	"notes":   func(r *reader, m *Model, n *yaml.Node) { m.Notes = r.text(n) },
	"inherit": func(*reader, *Model, *yaml.Node) {},
	"sources": func(*reader, *Model, *yaml.Node) {},
	"class": func(r *reader, m *Model, n *yaml.Node) {
		i := slices.Index(classes[:], r.text(n))
		if i < 0 {
			r.fail(n.Line, "the class is gpu or cpu, found %s", shape(n))
			i = 0
		}
		m.Class = Class(i)
	},
	"cuda": func(r *reader, m *Model, n *yaml.Node) {
		if m.CUDA = r.text(n); !regexp.MustCompile(`^sm_[1-9][0-9]+[a-z]?$`).MatchString(m.CUDA) {
			r.fail(n.Line, "a compute capability is written sm_90, found %s", shape(n))
		}
	},
	"match": func(r *reader, m *Model, n *yaml.Node) { r.match(m, n) },
}

func (r *reader) match(m *Model, n *yaml.Node) {
	fields := r.mapping(n, "match")
	for _, key := range sortedByLine(fields) {
		v := fields[key]
		switch key {
		case "vendor":
			m.Vendor = r.text(v)
		case "device":
			m.Device = r.text(v)
			if _, err := regexp.Compile(m.Device); err != nil {
				r.fail(v.Line, "not a regular expression: %v", err)
			}
		default:
			r.fail(v.Line, "match has vendor and device, found %s", key)
		}
	}
}

// entry reads one key of the file and what belongs to it.
func (r *reader) entry(m *Model, key string, n *yaml.Node) {
	if f := heads[key]; f != nil {
		f(r, m, n)
		return
	}
	known := map[string]*Field{}
	var names []string
	for _, f := range Fields {
		if f.Section == key {
			known[f.Name] = f
			names = append(names, f.Name)
		}
	}
	if len(known) == 0 {
		r.fail(n.Line, "a model has no %s%s", key, suggest(key, keys()))
		return
	}
	figures := r.mapping(n, key)
	for _, name := range sortedByLine(figures) {
		f := known[name]
		if f == nil {
			r.fail(figures[name].Line, "%s has no %s%s", key, name, suggest(name, names))
			continue
		}
		*f.At(m) = r.figure(m, f, figures[name])
	}
}

func keys() []string {
	out := slices.Collect(maps.Keys(heads))
	for _, s := range Sections {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// figure reads {value: 32, source: NAME, how: vendor} or unknown.
func (r *reader) figure(m *Model, f *Field, n *yaml.Node) Figure {
	out := Figure{Line: n.Line}
	if n.Kind == yaml.ScalarNode {
		if n.Value != "unknown" {
			r.fail(n.Line, "%s is {value: NUMBER, source: NAME, how: WORD} or unknown, found %s", f.Path(), shape(n))
		}
		return out
	}
	parts := r.mapping(n, f.Path())
	for _, key := range sortedByLine(parts) {
		v := parts[key]
		switch key {
		case "value":
			out.Value, out.Known = r.number(f, v), true
		case "source":
			if out.Source = r.text(v); m.Sources[out.Source] == "" {
				r.fail(v.Line, "%s is from %s, which is not among the sources", f.Path(), shape(v))
			}
		case "how":
			i := slices.Index(r.hows, r.text(v))
			if i < 0 {
				r.fail(v.Line, "how is one of %s, found %s", strings.Join(r.hows, ", "), shape(v))
				i = 0
			}
			out.How = How(i)
		case "note":
			out.Note = r.text(v)
		default:
			r.fail(v.Line, "a figure has value, source, how and note, found %s", key)
		}
	}
	for _, key := range [...]string{"value", "source", "how"} {
		if parts[key] == nil {
			r.fail(n.Line, "%s has no %s", f.Path(), key)
		}
	}
	return out
}

func (r *reader) number(f *Field, n *yaml.Node) float64 {
	v, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(v):
		r.fail(n.Line, "%s is a number of %s, found %s", f.Path(), f.Unit, shape(n))
	case v < 0 || v > f.Max:
		r.fail(n.Line, "%s is between 0 and %g %s, found %s", f.Path(), f.Max, f.Unit, n.Value)
	case f.Whole && v != math.Trunc(v):
		r.fail(n.Line, "%s is a whole number of %s, found %s", f.Path(), f.Unit, n.Value)
	default:
		return v
	}
	return 0
}

// complete checks what a model, unlike a family, must have.
func (r *reader) complete(m *Model) {
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`).MatchString(m.Name) {
		r.fail(0, "the name %q is not made of small letters, digits, and . _ - between them", m.Name)
	}
	if m.Title == "" {
		r.fail(0, "the model has no title")
	}
	for _, f := range Fields {
		if at := f.At(m); !at.Known && at.Line == 0 {
			r.fail(0, "%s is missing: %s (%s); write unknown where nobody knows", f.Path(), f.Meaning, f.Unit)
		}
	}
}

// sortedByLine are the keys of a mapping in the order of the file.
func sortedByLine(fields map[string]*yaml.Node) []string {
	names := slices.Collect(maps.Keys(fields))
	slices.SortFunc(names, func(a, b string) int {
		x, y := fields[a], fields[b]
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	return names
}
