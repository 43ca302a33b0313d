package opencl_test

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// Short ways to build programs by hand.

var (
	boolT = types.Scalar(types.Bool)
	i32T  = types.Scalar(types.I32)
	i64T  = types.Scalar(types.I64)
	f32T  = types.Scalar(types.F32)
)

func num(k types.Kind, v float64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: types.Scalar(k)}, Words: []types.Word{types.Convert(types.Float(v), types.F64, k)}}
}

func ref(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v} }

func local(name string, t types.Type) *kir.Var { return &kir.Var{Name: name, Type: t, Const: true} }

func variable(name string, t types.Type) *kir.Var { return &kir.Var{Name: name, Type: t} }

func buffer(name string, k types.Kind, a kir.Access) *kir.Var {
	return &kir.Var{Name: name, Type: types.Scalar(k), Space: kir.Global, Access: a, Const: true}
}

func op(o ops.Op, t types.Type, args ...kir.Expr) kir.Expr {
	return &kir.Op{Typed: kir.Typed{T: t}, Op: o, Args: args}
}

func exact(o ops.Op, t types.Type, args ...kir.Expr) kir.Expr {
	return &kir.Op{Typed: kir.Typed{T: t}, Op: o, Args: args, Exact: true}
}

func conv(t types.Type, how kir.How, exact bool, x kir.Expr) kir.Expr {
	return &kir.Convert{Typed: kir.Typed{T: t}, X: x, How: how, Exact: exact}
}

func wide(x kir.Expr) kir.Expr { return conv(i64T, kir.Wrap, true, x) }

func read(t types.Type, b *kir.Var, offset kir.Expr) kir.Expr {
	return &kir.Load{Typed: kir.Typed{T: t}, Buffer: b, Offset: offset}
}

func gid(dim int) kir.Expr { return &kir.GlobalID{Typed: kir.Typed{T: i32T}, Dim: dim} }

// A writer makes statements with the place of a line of a text.
type writer struct {
	file  *source.File
	line  int
	stmts []kir.Stmt
}

// at sets the source line of what follows.
func (w *writer) at(line int) { w.line = line }

func (w *writer) placed() kir.Placed {
	offset := 0
	for i := 1; i < w.line; i++ {
		offset += len(w.file.Line(i)) + 1
	}
	return kir.Placed{At: source.Span{File: w.file, Start: offset, End: offset + len(w.file.Line(w.line))}}
}

func (w *writer) add(s kir.Stmt) { w.stmts = append(w.stmts, s) }

func (w *writer) let(name string, e kir.Expr) kir.Expr {
	v := local(name, e.Type())
	w.add(&kir.Decl{Placed: w.placed(), Var: v, Init: e})
	return ref(v)
}

func (w *writer) variable(name string, t types.Type, init kir.Expr) *kir.Var {
	v := variable(name, t)
	w.add(&kir.Decl{Placed: w.placed(), Var: v, Init: init})
	return v
}

func (w *writer) set(v *kir.Var, e kir.Expr, index ...kir.Expr) {
	w.add(&kir.Assign{Placed: w.placed(), Var: v, Index: index, Value: e})
}

func (w *writer) store(b *kir.Var, offset, value kir.Expr) {
	w.add(&kir.Store{Placed: w.placed(), Buffer: b, Offset: offset, Value: value})
}

// nested collects the statements of a block.
func (w *writer) nested(f func()) []kir.Stmt {
	outer := w.stmts
	w.stmts = nil
	f()
	inner := w.stmts
	w.stmts = outer
	return inner
}

// Names of operators, for tests that are not about them.
const mul = ops.Mul
