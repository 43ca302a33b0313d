package pass

import (
	"slices"
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var i32, u8 = types.Scalar(types.I32), types.Scalar(types.U8)

func num(n int64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: i32}, Words: []types.Word{types.Int(n)}}
}
func ref(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v} }
func op(o ops.Op, args ...kir.Expr) kir.Expr {
	return &kir.Op{Typed: kir.Typed{T: i32}, Op: o, Args: args, Exact: true}
}
func toByte(e kir.Expr) kir.Expr { return &kir.Convert{Typed: kir.Typed{T: u8}, X: e} }
func let(v *kir.Var, e kir.Expr) kir.Stmt {
	return &kir.Decl{Var: v, Init: e}
}

// body is a kernel's text after one pass.
func after(t *testing.T, name string, params []*kir.Var, body ...kir.Stmt) string {
	t.Helper()
	p := &kir.Program{FloatsByLogic: true, HalvesByDots: true, FloatsByHalves: true, Kernels: []*kir.Kernel{{Name: "k", Params: params, Group: [3]int{1, 1, 1}, Body: body}}}
	var without []string
	for _, n := range Names() {
		if n != name {
			without = append(without, n)
		}
	}
	if err := Run(p, Options{Without: without, After: func(_ string, p *kir.Program) error { return kir.Verify(p) }}); err != nil {
		t.Fatal(err)
	}
	text := kir.Dump(p)
	_, text, _ = strings.Cut(text, "group 1x1x1\n")
	return strings.TrimSpace(strings.ReplaceAll(text, "\n    ", "\n"))
}

func TestPasses(t *testing.T) {
	x := &kir.Var{Name: "x", Type: i32, Const: true}
	dst := &kir.Var{Name: "dst", Type: u8, Space: kir.Global, Access: kir.Writes}
	params := []*kir.Var{dst, x}
	offset := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	store := func(e kir.Expr) kir.Stmt { return &kir.Store{Buffer: dst, Offset: offset, Value: e} }
	a, b, c := &kir.Var{Name: "a", Type: i32, Const: true}, &kir.Var{Name: "b", Type: i32, Const: true}, &kir.Var{Name: "c", Type: i32}
	for _, c := range []struct {
		pass string
		body []kir.Stmt
		want string
	}{
		{"fold", []kir.Stmt{store(toByte(op(ops.Add, op(ops.Mul, num(6), num(7)), op(ops.Add, ref(x), num(0)))))}, "dst[0] := u8(42 + x)"},
		{"saturate", []kir.Stmt{store(toByte(op(ops.Clamp, ref(x), num(0), num(255))))}, "dst[0] := sat u8(x)"},
		{"saturate", []kir.Stmt{store(toByte(op(ops.Min, op(ops.Max, ref(x), num(0)), num(255))))}, "dst[0] := sat u8(x)"},
		{"saturate", []kir.Stmt{store(toByte(op(ops.Max, op(ops.Min, ref(x), num(255)), num(0))))}, "dst[0] := sat u8(x)"},
		{"saturate", []kir.Stmt{store(toByte(op(ops.Clamp, ref(x), num(0), num(254))))}, "dst[0] := u8(clamp(x, 0, 254))"},
		{"dead", []kir.Stmt{let(a, op(ops.Mul, ref(x), num(3))), let(b, ref(a)), let(c, ref(b)), &kir.Assign{Var: c, Value: num(1)}, store(toByte(ref(x)))},
			"dst[0] := u8(x)"},
		{"hoist", []kir.Stmt{&kir.If{Cond: &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []kir.Expr{ref(x), num(9)}},
			Then: []kir.Stmt{let(a, op(ops.Mul, ref(x), num(3))), store(toByte(ref(a)))},
			Else: []kir.Stmt{let(b, op(ops.Mul, ref(x), num(3))), store(toByte(op(ops.Add, ref(b), num(1))))}}},
			"let a: i32 = x * 3\nif x < 9\n    dst[0] := u8(a)\nelse\n    dst[0] := u8(a + 1)"},
	} {
		got := after(t, c.pass, params, c.body...)
		if strings.ReplaceAll(got, "~", "") != c.want {
			t.Errorf("%s leaves\n%s\nwant\n%s", c.pass, got, c.want)
		}
	}
}

func TestShareNamesWhatIsComputedTwice(t *testing.T) {
	f32, boolean := types.Scalar(types.F32), types.Scalar(types.Bool)
	x, y, m := &kir.Var{Name: "x", Type: f32, Const: true}, &kir.Var{Name: "y", Type: f32, Const: true}, &kir.Var{Name: "m", Type: f32}
	in := &kir.Var{Name: "in", Type: f32, Const: true}
	dst := &kir.Var{Name: "dst", Type: f32, Space: kir.Global, Access: kir.Writes}
	at := func(n int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(n)}}
	}
	on := func(o ops.Op, args ...kir.Expr) kir.Expr { return &kir.Op{Typed: kir.Typed{T: f32}, Op: o, Args: args} }
	less := func(a, b kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: boolean}, Op: ops.Lt, Args: []kir.Expr{a, b}}
	}
	store := func(n int64, e kir.Expr) kir.Stmt { return &kir.Store{Buffer: dst, Offset: at(n), Value: e} }
	place := func() kir.Expr { return on(ops.Floor, on(ops.Add, on(ops.Mul, ref(x), ref(y)), ref(x))) }
	product := func() kir.Expr { return on(ops.Mul, on(ops.Mul, ref(x), ref(y)), ref(y)) }
	changing := func() kir.Expr { return on(ops.Floor, on(ops.Add, on(ops.Mul, ref(m), ref(y)), ref(x))) }
	first, second := on(ops.Sub, place(), ref(x)), on(ops.Add, place(), ref(y))
	for _, c := range []struct {
		name string
		body []kir.Stmt
		want string
	}{
		{"in two statements", []kir.Stmt{store(0, first), store(1, second)},
			"let floored: f32 = floor((x * y) + x)\ndst[0] := floored - x\ndst[1] := floored + y"},
		{"the longest that is there twice", []kir.Stmt{store(0, first), store(1, first)},
			"let common: f32 = floor((x * y) + x) - x\ndst[0] := common\ndst[1] := common"},
		{"what has a variable", []kir.Stmt{let(in, place()), store(0, first)},
			"let in: f32 = floor((x * y) + x)\ndst[0] := in - x"},
		{"products stay with the sums around them", []kir.Stmt{store(0, on(ops.Add, product(), ref(x))), store(1, on(ops.Sub, product(), ref(x)))},
			"dst[0] := ((x * y) * y) + x\ndst[1] := ((x * y) * y) - x"},
		{"what changes is computed anew", []kir.Stmt{let(m, ref(x)), store(0, changing()), &kir.Assign{Var: m, Value: ref(y)}, store(1, changing())},
			"var m: f32 = x\ndst[0] := floor((m * y) + x)\nm = y\ndst[1] := floor((m * y) + x)"},
		{"not before a condition", []kir.Stmt{&kir.If{Cond: less(ref(x), ref(y)), Then: []kir.Stmt{store(0, first)}}, store(1, second)},
			"if x < y\n    dst[0] := floor((x * y) + x) - x\ndst[1] := floor((x * y) + x) + y"},
		{"in a condition what is there before", []kir.Stmt{store(1, second), &kir.If{Cond: less(ref(x), ref(y)), Then: []kir.Stmt{store(0, first)}}},
			"let floored: f32 = floor((x * y) + x)\ndst[1] := floored + y\nif x < y\n    dst[0] := floored - x"},
	} {
		got := after(t, "share", []*kir.Var{dst, x, y}, c.body...)
		if got != c.want {
			t.Errorf("%s: share leaves\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestPassesFollowThoseThatTheyComeAfter(t *testing.T) {
	for i, p := range Passes() {
		for _, before := range p.After {
			if k := slices.Index(Names(), before); k < 0 || k >= i {
				t.Errorf("%s comes after %s, which is at %d, not before %d", p.Name, before, k, i)
			}
		}
	}
}

func TestUnknownPassesAreReported(t *testing.T) {
	err := Run(&kir.Program{}, Options{Without: []string{"foo"}})
	if err == nil || !strings.Contains(err.Error(), "there is no pass foo; there are fold, saturate") {
		t.Errorf("got %v", err)
	}
}
