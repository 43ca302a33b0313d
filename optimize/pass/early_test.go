package pass

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestEarlyComputesWhatIsThere has quotients of a choice before it, unless what they read need not be there.
func TestEarlyComputesWhatIsThere(t *testing.T) {
	x, n := &kir.Var{Name: "x", Type: i32, Const: true}, &kir.Var{Name: "n", Type: i32, Const: true}
	u := &kir.Var{Name: "u", Type: i32, Const: true}
	table := &kir.Var{Name: "table", Type: i32, Space: kir.Global, Access: kir.Reads}
	row := &kir.Var{Name: "row", Type: i32.Array(4)}
	dst := &kir.Var{Name: "dst", Type: i32, Space: kir.Global, Access: kir.Writes}
	long := func(e kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(types.I64)}, X: e, Exact: true}
	}
	load := func(at kir.Expr) kir.Expr {
		return &kir.Load{Typed: kir.Typed{T: i32}, Buffer: table, Offset: long(at)}
	}
	elem := func(at kir.Expr) kir.Expr {
		return &kir.Elem{Typed: kir.Typed{T: i32}, Var: row, Index: []kir.Expr{at}}
	}
	by := func(a, b kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: i32}, Op: ops.Div, Args: []kir.Expr{a, b}, Short: true}
	}
	above := func(a, b kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Gt, Args: []kir.Expr{a, b}}
	}
	choose := func(c, a, b kir.Expr) kir.Expr {
		return &kir.Select{Typed: kir.Typed{T: i32}, Cond: c, Then: a, Else: b, Lazy: true}
	}
	for _, c := range []struct {
		name  string
		value kir.Expr
		early bool
	}{
		{"of variables", choose(above(ref(n), num(0)), by(ref(x), ref(n)), num(0)), true},
		{"in the other branch", choose(above(num(1), ref(n)), num(0), by(ref(x), ref(n))), true},
		{"in a sum", choose(above(ref(n), num(0)), op(ops.Add, by(ref(x), ref(n)), num(1)), num(0)), true},
		{"of memory that the condition reads", choose(above(load(num(0)), num(0)), by(ref(x), load(num(0))), num(0)), true},
		{"of memory that both branches read", choose(above(ref(n), num(0)), by(load(ref(x)), ref(n)), load(ref(x))), true},
		{"of memory that the condition guards", choose(above(ref(n), ref(x)), by(load(ref(x)), ref(n)), num(0)), false},
		{"of other memory than the condition reads", choose(above(load(num(0)), num(0)), by(ref(x), load(num(1))), num(0)), false},
		{"of memory that a condition inside reads", choose(above(ref(n), ref(x)), choose(above(load(ref(x)), num(0)), by(num(9), load(ref(x))), num(0)), num(0)), false},
		{"of an element", choose(above(ref(n), num(0)), by(elem(ref(u)), ref(n)), num(0)), true},
		{"of an element that may be none", choose(above(num(3), ref(u)), by(elem(op(ops.Add, ref(u), num(1))), ref(n)), num(0)), false},
		{"of an element at a place of its own", choose(above(num(3), ref(x)), by(elem(ref(x)), ref(n)), num(0)), false},
		{"for certain", by(ref(x), ref(n)), false},
	} {
		loop := &kir.For{Var: u, Lo: num(0), Hi: num(4), Step: 1, Body: []kir.Stmt{&kir.Store{Buffer: dst, Offset: long(ref(u)), Value: c.value}}}
		body := early([]kir.Stmt{&kir.Decl{Var: row}, loop})
		inside := body[1].(*kir.For).Body
		got := len(inside) == 2
		if got != c.early || got && (strings.Contains(kir.ExprText(inside[1].(*kir.Store).Value), "/") || inside[0].(*kir.Decl).Var.Name != "quotient") {
			t.Errorf("%s: %d statements", c.name, len(inside))
		}
	}
}
