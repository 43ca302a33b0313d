package trial

import (
	"context"
	"fmt"

	"imgc"
	"imgc/device"
	"imgc/kir"
	"imgc/testsuite/harness"
)

// A way is the program as one of the schedules has it, built for the device.
type way struct {
	name  string
	built *device.Program
}

// options are those of the compiler for each way: as it is written, under random decisions, and planned.
func (r *run) options() (names []string, all []imgc.Options, err error) {
	d := r.directives
	base := d.options()
	names, all = []string{"as written"}, []imgc.Options{base}
	if d.schedule != 0 {
		o := base
		o.Decide = harness.Legal(d.schedule, d.mode)
		names, all = append(names, fmt.Sprintf("under the random schedule %d", d.schedule)), append(all, o)
	}
	if d.arch != "" {
		o := base
		if o.Arch, err = imgc.OpenArchitecture(d.arch); err != nil {
			return nil, nil, err
		}
		names, all = append(names, "planned for "+d.arch), append(all, o)
	}
	return names, all, nil
}

// buildWays compiles the program for the device in each way that gives other kernels than those before.
func (r *run) buildWays(text string) *Outcome {
	names, all, err := r.options()
	if err != nil {
		return &Outcome{Kind: Internal, Detail: err.Error()}
	}
	seen := map[string]bool{}
	for i, o := range all {
		kernels, err := compiled(text, o)
		if err != nil {
			return &Outcome{Kind: Internal, Detail: fmt.Sprintf("%s: %v", names[i], err)}
		}
		dump := kir.Dump(kernels.Program)
		if seen[dump] {
			continue
		}
		seen[dump] = true
		if r.Unoptimized {
			kernels.Output.BuildOptions += " -cl-opt-disable"
		}
		built, err := r.Device.Build(kernels.Program, kernels.Output)
		if err != nil {
			return &Outcome{Kind: Unbuilt, Detail: fmt.Sprintf("%s: %v", names[i], err)}
		}
		r.ways = append(r.ways, way{names[i], built})
	}
	return nil
}

// checked is the program under options.
func checked(text string, o imgc.Options) (*imgc.Program, error) {
	result, err := imgc.Check(context.Background(), fileName, text, o)
	switch {
	case err != nil:
		return nil, err
	case result.Program == nil:
		return nil, fmt.Errorf("refused: %s", firstError(result.Diagnostics))
	}
	return result.Program, nil
}

func compiled(text string, o imgc.Options) (*imgc.OpenCL, error) {
	p, err := checked(text, o)
	if err != nil {
		return nil, err
	}
	return p.OpenCL()
}
