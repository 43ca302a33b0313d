package kir

import (
	"imgc/ops"
	"imgc/types"
)

// A wide value holds the same component of neighbouring instances, which one work-item computes side by side in the vector registers
// of a CPU: WideLanes of them, more than any vector of the language has. There are no wide bools: a comparison gives signed integers
// of the width of what is compared, 0 or -1 in each lane.

// Wide reports whether a type is that of wide values.
func Wide(t types.Type) bool { return t.Lanes > 4 && t.Rank == 0 }

// WideLanes are the numbers of lanes that wide values may have.
var WideLanes = []int{8, 16, 32, 64}

// VectorLanes is the most that a vector of a target's language has. OpenCL C and SPIR-V have none of more. Wide values of more lanes are for lowering; package optimize/pass makes
// several of each.
const VectorLanes = 16

// ShortPower is the most that the magnitude of an operand of Exp may be if the result is to be a normal number, with room for the roundings of
// what the operand is computed by.
const ShortPower = 87

// MaxStride is the largest distance, in components, between what the lanes of a wide Load read.
const MaxStride = 4

// Mask is the type of a comparison of wide values of type t.
func Mask(t types.Type) types.Type {
	return t.WithKind(map[int]types.Kind{8: types.I8, 16: types.I16, 32: types.I32, 64: types.I64}[t.Kind.Bits()])
}

// WideOp reports whether op may be applied to wide values of kind k: integers up to 32 bits and f32.
func WideOp(op ops.Op, k types.Kind) bool {
	switch {
	case k == types.F32:
		return wideFloats[op] || compares(op)
	case k.IsInt() && k.Bits() <= 32:
		return wideInts[op] || compares(op)
	}
	return false
}

func compares(op ops.Op) bool {
	return op.Info().Result == ops.Truth && op.Info().Arity == 2 && op >= ops.Eq && op <= ops.Ge
}

var wideInts = map[ops.Op]bool{
	ops.Neg: true, ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Div: true, ops.Rem: true, ops.And: true, ops.Or: true, ops.Xor: true,
	ops.BitNot: true, ops.Shl: true, ops.Shr: true,
}

var wideFloats = map[ops.Op]bool{
	ops.Neg: true, ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Div: true, ops.Abs: true, ops.Sqrt: true, ops.Floor: true, ops.Ceil: true,
	ops.Trunc: true, ops.Min: true, ops.Max: true, ops.Fma: true, ops.Exp: true, ops.Exp2: true, ops.Log: true, ops.Log2: true, ops.Pow: true,
	ops.Rsqrt: true, ops.Log10: true, ops.Sin: true, ops.Cos: true, ops.Tan: true, ops.Asin: true, ops.Acos: true, ops.Atan: true,
	ops.Atan2: true, ops.Sinh: true, ops.Cosh: true, ops.Tanh: true, ops.Hypot: true, ops.Cbrt: true, ops.Round: true, ops.Fract: true,
	ops.Sign: true, ops.Mix: true, ops.Step: true, ops.Smoothstep: true,
}

// wideOp checks an op on wide values.
func (v *verifier) wideOp(e *Op) {
	t := e.Args[0].Type()
	want := t
	if e.Op.Info().Result == ops.Truth {
		want = Mask(t)
	}
	if e.T != want {
		v.fail("%s is of type %s, not %s", ExprText(e), want, e.T)
	}
	for _, a := range e.Args {
		if a.Type() != t {
			v.fail("the operands of %s are of types %s and %s", ExprText(e), t, a.Type())
		}
	}
	switch {
	case !WideOp(e.Op, t.Kind):
		v.fail("%s applies %s to wide values of %s", ExprText(e), e.Op, t.Kind)
	case e.Short && DividesShort(e.Op, t): // of no operands is anything left open
	case t.Kind.IsSigned() && !e.Exact && e.Op != ops.And && e.Op != ops.Or && e.Op != ops.Xor && e.Op != ops.BitNot && !compares(e.Op):
		v.fail("%s may wrap, which wide values do in unsigned kinds only", ExprText(e))
	case (e.Op == ops.Div || e.Op == ops.Rem || e.Op == ops.Shl || e.Op == ops.Shr) && t.Kind.IsInt() && !e.Exact:
		v.fail("%s may reach a case that the target leaves open", ExprText(e))
	}
}

// nearest reports whether a conversion of wide floats, which 16 bits hold, rounds them, halves to even.
func nearest(e *Convert) bool {
	return e.How == Saturate && e.Exact && e.X.Type().Kind == types.F32 && e.T.Kind == types.I32 && e.T.Lanes <= 16
}

// wideLoad checks what is particular to wide accesses of memory.
func (v *verifier) wideAccess(b *Var, t types.Type, stride int) {
	switch {
	case !Wide(t) && stride != 0:
		v.fail("a stride of %d of a load of %s", stride, t)
	case !Wide(t):
	case b.Space == Local || b.Access&Shared != 0:
		v.fail("a wide access of %s, which is local or shared", b.Name)
	case stride < 0 || stride > MaxStride:
		v.fail("a stride of %d, %d is the largest", stride, MaxStride)
	case t.Kind == types.Bool || t.Kind == types.F16 || t.Kind == types.BF16:
		v.fail("a wide access of components of %s", t.Kind)
	}
}

// gather checks what is particular to reads at places of their own.
func (v *verifier) gather(e *Gather) {
	v.wideAccess(e.Buffer, e.T, 0)
	v.expect(e.Offset, types.Scalar(types.I64), "an offset into "+e.Buffer.Name)
	v.expect(e.Places, types.Vector(types.I32, int(e.T.Lanes)), "places in "+e.Buffer.Name)
	if !Wide(e.T) || e.Buffer.Space != Global {
		v.fail("%s gathers %s", ExprText(e), e.T)
	}
}

// alternate checks every second lane of a wide value.
func (v *verifier) alternate(e *Alternate) {
	if !Wide(e.T) || e.First != 0 && e.First != 1 || len(e.Parts) != 1 && len(e.Parts) != 2 {
		v.fail("%s begins with lane %d of %d values", ExprText(e), e.First, len(e.Parts))
		return
	}
	for _, x := range e.Parts {
		v.expect(x, e.T.WithLanes(2*int(e.T.Lanes)/len(e.Parts)), "lanes that alternate")
	}
}

// interleaved checks the components of several wide values.
func (v *verifier) interleaved(e *Interleaved) {
	if !Wide(e.T) || len(e.Parts) < 2 || len(e.Parts) > MaxStride || e.Piece < 0 || e.Piece >= len(e.Parts) {
		v.fail("%s is piece %d of %d values of type %s", ExprText(e), e.Piece, len(e.Parts), e.T)
	}
	for _, x := range e.Parts {
		v.expect(x, e.T, "a component of pixels")
	}
}
