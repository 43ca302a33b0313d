package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"imgc"
)

func newProbe() *cobra.Command {
	var device, output string
	cmd := &cobra.Command{
		Use:   "probe -o MODEL.yaml",
		Short: "Measure a device and write an architecture model of it",
		Long: `probe measures an OpenCL device and writes an architecture model: what copies reach by the
width of their accesses, what reads reach from memory and from caches, rates of arithmetic,
local memory and atomic additions, what it costs to start a kernel. Each figure states its
source. What is not measured is what the driver says, or stands as in the model that fits
the device best.

run, bench, tune, explain and build take the file with --arch.`,
		Example: `  imgc probe -o mine.yaml
  imgc probe --device opencl:1 -o mine.yaml
  imgc explain blur.img --arch mine.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output == "" {
				return wrongUse("say where the model goes: -o MODEL.yaml, or -o - for standard output")
			}
			if err := willWrite(output); err != nil {
				return err
			}
			progress := newProgress(cmd)
			m, err := imgc.Probe(cmd.Context(), device, func(what string) { progress.show("measuring " + what) })
			progress.end()
			if err != nil {
				return err
			}
			if err := writeText(cmd.OutOrStdout(), output, m.Text()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "imgc: %s was measured\n", m.Title)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&device, "device", "", "opencl, opencl:N or part of a device's name")
	flags.StringVarP(&output, "output", "o", "", "the file to write, or - for standard output")
	completeBy(cmd, "device", deviceNames)
	return cmd
}
