package interp

import (
	"imgc/hast"
)

// interleaved compiles a reduction in several ways: the words of one partial result lie behind those of the one before.
func (c *compiler) interleaved(e *hast.Reduce) block {
	row := accumulators[e.Op]
	k := e.Elem.Type().Kind
	take, start := wordBinary(row.op, k), row.start(k)
	n, ways := e.T.Words(), e.Ways
	sums := c.reserve(n * ways)
	last := len(e.Space.Vars) - 1
	along := e.Space.Ranges[last]
	lo, hi := c.reserve(1), c.reserve(1)
	setLo, setHi := c.store(along.Lo, lo), c.store(along.Hi, hi)
	at := c.slot(e.Space.Vars[last])
	run := c.over(lastFirst(e.Space), e.At, c.filtered(e, func() stmtFn {
		x := c.block(e.Elem)
		return func(fr *frame) control {
			x.run(fr)
			nth := (fr.w[at].Int() - fr.w[lo].Int()) / along.Step
			to := sums + int(nth)%ways*n
			for i := range n {
				fr.w[to+i] = take(fr.w[to+i], fr.w[x.at+i])
			}
			return next
		}
	}))
	return block{at: sums, n: n, eval: func(fr *frame) {
		setLo(fr)
		setHi(fr)
		used := int(min(int64(ways), tripsOf(fr.w[lo].Int(), fr.w[hi].Int(), along.Step).Count))
		for i := range n * max(used, 1) {
			fr.w[sums+i] = start
		}
		run(fr)
		for half := ways / 2; half > 0; half /= 2 {
			for i := range n * min(half, max(used-half, 0)) { // what has no points would change nothing
				fr.w[sums+i] = take(fr.w[sums+i], fr.w[sums+half*n+i])
			}
			used = min(used, half)
		}
	}}
}

// lastFirst is a space in another order: by the last variable first.
func lastFirst(s hast.Space) hast.Space {
	last := len(s.Vars) - 1
	return hast.Space{
		Vars:   append([]*hast.Var{s.Vars[last]}, s.Vars[:last]...),
		Ranges: append([]hast.Range{s.Ranges[last]}, s.Ranges[:last]...),
	}
}
