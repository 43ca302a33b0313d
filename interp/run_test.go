package interp

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

func mustRun(t *testing.T, p *hast.Pipeline, args Args) Results {
	t.Helper()
	res, err := Run(context.Background(), p, args, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func images(m ...*pixels.Image) Args {
	args := Args{Images: map[string]*pixels.Image{}}
	for i, name := range []string{"src", "dst", "third"}[:len(m)] {
		args.Images[name] = m[i]
	}
	return args
}

// increment adds 1 to every pixel of the inout image src, then runs what else is asked for.
func increment(more ...hast.Stmt) *program {
	p := newProgram()
	src := p.image("src", hast.InOut, tI32, "N")
	x := iterator("x")
	p.stage(src, []*hast.Var{x}, append([]hast.Stmt{store(src, add(load(src, nil, ref(x)), i32(1)), ref(x))}, more...)...)
	return p
}

func TestInOutImagesKeepWhatIsNotWritten(t *testing.T) {
	p := increment()
	p.Steps[0].(*hast.Stage).Space.Ranges[0] = hast.Range{Lo: i32(1), Hi: ref(p.sizes["N"]), Step: 2}
	src := picture(tI32, []int{5}, 10, 20, 30, 40, 50)
	mustRun(t, p.Pipeline, images(src))
	if got := valuesOf(src); !slices.Equal(got, []float64{10, 21, 30, 41, 50}) {
		t.Errorf("got %v", got)
	}
}

func endless(at source.Span) hast.Stmt {
	return &hast.While{Cond: constant(tBool, 1), At: at}
}

func TestLoopsWithoutEndAreStoppedAndNothingIsWritten(t *testing.T) {
	file := source.NewFile("a.img", "while (true) {}")
	p := increment(endless(source.Span{File: file, Start: 0, End: 5}))
	src := picture(tI32, []int{3}, 1, 2, 3)
	for _, steps := range []int64{1, 100, 4096, 100000} {
		_, err := Run(context.Background(), p.Pipeline, images(src), Options{MaxSteps: steps})
		var e *Error
		if !errors.As(err, &e) || e.Internal || e.At.String() != "a.img:1:1" || !strings.Contains(e.Message, "does not seem to end") {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
	if got := valuesOf(src); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Errorf("the failed run has changed the image to %v", got)
	}
}

// TestStepsAreCountedForEachInstance counts i up to x in a while, behind and around loops that are bounded.
func TestStepsAreCountedForEachInstance(t *testing.T) {
	p := newProgram()
	dst := p.image("src", hast.Out, tI32, "N")
	x, i, k := iterator("x"), newVar("i", tI32, hast.Mutable), loopVar("k")
	up := &hast.Set{Var: i, Value: add(ref(i), i32(1))}
	bounded := &hast.For{Space: hast.Space{Vars: []*hast.Var{k}, Ranges: []hast.Range{{Lo: i32(0), Hi: i32(2), Step: 1}}}}
	many := &hast.For{Space: hast.Space{Vars: []*hast.Var{k}, Ranges: []hast.Range{{Lo: i32(0), Hi: i32(10000), Step: 1}}}}
	less := &hast.Op{Typed: typed(tBool), Op: ops.Lt, Args: []hast.Expr{ref(i), ref(x)}}
	count := &hast.While{Cond: less, Body: []hast.Stmt{up, bounded}}
	again := &hast.Set{Var: i, Value: i32(0)}
	p.stage(dst, []*hast.Var{x}, &hast.Define{Var: i, Init: i32(0)}, many, count, many, again, count, store(dst, ref(i), ref(x)))
	args := Args{Sizes: map[string]int{"N": 11}}
	if _, err := Run(context.Background(), p.Pipeline, args, Options{MaxSteps: 60}); err != nil {
		t.Errorf("60 steps: %v", err)
	}
	if _, err := Run(context.Background(), p.Pipeline, args, Options{MaxSteps: 59}); err == nil {
		t.Error("59 steps are enough for 60 iterations")
	}
}

func TestCancellationEndsALoop(t *testing.T) {
	p := increment(endless(source.Span{}))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	src := picture(tI32, []int{3}, 1, 2, 3)
	_, err := Run(ctx, p.Pipeline, images(src), Options{MaxSteps: math.MaxInt64})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if got := valuesOf(src); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Errorf("the cancelled run has changed the image to %v", got)
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(cancelled, increment().Pipeline, images(src), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that was cancelled before gives %v", err)
	}
}

func TestFaultsOfProofsAreInternalErrors(t *testing.T) {
	at := source.Span{File: source.NewFile("a.img", "0123456789"), Start: 4, End: 5}
	for _, c := range []struct {
		name   string
		change func(p *program, src *hast.Image, s *hast.Stage)
		want   string
	}{
		{"load above", func(p *program, src *hast.Image, s *hast.Stage) {
			e := load(src, nil, i32(7)).(*hast.Load)
			e.At = at
			s.Body = []hast.Stmt{store(src, e, i32(0))}
		}, "internal error: a.img:1:5: test: index 7 of src is outside its 3 pixels"},
		{"load below with a rule for above only", func(p *program, src *hast.Image, s *hast.Stage) {
			e := &hast.Load{Typed: hast.Typed{T: tI32, At: at}, Image: src, Index: []hast.Coord{{X: i32(-1), Above: true}},
				Rule: &hast.Rule{}}
			s.Body = []hast.Stmt{store(src, e, i32(0))}
		}, "index -1 of src is outside"},
		{"store", func(p *program, src *hast.Image, s *hast.Stage) {
			s.Body = []hast.Stmt{&hast.Store{Image: src, Index: []hast.Expr{i32(-1)}, Value: i32(1), At: at}}
		}, "index -1 of src is outside"},
		{"image of another pipeline", func(p *program, src *hast.Image, s *hast.Stage) {
			s.Body = []hast.Stmt{store(&hast.Image{Name: "other", Elem: tI32, Extent: src.Extent}, i32(1), i32(0))}
		}, "other is not an image of this pipeline"},
		{"nil", func(p *program, src *hast.Image, s *hast.Stage) {
			s.Body = []hast.Stmt{store(src, nil, i32(0))}
		}, "internal error"},
		{"operator without meaning", func(p *program, src *hast.Image, s *hast.Stage) {
			s.Body = []hast.Stmt{store(src, &hast.Op{Typed: typed(tI32), Op: ops.Sqrt, Args: []hast.Expr{load(src, nil, i32(0))}}, i32(0))}
		}, "internal error: a.img:1:5: test: operator sqrt has no meaning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := increment()
			s := p.Steps[0].(*hast.Stage)
			s.At = at
			c.change(p, p.Images[0], s)
			src := picture(tI32, []int{3}, 1, 2, 3)
			_, err := Run(context.Background(), p.Pipeline, images(src), Options{})
			var e *Error
			if !errors.As(err, &e) || !e.Internal || !strings.Contains(strings.Replace(err.Error(), "a.img:1:5: internal error:",
				"internal error: a.img:1:5:", 1), c.want) || !e.At.IsValid() || !strings.Contains(err.Error(), "please report") {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestTheFirstFailureIsReportedWhateverTheWorkers(t *testing.T) {
	p := newProgram()
	dst := p.image("src", hast.Out, tI32, "H", "W")
	y, x := iterator("y"), iterator("x")
	wrong := op(ops.Add, ref(y), i32(1000))
	p.stage(dst, []*hast.Var{y, x}, &hast.If{Cond: op(ops.Gt, ref(y), i32(5)), Then: []hast.Stmt{store(dst, i32(1), wrong, ref(x))}})
	for _, workers := range []int{1, 2, 8} {
		_, err := Run(context.Background(), p.Pipeline, Args{Sizes: map[string]int{"H": 500, "W": 5000}}, Options{Workers: workers})
		if err == nil || !strings.Contains(err.Error(), "index 1006 of src") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	for _, extent := range [][2]int{{1, 20000}, {20000, 1}, {97, 101}} {
		p := newProgram()
		dst := p.image("dst", hast.Out, tI32, "H", "W")
		y, x := iterator("y"), iterator("x")
		p.stage(dst, []*hast.Var{y, x}, store(dst, add(mul(i32(100000), ref(y)), ref(x)), ref(y), ref(x)))
		for _, workers := range []int{1, 3, runtime.GOMAXPROCS(0)} {
			res, err := Run(context.Background(), p.Pipeline, Args{Sizes: map[string]int{"H": extent[0], "W": extent[1]}}, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range valuesOf(res.Images["dst"]) {
				if want := float64(100000*(i/extent[1]) + i%extent[1]); got != want {
					t.Fatalf("%v, %d workers: pixel %d is %v, want %v", extent, workers, i, got, want)
				}
			}
		}
	}
}

func TestBrokenPromisesGiveTheSameResultEachTime(t *testing.T) {
	p := newProgram()
	dst := p.image("dst", hast.Out, tI32, "N")
	y, x := iterator("y"), iterator("x")
	p.Steps = append(p.Steps, &hast.Stage{Name: "last", Space: over([]*hast.Var{y, x}, i32(300), i32(50)), Independent: true,
		Body: []hast.Stmt{store(dst, add(mul(ref(y), i32(50)), ref(x)), i32(0))}})
	for range 5 {
		res, err := Run(context.Background(), p.Pipeline, Args{Sizes: map[string]int{"N": 1}}, Options{Workers: 4})
		if err != nil || valuesOf(res.Images["dst"])[0] != 14999 {
			t.Fatalf("got %v, %v; the last instance writes 14999", res, err)
		}
	}
}

func TestUpdatesOfOnePixelAreAllCounted(t *testing.T) {
	p := newProgram()
	src, bins := p.image("src", hast.In, tU8, "N"), p.image("dst", hast.Out, types.Scalar(types.U32), 4)
	x := iterator("x")
	update := &hast.Store{Image: bins, Op: ops.Add, Index: []hast.Expr{convert(types.I32, load(src, nil, ref(x)))},
		Value: constant(types.Scalar(types.U32), 1)}
	p.stage(src, []*hast.Var{x}, update)
	res := mustRun(t, p.Pipeline, images(picture(tU8, []int{8}, 3, 1, 1, 0, 3, 3, 3, 1)))
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, []float64{1, 3, 0, 4}) {
		t.Errorf("got %v", got)
	}
}

func TestInPlaceStagesReadTheirOwnPixelInOrder(t *testing.T) {
	p := newProgram()
	src := p.image("src", hast.InOut, tI32, "N")
	x := iterator("x")
	double := store(src, mul(load(src, nil, ref(x)), i32(2)), ref(x))
	p.stage(src, []*hast.Var{x}, double, double, store(src, add(load(src, nil, ref(x)), i32(1)), ref(x)))
	m := picture(tI32, []int{3}, 1, 2, 3)
	mustRun(t, p.Pipeline, images(m))
	if got := valuesOf(m); !slices.Equal(got, []float64{5, 9, 13}) {
		t.Errorf("got %v", got)
	}
}

func TestACopyKeepsTheBitsOfNaN(t *testing.T) {
	for _, k := range []types.Kind{types.F16, types.BF16, types.F32, types.F64} {
		p := newProgram()
		e := types.Scalar(k)
		src, dst := p.image("src", hast.In, e, "N"), p.image("dst", hast.Out, e, "N")
		x := iterator("x")
		p.stage(dst, []*hast.Var{x}, store(dst, load(src, nil, ref(x)), ref(x)))
		m := picture(e, []int{4})
		for i := range m.Data { // exponents of ones, so NaN of many kinds, signalling ones among them
			m.Data[i] = byte(0x7f | i<<7)
			if i%k.Bytes() < k.Bytes()-2 {
				m.Data[i] = byte(i)
			} else if i%k.Bytes() == k.Bytes()-2 {
				m.Data[i] = 0x81 + byte(i)
			}
		}
		res := mustRun(t, p.Pipeline, images(m))
		if !slices.Equal(res.Images["dst"].Data, m.Data) {
			t.Errorf("%s: % x is copied as % x", k, m.Data, res.Images["dst"].Data)
		}
	}
}

func TestIndicesStartAtTheLowerBound(t *testing.T) {
	p := newProgram()
	d := p.image("d", hast.Local, tI32, add(i32(4), i32(3)))
	d.Lower = []int64{-3}
	dst := p.image("dst", hast.Out, tI32, 9)
	x, y := iterator("x"), iterator("y")
	p.Steps = append(p.Steps, &hast.Stage{Name: "d", Space: hast.Space{Vars: []*hast.Var{x}, Ranges: []hast.Range{{Lo: i32(-3), Hi: i32(4), Step: 1}}},
		Body: []hast.Stmt{store(d, mul(ref(x), i32(10)), ref(x))}})
	p.stage(dst, []*hast.Var{y}, store(dst, load(d, &hast.Rule{Kind: hast.Reflect101}, op(ops.Sub, ref(y), i32(4))), ref(y)))
	res := mustRun(t, p.Pipeline, Args{})
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, []float64{-20, -30, -20, -10, 0, 10, 20, 30, 20}) {
		t.Errorf("got %v", got)
	}
}

func TestALoadUnderAFalseConditionIsNotDone(t *testing.T) {
	p := newProgram()
	src, dst := p.image("src", hast.In, tI32, "N"), p.image("dst", hast.Out, tI32, "N")
	x := iterator("x")
	before := load(src, nil, op(ops.Sub, ref(x), i32(1)))
	first := op(ops.Eq, ref(x), i32(0))
	inner := op(ops.Gt, ref(x), i32(0))
	i := loopVar("i")
	p.stage(dst, []*hast.Var{x},
		store(dst, &hast.Select{Typed: typed(tI32), Cond: first, Then: i32(-1), Else: before}, ref(x)),
		&hast.If{Cond: op(ops.LAnd, inner, op(ops.Gt, before, i32(15))), Then: []hast.Stmt{store(dst, i32(100), ref(x))}},
		&hast.If{Cond: op(ops.LOr, first, op(ops.Lt, before, i32(0))), Then: []hast.Stmt{store(dst, i32(-2), ref(x))}},
		&hast.If{Cond: op(ops.Gt, &hast.Reduce{Typed: typed(tI32), Op: hast.Sum, Space: over([]*hast.Var{i}, i32(1)), Where: inner, Elem: before},
			i32(25)), Then: []hast.Stmt{store(dst, i32(200), ref(x))}})
	res := mustRun(t, p.Pipeline, images(picture(tI32, []int{4}, 10, 20, 30, 40)))
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, []float64{-2, 10, 100, 200}) {
		t.Errorf("got %v", got)
	}
}

func TestReductionsOverNothing(t *testing.T) {
	reduce := func(o hast.ReduceOp, t types.Type, k types.Kind) types.Word {
		i := loopVar("i")
		e := &hast.Reduce{Typed: typed(t), Op: o, Space: hast.Space{Vars: []*hast.Var{i}, Points: [][]int64{}}, Elem: constant(types.Scalar(k), 1)}
		return evaluator(e)()[0]
	}
	for _, c := range []struct {
		op   hast.ReduceOp
		t    types.Type
		want types.Word
	}{
		{hast.Sum, tF32, types.Float(0)}, {hast.Product, tF32, types.Float(1)}, {hast.Product, tI32, 1}, {hast.Mean, tF32, types.Float(0)},
		{hast.Min, tU8, 255}, {hast.Max, tU8, 0}, {hast.Min, tF32, types.Float(math.Inf(1))}, {hast.Max, tI32, types.Int(-1 << 31)},
		{hast.Median, tF32, 0}, {hast.Any, tBool, 0}, {hast.All, tBool, 1}, {hast.Count, tI32, 0}, {hast.ArgMin, tI32, 0},
	} {
		if got := reduce(c.op, c.t, c.t.Kind); got != c.want {
			t.Errorf("%s of nothing, of type %s, is %x, want %x", c.op, c.t, got, c.want)
		}
	}
}

func TestReductionsByHand(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		op     hast.ReduceOp
		result types.Type
		values []float64
		want   float64
	}{
		{hast.Sum, tI32, []float64{1<<31 - 1, 1}, -1 << 31},
		{hast.Sum, tF32, []float64{1 << 24, 1, 1}, 1 << 24}, // each addition rounds
		{hast.Sum, tF64, []float64{1 << 24, 1, 1}, 1<<24 + 2},
		{hast.Mean, tF32, []float64{1, 2, 4, 8}, 3.75},
		{hast.Min, tF32, []float64{nan, 3, nan, 2}, 2},
		{hast.Max, tF32, []float64{nan, 3, nan, 2}, 3},
		{hast.Min, tF32, []float64{nan, nan}, math.Inf(1)},
		{hast.Median, tF32, []float64{5, nan, 1, 3}, 3}, // the lower of 3 and 5; NaN is last
		{hast.Median, tI32, []float64{4, 1, 3, 2}, 2},
		{hast.ArgMin, tI32, []float64{nan, 2, 1, 1}, 2},
		{hast.ArgMax, tI32, []float64{2, 7, 7, nan}, 1},
		{hast.ArgMax, tI32, []float64{nan, nan}, 0},
	} {
		k := c.result.Kind
		if c.op == hast.ArgMin || c.op == hast.ArgMax {
			k = types.F32
		}
		words := make([]types.Word, len(c.values))
		for i, v := range c.values {
			words[i] = wordOf(k, v)
		}
		for _, looped := range []bool{false, true} {
			i, n := loopVar("i"), newVar("n", tI32, hast.Value)
			e := &hast.Reduce{Typed: typed(c.result), Op: c.op, Elem: elem(constant(types.Scalar(k).Array(len(words)), words...), ref(i)),
				Space: over([]*hast.Var{i}, i32(int64(len(words))))}
			if looped {
				e.Space = over([]*hast.Var{i}, ref(n))
			}
			got := evaluator(e, n)(types.Int(int64(len(words))))[0]
			if want := wordOf(c.result.Kind, c.want); got != want {
				t.Errorf("%s of %v is %x, want %x", c.op, c.values, got, want)
			}
		}
	}
}

func TestArgMinOfTwoVariablesNamesTheFastestFirst(t *testing.T) {
	y, x := loopVar("y"), loopVar("x")
	table := ints32(tI32.Array(2, 3), 5, 4, 3, 9, 2, 7)
	e := &hast.Reduce{Typed: typed(types.Vector(types.I32, 2)), Op: hast.ArgMin, Elem: elem(table, ref(y), ref(x)),
		Space: over([]*hast.Var{y, x}, i32(2), i32(3))}
	if got := evaluator(e)(); got[0] != 1 || got[1] != 1 {
		t.Errorf("got %v, want x = 1, y = 1", got)
	}
	e.Elem = op(ops.Neg, elem(table, ref(y), ref(x)))
	if got := evaluator(e)(); got[0] != 0 || got[1] != 1 {
		t.Errorf("got %v, want x = 0, y = 1", got)
	}
}

func TestIndicesOutsideAnArrayReadZeroAndWriteNothing(t *testing.T) {
	i := newVar("i", tI32, hast.Value)
	read := evaluator(elem(ints32(tI32.Array(3), 7, 8, 9), ref(i)), i)
	for index, want := range map[int64]types.Word{-1: 0, 0: 7, 2: 9, 3: 0, 1 << 31: 0, -1 << 31: 0} {
		if got := read(types.Int(index))[0]; got != want {
			t.Errorf("element %d is %d, want %d", index, got, want)
		}
	}
	p := newProgram()
	dst := p.image("dst", hast.Out, tI32, 4)
	x, v := iterator("x"), newVar("v", tI32.Array(2, 2), hast.Mutable)
	outside := []hast.Expr{i32(0), op(ops.Sub, ref(x), i32(1))} // column -1 to 2
	p.stage(dst, []*hast.Var{x},
		&hast.Define{Var: v, Init: constant(v.Type, make([]types.Word, 4)...)},
		&hast.Set{Var: v, Index: outside, Value: i32(5)},
		store(dst, add(mul(i32(1000), elem(ref(v), i32(0), i32(0))), add(mul(i32(100), elem(ref(v), i32(0), i32(1))),
			add(mul(i32(10), elem(ref(v), i32(1), i32(0))), elem(ref(v), i32(1), i32(1))))), ref(x)))
	res := mustRun(t, p.Pipeline, Args{})
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, []float64{0, 5000, 500, 0}) {
		t.Errorf("got %v", got)
	}
}

func TestNestedCallsOfOneFuncKeepTheirArguments(t *testing.T) {
	a, b := newVar("a", tI32, hast.FuncParam), newVar("b", tI32, hast.FuncParam)
	f := &hast.Func{Name: "f", Params: []*hast.Var{a, b}, Result: tI32,
		Body: []hast.Stmt{&hast.Return{Value: op(ops.Sub, mul(i32(10), ref(a)), ref(b))}}}
	call := func(x, y hast.Expr) hast.Expr {
		return &hast.Call{Typed: typed(tI32), Func: f, Args: []hast.Expr{x, y}}
	}
	e := call(i32(1), call(i32(2), call(i32(3), i32(4)))) // 10 - (20 - (30 - 4))
	if got := evaluator(e)()[0].Int(); got != 16 {
		t.Errorf("got %d, want 16", got)
	}
}

func TestStagesWithTooManyInstancesAreRefused(t *testing.T) {
	p := increment()
	s := p.Steps[0].(*hast.Stage)
	s.Space = over([]*hast.Var{iterator("a"), iterator("b"), iterator("c")}, i32(1<<30), i32(1<<30), i32(1<<30))
	_, err := Run(context.Background(), p.Pipeline, images(picture(tI32, []int{3})), Options{})
	if err == nil || !strings.Contains(err.Error(), "more instances than can be counted") {
		t.Errorf("got %v", err)
	}
}

func TestFarOffsetsAreFoldedAtOnce(t *testing.T) {
	p := newProgram()
	src, dst := p.image("src", hast.In, tI32, "N"), p.image("dst", hast.Out, tI32, "N")
	x := iterator("x")
	p.stage(dst, []*hast.Var{x}, store(dst, load(src, &hast.Rule{Kind: hast.Repeat}, add(ref(x), i32(1000000000))), ref(x)))
	res := mustRun(t, p.Pipeline, images(picture(tI32, []int{3}, 7, 8, 9)))
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, []float64{8, 9, 7}) { // 10^9 is 1 modulo 3
		t.Errorf("got %v", got)
	}
}
