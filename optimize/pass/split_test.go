package pass

import (
	"slices"
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestLongVectorsAreSplit: what targets are given has vectors of kir.VectorLanes at most, whose lanes are those of the longer ones in their order.
func TestLongVectorsAreSplit(t *testing.T) {
	f32x := func(n int) types.Type { return types.Vector(types.F32, n) }
	at := func(n int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(n)}}
	}
	src := &kir.Var{Name: "src", Type: types.Scalar(types.F32), Space: kir.Global, Access: kir.Reads}
	both := &kir.Var{Name: "both", Type: types.Scalar(types.F32), Space: kir.Global, Access: kir.Reads | kir.Writes}
	load := func(from *kir.Var, n, stride int) kir.Expr {
		return &kir.Load{Typed: kir.Typed{T: f32x(n)}, Buffer: from, Offset: at(5), Stride: stride}
	}
	x, y := &kir.Var{Name: "x", Type: f32x(32), Const: true}, &kir.Var{Name: "y", Type: f32x(32), Const: true}
	store := func(e kir.Expr) kir.Stmt { return &kir.Store{Buffer: both, Offset: at(7), Value: e} }
	for _, c := range []struct {
		name string
		body []kir.Stmt
		want []string
	}{
		{"sums of what lies apart", []kir.Stmt{let(x, load(src, 32, 2)), store(&kir.Op{Typed: kir.Typed{T: x.Type}, Op: ops.Add, Args: []kir.Expr{ref(x), ref(x)}})}, []string{
			"let x_0: f32x16 = src[5]x16:2", "let x_1: f32x16 = src[5 + 32]x16:2", "both[7] := x_0 + x_0", "both[7 + 16] := x_1 + x_1"}},
		{"memory that is written is read first", []kir.Stmt{store(load(both, 32, 0))}, []string{
			"let part_0: f32x16 = both[5]x16", "let part_1: f32x16 = both[5 + 16]x16", "both[7] := part_0", "both[7 + 16] := part_1"}},
		{"the second half of pixels of two components", []kir.Stmt{
			let(x, load(src, 32, 0)), let(y, load(src, 32, 3)),
			store(&kir.Interleaved{Typed: kir.Typed{T: x.Type}, Parts: []kir.Expr{ref(x), ref(y)}, Piece: 1})}, []string{
			"let x_0: f32x16 = src[5]x16", "let x_1: f32x16 = src[5 + 16]x16", "let y_0: f32x16 = src[5]x16:3", "let y_1: f32x16 = src[5 + 48]x16:3",
			"both[7] := interleaved0(x_1, y_1)", "both[7 + 16] := interleaved1(x_1, y_1)"}},
		{"every second lane of two", []kir.Stmt{let(x, load(src, 32, 0)), store(&kir.Alternate{Typed: kir.Typed{T: f32x(16)}, Parts: []kir.Expr{ref(x)}, First: 1})}, []string{
			"let x_0: f32x16 = src[5]x16", "let x_1: f32x16 = src[5 + 16]x16", "both[7] := alternate1(x_0, x_1)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &kir.Program{Kernels: []*kir.Kernel{{Name: "k", Params: []*kir.Var{src, both}, Group: [3]int{1, 1, 1}, Body: c.body}}}
			if err := Run(p, Options{Without: Names()}); err != nil {
				t.Fatal(err)
			}
			if err := kir.Verify(p); err != nil {
				t.Fatal(err)
			}
			kir.WalkStmts(p.Kernels[0].Body, nil, func(e kir.Expr) {
				if e.Type().Lanes > kir.VectorLanes {
					t.Errorf("%s is a vector of %d", kir.ExprText(e), e.Type().Lanes)
				}
			})
			_, text, _ := strings.Cut(kir.Dump(p), "group 1x1x1\n")
			got := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\n    ", "\n")), "\n")
			got[0] = strings.TrimSpace(got[0])
			if got = slices.DeleteFunc(got, func(s string) bool { return s == "" || s == "}" }); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
