package lower

import (
	"math"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// convert changes the kind of a value. Between integers, what the target kind holds stays as it is.
func (w *widener) convert(v wideValue, to types.Kind, how kir.How, exact bool) wideValue {
	from := v.kind
	switch {
	case w.why != "" || from == to:
		return v
	case !v.varies() && !v.mask:
		t := types.Scalar(to)
		e := &kir.Convert{Typed: kir.Typed{T: t}, X: v.e, How: how, Exact: exact}
		return wideValue{e: w.shared(func() kir.Expr { return w.body.convert(t, v.e, how) }), iv: rangeOf(e, w.bounds), kind: to}
	case how == kir.Bitcast || to == types.F64 || to == types.F16 || to == types.BF16 || from == types.F64:
		return w.refuse("it converts %s to %s", from, to)
	case to == types.Bool:
		return w.compare(ops.Ne, from, []wideValue{v, w.zeroOf(from)})
	case from == types.Bool:
		n := w.number(v)
		if n.kind = types.I32; to.IsFloat() {
			return w.toFloat(n, to)
		}
		n.kind = to
		return n
	case to == types.F32:
		return w.toFloat(v, to)
	case from == types.F32:
		return w.toInteger(v, to, how, exact)
	}
	return w.between(v, to, how)
}

// shared is a value that is the same for all lanes, as the body computes it. What the body declares for that goes where the statements of the instance go: it may
// use what these declare.
func (w *widener) shared(compute func() kir.Expr) (e kir.Expr) {
	list := w.body.inside(false, func() { e = compute() })
	if w.lazy+w.guard > 0 && len(list) > 0 {
		w.refuse("what one side of a condition computes takes more than an expression")
		return refused().e
	}
	for _, s := range list {
		d := s.(*kir.Decl)
		if w.movable(d.Init) {
			w.moved = append(w.moved, d)
			continue
		}
		w.here[d.Var] = true
		w.out = append(w.out, d)
	}
	return e
}

func (w *widener) zeroOf(k types.Kind) wideValue {
	return wideValue{e: zero(types.Scalar(k)), iv: interval.Point(0), kind: k}
}

func (w *widener) toFloat(v wideValue, to types.Kind) wideValue {
	if v.grows != 0 {
		v = w.counted(v)
	}
	out := wideValue{e: w.as(v, to), iv: interval.All, kind: to}
	if v.iv.Within(interval.OfKind(types.I32)) {
		out.span = spanOfInts(v.iv).rounded()
	}
	return out
}

// between converts integers.
func (w *widener) between(v wideValue, to types.Kind, how kir.How) wideValue {
	all := interval.OfKind(to)
	switch {
	case v.grows != 0 && v.iv.Within(all): // still a scalar
		return wideValue{e: convert(v.e, to), iv: v.iv, kind: to, grows: v.grows}
	case v.iv.Within(all):
		v.kind = to
		return v
	case how == kir.Saturate:
		limit := func(n int64) wideValue {
			return wideValue{e: intConst(types.I64, n), iv: interval.Point(n), kind: v.kind}
		}
		if v.iv.Hi > all.Hi {
			v = w.extreme(ops.Min, v, limit(all.Hi), v.kind)
		}
		if v.iv.Lo < all.Lo {
			v = w.extreme(ops.Max, v, limit(all.Lo), v.kind)
		}
		v.kind = to
		return v
	case to.Bits() > 32:
		return w.refuse("it computes with integers of more than 32 bits")
	}
	if v.grows != 0 {
		v = w.counted(v)
	}
	return wideValue{e: w.as(v, to), iv: all, kind: to}
}

// nearest is 1.5 * 2^23: added to a float below 2^22 it leaves no fraction, rounded to even, and taken away again it leaves the integer.
const nearest = 12582912

// toInteger converts floats to integers up to 16 bits: brought into their range first, where a NaN becomes 0, then truncated or rounded.
func (w *widener) toInteger(v wideValue, to types.Kind, how kir.How, exact bool) wideValue {
	t, in := types.Vector(types.F32, w.lanes), types.Vector(types.I32, w.lanes)
	whole := func(e kir.Expr) wideValue {
		return wideValue{e: &kir.Convert{Typed: kir.Typed{T: in}, X: e, Exact: true}, iv: interval.OfKind(to), kind: to}
	}
	switch {
	case exact && how == kir.Wrap && to.Bits() <= 32 && to != types.U32:
		return whole(v.e)
	case to == types.I32 && how == kir.Wrap:
		return w.toInt32(v)
	case to.Bits() > 16:
		return w.refuse("it converts floats to %s", to)
	case how == kir.Saturate && w.opts.Mode == kir.Fast && w.tooWide(): // where sums of floats may be taken apart
		return w.refuse("it rounds more than %d floats at a time", maxWideCall)
	}
	c, all := w.splatFloat, interval.OfKind(to)
	if all.Lo < 0 { // only here a NaN would become the lowest value
		v = w.name(v)
		v = w.where(ops.Eq, v, v.e, c(0))
	}
	v = w.where(ops.Gt, v, c(float64(all.Lo)), c(float64(all.Lo)))
	v = w.where(ops.Lt, v, c(float64(all.Hi)), c(float64(all.Hi)))
	if how == kir.Saturate && w.lanes <= maxWideCall {
		return wideValue{e: &kir.Convert{Typed: kir.Typed{T: in}, X: v.e, How: kir.Saturate, Exact: true}, iv: all, kind: to}
	}
	if how == kir.Saturate {
		sum := &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Add, Args: []kir.Expr{v.e, c(nearest)}, Exact: true}
		v.e = &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Sub, Args: []kir.Expr{sum, c(nearest)}, Exact: true}
	}
	return whole(v.e)
}

// toInt32 truncates floats. The highest i32 is no float: what is not below 2^31 becomes it behind the conversion.
func (w *widener) toInt32(v wideValue) wideValue {
	in, end := types.Vector(types.I32, w.lanes), w.splatFloat(1<<31)
	v = w.name(v)
	v = w.where(ops.Eq, v, v.e, w.splatFloat(0)) // a NaN
	v = w.name(w.where(ops.Gt, v, w.splatFloat(-1<<31), w.splatFloat(-1<<31)))
	below := &kir.Op{Typed: kir.Typed{T: in}, Op: ops.Lt, Args: []kir.Expr{v.e, end}, Exact: true}
	held := w.where(ops.Lt, v, end, w.splatFloat(0))
	highest := &kir.Vec{Typed: kir.Typed{T: in}, Parts: []kir.Expr{i32(math.MaxInt32)}}
	whole := &kir.Convert{Typed: kir.Typed{T: in}, X: held.e, Exact: true}
	return wideValue{e: &kir.Select{Typed: kir.Typed{T: in}, Cond: below, Then: whole, Else: highest}, iv: interval.OfKind(types.I32), kind: types.I32}
}

// splatFloat is a constant in all lanes.
func (w *widener) splatFloat(x float64) kir.Expr {
	one := constant(types.Scalar(types.F32), []types.Word{types.Float(x)}, "")
	return &kir.Vec{Typed: kir.Typed{T: types.Vector(types.F32, w.lanes)}, Parts: []kir.Expr{one}}
}

// where keeps the floats that compare with a limit as op says, and takes others from els.
func (w *widener) where(op ops.Op, x wideValue, limit, els kir.Expr) wideValue {
	x = w.name(x)
	t := types.Vector(types.F32, w.lanes)
	cond := &kir.Op{Typed: kir.Typed{T: kir.Mask(t)}, Op: op, Args: []kir.Expr{x.e, limit}, Exact: true}
	x.e = &kir.Select{Typed: kir.Typed{T: t}, Cond: cond, Then: x.e, Else: els}
	return x
}
