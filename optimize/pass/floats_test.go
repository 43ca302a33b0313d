package pass

import (
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// What a group has in local memory becomes floats where there is room for these, and nothing but conversions reads it, by way of variables too.
func TestStagedHoldsWhatIsOnlyConverted(t *testing.T) {
	src := &kir.Var{Name: "src", Type: u8, Space: kir.Global, Access: kir.Reads}
	dst := &kir.Var{Name: "dst", Type: types.Scalar(types.F32), Space: kir.Global, Access: kir.Writes}
	sums := &kir.Var{Name: "sums", Type: i32, Space: kir.Global, Access: kir.Writes}
	at := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(3)}}
	float := func(e kir.Expr) kir.Stmt {
		return &kir.Store{Buffer: dst, Offset: at, Value: &kir.Convert{Typed: kir.Typed{T: e.Type().WithKind(types.F32)}, X: e, Exact: true}}
	}
	number := func(e kir.Expr) kir.Stmt {
		return &kir.Store{Buffer: sums, Offset: at, Value: &kir.Convert{Typed: kir.Typed{T: i32}, X: e, Exact: true}}
	}
	const put = "tile[0] = src[3]\n"
	for _, c := range []struct {
		name string
		room bool
		read func(tile kir.Expr, x *kir.Var) []kir.Stmt
		want string
	}{
		{"converted", true, func(tile kir.Expr, x *kir.Var) []kir.Stmt { return []kir.Stmt{float(tile)} },
			"var tile: local f32[4]\ntile[0] = f32~(src[3])\ndst[3] := tile[1]"},
		{"by way of a variable", true, func(tile kir.Expr, x *kir.Var) []kir.Stmt { return []kir.Stmt{let(x, tile), float(ref(x))} },
			"var tile: local f32[4]\ntile[0] = f32~(src[3])\nlet x: f32 = tile[1]\ndst[3] := x"},
		{"no room", false, func(tile kir.Expr, x *kir.Var) []kir.Stmt { return []kir.Stmt{float(tile)} },
			"var tile: local u8[4]\n" + put + "dst[3] := f32(tile[1])"},
		{"read as a number as well", true, func(tile kir.Expr, x *kir.Var) []kir.Stmt { return []kir.Stmt{float(tile), number(tile)} },
			"var tile: local u8[4]\n" + put + "dst[3] := f32(tile[1])\nsums[3] := i32(tile[1])"},
		{"by way of a variable that is", true, func(tile kir.Expr, x *kir.Var) []kir.Stmt {
			return []kir.Stmt{let(x, tile), float(ref(x)), number(ref(x))}
		},
			"var tile: local u8[4]\n" + put + "let x: u8 = tile[1]\ndst[3] := f32(x)\nsums[3] := i32(x)"},
	} {
		tile := &kir.Var{Name: "tile", Type: u8.Array(4), Space: kir.Local, Floats: c.room}
		x := &kir.Var{Name: "x", Type: u8, Const: true}
		load := &kir.Load{Typed: kir.Typed{T: u8}, Buffer: src, Offset: at}
		elem := &kir.Elem{Typed: kir.Typed{T: u8}, Var: tile, Index: []kir.Expr{num(1)}}
		body := append([]kir.Stmt{let(tile, nil), &kir.Assign{Var: tile, Index: []kir.Expr{num(0)}, Value: load}}, c.read(elem, x)...)
		if got := after(t, "staged", []*kir.Var{src, dst, sums}, body...); got != c.want {
			t.Errorf("%s: staged leaves\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestFloatsHoldsWhatIsOnlyConverted(t *testing.T) {
	f32 := types.Scalar(types.F32)
	src := &kir.Var{Name: "src", Type: u8, Space: kir.Global, Access: kir.Reads}
	dst := &kir.Var{Name: "dst", Type: f32, Space: kir.Global, Access: kir.Writes}
	sums := &kir.Var{Name: "sums", Type: i32, Space: kir.Global, Access: kir.Writes}
	left := &kir.Var{Name: "left", Type: types.Scalar(types.Bool), Const: true}
	place := func(n int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(n)}}
	}
	number := &kir.Const{Typed: kir.Typed{T: u8}, Words: []types.Word{types.Int(7)}}
	load := func(n int64) kir.Expr {
		return &kir.Load{Typed: kir.Typed{T: u8}, Buffer: src, Offset: place(n)}
	}
	float := func(e kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: e.Type().WithKind(types.F32)}, X: e, Exact: true}
	}
	wide := func(e kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: i32}, X: e, Exact: true}
	}
	store := func(e kir.Expr) kir.Stmt { return &kir.Store{Buffer: dst, Offset: place(0), Value: e} }
	var tile, x, y *kir.Var
	at := func(n int64) kir.Expr {
		return &kir.Elem{Typed: kir.Typed{T: u8}, Var: tile, Index: []kir.Expr{num(n)}}
	}
	run := func() kir.Stmt {
		return &kir.LoadRun{Var: tile, Index: []kir.Expr{num(0)}, Buffer: src, Offset: place(0), Count: 4}
	}
	set := func(n int64, e kir.Expr) kir.Stmt {
		return &kir.Assign{Var: tile, Index: []kir.Expr{num(n)}, Value: e}
	}
	for _, c := range []struct {
		name string
		body func() []kir.Stmt
		want string
	}{
		{"converted where it is used", func() []kir.Stmt { return []kir.Stmt{run(), store(float(at(1)))} },
			"var tile: f32[4]\ntile[0].. = src[0 .. 4]\ndst[0] := tile[1]"},
		{"chosen, and replaced by a number and a pixel", func() []kir.Stmt {
			chosen := &kir.Select{Typed: kir.Typed{T: u8}, Cond: ref(left), Then: at(2), Else: number}
			return []kir.Stmt{run(), set(1, chosen), set(0, load(9)), store(float(at(1)))}
		}, "var tile: f32[4]\ntile[0].. = src[0 .. 4]\ntile[1] = (left ? tile[2] : 7.0)\ntile[0] = f32~(src[9])\ndst[0] := tile[1]"},
		{"on the way through variables", func() []kir.Stmt {
			return []kir.Stmt{run(), let(x, at(1)), let(y, ref(x)), store(float(ref(y)))}
		}, "var tile: f32[4]\ntile[0].. = src[0 .. 4]\nlet x: f32 = tile[1]\nlet y: f32 = x\ndst[0] := y"},
		{"added as integers", func() []kir.Stmt {
			sum := op(ops.Add, wide(at(0)), wide(at(1)))
			return []kir.Stmt{run(), store(float(at(1))), &kir.Store{Buffer: sums, Offset: place(0), Value: sum}}
		}, "var tile: u8[4]\ntile[0].. = src[0 .. 4]\ndst[0] := f32(tile[1])\nsums[0] := i32(tile[0]) + i32(tile[1])"},
		{"added as integers by way of a variable", func() []kir.Stmt {
			return []kir.Stmt{run(), let(x, at(1)), store(float(at(1))), &kir.Store{Buffer: sums, Offset: place(0), Value: wide(ref(x))}}
		}, "var tile: u8[4]\ntile[0].. = src[0 .. 4]\nlet x: u8 = tile[1]\ndst[0] := f32(tile[1])\nsums[0] := i32(x)"},
		{"loaded one by one", func() []kir.Stmt { return []kir.Stmt{set(0, load(3)), store(float(at(0)))} },
			"var tile: u8[4]\ntile[0] = src[3]\ndst[0] := f32(tile[0])"},
	} {
		tile = &kir.Var{Name: "tile", Type: u8.Array(4)}
		x, y = &kir.Var{Name: "x", Type: u8, Const: true}, &kir.Var{Name: "y", Type: u8, Const: true}
		got := after(t, "floats", []*kir.Var{src, dst, sums, left}, append([]kir.Stmt{let(tile, nil)}, c.body()...)...)
		if got != c.want {
			t.Errorf("%s: floats leaves\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
