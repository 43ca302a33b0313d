package imgc

import (
	"fmt"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/types"
)

// A Pipeline describes an entry point of a program: what it takes and what it returns.
type Pipeline struct {
	Name   string
	Params []*Param // in the order of the text
	Sizes  []*Size  // in the order of binding

	typed *hast.Pipeline
}

// A Param is a parameter of a pipeline.
type Param struct {
	Name    string
	Dir     string // in, out or inout
	IsImage bool
	Type    types.Type   // of a scalar, or of an image's elements
	Extent  []string     // of an image: as the text has them, slowest first
	Fixed   []int        // of an image: the extents that are constants, -1 for others
	Default *types.Value // of a scalar that need not be given
}

// A Size is a size name of a pipeline.
type Size struct {
	Name  string
	Param string // the image one of whose extents gives the size
	// FromEnd is 1 where that extent is the last one of the image but for a constant number of channels, 2 for the one before.
	FromEnd int
}

// Takes and Returns say which way a parameter goes; inout does both.
func (p *Param) Takes() bool   { return p.Dir != hast.Out.String() }
func (p *Param) Returns() bool { return p.Dir != hast.In.String() }

// String is the parameter as the text declares it: "in src: u8[H][W]".
func (p *Param) String() string {
	s := p.Dir + " " + p.Name + ": " + p.Type.String()
	for _, e := range p.Extent {
		s += "[" + e + "]"
	}
	return s
}

// Param finds a parameter; nil if there is none of that name.
func (p *Pipeline) Param(name string) *Param {
	for _, q := range p.Params {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// Size finds a size name; nil if there is none of that name.
func (p *Pipeline) Size(name string) *Size {
	for _, s := range p.Sizes {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// String is the pipeline's head as a declaration: "sharpen(in src: u8[H][W], out dst: u8[H][W])".
func (p *Pipeline) String() string {
	params := make([]string, len(p.Params))
	for i, q := range p.Params {
		params[i] = q.String()
	}
	return p.Name + "(" + strings.Join(params, ", ") + ")"
}

// Pipeline finds a pipeline by its name; "" stands for the only one.
func (p *Program) Pipeline(name string) (*Pipeline, error) {
	if name == "" && len(p.Pipelines) == 1 {
		return p.Pipelines[0], nil
	}
	names := make([]string, len(p.Pipelines))
	for i, q := range p.Pipelines {
		if q.Name == name {
			return q, nil
		}
		names[i] = q.Name
	}
	switch {
	case len(names) == 0:
		return nil, usagef("%s has no pipeline", p.File())
	case name == "":
		return nil, usagef("%s has %d pipelines: %s; say which", p.File(), len(names), strings.Join(names, ", "))
	}
	if near := diag.Suggest(name, names); near != "" {
		return nil, usagef("%s has no pipeline %s; did you mean %s?", p.File(), name, near)
	}
	return nil, usagef("%s has no pipeline %s; there is %s", p.File(), name, strings.Join(names, ", "))
}

// File is the name that the program's text was given.
func (p *Program) File() string { return p.typed.File.Name }

func newProgram(typed *hast.Program, opts Options) *Program {
	p := &Program{Name: typed.Name, typed: typed, options: opts}
	for _, q := range typed.Pipelines {
		p.Pipelines = append(p.Pipelines, newPipeline(q))
	}
	return p
}

func newPipeline(typed *hast.Pipeline) *Pipeline {
	p := &Pipeline{Name: typed.Name, typed: typed}
	for _, q := range typed.Params {
		p.Params = append(p.Params, newParam(q))
	}
	for _, s := range typed.Sizes {
		p.Sizes = append(p.Sizes, &Size{Name: s.Var.Name, Param: s.Image.Name, FromEnd: fromEnd(s)})
	}
	return p
}

// fromEnd is the place of a size's extent, counted from the last one that is no constant.
func fromEnd(s *hast.Size) int {
	n := 1
	for _, e := range s.Image.Extent[s.Axis+1:] {
		if _, fixed := e.(*hast.Const); !fixed {
			n++
		}
	}
	return n
}

func newParam(q *hast.Param) *Param {
	p := &Param{Name: q.Name, Dir: q.Dir.String(), IsImage: q.Image != nil, Default: q.Default}
	if !p.IsImage {
		p.Type = q.Scalar.Type
		return p
	}
	p.Type = q.Image.Elem
	for _, e := range q.Image.Extent {
		text, fixed := e.Span().Text(), -1
		if c, ok := e.(*hast.Const); ok {
			fixed = int(c.Words[0].Int())
			if text == "" {
				text = fmt.Sprint(fixed)
			}
		}
		p.Extent = append(p.Extent, text)
		p.Fixed = append(p.Fixed, fixed)
	}
	return p
}
