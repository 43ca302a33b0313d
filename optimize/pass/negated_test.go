package pass

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestNegated marks what may be a negation in one Max of another, and leaves all others.
func TestNegated(t *testing.T) {
	i32 := types.Scalar(types.I32)
	variable := func(name string) *kir.Var { return &kir.Var{Name: name, Type: i32} }
	read := func(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: i32}, Var: v} }
	op := func(o ops.Op, args ...kir.Expr) *kir.Op {
		return &kir.Op{Typed: kir.Typed{T: i32}, Op: o, Args: args}
	}
	three := &kir.Const{Typed: kir.Typed{T: i32}, Words: []types.Word{types.Int(3)}}
	a, b, c, best := variable("a"), variable("b"), variable("c"), variable("best")
	negated1 := op(ops.Max, read(a), op(ops.Neg, read(b)))
	difference := op(ops.Max, op(ops.Sub, read(a), read(b)), read(c))
	less := op(ops.Max, op(ops.Sub, read(a), three), read(c))
	single := op(ops.Max, read(a), op(ops.Neg, read(b)))
	other := op(ops.Max, read(a), op(ops.Neg, read(b)))
	further := op(ops.Max, read(best), op(ops.Neg, read(c)))
	negated([]kir.Stmt{
		&kir.Decl{Var: variable("x"), Init: op(ops.Max, negated1, read(c))},
		&kir.Decl{Var: variable("y"), Init: op(ops.Max, op(ops.Max, difference, read(c)), read(a))},
		&kir.Decl{Var: variable("z"), Init: op(ops.Max, less, read(b))},
		&kir.Decl{Var: variable("u"), Init: single},
		&kir.Decl{Var: variable("w"), Init: op(ops.Min, other, read(c))},
		&kir.Decl{Var: best, Init: read(a)},
		&kir.For{Var: variable("i"), Lo: three, Hi: three, Step: 1, Body: []kir.Stmt{&kir.Assign{Var: best, Value: further}}},
	})
	for _, w := range []struct {
		name string
		op   *kir.Op
		want uint8
	}{
		{"a negation in one of three", negated1, 2}, {"a difference in one of three", difference, 1}, {"a difference from a constant", less, 0},
		{"one of two", single, 0}, {"a Max in a Min", other, 0}, {"what is greatest so far", further, 2},
	} {
		if w.op.Negated != w.want {
			t.Errorf("%s: marked %b, not %b", w.name, w.op.Negated, w.want)
		}
	}
}
