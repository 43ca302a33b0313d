package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// What the tests of followers are written with: a parameter that may be anything, variables and an array.
var (
	anyI32   = &kir.Var{Name: "n", Type: i32T, Const: true}
	anyTruth = &kir.Var{Name: "c", Type: boolType, Const: true}
	aScalar  = &kir.Var{Name: "x", Type: i32T}
	anArray  = &kir.Var{Name: "a", Type: i32T.Array(4)}
	aRow     = &kir.Var{Name: "row", Type: types.Scalar(types.I32).Array(4), Space: kir.Local}
	pixels   = &kir.Var{Name: "src", Type: types.Scalar(types.U16), Space: kir.Global, Access: kir.Reads, Const: true}
	signed   = &kir.Var{Name: "from", Type: types.Scalar(types.I16), Space: kir.Global, Access: kir.Reads, Const: true}
)

func elem(v *kir.Var, at int64) kir.Expr {
	return &kir.Elem{Typed: kir.Typed{T: v.Type.Elem()}, Var: v, Index: []kir.Expr{i32(at)}}
}

func pixelOf(v *kir.Var) kir.Expr {
	return convert(&kir.Load{Typed: kir.Typed{T: v.Type}, Buffer: v, Offset: i64(0)}, types.I32)
}

func set(v *kir.Var, e kir.Expr) kir.Stmt { return &kir.Assign{Var: v, Value: e} }

func setAt(v *kir.Var, at int64, e kir.Expr) kir.Stmt {
	return &kir.Assign{Var: v, Index: []kir.Expr{i32(at)}, Value: e}
}

func open(op ops.Op, args ...kir.Expr) *kir.Op {
	return &kir.Op{Typed: kir.Typed{T: i32T}, Op: op, Args: args}
}

func sure(op ops.Op, args ...kir.Expr) *kir.Op {
	e := open(op, args...)
	e.Exact = true
	return e
}

func when(then ...kir.Stmt) kir.Stmt { return &kir.If{Cond: ref(anyTruth), Then: then} }

func counted(lo, hi kir.Expr, body ...kir.Stmt) *kir.For {
	return &kir.For{Var: &kir.Var{Name: "i", Type: i32T, Const: true}, Lo: lo, Hi: hi, Step: 1, Body: body}
}

// TestFollowing asks of a division by 4, half of what stands in a body, whether what it divides is known not to be negative.
func TestFollowing(t *testing.T) {
	quarter := func(x kir.Expr) (kir.Stmt, *kir.Op) {
		e := open(ops.Div, x, i32(4))
		return &kir.Decl{Var: &kir.Var{Name: "q", Type: i32T, Const: true}, Init: e}, e
	}
	array := func(list ...kir.Stmt) []kir.Stmt { return append([]kir.Stmt{&kir.Decl{Var: anArray}}, list...) }
	scalar := func(list ...kir.Stmt) []kir.Stmt {
		return append([]kir.Stmt{&kir.Decl{Var: aScalar, Init: i32(1)}}, list...)
	}
	local := func(list ...kir.Stmt) []kir.Stmt { return append([]kir.Stmt{&kir.Decl{Var: aRow}}, list...) }
	ofArray, a := quarter(elem(anArray, 1))
	ofScalar, x := quarter(ref(aScalar))
	ofRow, r := quarter(elem(aRow, 1))
	run := func(from *kir.Var) kir.Stmt {
		return &kir.LoadRun{Var: anArray, Index: []kir.Expr{i32(0)}, Buffer: from, Offset: i64(0), Count: 4}
	}
	bits := &kir.Convert{Typed: kir.Typed{T: i32T}, X: constant(types.Scalar(types.U32), []types.Word{1}, ""), How: kir.Bitcast}
	out := &kir.Func{Name: "f", Out: anArray}
	for _, c := range []struct {
		name string
		body []kir.Stmt
		of   *kir.Op
		want bool
	}{
		{"a pixel", array(setAt(anArray, 1, pixelOf(pixels)), ofArray), a, true},
		{"a pixel that may be negative", array(setAt(anArray, 1, pixelOf(signed)), ofArray), a, false},
		{"another element is negative", array(setAt(anArray, 1, pixelOf(pixels)), setAt(anArray, 0, i32(-1)), ofArray), a, false},
		{"what is stored later", array(setAt(anArray, 1, i32(3)), ofArray, setAt(anArray, 1, i32(-1))), a, true},
		{"what a later round finds", array(setAt(anArray, 1, i32(3)), counted(i32(0), i32(2), ofArray, setAt(anArray, 1, i32(-1)))), a, false},
		{"what the last round leaves", array(setAt(anArray, 1, i32(3)), counted(i32(0), i32(1), ofArray, setAt(anArray, 1, i32(-1)))), a, true},
		{"any number of rounds", array(setAt(anArray, 1, i32(3)), counted(i32(0), ref(anyI32), ofArray, setAt(anArray, 1, i32(-1)))), a, false},
		{"a sum of known rounds", array(setAt(anArray, 1, i32(0)),
			counted(i32(0), i32(9), setAt(anArray, 1, open(ops.Add, elem(anArray, 1), pixelOf(pixels)))), ofArray), a, true},
		{"a sum that may wrap", scalar(counted(i32(0), ref(anyI32), set(aScalar, open(ops.Add, ref(aScalar), pixelOf(pixels)))), ofScalar), x, false},
		{"a sum that does not", scalar(counted(i32(0), ref(anyI32), set(aScalar, sure(ops.Add, ref(aScalar), pixelOf(pixels)))), ofScalar), x, true},
		{"a difference that does not", scalar(counted(i32(0), ref(anyI32), set(aScalar, sure(ops.Sub, ref(aScalar), pixelOf(pixels)))), ofScalar), x, false},
		{"one side of a branch", scalar(when(set(aScalar, i32(-1))), ofScalar), x, false},
		{"a side that stores what the other does not", scalar(&kir.If{Cond: ref(anyTruth), Then: []kir.Stmt{set(aScalar, i32(5))}, Else: []kir.Stmt{set(aScalar, i32(-1))}}, ofScalar), x, false},
		{"both sides of a branch", scalar(set(aScalar, i32(-1)), &kir.If{Cond: ref(anyTruth), Then: []kir.Stmt{set(aScalar, i32(5))}, Else: []kir.Stmt{set(aScalar, i32(7))}}, ofScalar), x, true},
		{"one side of a branch in a branch", scalar(set(aScalar, i32(-1)), when(set(aScalar, i32(3)), when(set(aScalar, i32(5)))), set(aScalar, open(ops.Add, ref(aScalar), i32(1))), ofScalar), x, true},
		{"what was there before a branch in a branch", scalar(when(set(aScalar, i32(3)), when(set(aScalar, i32(-5)), set(aScalar, i32(5))), set(aScalar, open(ops.Sub, ref(aScalar), i32(4)))), ofScalar), x, false},
		{"a side that begins with what was before", scalar(&kir.If{Cond: ref(anyTruth), Then: []kir.Stmt{set(aScalar, i32(-5)), set(aScalar, i32(2))}, Else: []kir.Stmt{ofScalar}}), x, true},
		{"the side that is always taken", scalar(set(aScalar, i32(-1)), &kir.If{Cond: open(ops.Lt, i32(2), i32(3)), Then: []kir.Stmt{set(aScalar, i32(5))}}, ofScalar), x, true},
		{"a branch that leaves", scalar(when(set(aScalar, i32(-1)), &kir.Return{}), ofScalar), x, true},
		{"a branch that is never taken", scalar(&kir.If{Cond: open(ops.Lt, i32(3), i32(2)), Then: []kir.Stmt{set(aScalar, i32(-1))}}, ofScalar), x, true},
		{"a loop that is left", scalar(counted(i32(0), ref(anyI32), when(set(aScalar, i32(-1)), &kir.Break{})), ofScalar), x, false},
		{"a round that is left", scalar(counted(i32(0), i32(2), ofScalar, when(set(aScalar, i32(-1)), &kir.Continue{}), set(aScalar, i32(1)))), x, false},
		{"a while", scalar(&kir.While{Cond: ref(anyTruth), Body: []kir.Stmt{ofScalar, set(aScalar, open(ops.Sub, ref(aScalar), i32(1)))}}), x, false},
		{"a new value", scalar(set(aScalar, i32(-1)), set(aScalar, i32(2)), ofScalar), x, true},
		{"one expression at two places", scalar(ofScalar, set(aScalar, i32(-1)), ofScalar), x, false},
		{"a run of pixels", array(run(&kir.Var{Name: "p", Type: i32T, Space: kir.Global}), ofArray), a, false},
		{"what a func computes", array(setAt(anArray, 1, i32(1)), &kir.CallInto{Func: out, Out: anArray}, ofArray), a, false},
		{"what an item stores", local(&kir.Store{Buffer: aRow, Offset: i64(0), Value: i32(5)}, ofRow), r, true},
		{"what another item stores at any time", local(setAt(aRow, 1, i32(5)), ofRow, &kir.Barrier{}, setAt(aRow, 1, i32(-5))), r, false},
		{"what items count", local(setAt(aRow, 1, i32(5)), &kir.Atomic{Op: ops.Add, Buffer: aRow, Offset: i64(0), Value: i32(1)}, ofRow), r, false},
		{"what one item of another makes", local(setAt(aRow, 1, i32(5)), ofRow, setAt(aRow, 0, open(ops.Sub, elem(aRow, 1), i32(3)))), r, false},
		{"bits of another kind", array(setAt(anArray, 1, bits), ofArray), a, false},
		{"a shift that goes round", array(setAt(anArray, 1, open(ops.Shr, ref(anyI32), i32(40))), ofArray), a, false},
	} {
		l := newLowering(&hast.Program{}, Options{})
		got := l.followed(c.body, nil, nil)[c.of].natural
		if got != c.want {
			t.Errorf("%s: followed is %v, not %v", c.name, got, c.want)
		}
	}
}

// TestFollowingMarksConversions finds those of elements that fit, and only these.
func TestFollowingMarksConversions(t *testing.T) {
	for _, c := range []struct {
		most int64
		want bool
	}{{255, true}, {256, false}} {
		e := &kir.Convert{Typed: kir.Typed{T: types.Scalar(types.U8)}, X: elem(anArray, 0), How: kir.Saturate}
		body := []kir.Stmt{
			&kir.Decl{Var: anArray}, counted(i32(0), i32(3), setAt(anArray, 1, i32(0)), setAt(anArray, 2, i32(c.most))),
			&kir.Decl{Var: &kir.Var{Name: "b", Type: e.T, Const: true}, Init: e},
		}
		l := newLowering(&hast.Program{}, Options{})
		if got := l.followed(body, nil, nil)[e].exact; got != c.want {
			t.Errorf("a byte of 0 to %d is exact: %v", c.most, got)
		}
	}
}

// TestFollowedDivisionsAreOfThatKind makes divisions that round down those of C where that is the same.
func TestFollowedDivisionsAreOfThatKind(t *testing.T) {
	e, other := open(ops.FloorDiv, i32(7), i32(2)), open(ops.Mod, i32(-7), i32(2))
	k := &kir.Kernel{Body: []kir.Stmt{
		&kir.Decl{Var: &kir.Var{Name: "p", Type: i32T, Const: true}, Init: e},
		&kir.Decl{Var: &kir.Var{Name: "q", Type: i32T, Const: true}, Init: other},
	}}
	l := newLowering(&hast.Program{}, Options{})
	l.out.Kernels = append(l.out.Kernels, k)
	l.follow()
	if e.Op != ops.Div || !e.Natural || !e.Exact {
		t.Errorf("7 by 2 is %v, natural %v, exact %v", e.Op, e.Natural, e.Exact)
	}
	if other.Op != ops.Mod || other.Natural {
		t.Errorf("-7 modulo 2 is %v, natural %v", other.Op, other.Natural)
	}
}

// TestFollowingHoldsEveryRun runs random bodies on random numbers, and holds what is computed against the marks.
func TestFollowingHoldsEveryRun(t *testing.T) {
	marked := 0
	for seed := range uint64(3000) {
		g := &bodies{rng: rand.New(rand.NewPCG(seed, 7))}
		body := append([]kir.Stmt{
			&kir.Decl{Var: aScalar, Init: i32(g.rng.Int64N(5))}, &kir.Decl{Var: anArray},
			setAt(anArray, 0, i32(0)), setAt(anArray, 1, i32(1)), setAt(anArray, 2, sure(ops.And, ref(anyI32), i32(255))), setAt(anArray, 3, i32(4)),
		}, g.list(3, false)...)
		l := newLowering(&hast.Program{}, Options{})
		marks := l.followed(body, nil, nil)
		for e, m := range marks {
			if o, ok := e.(*kir.Op); ok && (m.natural || m.exact && o.Op != ops.Min && o.Op != ops.Max) {
				marked++
			}
		}
		for range 20 {
			r := &runner{marks: marks, vars: map[*kir.Var]int64{anyI32: g.rng.Int64N(9) - 4, anyTruth: g.rng.Int64N(2)}}
			if g.rng.IntN(4) == 0 {
				r.vars[anyI32] = int64(int32(g.rng.Uint32()))
			}
			r.run(body)
			if r.wrong != "" {
				t.Fatalf("seed %d: %s\n%s", seed, r.wrong, kir.Dump(&kir.Program{Kernels: []*kir.Kernel{{Name: "k", Body: body}}}))
			}
		}
	}
	if marked < 1000 {
		t.Errorf("only %d expressions are marked", marked)
	}
}

// bodies makes random statements.
type bodies struct {
	rng  *rand.Rand
	vars []*kir.Var // of loops around
}

func (g *bodies) expr(depth int) kir.Expr {
	if depth == 0 || g.rng.IntN(5) == 0 {
		switch g.rng.IntN(6) {
		case 0:
			return i32(g.rng.Int64N(9) - 2)
		case 1:
			return ref(aScalar)
		case 2:
			if len(g.vars) > 0 {
				return ref(g.vars[g.rng.IntN(len(g.vars))])
			}
			return ref(anyI32)
		case 3:
			return sure(ops.And, ref(anyI32), i32(255))
		}
		return elem(anArray, g.rng.Int64N(4))
	}
	op := []ops.Op{ops.Add, ops.Add, ops.Sub, ops.Mul, ops.Div, ops.FloorDiv, ops.Rem, ops.Mod, ops.Min, ops.Max, ops.Shr}[g.rng.IntN(11)]
	x := g.expr(depth - 1)
	if op == ops.Shr || op != ops.Add && op != ops.Sub && g.rng.IntN(2) == 0 {
		return open(op, x, i32(1+g.rng.Int64N(3)))
	}
	return open(op, x, g.expr(depth-1))
}

func (g *bodies) list(depth int, looped bool) []kir.Stmt {
	var out []kir.Stmt
	for range 1 + g.rng.IntN(3) {
		out = append(out, g.stmt(depth, looped))
	}
	return out
}

func (g *bodies) stmt(depth int, looped bool) kir.Stmt {
	kind := g.rng.IntN(9)
	if depth == 0 {
		kind = g.rng.IntN(4)
	}
	switch kind {
	case 0, 1:
		return set(aScalar, g.expr(3))
	case 2, 3:
		return setAt(anArray, g.rng.Int64N(4), g.expr(3))
	case 4, 5:
		cond := &kir.Op{Typed: kir.Typed{T: boolType}, Op: []ops.Op{ops.Lt, ops.Le, ops.Gt, ops.Ge, ops.Eq}[g.rng.IntN(5)], Args: []kir.Expr{g.expr(1), g.expr(1)}}
		s := &kir.If{Cond: cond, Then: g.list(depth-1, looped), Else: g.list(depth-1, looped)}
		if looped && g.rng.IntN(3) == 0 {
			s.Then = append(s.Then, []kir.Stmt{&kir.Break{}, &kir.Continue{}, &kir.Return{}}[g.rng.IntN(3)])
		}
		return s
	}
	hi := i32(g.rng.Int64N(5))
	if g.rng.IntN(2) == 0 {
		hi = open(ops.Min, ref(anyI32), i32(6))
	}
	s := counted(i32(g.rng.Int64N(3)-1), hi)
	g.vars = append(g.vars, s.Var)
	s.Body = g.list(depth-1, true)
	g.vars = g.vars[:len(g.vars)-1]
	return s
}

// A runner runs statements on numbers.
type runner struct {
	marks map[kir.Expr]mark
	vars  map[*kir.Var]int64
	array [4]int64
	wrong string
}

// run returns the statement that leaves the list, nil for none.
func (r *runner) run(list []kir.Stmt) kir.Stmt {
	for _, s := range list {
		switch s := s.(type) {
		case *kir.Decl:
			if s.Init != nil {
				r.vars[s.Var] = r.eval(s.Init)
			}
		case *kir.Assign:
			if v := r.eval(s.Value); len(s.Index) > 0 {
				r.array[r.eval(s.Index[0])] = v
			} else {
				r.vars[s.Var] = v
			}
		case *kir.If:
			side := s.Else
			if r.eval(s.Cond) != 0 {
				side = s.Then
			}
			if out := r.run(side); out != nil {
				return out
			}
		case *kir.For:
		loop:
			for i := r.eval(s.Lo); i < r.eval(s.Hi); i++ {
				r.vars[s.Var] = i
				switch out := r.run(s.Body); out.(type) {
				case *kir.Break:
					break loop
				case *kir.Return:
					return out
				}
			}
		default:
			return s
		}
	}
	return nil
}

func (r *runner) eval(e kir.Expr) int64 {
	switch e := e.(type) {
	case *kir.Const:
		return e.Words[0].Int()
	case *kir.Ref:
		return r.vars[e.Var]
	case *kir.Elem:
		return r.array[r.eval(e.Index[0])]
	case *kir.Op:
		in := make([]types.Word, len(e.Args))
		for i, a := range e.Args {
			in[i] = types.Int(r.eval(a))
		}
		got := ops.Eval(e.Op, types.I32, in...).Int()
		m := r.marks[e]
		if m.exact && e.Op.Info().Result != ops.Truth && got != ops.Eval(e.Op, types.I64, in...).Int() || m.natural && (in[0].Int() < 0 || in[1].Int() < 1) {
			r.wrong = fmt.Sprintf("%s of %v is marked %+v", kir.ExprText(e), in, m)
		}
		return got
	}
	panic("an expression that no body has")
}

// TestFollowingManyBranches follows as many variables and branches as large bodies that are written out have: the time goes with their number, not with its square, which
// would be a minute.
func TestFollowingManyBranches(t *testing.T) {
	var body []kir.Stmt
	var last *kir.Op
	for range 20000 {
		v := &kir.Var{Name: "v", Type: i32T}
		last = open(ops.Div, ref(v), i32(4))
		body = append(body, &kir.Decl{Var: v, Init: i32(-1)},
			&kir.If{Cond: ref(anyTruth), Then: []kir.Stmt{set(v, i32(1))}, Else: []kir.Stmt{set(v, i32(2))}},
			&kir.Decl{Var: &kir.Var{Name: "q", Type: i32T, Const: true}, Init: last})
	}
	if l := newLowering(&hast.Program{}, Options{}); !l.followed(body, nil, nil)[last].natural {
		t.Error("what both sides of the last branch store is not known not to be negative")
	}
}
