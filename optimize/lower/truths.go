package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// What is true of four instances lies in the highest bits of the four halves of two words; the bits below are anything. A comparison is a difference then, which has that bit where it is not
// negative, and conditions are joined bit by bit. All operands are computed: those that the language computes only where others leave the result open may be, as they read what the
// work-item has, and choices between such values are choices of bits.

// top is the highest bit of a half.
const top = 0x8000

// truth is what is true of the instances as a value.
func truth(words [2]kir.Expr) *quad {
	return &quad{t: boolType, iv: interval.Between(0, 1), truth: &words}
}

// isTrue is a condition for which there are such words; nil for others.
func (q *quads) isTrue(e hast.Expr) *quad {
	x, ok := e.(*hast.Op)
	if !ok || q.decided.Packed16 == 0 || e.Type() != boolType {
		return nil
	}
	switch {
	case !q.sums.AtHand(x):
		return nil
	case x.Op == ops.Not:
		if v := q.eval(x.Args[0]); v.truth != nil {
			return truth(q.words(*v.truth, func(w kir.Expr) kir.Expr { return q.body.op(u32T, ops.Xor, w, twice(top)) }))
		}
	case x.Op == ops.LAnd:
		return q.joined(ops.And, q.eval(x.Args[0]), q.eval(x.Args[1]))
	case x.Op == ops.LOr:
		return q.joined(ops.Or, q.eval(x.Args[0]), q.eval(x.Args[1]))
	case x.Args[0].Type().IsScalar() && x.Args[0].Type().Kind.IsInt() && block.ComparesHalves[x.Op]:
		return q.compared(x.Op, q.eval(x.Args[0]), q.eval(x.Args[1]))
	}
	return nil
}

// joined are two conditions as one; nil where one of them has no words.
func (q *quads) joined(op ops.Op, x, y *quad) *quad {
	if x == nil || y == nil || x.truth == nil || y.truth == nil {
		return nil
	}
	var out [2]kir.Expr
	for i := range out {
		out[i] = q.body.once("truths", q.body.op(u32T, op, x.truth[i], y.truth[i]))
	}
	return truth(out)
}

// compared is what a comparison of integers says; nil where their difference leaves a half, or nothing is in halves before.
func (q *quads) compared(op ops.Op, x, y *quad) *quad {
	c, number := x.constant()
	d, other := y.constant()
	if number && other {
		all := uconst(0)
		if ops.Eval(op, types.I64, types.Int(c), types.Int(d)).Truth() {
			all = twice(top)
		}
		return truth([2]kir.Expr{all, all})
	}
	if (x.each != nil || number) && (y.each != nil || other) || !near(x.iv, y.iv) {
		return nil
	}
	switch op {
	case ops.Ge:
		return q.atLeast(x, y, 0)
	case ops.Gt:
		return q.atLeast(x, y, 1)
	case ops.Le:
		return q.atLeast(y, x, 0)
	case ops.Lt:
		return q.atLeast(y, x, 1)
	}
	return q.alike(x, y, op == ops.Eq)
}

// near reports whether differences of two values, and what they differ by from the least of both, lie below the highest bit of a half.
func near(x, y interval.Interval) bool {
	all := x.Join(y)
	return all.Hi-all.Lo < top
}

// atLeast says where x >= y + more: the highest bit of the difference and of the bit itself.
func (q *quads) atLeast(x, y *quad, more int64) *quad {
	b := q.body
	sum := func(w kir.Expr, c int64) kir.Expr { return b.op(u32T, ops.Add, w, twice(c)) }
	if c, ok := y.constant(); ok {
		if l := q.lanesOf(x, 1); l != nil {
			return truth(q.words(l.word, func(w kir.Expr) kir.Expr { return sum(w, top-more-l.off-c) }))
		}
		return nil
	}
	m := q.lanesOf(y, 1)
	if c, ok := x.constant(); ok && m != nil {
		return truth(q.words(m.word, func(w kir.Expr) kir.Expr { return b.op(u32T, ops.Sub, twice(top-more+m.off+c), w) }))
	}
	l := q.lanesOf(x, 1)
	if l == nil || m == nil {
		return nil
	}
	return truth(q.pairs(l, m, func(v, w kir.Expr) kir.Expr { return b.op(u32T, ops.Sub, sum(v, top-more-l.off+m.off), w) }))
}

// alike says where x == y, or where not: what differs in bits is taken from the highest bit, or added to what is one less.
func (q *quads) alike(x, y *quad, same bool) *quad {
	if _, number := x.constant(); number {
		x, y = y, x
	}
	b, off := q.body, max(0, -min(x.iv.Lo, y.iv.Lo))
	l := q.offBy(x, off)
	if l == nil {
		return nil
	}
	var differ [2]kir.Expr
	if c, ok := y.constant(); ok {
		differ = q.words(l.word, func(w kir.Expr) kir.Expr { return b.op(u32T, ops.Xor, w, twice(c+off)) })
	} else if m := q.offBy(y, off); m != nil {
		differ = q.pairs(l, m, func(v, w kir.Expr) kir.Expr { return b.op(u32T, ops.Xor, v, w) })
	} else {
		return nil
	}
	return truth(q.words(differ, func(w kir.Expr) kir.Expr {
		if same {
			return b.op(u32T, ops.Sub, twice(top), w)
		}
		return b.op(u32T, ops.Add, w, twice(top-1))
	}))
}

// offBy is a value in halves that hold it and off; nil where it has none.
func (q *quads) offBy(v *quad, off int64) *lanes {
	l := q.lanesOf(v, 1)
	if l == nil {
		return nil
	}
	return q.moved(&quad{iv: v.iv, lanes: l}, off)
}

// ones is what is true as an integer of a type: 1 where it is, else 0.
func (q *quads) ones(v *quad, t types.Type) *quad {
	b := q.body
	return &quad{t: t, iv: interval.Between(0, 1), lanes: &lanes{word: q.words(*v.truth, func(w kir.Expr) kir.Expr {
		return b.op(u32T, ops.And, b.op(u32T, ops.Shr, w, i32(15)), twice(1))
	})}}
}

// chosen is what a condition chooses; nil where it, or what it chooses from, has no form in halves.
func (q *quads) chosen(e *hast.Select) *quad {
	t := e.T
	if q.decided.Packed16 == 0 || !t.IsScalar() || !t.Kind.IsInt() || t.Kind == types.U64 || !q.sums.AtHand(e) {
		return nil
	}
	cond := q.eval(e.Cond)
	if cond.truth == nil {
		return nil
	}
	x, y := q.eval(e.Then), q.eval(e.Else)
	iv := x.iv.Join(y.iv)
	if !holds(iv) {
		return nil
	}
	b, off := q.body, max(0, -iv.Lo)
	bits := func(v *quad) (word [2]kir.Expr, ok bool) {
		if c, number := v.constant(); number {
			return [2]kir.Expr{twice(c + off), twice(c + off)}, true
		}
		l := q.offBy(v, off)
		if l == nil {
			return word, false
		}
		return l.word, true
	}
	then, ok := bits(x)
	if !ok {
		return nil
	}
	els, ok := bits(y)
	if !ok {
		return nil
	}
	out := &lanes{off: off}
	for i, where := range cond.truth {
		all := b.once("all", signs(where, where, [4]uint8{1, 1, 3, 3}))
		out.word[i] = b.once("halves", q.choice(all, then[i], els[i]))
	}
	return &quad{t: t, iv: iv, lanes: out, word: q.chosenBytes(cond, x, y)}
}

// choice is the bits of one word where all has ones, else those of another.
func (q *quads) choice(all, then, els kir.Expr) kir.Expr {
	b := q.body
	return b.op(u32T, ops.Xor, els, b.op(u32T, ops.And, b.op(u32T, ops.Xor, then, els), all))
}

// chosenBytes is what a condition chooses of bytes, as a word: of what lies in words already that takes no halves. What nothing asks for goes again (see pass).
func (q *quads) chosenBytes(cond, x, y *quad) kir.Expr {
	bytes := interval.OfKind(types.U8)
	if !x.iv.Within(bytes) || !y.iv.Within(bytes) {
		return nil
	}
	take := [4]uint8{1, 5, 3, 7}
	if q.pair != 1 {
		take = [4]uint8{1, 3, 5, 7}
	}
	b := q.body
	all := b.once("all", signs(cond.truth[0], cond.truth[1], take))
	then, els := b.once("bytes", q.wordOf(x)), b.once("bytes", q.wordOf(y))
	return b.once("bytes", q.choice(all, then, els))
}

// wordOf is the word of four bytes.
func (q *quads) wordOf(v *quad) kir.Expr {
	if c, number := v.constant(); number {
		return uconst(c * 0x1010101)
	}
	if v.form != nil && v.shift == 0 {
		if word := q.copied(v.form); word != nil {
			return word
		}
	}
	return q.bytes(v)
}

// signs are the bytes of two words that take says, each of them ones where its highest bit is set, else zeros.
func signs(low, high kir.Expr, take [4]uint8) kir.Expr {
	return &kir.Permute{Typed: kir.Typed{T: u32T}, Low: low, High: high, Take: take, Signs: true}
}

// truths is a reduction of conditions that are written out: whether one holds, or all do, or how many; nil where it has no such form.
func (q *quads) truths(e *hast.Reduce) *quad {
	points, ok := q.body.points(e.Space)
	if !ok || len(points) == 0 || e.Where != nil || q.decided.Packed16 == 0 || e.Elem.Type() != boolType || !q.sums.AtHand(e) {
		return nil
	}
	var out *quad
	for _, p := range points {
		for i, v := range e.Space.Vars {
			q.body.vars[v] = i32(p[i])
		}
		v := q.eval(e.Elem)
		switch {
		case v.truth == nil:
			return nil
		case e.Op == hast.Count:
			v = q.ones(v, e.T)
		}
		if out == nil {
			out = v
		} else if e.Op == hast.Count {
			out = q.either(ops.Add, out, v)
		} else if e.Op == hast.Any {
			out = q.joined(ops.Or, out, v)
		} else {
			out = q.joined(ops.And, out, v)
		}
		if out == nil {
			return nil
		}
	}
	return out
}

// fromTruth is what is true of each of the four.
func (q *quads) fromTruth(v *quad) *[4]kir.Expr {
	b := q.body
	var each [4]kir.Expr
	for i, pair := range q.order() {
		for h, k := range pair {
			bit := b.op(u32T, ops.And, v.truth[i], uconst(top<<(16*h)))
			each[k] = b.once("value", b.op(boolType, ops.Ne, bit, uconst(0)))
		}
	}
	return &each
}

// someTrue is whether something is true of one of the four instances, of which all are some.
func (q *quads) someTrue(v *quad) kir.Expr {
	b := q.body
	bits := b.op(u32T, ops.And, b.op(u32T, ops.Or, v.truth[0], v.truth[1]), twice(top))
	return b.once("some", b.op(boolType, ops.Ne, bits, uconst(0)))
}
