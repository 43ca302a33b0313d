package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

// buildFlags are the flags of `imgc build`.
type buildFlags struct {
	programFlags
	sizeFlags
	dir, target, prefix   string
	pipelines             []string
	lineDirectives, force bool
}

func newBuild() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build FILE -o DIR",
		Short: "Write a C library that runs a program",
		Long: `build compiles a program to a project folder: a C99 library with a function for each
pipeline, its kernels in OpenCL C or CUDA C++, a demo program, and files for CMake and
pkg-config.

A folder that build has written before is brought up to date: files that are the same stay
untouched, files of yours in it are kept, and where you have changed a generated file, build
refuses to overwrite it. --force overwrites those, and writes into any other folder that is
not empty. Nothing is written on failure. Diagnostics go to standard error, as JSON before
anything else there.

--arch plans the kernels for a device. They take images of every size; --size HxW says which
one they are to be fastest for, 4096x4096 without it.`,
		Example: `  imgc build sharpen.img -o sharpen-opencl
  cmake -S sharpen-opencl -B sharpen-opencl/build && cmake --build sharpen-opencl/build

  imgc build sharpen.img -o sharpen-cuda --target cuda --arch nvidia-h200 --size 1080x1920

  imgc build filters.img -o filters --pipeline blur --pipeline sobel --prefix flt`,
		Args:              exactlyOneProgram,
		ValidArgsFunction: programFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.build(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.dir, "output", "o", "", "the project's folder")
	flags.StringVar(&f.target, "target", "opencl", "what the kernels are written in: opencl, cuda, or opencl,cuda for a folder of each")
	flags.StringArrayVar(&f.pipelines, "pipeline", nil, "only this pipeline (repeatable)")
	flags.StringVar(&f.prefix, "prefix", "", "the library's name, which starts its files and functions; by default the program's")
	f.addMode(cmd)
	f.addSchedule(cmd)
	f.addArch(cmd)
	f.addSizes(cmd)
	f.addPasses(cmd)
	flags.BoolVar(&f.lineDirectives, "line-directives", false, "write #line directives, so that a driver's messages name lines of FILE")
	flags.BoolVar(&f.force, "force", false, "overwrite files that build has not written")
	f.add(cmd)
	complete(cmd, "target", "opencl", "cuda", "opencl,cuda")
	complete(cmd, "prefix")
	completeBy(cmd, "pipeline", pipelineNames)
	completeBy(cmd, "output", onlyFolders)
	return cmd
}

func onlyFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func exactlyOneProgram(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return wrongUse("%s: one program is built at a time", args[1])
	}
	return oneProgram(cmd, args)
}

func (f *buildFlags) build(cmd *cobra.Command, path string) error {
	targets, err := parseTargets(f.target)
	switch {
	case err != nil:
		return err
	case f.dir == "":
		return wrongUse("name the project's folder: -o DIR")
	}
	f.passes.Dump = cmd.ErrOrStderr()
	program, err := f.load(cmd, path, f.pipelines)
	if err != nil {
		return err
	}
	if len(program.Pipelines) == 0 {
		return badInput(&imgc.UsageError{Message: program.File() + " has no pipeline to build"})
	}
	f.saySchedule(cmd, program, nil)
	sizes, err := f.sizes(program)
	if err != nil {
		return err
	}
	if f.arch == "" && len(sizes) > 0 {
		return wrongUse("--size and --set say what is planned for: say for which device, too, by --arch NAME")
	}
	files, err := program.PlannedFor(sizes).Project(cmd.Context(), imgc.ProjectOptions{Name: f.prefix, Targets: targets, LineDirectives: f.lineDirectives})
	if err != nil {
		return err
	}
	return writeProject(f.dir, files, f.force)
}

// parseTargets reads the list behind --target.
func parseTargets(list string) ([]imgc.Target, error) {
	var targets []imgc.Target
	for _, name := range strings.Split(list, ",") {
		t := imgc.Target(strings.TrimSpace(name))
		switch {
		case !slices.Contains(imgc.Targets(), t):
			return nil, wrongUse("--target %s: there is no target %q; there are opencl and cuda", list, name)
		case slices.Contains(targets, t):
			return nil, wrongUse("--target %s: %s is there twice", list, t)
		}
		targets = append(targets, t)
	}
	return targets, nil
}
