package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"imgc"
)

type benchFlags struct {
	measureFlags
	runs   int
	asJSON bool
}

// benchSize is what is measured where --size says nothing.
const benchSize = "1080x1920"

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench FILE",
		Short: "Measure the pipelines of a program",
		Long: `bench runs the pipelines of a program on images of random pixels and prints how long their
kernels take, with the images on the device. Beside the time stand the bytes of the images
that a pipeline takes and returns, divided by the least time, and that as a share of what a
copy of as many bytes reaches on the device in the same run: a pipeline that reads and
writes each pixel once cannot be much faster.

--size gives the rows and columns, ` + benchSize + ` without it; --set gives scalars and sizes that
are neither.`,
		Example: `  imgc bench sharpen.img
  imgc bench sharpen.img --size 1080x1920 --size 8192x8192 --device opencl:1
  imgc bench blend.img --pipeline blend --set amount=0.5 --json`,
		Args:              exactlyOneProgram,
		ValidArgsFunction: programFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.bench(cmd, args[0]) },
	}
	f.addMeasure(cmd)
	f.addSchedule(cmd)
	cmd.Flags().StringArrayVar(&f.size, "size", nil, "rows and columns of images, `HxW` (repeatable)")
	cmd.Flags().IntVar(&f.runs, "time", 20, "measure `N` runs of each")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print an array of objects, for tools")
	f.add(cmd)
	return cmd
}

func (f *benchFlags) bench(cmd *cobra.Command, path string) error {
	if f.runs < 1 {
		return wrongUse("--time %d: one run at least", f.runs)
	}
	program, err := f.load(cmd, path, nil)
	if err != nil {
		return err
	}
	pipelines, err := f.pipelines(program)
	if err != nil {
		return err
	}
	if f.size == nil {
		f.size = []string{benchSize}
	}
	all, err := f.specimens(pipelines, f.size)
	if err != nil {
		return err
	}
	device, err := openDevice(cmd, f.device)
	if err != nil {
		return err
	}
	defer device.Close()
	f.saySchedule(cmd, program, device)
	var lines []benchLine
	for _, s := range all {
		args, err := s.args(cmd.Context(), program)
		if err != nil {
			return err
		}
		b, err := program.Bench(cmd.Context(), device, s.pipeline.Name, args, f.runs)
		if err != nil {
			return err
		}
		lines = append(lines, newBenchLine(device, s, b))
	}
	sayClock(cmd, device)
	if f.asJSON {
		return failedOrNil(printJSON(cmd.OutOrStdout(), lines))
	}
	return failedOrNil(printBench(cmd.OutOrStdout(), lines))
}

// A benchLine is what was measured of one call; fields may be added.
type benchLine struct {
	Device      string         `json:"device"`
	Pipeline    string         `json:"pipeline"`
	Sizes       map[string]int `json:"sizes"`
	Time        timeReport     `json:"time"`
	Bytes       int64          `json:"bytes"`
	PerSecond   float64        `json:"bytes_per_second"`
	ShareOfCopy float64        `json:"share_of_copy,omitempty"`

	sizes string
}

func newBenchLine(d *imgc.Device, s specimen, b imgc.Benchmark) benchLine {
	seconds := max(b.Minimum.Seconds(), 1e-9)
	return benchLine{
		Device: d.String(), Pipeline: s.pipeline.Name, Sizes: s.sizes, sizes: s.sizeText(), Bytes: b.Bytes,
		Time:      timeReport{b.Runs, milliseconds(b.Median), milliseconds(b.Minimum)},
		PerSecond: float64(b.Bytes) / seconds, ShareOfCopy: b.Copy.Seconds() / seconds,
	}
}

func printBench(w io.Writer, lines []benchLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join([]string{"pipeline", "size", "median ms", "minimum ms", "GB/s", "of a copy"}, "\t"))
	for _, l := range lines {
		share := "-"
		if l.ShareOfCopy > 0 {
			share = fmt.Sprintf("%.0f %%", 100*l.ShareOfCopy)
		}
		fmt.Fprintf(t, "%s\t%s\t%.4g\t%.4g\t%.4g\t%s\n", l.Pipeline, l.sizes, l.Time.Median, l.Time.Minimum, l.PerSecond/1e9, share)
	}
	return t.Flush()
}
