package pass

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestClamps marks the greater of 0 and what a minimum with 1 may be of NaN, directly, by name, on both sides of a choice and from a func, and nothing that may be NaN itself or never is.
func TestClamps(t *testing.T) {
	f32 := kir.Typed{T: types.Scalar(types.F32)}
	variable := func() *kir.Var { return &kir.Var{Name: "v", Type: f32.T} }
	read := func(v *kir.Var) kir.Expr { return &kir.Ref{Typed: f32, Var: v} }
	n := func(x float64) kir.Expr { return &kir.Const{Typed: f32, Words: []types.Word{types.Float(x)}} }
	least := func(a, b kir.Expr) kir.Expr { return &kir.Op{Typed: f32, Op: ops.Min, Args: []kir.Expr{a, b}} }
	truth := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Words: []types.Word{1}}
	choice := func(a, b kir.Expr) kir.Expr { return &kir.Select{Typed: f32, Cond: truth, Then: a, Else: b} }
	v, capped, sometimes, whole := read(variable()), variable(), variable(), variable()
	f := &kir.Func{Name: "f", Result: f32.T, Body: []kir.Stmt{&kir.Return{Value: least(n(1), v)}}}
	integer := &kir.Convert{Typed: f32, X: &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I32)}, Words: []types.Word{3}}}
	names := []kir.Stmt{
		&kir.Decl{Var: capped, Init: least(v, n(1))},
		&kir.Decl{Var: sometimes, Init: least(v, n(1))}, &kir.Assign{Var: sometimes, Value: v},
		&kir.Decl{Var: whole, Init: integer},
	}
	for _, x := range []struct {
		name string
		of   kir.Expr
		with float64
		want bool
	}{
		{"as it is", least(v, n(1)), 0, true},
		{"turned", least(n(1), v), 0, true},
		{"by a name", read(capped), 0, true},
		{"a choice", choice(least(v, n(1)), n(0.5)), 0, true},
		{"of a func", &kir.Call{Typed: f32, Func: f}, 0, true},
		{"a choice of what may be NaN", choice(least(v, n(1)), v), 0, false},
		{"a name of two", read(sometimes), 0, false},
		{"another bound", least(v, n(2)), 0, false},
		{"another lower bound", least(v, n(1)), 0.5, false},
		{"an integer", least(read(whole), n(1)), 0, false},
		{"anything", v, 0, false},
	} {
		for _, args := range [][]kir.Expr{{x.of, n(x.with)}, {n(x.with), x.of}} {
			greatest := &kir.Op{Typed: f32, Op: ops.Max, Args: args}
			body := append(append([]kir.Stmt{}, names...), &kir.Decl{Var: variable(), Init: greatest})
			clamps(&kir.Program{Kernels: []*kir.Kernel{{Body: body}}, Funcs: []*kir.Func{f}})
			if greatest.Short != x.want {
				t.Errorf("%s: marked is %t", x.name, greatest.Short)
			}
		}
	}
}
