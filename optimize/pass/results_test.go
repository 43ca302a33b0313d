package pass

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestResultsAreHeldAsComputed has arrays hold i32 where all that they hold is computed so and known to fit, and runs of it are stored.
func TestResultsAreHeldAsComputed(t *testing.T) {
	x := &kir.Var{Name: "x", Type: i32, Const: true}
	src := &kir.Var{Name: "src", Type: u8, Space: kir.Global, Access: kir.Reads}
	dst := &kir.Var{Name: "dst", Type: u8, Space: kir.Global, Access: kir.Writes}
	start := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	seven := &kir.Const{Typed: kir.Typed{T: u8}, Words: []types.Word{7}}
	byte255 := op(ops.And, ref(x), num(255))
	exact := func(e kir.Expr) kir.Expr { return &kir.Convert{Typed: kir.Typed{T: u8}, X: e, Exact: true} }
	for _, c := range []struct {
		name string
		body func(a *kir.Var) []kir.Stmt
		run  bool
		want string
	}{
		{"what fits", func(a *kir.Var) []kir.Stmt { return []kir.Stmt{put(a, 0, exact(byte255)), put(a, 1, seven)} }, true,
			"var a: i32[4]\na[0] = x & 255\na[1] = 7\ndst[0 .. 4] := a[0].."},
		{"an element that is read", func(a *kir.Var) []kir.Stmt {
			return []kir.Stmt{put(a, 0, exact(byte255)), &kir.Store{Buffer: dst, Offset: start, Value: element(a, 0)}}
		}, true, "var a: i32[4]\na[0] = x & 255\ndst[0] := u8(a[0])"},
		{"what may not fit", func(a *kir.Var) []kir.Stmt { return []kir.Stmt{put(a, 0, exact(byte255)), put(a, 1, toByte(ref(x)))} }, true, "var a: u8[4]"},
		{"what is single", func(a *kir.Var) []kir.Stmt { return []kir.Stmt{put(a, 0, exact(byte255))} }, false, "var a: u8[4]"},
		{"what is loaded", func(a *kir.Var) []kir.Stmt {
			return []kir.Stmt{put(a, 0, exact(byte255)), &kir.LoadRun{Var: a, Index: []kir.Expr{num(0)}, Buffer: src, Offset: start, Count: 4}}
		}, true, "var a: u8[4]"},
		{"what another array holds", func(a *kir.Var) []kir.Stmt { return []kir.Stmt{put(a, 0, exact(byte255)), put(a, 1, element(a, 0))} }, true, "var a: u8[4]"},
	} {
		a := &kir.Var{Name: "a", Type: u8.Array(4)}
		body := append([]kir.Stmt{&kir.Decl{Var: a}}, c.body(a)...)
		if c.run {
			body = append(body, &kir.StoreRun{Var: a, Index: []kir.Expr{num(0)}, Buffer: dst, Offset: start, Count: 4})
		}
		if got := after(t, "results", []*kir.Var{src, dst, x}, body...); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: results leaves\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func put(a *kir.Var, at int64, e kir.Expr) kir.Stmt {
	return &kir.Assign{Var: a, Index: []kir.Expr{num(at)}, Value: e}
}

func element(a *kir.Var, at int64) kir.Expr {
	return &kir.Elem{Typed: kir.Typed{T: a.Type.Elem()}, Var: a, Index: []kir.Expr{num(at)}}
}
