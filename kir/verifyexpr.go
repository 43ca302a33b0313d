package kir

import (
	"imgc/ops"
	"imgc/types"
)

// expect checks an expression that has to be of type t.
func (v *verifier) expect(e Expr, t types.Type, what string) {
	if e == nil {
		v.fail("%s is missing", what)
		return
	}
	v.expr(e)
	if e.Type() != t {
		v.fail("%s, %s, is of type %s, not %s", what, ExprText(e), e.Type(), t)
	}
}

// expr checks an expression that has a value: a scalar or vector.
func (v *verifier) expr(e Expr) {
	if e == nil {
		v.fail("an expression is missing")
		return
	}
	switch t := e.Type(); {
	case !proper(t):
		v.fail("%s has the type %+v, which is none", ExprText(e), t)
		return
	case t.IsArray():
		v.fail("%s of type %s stands where a value is needed", ExprText(e), t)
		return
	}
	switch e := e.(type) {
	case *Const:
		if len(e.Words) != e.T.Words() {
			v.fail("a constant of type %s has %d words", e.T, len(e.Words))
		}
	case *Ref:
		v.ref(e)
	case *Op:
		v.op(e)
	case *Convert:
		v.convert(e)
	case *Select:
		v.choice(e)
	case *Vec:
		v.vec(e)
	case *Lanes:
		v.lanes(e)
	default:
		v.deviceExpr(e)
	}
}

// deviceExpr checks the forms that only kernels and funcs have.
func (v *verifier) deviceExpr(e Expr) {
	if v.host {
		v.fail("%s is no host expression", ExprText(e))
		return
	}
	switch e := e.(type) {
	case *Elem:
		if !v.use(e.Var) {
			return
		}
		if v.index(e.Var, e.Index); e.T != e.Var.Type.Elem() && !severalOf(e.Var, e.T) {
			v.fail("an element of %s is of type %s, not %s", e.Var.Name, e.Var.Type.Elem(), e.T)
		}
		if e.Var.Space == Global {
			v.fail("%s is indexed but is a buffer", e.Var.Name)
		}
	case *Load:
		if v.buffer(e.Buffer, Reads, e.T) {
			v.wideAccess(e.Buffer, e.T, e.Stride)
			v.aligned(e.Buffer, e.T, e.Aligned)
			v.expect(e.Offset, types.Scalar(types.I64), "an offset into "+e.Buffer.Name)
		}
	case *Gather:
		if v.buffer(e.Buffer, Reads, e.T) {
			v.gather(e)
		}
	case *Interleaved:
		v.interleaved(e)
	case *Alternate:
		v.alternate(e)
	case *FourBytes:
		if v.use(e.Var) {
			v.fourBytes(e)
		}
	case *Dot4:
		u32 := types.Scalar(types.U32)
		v.expect(e.Bytes, u32, "the bytes of a dot product")
		v.expect(e.Weights, u32, "the weights of a dot product")
		if v.expect(e.Acc, types.Scalar(types.I32), "what a dot product is added to"); e.T != types.Scalar(types.I32) {
			v.fail("a dot product of bytes is of type %s", e.T)
		}
	case *Pairs:
		v.pairs(e)
	case *Dot2:
		v.dot2(e)
	case *Permute:
		v.permute(e)
	case *Halves:
		v.halves(e)
	case *Shuffle, *Joined:
		v.fail("%s stands inside of an expression", ExprText(e))
	case *Call:
		if e.Func.Out != nil || e.T != e.Func.Result {
			v.fail("a call of %s is of type %s", e.Func.Name, e.T)
		}
		v.args(e.Func, e.Args)
	case *GlobalID:
		v.id(e.T, e.Dim)
	case *LocalID:
		v.id(e.T, e.Dim)
	case *GroupID:
		v.id(e.T, e.Dim)
	default:
		v.fail("unknown expression %T", e)
	}
}

func (v *verifier) fourBytes(e *FourBytes) {
	t := e.Var.Type
	if e.Var.Space != Private || t.Kind != types.U32 || t.Lanes != 1 || int(t.Rank) != len(e.Index)+1 || e.T != types.Scalar(types.U32) {
		v.fail("four bytes of %s of type %s", e.Var.Name, t)
		return
	}
	for _, i := range e.Index {
		v.expect(i, types.Scalar(types.I32), "an index of "+e.Var.Name)
	}
	v.expect(e.At, types.Scalar(types.I32), "a place in "+e.Var.Name)
}

// id checks an index of a work-item or group.
func (v *verifier) id(t types.Type, dim int) {
	if t != types.Scalar(types.I32) || dim < 0 || dim > 2 {
		v.fail("the index of dimension %d is of type %s", dim, t)
	}
	if v.inside != nil {
		v.fail("a func asks for the work-item's index")
	}
}

func (v *verifier) ref(e *Ref) {
	if !v.use(e.Var) {
		return
	}
	if e.Var.Space != Private {
		v.fail("%s is read as a variable but is not private", e.Var.Name)
	}
	if e.T != e.Var.Type {
		v.fail("%s is of type %s, not %s", e.Var.Name, e.Var.Type, e.T)
	}
}

// mayBeShort reports whether Short has a meaning for an operator on operands of type t.
func mayBeShort(e *Op, t types.Type) bool {
	if DividesShort(e.Op, t) {
		_, constant := e.Args[1].(*Const)
		return !constant
	}
	switch e.Op {
	case ops.Mul:
		return (t == types.Scalar(types.I32) || t == types.Scalar(types.I64)) && e.Exact
	case ops.Abs:
		return t == types.Scalar(types.I32)
	case ops.Exp:
		return Wide(t)
	case ops.Max:
		return ByBits(t)
	case ops.Div:
		return t == types.Scalar(types.F32)
	case ops.Mod, ops.Rem:
		c, constant := e.Args[1].(*Const)
		return t == types.Scalar(types.F32) && constant && ShortDivisor(c.Words[0].Float())
	}
	return false
}

func (v *verifier) op(e *Op) {
	for _, a := range e.Args {
		v.expr(a)
	}
	if e.Op == ops.None || e.Op.String() == "none" || len(e.Args) != e.Op.Info().Arity {
		v.fail("%s has %d operands", e.Op, len(e.Args))
		return
	}
	t := e.Args[0].Type()
	if e.Short && !mayBeShort(e, t) {
		v.fail("%s is marked as one of small operands", ExprText(e))
	}
	if e.Natural && !(e.Exact && (e.Op == ops.Div || e.Op == ops.Rem) && t.IsScalar() && t.Kind.IsSigned()) {
		v.fail("%s is marked as a division of what is not negative", ExprText(e))
	}
	if Wide(t) {
		v.wideOp(e)
		return
	}
	if !ops.Defined(e.Op, t.Kind) {
		v.fail("%s is not defined on %s", e.Op, t)
		return
	}
	for i, a := range e.Args {
		if isCount := i == 1 && (e.Op == ops.Shl || e.Op == ops.Shr); isCount {
			if !a.Type().Kind.IsInt() || a.Type().Lanes != t.Lanes {
				v.fail("the count of %s is of type %s", ExprText(e), a.Type())
			}
		} else if a.Type() != t {
			v.fail("the operands of %s are of types %s and %s", ExprText(e), t, a.Type())
		}
	}
	if want := opType(e.Op, t); e.T != want {
		v.fail("%s is of type %s, not %s", ExprText(e), want, e.T)
	}
	if t.Lanes > 1 && !vectorForm(e.Op, t.Kind) {
		v.fail("%s applies %s to vectors of %s", ExprText(e), e.Op, t.Kind)
	}
}

// opType is the type of an op on operands of type t.
func opType(op ops.Op, t types.Type) types.Type {
	switch op.Info().Result {
	case ops.Truth:
		return t.WithKind(types.Bool)
	case ops.Index:
		return t.WithKind(types.I32)
	case ops.Scalar:
		return t.WithLanes(1)
	case ops.Flag:
		return types.Scalar(types.Bool)
	}
	return t
}

// vectorForm reports whether op may be applied to whole vectors of kind k.
func vectorForm(op ops.Op, k types.Kind) bool {
	switch op {
	case ops.Neg, ops.Add, ops.Sub, ops.Mul, ops.Div, ops.And, ops.Or, ops.Xor, ops.BitNot:
		return k != types.Bool && k != types.F16 && k != types.BF16
	case ops.Cross, ops.Normalize:
		return false
	}
	return (k == types.F32 || k == types.F64) && op.Info().Call && op.Info().Result == ops.Same
}

func (v *verifier) convert(e *Convert) {
	v.expr(e.X)
	from := e.X.Type()
	if from.Lanes != e.T.Lanes {
		v.fail("%s converts %s to %s", ExprText(e), from, e.T)
	}
	if e.How == Bitcast && from.Kind.Bits() != e.T.Kind.Bits() {
		v.fail("%s takes the bits of %s for %s, which has another width", ExprText(e), from, e.T)
	}
	if e.How > Bitcast {
		v.fail("%s converts in a way that there is not: %d", ExprText(e), e.How)
	}
	if Wide(e.T) && e.How != Wrap && !nearest(e) {
		v.fail("%s converts %s to %s in a way that is not for wide values", ExprText(e), from, e.T)
	}
}

func (v *verifier) choice(e *Select) {
	v.expect(e.Then, e.T, "the first choice")
	v.expect(e.Else, e.T, "the second choice")
	v.expr(e.Cond)
	if c := e.Cond.Type(); Wide(c) {
		if c != Mask(e.T) || e.Lazy {
			v.fail("the condition %s of a wide choice of %s is of type %s", ExprText(e.Cond), e.T, c)
		}
	} else if c.Kind != types.Bool || c.Lanes > 1 && c.Lanes != e.T.Lanes {
		v.fail("the condition %s of a choice of %s is of type %s", ExprText(e.Cond), e.T, c)
	} else if c.Lanes > 1 && e.Lazy {
		v.fail("a choice by lanes computes both sides, but %s is lazy", ExprText(e))
	}
}

func (v *verifier) vec(e *Vec) {
	if len(e.Parts) != 1 && len(e.Parts) != int(e.T.Lanes) {
		v.fail("%s has %d parts", e.T, len(e.Parts))
	}
	if e.T.Lanes < 2 {
		v.fail("a vector has one lane: %s", ExprText(e))
	}
	for _, p := range e.Parts {
		v.expect(p, e.T.WithLanes(1), "a part of a vector")
	}
}

func (v *verifier) lanes(e *Lanes) {
	v.expr(e.X)
	from := e.X.Type()
	if from.Lanes < 2 || e.T != from.WithLanes(len(e.Lanes)) {
		v.fail("%s takes %s from %s", ExprText(e), e.T, from)
	}
	for _, l := range e.Lanes {
		if l < 0 || l >= int(from.Lanes) {
			v.fail("%s has no lane %d", from, l)
		}
	}
}

// severalOf reports whether a vector may stand for elements of an array: lines begin at multiples of it.
func severalOf(array *Var, vector types.Type) bool {
	t := array.Type
	return array.Space == Local && t.Rank > 0 && OneAccess(vector) && t.Elem() == types.Scalar(vector.Kind) && vector.Kind.Bytes() >= 4 && t.Dims[t.Rank-1]%int32(vector.Lanes) == 0
}
