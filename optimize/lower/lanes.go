package lower

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Operators on lanes. What the halves of two words are is computed by operations on whole words, which is exact as long as no half
// leaves 0 to 65535; intervals tell.

// lanesOf is a value in lanes whose off is a multiple of step; nil where it does not fit or is not worth it.
func (q *quads) lanesOf(v *quad, step int64) *lanes {
	if q.decided.Packed16 == 0 || v.t.Kind == types.U64 || !v.t.Kind.IsInt() || !holds(v.iv) {
		return nil
	}
	if v.shift != 0 {
		v = q.settled(v)
	}
	if v.lanes == nil {
		if v.each == nil {
			q.sum(v)
		}
		if v.lanes == nil {
			v.lanes = q.together(v)
		}
	}
	off := max(0, (-v.iv.Lo+step-1)/step*step)
	if v.lanes.off%step == 0 && v.iv.Lo+v.lanes.off >= 0 && (step == 1 || v.lanes.off >= 0) {
		off = v.lanes.off
	}
	return q.moved(v, off)
}

// moved is a value in lanes with another off; nil where that does not fit.
func (q *quads) moved(v *quad, off int64) *lanes {
	if v.iv.Lo+off < 0 || v.iv.Hi+off > 0xffff {
		return nil
	}
	if v.lanes.off == off {
		return v.lanes
	}
	return &lanes{off: off, word: q.words(v.lanes.word, func(w kir.Expr) kir.Expr { return q.body.op(u32T, ops.Add, w, twice(off-v.lanes.off)) })}
}

// words computes two words from two others, or from nothing.
func (q *quads) words(in [2]kir.Expr, f func(w kir.Expr) kir.Expr) (out [2]kir.Expr) {
	for i, w := range in {
		out[i] = q.body.once("halves", f(w))
	}
	return out
}

// pairs computes two words from two others and two more.
func (q *quads) pairs(x, y *lanes, f func(x, y kir.Expr) kir.Expr) (out [2]kir.Expr) {
	for i := range out {
		out[i] = q.body.once("halves", f(x.word[i], y.word[i]))
	}
	return out
}

// without is a value in lanes as it is.
func (q *quads) without(v *quad) [2]kir.Expr {
	if v.shift != 0 || v.lanes.off == 0 {
		return v.lanes.word
	}
	if l := q.moved(v, 0); l != nil {
		return l.word
	}
	panic("lower: a negative value as bytes")
}

// order says which two instances are in the halves of each word.
func (q *quads) order() [2][2]int {
	if q.pair == 1 {
		return [2][2]int{{0, 2}, {1, 3}}
	}
	return [2][2]int{{0, 1}, {2, 3}}
}

// together makes lanes of four values.
func (q *quads) together(v *quad) *lanes {
	b := q.body
	out := &lanes{off: max(0, -v.iv.Lo)}
	for i, pair := range q.order() {
		var half [2]kir.Expr
		for h, k := range pair {
			half[h] = b.op(u32T, ops.Add, b.convert(u32T, v.each[k], kir.Wrap), uconst(out.off))
		}
		out.word[i] = b.once("halves", b.op(u32T, ops.Add, half[0], b.op(u32T, ops.Shl, half[1], i32(16))))
	}
	return out
}

// fromLanes are the four values of lanes.
func (q *quads) fromLanes(v *quad) *[4]kir.Expr {
	b := q.body
	var each [4]kir.Expr
	for i, pair := range q.order() {
		half := [2]kir.Expr{
			b.op(u32T, ops.And, v.lanes.word[i], uconst(0xffff)),
			b.op(u32T, ops.Shr, v.lanes.word[i], i32(16)),
		}
		for h, k := range pair {
			x := b.op(i32T, ops.Sub, b.convert(i32T, half[h], kir.Wrap), i32(v.lanes.off))
			value := b.declare("value", v.t, false, b.convert(v.t, x, kir.Wrap))
			b.bounds[value] = v.iv
			each[k] = ref(value)
		}
	}
	return &each
}

// lanesOp applies an operator to lanes; nil where there is no form for it, or nothing is in lanes before.
func (q *quads) lanesOp(e *hast.Op, args []*quad) *quad {
	f := laneOps[e.Op]
	if f == nil || q.decided.Packed16 == 0 || !e.T.IsScalar() || !e.T.Kind.IsInt() {
		return nil
	}
	ranges := make([]interval.Interval, len(args))
	worth := false
	for i, a := range args {
		ranges[i] = a.iv
		_, number := a.constant()
		worth = worth || a.each == nil && !number
	}
	iv, ok := interval.InKind(e.Op, e.T.Kind, ranges...)
	if !worth || !ok {
		return nil
	}
	out := &quad{t: e.T, iv: iv}
	if out.lanes = f(q, args, iv); out.lanes == nil {
		return nil
	}
	return out
}

type laneOp func(q *quads, args []*quad, iv interval.Interval) *lanes

var laneOps = map[ops.Op]laneOp{}

func init() {
	laneOps[ops.Add] = laneAdd
	laneOps[ops.Sub] = laneSub
	laneOps[ops.Neg] = func(q *quads, a []*quad, iv interval.Interval) *lanes {
		return laneSub(q, []*quad{zeroQuad(a[0]), a[0]}, iv)
	}
	laneOps[ops.Mul] = laneMul
	laneOps[ops.Shl] = laneShl
	laneOps[ops.Shr] = laneShr
	laneOps[ops.Div] = laneDiv
	laneOps[ops.Abs] = laneAbs
	laneOps[ops.Min] = laneMinMax(ops.Min)
	laneOps[ops.Max] = laneMinMax(ops.Max)
	laneOps[ops.And] = laneBits(ops.And)
	laneOps[ops.Or] = laneBits(ops.Or)
	laneOps[ops.Xor] = laneBits(ops.Xor)
	laneOps[ops.Clamp] = func(q *quads, a []*quad, iv interval.Interval) *lanes {
		low := q.lanesOp(&hast.Op{Typed: hast.Typed{T: a[0].t}, Op: ops.Max}, a[:2])
		if low == nil {
			return nil
		}
		return laneMinMax(ops.Min)(q, []*quad{low, a[2]}, iv)
	}
}

func zeroQuad(like *quad) *quad { return &quad{t: like.t, form: block.Number(0)} }

func laneAdd(q *quads, a []*quad, iv interval.Interval) *lanes {
	for i, x := range a {
		if c, ok := x.constant(); ok { // what is added is less to take away in the end
			if l := q.lanesOf(a[1-i], 1); l != nil {
				return &lanes{word: l.word, off: l.off - c}
			}
			return nil
		}
	}
	x, y := q.lanesOf(a[0], 1), q.lanesOf(a[1], 1)
	if x == nil || y == nil || iv.Hi+x.off+y.off > 0xffff {
		return nil
	}
	return &lanes{off: x.off + y.off, word: q.pairs(x, y, func(x, y kir.Expr) kir.Expr { return q.body.op(u32T, ops.Add, x, y) })}
}

func laneSub(q *quads, a []*quad, iv interval.Interval) *lanes {
	if c, ok := a[1].constant(); ok {
		if l := q.lanesOf(a[0], 1); l != nil {
			return &lanes{word: l.word, off: l.off + c}
		}
		return nil
	}
	if !holds(iv) {
		return nil
	}
	b, off := q.body, max(0, -iv.Lo)
	y := q.lanesOf(a[1], 1)
	if c, ok := a[0].constant(); ok && y != nil {
		return &lanes{off: off, word: q.words(y.word, func(w kir.Expr) kir.Expr { return b.op(u32T, ops.Sub, twice(c+y.off+off), w) })}
	}
	x := q.lanesOf(a[0], 1)
	if x == nil || y == nil {
		return nil
	}
	more := off - (x.off - y.off)
	return &lanes{off: off, word: q.pairs(x, y, func(x, y kir.Expr) kir.Expr {
		return b.op(u32T, ops.Add, b.op(u32T, ops.Sub, x, y), twice(more))
	})}
}

func laneMul(q *quads, a []*quad, iv interval.Interval) *lanes {
	x, y := a[0], a[1]
	c, ok := y.constant()
	if !ok {
		x = y
		if c, ok = a[0].constant(); !ok {
			return nil
		}
	}
	l := q.lanesOf(x, 1)
	if l == nil || c < 1 || iv.Hi+c*l.off > 0xffff {
		return nil
	}
	return &lanes{off: c * l.off, word: q.words(l.word, func(w kir.Expr) kir.Expr { return q.body.op(u32T, ops.Mul, w, uconst(c)) })}
}

func laneShl(q *quads, a []*quad, iv interval.Interval) *lanes {
	s, ok := a[1].constant()
	if !ok || s < 0 || s > 15 {
		return nil
	}
	return laneMul(q, []*quad{a[0], {t: a[0].t, form: block.Number(1 << s)}}, iv)
}

func laneShr(q *quads, a []*quad, _ interval.Interval) *lanes {
	s, ok := a[1].constant()
	if !ok || s < 0 || s > 15 {
		return nil
	}
	l := q.lanesOf(a[0], 1<<s)
	if l == nil {
		return nil
	}
	return &lanes{off: l.off >> s, word: q.words(l.word, func(w kir.Expr) kir.Expr {
		return q.body.op(u32T, ops.And, q.body.op(u32T, ops.Shr, w, i32(s)), twice(0xffff>>s))
	})}
}

// laneDiv divides by a number: a product with its reciprocal, whose upper half is the quotient.
func laneDiv(q *quads, a []*quad, _ interval.Interval) *lanes {
	d, ok := a[1].constant()
	if !ok || d < 1 || a[0].iv.Lo < 0 {
		return nil
	}
	times, shift, ok := reciprocal(d, a[0].iv.Hi)
	l := q.lanesOf(a[0], 1)
	if !ok || l == nil {
		return nil
	}
	if l.off != 0 {
		if l = q.moved(&quad{iv: a[0].iv, lanes: l}, 0); l == nil {
			return nil
		}
	}
	b := q.body
	return &lanes{word: q.words(l.word, func(w kir.Expr) kir.Expr {
		low := b.once("low", b.op(u32T, ops.Mul, b.op(u32T, ops.And, w, uconst(0xffff)), uconst(times)))
		high := b.once("high", b.op(u32T, ops.Mul, b.op(u32T, ops.Shr, w, i32(16)), uconst(times)))
		quotient := permute(low, high, [4]uint8{2, 3, 6, 7})
		if shift == 0 {
			return quotient
		}
		return b.op(u32T, ops.And, b.op(u32T, ops.Shr, b.once("upper", quotient), i32(shift)), twice(0xffff>>shift))
	})}
}

// reciprocal is by what to multiply x, from 0 to most, so that the quotient x / d is the product shifted right by 16 and more.
func reciprocal(d, most int64) (times, shift int64, ok bool) {
	for shift = range int64(16) {
		times = (1<<(16+shift) + d - 1) / d
		if divides(d, times, int(16+shift), most) {
			return times, shift, true
		}
	}
	return 0, 0, false
}

// divides reports whether x*times, which 32 bits hold, shifted right is x / d for all x from 0 to most.
func divides(d, times int64, shift int, most int64) bool {
	if most > 1<<20 || most*times > 0xffffffff {
		return false
	}
	for x := range most + 1 {
		if x*times>>shift != x/d {
			return false
		}
	}
	return true
}

// laneAbs is the distance from off.
func laneAbs(q *quads, a []*quad, _ interval.Interval) *lanes {
	l := q.lanesOf(a[0], 1)
	switch {
	case l == nil:
		return nil
	case a[0].iv.Lo >= 0:
		return l
	case a[0].iv.Hi+l.off > 0xffff || l.off < 0 || l.off > 0xffff:
		return nil
	}
	zero := twice(l.off)
	return &lanes{word: q.words(l.word, func(w kir.Expr) kir.Expr {
		return q.body.op(u32T, ops.Sub, halvesOf(ops.Max, w, zero), halvesOf(ops.Min, w, zero))
	})}
}

func halvesOf(op ops.Op, x, y kir.Expr) kir.Expr {
	return &kir.Halves{Typed: kir.Typed{T: u32T}, Op: op, Kind: types.U16, Args: []kir.Expr{x, y}}
}

func laneMinMax(op ops.Op) laneOp {
	return func(q *quads, a []*quad, iv interval.Interval) *lanes {
		for i, x := range a {
			if c, ok := x.constant(); ok {
				return q.bounded(a[1-i], op, c)
			}
		}
		x, y := q.lanesOf(a[0], 1), q.lanesOf(a[1], 1)
		if x == nil || y == nil {
			return nil
		}
		off := max(x.off, y.off)
		x, y = q.moved(&quad{iv: a[0].iv, lanes: x}, off), q.moved(&quad{iv: a[1].iv, lanes: y}, off)
		if x == nil || y == nil {
			return nil
		}
		return &lanes{off: off, word: q.pairs(x, y, func(x, y kir.Expr) kir.Expr { return halvesOf(op, x, y) })}
	}
}

// bounded is the lesser or the greater of a value and a number.
func (q *quads) bounded(v *quad, op ops.Op, c int64) *lanes {
	l := q.lanesOf(v, 1)
	switch {
	case l == nil:
		return nil
	case op == ops.Min && c >= v.iv.Hi, op == ops.Max && c <= v.iv.Lo:
		return l
	case c+l.off < 0 || c+l.off > 0xffff:
		return nil
	}
	return &lanes{off: l.off, word: q.words(l.word, func(w kir.Expr) kir.Expr { return halvesOf(op, w, twice(c+l.off)) })}
}

// laneBits is a bitwise operator on values that are not negative.
func laneBits(op ops.Op) laneOp {
	return func(q *quads, a []*quad, iv interval.Interval) *lanes {
		b := q.body
		var in []*lanes
		c := int64(-1)
		for _, x := range a {
			if k, ok := x.constant(); ok && k >= 0 && k <= 0xffff {
				c = k
				continue
			}
			l := q.lanesOf(x, 1)
			if l == nil || x.iv.Lo < 0 {
				return nil
			}
			if l = q.moved(&quad{iv: x.iv, lanes: l}, 0); l == nil {
				return nil
			}
			in = append(in, l)
		}
		switch {
		case len(in) == 2:
			return &lanes{word: q.pairs(in[0], in[1], func(x, y kir.Expr) kir.Expr { return b.op(u32T, op, x, y) })}
		case len(in) == 1 && c >= 0:
			return &lanes{word: q.words(in[0].word, func(w kir.Expr) kir.Expr { return b.op(u32T, op, w, twice(c)) })}
		}
		return nil
	}
}

// limited is a value brought into limits, in lanes; nil where it has no such form.
func (q *quads) limited(v *quad, limits interval.Interval, t types.Type) *quad {
	if v.each != nil && v.lanes == nil {
		return nil
	}
	for _, step := range []struct {
		op ops.Op
		c  int64
	}{{ops.Max, limits.Lo}, {ops.Min, limits.Hi}} {
		l := q.bounded(v, step.op, step.c)
		if l == nil {
			return nil
		}
		iv, _ := interval.Of(step.op, v.iv, interval.Point(step.c))
		v = &quad{t: t, iv: iv, lanes: l}
	}
	return v
}

// masked is a value modulo a power of two; nil where it has no such form.
func (q *quads) masked(v *quad, mask int64, t types.Type) *quad {
	if v.each != nil && v.lanes == nil {
		return nil
	}
	l := q.lanesOf(v, mask+1)
	if l == nil {
		return nil
	}
	words := q.words(l.word, func(w kir.Expr) kir.Expr { return q.body.op(u32T, ops.And, w, twice(mask)) })
	return &quad{t: t, iv: interval.Between(0, mask), lanes: &lanes{word: words}}
}

// extreme is the least, the greatest or the median of values that are written out, in lanes; nil where it has no such form.
func (q *quads) extreme(e *hast.Reduce) *quad {
	op := map[hast.ReduceOp]ops.Op{hast.Min: ops.Min, hast.Max: ops.Max}[e.Op]
	points, ok := q.body.points(e.Space)
	if !ok || len(points) == 0 || e.Where != nil || q.decided.Packed16 == 0 || !e.T.IsScalar() || !e.T.Kind.IsInt() || e.Elem.Type() != e.T {
		return nil
	}
	var values []*quad
	for _, p := range points {
		for i, v := range e.Space.Vars {
			q.body.vars[v] = i32(p[i])
		}
		values = append(values, q.eval(e.Elem))
	}
	switch e.Op {
	case hast.Min, hast.Max:
		return q.folded(op, values)
	case hast.Median:
		return q.medianLanes(values)
	}
	return nil
}

// folded folds values: first those of each row, which other instances have as well, from the middle of all of them outwards, so that a long row begins with what
// a short one comes to; then those of the rows.
func (q *quads) folded(op ops.Op, values []*quad) *quad {
	var out *quad
	for _, row := range rowsOf(values) {
		one := row[0]
		for _, v := range row[1:] {
			if one = q.either(op, one, v); one == nil {
				return nil
			}
		}
		if out == nil {
			out = one
		} else if out = q.either(op, out, one); out == nil {
			return nil
		}
	}
	return out
}

// rowsOf are values by the rows that they are read from, each from the middle column outwards; what is read in no single place is a row of its own.
func rowsOf(values []*quad) (rows [][]*quad) {
	left, right := math.MaxInt, math.MinInt
	last := block.Tap{Window: -1}
	for _, v := range values {
		at, ok := v.place()
		if ok {
			left, right = min(left, at.X), max(right, at.X)
		}
		if line := (block.Tap{Window: at.Window, Y: at.Y}); ok && line == last {
			rows[len(rows)-1] = append(rows[len(rows)-1], v)
			continue
		} else if last = line; !ok {
			last.Window = -1
		}
		rows = append(rows, []*quad{v})
	}
	apart := func(v *quad) int {
		at, _ := v.place()
		return block.FromMiddle(at.X, left, right)
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(v, w *quad) int { return apart(v) - apart(w) })
	}
	return rows
}

// place is the first pixel that a value is a combination of; ok is false where it is none.
func (v *quad) place() (at block.Tap, ok bool) {
	if v.form == nil || len(v.form.Taps) == 0 {
		return at, false
	}
	return v.form.Places()[0], true
}

func (q *quads) either(op ops.Op, x, y *quad) *quad {
	return q.lanesOp(&hast.Op{Typed: hast.Typed{T: x.t}, Op: op}, []*quad{x, y})
}

// medianLanes is the median of values that are not negative, by the network that scalars have.
func (q *quads) medianLanes(values []*quad) *quad {
	n := len(values)
	if n > maxNetwork {
		return nil
	}
	b := q.body
	var in []*lanes
	iv := values[0].iv
	for _, v := range values {
		l := q.lanesOf(v, 1)
		if l == nil || v.iv.Lo < 0 {
			return nil
		}
		if l = q.moved(&quad{iv: v.iv, lanes: l}, 0); l == nil {
			return nil
		}
		in, iv = append(in, l), iv.Join(v.iv)
	}
	out := &quad{t: values[0].t, iv: iv, lanes: &lanes{}}
	for i := range out.lanes.word {
		array := b.declare("values", u32T.Array(n), true, nil)
		for k, l := range in {
			q.keep(array, []kir.Expr{i32(int64(k))}, l.word[i])
		}
		call := &kir.Call{Typed: kir.Typed{T: u32T}, Func: b.medianHalves(n), Args: []kir.Expr{ref(array)}}
		out.lanes.word[i] = b.once("halves", call)
	}
	return out
}
