package pass

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestSpread marks the tables of which work-items read elements that their numbers, or what they loaded, decide, by way of funcs and conditions, too.
func TestSpread(t *testing.T) {
	i32 := kir.Typed{T: types.Scalar(types.I32)}
	variable := func(name string) *kir.Var { return &kir.Var{Name: name, Type: i32.T} }
	number := func(n int64) kir.Expr { return &kir.Const{Typed: i32, Words: []types.Word{types.Int(n)}} }
	read := func(v *kir.Var) kir.Expr { return &kir.Ref{Typed: i32, Var: v} }
	item := &kir.LocalID{Typed: i32}
	src := &kir.Var{Name: "src", Type: types.Scalar(types.U8), Space: kir.Global, Access: kir.Reads}
	pixel := func(at kir.Expr) kir.Expr { return &kir.Load{Typed: i32, Buffer: src, Offset: at} }
	n, k, chosen, p := variable("n"), variable("k"), variable("chosen"), variable("p")
	at := func(index kir.Expr, before ...kir.Stmt) func(*kir.Var) []kir.Stmt {
		return func(table *kir.Var) []kir.Stmt {
			return append(before, &kir.Decl{Var: variable("x"), Init: &kir.Elem{Typed: i32, Var: table, Index: []kir.Expr{index}}})
		}
	}
	for _, c := range []struct {
		name string
		body func(table *kir.Var) []kir.Stmt
		want bool
	}{
		{"a parameter", at(read(n)), false},
		{"the number of the item", at(item), true},
		{"the number of the group", at(&kir.GroupID{Typed: i32}), false},
		{"a pixel that all load", at(pixel(read(n))), false},
		{"a pixel of the item's own", at(pixel(item)), true},
		{"a round of a loop that ends where items say", func(table *kir.Var) []kir.Stmt {
			return []kir.Stmt{&kir.For{Var: k, Lo: number(0), Hi: item, Step: 1, Body: at(read(k))(table)}}
		}, false},
		{"a round of a loop that begins where items say", func(table *kir.Var) []kir.Stmt {
			return []kir.Stmt{&kir.For{Var: k, Lo: item, Hi: number(9), Step: 1, Body: at(read(k))(table)}}
		}, true},
		{"what some items alone assign", at(read(chosen), &kir.Decl{Var: chosen, Init: number(1)},
			&kir.If{Cond: &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []kir.Expr{item, number(3)}},
				Then: []kir.Stmt{&kir.Assign{Var: chosen, Value: number(2)}}}), true},
		{"what all assign", at(read(chosen), &kir.Decl{Var: chosen, Init: number(1)},
			&kir.If{Cond: &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []kir.Expr{read(n), number(3)}},
				Then: []kir.Stmt{&kir.Assign{Var: chosen, Value: number(2)}}}), false},
	} {
		for _, inFunc := range []bool{false, true} {
			table := &kir.Table{Var: &kir.Var{Name: "t", Type: i32.T.Array(9), Space: kir.Constant, Const: true}}
			program := &kir.Program{Tables: []*kir.Table{table}, Kernels: []*kir.Kernel{{Params: []*kir.Var{src, n}, Body: c.body(table.Var)}}}
			if inFunc { // which is handed the index
				f := &kir.Func{Name: "f", Params: []*kir.Var{p}, Result: i32.T, Body: []kir.Stmt{&kir.Return{Value: &kir.Elem{Typed: i32, Var: table.Var, Index: []kir.Expr{read(p)}}}}}
				kir.WalkStmts(program.Kernels[0].Body, func(s kir.Stmt) {
					if d, ok := s.(*kir.Decl); ok {
						if e, ok := d.Init.(*kir.Elem); ok {
							d.Init = &kir.Call{Typed: i32, Func: f, Args: e.Index}
						}
					}
				}, nil)
				program.Funcs = []*kir.Func{f}
			}
			if spread(program); table.Spread != c.want {
				t.Errorf("%s (in a func %v): marked %v", c.name, inFunc, table.Spread)
			}
		}
	}
}
