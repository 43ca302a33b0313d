package main

import (
	"github.com/spf13/cobra"

	"imgc"
)

// runFlags are the flags of `imgc run`.
type runFlags struct {
	programFlags
	pipeline, device string
	in, out, set     []string
	times            int
	iterations       int64
	json             bool
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE [IN] [OUT]",
		Short: "Run a pipeline of a program",
		Long: `run compiles a program, runs one of its pipelines and writes what it returns.

Images are given by the names of the pipeline's parameters: --in src=photo.png and
--out dst=blurred.png. Where it takes one image, or returns one, that one's path may stand
behind the program instead. The extension says the format: .png .jpg .tif .bmp .pgm .ppm
.pfm .npy .raw; a .raw file needs its type, photo.raw:u8[1080][1920]. A path of - is standard
input or output, there in PNG unless a format stands in front: npy:- or raw:-:u8[480][640].

--set gives scalar parameters, and size names that no image gives. Vectors are written
1,2,3.

--device is ref (the reference interpreter), opencl (the first OpenCL device), opencl:1 (the
second), or part of a device's name. Without it, run takes the first OpenCL device, or ref
where there is none, and says so on standard error.

Scalar results are printed as name = value, on standard error if an image goes to standard
output. Nothing is written on failure. Diagnostics go to standard error, as JSON before
anything else there.`,
		Example: `  imgc run sharpen.img photo.png sharpened.png
  imgc run sharpen.img photo.png sharpened.png --set amount=2 --device ref
  imgc run blend.img --in top=logo.png --in bottom=photo.png --out dst=marked.png
  imgc run mandelbrot.img set.png --set H=480 --set W=640
  imgc run blur.img in.raw:u8[1080][1920] out.npy --time 20`,
		Args:              oneProgram,
		ValidArgsFunction: programThenFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.pipeline, "pipeline", "", "the pipeline to run; not needed where there is only one")
	flags.StringVar(&f.device, "device", "", "ref, opencl, opencl:N or part of a device's name")
	flags.StringArrayVar(&f.in, "in", nil, "an image to read: NAME=PATH (repeatable)")
	flags.StringArrayVar(&f.out, "out", nil, "where to write an image: NAME=PATH (repeatable)")
	flags.StringArrayVar(&f.set, "set", nil, "the value of a scalar or size: NAME=VALUE (repeatable)")
	f.addMode(cmd)
	f.addSchedule(cmd)
	f.addArch(cmd)
	flags.IntVar(&f.times, "time", 0, "print the median and the minimum time of `N` runs, kernels alone")
	flags.Int64Var(&f.iterations, "max-iterations", 0, "after `N` iterations, take a while with the loops in it for endless")
	flags.BoolVar(&f.json, "json", false, "print results as one JSON object")
	f.add(cmd)
	completeBy(cmd, "pipeline", pipelineNames)
	completeBy(cmd, "device", deviceNames)
	completeBy(cmd, "in", argumentNames(func(p *imgc.Param) bool { return p.IsImage && p.Takes() }, false))
	completeBy(cmd, "out", argumentNames(func(p *imgc.Param) bool { return p.IsImage && p.Returns() }, false))
	completeBy(cmd, "set", argumentNames(func(p *imgc.Param) bool { return !p.IsImage && p.Takes() }, true))
	return cmd
}

func oneProgram(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return wrongUse("name a program file, or - for standard input")
	}
	return nil
}

func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	if cmd.Flags().Changed("time") && f.times < 1 {
		return wrongUse("--time %d: one run at least", f.times)
	}
	program, err := f.load(cmd, args[0], nil)
	if err != nil {
		return err
	}
	pipeline, err := program.Pipeline(f.pipeline)
	if err != nil {
		return err
	}
	plan, err := f.plan(pipeline, args[0], args[1:])
	if err != nil {
		return err
	}
	call, err := plan.read(cmd.InOrStdin())
	if err != nil {
		return err
	}
	device, err := openDevice(cmd, f.device)
	if err != nil {
		return err
	}
	defer device.Close()
	f.saySchedule(cmd, program, device)
	if cmd.Flags().Changed("max-iterations") {
		if f.iterations < 1 {
			return wrongUse("--max-iterations %d: one iteration at least", f.iterations)
		}
		device.LimitLoops(f.iterations)
	}
	report := &runReport{Device: device.String(), Pipeline: pipeline.Name, device: device, plan: plan}
	if f.times > 0 {
		times, err := program.Time(cmd.Context(), device, pipeline.Name, call, f.times)
		if err != nil {
			return err
		}
		report.time(times)
		sayClock(cmd, device)
	}
	results, err := program.Run(cmd.Context(), device, pipeline.Name, call)
	if err != nil {
		return err
	}
	if err := writeImages(cmd.OutOrStdout(), plan.outputs, results.Images); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if plan.streamsOut() {
		w = cmd.ErrOrStderr()
	}
	return report.print(w, f.json, results)
}
