package imgc

import (
	"context"
	"errors"
	"strings"

	"imgc/emit/cuda"
	"imgc/emit/host"
	"imgc/emit/opencl"
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
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if opts.Name == "" {
		opts.Name = host.LibraryName(p.Name)
	}
	switch len(opts.Targets) {
	case 0:
		return p.project(TargetOpenCL, opts)
	case 1:
		return p.project(opts.Targets[0], opts)
	}
	all := map[string][]byte{}
	folders := make([]string, len(opts.Targets))
	for i, t := range opts.Targets {
		own := opts
		own.Name += "_" + string(t)
		files, err := p.project(t, own)
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
	return host.Options{Name: opts.Name, Version: Version(), Source: p.typed.File.Told()}
}
