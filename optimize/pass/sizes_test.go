package pass

import (
	"math"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var f32 = types.Scalar(types.F32)

func float(x float64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: f32}, Words: []types.Word{types.Float(x)}}
}

func fop(o ops.Op, args ...kir.Expr) *kir.Op {
	return &kir.Op{Typed: kir.Typed{T: f32}, Op: o, Args: args, Exact: true}
}

// TestSizesMarksWhatIsNeverExtreme has quotients by what is made of a pixel p, a float x of memory and a scalar s, and remainders of it.
func TestSizesMarksWhatIsNeverExtreme(t *testing.T) {
	place := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	bytes := &kir.Var{Name: "bytes", Type: u8, Space: kir.Global, Access: kir.Reads}
	floats := &kir.Var{Name: "floats", Type: f32, Space: kir.Global, Access: kir.Reads}
	p := &kir.Convert{Typed: kir.Typed{T: f32}, X: &kir.Load{Typed: kir.Typed{T: u8}, Buffer: bytes, Offset: place}, Exact: true}
	x := &kir.Load{Typed: kir.Typed{T: f32}, Buffer: floats, Offset: place}
	s := ref(&kir.Var{Name: "s", Type: f32, Const: true})
	unit := fop(ops.Div, p, float(255)) // from 0 to 1
	within := func(x kir.Expr, lo, hi float64) kir.Expr {
		return fop(ops.Min, fop(ops.Max, x, float(lo)), float(hi))
	}
	for _, c := range []struct {
		name string
		op   *kir.Op
		want bool
	}{
		{"by a difference of pixels", fop(ops.Div, x, fop(ops.Sub, p, p)), true},
		{"by a difference of their shares of the most", fop(ops.Div, x, fop(ops.Sub, unit, unit)), true},
		{"by any float", fop(ops.Div, p, x), false},
		{"by a scalar", fop(ops.Div, p, s), false},
		{"by a constant", fop(ops.Div, x, float(3)), false},
		{"by the root of a pixel", fop(ops.Div, x, fop(ops.Sqrt, p)), true},
		{"by a pixel less a float", fop(ops.Div, x, fop(ops.Sub, p, within(x, 0, 1))), false},
		{"by a number from 1 to 2", fop(ops.Div, p, fop(ops.Floor, within(x, 1, 2))), true},
		{"by a product that may be very small", fop(ops.Div, x, fop(ops.Mul, fop(ops.Mul, p, float(1e-30)), float(1e-30))), false},
		{"by a product that may be very large", fop(ops.Div, x, fop(ops.Mul, fop(ops.Mul, p, float(1e30)), float(1e30))), false},
		{"remainder of a pixel", fop(ops.Mod, p, float(6)), true},
		{"remainder of a quotient by a pixel, which may be infinite", fop(ops.Rem, fop(ops.Div, p, p), float(6)), true},
		{"remainder of a quotient by what may be very small", fop(ops.Mod, fop(ops.Div, p, within(x, 0, 1)), float(6)), false},
		{"remainder of any float", fop(ops.Mod, x, float(6)), false},
		{"remainder of a float within limits", fop(ops.Mod, within(x, -6e6, 6e6), float(6)), true},
		{"remainder of a float beyond them", fop(ops.Mod, within(x, -7e6, 6e6), float(6)), false},
		{"remainder of a remainder", fop(ops.Mod, fop(ops.Mod, x, float(1e4)), float(6)), true},
		{"remainder by a negative number", fop(ops.Mod, p, float(-6)), false},
		{"remainder by a float", fop(ops.Mod, p, fop(ops.Add, p, float(1))), false},
		{"remainder by what is next to a power of two", fop(ops.Mod, p, float(1+0x1p-23)), false},
		{"remainder of a fraction, whose difference may be fused with a product", fop(ops.Mod, fop(ops.Fract, x), float(6)), false},
	} {
		sizes(&kir.Program{Kernels: []*kir.Kernel{{Body: []kir.Stmt{let(&kir.Var{Name: "v", Type: f32, Const: true}, c.op)}}}})
		if c.op.Short != c.want {
			t.Errorf("%s: marked: %v", c.name, c.op.Short)
		}
	}
}

// TestSizesFollowsVariables has a func divide by its parameter, which is what calls say, and by what it returns, and loops add up.
func TestSizesFollowsVariables(t *testing.T) {
	row := &kir.Var{Name: "row", Type: f32.Array(4)}
	pixels := &kir.Var{Name: "pixels", Type: u8, Space: kir.Global, Access: kir.Reads}
	load := &kir.LoadRun{Var: row, Index: []kir.Expr{num(0)}, Buffer: pixels, Offset: num(0), Count: 4}
	pixel := &kir.Elem{Typed: kir.Typed{T: f32}, Var: row, Index: []kir.Expr{num(1)}}
	for _, c := range []struct {
		name           string
		also           kir.Expr // another argument that the func gets
		param, result  bool     // whether quotients by these are marked
		total, growing bool     // and of remainders of them
	}{
		{"pixels", nil, true, true, true, false},
		{"and their squares", fop(ops.Mul, pixel, pixel), true, true, true, false},
		{"and any float", fop(ops.Exp, pixel), false, false, false, false},
	} {
		a := &kir.Var{Name: "a", Type: f32, Const: true}
		byParam := fop(ops.Div, float(1), ref(a))
		f := &kir.Func{Name: "f", Params: []*kir.Var{a}, Result: f32, Body: []kir.Stmt{
			let(&kir.Var{Name: "b", Type: f32, Const: true}, byParam),
			&kir.Return{Value: fop(ops.Add, ref(a), float(1))},
		}}
		call := func(x kir.Expr) kir.Expr {
			return &kir.Call{Typed: kir.Typed{T: f32}, Func: f, Args: []kir.Expr{x}}
		}
		byResult := fop(ops.Div, float(1), call(pixel))
		total, sum := &kir.Var{Name: "total", Type: f32}, &kir.Var{Name: "sum", Type: f32}
		ofTotal, ofSum := fop(ops.Mod, ref(total), float(6)), fop(ops.Mod, ref(sum), float(6))
		body := []kir.Stmt{let(row, nil), load, let(total, float(0)), let(sum, float(0)), let(&kir.Var{Name: "q", Type: f32, Const: true}, byResult),
			&kir.Assign{Var: total, Value: call(pixel)},
			&kir.While{Body: []kir.Stmt{&kir.Assign{Var: sum, Value: fop(ops.Add, ref(sum), pixel)}}},
			let(&kir.Var{Name: "m", Type: f32, Const: true}, ofTotal), let(&kir.Var{Name: "n", Type: f32, Const: true}, ofSum),
		}
		if c.also != nil {
			body = append(body, let(&kir.Var{Name: "other", Type: f32, Const: true}, call(c.also)))
		}
		sizes(&kir.Program{Kernels: []*kir.Kernel{{Body: body}}, Funcs: []*kir.Func{f}})
		if byParam.Short != c.param || byResult.Short != c.result || ofTotal.Short != c.total || ofSum.Short != c.growing {
			t.Errorf("%s: marked: %v %v %v %v", c.name, byParam.Short, byResult.Short, ofTotal.Short, ofSum.Short)
		}
	}
}

// TestUnits holds the units of numbers against what they are multiples of.
func TestUnits(t *testing.T) {
	for x, want := range map[float64]int{1: 0, 6: 1, -180: 2, 0.75: -2, 0x1p-149: -149, float64(float32(1 / 255.0)): -31} {
		if got := unitOfNumber(x); got != want {
			t.Errorf("%g is a multiple of 2^%d, not 2^%d", x, want, got)
		}
	}
	if got := unitOf(1 / 255.0); got != -31 {
		t.Errorf("floats from 1/255 on are multiples of 2^-31, not 2^%d", got)
	}
	if s := sizeOfWords(float(math.Inf(1)).(*kir.Const)); s != anySize {
		t.Errorf("an infinity has the size %v", s)
	}
}
