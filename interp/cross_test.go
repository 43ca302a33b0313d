package interp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// randomPipeline has images of several types and ranks, some random funcs, and a stage for each of n random results.
func randomPipeline(g *generator, n int) (*program, map[string]*pixels.Image) {
	p := newProgram()
	args := map[string]*pixels.Image{}
	extents := [][]int{{1, 1}, {1, 7}, {5, 1}, {2, 3}, {4, 6}}[g.IntN(5)]
	for i, t := range []types.Type{tU8, tF32, tI32, types.Vector(types.F32, 3), types.Vector(types.U8, 2), types.Scalar(types.F16),
		types.Scalar(types.I64), tF64, tBool, types.Scalar(types.U16)} {
		name := fmt.Sprintf("in%d", i)
		shapes := [][]any{{"H", "W"}, {"W"}, {"H", "W", 2}}
		actual := [][]int{extents, extents[1:], {extents[0], extents[1], 2}}
		s := g.IntN(3)
		if i == 0 {
			s = 0 // binds both sizes
		}
		m := p.image(name, hast.In, t, shapes[s]...)
		if s == 0 && g.IntN(2) == 0 {
			m.Lower = []int64{-1, 2}
		}
		g.images = append(g.images, m)
		args[name], _ = pixels.New(t, actual[s]...)
		for w := range args[name].Words() {
			args[name].SetWord(w, g.word(t.Kind))
		}
	}
	for i, t := range []types.Type{tI32, tF32, tU8, types.Vector(types.F32, 3), tI32.Array(2)} {
		g.function(fmt.Sprintf("f%d", i), t, t, pickOne(g, []types.Type{t, tI32, tF32}))
	}
	for i := range n {
		y, x := iterator("y"), iterator("x")
		g.vars = []*hast.Var{y, x}
		t := types.Vector(pickOne(g, types.Kinds), 1+g.IntN(4))
		out := p.image(fmt.Sprintf("out%d", i), hast.Out, t, "H", "W")
		acc := newVar("acc", g.randomType(), hast.Mutable)
		body := []hast.Stmt{&hast.Define{Var: acc, Init: g.expr(acc.Type)}}
		g.vars = append(g.vars, acc)
		body = append(body, g.stmts(3, 2, false)...)
		body = append(body, store(out, g.expr(t), ref(y), ref(x)))
		if s := p.stage(out, []*hast.Var{y, x}, body...); g.IntN(3) == 0 {
			g.vars = []*hast.Var{y, x}
			s.Where = g.expr(tBool)
		}
		g.images = append(g.images, out)
	}
	return p, args
}

func TestCompiledCodeEqualsTheNaiveEvaluator(t *testing.T) {
	for seed := range uint64(300) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), depth: 4}
		p, images := randomPipeline(g, 6)
		compareWithNaive(t, fmt.Sprintf("seed %d", seed), p.Pipeline, Args{Images: images})
	}
}

func compareWithNaive(t *testing.T, name string, p *hast.Pipeline, args Args) {
	t.Helper()
	b, err := Bind(context.Background(), p, args, Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := runNaively(b)
	res, err := Run(context.Background(), p, args, Options{Workers: 2})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, m := range p.Images {
		if m.Dir != hast.Out && m.Dir != hast.InOut {
			continue
		}
		if at, ok := firstDifference(res.Images[m.Name], want.images[m]); !ok {
			t.Errorf("%s: component %d of %s %s is %v, the naive evaluator has %v", name, at, m.Name, res.Images[m.Name],
				valuesOf(res.Images[m.Name])[at], valuesOf(want.images[m])[at])
		}
	}
}

// firstDifference compares bits, but for NaN.
func firstDifference(m, n *pixels.Image) (int, bool) {
	for i := range m.Words() {
		a, b := m.Word(i), n.Word(i)
		if m.Elem.Kind.IsFloat() && math.IsNaN(a.Float()) && math.IsNaN(b.Float()) {
			continue
		}
		if a != b {
			return i, false
		}
	}
	return 0, true
}
