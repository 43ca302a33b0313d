package std

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

//go:embed *.img
var files embed.FS

// Folder is what paths into the library start with.
const Folder = "std"

// Read returns the text of a file by its path in programs, "std/filters.img"; false where the library has none of that name.
func Read(name string) (string, bool) {
	if path.Dir(name) != Folder {
		return "", false
	}
	text, err := files.ReadFile(path.Base(name))
	return string(text), err == nil
}

// Names lists the library's files as programs name them, sorted.
func Names() []string {
	found, err := fs.Glob(files, "*.img")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i, name := range found {
		found[i] = path.Join(Folder, name)
	}
	slices.Sort(found)
	return found
}

// Declaring is the file, as programs name it, that declares a name which starts with a letter; "" where none does.
func Declaring(name string) string {
	declared := regexp.MustCompile(`(?m)^(const|mask|domain|func|kernel) ` + regexp.QuoteMeta(name) + `\b`)
	for _, file := range Names() {
		if text, ok := Read(file); ok && declared.MatchString(text) {
			return file
		}
	}
	return ""
}
