package interp

import (
	"context"
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/types"
)

// convolution is dst[y][x] = finish(sum of coefficient * src), of a 5x5 binomial mask.
func convolution(t, acc types.Type, finish func(hast.Expr) hast.Expr) *hast.Pipeline {
	p := newProgram()
	src, dst := p.image("src", hast.In, t, "H", "W"), p.image("dst", hast.Out, t, "H", "W")
	y, x, dy, dx := iterator("y"), iterator("x"), loopVar("dy"), loopVar("dx")
	taps := []float64{1, 4, 6, 4, 1}
	var words []types.Word
	var points [][]int64
	for i, a := range taps {
		for j, b := range taps {
			words = append(words, wordOf(acc.Kind, a*b))
			points = append(points, []int64{int64(i - 2), int64(j - 2)})
		}
	}
	mask := constant(acc.Array(5, 5), words...)
	pixel := convert(acc.Kind, load(src, &hast.Rule{Kind: hast.Clamp}, add(ref(y), ref(dy)), add(ref(x), ref(dx))))
	sum := &hast.Reduce{Typed: typed(acc), Op: hast.Sum, Space: hast.Space{Vars: []*hast.Var{dy, dx}, Points: points},
		Elem: mul(elem(mask, add(ref(dy), i32(2)), add(ref(dx), i32(2))), pixel)}
	p.stage(dst, []*hast.Var{y, x}, store(dst, finish(sum), ref(y), ref(x)))
	return p.Pipeline
}

func benchmark(b *testing.B, p *hast.Pipeline, t types.Type) {
	src, _ := pixels.New(t, 1024, 1024)
	for i := range src.Words() {
		src.SetWord(i, wordOf(t.Kind, float64(i*7919%251)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), p, Args{Images: map[string]*pixels.Image{"src": src}}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConvolve5x5OfMegapixelU8(b *testing.B) {
	p := convolution(tU8, tI32, func(sum hast.Expr) hast.Expr {
		return convert(types.U8, op(ops.Div, add(sum, i32(128)), i32(256)))
	})
	benchmark(b, p, tU8)
}

func BenchmarkConvolve5x5OfMegapixelF32(b *testing.B) {
	benchmark(b, convolution(tF32, tF32, func(sum hast.Expr) hast.Expr { return mul(sum, f32(1.0/256)) }), tF32)
}

func BenchmarkMedian5x5OfMegapixelU8(b *testing.B) {
	p := newProgram()
	src, dst := p.image("src", hast.In, tU8, "H", "W"), p.image("dst", hast.Out, tU8, "H", "W")
	y, x, i, j := iterator("y"), iterator("x"), loopVar("i"), loopVar("j")
	start := func(v *hast.Var) hast.WindowAxis {
		return hast.WindowAxis{Start: hast.Coord{X: add(ref(v), i32(-2)), Below: true, Above: true}, Count: 5, Stride: 1, Colon: true}
	}
	window := &hast.Window{Typed: typed(tU8.Array(5, 5)), Image: src, Axes: []hast.WindowAxis{start(y), start(x)},
		Rule: &hast.Rule{Kind: hast.Reflect101}}
	median := &hast.Reduce{Typed: typed(tU8), Op: hast.Median, Space: over([]*hast.Var{i, j}, i32(5), i32(5)),
		Elem: elem(window, ref(i), ref(j))}
	p.stage(dst, []*hast.Var{y, x}, store(dst, median, ref(y), ref(x)))
	benchmark(b, p.Pipeline, tU8)
}

func BenchmarkConvolve5x5OfMegapixelU8x3(b *testing.B) {
	p := newProgram()
	pixel, sum := types.Vector(types.U8, 3), types.Vector(types.I32, 3)
	src, dst := p.image("src", hast.In, pixel, "H", "W"), p.image("dst", hast.Out, pixel, "H", "W")
	y, x, dy, dx := iterator("y"), iterator("x"), loopVar("dy"), loopVar("dx")
	space := hast.Space{Vars: []*hast.Var{dy, dx}}
	var words []types.Word
	for i := range int64(25) {
		space.Points = append(space.Points, []int64{i/5 - 2, i%5 - 2})
		words = append(words, types.Int(i))
	}
	mask := constant(tI32.Array(5, 5), words...)
	at := &hast.Splat{Typed: typed(sum), X: elem(mask, add(ref(dy), i32(2)), add(ref(dx), i32(2)))}
	tap := convert(types.I32, load(src, &hast.Rule{Kind: hast.Clamp}, add(ref(y), ref(dy)), add(ref(x), ref(dx))))
	total := &hast.Reduce{Typed: typed(sum), Op: hast.Sum, Space: space, Elem: mul(at, tap)}
	mean := op(ops.Div, total, &hast.Splat{Typed: typed(sum), X: i32(300)})
	p.stage(dst, []*hast.Var{y, x}, store(dst, convert(types.U8, mean), ref(y), ref(x)))
	benchmark(b, p.Pipeline, pixel)
}

// Escape times of a point near the border of the set: arithmetic and a while loop, no image to read.
func BenchmarkMandelbrotOfMegapixel(b *testing.B) {
	p := newProgram()
	src, dst := p.image("src", hast.In, tU8, "H", "W"), p.image("dst", hast.Out, tU8, "H", "W")
	_ = src
	y, x := iterator("y"), iterator("x")
	re, im := newVar("re", tF32, hast.Mutable), newVar("im", tF32, hast.Mutable)
	next, n := newVar("next", tF32, hast.Value), newVar("n", tI32, hast.Mutable)
	sub := func(a, b hast.Expr) hast.Expr { return op(ops.Sub, a, b) }
	scaled := func(v *hast.Var) hast.Expr { return sub(mul(convert(types.F32, ref(v)), f32(1.0/512)), f32(1)) }
	inside := op(ops.Lt, add(mul(ref(re), ref(re)), mul(ref(im), ref(im))), f32(4))
	p.stage(dst, []*hast.Var{y, x},
		&hast.Define{Var: re, Init: f32(0)}, &hast.Define{Var: im, Init: f32(0)}, &hast.Define{Var: n, Init: i32(0)},
		&hast.While{Cond: op(ops.LAnd, op(ops.Lt, ref(n), i32(32)), inside), Body: []hast.Stmt{
			&hast.Define{Var: next, Init: add(sub(mul(ref(re), ref(re)), mul(ref(im), ref(im))), scaled(x))},
			&hast.Set{Var: im, Value: add(mul(f32(2), mul(ref(re), ref(im))), scaled(y))},
			&hast.Set{Var: re, Value: ref(next)},
			&hast.Set{Var: n, Value: add(ref(n), i32(1))},
		}},
		store(dst, convert(types.U8, ref(n)), ref(y), ref(x)))
	benchmark(b, p.Pipeline, tU8)
}
