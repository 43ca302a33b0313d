package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"imgc"
	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// fewRows is the size of the images of the run in which a variant is compiled.
const fewRows = 16

// one measures the variants of one pipeline.
func (c *config) one(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	arch, err := imgc.OpenArchitecture(c.arch)
	if err != nil {
		return err
	}
	m := &measurer{config: c, path: path, text: string(text), arch: arch, masks: masksOf(path, string(text), c.pipeline)}
	program, err := m.program(imgc.Options{})
	if err != nil {
		return err
	}
	q := program.Pipelines[0]
	sizes := map[string]int64{}
	for name, n := range sizesOf(q, m.masks, c.size, 0) {
		sizes[name] = int64(n)
	}
	plans, err := program.Explain(arch, sizes)
	if err != nil {
		return err
	}
	if m.device, err = imgc.OpenDevice(c.device); err != nil {
		return err
	}
	defer m.device.Close()
	skipped := "," + c.skip + ","
	for _, v := range variants(plans[0], arch, c.count) {
		if strings.Contains(skipped, ","+v.name+",") || !strings.HasPrefix(v.name, c.only) {
			continue
		}
		l := line{File: path, Pipeline: c.pipeline, Variant: v.name, Schedule: v.line, Predicted: v.predicted}
		emit(line{File: path, Pipeline: c.pipeline, Variant: v.name, Begun: true})
		if l.Microseconds, err = m.time(v); err != nil {
			l.Error, _, _ = strings.Cut(err.Error(), "\n")
		}
		emit(l)
	}
	return nil
}

// A measurer times variants of a pipeline.
type measurer struct {
	*config
	path, text string
	masks      []string // parameters
	arch       *imgc.Architecture
	device     *imgc.Device
}

func (m *measurer) program(opts imgc.Options) (*imgc.Program, error) {
	opts.Pipelines = []string{m.pipeline}
	if opts.Arch == nil {
		opts.Arch = m.arch
	}
	result, err := imgc.Check(context.Background(), m.path, m.text, opts)
	if err != nil {
		return nil, err
	}
	if result.Program == nil {
		return nil, fmt.Errorf("%s is not accepted: %s", m.path, result.Diagnostics.Sorted()[0].Message)
	}
	return result.Program, nil
}

// time is the least time of a variant in microseconds. It is compiled for a small run, while other processes may measure.
func (m *measurer) time(v variant) (float64, error) {
	p, err := m.program(v.options)
	if err != nil {
		return 0, err
	}
	if small, err := m.arguments(p, fewRows, 0); err == nil {
		_, _ = p.Time(context.Background(), m.device, m.pipeline, small, 1) // what fails here for good fails again below
	}
	args, err := m.arguments(p, m.size, v.columns)
	if err != nil {
		return 0, err
	}
	alone, err := locked(m.lock)
	if err != nil {
		return 0, err
	}
	defer alone.Close()
	t, err := p.Time(context.Background(), m.device, m.pipeline, args, m.runs)
	return float64(t.Minimum.Nanoseconds()) / 1e3, err
}

// locked waits until no other process has the file; closing it lets others have it.
func locked(path string) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	return f, syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
}

// arguments are random images of so many rows, and columns less some, and 1 for scalars without a default.
func (m *measurer) arguments(p *imgc.Program, size, less int) (imgc.Args, error) {
	q := p.Pipelines[0]
	scalars := map[string]types.Value{}
	for _, param := range q.Params {
		if !param.IsImage && param.Takes() && param.Default == nil {
			v := types.Value{Type: param.Type, Words: make([]types.Word, param.Type.Words())}
			for i := range v.Words {
				v.Words[i] = types.Convert(1, types.I32, param.Type.Kind)
			}
			scalars[param.Name] = v
		}
	}
	return p.RandomArgs(context.Background(), q.Name, sizesOf(q, m.masks, size, less), scalars)
}

// others is the extent of what is neither rows nor columns of an image: of planes, and of masks.
const others = 5

func sizesOf(q *imgc.Pipeline, masks []string, size, less int) map[string]int {
	out := map[string]int{}
	for _, s := range q.Sizes {
		switch {
		case slices.Contains(masks, s.Param):
			out[s.Name] = others
		case s.FromEnd == 1:
			out[s.Name] = size - less
		case s.FromEnd == 2:
			out[s.Name] = size
		default:
			out[s.Name] = others
		}
	}
	return out
}

// masksOf are the parameters of a pipeline that are masks.
func masksOf(path, text, pipeline string) (names []string) {
	for _, d := range parser.Parse(source.NewFile(path, text), &diag.List{}).Decls {
		if k, ok := d.(*syntax.Kernel); ok && k.Pipeline && k.Name.Text == pipeline {
			for _, p := range k.Params {
				if p.Mask {
					names = append(names, p.Name.Text)
				}
			}
		}
	}
	return names
}
