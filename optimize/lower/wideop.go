package lower

import (
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// kindOf is the integer kind of so many bits.
func kindOf(bits int, signed bool) types.Kind {
	if signed {
		return signedKinds[bits]
	}
	return unsignedKinds[bits]
}

var (
	signedKinds   = map[int]types.Kind{8: types.I8, 16: types.I16, 32: types.I32}
	unsignedKinds = map[int]types.Kind{8: types.U8, 16: types.U16, 32: types.U32}
)

// bitsFor is the least width, least at least, of an integer kind that holds an interval; 0 where 32 bits do not.
func bitsFor(iv interval.Interval, least int) int {
	for _, bits := range [...]int{8, 16, 32} {
		if bits >= least && iv.Within(interval.OfKind(kindOf(bits, iv.Lo < 0))) {
			return bits
		}
	}
	return 0
}

// as is a value in wide form, of a kind that holds it.
func (w *widener) as(v wideValue, k types.Kind) kir.Expr {
	t := types.Vector(k, w.lanes)
	switch {
	case v.parts != nil:
		w.refuse("it has vectors where scalars are")
		return i32(0)
	case v.base != nil:
		w.refuse("it computes with integers of more than 32 bits")
		return i32(0)
	case v.mask: // bools as numbers: 0 and 1
		one := &kir.Vec{Typed: kir.Typed{T: v.e.Type()}, Parts: []kir.Expr{intConst(v.e.Type().Kind, 1)}}
		v.e = &kir.Op{Typed: kir.Typed{T: v.e.Type()}, Op: ops.And, Args: []kir.Expr{v.e, one}, Exact: true}
	case v.wide():
	case v.grows != 0:
		v = w.counted(v)
	default:
		return &kir.Vec{Typed: kir.Typed{T: t}, Parts: []kir.Expr{w.scalar(v, k)}}
	}
	if v.e.Type() == t {
		return v.e
	}
	return w.converted(v, t)
}

// converted is a value in another kind; of what has been loaded, once for all that use it.
func (w *widener) converted(v wideValue, t types.Type) kir.Expr {
	e := &kir.Convert{Typed: kir.Typed{T: t}, X: v.e, Exact: true}
	r, ok := v.e.(*kir.Ref)
	if !ok || w.lazy+w.guard > 0 || !w.loads[r.Var] {
		return e
	}
	id := key(e, w.ids)
	if _, ok := w.seen[id]; !ok {
		w.seen[id] = w.kept(r.Var, wideValue{e: e, iv: v.iv, kind: v.kind}, w.placed())
	}
	return w.seen[id].e
}

// counted is a coordinate as a wide value: that of the first lane and the lane's distance from it.
func (w *widener) counted(v wideValue) wideValue {
	t := types.Vector(types.I32, w.lanes)
	if !v.iv.Within(interval.OfKind(types.I32)) {
		return w.refuse("it computes with coordinates of 64 bits")
	}
	words := make([]types.Word, w.lanes)
	for i := range words {
		words[i] = types.Int(v.grows * int64(i))
	}
	first := &kir.Vec{Typed: kir.Typed{T: t}, Parts: []kir.Expr{convert(v.e, types.I32)}}
	v.e = &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Add, Args: []kir.Expr{first, constant(t, words, "")}, Exact: true}
	v.grows = 0
	return v
}

// meet brings two values to one wide type: their kind where that is of floats, else the least integer kind, of at least so many
// bits, that holds both.
func (w *widener) meet(x, y wideValue, k types.Kind, bits int) (a, b kir.Expr, t types.Type) {
	switch {
	case k == types.F32:
		t = types.Vector(k, w.lanes)
	case k == types.Bool:
		a, b := w.boolean(x), w.boolean(y)
		bits = max(a.e.Type().Kind.Bits(), b.e.Type().Kind.Bits())
		return w.maskOf(a, bits), w.maskOf(b, bits), types.Vector(kindOf(bits, true), w.lanes)
	case !k.IsInt():
		w.refuse("it computes in %s", k)
		return i32(0), i32(0), types.Vector(types.I32, w.lanes)
	default:
		t = types.Vector(w.kindFor(x.iv.Join(y.iv), bits, x, y), w.lanes)
	}
	return w.as(x, t.Kind), w.as(y, t.Kind), t
}

// kindFor is the integer kind in which an operator with results, or operands, in an interval computes: not narrower than its
// operands are, since it costs as much to make them so.
func (w *widener) kindFor(iv interval.Interval, least int, args ...wideValue) types.Kind {
	for _, a := range args {
		if a.wide() && !a.mask && a.e.Type().Kind.IsInt() {
			least = max(least, a.e.Type().Kind.Bits())
		}
	}
	bits := bitsFor(iv, least)
	if bits == 0 {
		w.refuse("it computes with integers of more than 32 bits")
		return types.I32
	}
	return kindOf(bits, iv.Lo < 0)
}

// boolean is a truth value as a mask.
func (w *widener) boolean(v wideValue) wideValue {
	if v.mask || w.why != "" {
		return v
	}
	t := types.Vector(types.I8, w.lanes)
	all := func(n int64) kir.Expr {
		return &kir.Vec{Typed: kir.Typed{T: t}, Parts: []kir.Expr{intConst(types.I8, n)}}
	}
	return wideValue{e: &kir.Select{Typed: kir.Typed{T: t}, Cond: v.e, Then: all(-1), Else: all(0), Lazy: true}, mask: true, kind: types.Bool}
}

func (w *widener) op(e *kir.Op) wideValue {
	first := len(w.operands)
	for _, a := range e.Args {
		v := w.expr(a)
		w.operands = append(w.operands, v)
	}
	args := w.operands[first:]
	defer func() { w.operands = w.operands[:first] }()
	if w.why != "" {
		return args[0]
	}
	if e.T.Lanes == 1 && e.Args[0].Type().Lanes > 1 {
		return w.refuse("it takes vectors together")
	}
	return w.lanewise(e.T, args, func(_ int, p []wideValue) wideValue {
		if w.why != "" {
			return p[0]
		}
		return w.apply(e.Op, e.Args[0].Type().Kind, e.Exact, p)
	})
}

// apply computes an operator on scalars of kind k.
func (w *widener) apply(op ops.Op, k types.Kind, exact bool, p []wideValue) wideValue {
	varies := false
	for _, a := range p {
		varies = varies || a.varies() || a.mask
	}
	if !varies {
		return w.alike(op, k, exact, p)
	}
	if v, ok := w.linear(op, k, exact, p); ok {
		return v
	}
	if v, ok := w.offset(op, k, exact, p); ok {
		return v
	}
	switch {
	case op.Lazy() || op == ops.Not:
		return w.logic(op, p)
	case op.Info().Result == ops.Truth:
		return w.compare(op, k, p)
	case k == types.F32:
		return w.floats(op, p)
	case k.IsInt():
		return w.integers(op, k, exact, p)
	}
	return w.refuse("it computes in %s", k)
}

// alike is an operator on operands that are the same in all lanes.
func (w *widener) alike(op ops.Op, k types.Kind, exact bool, p []wideValue) wideValue {
	args := make([]kir.Expr, len(p))
	for i, a := range p {
		args[i] = a.e
	}
	t := types.Scalar(k)
	if op.Info().Result == ops.Truth {
		t = boolType
	} else if op.Info().Result == ops.Index {
		t = i32T
	}
	e := opExpr(t, op, args, exact)
	return wideValue{e: e, iv: rangeOf(e, w.bounds), kind: t.Kind}
}

// linear follows coordinates through sums and multiples, in which they stay scalars that grow from lane to lane.
func (w *widener) linear(op ops.Op, k types.Kind, exact bool, p []wideValue) (wideValue, bool) {
	if !k.IsInt() || !exact || len(p) != 2 || p[0].wide() || p[1].wide() || p[0].mask || p[1].mask {
		return wideValue{}, false
	}
	var grows int64
	switch op {
	case ops.Add:
		grows = p[0].grows + p[1].grows
	case ops.Sub:
		grows = p[0].grows - p[1].grows
	case ops.Mul:
		x, y := p[0], p[1]
		if x.grows == 0 {
			x, y = y, x
		}
		c, ok := constInt(y.e)
		if !ok || c > 1<<20 || c < -1<<20 {
			return wideValue{}, false
		}
		grows = x.grows * c
	default:
		return wideValue{}, false
	}
	v := w.alike(op, k, true, p)
	v.grows = grows
	return v, true
}

// offset adds what is the same for all lanes to a coordinate whose lanes differ, in 64 bits: an offset into a buffer.
func (w *widener) offset(op ops.Op, k types.Kind, exact bool, p []wideValue) (wideValue, bool) {
	if op != ops.Add || k != types.I64 || !exact || p[0].varies() == p[1].varies() {
		return wideValue{}, false
	}
	x, y := p[0], p[1]
	if y.varies() {
		x, y = y, x
	}
	if !x.wide() || x.mask || !x.iv.Within(interval.OfKind(types.I32)) {
		return wideValue{}, false
	}
	if x.base != nil {
		y.e = opExpr(types.Scalar(k), ops.Add, []kir.Expr{x.base, y.e}, true)
	}
	x.base = convert(y.e, types.I64)
	return x, true
}

func (w *widener) logic(op ops.Op, p []wideValue) wideValue {
	x := w.boolean(p[0])
	if op == ops.Not {
		return wideValue{e: &kir.Op{Typed: kir.Typed{T: x.e.Type()}, Op: ops.BitNot, Args: []kir.Expr{x.e}, Exact: true}, mask: true, kind: types.Bool}
	}
	a, b, t := w.meet(x, p[1], types.Bool, 8)
	bit := ops.And
	if op == ops.LOr {
		bit = ops.Or
	}
	return wideValue{e: &kir.Op{Typed: kir.Typed{T: t}, Op: bit, Args: []kir.Expr{a, b}, Exact: true}, mask: true, kind: types.Bool}
}

func (w *widener) compare(op ops.Op, k types.Kind, p []wideValue) wideValue {
	switch {
	case op == ops.IsNan:
		p = []wideValue{p[0], p[0]}
		op = ops.Ne
	case len(p) != 2 || !kir.WideOp(op, types.I32):
		return w.refuse("it asks for %s", op)
	}
	if k == types.Bool {
		p = []wideValue{w.number(p[0]), w.number(p[1])}
		k = types.I32
	}
	a, b, t := w.meet(p[0], p[1], k, 8)
	if w.why != "" {
		return p[0]
	}
	return wideValue{e: &kir.Op{Typed: kir.Typed{T: kir.Mask(t)}, Op: op, Args: []kir.Expr{a, b}, Exact: true}, mask: true, kind: types.Bool}
}

// number is a truth value as 0 or 1.
func (w *widener) number(v wideValue) wideValue {
	if !v.mask {
		return wideValue{e: convert(v.e, types.I32), iv: interval.Between(0, 1), kind: types.I32}
	}
	k := v.e.Type().Kind
	return wideValue{e: w.as(v, k), iv: interval.Between(0, 1), kind: types.I32}
}

// maxWideCall is the most lanes that built-in functions take.
const maxWideCall = 16

// tooWide reports whether there are more lanes than built-in functions take, upon which a trial holds for so many lanes alone.
func (w *widener) tooWide() bool {
	if r := w.kernel.rows; r != nil && r.trial != nil {
		r.trial.byLanes = true
	}
	return w.lanes > maxWideCall
}

func (w *widener) floats(op ops.Op, p []wideValue) wideValue {
	t := types.Vector(types.F32, w.lanes)
	if op == ops.Clamp {
		return w.floats(ops.Min, []wideValue{w.floats(ops.Max, p[:2]), p[2]})
	}
	switch {
	case !kir.WideOp(op, types.F32):
		return w.refuse("it asks for %s", op)
	case op.Info().Call && w.tooWide():
		return w.refuse("%s takes %d lanes at most", op, maxWideCall)
	}
	args := make([]kir.Expr, len(p))
	for i, a := range p {
		args[i] = w.as(a, types.F32)
	}
	short := op == ops.Exp && p[0].span.within(bounded(-kir.ShortPower, kir.ShortPower))
	return wideValue{e: &kir.Op{Typed: kir.Typed{T: t}, Op: op, Args: args, Exact: true, Short: short}, iv: interval.All, kind: types.F32, span: spanOf(op, p)}
}

// modular operators give the right lower bits whatever the upper ones of their operands are.
var modular = map[ops.Op]bool{ops.Neg: true, ops.Add: true, ops.Sub: true, ops.Mul: true, ops.And: true, ops.Or: true, ops.Xor: true, ops.BitNot: true}

// integers computes an operator on integers in the least kind that will do.
func (w *widener) integers(op ops.Op, k types.Kind, exact bool, p []wideValue) wideValue {
	for i, a := range p {
		if a.mask {
			p[i] = w.number(a)
		}
	}
	switch op {
	case ops.Min, ops.Max:
		return w.extreme(op, p[0], p[1], k)
	case ops.Clamp:
		return w.extreme(ops.Min, w.extreme(ops.Max, p[0], p[1], k), p[2], k)
	case ops.Abs:
		return w.magnitude(p[0], k)
	case ops.Shl, ops.Shr:
		return w.shift(op, k, exact, p)
	case ops.FloorDiv, ops.Mod:
		if p[0].iv.Lo < 0 {
			return w.refuse("it asks for %s of integers below 0", op)
		}
		op = map[ops.Op]ops.Op{ops.FloorDiv: ops.Div, ops.Mod: ops.Rem}[op]
	}
	if !kir.WideOp(op, types.I32) {
		return w.refuse("it asks for %s", op)
	}
	var room [mostOperands]interval.Interval
	ivs := room[:0]
	for _, a := range p {
		ivs = append(ivs, a.iv)
	}
	iv, known := interval.InKind(op, k, ivs...)
	switch {
	case modular[op] && known:
		least := 8
		if op == ops.Mul {
			least = 16
		}
		return w.computed(op, w.kindFor(iv, least, p...), iv, k, p)
	case modular[op] && k.Bits() == 32: // it may wrap: as unsigned integers do
		u := w.computed(op, types.U32, interval.OfKind(types.U32), types.U32, p)
		if k.IsSigned() {
			u.e = &kir.Convert{Typed: kir.Typed{T: types.Vector(k, w.lanes)}, X: u.e, Exact: true}
		}
		u.iv, u.kind = interval.OfKind(k), k
		return u
	case (op == ops.Div || op == ops.Rem) && exact && known && p[1].iv.Lo > 0:
		both := p[0].iv.Join(p[1].iv).Join(iv)
		return w.computed(op, w.kindFor(both, 8, p...), iv, k, p)
	case kir.DividesShort(op, types.Scalar(k)) && dividesShort(p[0].iv, p[1].iv):
		return w.quotient(op, p)
	}
	return w.refuse("it asks for %s of any integers", op)
}

// quotient divides small integers by what is no constant, or takes the remainder, which are of the magnitude of the dividend at most.
func (w *widener) quotient(op ops.Op, p []wideValue) wideValue {
	if w.tooWide() {
		return w.refuse("%s takes %d lanes at most", op, maxWideCall)
	}
	most := max(-p[0].iv.Lo, p[0].iv.Hi)
	out := w.computed(op, types.I32, upTo(most), types.I32, p)
	out.e.(*kir.Op).Short, out.e.(*kir.Op).Exact = true, false
	return out
}

// computed applies an operator in a kind.
func (w *widener) computed(op ops.Op, in types.Kind, iv interval.Interval, k types.Kind, p []wideValue) wideValue {
	args := make([]kir.Expr, len(p))
	for i, a := range p {
		args[i] = w.as(a, in)
	}
	return wideValue{e: &kir.Op{Typed: kir.Typed{T: types.Vector(in, w.lanes)}, Op: op, Args: args, Exact: true}, iv: iv, kind: k}
}

// shift shifts by the same count in all lanes.
func (w *widener) shift(op ops.Op, k types.Kind, exact bool, p []wideValue) wideValue {
	c, ok := constInt(p[1].e)
	if !ok || c < 0 || c >= int64(k.Bits()) {
		return w.refuse("it shifts by what is no constant")
	}
	if op == ops.Shl {
		return w.integers(ops.Mul, k, exact, []wideValue{p[0], {e: intConst(types.I64, 1<<c), iv: interval.Point(1 << c), kind: k}})
	}
	in := w.kindFor(p[0].iv, 8, p[0])
	if w.why != "" {
		return p[0]
	}
	iv := interval.Between(p[0].iv.Lo>>c, p[0].iv.Hi>>c)
	if c >= int64(in.Bits()) { // all that is left is the sign
		c = int64(in.Bits()) - 1
	}
	count := wideValue{e: intConst(in, c), iv: interval.Point(c), kind: in}
	return w.computed(ops.Shr, in, iv, k, []wideValue{p[0], count})
}

// extreme is the lesser or the greater of two integers.
func (w *widener) extreme(op ops.Op, x, y wideValue, k types.Kind) wideValue {
	if !x.varies() && !y.varies() {
		return w.alike(op, k, true, []wideValue{x, y})
	}
	iv, _ := interval.Of(op, x.iv, y.iv)
	if (x.wide() || x.grows != 0) && !simple(x.e) {
		x = w.name(x)
	}
	if (y.wide() || y.grows != 0) && !simple(y.e) {
		y = w.name(y)
	}
	a, b, t := w.meet(x, y, k, 8)
	if w.why != "" {
		return x
	}
	order := ops.Lt
	if op == ops.Max {
		order = ops.Gt
	}
	cond := &kir.Op{Typed: kir.Typed{T: kir.Mask(t)}, Op: order, Args: []kir.Expr{a, b}, Exact: true}
	out := wideValue{e: &kir.Select{Typed: kir.Typed{T: t}, Cond: cond, Then: a, Else: b}, iv: iv, kind: k}
	return w.name(out)
}

// magnitude is the absolute value.
func (w *widener) magnitude(x wideValue, k types.Kind) wideValue {
	if x.iv.Lo >= 0 || k.IsUnsigned() {
		return x
	}
	iv, ok := interval.InKind(ops.Abs, k, x.iv)
	if !ok {
		return w.refuse("it asks for the magnitude of any integers")
	}
	x = w.name(x)
	in := w.kindFor(x.iv.Join(iv).Join(interval.Point(-1)), 8, x)
	if w.why != "" {
		return x
	}
	a, t := w.as(x, in), types.Vector(in, w.lanes)
	zero := &kir.Vec{Typed: kir.Typed{T: t}, Parts: []kir.Expr{intConst(in, 0)}}
	neg := &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Neg, Args: []kir.Expr{a}, Exact: true}
	cond := &kir.Op{Typed: kir.Typed{T: kir.Mask(t)}, Op: ops.Lt, Args: []kir.Expr{a, zero}, Exact: true}
	return wideValue{e: &kir.Select{Typed: kir.Typed{T: t}, Cond: cond, Then: neg, Else: a}, iv: iv, kind: k}
}
