package main

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
	"imgc/types"
)

// measureFlags are the flags of the verbs that measure programs: with images of random pixels, of the sizes that are asked for.
type measureFlags struct {
	programFlags
	pipeline, device string
	size             []string
	set              []string
}

func (f *measureFlags) addMeasure(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.pipeline, "pipeline", "", "this pipeline only")
	flags.StringVar(&f.device, "device", "", "opencl, opencl:N or part of a device's name")
	flags.StringArrayVar(&f.set, "set", nil, "the value of a scalar or size: NAME=VALUE (repeatable)")
	f.addMode(cmd)
	f.addArch(cmd)
	completeBy(cmd, "pipeline", pipelineNames)
	completeBy(cmd, "device", deviceNames)
	completeBy(cmd, "set", argumentNames(func(p *imgc.Param) bool { return !p.IsImage && p.Takes() }, true))
}

// pipelines are those to measure.
func (f *measureFlags) pipelines(program *imgc.Program) ([]*imgc.Pipeline, error) {
	if f.pipeline == "" {
		return program.Pipelines, nil
	}
	p, err := program.Pipeline(f.pipeline)
	return []*imgc.Pipeline{p}, err
}

// A specimen is a call that is measured.
type specimen struct {
	pipeline *imgc.Pipeline
	sizes    map[string]int
	scalars  map[string]types.Value
}

// specimens are calls of the pipelines for each of the sizes, or for that of the flag's default.
func (f *measureFlags) specimens(pipelines []*imgc.Pipeline, sizes []string) ([]specimen, error) {
	used := map[string]bool{}
	var all []specimen
	for _, p := range pipelines {
		plan := &runPlan{pipeline: p, scalars: map[string]types.Value{}, sizes: map[string]int{}}
		for _, arg := range f.set {
			name, _, _ := strings.Cut(arg, "=")
			if p.Param(name) == nil && p.Size(name) == nil {
				continue // of another pipeline
			}
			used[arg] = true
			if err := plan.addValue(arg); err != nil {
				return nil, err
			}
		}
		for _, text := range sizes {
			s, err := plan.sized(text)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
			if len(p.Sizes) == 0 {
				break // all sizes are the same to it
			}
		}
	}
	for _, arg := range f.set {
		if !used[arg] {
			return nil, (&runPlan{pipeline: pipelines[0]}).addValue(arg)
		}
	}
	return all, nil
}

// sized is the call for rows and columns as --size has them: of images whose last two extents are size names without a value.
func (r *runPlan) sized(text string) (s specimen, err error) {
	rows, columns, err := parseSize(text)
	if err != nil {
		return s, err
	}
	s = specimen{r.pipeline, maps.Clone(r.sizes), r.scalars}
	var missing []string
	for _, size := range r.pipeline.Sizes {
		_, given := s.sizes[size.Name]
		switch {
		case given:
		case size.FromEnd == 1:
			s.sizes[size.Name] = int(columns)
		case size.FromEnd == 2:
			s.sizes[size.Name] = int(rows)
		default:
			missing = append(missing, "--set "+size.Name+"=N, a size of "+size.Param)
		}
	}
	for _, p := range r.pipeline.Params {
		if _, given := s.scalars[p.Name]; !p.IsImage && p.Takes() && p.Default == nil && !given {
			missing = append(missing, "--set "+p.Name+"=VALUE for "+p.String())
		}
	}
	if missing != nil {
		return s, wrongUse("%s also needs %s", r.pipeline.Name, strings.Join(missing, "; "))
	}
	return s, nil
}

// args makes the images of a call.
func (s *specimen) args(ctx context.Context, program *imgc.Program) (imgc.Args, error) {
	return program.RandomArgs(ctx, s.pipeline.Name, s.sizes, s.scalars)
}

// sizeText is "H=1080 W=1920".
func (s *specimen) sizeText() string {
	var parts []string
	for _, size := range s.pipeline.Sizes {
		parts = append(parts, size.Name+"="+strconv.Itoa(s.sizes[size.Name]))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}
