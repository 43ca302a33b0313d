package kir

import (
	"imgc/source"
	"imgc/types"
)

// Steps that decide which steps run, and what acts on images as a whole.
type (
	// IfHost runs Then where Cond holds, else Else.
	IfHost struct {
		Cond       Expr // bool
		Then, Else []Step
	}
	// ForHost runs Body for Var = Lo, Lo+Step, ... below Hi (above, where Step is negative). The bounds are evaluated once.
	// Where they do not fit an i32 the call fails.
	ForHost struct {
		Var    *Var // i64, changed by nothing else
		Lo, Hi Expr // i64
		Step   int64
		Body   []Step
	}
	// WhileHost runs Body as long as Cond holds.
	WhileHost struct {
		Cond Expr // bool
		Body []Step
	}
	// BreakHost and ContinueHost act on the innermost ForHost or WhileHost.
	BreakHost    struct{}
	ContinueHost struct{}
	// SetHost changes a host variable. With Narrow it stands for an i32: the call fails where the value does not fit one.
	SetHost struct {
		Var    *Var
		Value  Expr
		Narrow bool
		At     source.Span // of the assignment
	}
	// Fetch gives a host variable what the first pixel of a temporary image holds; the host waits until all that was launched
	// before has ended. The variable has the type of the pixels, or is an i64 for an i32.
	Fetch struct {
		Var  *Var // changed by nothing else
		From *Image
		At   source.Span // where the program needs the value
	}
	// Clear fills an image with zeros.
	Clear struct{ Image *Image }
	// Swap exchanges the storage of two images of one type, LineAxis and extents. Each has its offset and pitch wherever its
	// storage is. When the call ends, a parameter's pixels are in the parameter's own storage.
	Swap struct{ A, B *Image }
)

func (*IfHost) step()       {}
func (*ForHost) step()      {}
func (*WhileHost) step()    {}
func (*BreakHost) step()    {}
func (*ContinueHost) step() {}
func (*SetHost) step()      {}
func (*Fetch) step()        {}
func (*Clear) step()        {}
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

// A Storage is what swaps exchange the storage of: an image, or a pyramid, of which a swap may exchange one level.
type Storage struct {
	Image   *Image
	Pyramid *Pyramid
}

func storeOf(m *Image) Storage {
	if m.Of != nil {
		return Storage{Pyramid: m.Of}
	}
	return Storage{Image: m}
}

// Swapped lists what swaps connect, group by group, each in the order of the plan: the storage of an image is always that of one of
// its group.
func Swapped(pl *Pipeline) [][]Storage {
	of := map[Storage]Storage{} // towards the group's representative
	var root func(m Storage) Storage
	root = func(m Storage) Storage {
		if up, ok := of[m]; ok && up != m {
			return root(up)
		}
		return m
	}
	swapped := map[Storage]bool{}
	join := func(a, b Storage) {
		swapped[a], swapped[b] = true, true
		of[root(a)] = root(b)
	}
	WalkSteps(pl.Steps, func(s Step) {
		switch s := s.(type) {
		case *Swap:
			join(storeOf(s.A), storeOf(s.B))
		case *SwapPyramids:
			join(Storage{Pyramid: s.A}, Storage{Pyramid: s.B})
		}
	})
	var groups [][]Storage
	index := map[Storage]int{}
	for _, m := range stores(pl) {
		if !swapped[m] {
			continue
		}
		r := root(m)
		if _, ok := index[r]; !ok {
			index[r] = len(groups)
			groups = append(groups, nil)
		}
		groups[index[r]] = append(groups[index[r]], m)
	}
	return groups
}

// stores lists all storage of a plan.
func stores(pl *Pipeline) []Storage {
	var list []Storage
	for _, q := range pl.Params {
		if q.Image != nil {
			list = append(list, Storage{Image: q.Image})
		}
	}
	for _, m := range pl.Locals {
		list = append(list, Storage{Image: m})
	}
	for _, p := range pl.Pyramids {
		list = append(list, Storage{Pyramid: p})
	}
	return list
}

// A planScope is where a step stands.
type planScope struct {
	images  map[*Image]bool
	kernels map[*Kernel]bool
	loop    bool

	levels   map[*Levels]bool
	pyramids map[*Pyramid]bool
	within   *Traverse // the innermost around
}

func (v *verifier) steps(list []Step, in planScope) {
	for _, s := range list {
		v.step(s, in)
	}
}

// control checks control flow and what acts on images as a whole.
func (v *verifier) control(s Step, in planScope) {
	inner := in
	inner.loop = true
	switch s := s.(type) {
	case *IfHost:
		v.cond(s.Cond)
		v.steps(s.Then, in)
		v.steps(s.Else, in)
	case *ForHost:
		v.expect(s.Lo, types.Scalar(types.I64), "the start of "+s.Var.Name)
		v.expect(s.Hi, types.Scalar(types.I64), "the end of "+s.Var.Name)
		if v.hostVar(s.Var); s.Step == 0 || s.Var.Type != types.Scalar(types.I64) {
			v.fail("%s runs in steps of %d as %s", s.Var.Name, s.Step, s.Var.Type)
		}
		v.steps(s.Body, inner)
	case *WhileHost:
		v.cond(s.Cond)
		v.steps(s.Body, inner)
	case *BreakHost, *ContinueHost:
		if !in.loop {
			v.fail("%T stands outside of a loop", s)
		}
	case *SetHost:
		v.writable(s.Var)
		v.expect(s.Value, s.Var.Type, "the value of "+s.Var.Name)
		if s.Narrow && s.Var.Type != types.Scalar(types.I64) {
			v.fail("%s of type %s is narrowed", s.Var.Name, s.Var.Type)
		}
	case *Fetch:
		v.fetch(s, in)
	case *Clear:
		v.changes(s.Image, in)
	case *Swap:
		v.changes(s.A, in)
		v.changes(s.B, in)
		if s.A == s.B || s.A.Elem != s.B.Elem || len(s.A.Extent) != len(s.B.Extent) || s.A.LineAxis != s.B.LineAxis {
			v.fail("%s and %s cannot be swapped", s.A.Name, s.B.Name)
		}
		if s.A.Offset == nil || s.B.Offset == nil {
			v.fail("%s and %s are swapped, and one has no offset", s.A.Name, s.B.Name)
		}
	default:
		v.traversal(s, in)
	}
}

// fetch checks and declares a value that the host waits for.
func (v *verifier) fetch(s *Fetch, in planScope) {
	t := s.Var.Type
	if t == types.Scalar(types.I64) && s.From.Elem == t.WithKind(types.I32) {
		t = s.From.Elem
	}
	if v.hostVar(s.Var); !in.images[s.From] || s.From.Dir != Temporary || s.From.Offset != nil || s.From.Elem != t {
		v.fail("%s is fetched from an image that does not fit", s.Var.Name)
	}
}

// changes checks that a step may write a whole image.
func (v *verifier) changes(m *Image, in planScope) {
	if !in.images[m] || m.Dir == In {
		v.fail("%s is changed and is no image of the pipeline, or an in image", m.Name)
	}
}

// control dumps control flow and what acts on images as a whole.
func (d *dumper) control(s Step) {
	switch s := s.(type) {
	case *IfHost:
		d.line("if %s", ExprText(s.Cond))
		d.steps(s.Then)
		if len(s.Else) > 0 {
			d.line("else")
			d.steps(s.Else)
		}
	case *ForHost:
		d.line("for %s = %s : %s : %d", s.Var.Name, ExprText(s.Lo), ExprText(s.Hi), s.Step)
		d.steps(s.Body)
	case *WhileHost:
		d.line("while %s", ExprText(s.Cond))
		d.steps(s.Body)
	case *BreakHost:
		d.line("break")
	case *ContinueHost:
		d.line("continue")
	case *SetHost:
		word := map[bool]string{true: "set i32", false: "set"}[s.Narrow]
		d.line("%s %s = %s", word, s.Var.Name, ExprText(s.Value))
	case *Fetch:
		d.line("fetch %s from %s", s.Var.Name, s.From.Name)
	case *Clear:
		d.line("clear %s", s.Image.Name)
	case *Swap:
		d.line("swap %s, %s", s.A.Name, s.B.Name)
	default:
		d.traversal(s)
	}
}

func (d *dumper) steps(list []Step) {
	d.indent++
	for _, s := range list {
		d.step(s)
	}
	d.indent--
}
