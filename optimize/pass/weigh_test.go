package pass

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestWeigh chooses sums with multiples of conditions, in words and as bits, by their values and by names of them, and leaves all else as it is.
func TestWeigh(t *testing.T) {
	typed := func(k types.Kind) kir.Typed { return kir.Typed{T: types.Scalar(k)} }
	variable := func(name string, k types.Kind, constant bool) *kir.Var {
		return &kir.Var{Name: name, Type: types.Scalar(k), Const: constant}
	}
	read := func(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v} }
	op := func(o ops.Op, args ...kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: args[0].Type()}, Op: o, Args: args}
	}
	n := func(n int64, k types.Kind) kir.Expr {
		return &kir.Const{Typed: typed(k), Words: []types.Word{types.Convert(types.Int(n), types.I64, k)}}
	}
	truth := func(v *kir.Var, k types.Kind) kir.Expr { return &kir.Convert{Typed: typed(k), X: read(v)} }
	c, d, changing := variable("c", types.Bool, true), variable("d", types.Bool, true), variable("changing", types.Bool, false)
	a, b, moves := variable("a", types.I32, true), variable("b", types.I64, true), variable("moves", types.I32, false)
	eight, later := variable("eight", types.I32, true), variable("later", types.I32, true)
	names := []kir.Stmt{
		&kir.Decl{Var: eight, Init: op(ops.Mul, n(8, types.I32), truth(c, types.I32))},
		&kir.Decl{Var: later, Init: op(ops.Mul, n(8, types.I32), truth(changing, types.I32))},
	}
	x, u := variable("x", types.I32, true), variable("u", types.U32, true)
	for _, w := range []struct {
		name, want string
		value      kir.Expr
		to         *kir.Var
	}{
		{"a product", "c ? a +~ 2 : a", op(ops.Add, read(a), op(ops.Mul, n(2, types.I32), truth(c, types.I32))), x},
		{"a product on the left", "c ? a +~ 2 : a", op(ops.Add, op(ops.Mul, truth(c, types.I32), n(2, types.I32)), read(a)), x},
		{"a shift in bits", "c ? u | 2147483648", op(ops.Or, read(u), op(ops.Shl, truth(c, types.U32), n(31, types.U32))), x},
		{"a name", "c ? a +~ 8 : a", op(ops.Add, read(a), read(eight)), x},
		{"two in one", "d ? bits +~ 4 : bits", op(ops.Add, op(ops.Add, read(a), op(ops.Mul, n(2, types.I32), truth(c, types.I32))), op(ops.Mul, n(4, types.I32), truth(d, types.I32))), x},
		{"what changes has a name first", "bits: i32 = moves", op(ops.Add, read(moves), read(eight)), x},
		{"of a condition that changes", "", op(ops.Add, read(a), read(later)), x},
		{"a condition itself", "", op(ops.Add, read(a), truth(c, types.I32)), x},
		{"once the condition", "", op(ops.Add, read(a), op(ops.Mul, n(1, types.I32), truth(c, types.I32))), x},
		{"a negative number", "", op(ops.Add, read(a), op(ops.Mul, n(-2, types.I32), truth(c, types.I32))), x},
		{"no condition", "", op(ops.Add, read(a), op(ops.Mul, n(2, types.I32), read(a))), x},
		{"64 bits", "", op(ops.Add, read(b), op(ops.Mul, n(2, types.I64), truth(c, types.I64))), b},
	} {
		body := append(append([]kir.Stmt{}, names...), &kir.Decl{Var: w.to, Init: w.value})
		before := valuesOf(body)
		got := valuesOf(weigh(body))
		if w.want == "" && got != before || !strings.Contains(got, w.want) {
			t.Errorf("%s: %s", w.name, got)
		}
	}
}

// valuesOf are what variables are declared as, behind each other.
func valuesOf(body []kir.Stmt) string {
	var lines []string
	for _, s := range body {
		d := s.(*kir.Decl)
		lines = append(lines, d.Var.Name+": "+d.Var.Type.String()+" = "+kir.ExprText(d.Init))
	}
	return strings.Join(lines, "; ")
}
