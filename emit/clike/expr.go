package clike

import (
	"fmt"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A scope translates the statements of one block: what its names are, and where they were given.
type scope struct {
	*Unit
	names  *ctree.Namer
	vars   map[*kir.Var]string // of the whole function
	host   func(v *kir.Var) ctree.Expr
	kernel *kir.Kernel // nil in a func
	// choices are how many constants each constant follows from one after the other, by conditions.
	choices map[*kir.Var]int
	// columns are the numbers of pixels in their lines at which the statements at hand read aligned vectors of a buffer.
	columns map[*kir.Var]map[string]bool
}

func (s *scope) inner() *scope {
	in := *s
	in.names = s.names.Inner()
	return &in
}

// declare names a variable of the block.
func (s *scope) declare(v *kir.Var) string {
	name := s.names.Give(v.Name)
	s.vars[v] = name
	return name
}

// variable is a variable as an expression.
func (s *scope) variable(v *kir.Var) ctree.Expr {
	if s.host != nil {
		return s.host(v)
	}
	if name, ok := s.vars[v]; ok {
		return ctree.Name(name)
	}
	if name, ok := s.globals[v]; ok {
		return ctree.Name(name)
	}
	panic(fmt.Sprintf("internal error: %s is used where it is not declared", v.Name))
}

// value translates an expression where C converts to the type that is wanted by itself: an initializer, an assignment, an index,
// an argument of a function with a prototype.
func (s *scope) value(e kir.Expr) ctree.Expr { return s.expr(e).X }

// typed translates an expression to one that has just the C type of its kind, as overloaded functions want it.
func (s *scope) typed(e kir.Expr) ctree.Expr {
	f := s.expr(e)
	if e.Type().Lanes > 1 {
		return f.X
	}
	return s.cast(f, heldOf(e.Type())).X
}

// expr translates an expression.
func (s *scope) expr(e kir.Expr) Form {
	if e.Type().Kind == types.F64 {
		s.double = true
	}
	if f := s.wide(e); f.X != nil {
		return f
	}
	held := heldOf(e.Type())
	switch e := e.(type) {
	case *kir.Const:
		return s.constant(e.T, e.Words)
	case *kir.Ref:
		return Form{X: s.variable(e.Var), Kind: held}
	case *kir.Op:
		return s.op(e)
	case *kir.Convert:
		return s.convert(e)
	case *kir.Select:
		return s.choose(e)
	case *kir.Vec:
		return s.vector(e)
	case *kir.Lanes:
		return Form{X: s.lanes(e), Kind: heldOf(e.X.Type())}
	case *kir.Elem:
		return s.elem(e)
	case *kir.Load:
		return s.load(e)
	case *kir.FourBytes:
		args := []ctree.Expr{s.variable(e.Var), s.value(e.At)}
		if len(e.Index) > 0 {
			args[0] = ctree.At(args[0], s.args(e.Index)...)
		}
		return Form{X: ctree.CallTo(s.Use(s.Dialect.FourBytes), args...), Kind: types.U32}
	case *kir.Dot4:
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Dot4), s.value(e.Bytes), s.value(e.Weights), s.value(e.Acc)), Kind: types.I32}
	case *kir.Pairs:
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Pairs[e.Op]), s.value(e.X), s.value(e.Y), s.value(e.Acc)), Kind: types.I32}
	case *kir.Dot2:
		weights := ctree.Lit(fmt.Sprintf("0x%04x%s", e.Selector(), s.Dialect.Suffix[types.U32]))
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Dot2), s.value(e.Halves), weights, s.value(e.Acc)), Kind: types.I32}
	case *kir.Permute:
		take := ctree.Lit(fmt.Sprintf("0x%04x%s", e.Selector(), s.Dialect.Suffix[types.U32]))
		function := s.Dialect.Permute
		if e.Signs {
			function = s.Dialect.Signs
		}
		return Form{X: ctree.CallTo(s.Use(function), s.value(e.Low), s.value(e.High), take), Kind: types.U32}
	case *kir.Halves:
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Halves[e.Kind][e.Op]), s.args(e.Args)...), Kind: types.U32}
	case *kir.Shuffle:
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Shuffle), s.typed(e.X), ctree.Lit(fmt.Sprint(e.By))), Kind: held}
	case *kir.Joined:
		return Form{X: ctree.CallTo(s.Use(s.Dialect.Joined[e.Op]+"_"+e.T.Kind.String()), s.typed(e.X)), Kind: held}
	case *kir.Call:
		return Form{X: ctree.CallTo(s.globals[e.Func], s.args(e.Args)...), Kind: held}
	case *kir.GlobalID:
		return Form{X: s.Dialect.GlobalID(s.kernel, e.Dim), Kind: types.I32}
	case *kir.LocalID:
		return Form{X: s.Dialect.LocalID(e.Dim), Kind: types.I32}
	case *kir.GroupID:
		return Form{X: s.Dialect.GroupID(s.kernel, e.Dim), Kind: types.I32}
	}
	panic(fmt.Sprintf("internal error: no C for %T", e))
}

func (s *scope) args(es []kir.Expr) []ctree.Expr {
	out := make([]ctree.Expr, len(es))
	for i, e := range es {
		out[i] = s.value(e)
	}
	return out
}

func laneNames(lanes []int) string {
	var b strings.Builder
	for _, l := range lanes {
		b.WriteByte("xyzw"[l])
	}
	return b.String()
}

func (s *scope) vector(e *kir.Vec) Form {
	held := heldOf(e.T)
	parts := make([]ctree.Expr, len(e.Parts))
	for i, p := range e.Parts {
		parts[i] = s.as(s.expr(p), held)
	}
	return Form{X: s.Dialect.Construct(s.Unit, held, int(e.T.Lanes), parts), Kind: held}
}

func (s *scope) elem(e *kir.Elem) Form {
	held := heldOf(e.T)
	if e.Var.Space != kir.Private && held == types.Bool {
		held = types.U8
	}
	if wider, ok := s.heldAs[e.Var]; ok {
		held = wider
	}
	if e.T != e.Var.Type.Elem() {
		first := &ctree.Unary{Op: "&", X: ctree.At(s.variable(e.Var), s.args(e.Index)...)}
		return Form{X: s.Dialect.LocalVector(e.T, first), Kind: held}
	}
	return Form{X: ctree.At(s.variable(e.Var), s.args(e.Index)...), Kind: held}
}

func (s *scope) load(e *kir.Load) Form {
	if e.Aligned {
		place, pixel := s.pixel(e.Buffer, e.Offset, e.T)
		if len(s.columns[e.Buffer]) < 2 { // no line is shared, and the place is one sum, of which the product by the pitch is a part
			place, pixel = Address(s.variable(e.Buffer), s.value(e.Offset)), nil
		}
		return s.Dialect.AlignedLoad(s.Unit, e.T, place, pixel)
	}
	buffer, offset := s.variable(e.Buffer), s.value(e.Offset)
	if e.Buffer.Access&kir.Shared != 0 {
		return Form{X: s.Dialect.SharedLoad(s.Unit, e.T.Kind, Address(buffer, offset)), Kind: heldOf(e.T)}
	}
	if s.Dialect.Load != nil {
		if f := s.Dialect.Load(s.Unit, e.T, buffer, offset); f.X != nil {
			return f
		}
	}
	return Form{X: ctree.At(buffer, offset), Kind: heldOf(e.T)}
}

// pixel is where an aligned vector of type t lies: the number of a pixel where the offset is one and the start of a line, so that pixels of a line
// share where it starts, and compilers see vectors. Of sums of components, NVIDIA's (of CUDA 13) loses that those of a vector lie side by side, and
// stores them one by one.
func (s *scope) pixel(buffer *kir.Var, offset kir.Expr, t types.Type) (place, pixel ctree.Expr) {
	place = s.variable(buffer)
	start, number := numbered(offset, t)
	switch {
	case number == nil:
		return Address(place, s.value(offset)), nil
	case start != nil:
		place = Address(place, s.value(start))
	}
	return place, s.value(number)
}

// numbered takes the offset of a vector of type t apart: where its line starts, nil for 0, and the number of the pixel in it; both are nil where the
// offset is no such sum.
func numbered(offset kir.Expr, t types.Type) (start, number kir.Expr) {
	rest := offset
	if sum, ok := offset.(*kir.Op); ok && sum.Op == ops.Add {
		start, rest = sum.Args[0], sum.Args[1]
	}
	if number = multiplied(rest, int64(t.Lanes)); number == nil {
		return nil, nil
	}
	return start, number
}

// findColumns notes the columns of a list of statements, without those inside of them.
func (s *scope) findColumns(list []kir.Stmt) {
	s.columns = map[*kir.Var]map[string]bool{}
	note := func(e kir.Expr) {
		l, ok := e.(*kir.Load)
		if !ok || !l.Aligned {
			return
		}
		if _, number := numbered(l.Offset, l.T); number != nil {
			if s.columns[l.Buffer] == nil {
				s.columns[l.Buffer] = map[string]bool{}
			}
			s.columns[l.Buffer][kir.ExprText(number)] = true
		}
	}
	for _, st := range list {
		for _, e := range kir.Exprs(st) {
			kir.Walk(e, note)
		}
	}
}

// multiplied is what a product multiplies by n; nil of anything else.
func multiplied(e kir.Expr, n int64) kir.Expr {
	p, ok := e.(*kir.Op)
	if !ok || p.Op != ops.Mul || !p.Exact {
		return nil
	}
	if c, ok := p.Args[1].(*kir.Const); ok && c.T.IsScalar() && c.Words[0].Int() == n {
		return p.Args[0]
	}
	return nil
}

// choose translates a conditional. The arms of ?: are brought to the C kind that the result has.
func (s *scope) choose(e *kir.Select) Form {
	held := heldOf(e.T)
	if e.Cond.Type().Lanes > 1 {
		return Form{X: s.Dialect.Mask(s.Unit, e.T, s.typed(e.Cond), s.typed(e.Then), s.typed(e.Else)), Kind: held}
	}
	cond := s.value(e.Cond)
	if e.T.Lanes > 1 || !e.T.Kind.IsInt() {
		return Form{X: &ctree.Cond{C: cond, Then: s.typed(e.Then), Else: s.typed(e.Else)}, Kind: held}
	}
	a, b, k := s.meet(s.expr(e.Then), s.expr(e.Else), computed(e.T.Kind), true)
	return Form{X: &ctree.Cond{C: cond, Then: a.X, Else: b.X}, Kind: k}
}

// usual is the kind in which C computes an operator on integers of two kinds.
func usual(a, b types.Kind) types.Kind {
	a, b = types.Promote(a), types.Promote(b)
	switch {
	case a == b || a.Bits() > b.Bits():
		return a
	case b.Bits() > a.Bits():
		return b
	case a.IsUnsigned():
		return a
	}
	return b
}

// meet brings two integer forms to kinds for which C computes in kind k, with as few casts as that takes. Where loose, any kind
// that holds both values will do.
func (s *scope) meet(a, b Form, k types.Kind, loose bool) (Form, Form, types.Kind) {
	u := usual(a.Kind, b.Kind)
	if u == k || loose && holds(a.Kind, u) && holds(b.Kind, u) {
		return a, b, u
	}
	if _, lit := b.X.(ctree.Lit); lit && usual(a.Kind, k) == k && a.Kind != types.Bool {
		return a, s.cast(b, k), k
	}
	a = s.cast(a, k)
	if usual(k, b.Kind) != k {
		b = s.cast(b, k)
	}
	return a, b, k
}

func holds(from, to types.Kind) bool { return from == to || types.Holds(from, to) }
