package lower

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestKeysTellExpressionsApart has expressions of all kinds that have keys, of the same operands and numbers.
func TestKeysTellExpressionsApart(t *testing.T) {
	v, f := &kir.Var{Name: "v", Type: i32T}, &kir.Func{Name: "0"}
	x := ref(v)
	typed, list := kir.Typed{T: i32T}, []kir.Expr{x}
	ids, seen := map[*kir.Var]int{}, map[string]kir.Expr{}
	for _, e := range []kir.Expr{
		x, i32(0), &kir.GlobalID{Typed: typed}, &kir.Op{Typed: typed, Args: list}, &kir.Op{Typed: typed, Op: ops.Neg, Args: list},
		&kir.Convert{Typed: typed, X: x}, &kir.Select{Typed: typed, Cond: x, Then: x, Else: x}, &kir.Vec{Typed: typed, Parts: list},
		&kir.Vec{Typed: kir.Typed{T: types.Vector(types.I32, 2)}, Parts: list}, &kir.Lanes{Typed: typed, X: x, Lanes: []int{0}},
		&kir.Elem{Typed: typed, Var: v, Index: list}, &kir.Load{Typed: typed, Buffer: v, Offset: x}, &kir.Gather{Typed: typed, Buffer: v, Offset: x, Places: x},
		&kir.Interleaved{Typed: typed, Parts: list}, &kir.Alternate{Typed: typed, Parts: []kir.Expr{x}}, &kir.Alternate{Typed: typed, Parts: []kir.Expr{x}, First: 1},
		&kir.FourBytes{Typed: typed, Var: v, At: x}, &kir.Dot4{Typed: typed, Bytes: x, Weights: x, Acc: x}, &kir.Halves{Typed: typed, Args: []kir.Expr{x, x}},
		&kir.Call{Typed: typed, Func: f, Args: list},
	} {
		k := key(e, ids)
		if other := seen[k]; other != nil {
			t.Errorf("%T and %T have the key %q", other, e, k)
		}
		seen[k] = e
	}
}
