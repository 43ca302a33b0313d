package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/std"
	"imgc/syntax"
)

// A Reader reads files by name, as os.ReadFile does: where there is none, the error wraps fs.ErrNotExist.
type Reader interface {
	ReadFile(name string) ([]byte, error)
}

// Options say where imports are looked for.
type Options struct {
	Dirs  []string // the folders of -I, in the order of the search
	Files Reader   // Disk, within the folders of the file and Dirs, where it is nil
}

// MaxText bounds the bytes of a file, so that an image named by mistake is not parsed, and time and memory stay bounded.
// All files that a program imports have at most maxAll.
const (
	MaxText = 4 << 20
	maxAll  = 4 * MaxText
)

// Imports reads and parses all that a file imports, directly or not, and returns for each import, in whatever file it stands,
// the file that it names. What cannot be read, and circles, are reported; such imports are missing from the result.
func Imports(file *syntax.File, opts Options, diags *diag.List) map[*syntax.Import]*syntax.File {
	found, _ := All(file, opts, diags)
	return found
}

// All is Imports, and the texts of the files that extern funcs come from, which are looked for as imports are.
func All(file *syntax.File, opts Options, diags *diag.List) (map[*syntax.Import]*syntax.File, map[*syntax.ExternSource]string) {
	l := &loader{
		Options: opts, diags: diags, files: map[string]*syntax.File{}, found: map[*syntax.Import]*syntax.File{},
		texts: map[*syntax.ExternSource]string{},
	}
	if l.Files == nil {
		l.Files = Within(file.Source.Name, opts.Dirs)
	}
	file.Source.Local = path.Base(strings.ReplaceAll(file.Source.Name, "\\", "/"))
	name := path.Clean(filepath.ToSlash(file.Source.Name))
	l.files[name] = file
	l.follow(file, name)
	return l.found, l.texts
}

type loader struct {
	Options
	diags *diag.List
	files map[string]*syntax.File // by their names, cleaned
	found map[*syntax.Import]*syntax.File
	texts map[*syntax.ExternSource]string
	way   []step // from the main file to the one at hand
	bytes int    // of all files read
}

// A step is an import on the way to the file at hand.
type step struct {
	from string // the file that it stands in
	at   source.Span
}

// follow reads the imports of a file.
func (l *loader) follow(file *syntax.File, name string) {
	for _, d := range file.Decls {
		if x, ok := d.(*syntax.Extern); ok {
			for _, s := range x.Sources {
				l.text(s, name)
			}
		}
		d, ok := d.(*syntax.Import)
		if !ok || !l.wellFormed(d) {
			continue
		}
		l.way = append(l.way, step{name, d.PathAt})
		if imported, ok := l.file(d, name); ok {
			l.found[d] = imported
		}
		l.way = l.way[:len(l.way)-1]
	}
}

func (l *loader) errorf(d *syntax.Import, format string, args ...any) *diag.Diagnostic {
	return l.diags.Errorf(diag.BadImport, d.PathAt, format, args...)
}

// wellFormed reports paths that no search is made for.
func (l *loader) wellFormed(d *syntax.Import) bool {
	switch {
	case d.Path == "":
		l.errorf(d, "this import names no file").Note(`it is written: import "file.img";`)
	case strings.Contains(d.Path, `\`):
		l.errorf(d, "the path of an import is written with /").Note(`write import "%s";`, strings.ReplaceAll(d.Path, `\`, "/"))
	case path.IsAbs(d.Path) || filepath.IsAbs(d.Path) || strings.Contains(d.Path, ":"):
		l.errorf(d, "%s starts at the root, where other machines have other files", d.Path).
			Note("write a path relative to this file, or name the folder with -I")
	default:
		return true
	}
	return false
}

// file finds the file of an import and follows its imports, where that has not been done.
func (l *loader) file(d *syntax.Import, from string) (*syntax.File, bool) {
	for _, c := range l.candidates(d.Path, from) {
		name := c.name
		if l.circle(d, name) {
			return nil, false
		}
		if known := l.files[name]; known != nil {
			return known, true
		}
		text, ok, failed := l.read(d, name)
		if failed {
			return nil, false
		}
		if ok {
			of := source.NewFile(shown(name), text)
			of.Local = c.local
			file := parser.Parse(of, l.diags)
			l.files[name] = file
			l.follow(file, name)
			return file, true
		}
	}
	l.notFound(d, from)
	return nil, false
}

// text reads a file that an extern func comes from.
func (l *loader) text(s *syntax.ExternSource, from string) {
	d := &syntax.Import{Place: s.Place, Path: s.File, PathAt: s.At} // looked for and reported like an import
	if !l.wellFormed(d) {
		return
	}
	for _, c := range l.candidates(d.Path, from) {
		text, ok, failed := l.read(d, c.name)
		if failed {
			return
		}
		if ok {
			l.texts[s] = text
			return
		}
	}
	l.notFound(d, from)
}

// inLibrary reports whether a file is of the library inside the compiler.
func (l *loader) inLibrary(name string) bool { return strings.HasPrefix(name, libraryMark) }

// libraryMark starts the names of the library's files, so that a user's folder std is another one.
const libraryMark = "imgc:"

// shown is the name of a file as users know it.
func shown(name string) string { return strings.TrimPrefix(name, libraryMark) }

// A candidate is a file that a path may stand for: its name, and the one that does not tell where the program and the folders of -I lie (source.File.Local), of which these have marks.
type candidate struct{ name, local string }

// candidates lists the files that a path may stand for, in the order of the search. A path that climbs means the folder that it
// is written in.
func (l *loader) candidates(p, from string) []candidate {
	library := candidate{libraryMark + path.Clean(p), path.Clean(p)}
	if l.inLibrary(from) { // the library imports itself only
		return []candidate{library}
	}
	list := []candidate{{path.Join(path.Dir(from), p), path.Join(path.Dir(l.files[from].Source.Local), p)}}
	if climbs(p) {
		return list
	}
	for i, dir := range l.Dirs {
		list = append(list, candidate{path.Join(filepath.ToSlash(dir), p), path.Join(fmt.Sprintf("-I%d", i+1), p)})
	}
	return append(list, library)
}

func climbs(p string) bool { return slices.Contains(strings.Split(p, "/"), "..") }

// read reads a file; ok is false where there is none, failed where reading it was reported.
func (l *loader) read(d *syntax.Import, name string) (text string, ok, failed bool) {
	if l.inLibrary(name) {
		text, ok = std.Read(shown(name))
		return text, ok, false
	}
	bytes, err := l.Files.ReadFile(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, false
	case errors.Is(err, errOutside):
		l.errorf(d, "%s lies outside of the folders of this program", name).Note("-I DIR names another folder to read from")
		return "", false, true
	case err != nil:
		l.errorf(d, "%s cannot be read: %v", name, cause(err))
		return "", false, true
	case len(bytes) > MaxText:
		l.errorf(d, "%s is larger than %d MiB: no program", name, MaxText>>20)
		return "", false, true
	}
	if l.bytes += len(bytes); l.bytes > maxAll {
		l.errorf(d, "with %s the files of this program are larger than %d MiB together", name, maxAll>>20)
		return "", false, true
	}
	return string(bytes), true, false
}

// cause is an error without the system call and the path, which the message has.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// circle reports an import of a file that is on the way to this one.
func (l *loader) circle(d *syntax.Import, name string) bool {
	first := slices.IndexFunc(l.way, func(s step) bool { return s.from == name })
	if first < 0 {
		return false
	}
	around := l.way[first:]
	if len(around) == 1 {
		l.errorf(d, "%s imports itself", shown(name)).Note("delete the import: a file sees its own declarations")
		return true
	}
	report := l.errorf(d, "files import each other in a circle")
	for i, s := range around {
		report.NoteAt(s.at, "%s imports %s", shown(s.from), shown(around[(i+1)%len(around)].from))
	}
	report.Note("move what they share to a file that both import")
	return true
}

func (l *loader) notFound(d *syntax.Import, from string) {
	report := l.errorf(d, "there is no file %s", d.Path)
	library := std.Names()
	if best := diag.Suggest(d.Path, library); best != "" {
		report.Note("did you mean %s?", best)
		return
	}
	if strings.HasPrefix(d.Path, std.Folder+"/") {
		report.Note("the library has %s", strings.Join(library, ", "))
		return
	}
	where := "the folder of " + from
	if len(l.Dirs) > 0 && !climbs(d.Path) {
		where += ", " + strings.Join(l.Dirs, ", ") + " and the library"
	}
	report.Note("looked in %s", where)
	if len(l.Dirs) == 0 && !climbs(d.Path) {
		report.Note("-I DIR names another folder to look in")
	}
}
