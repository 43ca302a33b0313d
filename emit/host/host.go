package host

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"

	"imgc/kir"
)

// Options name the library and what its headers say.
type Options struct {
	Name    string // of the library, its files and its functions; as LibraryName makes it
	Version string // of the compiler
	Source  string // file name of the program, for comments
}

//go:embed templates support arith
var files embed.FS

func project(p *kir.Program, to *target, k kernels, opts Options) (map[string][]byte, error) {
	if !isLibraryName(opts.Name) {
		return nil, fmt.Errorf("%q cannot name a C library: letters, digits and _ only, a letter first, and no word of C, of its library or of CMake", opts.Name)
	}
	lib, err := newLibrary(p, to, k, opts)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{
		"kernels/" + opts.Name + "." + to.extension: []byte(k.source),
		"demo/image.h": support("image.h"),
		"demo/image.c": support("image.c"),
	}
	for path, name := range map[string]string{
		"include/" + opts.Name + ".h": "library.h.tmpl",
		"src/" + opts.Name + ".c":     "library.c.tmpl",
		"demo/main.c":                 "main.c.tmpl",
		"CMakeLists.txt":              "CMakeLists.txt.tmpl",
		opts.Name + ".pc.in":          "library.pc.in.tmpl",
		"README.md":                   "README.md.tmpl",
	} {
		text, err := render(name, lib)
		if err != nil {
			return nil, err
		}
		out[path] = text
	}
	return out, nil
}

func support(name string) []byte {
	text, err := files.ReadFile("support/" + name)
	if err != nil {
		panic(err) // embedded: cannot be missing
	}
	return text
}

// render fills a template, completed by the parts that the target has for it.
func render(name string, lib *library) ([]byte, error) {
	t, err := template.New(name).ParseFS(files, "templates/"+lib.to.folder+"/"+name, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, lib); err != nil {
		return nil, err
	}
	text := b.Bytes()
	if strings.HasPrefix(name, "library.c") {
		text = withRuntime(text, lib.Name, lib.to, lib.Pools != nil)
	}
	return text, nil
}
