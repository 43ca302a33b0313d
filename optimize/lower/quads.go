package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Four neighbouring instances at once, a quad: the bytes that they read lie in one word or two, and the bytes that they write are
// one. What is computed between takes one of four forms, and is brought into another only where an operator asks for it:
//
//   - a combination of bytes, which no code has been made for yet,
//   - lanes, two words of two halves of 16 bits, where the interval of the value says that nothing leaves a half,
//   - each, the four values by themselves, which takes every operator that there is,
//   - truth, of conditions, a bit in each half of two words.
//
// Which forms sums take is decided by the schedule: dot products of four bytes (dot4), lanes (packed16), or else each.
type quads struct {
	*strip
	of     *hast.Stage // what is computed of an instance, or of a component of its pixels
	lets   map[*hast.Var]*quad
	sums   *block.Combiner
	x      [4]kir.Expr            // the variable x of the four instances
	inside [4]kir.Expr            // which of them are some, where that matters; nil for one that is
	place  func(dim int) kir.Expr // declares where the instance is, and whether it is one
	from   kir.Expr               // the first instance within the block
	number kir.Expr               // of the quad within the block
	pair   int                    // the distance in bytes from one instance to the next
	seen   map[string]kir.Expr
	begun  map[string]begun
	rows   rowSums  // what has been computed of rows for all instances of the block
	line   kir.Expr // the row of windows that is computed for these, where one is
}

// A quad is a value of four instances, of a scalar type. All values lie in iv.
type quad struct {
	t     types.Type
	iv    interval.Interval
	form  *block.Combination
	lanes *lanes
	each  *[4]kir.Expr
	truth *[2]kir.Expr // of a condition, see truths.go
	word  kir.Expr     // of bytes: a word that has the four, the first one lowest; nil where none is at hand
	// shift is by how many bits form, lanes and each are too large, with anything in the bits below; down is the value without.
	shift int
	down  *quad
}

// lanes are the halves of two words. A half holds off more than the value, so that it is not negative.
type lanes struct {
	word [2]kir.Expr
	off  int64
}

// byQuads prepares for four instances at once; nil where the stage is not of that kind: values of scalars, stored to pixels.
func (t *strip) byQuads() *quads {
	one := block.ByComponents(t.stage).Beside(t.stage, t.what)
	if !one.Alike(t.what, t.item[0]) {
		return nil
	}
	return t.quadsOf(one.Of, t.place)
}

// quadsOf are those of what is computed of an instance, for which place declares the variables; nil where nothing that it reads lies in words.
func (t *strip) quadsOf(of *hast.Stage, place func(dim int) kir.Expr) *quads {
	for _, w := range t.windows {
		if w != nil && w.packed {
			return &quads{strip: t, of: of, place: place, pair: t.stride(w, 0), sums: t.combiner()}
		}
	}
	return nil
}

// compute runs the body for each quad of the block.
func (q *quads) compute() {
	q.sumRows()
	q.rounds(1, "v", func() {
		q.body.when(q.place(1), q.row)
		q.reduceRow(q.strip.at[1], q.fast)
	})
}

// row runs the body for each quad of the row at hand.
func (q *quads) row() {
	b, c, n := q.body, q.inRow(), q.sides()
	b.unrolled("u", (c.To-c.From)*n/block.PerWord, func(u kir.Expr) {
		q.start(b.op(i32T, ops.Add, u, i32(int64(c.From*n/block.PerWord))))
		for _, s := range q.of.Body {
			b.pos = s.Span()
			q.stmt(s)
		}
		q.strip.at[0] = i32(0)
	})
}

// stmt lowers a statement for the quad at hand.
func (q *quads) stmt(s hast.Stmt) {
	switch s := s.(type) {
	case *hast.Define:
		v := q.eval(s.Init)
		q.lets[s.Var], q.sums.Lets[s.Var] = v, v.form
		if v.shift != 0 {
			q.sums.Lets[s.Var] = nil
		}
	case *hast.Store:
		if s.Updates() && q.flag(s) {
			return
		}
		if s.Updates() {
			u := q.update(s)
			q.each(func(i int) { u.make(i) })
		} else {
			q.store(s)
		}
	case *hast.If:
		q.choose(s)
	}
}

// start begins a quad of the block.
func (q *quads) start(number kir.Expr) {
	q.number, q.from = number, q.body.op(i32T, ops.Mul, number, i32(4))
	q.sums.Lets = map[*hast.Var]*block.Combination{}
	q.lets, q.seen, q.begun, q.x = map[*hast.Var]*quad{}, map[string]kir.Expr{}, map[string]begun{}, [4]kir.Expr{}
	for i := range 4 {
		q.instance(i)
		if q.sides() == 1 { // else nothing asks for it
			q.inside[i] = q.place(0)
			q.x[i] = q.nearest(q.inside[i])
		}
	}
	q.strip.at[0] = q.from
}

// nearest is the column of an instance, or of the last one where it is none.
func (q *quads) nearest(inside kir.Expr) kir.Expr {
	x := q.body.vars[q.what.X]
	if inside == nil {
		return x
	}
	last := q.body.op(i32T, ops.Sub, q.end[0], i32(1))
	first := q.from0()
	return q.coordinate(0, q.body.op(i32T, ops.Clamp, x, first, last))
}

// from0 is the first column of the iteration.
func (q *quads) from0() kir.Expr {
	if q.strip.from[0] != nil {
		return q.strip.from[0]
	}
	return q.bound(q.what.X.Name+"_from", q.rangeOf(q.what.X).Lo)
}

// instance makes one of the four the one that is lowered.
func (q *quads) instance(i int) {
	q.strip.at[0] = q.body.op(i32T, ops.Add, q.from, i32(int64(i)))
	if q.x[i] != nil {
		q.body.vars[q.what.X] = q.x[i]
	}
}

// store keeps a value in the array of its output.
func (q *quads) store(s *hast.Store) {
	v := q.eval(s.Value)
	for _, o := range q.outputs {
		if !o.own.Takes(q.scope(), s) {
			continue
		}
		if o.packed {
			at := q.destination(o, o.own, 0)
			at[1] = q.body.op(i32T, ops.Add, q.number, i32(int64(o.lead/block.PerWord)))
			q.keep(o.array, at, q.bytes(v))
			return
		}
		for i, x := range q.values(v) {
			q.instance(i)
			q.keep(o.array, q.destination(o, o.own, 0), x)
		}
		q.strip.at[0] = q.from
	}
}

// keep changes an element of an array.
func (q *quads) keep(array *kir.Var, index []kir.Expr, value kir.Expr) {
	q.body.emit(&kir.Assign{Placed: q.body.placed(), Var: array, Index: index, Value: value})
}

func boundsOf(c *block.Combination) interval.Interval {
	lo, hi := c.Bounds()
	return interval.Between(lo, hi)
}

// eval computes an expression of a scalar type.
func (q *quads) eval(e hast.Expr) *quad {
	if l := q.sums.Of(e); l != nil {
		return &quad{t: e.Type(), iv: boundsOf(l), form: l}
	}
	switch e := e.(type) {
	case *hast.Ref:
		if v := q.lets[e.Var]; v != nil {
			return v
		}
	case *hast.Convert:
		if e.How != hast.Bitcast && e.X.Type().IsScalar() {
			return q.convert(e, q.eval(e.X))
		}
	case *hast.Op:
		if v := q.isTrue(e); v != nil {
			return v
		}
		if v := q.op(e); v != nil {
			return v
		}
	case *hast.Select:
		if v := q.chosen(e); v != nil {
			return v
		}
	case *hast.Reduce:
		if v := q.extreme(e); v != nil {
			return v
		}
		if v := q.truths(e); v != nil {
			return v
		}
	}
	return q.apart(e)
}

// apart computes an expression for one instance after the other.
func (q *quads) apart(e hast.Expr) *quad {
	used := map[*hast.Var]*[4]kir.Expr{}
	hast.Walk(e, func(x hast.Expr) {
		if r, ok := x.(*hast.Ref); ok && q.lets[r.Var] != nil {
			used[r.Var] = q.values(q.lets[r.Var])
		}
	})
	var each [4]kir.Expr
	for i := range each {
		q.instance(i)
		for v, values := range used {
			q.body.vars[v] = values[i]
		}
		each[i] = q.body.once("value", q.body.expr(e))
	}
	q.strip.at[0] = q.from
	return q.ofEach(e.Type(), each)
}

func (q *quads) ofEach(t types.Type, each [4]kir.Expr) *quad {
	v := &quad{t: t, each: &each, iv: rangeOf(each[0], q.body.bounds)}
	for _, x := range each[1:] {
		v.iv = v.iv.Join(rangeOf(x, q.body.bounds))
	}
	return v
}

// op applies an operator: to lanes where it has a form there, else to each value. What chooses between its operands is left to apart.
func (q *quads) op(e *hast.Op) *quad {
	if e.Op.Lazy() {
		return nil
	}
	args := make([]*quad, len(e.Args))
	for i, a := range e.Args {
		if !a.Type().IsScalar() {
			return nil
		}
		args[i] = q.eval(a)
	}
	if v := q.shiftedForm(e, args); v != nil {
		return v
	}
	if v := q.upperBytes(e, args); v != nil {
		return v
	}
	if v := q.quotient(e, args); v != nil {
		return v
	}
	if v := q.lanesOp(e, args); v != nil {
		return v
	}
	values := make([]*[4]kir.Expr, len(args))
	for i, a := range args {
		values[i] = q.values(a)
	}
	var each [4]kir.Expr
	for i := range each {
		in := make([]kir.Expr, len(args))
		for k := range in {
			in[k] = values[k][i]
		}
		each[i] = q.body.once("value", q.body.applyOp(e.T, e.Op, in))
	}
	return q.ofEach(e.T, each)
}

// shiftedForm is a sum that is shifted right, or divided by a power of two, as the same sum so much larger that the result is the byte above the lowest one, which
// costs nothing to take.
func (q *quads) shiftedForm(e *hast.Op, args []*quad) *quad {
	if len(args) != 2 || args[0].form == nil || args[0].shift != 0 || args[0].iv.Lo < 0 {
		return nil
	}
	by, known := args[1].constant()
	s, ok := block.ShiftOf(e.Op, by)
	if !known || !ok || s < 1 || s > 8 || args[0].iv.Hi>>s > 255 {
		return nil
	}
	form := block.Number(0).PlusTimes(args[0].form, 1<<(8-s))
	if form == nil || !q.packs(form) {
		return nil
	}
	return &quad{t: e.T, form: form, shift: 8, iv: interval.Between(args[0].iv.Lo>>s, args[0].iv.Hi>>s)}
}

// upperBytes is what has been computed and is shifted right by a byte, or divided by as much, as the upper bytes of it, which cost nothing to take.
func (q *quads) upperBytes(e *hast.Op, args []*quad) *quad {
	if len(args) != 2 || args[0].form != nil || args[0].shift != 0 || args[0].iv.Lo < 0 || args[0].iv.Hi>>8 > 255 {
		return nil
	}
	by, known := args[1].constant()
	if s, ok := block.ShiftOf(e.Op, by); !known || !ok || s != 8 {
		return nil
	}
	out := &quad{t: e.T, each: args[0].each, shift: 8, iv: interval.Between(args[0].iv.Lo>>8, args[0].iv.Hi>>8)}
	if args[0].lanes != nil {
		if out.lanes = q.moved(&quad{iv: args[0].iv, lanes: args[0].lanes}, 0); out.lanes == nil {
			return nil
		}
		out.each = nil
	}
	if out.lanes == nil && out.each == nil {
		return nil
	}
	return out
}

// quotient is a value divided by a number where the result is a byte: a product whose highest or second highest byte it is.
func (q *quads) quotient(e *hast.Op, args []*quad) *quad {
	if e.Op != ops.Div && e.Op != ops.FloorDiv || args[0].iv.Lo < 0 {
		return nil
	}
	d, ok := args[1].constant()
	if !ok || d < 2 || args[0].iv.Hi/d > 255 {
		return nil
	}
	b := q.body
	for _, shift := range []int{16, 24} {
		times := (1<<shift + d - 1) / d
		if !divides(d, times, shift, args[0].iv.Hi) {
			continue
		}
		var each [4]kir.Expr
		for i, x := range q.values(args[0]) {
			each[i] = b.once("product", b.op(u32T, ops.Mul, b.convert(u32T, x, kir.Wrap), uconst(times)))
		}
		return &quad{t: e.T, each: &each, shift: shift, iv: interval.Between(args[0].iv.Lo/d, args[0].iv.Hi/d)}
	}
	return nil
}

// constant is the value of a quad that is a number.
func (v *quad) constant() (int64, bool) {
	if v.form != nil && len(v.form.Taps) == 0 && v.shift == 0 {
		return v.form.Plus, true
	}
	return 0, false
}

// convert changes the kind of a value.
func (q *quads) convert(e *hast.Convert, v *quad) *quad {
	k := e.T.Kind
	if v.truth != nil && k.IsInt() && k != types.U64 {
		return q.ones(v, e.T)
	}
	if v.t.Kind.IsInt() && k.IsInt() {
		if v.iv.Within(interval.OfKind(k)) {
			out := *v
			out.t = e.T
			if out.down = nil; out.each != nil && out.shift == 0 {
				out.each = q.converted(v.each, e.T, kir.Wrap)
			}
			return &out
		}
		if k.IsUnsigned() && k.Bits() <= 16 {
			limits := interval.OfKind(k)
			if e.How == hast.Saturate {
				if out := q.limited(v, limits, e.T); out != nil {
					return out
				}
			} else if out := q.masked(v, limits.Hi, e.T); out != nil {
				return out
			}
		}
	}
	return q.ofEach(e.T, *q.converted(q.values(v), e.T, kir.How(e.How)))
}

func (q *quads) converted(in *[4]kir.Expr, t types.Type, how kir.How) *[4]kir.Expr {
	out := *in
	for i, x := range in {
		out[i] = q.body.once("value", q.body.convert(t, x, how))
	}
	return &out
}

// values are the four values, each of the quad's type.
func (q *quads) values(v *quad) *[4]kir.Expr {
	if v.truth != nil && v.each == nil {
		v.each = q.fromTruth(v)
	}
	v = q.settled(v)
	if v.each == nil {
		v.each = q.fromLanes(v)
	}
	return v.each
}

// settled is a value without shift.
func (q *quads) settled(v *quad) *quad {
	if v.each == nil && v.lanes == nil {
		q.sum(v)
	}
	switch {
	case v.shift == 0:
		return v
	case v.down != nil:
		return v.down
	}
	b := q.body
	out := &quad{t: v.t, iv: v.iv}
	v.down = out
	if v.lanes != nil {
		out.lanes = &lanes{}
		mask := twice(0xffff >> v.shift)
		for i, w := range v.lanes.word {
			shifted := b.op(u32T, ops.Shr, w, i32(int64(v.shift)))
			out.lanes.word[i] = b.once("halves", b.op(u32T, ops.And, shifted, mask))
		}
		return out
	}
	each := *v.each
	for i, x := range each {
		each[i] = b.once("value", b.convert(v.t, b.op(x.Type(), ops.Shr, x, i32(int64(v.shift))), kir.Wrap))
	}
	out.each = &each
	return out
}

// bytes puts four values into a word.
func (q *quads) bytes(v *quad) kir.Expr {
	if v.truth != nil {
		v = q.ones(v, v.t)
	}
	if v.form != nil && v.lanes == nil && v.each == nil {
		if word := q.copied(v.form); word != nil {
			return word
		}
		q.sum(v)
	}
	if v.shift%8 != 0 {
		v = q.settled(v)
	}
	if v.word != nil {
		return v.word
	}
	at := uint8(v.shift / 8)
	if v.lanes != nil && v.each == nil {
		w := q.without(v)
		take := [4]uint8{at, 4 + at, 2 + at, 6 + at}
		if q.pair != 1 {
			take = [4]uint8{at, 2 + at, 4 + at, 6 + at}
		}
		return permute(w[0], w[1], take)
	}
	var x [4]kir.Expr
	for i, e := range v.each {
		x[i] = q.body.convert(u32T, e, kir.Wrap)
	}
	pair := func(low, high kir.Expr) kir.Expr {
		return q.body.once("bytes", permute(low, high, [4]uint8{at, 4 + at, at, 4 + at}))
	}
	return permute(pair(x[0], x[1]), pair(x[2], x[3]), [4]uint8{0, 1, 4, 5})
}

func permute(low, high kir.Expr, take [4]uint8) kir.Expr {
	return &kir.Permute{Typed: kir.Typed{T: u32T}, Low: low, High: high, Take: take}
}
