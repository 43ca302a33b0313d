package hast

import (
	"imgc/source"
	"imgc/types"
)

// Steps that decide which steps run, and how often. Their conditions and bounds are host expressions: the host evaluates them
// when it gets there, without looking at a pixel. What it has to know of pixels is brought to it by a Fetch before.
type (
	// IfHost runs Then where Cond holds, else Else.
	IfHost struct {
		Cond       Expr // bool
		Then, Else []Step
		At         source.Span
	}
	// ForHost runs Body with Var at each value of Range, in order. The bounds are evaluated once, before the first round.
	// Settles is an image of a bool for each round, from 0 on: where a round leaves its own false, those behind it leave everything as it is, and need not run; nil where that is not known.
	ForHost struct {
		Var     *Var // HostLoop
		Range   Range
		Body    []Step
		Settles *Image
		At      source.Span
	}
	// WhileHost runs Body as long as Cond holds.
	WhileHost struct {
		Cond Expr // bool
		Body []Step
		At   source.Span
	}
	// BreakHost and ContinueHost act on the innermost ForHost or WhileHost.
	BreakHost    struct{ At source.Span }
	ContinueHost struct{ At source.Span }
	// SetHost changes a variable of the host.
	SetHost struct {
		Var   *Var // HostMutable
		Value Expr // host expression
		At    source.Span
	}
	// Fetch gives a value of the host what the one pixel of a local image holds: there the host waits for the device.
	Fetch struct {
		Var  *Var   // HostValue, of the type of the pixels, which is not of f16 or bf16
		From *Image // of one axis and one pixel
		At   source.Span
	}
	// Fresh is the declaration of a local image inside of control flow: it starts anew. Where Image.Zero is set its pixels
	// become 0, every time.
	Fresh struct {
		Image *Image
		At    source.Span
	}
	// Swap exchanges the contents of two images of one type and equal extents. Neither is an in parameter.
	Swap struct {
		A, B *Image
		At   source.Span
	}
)

func (s *IfHost) Span() source.Span       { return s.At }
func (s *ForHost) Span() source.Span      { return s.At }
func (s *WhileHost) Span() source.Span    { return s.At }
func (s *BreakHost) Span() source.Span    { return s.At }
func (s *ContinueHost) Span() source.Span { return s.At }
func (s *SetHost) Span() source.Span      { return s.At }
func (s *Fetch) Span() source.Span        { return s.At }
func (s *Fresh) Span() source.Span        { return s.At }
func (s *Swap) Span() source.Span         { return s.At }

func (*IfHost) step()       {}
func (*ForHost) step()      {}
func (*WhileHost) step()    {}
func (*BreakHost) step()    {}
func (*ContinueHost) step() {}
func (*SetHost) step()      {}
func (*Fetch) step()        {}
func (*Fresh) step()        {}
func (*Swap) step()         {}

// WalkSteps calls f for every step of a list, nested ones included, outside in.
func WalkSteps(list []Step, f func(Step)) {
	for _, s := range list {
		f(s)
		for _, body := range StepBodies(s) {
			WalkSteps(body, f)
		}
	}
}

// WalkStages calls f for every stage of a list of steps, those inside of others included, with the steps before it in its list.
func WalkStages(list []Step, f func(before []Step, s *Stage)) {
	for i, step := range list {
		if s, ok := step.(*Stage); ok {
			f(list[:i], s)
		}
		for _, body := range StepBodies(step) {
			WalkStages(body, f)
		}
	}
}

// StepBodies are the lists of steps inside a step.
func StepBodies(s Step) [][]Step {
	switch s := s.(type) {
	case *IfHost:
		return [][]Step{s.Then, s.Else}
	case *ForHost:
		return [][]Step{s.Body}
	case *WhileHost:
		return [][]Step{s.Body}
	case *Traverse:
		return [][]Step{s.Body}
	case *Descend:
		return [][]Step{s.Between}
	}
	return nil
}

// control checks control flow and what acts on images as a whole. loop is set inside a loop.
func (v *verifier) control(s Step, names map[string]bool, loop bool) {
	boolean := func(x Expr) { v.value(x, scalarBool) }
	switch s := s.(type) {
	case *IfHost:
		boolean(s.Cond)
		v.steps(s.Then, names, loop)
		v.steps(s.Else, names, loop)
	case *ForHost:
		if s.Var.Class != HostLoop {
			v.failf("%s: %s is no variable of a loop of the host", s.At, s.Var.Name)
		}
		if m := s.Settles; m != nil && (!v.images[m] || m.Elem != scalarBool || m.Rank() != 1) {
			v.failf("%s: %s has no bool for each round", s.At, m.Name)
		}
		v.space(Space{Vars: []*Var{s.Var}, Ranges: []Range{s.Range}})
		v.steps(s.Body, names, true)
	case *WhileHost:
		boolean(s.Cond)
		v.steps(s.Body, names, true)
	case *BreakHost, *ContinueHost:
		if !loop {
			v.failf("%s: %T outside of a loop", s.Span(), s)
		}
	case *SetHost:
		if v.value(s.Value, s.Var.Type); s.Var.Class != HostMutable || !v.vars[s.Var] {
			v.failf("%s: %s is set and is no var of the host in scope", s.At, s.Var.Name)
		}
	case *Fetch:
		v.fetch(s)
	case *Fresh:
		if !v.images[s.Image] || s.Image.Dir != Local {
			v.failf("%s: %s starts anew and is no local image", s.At, s.Image.Name)
		}
	case *Swap:
		a, b := s.A, s.B
		if !v.images[a] || !v.images[b] || a == b || a.View != nil || b.View != nil || a.Dir == In || b.Dir == In || a.Elem != b.Elem || a.Rank() != b.Rank() {
			v.failf("%s: %s and %s cannot be swapped", s.At, a.Name, b.Name)
		}
	case *DefineView:
		v.view(s)
	case *Traverse, *Descend, *FreshPyramid, *SwapPyramids:
		v.traversal(s, names)
	default:
		v.failf("%s: unknown step %T", s.Span(), s)
	}
}

// fetch declares the value that the host waits for.
func (v *verifier) fetch(s *Fetch) {
	kind := s.Var.Type.Kind
	if !v.scalarImage(s.From) || s.Var.Class != HostValue || s.Var.Type != s.From.Elem || kind == types.F16 || kind == types.BF16 {
		v.failf("%s: %s is fetched from an image that does not fit", s.At, s.Var.Name)
	}
	v.vars[s.Var] = true
}

// scalarImage reports whether an image can hold a scalar that the device computes.
func (v *verifier) scalarImage(m *Image) bool {
	return v.images[m] && m.Scalar && m.Rank() == 1 && m.Dir == Local
}

func (v *verifier) steps(list []Step, names map[string]bool, loop bool) {
	for _, s := range list {
		v.step(s, names, loop)
	}
}

// control dumps control flow and what acts on images as a whole.
func (d *dumper) control(s Step) {
	switch s := s.(type) {
	case *IfHost:
		d.line("if %s", Text(s.Cond))
		d.nest(func() { d.steps(s.Then) })
		if len(s.Else) > 0 {
			d.line("else")
			d.nest(func() { d.steps(s.Else) })
		}
	case *ForHost:
		settles := ""
		if s.Settles != nil {
			settles = " settles " + s.Settles.Name
		}
		d.line("for (%s)%s", spaceText(Space{Vars: []*Var{s.Var}, Ranges: []Range{s.Range}}), settles)
		d.nest(func() { d.steps(s.Body) })
	case *WhileHost:
		d.line("while %s", Text(s.Cond))
		d.nest(func() { d.steps(s.Body) })
	case *BreakHost:
		d.line("break")
	case *ContinueHost:
		d.line("continue")
	case *SetHost:
		d.line("set %s = %s", s.Var.Name, Text(s.Value))
	case *Fetch:
		d.line("fetch %s from %s", s.Var.Name, s.From.Name)
	case *Fresh:
		d.line("fresh %s", s.Image.Name)
	case *Swap:
		d.line("swap %s, %s", s.A.Name, s.B.Name)
	case *DefineView:
		d.line("view %s: %s = %s", s.Image.Name, s.Image.Elem, viewText(s.Image))
	default:
		d.traversal(s)
	}
}

func (d *dumper) steps(list []Step) {
	for _, s := range list {
		d.step(s)
	}
}
