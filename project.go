package imgc

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"imgc/emit/cuda"
	"imgc/emit/host"
	"imgc/emit/opencl"
	"imgc/load"
)

// A Target is what the kernels of a project are written in.
type Target string

// The targets.
const (
	TargetOpenCL Target = "opencl"
	TargetCUDA   Target = "cuda"
)

// Targets lists all targets.
func Targets() []Target { return []Target{TargetOpenCL, TargetCUDA} }

// projects make the project of each target.
var projects = map[Target]func(p *Program, opts ProjectOptions) (map[string][]byte, error){
	TargetOpenCL: (*Program).openCLProject,
	TargetCUDA:   (*Program).cudaProject,
}

// ProjectOptions say how a project is generated.
type ProjectOptions struct {
	Name           string   // of the library: a C identifier that starts its files and functions; the program's name where it is empty
	Targets        []Target // OpenCL where it is empty
	LineDirectives bool     // kernels carry #line directives, so that a compiler's messages name the program's lines
}

// Project compiles the program to a C library that runs it with OpenCL or CUDA, and returns its files by their paths in the project's
// folder. With several targets each has a folder of its own there, and a library whose name ends in the target's. The same program
// gives the same bytes, wherever it lies. The error is a UsageError where the name is no C identifier.
func (p *Program) Project(ctx context.Context, opts ProjectOptions) (files map[string][]byte, err error) {
	defer guard(&err, "building %s", p.File())
	if opts.Name == "" {
		opts.Name = host.LibraryName(p.Name)
	}
	plain, err := p.withoutFolder(ctx)
	if err != nil {
		return nil, err
	}
	switch len(opts.Targets) {
	case 0:
		return plain.project(TargetOpenCL, opts)
	case 1:
		return plain.project(opts.Targets[0], opts)
	}
	all := map[string][]byte{}
	folders := make([]string, len(opts.Targets))
	for i, t := range opts.Targets {
		own := opts
		own.Name += "_" + string(t)
		files, err := plain.project(t, own)
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			all[string(t)+"/"+name] = text
		}
		folders[i] = string(t)
	}
	all["CMakeLists.txt"] = host.Together(opts.Name, folders)
	return all, nil
}

// project makes the files for one target.
func (p *Program) project(t Target, opts ProjectOptions) (map[string][]byte, error) {
	of, ok := projects[t]
	if !ok {
		return nil, usagef("there is no target %s", t)
	}
	files, err := of(p, opts)
	switch {
	case err == nil:
		return files, nil
	case strings.HasPrefix(err.Error(), "internal error"):
		return nil, &InternalError{Doing: "building " + p.File(), Fault: err}
	}
	var own *InternalError
	var wrong *UsageError
	if errors.As(err, &own) || errors.As(err, &wrong) {
		return nil, err
	}
	return nil, usagef("%v", err)
}

func (p *Program) openCLProject(opts ProjectOptions) (map[string][]byte, error) {
	kernels, err := p.openCL(opencl.Options{Version: Version(), Directives: opts.LineDirectives}, p.target())
	if err != nil {
		return nil, err
	}
	return host.OpenCL(kernels.Program, kernels.Output, p.hostOptions(opts))
}

func (p *Program) cudaProject(opts ProjectOptions) (map[string][]byte, error) {
	kernels, err := p.cuda(cuda.Options{Version: Version(), Directives: opts.LineDirectives}, p.target())
	if err != nil {
		return nil, err
	}
	architecture := ""
	if p.options.Arch != nil {
		architecture = strings.TrimPrefix(p.options.Arch.CUDA, "sm_")
	}
	return host.CUDA(kernels.Program, kernels.Output, architecture, p.hostOptions(opts))
}

func (p *Program) hostOptions(opts ProjectOptions) host.Options {
	return host.Options{Name: opts.Name, Version: Version(), Source: p.File()}
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
	return result.Program.PlannedFor(p.sizes), nil
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
