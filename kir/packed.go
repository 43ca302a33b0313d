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

func (v *verifier) halves(e *Halves) {
	u32 := types.Scalar(types.U32)
	v.expect(e.X, u32, "halves of a word")
	if v.expect(e.Y, u32, "halves of a word"); e.T != u32 || e.Op != ops.Min && e.Op != ops.Max {
		v.fail("%s of halves, of type %s", e.Op, e.T)
	}
}

func (p *Permute) text() string {
	return fmt.Sprintf("permute(%s, %s, %04x)", ExprText(p.Low), ExprText(p.High), p.Selector())
}

func (h *Halves) text() string {
	return fmt.Sprintf("halves %s(%s, %s)", h.Op, ExprText(h.X), ExprText(h.Y))
}
