package interp

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// An order maps words of a kind to integers that compare like the values, and back. NaN is last.
type order struct {
	key   func(types.Word) int64
	value func(int64) types.Word
}

func orderOf(k types.Kind) order {
	switch {
	case k.IsFloat():
		return order{floatKey, floatOfKey}
	case k == types.U64:
		flip := func(v int64) int64 { return v ^ math.MinInt64 }
		return order{
			func(w types.Word) int64 { return flip(w.Int()) },
			func(v int64) types.Word { return types.Int(flip(v)) },
		}
	}
	return order{types.Word.Int, types.Int}
}

// floatKey turns a float's bits, sign and magnitude, into an integer of the same order.
func floatKey(w types.Word) int64 {
	if w.Float() != w.Float() {
		return math.MaxInt64
	}
	return flipMagnitude(w.Int())
}

func floatOfKey(v int64) types.Word {
	if v == math.MaxInt64 {
		return types.Float(math.NaN())
	}
	return types.Int(flipMagnitude(v))
}

func flipMagnitude(v int64) int64 {
	if v < 0 {
		return v ^ math.MaxInt64
	}
	return v
}

// median compiles the lower median of each component. The elements wait on the frame's heap, above those of medians that
// this one is part of.
func (c *compiler) median(e *hast.Reduce) block {
	ord := orderOf(e.T.Kind)
	n := e.T.Words()
	to := c.reserve(n)
	run := c.forEach(e, func() stmtFn {
		x := c.block(e.Elem)
		return func(fr *frame) control {
			x.run(fr)
			for i := range n {
				fr.heap = append(fr.heap, ord.key(fr.w[x.at+i]))
			}
			return next
		}
	})
	return block{at: to, n: n, eval: func(fr *frame) {
		base := len(fr.heap)
		run(fr)
		elements := fr.heap[base:]
		for i := range n {
			fr.w[to+i] = 0
			if len(elements) > 0 {
				fr.w[to+i] = ord.value(fr.medianOf(elements, i, n))
			}
		}
		fr.heap = fr.heap[:base]
	}}
}

// medianOf is the lower median of elements first, first+n, ...
func (fr *frame) medianOf(elements []int64, first, n int) int64 {
	if n > 1 {
		base := len(fr.heap)
		for i := first; i < len(elements); i += n {
			fr.heap = append(fr.heap, elements[i])
		}
		elements = fr.heap[base:]
		defer func() { fr.heap = fr.heap[:base] }()
	}
	slices.Sort(elements)
	return elements[(len(elements)-1)/2]
}
