package kir

import (
	"fmt"
	"slices"

	"imgc/ops"
	"imgc/types"
)

// Several small integers in one word of 32 bits. Sums of words and products with constants are ordinary Ops on u32.
type (
	// Permute is the u32 whose bytes are taken from two: Take says of each of its bytes, the lowest first, which of the eight it is,
	// 0 to 3 those of Low and 4 to 7 those of High, the lowest first. With Signs each byte is ones where the highest bit of the one that is taken is set, else zeros.
	Permute struct {
		Typed
		Low, High Expr
		Take      [4]uint8
		Signs     bool
	}
	// Dot2 is Acc (i32) plus the sum of the products of the halves of a u32, which are unsigned, and two weights, the lower half's first. It wraps.
	Dot2 struct {
		Typed
		Halves  Expr
		Weights [2]int8
		Acc     Expr
	}
	// Pairs is Acc (i32) plus what Op makes of the bytes of two u32, pair by pair, all of them unsigned. It wraps.
	Pairs struct {
		Typed
		Op        PairOp
		X, Y, Acc Expr
	}
	// Halves is Op of the halves of some u32, which are of Kind, each half by itself: of u16 Min or Max, of f16 and bf16 one of OfFloats, each of whose
	// results is rounded; Fma is of f16 alone. A comparison gives a half of ones where it holds, else one of zeros.
	Halves struct {
		Typed
		Op   ops.Op
		Kind types.Kind
		Args []Expr
	}
)

// Selector is Take as the instructions and functions of targets want it: a hexadecimal digit for each byte, the lowest last.
func (p *Permute) Selector() uint32 {
	n := uint32(0)
	for i, k := range p.Take {
		n |= uint32(k) << (4 * i)
	}
	return n
}

func (v *verifier) permute(e *Permute) {
	u32 := types.Scalar(types.U32)
	v.expect(e.Low, u32, "the lower word of bytes")
	if v.expect(e.High, u32, "the upper word of bytes"); e.T != u32 || e.Selector()&0x8888 != 0 {
		v.fail("bytes %x of eight, of type %s", e.Selector(), e.T)
	}
}

func (v *verifier) dot2(e *Dot2) {
	v.expect(e.Halves, types.Scalar(types.U32), "the halves of a dot product")
	if v.expect(e.Acc, types.Scalar(types.I32), "what a dot product is added to"); e.T != types.Scalar(types.I32) {
		v.fail("a dot product of halves is of type %s", e.T)
	}
}

func (v *verifier) halves(e *Halves) {
	u32 := types.Scalar(types.U32)
	for _, x := range e.Args {
		v.expect(x, u32, "halves of a word")
	}
	if e.T != u32 || !HaveHalves(e.Op, e.Kind) || len(e.Args) != e.Op.Info().Arity {
		v.fail("%s of %d words of %s, of type %s", e.Op, len(e.Args), e.Kind, e.T)
	}
}

// OfFloats are the operators of Halves of floats.
var OfFloats = []ops.Op{
	ops.Neg, ops.Abs, ops.Add, ops.Sub, ops.Mul, ops.Fma, ops.Min, ops.Max, ops.Eq, ops.Ne, ops.Lt, ops.Le, ops.Gt, ops.Ge,
}

// HaveHalves reports whether there are Halves with an operator, of a kind.
func HaveHalves(op ops.Op, k types.Kind) bool {
	switch k {
	case types.U16:
		return op == ops.Min || op == ops.Max
	case types.F16, types.BF16:
		return slices.Contains(OfFloats, op) && (op != ops.Fma || k == types.F16)
	}
	return false
}

// Selector is Weights as the bytes of a word, the lower half's first.
func (e *Dot2) Selector() uint32 { return uint32(uint8(e.Weights[0])) | uint32(uint8(e.Weights[1]))<<8 }

func (p *Permute) text() string {
	return fmt.Sprintf("permute%s(%s, %s, %04x)", word(p.Signs, "signs"), ExprText(p.Low), ExprText(p.High), p.Selector())
}

func (e *Dot2) text() string {
	return fmt.Sprintf("dot2(%s, %d %d, %s)", ExprText(e.Halves), e.Weights[0], e.Weights[1], ExprText(e.Acc))
}

func (h *Halves) text() string {
	return fmt.Sprintf("%sx2 %s(%s)", h.Kind, h.Op, exprsText(h.Args))
}

// PairOp says what Pairs makes of two bytes.
type PairOp uint8

const (
	Products    PairOp = iota // their product
	Differences               // the amount of their difference
	Squares                   // the square of their difference
	PairOps
)

func (p PairOp) String() string { return [...]string{"products", "differences", "squares"}[p] }

func (v *verifier) pairs(e *Pairs) {
	u32, i32 := types.Scalar(types.U32), types.Scalar(types.I32)
	v.expect(e.X, u32, "the bytes of pairs")
	v.expect(e.Y, u32, "the other bytes of pairs")
	if v.expect(e.Acc, i32, "what pairs of bytes are added to"); e.T != i32 || e.Op >= PairOps {
		v.fail("%s, of type %s", ExprText(e), e.T)
	}
}

func (e *Pairs) text() string {
	return fmt.Sprintf("%s(%s, %s, %s)", e.Op, ExprText(e.X), ExprText(e.Y), ExprText(e.Acc))
}
