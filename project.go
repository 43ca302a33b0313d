package imgc

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"imgc/emit/host"
	"imgc/emit/opencl"
	"imgc/load"
)

// ProjectOptions say how a project is generated.
type ProjectOptions struct {
	Name           string // of the library: a C identifier that starts its files and functions; the program's name where it is empty
	LineDirectives bool   // kernels carry #line directives, so that a driver's messages name the program's lines
}

// Project compiles the program to a C library that runs it with OpenCL, and returns its files by their paths in the project's
// folder. The same program gives the same bytes, wherever it lies. The error is a UsageError where the name is no C identifier.
func (p *Program) Project(ctx context.Context, opts ProjectOptions) (files map[string][]byte, err error) {
	defer guard(&err, "building %s", p.File())
	if opts.Name == "" {
		opts.Name = host.LibraryName(p.Name)
	}
	plain, err := p.withoutFolder(ctx)
	if err != nil {
		return nil, err
	}
	kernels, err := plain.openCL(opencl.Options{Version: Version(), Directives: opts.LineDirectives}, plain.target())
	if err != nil {
		return nil, err
	}
	files, err = host.OpenCL(kernels.Program, kernels.Output, host.Options{Name: opts.Name, Version: Version(), Source: plain.File()})
	switch {
	case err == nil:
		return files, nil
	case strings.HasPrefix(err.Error(), "internal error"):
		return nil, &InternalError{Doing: "building " + p.File(), Fault: err}
	}
	return nil, usagef("%v", err)
}

// withoutFolder is the program under its file's name alone: the text of a project tells where it was compiled no more than when.
func (p *Program) withoutFolder(ctx context.Context) (*Program, error) {
	name := path.Base(strings.ReplaceAll(p.File(), "\\", "/"))
	if name == p.File() {
		return p, nil
	}
	opts := p.options
	files := opts.Files
	if files == nil {
		files = load.Within(p.File(), opts.IncludeDirs)
	}
	here := folder{path.Dir(filepath.ToSlash(p.File())), files, map[string]string{}}
	opts.Files, opts.IncludeDirs = here, nil
	for i, dir := range p.options.IncludeDirs {
		mark := fmt.Sprintf("-I%d", i+1)
		here.included[mark] = filepath.ToSlash(dir)
		opts.IncludeDirs = append(opts.IncludeDirs, mark)
	}
	result, err := Check(ctx, name, p.typed.File.Text, opts)
	if err != nil {
		return nil, err
	}
	if result.Program == nil {
		return nil, fmt.Errorf("%s has changed: %s", p.File(), result.Diagnostics.Sorted()[0].Message)
	}
	return result.Program, nil
}

// A folder reads the files that a program names as if the program lay in the folder at hand. The folders of -I, which are where they
// are whatever the program's folder is, have marks for names, so that a project does not tell where they lie.
type folder struct {
	name     string
	files    FileReader
	included map[string]string // by their marks
}

func (f folder) ReadFile(name string) ([]byte, error) {
	name = filepath.ToSlash(name)
	first, rest, _ := strings.Cut(name, "/")
	if dir, ok := f.included[first]; ok {
		return f.files.ReadFile(filepath.FromSlash(path.Join(dir, rest)))
	}
	return f.files.ReadFile(filepath.FromSlash(path.Join(f.name, name)))
}
