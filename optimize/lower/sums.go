package lower

import (
	"fmt"
	"maps"
	"slices"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Code for the combinations of bytes that quads are.

// sums reports whether there is a way for a sum other than to add up each product.
func (q *quads) packs(l *block.Combination) bool {
	return q.decided.Dot4 != 0 && q.dotted(l) || q.decided.Packed16 != 0 && q.laned(l)
}

// laned reports whether halves of words hold a sum.
func (q *quads) laned(l *block.Combination) bool {
	for p := range l.Taps {
		if q.stride(q.windows[p.Window], 0) != q.pair {
			return false
		}
	}
	return holds(boundsOf(l))
}

// holds reports whether halves of words hold all of an interval, with what has to be added to it.
func holds(iv interval.Interval) bool { return iv.Hi-min(iv.Lo, 0) <= 0xffff }

// inDots reports whether dot products are what a sum becomes.
func (q *quads) inDots(l *block.Combination) bool {
	return q.decided.Dot4 != 0 && (q.decided.Packed16 == 0 || len(l.Taps) > 2) && q.dotted(l)
}

// inHalves reports whether halves of words are what a sum becomes.
func (q *quads) inHalves(l *block.Combination) bool {
	return q.decided.Packed16 != 0 && !q.inDots(l) && q.laned(l)
}

// sum makes the code for a value that is a combination.
func (q *quads) sum(v *quad) {
	l := v.form
	switch {
	case len(l.Taps) == 0:
		q.sumEach(v, func(int) kir.Expr { return i32(l.Plus) })
	case q.inDots(l):
		q.sumEach(v, func(i int) kir.Expr { return q.dotSum(l, i) })
	case q.inHalves(l):
		v.lanes = q.laneSum(l)
	default:
		q.sumEach(v, func(i int) kir.Expr { return q.products(l) })
	}
}

// sumEach computes an i32 for each instance, and brings it to the type of the value where that is wanted as it is.
func (q *quads) sumEach(v *quad, f func(i int) kir.Expr) {
	b := q.body
	iv := boundsOf(v.form)
	var each [4]kir.Expr
	for i := range each {
		q.instance(i)
		x := f(i)
		if _, ok := constInt(x); !ok {
			sum := b.declare("sum", i32T, false, x)
			b.bounds[sum] = iv
			x = ref(sum)
		}
		if each[i] = x; v.shift == 0 {
			each[i] = b.convert(v.t, x, kir.Wrap)
		}
	}
	q.strip.at[0] = q.from
	v.each = &each
}

// products adds up the taps of one instance.
func (q *quads) products(l *block.Combination) kir.Expr {
	b := q.body
	sum := kir.Expr(i32(l.Plus))
	for _, p := range l.Places() {
		w := q.windows[p.Window]
		at := q.element(&w.tile, q.rowOf(p), w.lead.size+p.X, 0)
		term := b.op(i32T, ops.Mul, b.convert(i32T, q.byteAt(&w.tile, at[0], at[1]), kir.Wrap), i32(l.Taps[p]))
		sum = b.op(i32T, ops.Add, sum, term)
	}
	return sum
}

// dotted reports whether dot products of four bytes give a sum: words have all bytes of a quad.
func (q *quads) dotted(l *block.Combination) bool {
	return l.EightBits() && boundsOf(l).Within(interval.OfKind(i32T.Kind))
}

// A begun sum is what some taps and a number come to for an instance.
type begun struct {
	sum  kir.Expr
	plus int64
}

// dotSum is the sum for instance i: that of the same taps and another number, if there is one already, and what they differ by. Compilers do not find chains of dot products that begin with different
// numbers alike.
func (q *quads) dotSum(l *block.Combination, i int) kir.Expr {
	b := q.body
	key := fmt.Sprint(i, l.Taps)
	if have, ok := q.begun[key]; ok {
		return b.op(i32T, ops.Add, have.sum, i32(l.Plus-have.plus))
	}
	v := b.declare("sum", i32T, false, q.dots(l, i))
	b.bounds[v] = boundsOf(l)
	q.begun[key] = begun{ref(v), l.Plus}
	return ref(v)
}

// dots is the sum for instance i in dot products: of four neighbours, and where a row has one tap more, of that of four rows.
func (q *quads) dots(l *block.Combination, i int) kir.Expr {
	rest := &block.Combination{Taps: maps.Clone(l.Taps), Plus: l.Plus}
	var sum kir.Expr
	for _, column := range columns(l) {
		weights := uint32(0)
		for k, p := range column {
			weights |= uint32(uint8(l.Taps[p])) << (8 * k)
			delete(rest.Taps, p)
		}
		if sum == nil {
			sum = i32(l.Plus)
		}
		sum = dot(q.column(column, i), weights, sum)
	}
	if sum == nil {
		sum = i32(l.Plus)
	}
	for _, r := range rest.Rows() {
		sum = q.dotsOfRow(r, i, sum)
	}
	return sum
}

// dotsOfRow adds up the taps of a row for instance i: over the words that these lie in, or over four bytes from each fourth tap on, which are put together of two words, where that
// is less.
func (q *quads) dotsOfRow(r *block.Row, i int, sum kir.Expr) kir.Expr {
	w := q.windows[r.Window]
	own := w.lead.size + i*q.stride(w, 0) // the byte of the row that tap 0 is of the first quad
	starts, together := q.fours(r)
	cost := len(starts)
	for _, x := range starts { // the bytes behind those of a four are those of the next instance's, which are put together once
		if (own+x)%block.PerWord != 0 && !slices.Contains(starts, x-block.PerWord) {
			cost++
		}
	}
	words := map[int]bool{}
	for x := range r.Taps {
		words[(own+x)/block.PerWord] = true
	}
	if apart := cost - len(starts); together && (len(words) > cost || apart > 0 && len(words) == cost) {
		return q.strip.dots(r.Alone(), sum)
	}
	for _, n := range slices.Sorted(maps.Keys(words)) {
		sum = dot(q.word(w, block.Tap{Window: r.Window, Y: r.Y}, n), taken(r, n*block.PerWord-own), sum)
	}
	return sum
}

// word is the n-th word of a window in the row of a tap, seen from the first quad.
func (q *quads) word(w *window, p block.Tap, n int) kir.Expr {
	row := q.line
	if row == nil {
		row = q.element(&w.tile, q.rowOf(p), 0, 0)[0]
	}
	first := q.body.op(i32T, ops.Mul, q.number, i32(int64(q.stride(w, 0))))
	return q.body.elemOf(w.array, []kir.Expr{row, q.body.op(i32T, ops.Add, first, i32(int64(n)))})
}

// columns are taps of four rows below each other: the last ones of rows that have one more than fours take.
func columns(l *block.Combination) (out [][]block.Tap) {
	var open []block.Tap
	for _, r := range l.Rows() {
		x := slices.Sorted(maps.Keys(r.Taps))
		p := block.Tap{Window: r.Window, Y: r.Y, X: x[len(x)-1]}
		if w := r.Width(); w < 5 || w%4 != 1 {
			continue
		}
		if n := len(open); n > 0 && (open[n-1].Window != p.Window || open[n-1].X != p.X) {
			open = nil
		}
		if open = append(open, p); len(open) == 4 {
			out, open = append(out, open), nil
		}
	}
	return out
}

// column is four bytes of instance i, each in a row of its own.
func (q *quads) column(taps []block.Tap, i int) kir.Expr {
	w := q.windows[taps[0].Window]
	col := w.lead.size + taps[0].X + i*q.stride(w, 0)
	word := func(p block.Tap) kir.Expr { return q.word(w, p, col/4) }
	pair := func(p, r block.Tap) kir.Expr {
		return q.known(fmt.Sprint("column", p, r, col), "column", func() kir.Expr {
			n := uint8(col % 4)
			return permute(word(p), word(r), [4]uint8{n, 4 + n, n, 4 + n})
		})
	}
	return permute(pair(taps[0], taps[1]), pair(taps[2], taps[3]), [4]uint8{0, 1, 4, 5})
}

// copied is the word of a value that is a byte of a window as it is; nil where it is more.
func (q *quads) copied(l *block.Combination) kir.Expr {
	if len(l.Taps) != 1 || l.Plus != 0 || q.pair != 1 {
		return nil
	}
	for p, weight := range l.Taps {
		w := q.windows[p.Window]
		if weight != 1 || q.stride(w, 0) != 1 || p.X > w.trail.size {
			return nil
		}
		at := q.element(&w.tile, q.rowOf(p), w.lead.size+p.X, 0)
		return &kir.FourBytes{Typed: kir.Typed{T: u32T}, Var: w.array, Index: at[:1], At: at[1]}
	}
	return nil
}

// laneSum is a sum in halves, with what makes it positive. Rows that are multiples of each other are multiples of one sum, which
// the rows of instances below and above have as well.
func (q *quads) laneSum(l *block.Combination) *lanes {
	b := q.body
	out := &lanes{off: max(0, -boundsOf(l).Lo)}
	for i := range out.word {
		var terms []term
		for _, r := range l.Rows() {
			terms = append(terms, term{q.laneRow(r, i), r.Factor()})
		}
		out.word[i] = b.once("halves", b.op(u32T, ops.Add, q.total(terms), twice(l.Plus+out.off)))
	}
	return out
}

// laneRow is the sum of the taps of a row over a factor of them all.
func (q *quads) laneRow(r *block.Row, word int) kir.Expr {
	if sum := q.rowSum(r, word); sum != nil {
		return sum
	}
	return q.sumOfRow(r, word)
}

// sumOfRow computes what laneRow is.
func (q *quads) sumOfRow(r *block.Row, word int) kir.Expr {
	factor := r.Factor()
	l := &block.Combination{Taps: map[block.Tap]int64{}}
	for x, w := range r.Taps {
		l.Taps[block.Tap{Window: r.Window, Y: r.Y, X: x}] = w / factor
	}
	var terms []term
	key := fmt.Sprint("row", word)
	for _, p := range l.Places() {
		key += fmt.Sprint(p, l.Taps[p])
		terms = append(terms, term{q.lane(p, word), l.Taps[p]})
	}
	if len(terms) == 1 {
		return terms[0].word
	}
	return q.known(key, "row", func() kir.Expr { return q.total(terms) })
}

// A term is a word times a number, in both of its halves.
type term struct {
	word   kir.Expr
	factor int64
}

// total adds up terms, those that are added before those that are taken away.
func (q *quads) total(terms []term) kir.Expr {
	b := q.body
	sum := kir.Expr(uconst(0))
	for _, t := range terms {
		if t.factor > 0 {
			sum = b.op(u32T, ops.Add, sum, b.op(u32T, ops.Mul, t.word, uconst(t.factor)))
		}
	}
	for _, t := range terms {
		if t.factor < 0 {
			sum = b.op(u32T, ops.Sub, sum, b.op(u32T, ops.Mul, t.word, uconst(-t.factor)))
		}
	}
	return sum
}

// known is a value that the quad has already, or has from now on.
func (q *quads) known(key, name string, f func() kir.Expr) kir.Expr {
	if q.seen[key] == nil {
		q.seen[key] = ref(q.body.declare(name, u32T, false, f()))
	}
	return q.seen[key]
}

// lane is a byte of a window in the halves of a word: that of the instances 0 and 2 or 1 and 3, or where instances are two bytes
// apart those of 0 and 1 or 2 and 3.
func (q *quads) lane(p block.Tap, word int) kir.Expr {
	b := q.body
	w := q.windows[p.Window]
	col := w.lead.size + p.X + word
	if q.pair != 1 {
		col = w.lead.size + p.X + 4*word
	}
	half := func(n int, odd bool) kir.Expr {
		name := map[bool]string{false: "even", true: "odd"}[odd]
		return q.known(fmt.Sprint(name, p.Window, p.Y, n), name, func() kir.Expr {
			if word := q.word(w, p, n); odd {
				return permute(word, uconst(0), [4]uint8{1, 4, 3, 4})
			} else {
				return b.op(u32T, ops.And, word, uconst(0xff00ff))
			}
		})
	}
	n, r := col/4, col%4
	if r < 2 {
		return half(n, r == 1)
	}
	return q.known(fmt.Sprint("across", p.Window, p.Y, n, r), "across", func() kir.Expr {
		return permute(half(n, r == 3), half(n+1, r == 3), [4]uint8{2, 3, 4, 5})
	})
}

// twice is a constant in both halves of a word.
func twice(c int64) kir.Expr { return uconst(int64(uint32(c * 0x10001))) }
