package interp

import (
	"math"
	"math/rand/v2"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A generator makes random expressions and statements of given types. What it makes is typed as sema would type it, but no
// more sensible than chance.
type generator struct {
	*rand.Rand
	vars   []*hast.Var // what may be read
	images []*hast.Image
	funcs  []*hast.Func
	depth  int // of expressions
}

func pickOne[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// interesting are values where operators have edges.
var interesting = []float64{0, 1, -1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 127, 128, 255, 256, 32767, 65535, 1 << 24, 1<<31 - 1, -1 << 31,
	1 << 40, -1 << 63, math.MaxInt64, 0.5, -0.5, 1.5, 2.5, math.Copysign(0, -1), 1e-8, 1e30, 1e300, math.Inf(1), math.Inf(-1), math.NaN(),
	math.Pi, -2.75}

func (g *generator) word(k types.Kind) types.Word {
	if g.IntN(3) == 0 && !k.IsFloat() {
		return types.FromBits(k, g.Uint64())
	}
	return wordOf(k, pickOne(g, interesting)*float64(1+g.IntN(2)))
}

func (g *generator) constant(t types.Type) hast.Expr {
	words := make([]types.Word, t.Words())
	for i := range words {
		words[i] = g.word(t.Kind)
	}
	return constant(t, words...)
}

// randomType is a scalar mostly, else a vector or a small array.
func (g *generator) randomType() types.Type {
	t := types.Vector(pickOne(g, types.Kinds), 1)
	switch g.IntN(8) {
	case 0, 1:
		t.Lanes = uint8(2 + g.IntN(3))
	case 2:
		t = t.Array(1 + g.IntN(3))
	case 3:
		t = t.Array(1+g.IntN(3), 1+g.IntN(3))
	case 4:
		t = types.Vector(t.Kind, 2).Array(2)
	}
	return t
}

// expr makes an expression of type t.
func (g *generator) expr(t types.Type) hast.Expr {
	if g.depth <= 0 {
		return g.leaf(t)
	}
	g.depth--
	defer func() { g.depth++ }()
	makers := []func(types.Type) hast.Expr{
		g.leaf, g.operator, g.operator, g.operator, g.operator, g.conversion, g.choice, g.parts, g.reduce, g.element, g.load, g.load,
		g.shape, g.call, g.swizzle, g.whole,
	}
	for {
		if e := pickOne(g, makers)(t); e != nil {
			return e
		}
	}
}

func (g *generator) leaf(t types.Type) hast.Expr {
	var fitting []*hast.Var
	for _, v := range g.vars {
		if v.Type == t {
			fitting = append(fitting, v)
		}
	}
	if len(fitting) > 0 && g.IntN(3) > 0 {
		return ref(pickOne(g, fitting))
	}
	return g.constant(t)
}

func (g *generator) operator(t types.Type) hast.Expr {
	o := pickOne(g, ops.AllOps())
	info, from := o.Info(), t
	switch {
	case isWhole(o):
		return nil
	case info.Result == ops.Truth && t.Kind == types.Bool:
		from = t.WithKind(pickOne(g, types.Kinds))
	case info.Result == ops.Index && t.Kind == types.I32:
		from = t.WithKind(pickOne(g, []types.Kind{types.U8, types.I32, types.I64, types.U32, types.U64}))
	case info.Result != ops.Same:
		return nil
	}
	if !ops.Defined(o, from.Kind) {
		return nil
	}
	args := make([]hast.Expr, info.Arity)
	for i := range args {
		args[i] = g.expr(from)
	}
	if (o == ops.Shl || o == ops.Shr) && g.IntN(2) == 0 {
		args[1] = g.expr(from.WithKind(pickOne(g, []types.Kind{types.U8, types.I32, types.U64})))
	}
	return &hast.Op{Typed: typed(t), Op: o, Args: args}
}

func (g *generator) conversion(t types.Type) hast.Expr {
	from := pickOne(g, types.Kinds)
	e := &hast.Convert{Typed: typed(t), X: g.expr(t.WithKind(from)), How: hast.How(g.IntN(3))}
	if e.How == hast.Bitcast && (from.Bits() != t.Kind.Bits() || from.IsFloat() && t.Kind != from || from == types.Bool || t.Kind == types.Bool) {
		e.How = hast.Wrap // the bits of a NaN are not defined
	}
	return e
}

func (g *generator) choice(t types.Type) hast.Expr {
	cond := tBool
	if t.Lanes > 1 && g.IntN(2) == 0 {
		cond = t.WithKind(types.Bool)
	}
	return &hast.Select{Typed: typed(t), Cond: g.expr(cond), Then: g.expr(t), Else: g.expr(t)}
}

func (g *generator) parts(t types.Type) hast.Expr {
	if t.IsScalar() {
		return nil
	}
	part, n := t.Elem(), t.Len()
	if !t.IsArray() {
		part, n = types.Scalar(t.Kind), int(t.Lanes)
	}
	if g.IntN(3) == 0 {
		return &hast.Splat{Typed: typed(t), X: g.expr(part)}
	}
	var list []hast.Expr
	for range n {
		list = append(list, g.expr(part))
	}
	if t.IsArray() {
		return &hast.Array{Typed: typed(t), Elems: list}
	}
	return &hast.Vec{Typed: typed(t), Parts: list}
}

func (g *generator) index() hast.Expr {
	if g.IntN(2) == 0 {
		return i32(int64(g.IntN(4)) - 1)
	}
	return g.leaf(tI32)
}

func (g *generator) element(t types.Type) hast.Expr {
	if t.IsArray() {
		return nil
	}
	if g.IntN(3) == 0 { // as sema has it where a proof says so
		n := 1 + g.IntN(4)
		within := op(ops.Clamp, g.leaf(tI32), i32(0), i32(int64(n-1)))
		return &hast.Elem{Typed: typed(t), X: g.expr(t.Array(n)), Index: []hast.Expr{within}, InRange: true}
	}
	if g.IntN(2) == 0 {
		return elem(g.expr(t.Array(1+g.IntN(4))), g.index())
	}
	return elem(g.expr(t.Array(1+g.IntN(3), 1+g.IntN(3))), g.index(), g.index())
}

func (g *generator) swizzle(t types.Type) hast.Expr {
	if t.IsArray() {
		return nil
	}
	from := types.Vector(t.Kind, 2+g.IntN(3))
	e := &hast.Swizzle{Typed: typed(t), X: g.expr(from)}
	for range t.Lanes {
		e.Lanes = append(e.Lanes, g.IntN(int(from.Lanes)))
	}
	return e
}

func (g *generator) whole(t types.Type) hast.Expr {
	o := pickOne(g, []ops.Op{ops.Dot, ops.Cross, ops.Length, ops.Normalize, ops.Any, ops.All})
	from := types.Vector(t.Kind, 3)
	switch o.Info().Result {
	case ops.Same:
		if t.IsArray() || t.Lanes < 3 {
			return nil
		}
		from = t
	default:
		if t.Lanes > 1 {
			return nil
		}
		from.Rank, from.Dims = t.Rank, t.Dims
	}
	if !ops.Defined(o, from.Kind) {
		return nil
	}
	var args []hast.Expr
	for range o.Info().Arity {
		args = append(args, g.expr(from))
	}
	return &hast.Op{Typed: typed(t), Op: o, Args: args}
}

// shape makes what turns one array into another.
func (g *generator) shape(t types.Type) hast.Expr {
	if t.Rank != 2 {
		if t.Rank == 1 {
			return &hast.Reshape{Typed: typed(t), X: g.expr(t.Elem().Array(int(t.Dims[0]), 1))}
		}
		return nil
	}
	rows, cols := int(t.Dims[0]), int(t.Dims[1])
	if g.IntN(2) == 0 || t.Lanes > 1 || t.Kind == types.Bool {
		return &hast.Transpose{Typed: typed(t), X: g.expr(t.Elem().Array(cols, rows))}
	}
	inner := 1 + g.IntN(3)
	return &hast.MatMul{Typed: typed(t), X: g.expr(t.Elem().Array(rows, inner)), Y: g.expr(t.Elem().Array(inner, cols))}
}

func (g *generator) rule(t types.Type) *hast.Rule {
	r := &hast.Rule{Kind: hast.RuleKind(g.IntN(len(hast.RuleNames)))}
	if r.Kind == hast.Constant {
		r.Value = g.constant(t)
	}
	return r
}

// coordinate stays where the naive folding, step by step, is quick.
func (g *generator) coordinate() hast.Coord {
	x := hast.Expr(op(ops.Clamp, g.expr(tI32), i32(-40), i32(40)))
	if g.IntN(3) > 0 {
		x = add(g.smallVar(), i32(int64(g.IntN(20)-10)))
	}
	return hast.Coord{X: x, Below: true, Above: true}
}

// smallVar is the first iterator or loop variable, whose values are small.
func (g *generator) smallVar() hast.Expr {
	for {
		if v := pickOne(g, g.vars); v.Class == hast.Iterator || v.Class == hast.Loop {
			return ref(v)
		}
	}
}

func (g *generator) load(t types.Type) hast.Expr {
	if g.images == nil {
		return nil
	}
	m := pickOne(g, g.images)
	if m.Elem != t.Elem() {
		return nil
	}
	rule := g.rule(m.Elem)
	if !t.IsArray() {
		e := &hast.Load{Typed: typed(t), Image: m, Rule: rule}
		for range m.Extent {
			e.Index = append(e.Index, g.coordinate())
		}
		return e
	}
	if int(t.Rank) > m.Rank() {
		return nil
	}
	e := &hast.Window{Typed: typed(t), Image: m, Rule: rule}
	for axis := range m.Extent {
		ax := hast.WindowAxis{Start: g.coordinate(), Count: 1, Stride: 1}
		if left := m.Rank() - axis; left <= int(t.Rank) {
			ax.Count, ax.Stride, ax.Colon = int(t.Dims[int(t.Rank)-left]), 1+g.IntN(3), true
		}
		e.Axes = append(e.Axes, ax)
	}
	return e
}

func (g *generator) space() hast.Space {
	s := hast.Space{Vars: []*hast.Var{loopVar("i"), loopVar("j")}}
	if g.IntN(2) == 0 {
		for range g.IntN(4) {
			s.Points = append(s.Points, []int64{int64(g.IntN(5) - 2), int64(g.IntN(5) - 2)})
		}
		if s.Points == nil {
			s.Points = [][]int64{}
		}
		return s
	}
	bound := func() hast.Expr {
		if g.IntN(3) == 0 {
			return op(ops.Clamp, g.leaf(tI32), i32(-2), i32(2))
		}
		return i32(int64(g.IntN(5) - 2))
	}
	for range s.Vars {
		step := int64(1 + g.IntN(2))
		if g.IntN(4) == 0 {
			step = -step
		}
		s.Ranges = append(s.Ranges, hast.Range{Lo: bound(), Hi: bound(), Step: step})
	}
	return s
}

func (g *generator) reduce(t types.Type) hast.Expr {
	if t.IsArray() {
		return nil
	}
	e := &hast.Reduce{Typed: typed(t), Op: hast.ReduceOp(g.IntN(len(hast.ReduceNames))), Space: g.space()}
	element := t
	switch e.Op {
	case hast.Any, hast.All:
		if t.Kind != types.Bool {
			return nil
		}
	case hast.Count:
		if t.Kind != types.I32 {
			return nil
		}
		element = t.WithKind(types.Bool)
	case hast.ArgMin, hast.ArgMax:
		if t != types.Vector(types.I32, 2) {
			return nil
		}
		element = types.Scalar(pickOne(g, types.Kinds[1:]))
	case hast.Mean:
		if t.Kind != types.F32 && t.Kind != types.F64 {
			return nil
		}
	case hast.Fold:
		return g.fold(e)
	default:
		if t.Kind == types.Bool {
			return nil
		}
	}
	if (e.Op == hast.Sum || e.Op == hast.Product) && t.Kind.IsFloat() && e.Space.Points == nil && g.IntN(2) == 0 {
		e.Ways = 2 << g.IntN(3)
	}
	outer := g.vars
	g.vars = append(g.vars[:len(g.vars):len(g.vars)], e.Space.Vars...)
	defer func() { g.vars = outer }()
	e.Elem = g.expr(element)
	if g.IntN(3) == 0 {
		e.Where = g.expr(tBool)
	}
	return e
}

func (g *generator) fold(e *hast.Reduce) hast.Expr {
	for _, f := range g.funcs {
		if f.Result == e.T && len(f.Params) == 2 && f.Params[0].Type == e.T {
			e.Func, e.Init = f, g.expr(e.T)
			outer := g.vars
			g.vars = append(g.vars[:len(g.vars):len(g.vars)], e.Space.Vars...)
			e.Elem = g.expr(f.Params[1].Type)
			g.vars = outer
			return e
		}
	}
	return nil
}

func (g *generator) call(t types.Type) hast.Expr {
	for _, f := range g.funcs {
		if f.Result != t {
			continue
		}
		e := &hast.Call{Typed: typed(t), Func: f}
		for _, p := range f.Params {
			e.Args = append(e.Args, g.expr(p.Type))
		}
		return e
	}
	return nil
}

// stmts makes statements that end, with a few variables of their own.
func (g *generator) stmts(n, nest int, inLoop bool) (list []hast.Stmt) {
	outer := g.vars
	for range n {
		list = append(list, g.stmt(nest, inLoop)...)
	}
	g.vars = outer
	return list
}

func (g *generator) stmt(nest int, inLoop bool) []hast.Stmt {
	kind := g.IntN(8)
	if nest == 0 {
		kind = g.IntN(4)
	}
	switch kind {
	case 0, 1:
		t := g.randomType()
		v := newVar("v", t, hast.Mutable)
		s := &hast.Define{Var: v, Init: g.expr(t)}
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], v)
		return []hast.Stmt{s}
	case 2, 3:
		return g.set()
	case 4:
		return []hast.Stmt{&hast.If{Cond: g.expr(tBool), Then: g.stmts(2, nest-1, inLoop), Else: g.stmts(1, nest-1, inLoop)}}
	case 5:
		s := &hast.For{Space: g.space()}
		outer := g.vars
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], s.Space.Vars...)
		s.Body = g.stmts(2, nest-1, true)
		g.vars = outer
		return []hast.Stmt{s}
	case 6:
		return g.while(nest)
	}
	if !inLoop {
		return nil
	}
	way := hast.Stmt(&hast.Break{})
	if g.IntN(2) == 0 {
		way = &hast.Continue{}
	}
	return []hast.Stmt{&hast.If{Cond: g.expr(tBool), Then: []hast.Stmt{way}}}
}

func (g *generator) set() []hast.Stmt {
	for range 4 {
		v := pickOne(g, g.vars)
		if v.Class != hast.Mutable {
			continue
		}
		if shape := v.Type.Shape(); shape != nil && g.IntN(2) == 0 {
			s := &hast.Set{Var: v, Value: g.expr(v.Type.Elem())}
			for range shape {
				s.Index = append(s.Index, g.index())
			}
			return []hast.Stmt{s}
		}
		return []hast.Stmt{&hast.Set{Var: v, Value: g.expr(v.Type)}}
	}
	return nil
}

// while counts down first, so that it ends whatever the body does.
func (g *generator) while(nest int) []hast.Stmt {
	left := newVar("left", tI32, hast.Value) // not Mutable: out of reach of random assignments
	less := &hast.Set{Var: left, Value: op(ops.Sub, ref(left), i32(1))}
	return []hast.Stmt{
		&hast.Define{Var: left, Init: i32(int64(g.IntN(4)))},
		&hast.While{Cond: op(ops.Gt, ref(left), i32(0)), Body: append([]hast.Stmt{less}, g.stmts(2, nest-1, true)...)},
	}
}

// function makes a func of the given type: statements, an early return, a last one.
func (g *generator) function(name string, result types.Type, params ...types.Type) *hast.Func {
	f := &hast.Func{Name: name, Result: result}
	outer, images := g.vars, g.images
	g.vars, g.images = nil, nil
	for _, t := range params {
		v := newVar("p", t, hast.FuncParam)
		f.Params = append(f.Params, v)
		g.vars = append(g.vars, v)
	}
	i := loopVar("i")
	g.vars = append(g.vars, i)
	body := append(g.stmts(2, 1, true), &hast.If{Cond: g.expr(tBool), Then: []hast.Stmt{&hast.Return{Value: g.expr(result)}}})
	f.Body = []hast.Stmt{
		&hast.For{Space: hast.Space{Vars: []*hast.Var{i}, Ranges: []hast.Range{upTo(i32(2))}}, Body: body},
		&hast.Return{Value: constant(result, make([]types.Word, result.Words())...)},
	}
	g.vars, g.images = outer, images
	g.funcs = append(g.funcs, f)
	return f
}
