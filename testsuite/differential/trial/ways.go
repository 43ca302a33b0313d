package trial

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"imgc"
	"imgc/device"
	"imgc/kir"
	"imgc/testsuite/harness"
)

// A variant is how the program is compiled: as it is written, under random decisions, or planned.
type variant struct {
	name    string
	options imgc.Options
	extents int64 // that all sizes have in the plan; 0 leaves them open
}

// A way is the program as one of the variants has it, built for the device.
type way struct {
	name  string
	built *device.Program
}

// variants are those that the directives ask for.
func (r *run) variants() ([]variant, error) {
	d := r.directives
	all := []variant{{name: "as written", options: d.options()}}
	if d.schedule != 0 {
		o := d.options()
		o.Decide = harness.Legal(d.schedule, d.mode)
		all = append(all, variant{name: fmt.Sprintf("under the random schedule %d", d.schedule), options: o})
	}
	if d.arch == "" {
		return all, nil
	}
	model, err := imgc.OpenArchitecture(d.arch)
	if err != nil {
		return nil, err
	}
	o := d.options()
	o.Arch = model
	all = append(all, variant{name: "planned for " + d.arch, options: o})
	if d.extents != 0 {
		all = append(all, variant{name: fmt.Sprintf("planned for %s and extents of %d", d.arch, d.extents), options: o, extents: d.extents})
	}
	return all, nil
}

// buildWays compiles the program for the device in each variant that gives other kernels than those before.
func (r *run) buildWays(text string) *Outcome {
	all, err := r.variants()
	if err != nil {
		return &Outcome{Kind: Internal, Detail: err.Error()}
	}
	seen := map[string]bool{}
	for i, v := range all {
		kernels, err := v.compiled(text)
		if err != nil {
			return &Outcome{Kind: Internal, Detail: fmt.Sprintf("%s: %v", v.name, err)}
		}
		dump := kir.Dump(kernels.Program)
		if seen[dump] {
			continue
		}
		seen[dump] = true
		if r.Unoptimized || r.directives.plain && i > 0 {
			kernels.Output.BuildOptions += " -cl-opt-disable"
		}
		built, err := r.Device.Build(kernels.Program, kernels.Output)
		if err != nil {
			return &Outcome{Kind: Unbuilt, Detail: fmt.Sprintf("%s: %v", v.name, err)}
		}
		r.ways = append(r.ways, way{v.name, built})
	}
	return nil
}

// checked is the program of a text, to be compiled in this way.
func (v *variant) checked(text string) (*imgc.Program, error) {
	result, err := imgc.Check(context.Background(), fileName, text, v.options)
	switch {
	case err != nil:
		return nil, err
	case result.Program == nil:
		return nil, fmt.Errorf("refused: %s", firstError(result.Diagnostics))
	case v.extents == 0:
		return result.Program, nil
	}
	sizes := map[string]int64{}
	for _, p := range result.Program.Pipelines {
		for _, s := range p.Sizes {
			sizes[s.Name] = v.extents
		}
	}
	return result.Program.PlannedFor(sizes), nil
}

func (v *variant) compiled(text string) (*imgc.OpenCL, error) {
	p, err := v.checked(text)
	if err != nil {
		return nil, err
	}
	return p.OpenCL()
}

// CUDAHas reports whether a program's CUDA code matches an expression in one of the ways in which it is compiled.
func CUDAHas(text string, having *regexp.Regexp) bool {
	d, err := parseDirectives(text)
	if err != nil {
		return false
	}
	all, err := (&run{directives: d}).variants()
	return err == nil && slices.ContainsFunc(all, func(v variant) bool {
		p, err := v.checked(text)
		if err != nil {
			return false
		}
		code, err := p.CUDA()
		return err == nil && having.MatchString(code.Output.Source)
	})
}
