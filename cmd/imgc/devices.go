package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

func newDevices() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices that programs can run on",
		Long: `devices lists the OpenCL devices of all installed drivers and the reference interpreter,
each with the name that --device takes and the architecture model that fits it. Part of a
device's name does, too. Where there is no OpenCL device, standard error says why.`,
		Example: `  imgc devices
  imgc run blur.img in.png out.png --device opencl:1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := imgc.Devices()
			if err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "imgc: %v\n", err)
			}
			if asJSON {
				return printDevicesJSON(cmd.OutOrStdout(), list)
			}
			return printDevices(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects, for tools")
	return cmd
}

// deviceSelector is what --device takes for the device at place i of the list.
func deviceSelector(i int) string { return fmt.Sprintf("opencl:%d", i) }

func printDevices(w io.Writer, list []*imgc.DeviceInfo) error {
	var b strings.Builder
	for i, d := range list {
		fmt.Fprintf(&b, "%-9s %s\n          %s\n          %s\n", deviceSelector(i), d, describe(d), modelOf(d))
	}
	fmt.Fprintf(&b, "%-9s the reference interpreter\n", "ref")
	_, err := io.WriteString(w, b.String())
	return failedOrNil(err)
}

// describe is a line about a device: "CPU, 16 compute units, 31.2 GiB, OpenCL 3.0, f64".
func describe(d *imgc.DeviceInfo) string {
	parts := []string{
		d.Type.String(), plural(d.ComputeUnits, "compute unit"), fmt.Sprintf("%.1f GiB", float64(d.GlobalMem)/(1<<30)), d.Version,
	}
	if d.DoubleFP {
		parts = append(parts, "f64")
	}
	if !d.Available {
		parts = append(parts, "not available now")
	}
	if !d.Compiler {
		parts = append(parts, "no compiler: cannot run programs")
	}
	return strings.Join(parts, ", ")
}

// modelOf is a line about the architecture model that a device is planned for with.
func modelOf(d *imgc.DeviceInfo) string {
	m, made := imgc.ArchitectureOf(d)
	if !made {
		return fmt.Sprintf("architecture model %s, for want of one made for it", m.Name)
	}
	return "architecture model " + m.Name
}

// A deviceJSON is a device for tools; fields may be added.
type deviceJSON struct {
	Selector     string `json:"selector"`
	Name         string `json:"name"`
	Platform     string `json:"platform,omitempty"`
	Vendor       string `json:"vendor,omitempty"`
	Type         string `json:"type"`
	Version      string `json:"version,omitempty"`
	Driver       string `json:"driver,omitempty"`
	ComputeUnits int    `json:"compute_units,omitempty"`
	Memory       int64  `json:"memory_bytes,omitempty"`
	F64          bool   `json:"f64"`
	Usable       bool   `json:"usable"`
	Model        string `json:"model,omitempty"` // of the architecture
}

func printDevicesJSON(w io.Writer, list []*imgc.DeviceInfo) error {
	var out []deviceJSON
	for i, d := range list {
		m, _ := imgc.ArchitectureOf(d)
		out = append(out, deviceJSON{
			Selector: deviceSelector(i), Name: d.Name, Platform: d.Platform, Vendor: d.Vendor, Type: d.Type.String(),
			Version: d.Version, Driver: d.Driver, ComputeUnits: d.ComputeUnits, Memory: d.GlobalMem,
			F64: d.DoubleFP, Usable: d.Available && d.Compiler, Model: m.Name,
		})
	}
	out = append(out, deviceJSON{Selector: "ref", Name: "the reference interpreter", Type: "interpreter", F64: true, Usable: true})
	return failedOrNil(printJSON(w, out))
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
