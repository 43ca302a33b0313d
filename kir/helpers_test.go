package kir

import (
	"imgc/ops"
	"imgc/types"
)

var (
	boolT = types.Scalar(types.Bool)
	i32T  = types.Scalar(types.I32)
	i64T  = types.Scalar(types.I64)
	u8T   = types.Scalar(types.U8)
	f32T  = types.Scalar(types.F32)
)

func number(k types.Kind, v float64) Expr {
	return &Const{Typed{types.Scalar(k)}, []types.Word{types.Convert(types.Float(v), types.F64, k)}, ""}
}

func read(v *Var) Expr { return &Ref{Typed{v.Type}, v} }

func apply(o ops.Op, t types.Type, args ...Expr) Expr {
	return &Op{Typed: Typed{t}, Op: o, Args: args, Exact: true}
}

func widened(x Expr) Expr { return &Convert{Typed{i64T}, x, Wrap, true} }

func fixedVar(name string, t types.Type) *Var { return &Var{Name: name, Type: t, Const: true} }

// copyProgram is a small program that keeps every rule: a kernel that copies with a func applied, and its plan.
type copyProgram struct {
	*Program
	src, dst, pitch, x *Var
	double             *Func
	kernel             *Kernel
	decl               *Decl
	store              *Store
	plan               *Pipeline
	launch             *Launch
	in, out            *Image
	size               *Size
	table              *Table
}

func newCopy() *copyProgram {
	p := &copyProgram{}
	arg := fixedVar("v", u8T)
	p.double = &Func{Name: "double", Params: []*Var{arg}, Result: i32T, Body: []Stmt{
		&Return{Value: apply(ops.Mul, i32T, &Convert{Typed{i32T}, read(arg), Wrap, true}, number(types.I32, 2))},
	}}
	p.src = &Var{Name: "src", Type: u8T, Space: Global, Access: Reads, Const: true}
	p.dst = &Var{Name: "dst", Type: u8T, Space: Global, Access: Writes, Const: true}
	p.pitch, p.x = fixedVar("pitch", i64T), fixedVar("x", i32T)
	p.decl = &Decl{Var: p.x, Init: &GlobalID{Typed{i32T}, 0}}
	load := &Load{Typed: Typed{u8T}, Buffer: p.src, Offset: apply(ops.Add, i64T, read(p.pitch), widened(read(p.x)))}
	p.store = &Store{Buffer: p.dst, Offset: widened(read(p.x)), Value: &Convert{Typed{u8T}, &Call{Typed{i32T}, p.double, []Expr{load}}, Saturate, false}}
	p.kernel = &Kernel{Name: "copy", Params: []*Var{p.src, p.pitch, p.dst}, Group: [3]int{1, 1, 1}, Body: []Stmt{p.decl, p.store}}
	p.table = &Table{Var: &Var{Name: "t", Type: i32T.Array(2, 2), Space: Constant, Const: true}, Words: []types.Word{1, 2, 3, 4}}
	p.addPlan()
	p.Program = &Program{Name: "copy", Kernels: []*Kernel{p.kernel}, Funcs: []*Func{p.double}, Tables: []*Table{p.table}, Pipelines: []*Pipeline{p.plan}}
	return p
}

func (p *copyProgram) addPlan() {
	n := fixedVar("N", i64T)
	p.in = &Image{Name: "src", Dir: In, Elem: u8T, Extent: []Expr{read(n)}, LineAxis: -1, Offset: fixedVar("src_offset", i64T)}
	p.out = &Image{Name: "dst", Dir: Out, Elem: u8T, Extent: []Expr{read(n)}, LineAxis: -1, Offset: fixedVar("dst_offset", i64T)}
	p.size = &Size{Var: n, Image: p.in, Mul: 1}
	p.launch = &Launch{Kernel: p.kernel, Args: []Arg{{Image: p.in}, {Value: read(p.in.Offset)}, {Image: p.out}},
		Items: [3]Expr{read(n), number(types.I64, 1), number(types.I64, 1)}}
	p.plan = &Pipeline{
		Name: "copy", Params: []*Param{{Name: "src", Dir: In, Image: p.in}, {Name: "dst", Dir: Out, Image: p.out}}, Sizes: []*Size{p.size},
		Checks: []*Check{{Cond: apply(ops.Ge, boolT, read(n), number(types.I64, 1)), Message: "too small"}}, Steps: []Step{p.launch},
	}
}
