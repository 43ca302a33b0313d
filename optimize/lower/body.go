package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A body lowers the statements of one kernel or func.
type body struct {
	*lowering
	kernel *kernelBuilder // nil in a func
	vars   map[*hast.Var]kir.Expr
	bounds map[*kir.Var]interval.Interval
	spans  map[*kir.Var]span     // of floats, and of all elements of arrays of them
	limits map[*kir.Var]kir.Expr // of a variable that counts up: what it stays below
	ids    map[*kir.Var]int
	home   map[*kir.Var]*scope // where a variable is declared
	scope  *scope
	pos    source.Span // of the statement being lowered
	repeats
	patches map[hast.Expr][]spot      // pixels that the statements at hand read side by side
	totals  map[*hast.Reduce]kir.Expr // results that are there already
	given   map[hast.Expr]kir.Expr    // values that are there already
	out     *kir.Var                  // the array that a func returns in
	unroll  int                       // Options.Unroll, or what the stage's schedule says
	rounds  kir.Rounds                // what loops over blocks ask of the target's compiler
	safe    bool                      // the pixel that is being loaded is there whatever conditions say
	loops   int                       // loops over ranges that the statement being lowered is in
}

// A scope is a list of statements under construction. An arm holds what one side of a conditional expression needs; values
// that may be computed anywhere are declared outside of it.
type scope struct {
	parent *scope
	arm    bool
	stmts  []kir.Stmt
	memo   map[string]*kir.Var
}

func (l *lowering) newBody() *body {
	b := &body{
		lowering: l, vars: map[*hast.Var]kir.Expr{}, bounds: map[*kir.Var]interval.Interval{}, ids: map[*kir.Var]int{},
		home: map[*kir.Var]*scope{}, spans: map[*kir.Var]span{}, limits: map[*kir.Var]kir.Expr{}, unroll: l.opts.Unroll, rounds: kir.WrittenOut,
	}
	b.scope = &scope{memo: map[string]*kir.Var{}}
	return b
}

func (b *body) emit(s kir.Stmt) { b.scope.stmts = append(b.scope.stmts, s) }

func (b *body) emitAll(list []kir.Stmt) { b.scope.stmts = append(b.scope.stmts, list...) }

func (b *body) placed() kir.Placed { return kir.Placed{At: b.pos} }

// inside lowers into a new scope and returns its statements.
func (b *body) inside(arm bool, f func()) []kir.Stmt {
	b.scope = &scope{parent: b.scope, arm: arm, memo: map[string]*kir.Var{}}
	f()
	s := b.scope
	b.scope = s.parent
	return s.stmts
}

// declare adds a variable to the current scope.
func (b *body) declare(name string, t types.Type, mutable bool, init kir.Expr) *kir.Var {
	return b.declareIn(b.scope, name, t, mutable, init)
}

func (b *body) declareIn(s *scope, name string, t types.Type, mutable bool, init kir.Expr) *kir.Var {
	v := &kir.Var{Name: name, Type: t, Const: !mutable, At: b.pos}
	if init != nil && !mutable {
		b.bounds[v] = rangeOf(init, b.bounds)
		if t.Kind.IsFloat() && !t.IsArray() {
			b.spans[v] = b.spanOf(init)
		}
	}
	b.home[v] = s
	s.stmts = append(s.stmts, &kir.Decl{Placed: b.placed(), Var: v, Init: init})
	return v
}

// once returns e as something that costs nothing to repeat: itself where it is simple, else a variable. A value that never
// changes is declared once for its scope and all scopes inside.
func (b *body) once(name string, e kir.Expr) kir.Expr {
	if simple(e) {
		return e
	}
	if !stable(e) {
		return ref(b.declare(name, e.Type(), false, e))
	}
	k := key(e, b.ids)
	for s := b.scope; s != nil; s = s.parent {
		if v := s.memo[k]; v != nil {
			return ref(v)
		}
	}
	s := b.scope
	for s.arm && s.parent != nil && !b.uses(e, s) {
		s = s.parent
	}
	v := b.declareIn(s, name, e.Type(), false, e)
	s.memo[k] = v
	return ref(v)
}

// uses reports whether e reads a variable declared in s.
func (b *body) uses(e kir.Expr, s *scope) bool {
	found := false
	kir.Walk(e, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok && b.home[r.Var] == s {
			found = true
		}
	})
	return found
}

// sees reports whether a variable is declared in the scope at hand or around it.
func (b *body) sees(v *kir.Var) bool {
	for s := b.scope; s != nil; s = s.parent {
		if b.home[v] == s {
			return true
		}
	}
	return false
}

// op applies an operator to lowered scalars or vectors, by lanes where kir has no vector form, and marks it exact where the
// intervals of its operands allow.
func (b *body) op(t types.Type, op ops.Op, args ...kir.Expr) kir.Expr {
	if lanes := args[0].Type().Lanes; lanes > 1 && !vectorForm(op, args[0].Type().Kind, b.exact(op, args)) {
		return b.lanewise(t, int(lanes), args, func(t types.Type, part []kir.Expr) kir.Expr { return b.op(t, op, part...) })
	}
	if e := b.multiple(t, op, args); e != nil {
		return e
	}
	if e := b.unclamped(t, op, args); e != nil {
		return e
	}
	e := opExpr(t, op, args, b.exact(op, args))
	if p, ok := e.(*kir.Op); ok {
		p.Short = b.opts.Short && b.short(p) || b.opts.GPU && distance(p) || b.quotient(p)
	}
	return e
}

// distance reports whether an operator is the absolute value of a difference that does not wrap. GPUs have one instruction for both: stereo matching took 4.80 ms on
// an H200, and 4.38 with it.
func distance(p *kir.Op) bool {
	if p.Op != ops.Abs || p.T != i32T {
		return false
	}
	d, ok := p.Args[0].(*kir.Op)
	return ok && d.Op == ops.Sub && d.Exact
}

// multiple is a constant multiple of an exact sum with a constant as a sum, so that what instances next to each other read has one name: 2*(y + 1) is
// 2*y + 2, and 2*(y + 1) - 2 becomes 2*y. It is nil where any of it could wrap.
func (b *body) multiple(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	if op != ops.Mul || !t.IsScalar() || !t.Kind.IsSigned() || !b.exact(op, args) {
		return nil
	}
	for i, other := range []int{1, 0} {
		k, ok := constInt(args[i])
		base, c := offset(args[other])
		if !ok || c == 0 || k == 0 || !interval.Point(k).Within(interval.OfKind(types.I16)) {
			continue
		}
		product := slices.Clone(args)
		product[other] = base
		if interval.Point(c*k).Within(interval.OfKind(types.I32)) && b.exact(op, product) {
			return b.op(t, ops.Add, b.op(t, op, product...), intConst(t.Kind, c*k))
		}
	}
	return nil
}

// short reports whether an operator is a product of integers of 24 bits, of which none is a constant that is a power of two.
func (b *body) short(p *kir.Op) bool {
	if p.Op != ops.Mul || !p.Exact || p.T != i32T {
		return false
	}
	for _, a := range p.Args {
		c, known := constInt(a)
		if known && c&(c-1) == 0 || !rangeOf(a, b.bounds).Within(interval.Between(-1<<23, 1<<23-1)) {
			return false
		}
	}
	return true
}

// quotient reports whether an operator divides small integers by what is no constant, which takes a product of floats.
func (b *body) quotient(p *kir.Op) bool {
	if _, number := constInt(p.Args[len(p.Args)-1]); number || !p.T.IsScalar() || !kir.DividesShort(p.Op, p.T) {
		return false
	}
	return dividesShort(rangeOf(p.Args[0], b.bounds), rangeOf(p.Args[1], b.bounds))
}

func dividesShort(dividend, divisor interval.Interval) bool {
	return dividend.Within(upTo(kir.ShortDividend)) && divisor.Within(upTo(kir.ShortInteger))
}

// upTo are the integers of a magnitude of at most n.
func upTo(n int64) interval.Interval { return interval.Between(-n, n) }

// vectorForm reports whether kir applies op to whole vectors of kind k.
func vectorForm(op ops.Op, k types.Kind, exact bool) bool {
	if op.Info().Result != ops.Same || k == types.Bool || k == types.F16 || k == types.BF16 {
		return false
	}
	switch op {
	case ops.And, ops.Or, ops.Xor, ops.BitNot:
		return true
	case ops.Neg, ops.Add, ops.Sub, ops.Mul, ops.Div:
		return exact || k.IsFloat()
	}
	return k.IsFloat() && op.Info().Call
}

// lanewise computes each lane by itself.
func (b *body) lanewise(t types.Type, lanes int, args []kir.Expr, f func(t types.Type, part []kir.Expr) kir.Expr) kir.Expr {
	if lanes == 1 {
		return f(t, args)
	}
	named := make([]kir.Expr, len(args)) // what is read of memory, once for all lanes
	for j, a := range args {
		if named[j] = a; ofMemory(a) {
			named[j] = b.once("v", a)
		}
	}
	parts := make([]kir.Expr, lanes)
	for i := range parts {
		part := make([]kir.Expr, len(args))
		for j, a := range named {
			part[j] = b.lane(a, i)
		}
		parts[i] = f(t.Elem().WithLanes(1), part)
	}
	return &kir.Vec{Typed: kir.Typed{T: t}, Parts: parts}
}

// ofMemory reports whether an expression is a vector that is read of memory.
func ofMemory(e kir.Expr) bool {
	l, ok := e.(*kir.Load)
	return ok && l.T.Lanes > 1
}

// lane takes one lane; a scalar stands for all of its lanes.
func (b *body) lane(e kir.Expr, i int) kir.Expr {
	t := e.Type()
	if t.Lanes == 1 {
		return e
	}
	switch x := e.(type) {
	case *kir.Vec:
		if len(x.Parts) == 1 {
			return x.Parts[0]
		}
		return x.Parts[i]
	case *kir.Const:
		return constant(t.WithLanes(1), x.Words[i:i+1], "")
	}
	return &kir.Lanes{Typed: kir.Typed{T: t.WithLanes(1)}, X: b.once("v", e), Lanes: []int{i}}
}

// exact reports whether an integer op on these operands stays clear of wrapping, zero divisors and wide shifts.
func (b *body) exact(op ops.Op, args []kir.Expr) bool {
	k := args[0].Type().Kind
	if !k.IsInt() {
		return true
	}
	var room [mostOperands]interval.Interval
	return interval.Plain(op, k, rangesOf(room[:0], args, func(x kir.Expr) interval.Interval { return rangeOf(x, b.bounds) })...)
}

// convert changes the component kind of a lowered scalar or vector.
func (b *body) convert(t types.Type, x kir.Expr, how kir.How) kir.Expr {
	from := x.Type().Kind
	if from == t.Kind {
		return x
	}
	if c, ok := x.(*kir.Const); ok {
		return constant(t, convertWords(c.Words, from, t.Kind, how), c.Name)
	}
	if t.Lanes > 1 && (awkward(from) || awkward(t.Kind)) {
		return b.lanewise(t, int(t.Lanes), []kir.Expr{x}, func(t types.Type, part []kir.Expr) kir.Expr { return b.convert(t, part[0], how) })
	}
	exact := how != kir.Bitcast && fits(from, t.Kind, rangeOf(x, b.bounds))
	iv, known := b.converted(x, t.Kind, how)
	e := &kir.Convert{Typed: kir.Typed{T: t}, X: x, How: how, Exact: exact || known && how == kir.Wrap}
	if !known || t.Kind != types.I32 {
		return e
	}
	v := b.once("whole", e).(*kir.Ref)
	b.bounds[v.Var] = iv
	return v
}

// fits reports whether an integer kind holds all values of another one that lie in an interval.
func fits(from, to types.Kind, iv interval.Interval) bool {
	if !from.IsInt() || !to.IsInt() {
		return false
	}
	_, exact := iv.Convert(from, to)
	return exact
}

// awkward kinds have no vector conversions in the targets.
func awkward(k types.Kind) bool { return k == types.Bool || k == types.F16 || k == types.BF16 }

func convertWords(in []types.Word, from, to types.Kind, how kir.How) []types.Word {
	f := map[kir.How]func(types.Word, types.Kind, types.Kind) types.Word{
		kir.Wrap: types.Convert, kir.Saturate: types.Saturate, kir.Bitcast: types.Bitcast,
	}[how]
	out := make([]types.Word, len(in))
	for i, w := range in {
		out[i] = f(w, from, to)
	}
	return out
}

// lowerFunc lowers a func on values.
func (l *lowering) lowerFunc(f *hast.Func) *kir.Func {
	b := l.newBody()
	out := &kir.Func{Name: f.Name, Result: f.Result, At: f.At}
	for _, p := range f.Params {
		v := &kir.Var{Name: p.Name, Type: p.Type, Const: true, At: p.At}
		out.Params = append(out.Params, v)
		b.vars[p] = ref(v)
	}
	if f.Result.IsArray() {
		out.Out = &kir.Var{Name: "result", Type: f.Result}
		out.Result = types.Type{}
		b.out = out.Out
	}
	if x := f.Extern; x != nil {
		out.Foreign = &kir.Foreign{Name: x.Name, In: x.In, Place: x.Place}
		l.foreign(x)
		return out
	}
	b.stmts(f.Body)
	out.Body = b.scope.stmts
	return out
}

// foreign takes the text that an extern func comes from into the program, once.
func (l *lowering) foreign(x *hast.Extern) {
	s, _ := x.Text(l.opts.Lang)
	if !slices.ContainsFunc(l.out.Foreign, func(t *kir.ForeignText) bool { return t.Text == s.Text }) {
		l.out.Foreign = append(l.out.Foreign, &kir.ForeignText{File: s.File, Text: s.Text})
	}
}

// value is the lowered form of a hast variable.
func (b *body) value(v *hast.Var) kir.Expr {
	if e, ok := b.vars[v]; ok {
		return e
	}
	if b.kernel == nil {
		panic(fmt.Sprintf("lower: func reads %s, which is not its own", v.Name))
	}
	e := b.kernel.hostValue(v)
	b.vars[v] = e
	return e
}
