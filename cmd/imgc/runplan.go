package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"imgc"
	"imgc/diag"
	"imgc/pixels"
	"imgc/types"
)

// A runPlan is what the command line says about one run, matched to the pipeline.
type runPlan struct {
	pipeline *imgc.Pipeline
	inputs   []output // where images come from
	outputs  []output
	scalars  map[string]types.Value
	sizes    map[string]int
}

// plan matches --in, --out, --set and the paths behind the program to the pipeline's parameters.
func (f *runFlags) plan(p *imgc.Pipeline, program string, paths []string) (*runPlan, error) {
	r := &runPlan{pipeline: p, scalars: map[string]types.Value{}, sizes: map[string]int{}}
	for _, of := range []struct {
		flag string
		args []string
		to   *[]output
		fits func(*imgc.Param) bool
	}{{"--in", f.in, &r.inputs, (*imgc.Param).Takes}, {"--out", f.out, &r.outputs, (*imgc.Param).Returns}} {
		for _, arg := range of.args {
			if err := r.addImage(of.flag, arg, of.to, of.fits); err != nil {
				return nil, err
			}
		}
	}
	for _, arg := range f.set {
		if err := r.addValue(arg); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{
		func() error { return r.addPaths(paths) },
		func() error { return r.checkStreams(program) },
		r.checkComplete,
		func() error { return r.checkOutputs(f.times > 0) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addImage takes one --in or --out.
func (r *runPlan) addImage(flag, arg string, to *[]output, fits func(*imgc.Param) bool) error {
	name, path, ok := strings.Cut(arg, "=")
	if !ok || !isName(name) || path == "" {
		return wrongUse("%s %s: write %s NAME=PATH, NAME being a parameter of %s", flag, arg, flag, r.pipeline)
	}
	p := r.pipeline.Param(name)
	switch {
	case p == nil:
		return r.unknown(flag, name, func(p *imgc.Param) bool { return p.IsImage && fits(p) }, false)
	case !p.IsImage && p.Returns():
		return wrongUse("%s %s: %s is a scalar (%s); its value is printed, with --json as an object", flag, arg, name, p)
	case !p.IsImage:
		return wrongUse("%s %s: %s is a scalar (%s); --set gives the value of one", flag, arg, name, p)
	case !fits(p):
		return wrongUse("%s %s: %s is an %s image (%s)", flag, arg, name, p.Dir, p)
	case find(*to, p) != nil:
		return wrongUse("%s %s: %s has a path already", flag, arg, name)
	}
	*to = append(*to, output{p, parsePlace(path)})
	return nil
}

func find(list []output, p *imgc.Param) *output {
	for i := range list {
		if list[i].param == p {
			return &list[i]
		}
	}
	return nil
}

// unknown says that the pipeline has no such name, and which come near.
func (r *runPlan) unknown(flag, name string, fits func(*imgc.Param) bool, sizes bool) error {
	var names []string
	for _, p := range r.pipeline.Params {
		if fits(p) {
			names = append(names, p.Name)
		}
	}
	for _, s := range r.pipeline.Sizes {
		if sizes {
			names = append(names, s.Name)
		}
	}
	hint := "there is " + strings.Join(names, ", ")
	if len(names) == 0 {
		hint = "there is none"
	}
	if near := diag.Suggest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return wrongUse("%s %s: %s takes nothing of that name; %s", flag, name, r.pipeline, hint)
}

// addValue takes one --set.
func (r *runPlan) addValue(arg string) error {
	name, text, ok := strings.Cut(arg, "=")
	if !ok || !isName(name) || text == "" {
		return wrongUse("--set %s: write --set NAME=VALUE", arg)
	}
	_, isScalar := r.scalars[name]
	_, isSize := r.sizes[name]
	if isScalar || isSize {
		return wrongUse("--set %s: %s has a value already", arg, name)
	}
	if r.pipeline.Size(name) != nil {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > math.MaxInt32 {
			return wrongUse("--set %s: the size %s is an integer from 1 to %d", arg, name, math.MaxInt32)
		}
		r.sizes[name] = n
		return nil
	}
	p := r.pipeline.Param(name)
	switch {
	case p == nil:
		return r.unknown("--set", name, func(p *imgc.Param) bool { return !p.IsImage && p.Takes() }, true)
	case p.IsImage:
		return wrongUse("--set %s: %s is an image (%s); --in and --out name files", arg, name, p)
	case !p.Takes():
		return wrongUse("--set %s: %s is returned, it takes no value (%s)", arg, name, p)
	}
	v, err := parseValue(p.Type, text)
	if err != nil {
		return wrongUse("--set %s: %w", arg, err)
	}
	r.scalars[name] = v
	return nil
}

// addPaths takes the paths behind the program: of the only image that the pipeline takes, and of the only one that it returns.
func (r *runPlan) addPaths(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	var wanted []string
	rest := paths
	for _, of := range []struct {
		to   *[]output
		fits func(*imgc.Param) bool
		name string
	}{{&r.inputs, (*imgc.Param).Takes, "IN"}, {&r.outputs, (*imgc.Param).Returns, "OUT"}} {
		only, n := r.onlyImage(of.fits)
		switch {
		case n > 1 || n == 1 && len(*of.to) > 0:
			return wrongUse("%s: paths behind the program are for pipelines with one image in and one out; name the parameters of %s with --in and --out",
				paths[0], r.pipeline)
		case n == 1 && len(rest) > 0:
			*of.to = append(*of.to, output{only, parsePlace(rest[0])})
			rest = rest[1:]
		}
		if n == 1 {
			wanted = append(wanted, of.name)
		}
	}
	if len(rest) > 0 || len(paths) != len(wanted) {
		return wrongUse("%s behind the program, but %s wants %s there",
			plural(len(paths), "path"), r.pipeline, strings.Join(wanted, " "))
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (r *runPlan) onlyImage(fits func(*imgc.Param) bool) (only *imgc.Param, n int) {
	for _, p := range r.pipeline.Params {
		if p.IsImage && fits(p) {
			only, n = p, n+1
		}
	}
	return only, n
}

// checkStreams refuses two uses of a standard stream, and two images in one file.
func (r *runPlan) checkStreams(program string) error {
	reader := ""
	if program == "-" {
		reader = "the program"
	}
	for _, in := range r.inputs {
		if in.to.stream && reader != "" {
			return wrongUse("standard input is %s already; it cannot be %s, too", reader, in.param.Name)
		}
		if in.to.stream {
			reader = in.param.Name
		}
	}
	for i, a := range r.outputs {
		for _, b := range r.outputs[:i] {
			if a.to.same(b.to) {
				return wrongUse("%s and %s would both be written to %s", b.param.Name, a.param.Name, a.to.path)
			}
		}
	}
	return nil
}

// checkComplete reports what the run lacks, all of it at once.
func (r *runPlan) checkComplete() error {
	var missing []string
	for _, p := range r.pipeline.Params {
		switch {
		case p.IsImage && p.Takes() && find(r.inputs, p) == nil:
			missing = append(missing, fmt.Sprintf("--in %s=PATH for %s", p.Name, p))
		case !p.IsImage && p.Takes() && p.Default == nil && r.scalars[p.Name].Words == nil:
			missing = append(missing, fmt.Sprintf("--set %s=VALUE for %s", p.Name, p))
		}
	}
	for _, s := range r.pipeline.Sizes {
		if _, given := r.sizes[s.Name]; !given && !r.pipeline.Param(s.Param).Takes() {
			missing = append(missing, fmt.Sprintf("--set %s=N, the size of %s that no image gives", s.Name, s.Param))
		}
	}
	if len(missing) > 0 {
		return wrongUse("%s also needs %s", r.pipeline.Name, strings.Join(missing, "; "))
	}
	return nil
}

// checkOutputs refuses a run whose results would be lost, and files that cannot hold an image.
func (r *runPlan) checkOutputs(timed bool) error {
	for _, o := range r.outputs {
		if err := checkOutput(o.to, wantOf(o.param)); err != nil {
			return err
		}
	}
	if len(r.outputs) > 0 || timed {
		return nil
	}
	returned := ""
	for _, p := range r.pipeline.Params {
		switch {
		case !p.IsImage && p.Returns():
			return nil
		case p.Returns():
			returned = p.Name
		}
	}
	if returned == "" {
		return nil
	}
	return wrongUse("the results of %s would be lost; give --out %s=PATH", r.pipeline.Name, returned)
}

// streamsOut reports whether an image goes to standard output.
func (r *runPlan) streamsOut() bool {
	for _, o := range r.outputs {
		if o.to.stream {
			return true
		}
	}
	return false
}

// read reads the images and makes the call.
func (r *runPlan) read(in io.Reader) (imgc.Args, error) {
	args := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: r.scalars, Sizes: r.sizes}
	for _, i := range r.inputs {
		m, err := readImage(in, i.to, wantOf(i.param))
		if err != nil {
			return args, err
		}
		args.Images[i.param.Name] = m
	}
	return args, nil
}
