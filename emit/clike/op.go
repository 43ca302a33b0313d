package clike

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// op translates an operator. Integers under 32 bits are computed in int, and f16 and bf16 in f32, and brought back.
func (s *scope) op(e *kir.Op) Form {
	t := e.Args[0].Type()
	if e.Op == ops.Clamp {
		return s.clamp(e)
	}
	if t.Lanes > 1 {
		return s.vectorOp(e, t)
	}
	k := t.Kind
	if e.Natural && k.Bits() >= 32 && !e.Short {
		return s.expr(natural(e))
	}
	if fused := s.fusing(e, k); fused != nil {
		return s.op(fused)
	}
	if f, ok := s.short(e); ok {
		return f
	}
	if f, ok := s.narrowSupport(e, k); ok {
		return f
	}
	forms := make([]Form, len(e.Args))
	contracted := s.contracted(e, k)
	for i, a := range e.Args {
		if i == contracted {
			forms[i] = s.unrounded(a.(*kir.Op), k)
		} else if forms[i] = s.expr(a); e.Negated>>i&1 != 0 && s.Dialect.Opaque != "" {
			forms[i] = Form{X: ctree.CallTo(s.Use(s.Dialect.Opaque+"_"+k.String()), s.value(a)), Kind: k}
		}
	}
	if small(k) && (e.Op == ops.Popcount || e.Op == ops.Clz) {
		return s.smallBits(e.Op, k, forms[0])
	}
	if sp := s.Dialect.spelling(e.Op, k, true); small(k) && sp.Call != "" && sameKind(forms, k) {
		gives := k
		if s.Dialect.Promotes {
			gives = types.I32
		}
		return Form{X: ctree.CallTo(sp.Call, xs(forms)...), Kind: gives} // the least and greatest of small integers as they are
	}
	sp := s.Dialect.spelling(e.Op, computed(k), e.Exact || small(k) && !wrapsInInt[e.Op])
	f := s.apply(sp, e.Op, computed(k), k, forms)
	if e.Op.Info().Result == ops.Same {
		f = s.narrow(f, e.Op, k, e.Exact)
	}
	return f
}

// natural is a division of what is not negative: by a power of two a shift, and for the rest the bits below, by others one of unsigned integers.
// Compilers of devices mostly cannot tell that no sign has to be seen to.
func natural(e *kir.Op) kir.Expr {
	k := e.T.Kind
	if c, ok := e.Args[1].(*kir.Const); ok {
		if n := c.Words[0].Int(); n&(n-1) == 0 {
			op, by := ops.Shr, int64(bits.TrailingZeros64(uint64(n)))
			if e.Op == ops.Rem {
				op, by = ops.And, n-1
			}
			right := &kir.Const{Typed: e.Typed, Words: []types.Word{types.Int(by)}}
			return &kir.Op{Typed: e.Typed, Op: op, Args: []kir.Expr{e.Args[0], right}, Exact: true}
		}
	}
	as := func(k types.Kind, x kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(k)}, X: x, Exact: true}
	}
	u := unsignedOf(k)
	return as(k, &kir.Op{Typed: kir.Typed{T: types.Scalar(u)}, Op: e.Op, Args: []kir.Expr{as(u, e.Args[0]), as(u, e.Args[1])}, Exact: true})
}

// fusing is a sum or difference one of whose sides is a product by 2, or a difference with a square, in one operation; nil for all else. The language's compiler would make a sum of the
// former first, and computes the latter once for all that have it, so that a difference takes two operations: of Mandelbrot's set, whose squares the next round has again, 86.2 us on an H200,
// and 83.1 with the difference in one operation; with their sum as well 90.6.
func (s *scope) fusing(e *kir.Op, k types.Kind) *kir.Op {
	if !s.Dialect.FusesProducts || k != types.F32 && k != types.F64 || e.Op != ops.Add && e.Op != ops.Sub {
		return nil
	}
	minus := func(x kir.Expr) kir.Expr {
		if e.Op == ops.Add {
			return x
		}
		return &kir.Op{Typed: e.Typed, Op: ops.Neg, Args: []kir.Expr{x}, Exact: true}
	}
	fma := func(product *kir.Op, a, c kir.Expr) *kir.Op {
		return &kir.Op{Typed: e.Typed, Op: ops.Fma, Args: []kir.Expr{a, product.Args[1], c}, Exact: true}
	}
	suits := func(p *kir.Op) bool { return p != nil && (doubling(p) || e.Op == ops.Sub && squaring(p)) }
	if p := productIn(e.Args[0]); suits(p) {
		return fma(p, p.Args[0], minus(e.Args[1]))
	}
	if p := productIn(e.Args[1]); suits(p) {
		return fma(p, minus(p.Args[0]), e.Args[0])
	}
	return nil
}

// contracted is which operand of a sum or difference is a product that is rounded with it; -1 for none. Of two products it is the second: the modes that allow it say that a multiplication and an addition may be
// one operation. Products of f16 and bf16 are exact in f32, and a rounding is two conversions: a layer of halves took 2.44 ms through OpenCL on an H100 with one behind each product, and 1.61.
func (s *scope) contracted(e *kir.Op, k types.Kind) int {
	if !s.Dialect.Contracts || !Narrow(k) || e.Op != ops.Add && e.Op != ops.Sub {
		return -1
	}
	for i := len(e.Args) - 1; i >= 0; i-- {
		if p := productIn(e.Args[i]); p != nil {
			return i
		}
	}
	return -1
}

// unrounded is a product of scalars of kind k in the kind that they are computed in.
func (s *scope) unrounded(p *kir.Op, k types.Kind) Form {
	return s.apply(s.Dialect.spelling(p.Op, computed(k), p.Exact), p.Op, computed(k), k, []Form{s.expr(p.Args[0]), s.expr(p.Args[1])})
}

// productIn is an expression that is a product; nil for all else.
func productIn(e kir.Expr) *kir.Op {
	if p, ok := e.(*kir.Op); ok && p.Op == ops.Mul {
		return p
	}
	return nil
}

// doubling reports whether a product is by 2 or -2.
func doubling(p *kir.Op) bool {
	return slices.ContainsFunc(p.Args, func(x kir.Expr) bool {
		c, ok := x.(*kir.Const)
		return ok && len(c.Words) == 1 && math.Abs(c.Words[0].Float()) == 2
	})
}

// squaring reports whether a product is of a variable with itself.
func squaring(p *kir.Op) bool {
	x, ok := p.Args[0].(*kir.Ref)
	y, same := p.Args[1].(*kir.Ref)
	return ok && same && x.Var == y.Var
}

// short is a product of integers of 24 bits, or the sum of one and another integer, a distance of integers, a quotient or remainder of small ones, or of floats of
// ordinary sizes, where there are functions for these.
func (s *scope) short(e *kir.Op) (f Form, ok bool) {
	call := func(name string, args ...kir.Expr) (Form, bool) {
		return Form{X: ctree.CallTo(name, s.args(args)...), Kind: types.I32}, true
	}
	name, has := s.Dialect.ShortFloats[e.Op]
	switch {
	case e.Short && e.Op == ops.Abs:
		if d, ok := e.Args[0].(*kir.Op); ok && d.Op == ops.Sub { // what has become a variable since is like others
			return call(s.Use(s.Dialect.AbsDifference), d.Args...)
		}
	case e.Short && kir.DividesShort(e.Op, e.T):
		return call(s.Use(ctree.HelperPrefix+opWord(e.Op)+"_short_i32"), e.Args...)
	case e.Short && e.T.Kind.IsFloat():
		if has {
			return Form{X: ctree.CallTo(s.Use(name), s.args(e.Args)...), Kind: Held(e.T.Kind)}, true
		}
	case e.Short && e.T.Kind == types.I64:
		if s.Dialect.LineProduct != "" {
			return Form{X: ctree.CallTo(s.Use(s.Dialect.LineProduct), s.args(e.Args)...), Kind: types.I64}, true
		}
	case s.Dialect.ShortProduct == "":
	case e.Short:
		return call(s.Dialect.ShortProduct, e.Args...)
	case e.Op == ops.Add && e.Exact && e.T == types.Scalar(types.I32):
		for i, a := range e.Args {
			if p, ok := a.(*kir.Op); ok && p.Short && p.Op == ops.Mul {
				return call(s.Dialect.ShortSum, p.Args[0], p.Args[1], e.Args[1-i])
			}
		}
	}
	return Form{}, false
}

func sameKind(forms []Form, k types.Kind) bool {
	for _, f := range forms {
		if f.Kind != k {
			return false
		}
	}
	return true
}

func small(k types.Kind) bool { return k.IsInt() && k.Bits() < 32 }

// wrapsInInt lists the operators that reach C's undefined cases even on integers under 32 bits: 65535 * 65535, x / 0.
var wrapsInInt = map[ops.Op]bool{
	ops.Mul: true, ops.Div: true, ops.Rem: true, ops.Mod: true, ops.FloorDiv: true, ops.Shl: true, ops.Shr: true,
}

// clamp is min(max(x, lo), hi), which is defined for every lo and hi.
func (s *scope) clamp(e *kir.Op) Form {
	inner := &kir.Op{Typed: e.Typed, Op: ops.Max, Args: e.Args[:2], Exact: true}
	return s.op(&kir.Op{Typed: e.Typed, Op: ops.Min, Args: []kir.Expr{inner, e.Args[2]}, Exact: true})
}

// narrowSupport is a support function for just this operator on f16 or bf16, where there is one.
func (s *scope) narrowSupport(e *kir.Op, k types.Kind) (Form, bool) {
	name := supportName(e.Op, k)
	if k == Held(k) || !s.Dialect.Support.Has(name) {
		return Form{}, false
	}
	return Form{X: ctree.CallTo(s.Use(name), s.args(e.Args)...), Kind: Held(k)}, true
}

func supportName(op ops.Op, k types.Kind) string {
	return ctree.HelperPrefix + opWord(op) + "_" + k.String()
}

// smallBits counts in an integer under 32 bits by way of int.
func (s *scope) smallBits(op ops.Op, k types.Kind, f Form) Form {
	bits := s.cast(f, f.Kind)
	if k.IsSigned() {
		bits = s.cast(f, unsignedOf(k))
	}
	f = s.apply(s.Dialect.spelling(op, types.I32, true), op, types.I32, types.I32, []Form{bits})
	if op == ops.Clz {
		f.X = ctree.Op2("-", f.X, s.Dialect.integer(types.I32, types.Int(int64(32-k.Bits()))).X)
	}
	return f
}

// apply writes a scalar operator on forms whose values are of kind k, computed in kind c.
func (s *scope) apply(sp Spelling, op ops.Op, c, k types.Kind, args []Form) Form {
	gives := sp.Gives
	if gives == types.Invalid {
		gives = c
	}
	if op.Info().Result == ops.Truth {
		gives = types.Bool
	}
	if sp.Masked {
		args[1] = s.masked(args[1], k)
	}
	switch {
	case sp.Support != "":
		x := ctree.CallTo(s.Use(strings.ReplaceAll(sp.Support, "$", c.String())), xs(args)...)
		return Form{X: x, Kind: gives}
	case sp.Call != "":
		for i := range args {
			args[i] = s.cast(args[i], c)
		}
		x := ctree.CallTo(sp.Call+s.Dialect.CallSuffix[c], xs(args)...)
		return s.result(x, gives, op, c)
	case sp.Wraps:
		return s.wrapping(sp, op, c, args)
	case sp.Prefix != "":
		return Form{X: &ctree.Unary{Op: sp.Prefix, X: s.operand(args[0], c)}, Kind: gives}
	case sp.Infix != "":
		return s.infix(sp.Infix, op, c, gives, args)
	case sp.Same:
		return args[0]
	}
	panic(fmt.Sprintf("internal error: operator %s of %s has no spelling", op, k))
}

func xs(fs []Form) []ctree.Expr {
	out := make([]ctree.Expr, len(fs))
	for i, f := range fs {
		out[i] = f.X
	}
	return out
}

// result brings what a built-in returns to the kind that the operator has: an absolute value is unsigned, a count is as wide as
// its operand.
func (s *scope) result(x ctree.Expr, gives types.Kind, op ops.Op, c types.Kind) Form {
	want := c
	switch op.Info().Result {
	case ops.Truth:
		want = types.Bool
	case ops.Index:
		want = types.I32
	}
	return s.cast(Form{X: x, Kind: gives}, want)
}

// operand is the single operand of a prefix operator.
func (s *scope) operand(f Form, c types.Kind) ctree.Expr {
	if c.IsInt() && types.Promote(f.Kind) == c {
		return f.X
	}
	return s.cast(f, c).X
}

func (s *scope) infix(sign string, op ops.Op, c, gives types.Kind, args []Form) Form {
	a, b := args[0], args[1]
	switch {
	case op == ops.Shl || op == ops.Shr:
		a.X = s.operand(a, c)
	case c.IsInt():
		a, b, _ = s.meet(a, b, c, op.Info().Result == ops.Truth)
	}
	if l, ok := b.X.(ctree.Lit); ok && op == ops.Add && strings.HasPrefix(string(l), "-") {
		sign, b.X = "-", l[1:] // x + -1 is x - 1
	}
	return Form{X: ctree.Op2(sign, a.X, b.X), Kind: gives}
}

// wrapping computes in the unsigned kind, which wraps, and converts back.
func (s *scope) wrapping(sp Spelling, op ops.Op, c types.Kind, args []Form) Form {
	u := unsignedOf(c)
	a := s.cast(args[0], u)
	var x ctree.Expr
	switch {
	case sp.Prefix != "":
		x = &ctree.Unary{Op: sp.Prefix, X: a.X}
	case op == ops.Shl:
		x = ctree.Op2(sp.Infix, a.X, args[1].X)
	default:
		x = ctree.Op2(sp.Infix, a.X, s.cast(args[1], u).X)
	}
	f := s.cast(Form{X: x, Kind: u}, c)
	f.twin = x
	return f
}

// masked takes a shift count modulo the width of the shifted kind.
func (s *scope) masked(count Form, k types.Kind) Form {
	last := s.Dialect.integer(types.I32, types.Int(int64(k.Bits()-1)))
	if count.Kind.Bits() > 32 || count.Kind == types.U32 {
		last = s.cast(last, count.Kind)
	}
	return Form{X: ctree.Op2("&", count.X, last.X), Kind: usual(count.Kind, last.Kind)}
}

// keeps lists the operators whose result on f16 or bf16 is one without rounding.
var keeps = map[ops.Op]bool{
	ops.Neg: true, ops.Abs: true, ops.Sign: true, ops.Min: true, ops.Max: true, ops.Floor: true, ops.Ceil: true, ops.Round: true,
	ops.Trunc: true, ops.Step: true, ops.Rem: true,
}

// narrow brings a result that was computed in a wider kind back to kind k.
func (s *scope) narrow(f Form, op ops.Op, k types.Kind, exact bool) Form {
	switch {
	case k == computed(k):
		return f
	case k.IsFloat():
		if keeps[op] {
			return f
		}
		return Form{X: ctree.CallTo(s.Use(ctree.HelperPrefix+k.String()), f.X), Kind: f.Kind}
	case exact || op == ops.Min || op == ops.Max || op == ops.Sign:
		return f
	}
	return s.cast(f, k)
}

// vectorOp translates an operator on whole vectors.
func (s *scope) vectorOp(e *kir.Op, t types.Type) Form {
	k := t.Kind
	exact := e.Exact || small(k) // vector lanes do not get promoted: they wrap
	sp := s.Dialect.spelling(e.Op, k, exact)
	args := make([]ctree.Expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.typed(a)
	}
	if !s.Dialect.Vectors {
		return Form{X: s.byLanes(e, t, sp, args), Kind: heldOf(t)}
	}
	if sp.Infix != "" && !sp.Wraps && s.Dialect.Broadcast {
		s.broadcast(e.Args, args)
	}
	var x ctree.Expr
	switch {
	case e.Short || sp.Scalars || sp.Support != "" || small(k) && wrapsInInt[e.Op] && !e.Exact:
		x = ctree.CallTo(s.wrapper(e, t), args...)
	case sp.Wraps:
		x = s.vectorWrapping(sp, t, args)
	case sp.Call != "":
		x = ctree.CallTo(sp.Call, args...)
	case sp.Prefix != "":
		x = &ctree.Unary{Op: sp.Prefix, X: args[0]}
	case sp.Infix != "":
		x = ctree.Op2(sp.Infix, args[0], args[1])
	case sp.Same:
		x = args[0]
	default:
		panic(fmt.Sprintf("internal error: operator %s of %s has no spelling", e.Op, t))
	}
	return Form{X: x, Kind: heldOf(t)}
}

// broadcast writes one operand of two as a scalar where all its lanes are equal, and says which; -1 for none.
func (s *scope) broadcast(es []kir.Expr, args []ctree.Expr) int {
	for i, other := range []int{1, 0} {
		x := uniform(es[i])
		if x == nil || uniform(es[other]) != nil {
			continue
		}
		f := s.expr(x)
		if args[i] = f.X; !isLit(f.X) {
			args[i] = s.cast(f, heldOf(x.Type())).X
		}
		return i
	}
	return -1
}

func isLit(x ctree.Expr) bool {
	_, ok := x.(ctree.Lit)
	return ok
}

// uniform is the scalar that all lanes of a vector are equal to; nil where that is not plain.
func uniform(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Vec:
		if len(e.Parts) == 1 {
			return e.Parts[0]
		}
	case *kir.Const:
		for _, w := range e.Words {
			if w != e.Words[0] {
				return nil
			}
		}
		return &kir.Const{Typed: kir.Typed{T: e.T.WithLanes(1)}, Words: e.Words[:1]}
	}
	return nil
}

func (s *scope) vectorWrapping(sp Spelling, t types.Type, args []ctree.Expr) ctree.Expr {
	u := t.WithKind(unsignedOf(t.Kind))
	for i, a := range args {
		args[i] = s.vectorConvert(t, u, kir.Bitcast, true, a)
	}
	x := ctree.Expr(&ctree.Unary{Op: sp.Prefix, X: args[0]})
	if sp.Prefix == "" {
		x = ctree.Op2(sp.Infix, args[0], args[1])
	}
	return s.vectorConvert(u, t, kir.Bitcast, true, x)
}

// opWord is a word for an operator in the name of a function.
func opWord(op ops.Op) string {
	if op.Info().Call {
		return op.String()
	}
	return opWords[op]
}

var opWords = map[ops.Op]string{
	ops.Neg: "neg", ops.Not: "not", ops.BitNot: "bitnot", ops.Add: "add", ops.Sub: "sub", ops.Mul: "mul", ops.Div: "div",
	ops.Rem: "rem", ops.And: "and", ops.Or: "or", ops.Xor: "xor", ops.Shl: "shl", ops.Shr: "shr", ops.LAnd: "land", ops.LOr: "lor",
	ops.Eq: "eq", ops.Ne: "ne", ops.Lt: "lt", ops.Le: "le", ops.Gt: "gt", ops.Ge: "ge",
}
