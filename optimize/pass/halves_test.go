package pass

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var f16, boolean = types.Scalar(types.F16), types.Scalar(types.Bool)

// half is a constant f16.
func half(x float64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: f16}, Words: []types.Word{types.Float(x)}}
}

// floatOp is an operator on f16.
func floatOp(o ops.Op, args ...kir.Expr) kir.Expr {
	t := f16
	if o.Info().Result == ops.Truth {
		t = boolean
	}
	return &kir.Op{Typed: kir.Typed{T: t}, Op: o, Args: args}
}

// near is the element of an array that lies so far from the one of the round.
func near(a, u *kir.Var, by int64) kir.Expr {
	at := ref(u)
	if by != 0 {
		at = op(ops.Add, at, num(by))
	}
	return &kir.Elem{Typed: kir.Typed{T: a.Type.Elem()}, Var: a, Index: []kir.Expr{at}}
}

func putNear(a, u *kir.Var, by int64, e kir.Expr) kir.Stmt {
	return &kir.Assign{Var: a, Index: near(a, u, by).(*kir.Elem).Index, Value: e}
}

// A halvesCase has the variables of a loop over eight neighbours.
type halvesCase struct{ a, b, dst, u, t, sum *kir.Var }

func newHalvesCase() *halvesCase {
	array := f16.Array(10)
	return &halvesCase{
		a: &kir.Var{Name: "a", Type: array}, b: &kir.Var{Name: "b", Type: array}, dst: &kir.Var{Name: "dst", Type: array},
		u: &kir.Var{Name: "u", Type: i32, Const: true}, t: &kir.Var{Name: "t", Type: f16, Const: true}, sum: &kir.Var{Name: "sum", Type: f16},
	}
}

// loop are declarations of the arrays, and the loop over so many neighbours.
func (c *halvesCase) loop(rounds int64, body ...kir.Stmt) []kir.Stmt {
	return []kir.Stmt{
		&kir.Decl{Var: c.a}, &kir.Decl{Var: c.b}, &kir.Decl{Var: c.dst},
		&kir.For{Var: c.u, Lo: num(0), Hi: num(rounds), Step: 1, Rounds: kir.WrittenOut, Body: body, Exact: true},
	}
}

// TestHalves has neighbours computed two at a time, and leaves what would not be the same, or would not pay.
func TestHalves(t *testing.T) {
	c := newHalvesCase()
	sum := floatOp(ops.Add, near(c.a, c.u, 0), near(c.a, c.u, 1))
	root := func(e kir.Expr) kir.Expr { return floatOp(ops.Sqrt, e) }
	two := "u32(a[u]) | (u32(a[u + 1]) << 16)"
	for _, test := range []struct {
		name   string
		rounds int64
		body   []kir.Stmt
		want   string // "" where it is left
	}{
		{"a sum", 8, []kir.Stmt{putNear(c.dst, c.u, 0, sum)}, "f16x2 +("},
		{"a sum with what all have", 8, []kir.Stmt{putNear(c.dst, c.u, 0, floatOp(ops.Mul, ref(c.t), near(c.a, c.u, 0)))}, "f16x2 *(u32(bits u16(t)) | (u32(bits u16(t)) << 16), " + two + ")"},
		{"a constant", 8, []kir.Stmt{putNear(c.dst, c.u, 0, floatOp(ops.Mul, half(0.5), near(c.a, c.u, 0)))}, "f16x2 *(939538432, "},
		{"a quotient by a power of two", 8, []kir.Stmt{putNear(c.dst, c.u, 0, floatOp(ops.Div, near(c.a, c.u, 0), half(4)))}, "f16x2 *("},
		{"a sum that grows", 8, []kir.Stmt{
			let(c.sum, half(0)), &kir.Assign{Var: c.sum, Value: floatOp(ops.Add, ref(c.sum), near(c.a, c.u, 0))}, putNear(c.dst, c.u, 0, ref(c.sum)),
		}, "sum = f16x2 +(sum, "},
		{"a root between", 8, []kir.Stmt{putNear(c.dst, c.u, 0, root(sum))}, "sqrt(bits f16(u16~(two)))"},
		{"an odd number of rounds", 7, []kir.Stmt{putNear(c.dst, c.u, 0, sum)}, ""},
		{"nothing but roots", 8, []kir.Stmt{putNear(c.dst, c.u, 0, root(near(c.a, c.u, 0)))}, ""},
		{"a quotient by another number", 8, []kir.Stmt{putNear(c.dst, c.u, 0, floatOp(ops.Div, near(c.a, c.u, 0), half(3)))}, ""},
		{"rounds that follow from each other", 8, []kir.Stmt{putNear(c.a, c.u, 1, sum)}, ""},
		{"rounds that write the same", 8, []kir.Stmt{put(c.dst, 0, sum)}, ""},
		{"a sum of all rounds", 8, []kir.Stmt{&kir.Assign{Var: c.sum, Value: floatOp(ops.Add, ref(c.sum), near(c.a, c.u, 0))}}, ""},
	} {
		c.sum.Type = f16
		body := c.loop(test.rounds, test.body...)
		if test.name == "a sum of all rounds" {
			body = append([]kir.Stmt{let(c.sum, half(0))}, body...)
		}
		for _, v := range []*kir.Var{c.a, c.b, c.dst} {
			v.Type = f16.Array(10)
		}
		got := after(t, "halves", []*kir.Var{c.t}, body...)
		if test.want == "" && strings.Contains(got, "x2 ") || !strings.Contains(got, test.want) {
			t.Errorf("%s: halves leaves\n%s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestHalvesOfPixels has each lane of two pixels in a word, and leaves loops whose rounds reach each other's pixels.
func TestHalvesOfPixels(t *testing.T) {
	pair := types.Vector(types.F16, 2)
	for _, test := range []struct {
		name string
		at   int64 // of what is written
	}{{"pixels of their own", 1}, {"a pixel of the next one", 2}} {
		c := newHalvesCase()
		pixel := &kir.Var{Name: "pixel", Type: pair, Const: true}
		lane := func(l int) kir.Expr { return &kir.Lanes{Typed: kir.Typed{T: f16}, X: ref(pixel), Lanes: []int{l}} }
		at := func(by int64) kir.Expr { return op(ops.Add, op(ops.Mul, ref(c.u), num(2)), num(by)) }
		elem := func(by int64) kir.Expr {
			return &kir.Elem{Typed: kir.Typed{T: f16}, Var: c.a, Index: []kir.Expr{at(by)}}
		}
		sum := floatOp(ops.Add, elem(0), elem(1))
		body := c.loop(4, let(pixel, &kir.Vec{Typed: kir.Typed{T: pair}, Parts: []kir.Expr{sum, sum}}),
			&kir.Assign{Var: c.dst, Index: []kir.Expr{at(0)}, Value: lane(0)}, &kir.Assign{Var: c.dst, Index: []kir.Expr{at(test.at)}, Value: lane(1)})
		got := after(t, "halves", nil, body...)
		if strings.Contains(got, "f16x2 +") != (test.at == 1) || test.at == 1 && !strings.Contains(got, "dst[((u + 1) * 2) + 1] = u16~(pixel >> 16)") {
			t.Errorf("%s: halves leaves\n%s", test.name, got)
		}
	}
}

// TestLanesChangePlaces has a vector become its own lanes in another order.
func TestLanesChangePlaces(t *testing.T) {
	pair := types.Vector(types.F16, 2)
	c := newHalvesCase()
	v := &kir.Var{Name: "v", Type: pair}
	lane := func(l ...int) *kir.Lanes {
		return &kir.Lanes{Typed: kir.Typed{T: f16.WithLanes(len(l))}, X: ref(v), Lanes: l}
	}
	body := c.loop(8, let(v, &kir.Vec{Typed: kir.Typed{T: pair}, Parts: []kir.Expr{near(c.a, c.u, 0), near(c.b, c.u, 0)}}),
		&kir.Assign{Var: v, Value: lane(1, 0)}, putNear(c.dst, c.u, 0, floatOp(ops.Sub, lane(0), lane(1))))
	in := halvesRun{t: t, vars: map[*kir.Var]types.Word{}, arrays: map[*kir.Var][]types.Word{c.dst: make([]types.Word, 10)}}
	for a, first := range map[*kir.Var]float64{c.a: 1, c.b: 20} {
		for i := range 10 {
			in.arrays[a] = append(in.arrays[a], types.Word(types.Bits(types.F16, types.Float(first+float64(i*i)))))
		}
	}
	for i, bits := range in.after(halves(body)[3:], c.dst)[:8] {
		if got := types.FromBits(types.F16, uint64(bits)).Float(); got != 19 {
			t.Errorf("element %d is %v, not 19", i, got)
		}
	}
}

// TestHalvesOutside has what is not computed two at a time, and what memory gives and gets, see the bits that arrays hold.
func TestHalvesOutside(t *testing.T) {
	c := newHalvesCase()
	src := &kir.Var{Name: "src", Type: f16, Space: kir.Global, Access: kir.Reads}
	out := &kir.Var{Name: "out", Type: f16, Space: kir.Global, Access: kir.Writes}
	start := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	edge := &kir.Select{Typed: kir.Typed{T: f16}, Cond: floatOp(ops.Lt, ref(c.t), half(0)), Then: element(c.a, 1), Else: element(c.a, 0)}
	body := c.loop(8, putNear(c.dst, c.u, 0, floatOp(ops.Add, near(c.a, c.u, 0), near(c.a, c.u, 1))))
	body = append(body[:3:3], append([]kir.Stmt{
		put(c.a, 0, &kir.Load{Typed: kir.Typed{T: f16}, Buffer: src, Offset: start}),
		&kir.LoadRun{Var: c.a, Index: []kir.Expr{num(1)}, Buffer: src, Offset: start, Count: 8}, put(c.a, 0, edge), put(c.a, 9, half(1)),
	}, append(body[3:], &kir.StoreRun{Var: c.dst, Index: []kir.Expr{num(0)}, Buffer: out, Offset: start, Count: 8},
		&kir.Store{Buffer: out, Offset: start, Value: floatOp(ops.Sqrt, element(c.a, 3))})...)...)
	got := after(t, "halves", []*kir.Var{src, out, c.t}, body...)
	for _, want := range []string{
		"var a: u16[10]", "a[0] = bits u16(src[0])", "a[0] = (t < 0.0 ? a[1] : a[0])", "a[9] = 15360", "out[0] := sqrt(bits f16(a[3]))",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("halves leaves\n%s\nwithout %s", got, want)
		}
	}
}

// TestHalvesComeToTheSame computes random expressions of all operators, of numbers of all sizes, as they are and two at a time.
func TestHalvesComeToTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	made := 0
	for range 400 {
		c := newHalvesCase()
		m := &halvesMaker{c: c, rng: rng}
		held := &kir.Var{Name: "held", Type: f16, Const: true}
		less := &kir.Var{Name: "less", Type: boolean, Const: true}
		wide := &kir.Var{Name: "wide", Type: types.Scalar(types.F32), Const: true}
		body := []kir.Stmt{let(held, m.float(3)), let(less, m.truth(2)), let(wide, &kir.Convert{Typed: kir.Typed{T: wide.Type}, X: m.float(2)})}
		m.wide = wide
		m.vars, m.truths = []*kir.Var{held}, []*kir.Var{less}
		body = append(body, putNear(c.dst, c.u, 0, m.float(4)))
		in := halvesRun{t: t, vars: map[*kir.Var]types.Word{c.t: someHalf(rng)}, arrays: map[*kir.Var][]types.Word{}}
		for _, a := range []*kir.Var{c.a, c.b, c.dst} {
			in.arrays[a] = make([]types.Word, 10)
			for i := range in.arrays[a] {
				in.arrays[a][i] = someHalf(rng)
			}
		}
		list := c.loop(8, body...)[3:]
		want := in.after(list, c.dst)
		two := halves(c.loop(8, body...))
		if c.a.Type.Kind != types.U16 && c.b.Type.Kind != types.U16 && c.dst.Type.Kind != types.U16 {
			continue // nothing in it pays
		}
		made++
		for v, words := range in.arrays {
			for i := range words {
				if v.Type.Kind == types.U16 {
					words[i] = types.Word(types.Bits(types.F16, words[i]))
				}
			}
		}
		got := in.after(two[3:], c.dst)
		for i := range got {
			if c.dst.Type.Kind == types.U16 {
				got[i] = types.FromBits(types.F16, uint64(got[i]))
			}
			if x, y := got[i].Float(), want[i].Float(); got[i] != want[i] && (x == x || y == y) {
				t.Fatalf("element %d is %v, not %v, of\n%s", i, x, y, kir.ExprText(body[3].(*kir.Assign).Value))
			}
		}
	}
	if made < 200 {
		t.Errorf("%d of 400 programs are computed two at a time", made)
	}
}

// someHalf is an f16 of any size, often a special one.
func someHalf(rng *rand.Rand) types.Word {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 65504, -65504, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-24, -0x1p-14}
	switch n := rng.IntN(4); n {
	case 0:
		return types.Float(special[rng.IntN(len(special))])
	case 1:
		return types.FromBits(types.F16, uint64(rng.IntN(1<<16)))
	}
	return types.Float(types.Round(types.F16, rng.Float64()*8-4))
}

// A halvesMaker makes random expressions.
type halvesMaker struct {
	c            *halvesCase
	rng          *rand.Rand
	vars, truths []*kir.Var
	wide         *kir.Var
}

func (m *halvesMaker) float(depth int) kir.Expr {
	if depth == 0 || m.rng.IntN(8) == 0 {
		return m.leaf()
	}
	x := func() kir.Expr { return m.float(depth - 1) }
	twoArgs := []ops.Op{ops.Add, ops.Sub, ops.Mul, ops.Min, ops.Max, ops.Step, ops.Div, ops.Pow}
	threeArgs := []ops.Op{ops.Fma, ops.Mix, ops.Clamp}
	switch m.rng.IntN(8) {
	case 0:
		return floatOp([]ops.Op{ops.Neg, ops.Abs, ops.Sqrt, ops.Floor}[m.rng.IntN(4)], x())
	case 1:
		return floatOp(threeArgs[m.rng.IntN(len(threeArgs))], x(), x(), x())
	case 2, 3:
		return &kir.Select{Typed: kir.Typed{T: f16}, Cond: m.truth(depth - 1), Then: x(), Else: x(), Lazy: m.rng.IntN(2) == 0}
	case 4:
		return floatOp(ops.Div, x(), half([]float64{2, -0.25, 3, 0x1p-20}[m.rng.IntN(4)]))
	}
	return floatOp(twoArgs[m.rng.IntN(len(twoArgs))], x(), x())
}

func (m *halvesMaker) leaf() kir.Expr {
	switch n := m.rng.IntN(6); {
	case n == 0:
		return ref(m.c.t)
	case n == 1:
		return half(someHalf(m.rng).Float())
	case n == 2 && len(m.vars) > 0:
		return ref(m.vars[0])
	case n == 5 && m.wide != nil:
		twice := &kir.Op{Typed: kir.Typed{T: m.wide.Type}, Op: ops.Add, Args: []kir.Expr{ref(m.wide), ref(m.wide)}}
		return &kir.Convert{Typed: kir.Typed{T: f16}, X: twice}
	case n == 3:
		return near(m.c.b, m.c.u, m.rng.Int64N(3))
	}
	return near(m.c.a, m.c.u, m.rng.Int64N(3))
}

func (m *halvesMaker) truth(depth int) kir.Expr {
	if len(m.truths) > 0 && m.rng.IntN(4) == 0 {
		return ref(m.truths[0])
	}
	if depth > 0 {
		switch m.rng.IntN(4) {
		case 2:
			return floatOp(ops.IsNan, m.float(depth-1))
		case 0:
			return floatOp(ops.Not, m.truth(depth-1))
		case 1:
			return floatOp([]ops.Op{ops.LAnd, ops.LOr}[m.rng.IntN(2)], m.truth(depth-1), m.truth(depth-1))
		}
	}
	compare := []ops.Op{ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge}
	return floatOp(compare[m.rng.IntN(len(compare))], m.float(max(depth-1, 0)), m.leaf())
}

// A halvesRun computes loops, by the operators that the interpreter computes with.
type halvesRun struct {
	t      *testing.T
	vars   map[*kir.Var]types.Word
	arrays map[*kir.Var][]types.Word
}

// after is what an array holds then.
func (r halvesRun) after(list []kir.Stmt, array *kir.Var) []types.Word {
	r.run(list)
	return append([]types.Word(nil), r.arrays[array]...)
}

func (r halvesRun) run(list []kir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *kir.For:
			for n := r.eval(s.Lo).Int(); n < r.eval(s.Hi).Int(); n += s.Step {
				r.vars[s.Var] = types.Int(n)
				r.run(s.Body)
			}
		case *kir.Decl:
			if s.Init != nil {
				r.vars[s.Var] = r.eval(s.Init)
			}
		case *kir.Assign:
			if len(s.Index) == 0 {
				r.vars[s.Var] = r.eval(s.Value)
			} else {
				r.arrays[s.Var][r.eval(s.Index[0]).Int()] = r.eval(s.Value)
			}
		default:
			r.t.Fatalf("a loop has a %T", s)
		}
	}
}

func (r halvesRun) eval(e kir.Expr) types.Word {
	switch e := e.(type) {
	case *kir.Const:
		return e.Words[0]
	case *kir.Ref:
		return r.vars[e.Var]
	case *kir.Elem:
		return r.arrays[e.Var][r.eval(e.Index[0]).Int()]
	case *kir.Select:
		if r.eval(e.Cond) != 0 {
			return r.eval(e.Then)
		}
		return r.eval(e.Else)
	case *kir.Convert:
		if from := e.X.Type().Kind; e.How == kir.Bitcast {
			return types.Bitcast(r.eval(e.X), from, e.T.Kind)
		} else {
			return types.Convert(r.eval(e.X), from, e.T.Kind)
		}
	case *kir.Op:
		return ops.Eval(e.Op, e.Args[0].Type().Kind, r.all(e.Args)...)
	case *kir.Halves:
		return r.halves(e)
	}
	r.t.Fatalf("a loop has %s", kir.ExprText(e))
	return 0
}

func (r halvesRun) all(list []kir.Expr) []types.Word {
	out := make([]types.Word, len(list))
	for i, e := range list {
		out[i] = r.eval(e)
	}
	return out
}

// halves computes each half of words by itself.
func (r halvesRun) halves(e *kir.Halves) types.Word {
	words, out := r.all(e.Args), uint64(0)
	for at := 0; at < 32; at += 16 {
		in := make([]types.Word, len(words))
		for i, w := range words {
			in[i] = types.FromBits(e.Kind, uint64(w)>>at&0xffff)
		}
		result := ops.Eval(e.Op, e.Kind, in...)
		bits := types.Bits(e.Kind, result)
		if e.Op.Info().Result == ops.Truth {
			bits = uint64(result) * 0xffff
		}
		out |= bits << at
	}
	return types.Word(out)
}
