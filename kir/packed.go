package kir

import (
	"fmt"

	"imgc/ops"
	"imgc/types"
)

// Several small integers in one word of 32 bits. Sums of words and products with constants are ordinary Ops on u32.
type (
	// Permute is the u32 whose bytes are taken from two: Take says of each of its bytes, the lowest first, which of the eight it is,
	// 0 to 3 those of Low and 4 to 7 those of High, the lowest first.
	Permute struct {
		Typed
		Low, High Expr
		Take      [4]uint8
	}
	// Dot2 is Acc (i32) plus the sum of the products of the halves of a u32, which are unsigned, and two weights, the lower half's first. It wraps.
	Dot2 struct {
		Typed
		Halves  Expr
		Weights [2]int8
		Acc     Expr
	}
	// Halves is Op, Min or Max, of the u16 halves of two u32, each half by itself.
	Halves struct {
		Typed
		Op   ops.Op
		X, Y Expr
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
	v.expect(e.X, u32, "halves of a word")
	if v.expect(e.Y, u32, "halves of a word"); e.T != u32 || e.Op != ops.Min && e.Op != ops.Max {
		v.fail("%s of halves, of type %s", e.Op, e.T)
	}
}

// Selector is Weights as the bytes of a word, the lower half's first.
func (e *Dot2) Selector() uint32 { return uint32(uint8(e.Weights[0])) | uint32(uint8(e.Weights[1]))<<8 }

func (p *Permute) text() string {
	return fmt.Sprintf("permute(%s, %s, %04x)", ExprText(p.Low), ExprText(p.High), p.Selector())
}

func (e *Dot2) text() string {
	return fmt.Sprintf("dot2(%s, %d %d, %s)", ExprText(e.Halves), e.Weights[0], e.Weights[1], ExprText(e.Acc))
}

func (h *Halves) text() string {
	return fmt.Sprintf("halves %s(%s, %s)", h.Op, ExprText(h.X), ExprText(h.Y))
}
