package archmodels

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The shipped files: a model for each device, what families of devices have in common, and what is usual of classes of them.
//
//go:embed models/*.yaml families/*.yaml classes/*.yaml
var shipped embed.FS

const ending = ".yaml"

// Names lists the shipped models, sorted. Families are not models.
func Names() []string {
	files, err := fs.Glob(shipped, "models/*"+ending)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(path.Base(f), ending)
	}
	slices.Sort(names)
	return names
}

// Load returns a shipped model. The error says which names there are.
func Load(name string) (*Model, error) {
	text, err := shipped.ReadFile("models/" + name + ending)
	if err != nil || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("there is no architecture model %q%s: imgc archs lists them", name, suggest(name, Names()))
	}
	return Parse("archmodels/models/"+name+ending, text)
}

// All are the shipped models in the order of Names.
func All() []*Model {
	var out []*Model
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			panic("internal error: a shipped model is wrong: " + err.Error())
		}
		out = append(out, m)
	}
	return out
}

// Parse reads a model. It may inherit from a shipped family or model; what the file states goes before what it inherits. The
// error joins one *FileError for each thing that is wrong.
func Parse(file string, text []byte) (*Model, error) {
	r := &reader{file: file, hows: stated}
	m := r.read(text, nil)
	if m != nil && len(r.errs) == 0 {
		r.complete(m)
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return m, nil
}

// A FileError is a mistake in a model file.
type FileError struct {
	File string
	Line int // 0 where it concerns the whole file
	Text string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// inherited reads the shipped family or model called name.
func (r *reader) inherited(name string, line int, above []string) *Model {
	if slices.Contains(above, name) {
		r.fail(line, "%s inherits from itself through %s", name, strings.Join(above, ", "))
		return nil
	}
	for _, folder := range [...]string{"families/", "models/"} {
		if text, err := shipped.ReadFile(folder + name + ending); err == nil && !strings.ContainsAny(name, `/\`) {
			base := &reader{file: "archmodels/" + folder + name + ending, hows: stated}
			m := base.read(text, append(above, name))
			r.errs = append(r.errs, base.errs...)
			return m
		}
	}
	r.fail(line, "there is no family or model %q to inherit from%s", name, suggest(name, append(families(), Names()...)))
	return nil
}

func families() []string {
	files, err := fs.Glob(shipped, "families/*"+ending)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ending)
	}
	return files
}

// suggest is ", did you mean ...?" where a name is near, else nothing.
func suggest(name string, names []string) string {
	best, at := 3, ""
	for _, n := range names {
		if d := distance(strings.ToLower(name), n); d < best {
			best, at = d, n
		}
	}
	if at == "" {
		for _, n := range names {
			if name != "" && strings.Contains(n, strings.ToLower(name)) {
				at = n
				break
			}
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", at)
}

// distance is the number of insertions, deletions and changes of a byte that lead from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(row[j]+1, row[j+1]+1, change)
		}
	}
	return row[len(b)]
}
