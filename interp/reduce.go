package interp

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// forEach compiles the points of a reduction: body, which takes in one element, for each point where e.Where holds. A
// body that ends in leave ends the reduction.
func (c *compiler) forEach(e *hast.Reduce, body func() stmtFn) stmtFn {
	points, ok := c.unroll(e.Space, nodes(e.Elem))
	if !ok {
		return c.over(e.Space, e.At, c.filtered(e, body))
	}
	code := make([]stmtFn, 0, len(points))
	for _, p := range points {
		c.atPoint(e.Space, p, func() { code = append(code, c.filtered(e, body)) })
	}
	return func(fr *frame) control {
		for _, f := range code {
			if how := f(fr); how >= leave {
				return how
			}
		}
		return next
	}
}

func (c *compiler) filtered(e *hast.Reduce, body func() stmtFn) stmtFn {
	if e.Where == nil {
		return body()
	}
	where, run := c.truth(e.Where), body()
	return func(fr *frame) control {
		if where(fr) == 0 {
			return next
		}
		return run(fr)
	}
}

// accumulators are the reductions that keep one word for each component of the result, by what starts it and what takes in
// an element; both get the kind of the elements.
var accumulators = map[hast.ReduceOp]struct {
	start func(k types.Kind) types.Word
	op    ops.Op
}{
	hast.Sum:     {func(types.Kind) types.Word { return 0 }, ops.Add}, // of a float too: 0 is the word of 0.0
	hast.Mean:    {func(types.Kind) types.Word { return 0 }, ops.Add},
	hast.Product: {one, ops.Mul},
	hast.Min:     {types.Highest, ops.Min},
	hast.Max:     {types.Lowest, ops.Max},
	hast.Any:     {func(types.Kind) types.Word { return 0 }, ops.LOr},
	hast.All:     {func(types.Kind) types.Word { return 1 }, ops.LAnd},
	hast.Count:   {func(types.Kind) types.Word { return 0 }, ops.Add},
}

func one(k types.Kind) types.Word {
	if k.IsFloat() {
		return types.Float(1)
	}
	return 1
}

// reduceBlock compiles any reduction.
func (c *compiler) reduceBlock(e *hast.Reduce) block {
	switch e.Op {
	case hast.Fold:
		return c.foldReduce(e)
	case hast.Median:
		return c.median(e)
	case hast.ArgMin, hast.ArgMax:
		return c.argReduce(e)
	case hast.Mean:
		return c.mean(e)
	}
	if e.Ways > 0 {
		return c.interleaved(e)
	}
	return c.accumulate(e, func(body stmtFn) stmtFn { return body })
}

// accumulate compiles a reduction of the table, word by word. with may add to what is done for each element.
func (c *compiler) accumulate(e *hast.Reduce, with func(body stmtFn) stmtFn) block {
	row := accumulators[e.Op]
	k := e.Elem.Type().Kind
	if e.Op == hast.Count {
		k = types.I32 // the words of false and true are those of 0 and 1
	}
	take, start := wordBinary(row.op, k), row.start(k)
	n := e.T.Words()
	to := c.reserve(n)
	run := c.forEach(e, func() stmtFn {
		x := c.block(e.Elem)
		if x.n != n {
			throw(e.At, "%s of %s gives %s", e.Op, e.Elem.Type(), e.T)
		}
		return with(func(fr *frame) control {
			x.run(fr)
			for i := range n {
				fr.w[to+i] = take(fr.w[to+i], fr.w[x.at+i])
			}
			return next
		})
	})
	return block{at: to, n: n, eval: func(fr *frame) {
		for i := range n {
			fr.w[to+i] = start
		}
		run(fr)
	}}
}

// mean compiles the sum divided by the number of elements, as the kind of the result. Integers are summed exactly.
func (c *compiler) mean(e *hast.Reduce) block {
	of, k := hast.SumKind(e.Elem.Type().Kind), e.T.Kind
	sum, count := *e, c.reserve(1)
	if sum.T = e.T.WithKind(of); sum.T != e.Elem.Type() {
		sum.Elem = &hast.Convert{Typed: hast.Typed{T: sum.T, At: e.Elem.Span()}, X: e.Elem}
	}
	total := c.accumulate(&sum, func(body stmtFn) stmtFn {
		return func(fr *frame) control {
			fr.w[count]++
			return body(fr)
		}
	})
	div := wordBinary(ops.Div, k)
	return block{at: total.at, n: total.n, eval: func(fr *frame) {
		fr.w[count] = 0
		total.run(fr)
		if fr.w[count] == 0 {
			return // the sum is 0
		}
		by := types.Convert(fr.w[count], types.I64, k)
		for i := range total.n {
			fr.w[total.at+i] = div(types.Convert(fr.w[total.at+i], of, k), by)
		}
	}}
}

// foldReduce compiles acc = Func(acc, Elem), from Init.
func (c *compiler) foldReduce(e *hast.Reduce) block {
	f := c.function(e.Func)
	if len(f.params) != 2 {
		throw(e.At, "fold by %s, which has %d parameters", e.Func.Name, len(f.params))
	}
	n := e.T.Words()
	to := c.reserve(n)
	start := c.store(e.Init, to)
	run := c.forEach(e, func() stmtFn {
		x := c.block(e.Elem)
		return func(fr *frame) control {
			x.run(fr)
			copy(fr.w[f.params[0]:f.params[0]+n], fr.w[to:])
			copy(fr.w[f.params[1]:f.params[1]+x.n], fr.w[x.at:])
			f.body(fr)
			copy(fr.w[to:to+n], fr.w[f.result:])
			return next
		}
	})
	return block{at: to, n: n, eval: func(fr *frame) {
		start(fr)
		run(fr)
	}}
}

// argReduce compiles the place of the least or greatest element: the first of equal ones. NaN has no place.
func (c *compiler) argReduce(e *hast.Reduce) block {
	vars := e.Space.Vars
	lanes := int(e.T.Lanes)
	if lanes != len(vars) || e.Elem.Type().Words() != 1 {
		throw(e.At, "%s of %s over %d variables gives %s", e.Op, e.Elem.Type(), len(vars), e.T)
	}
	k, better := e.Elem.Type().Kind, ops.Lt
	if e.Op == hast.ArgMax {
		better = ops.Gt
	}
	improves := wordBinary(better, k)
	to, found, best := c.reserve(lanes), c.reserve(1), c.reserve(1)
	run := c.forEach(e, func() stmtFn {
		x := c.word(e.Elem)
		places := make([]intFn, lanes) // the fastest variable first
		for i, v := range vars {
			ref := &hast.Ref{Typed: hast.Typed{T: v.Type, At: e.At}, Var: v}
			places[lanes-1-i] = c.int(ref).eval
		}
		return func(fr *frame) control {
			w := x(fr)
			if k.IsFloat() && w.Float() != w.Float() || fr.w[found] != 0 && improves(w, fr.w[best]) == 0 {
				return next
			}
			fr.w[found], fr.w[best] = 1, w
			for i, f := range places {
				fr.w[to+i] = types.Int(f(fr))
			}
			return next
		}
	})
	return block{at: to, n: lanes, eval: func(fr *frame) {
		fr.w[found] = 0
		clear(fr.w[to : to+lanes])
		run(fr)
	}}
}
