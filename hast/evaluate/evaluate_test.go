package evaluate_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/interp"
	"imgc/ops"
	"imgc/sema/sematest"
	"imgc/types"
)

// values are values of constants, which are computed as the interpreter does.
var values = []string{
	"f64(sum(exp(-f32(j*j + i*i) / 4.5) for j in -3:4, i in -3:4))",
	"f64(sum(-0.0 * f32(j) for j in 0:1))",
	"f64(mean(f32(j) / 3 for j in 0:7))",
	"f64(mean(f32(j) for j in 0:0))",
	"f64(product(1 + f32(j) / 10 for j in 0:20))",
	"f64(product(f32(j) for j in 0:0))",
	"f64(min(f32(j) / f32(j) for j in 0:1))",
	"f64(max(f32(j) / f32(j) for j in 0:1))",
	"f64(min(f32(j) / f32(j) for j in 0:3))",
	"f64(max(i % 7 for i in 0:20))",
	"f64(median(sin(f32(j)) for j in 0:8))",
	"f64(median(f32(j) / f32(j - 2) for j in 0:5))",
	"f64(median(f32(j % 2) / f32(j % 2) for j in 0:5))",
	"1.0 / f64(median(j == 0 ? 0.0 : -0.0 for j in 0:2))",
	"f64(any(j == 3 for j in 0:3) ? 1 : 2)",
	"f64(all(j < 3 for j in 0:3) ? 1 : 2)",
	"f64(count(j % 3 == 1 for j in 0:20))",
	"f64(argmin(abs(3 - j) for j in 0:9))",
	"f64(argmax(f32(j) / f32(j) for j in 0:2))",
	"f64(argmax(f32(j) / f32(j) for j in 0:1))",
	"f64(argmax(i * j for j in -3:3, i in -4:3).x)",
	"f64(fold(add, 1.5, f32(j) / 3 for j in 0:9))",
	"f64(7 / (j0 - j0))",
	"f64(gauss(2, 3) + gauss(0, 0))",
	"f64(sat<u8>(exp(f32(j0) * 3)))",
	"f64(bitcast<i32>(exp2(f32(j0) / 3)))",
	"f64(table[j0][1] + table[j0 - 2][0])",
	"f64(dot(f32x3(1, 2, f32(j0)), f32x3(3, 4, 5).zyx))",
	"f64(u32(j0) * 4000000000u)",
	"f64(hypot(f32(j0), 0.1f) + pow(f32(j0), 0.3f))",
}

const around = `const table: f32[3][2] = [[1, 2.5], [3, 4], [5, 6]];
func add(a: f32, b: f32): f32 = a * 0.5 + b;
func gauss(j: i32, i: i32): f32 { var s = 0.0; for (k in 0:3) { if (k == 2 && j > 1) break; s += exp(-f32(j*j + i*i + k) / 4.5); } return s; }
`

func TestValuesAreTheInterpreters(t *testing.T) {
	for _, text := range values {
		// j0 is 2 in all instances, but for the compiler's eyes the variable of a sum.
		p := sematest.Program(t, around+"pipeline p(out r: f64[1]) { iterate (x) over r r[x] = sum("+text+" for j0 in 2:3); }")
		store := p.Pipelines[0].Steps[0].(*hast.Stage).Body[0].(*hast.Store)
		if !evaluate.Closed(store.Value, func(*hast.Var) bool { return false }) {
			t.Errorf("%s is not closed: %s", text, hast.Text(store.Value))
			continue
		}
		got, ok := evaluate.Value(store.Value)
		r, err := interp.Run(context.Background(), p.Pipelines[0], interp.Args{}, interp.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		want := r.Images["r"].Word(0)
		if !ok || got[0] != want && !(math.IsNaN(got[0].Float()) && math.IsNaN(want.Float())) {
			t.Errorf("%s is %v, want %v", text, got[0].Float(), want.Float())
		}
	}
}

func TestPointsOneAfterTheOther(t *testing.T) {
	p := sematest.Program(t, "pipeline p(out r: i32[1]) { iterate (x) over r r[x] = sum(j * 10 + i for j in 0:3, i in 0:9); }")
	sum := p.Pipelines[0].Steps[0].(*hast.Stage).Body[0].(*hast.Store).Value.(*hast.Reduce)
	got, ok := evaluate.Over(sum.Elem, sum.Space.Vars, [][]int64{{1, 2}, {0, -3}, {4, 4}})
	if want := []types.Word{types.Int(12), types.Int(-3), types.Int(44)}; !ok || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := evaluate.Over(sum, nil, make([][]int64, evaluate.MaxSteps)); ok {
		t.Error("a computation of very many steps has no end")
	}
}

func TestWhatDependsOnMoreIsNotClosed(t *testing.T) {
	p := sematest.Program(t, "pipeline p(in src: f32[H], in k: f32, out r: f32[1]) { iterate (x) over r border clamp { r[x] = k; r[x] = f32(H); r[x] = f32(x); r[x] = src[x]; r[x] = sum(src[x:3]); } }")
	none := func(*hast.Var) bool { return false }
	for _, st := range p.Pipelines[0].Steps[0].(*hast.Stage).Body {
		if v := st.(*hast.Store).Value; evaluate.Closed(v, none) {
			t.Errorf("%s is closed", hast.Text(v))
		}
	}
	if evaluate.Closed(&hast.Call{Func: &hast.Func{Extern: &hast.Extern{}}}, none) {
		t.Error("funcs of devices are computed")
	}
}

// TestWhatIsUnknownHasNoValue: other variables than those that points give values to, and pixels.
func TestWhatIsUnknownHasNoValue(t *testing.T) {
	x, other := &hast.Var{Name: "x", Class: hast.Loop, Type: types.Scalar(types.I32)}, &hast.Var{Name: "y", Class: hast.Iterator, Type: types.Scalar(types.I32)}
	ref := func(v *hast.Var) hast.Expr { return &hast.Ref{Typed: hast.Typed{T: v.Type}, Var: v} }
	less := func(a, b hast.Expr) hast.Expr {
		return &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []hast.Expr{a, b}}
	}
	pixel := &hast.Load{Typed: hast.Typed{T: types.Scalar(types.I32)}, Image: &hast.Image{Name: "a", Elem: types.Scalar(types.I32), Extent: []hast.Expr{hast.Int(9)}}, Index: []hast.Coord{{X: ref(x)}}}
	for _, c := range []struct {
		name string
		e    hast.Expr
		want bool
	}{
		{"what points say", less(ref(x), hast.Int(1)), true},
		{"another variable", less(ref(x), ref(other)), false},
		{"a pixel", less(ref(x), pixel), false},
	} {
		if words, ok := evaluate.Over(c.e, []*hast.Var{x}, [][]int64{{0}, {1}}); ok != c.want || ok && (!words[0].Truth() || words[1].Truth()) {
			t.Errorf("%s: %v, %v", c.name, words, ok)
		}
	}
}
