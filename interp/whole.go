package interp

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// The ops on whole vectors work lane by lane with every step rounded, as ops.EvalVector does, but in the frame.

// A wholeFn applies an op to the vectors of n lanes at w[x:] and w[y:], and writes the result to w[to:].
type wholeFn = func(w []types.Word, to, x, y, n int)

var wholeMakers = map[ops.Op]func(k types.Kind) wholeFn{
	ops.Dot: func(k types.Kind) wholeFn {
		dot := dotOf(k)
		return func(w []types.Word, to, x, y, n int) { w[to] = dot(w, x, y, n) }
	},
	ops.Length: func(k types.Kind) wholeFn {
		length := lengthOf(k)
		return func(w []types.Word, to, x, _, n int) { w[to] = length(w, x, n) }
	},
	ops.Normalize: normalizeOf,
	ops.Cross:     crossOf,
	ops.Any: func(types.Kind) wholeFn {
		return func(w []types.Word, to, x, _, n int) {
			any := types.Truth(false)
			for _, lane := range w[x : x+n] {
				any |= lane
			}
			w[to] = any
		}
	},
	ops.All: func(types.Kind) wholeFn {
		return func(w []types.Word, to, x, _, n int) {
			all := types.Truth(true)
			for _, lane := range w[x : x+n] {
				all &= lane
			}
			w[to] = all
		}
	},
}

func dotOf(k types.Kind) func(w []types.Word, x, y, n int) types.Word {
	mul, add := wordBinary(ops.Mul, k), wordBinary(ops.Add, k)
	return func(w []types.Word, x, y, n int) types.Word {
		sum := mul(w[x], w[y])
		for i := 1; i < n; i++ {
			sum = add(sum, mul(w[x+i], w[y+i]))
		}
		return sum
	}
}

func lengthOf(k types.Kind) func(w []types.Word, x, n int) types.Word {
	dot := dotOf(k)
	return func(w []types.Word, x, n int) types.Word {
		return types.Float(types.Round(k, math.Sqrt(dot(w, x, x, n).Float())))
	}
}

// normalizeOf leaves a vector of length 0 as it is.
func normalizeOf(k types.Kind) wholeFn {
	length, div := lengthOf(k), wordBinary(ops.Div, k)
	return func(w []types.Word, to, x, _, n int) {
		size := length(w, x, n)
		for i := range n {
			if w[to+i] = w[x+i]; size.Float() != 0 {
				w[to+i] = div(w[x+i], size)
			}
		}
	}
}

// crossOf is of the first three lanes; a fourth is 0.
func crossOf(k types.Kind) wholeFn {
	mul, sub := wordBinary(ops.Mul, k), wordBinary(ops.Sub, k)
	return func(w []types.Word, to, x, y, n int) {
		for i := range n {
			w[to+i] = 0
		}
		for i := range 3 {
			j, l := (i+1)%3, (i+2)%3
			w[to+i] = sub(mul(w[x+j], w[y+l]), mul(w[x+l], w[y+j]))
		}
	}
}

// wholeBlock compiles an op on whole vectors; on arrays of vectors it acts per element.
func (c *compiler) wholeBlock(e *hast.Op) block {
	maker := wholeMakers[e.Op]
	if maker == nil {
		throw(e.At, "the interpreter does not know the operator %s", e.Op)
	}
	t := e.Args[0].Type()
	f, lanes := maker(t.Kind), int(t.Lanes)
	x := c.block(e.Args[0])
	y := x
	if len(e.Args) == 2 {
		y = c.block(e.Args[1])
		if y.n != x.n {
			throw(e.At, "%s of %s and %s", e.Op, t, e.Args[1].Type())
		}
	}
	to, each := c.temp(e.T), int(e.T.Lanes)
	elements := e.T.Len()
	return block{at: to, n: e.T.Words(), eval: func(fr *frame) {
		x.run(fr)
		if y.at != x.at {
			y.run(fr)
		}
		for i := range elements {
			f(fr.w, to+i*each, x.at+i*lanes, y.at+i*lanes, lanes)
		}
	}}
}

func (c *compiler) intOfWhole(e *hast.Op) intExpr {
	b := c.wholeBlock(e)
	return intCode(func(fr *frame) int64 {
		b.run(fr)
		return int64(fr.w[b.at])
	})
}

func (c *compiler) floatOfWhole(e *hast.Op) floatExpr {
	b := c.wholeBlock(e)
	return floatCode(func(fr *frame) float64 {
		b.run(fr)
		return fr.w[b.at].Float()
	})
}

// matMul compiles the matrix product. Sums run over the inner extent and start with the first product.
func (c *compiler) matMul(e *hast.MatMul) block {
	xs, ys := e.X.Type().Shape(), e.Y.Type().Shape()
	if len(xs) != 2 || len(ys) != 2 || xs[1] != ys[0] || e.T.Lanes != 1 {
		throw(e.At, "matrix product of %s and %s", e.X.Type(), e.Y.Type())
	}
	rows, inner, cols := xs[0], xs[1], ys[1]
	mul, add := wordBinary(ops.Mul, e.T.Kind), wordBinary(ops.Add, e.T.Kind)
	x, y := c.block(e.X), c.block(e.Y)
	to := c.reserve(rows * cols)
	return block{at: to, n: rows * cols, eval: func(fr *frame) {
		x.run(fr)
		y.run(fr)
		for i := range rows {
			for j := range cols {
				sum := mul(fr.w[x.at+i*inner], fr.w[y.at+j])
				for l := 1; l < inner; l++ {
					sum = add(sum, mul(fr.w[x.at+i*inner+l], fr.w[y.at+l*cols+j]))
				}
				fr.w[to+i*cols+j] = sum
			}
		}
	}}
}
