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
	tile := &kir.Var{Name: "tile", Type: i32.Array(4), Space: kir.Local}
	fill := func() []kir.Stmt {
		return []kir.Stmt{&kir.Decl{Var: tile}, &kir.Assign{Var: tile, Index: []kir.Expr{num(0)}, Value: ref(x)}}
	}
	held := &kir.Elem{Typed: kir.Typed{T: i32}, Var: tile, Index: []kir.Expr{num(0)}}
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
		{"dead", append(fill(), store(toByte(ref(x)))), "dst[0] := u8(x)"},
		{"dead", append(fill(), store(toByte(held))), "var tile: local i32[4]\ntile[0] = x\ndst[0] := u8(tile[0])"},
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

func TestFoldDecidesComparisonsByKinds(t *testing.T) {
	boolean := types.Scalar(types.Bool)
	names := map[string]*kir.Var{}
	for name, k := range map[string]types.Kind{"b": types.U8, "h": types.U16, "u": types.U32, "l": types.U64, "x": types.I32, "f": types.F32} {
		names[name] = &kir.Var{Name: name, Type: types.Scalar(k), Const: true}
	}
	v := func(name string) kir.Expr { return ref(names[name]) }
	zero := func(k types.Kind) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(k)}, Words: []types.Word{0}}
	}
	to := func(k types.Kind, how kir.How, e kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(k)}, X: e, How: how}
	}
	is := func(o ops.Op, args ...kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: boolean}, Op: o, Args: args, Exact: true}
	}
	below := is(ops.Lt, v("x"), num(0))
	for _, c := range []struct {
		cond kir.Expr
		want string
	}{
		{is(ops.Ge, v("u"), zero(types.U32)), "true"}, {is(ops.Lt, v("h"), zero(types.U16)), "false"},
		{is(ops.Gt, zero(types.U32), v("u")), "false"}, {is(ops.Le, zero(types.U64), v("l")), "true"},
		{is(ops.Gt, v("u"), zero(types.U32)), "u > 0"}, {is(ops.Le, v("b"), zero(types.U8)), "b <= 0"}, {is(ops.Eq, v("u"), zero(types.U32)), "u == 0"},
		{is(ops.Ge, to(types.I32, kir.Wrap, v("b")), num(0)), "true"}, {is(ops.Ge, to(types.I64, kir.Wrap, to(types.I32, kir.Wrap, v("h"))), zero(types.I64)), "true"},
		{is(ops.Ge, to(types.I32, kir.Wrap, v("u")), num(0)), "i32(u) >= 0"}, {is(ops.Lt, to(types.I32, kir.Saturate, v("u")), num(0)), "false"},
		{is(ops.Lt, to(types.I32, kir.Bitcast, v("f")), num(0)), "bits i32(f) < 0"}, {is(ops.Ge, v("f"), zero(types.F32)), "f >= 0.0"}, {below, "x < 0"},
		{is(ops.LAnd, is(ops.Ge, v("u"), zero(types.U32)), below), "x < 0"}, {is(ops.LAnd, below, is(ops.Lt, v("u"), zero(types.U32))), "false"},
		{is(ops.Lt, to(types.I32, kir.Wrap, v("b")), num(-128)), "false"}, {is(ops.Gt, to(types.I32, kir.Wrap, v("b")), num(255)), "false"},
		{is(ops.Gt, to(types.I32, kir.Wrap, v("b")), num(254)), "i32(b) > 254"}, {is(ops.Ne, to(types.I32, kir.Wrap, v("h")), num(-1)), "true"},
		{is(ops.Eq, to(types.I32, kir.Wrap, v("h")), num(65535)), "i32(h) == 65535"}, {is(ops.Eq, to(types.I32, kir.Wrap, v("h")), num(65536)), "false"},
		{is(ops.Le, num(-5), to(types.I32, kir.Saturate, v("l"))), "true"}, {is(ops.Lt, to(types.I32, kir.Bitcast, v("u")), num(-5)), "bits i32(u) < -5"},
		{is(ops.LOr, is(ops.Lt, v("b"), zero(types.U8)), below), "x < 0"}, {is(ops.LOr, below, is(ops.Not, is(ops.Lt, v("b"), zero(types.U8)))), "true"},
	} {
		dst := &kir.Var{Name: "dst", Type: types.Scalar(types.U8), Space: kir.Global, Access: kir.Writes}
		value := &kir.Select{Typed: kir.Typed{T: u8}, Cond: c.cond, Then: zero(types.U8), Else: v("b")}
		got := after(t, "fold", []*kir.Var{dst, names["b"], names["h"], names["u"], names["l"], names["x"], names["f"]}, &kir.Store{Buffer: dst, Offset: zero(types.I64), Value: value})
		want := map[string]string{"true": "0", "false": "b"}[c.want]
		if want == "" {
			want = "(" + c.want + " ? 0 : b)"
		}
		if got = strings.ReplaceAll(got, "~", ""); got != "dst[0] := "+want {
			t.Errorf("fold leaves %s, want %s", got, want)
		}
	}
}

func TestFoldTakesBranchesOfConstants(t *testing.T) {
	dst := &kir.Var{Name: "dst", Type: u8, Space: kir.Global, Access: kir.Writes}
	x := &kir.Var{Name: "x", Type: u8, Const: true}
	number := func(k types.Kind, n int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(k)}, Words: []types.Word{types.Int(n)}}
	}
	store := func(n int64) kir.Stmt {
		return &kir.Store{Buffer: dst, Offset: number(types.I64, n), Value: ref(x)}
	}
	never := &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []kir.Expr{ref(x), number(types.U8, 0)}}
	got := after(t, "fold", []*kir.Var{dst, x},
		&kir.If{Cond: never, Then: []kir.Stmt{store(1)}, Else: []kir.Stmt{store(2)}},
		&kir.If{Cond: never, Then: []kir.Stmt{store(3)}},
		&kir.If{Cond: never, Else: []kir.Stmt{&kir.Return{}}}, store(4))
	if want := "dst[2] := x\nif false\nelse\n    return\ndst[4] := x"; got != want {
		t.Errorf("fold leaves\n%s\nwant\n%s", got, want)
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
