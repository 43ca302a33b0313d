package hast

import (
	"strings"
	"testing"

	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

var (
	tI32    = types.Scalar(types.I32)
	tF32    = types.Scalar(types.F32)
	nowhere source.Span
)

func number(v int64) Expr { return &Const{Typed: Typed{T: tI32}, Words: []types.Word{types.Int(v)}} }

// fill is a program that stores value in every pixel of an image of i32.
func fill(change func(p *Pipeline, s *Stage)) *Program {
	n := &Var{Name: "N", Type: tI32, Class: SizeVar}
	x := &Var{Name: "x", Type: tI32, Class: Iterator}
	size := &Ref{Typed: Typed{T: tI32}, Var: n}
	img := &Image{Name: "dst", Dir: Out, Elem: tI32, Extent: []Expr{size}}
	stage := &Stage{
		Name:  "dst",
		Space: Space{Vars: []*Var{x}, Ranges: []Range{{Lo: number(0), Hi: size, Step: 1}}},
		Body:  []Stmt{&Store{Image: img, Index: []Expr{&Ref{Typed: Typed{T: tI32}, Var: x}}, Value: number(7)}},
	}
	p := &Pipeline{
		Name:   "p",
		Params: []*Param{{Name: "dst", Dir: Out, Image: img}},
		Sizes:  []*Size{{Var: n, Image: img, Mul: 1}},
		Images: []*Image{img},
		Steps:  []Step{stage},
	}
	change(p, stage)
	return &Program{Name: "p", Pipelines: []*Pipeline{p}}
}

func store(s *Stage) *Store { return s.Body[0].(*Store) }

func TestVerifyAcceptsAWellFormedProgram(t *testing.T) {
	if err := Verify(fill(func(*Pipeline, *Stage) {})); err != nil {
		t.Error(err)
	}
}

func TestVerifyNamesTheBrokenPromise(t *testing.T) {
	float := &Const{Typed: Typed{T: tF32}, Words: []types.Word{types.Float(1)}}
	stray := &Var{Name: "stray", Type: tI32, Class: Value}
	for _, c := range []struct {
		name   string
		change func(p *Pipeline, s *Stage)
		want   string
	}{
		{"missing expression", func(_ *Pipeline, s *Stage) { store(s).Value = nil }, "missing"},
		{"wrong type", func(_ *Pipeline, s *Stage) { store(s).Value = float }, "f32 where i32"},
		{"mixed operands", func(_ *Pipeline, s *Stage) {
			store(s).Value = &Op{Typed: Typed{T: tI32}, Op: ops.Add, Args: []Expr{number(1), float}}
		}, "operands of i32 and f32"},
		{"undefined operator", func(_ *Pipeline, s *Stage) {
			store(s).Value = &Op{Typed: Typed{T: tI32}, Op: ops.Sqrt, Args: []Expr{number(1)}}
		}, "not defined on i32"},
		{"variable out of scope", func(_ *Pipeline, s *Stage) { store(s).Value = &Ref{Typed: Typed{T: tI32}, Var: stray} }, "not in scope"},
		{"store to an input", func(p *Pipeline, _ *Stage) { p.Images[0].Dir = In }, "stored to"},
		{"missing index", func(_ *Pipeline, s *Stage) { store(s).Index = nil }, "0 indices for 1 axes"},
		{"short constant", func(_ *Pipeline, s *Stage) { store(s).Value = &Const{Typed: Typed{T: tI32}} }, "0 words"},
		{"step of zero", func(_ *Pipeline, s *Stage) { s.Space.Ranges[0].Step = 0 }, "step 0"},
		{"unbound size", func(p *Pipeline, _ *Stage) { p.Sizes[0].Image = nil }, "not bound"},
		{"stage without name", func(_ *Pipeline, s *Stage) { s.Name = "" }, "stage name"},
		{"unknown func", func(_ *Pipeline, s *Stage) {
			store(s).Value = &Call{Typed: Typed{T: tI32}, Func: &Func{Name: "f", Result: tI32}}
		}, "does not come before"},
		{"reduction of another kind", func(_ *Pipeline, s *Stage) {
			store(s).Value = &Reduce{Typed: Typed{T: tI32}, Op: Sum, Space: Space{Vars: []*Var{stray}, Points: [][]int64{{1}}}, Elem: float}
		}, "i32 of f32"},
	} {
		err := Verify(fill(c.change))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestEqualComparesComputations(t *testing.T) {
	a, b := &Var{Name: "n", Type: tI32}, &Var{Name: "n", Type: tI32}
	ref := func(v *Var) Expr { return &Ref{Typed: Typed{T: v.Type, At: nowhere}, Var: v} }
	half := func(x Expr) Expr {
		return &Op{Typed: Typed{T: tI32}, Op: ops.Div, Args: []Expr{x, number(2)}}
	}
	if !Equal(half(ref(a)), half(ref(a))) {
		t.Error("n / 2 differs from itself")
	}
	if Equal(half(ref(a)), half(ref(b))) {
		t.Error("two variables of one name are taken for one")
	}
	if Equal(number(1), number(2)) || Equal(number(1), ref(a)) {
		t.Error("different values are taken for equal")
	}
}
