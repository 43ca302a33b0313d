package sema

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// The median of an image is found bit by bit, without sorting: values are mapped to unsigned keys of the same order, and the key of
// the median is the largest number that no more than rank keys are below. A loop of the host counts once for each bit; it waits for
// nothing.

// medianOnDevice makes the stages of a median, lane by lane.
func (e *env) medianOnDevice(r *hast.Reduce) hast.Expr {
	at := r.At
	lanes := make([]hast.Expr, r.T.Lanes)
	for l := range lanes {
		elem := r.Elem
		if r.T.Lanes > 1 {
			elem = &hast.Swizzle{Typed: typed(types.Scalar(r.T.Kind), at), X: r.Elem, Lanes: []int{l}}
		}
		lanes[l] = e.medianOfScalars(r.Space, elem, at)
	}
	if len(lanes) == 1 {
		return e.onDevice("median", lanes[0], at)
	}
	return e.onDevice("median", &hast.Vec{Typed: typed(r.T, at), Parts: lanes}, at)
}

func (e *env) medianOfScalars(space hast.Space, elem hast.Expr, at source.Span) hast.Expr {
	b := arith{at}
	kind := elem.Type().Kind
	keys := keysOf(kind)
	t := types.Scalar(keys.kind)
	found := e.deviceImage("median_key", t, 1, at)
	e.setDevice(found, b.number(t, 0), at)
	bit := &hast.Var{Name: "bit", Type: types.Scalar(types.I32), Class: hast.HostLoop, At: at}
	tried := b.op(t, ops.Or, loadAt(found, intConst(0, at), at), b.op(t, ops.Shl, b.number(t, 1), ref(bit, at)))
	total := hast.PointCount(space, at)
	rank := b.op(total.Type(), ops.Div, b.op(total.Type(), ops.Sub, total, b.number(total.Type(), 1)), b.number(total.Type(), 2))
	rounds := e.apart(func() {
		below := b.compare(ops.Lt, keys.of(b, elem), tried)
		count := widened(&hast.Reduce{Typed: typed(types.Scalar(types.I32), at), Op: hast.Count, Space: space, Elem: below})
		few := b.compare(ops.Le, e.split(count, at), rank)
		e.setDevice(found, &hast.Select{Typed: typed(t, at), Cond: few, Then: tried, Else: loadAt(found, intConst(0, at), at)}, at)
	})
	down := hast.Range{Lo: intConst(int64(keys.bits-1), at), Hi: intConst(-1, at), Step: -1}
	e.emit(&hast.ForHost{Var: bit, Range: down, Body: rounds, At: at})
	some := b.compare(ops.Gt, total, b.number(total.Type(), 0))
	value := keys.value(b, loadAt(found, intConst(0, at), at), kind)
	return &hast.Select{Typed: typed(types.Scalar(kind), at), Cond: some, Then: value, Else: b.zero(kind)}
}

// keys maps the values of a kind to numbers of the same order, and back. NaN is the largest.
type keys struct {
	kind  types.Kind // of the numbers, unsigned
	bits  int        // that they have
	of    func(b arith, x hast.Expr) hast.Expr
	value func(b arith, key hast.Expr, kind types.Kind) hast.Expr
}

func keysOf(k types.Kind) keys {
	switch {
	case k == types.F64:
		return floatKeys(types.F64, types.U64)
	case k.IsFloat():
		return floatKeys(types.F32, types.U32)
	case k.Bits() == 64:
		return keys{types.U64, 64, longKey, longOfKey}
	}
	return keys{types.U32, k.Bits(), shortKey, shortOfKey}
}

// shortKey counts from the lowest value of a kind of up to 32 bits.
func shortKey(b arith, x hast.Expr) hast.Expr {
	i64 := types.Scalar(types.I64)
	lowest := types.Lowest(x.Type().Kind)
	return b.convert(types.U32, b.op(i64, ops.Sub, b.convert(types.I64, x), b.number(i64, lowest.Int())))
}

func shortOfKey(b arith, key hast.Expr, k types.Kind) hast.Expr {
	i64 := types.Scalar(types.I64)
	return b.convert(k, b.op(i64, ops.Add, b.convert(types.I64, key), b.number(i64, types.Lowest(k).Int())))
}

// longKey inverts the sign of an i64.
func longKey(b arith, x hast.Expr) hast.Expr {
	if x.Type().Kind == types.U64 {
		return x
	}
	u64 := types.Scalar(types.U64)
	return b.op(u64, ops.Xor, b.bitcast(types.U64, x), b.number(u64, math.MinInt64))
}

func longOfKey(b arith, key hast.Expr, k types.Kind) hast.Expr {
	if k == types.U64 {
		return key
	}
	u64 := types.Scalar(types.U64)
	return b.bitcast(types.I64, b.op(u64, ops.Xor, key, b.number(u64, math.MinInt64)))
}

// floatKeys orders the bits of floats, which are a sign and a magnitude, in a kind that all values of theirs have.
func floatKeys(float, bits types.Kind) keys {
	t := types.Scalar(bits)
	sign := int64(1) << (bits.Bits() - 1)
	return keys{bits, bits.Bits(),
		func(b arith, x hast.Expr) hast.Expr {
			x = b.convert(float, x)
			word := b.bitcast(bits, x)
			negative := b.compare(ops.Ne, b.op(t, ops.And, word, b.number(t, sign)), b.number(t, 0))
			key := b.choose(negative, b.op(t, ops.BitNot, word), b.op(t, ops.Or, word, b.number(t, sign)))
			return b.choose(b.op(types.Scalar(types.Bool), ops.IsNan, x), b.op(t, ops.BitNot, b.number(t, 0)), key)
		},
		func(b arith, key hast.Expr, k types.Kind) hast.Expr {
			positive := b.compare(ops.Ne, b.op(t, ops.And, key, b.number(t, sign)), b.number(t, 0))
			word := b.choose(positive, b.op(t, ops.Xor, key, b.number(t, sign)), b.op(t, ops.BitNot, key))
			nan := &hast.Const{Typed: typed(types.Scalar(float), b.at), Words: []types.Word{types.Float(math.NaN())}}
			last := b.compare(ops.Eq, key, b.op(t, ops.BitNot, b.number(t, 0)))
			return b.convert(k, b.choose(last, nan, b.bitcast(float, word)))
		},
	}
}

// arith builds expressions for one place.
type arith struct{ at source.Span }

func (b arith) op(t types.Type, op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(t, b.at), Op: op, Args: args}
}

func (b arith) compare(op ops.Op, x, y hast.Expr) hast.Expr {
	return b.op(types.Scalar(types.Bool), op, x, y)
}

func (b arith) choose(cond, then, otherwise hast.Expr) hast.Expr {
	return &hast.Select{Typed: typed(then.Type(), b.at), Cond: cond, Then: then, Else: otherwise}
}

func (b arith) convert(k types.Kind, x hast.Expr) hast.Expr {
	if x.Type().Kind == k {
		return x
	}
	return &hast.Convert{Typed: typed(x.Type().WithKind(k), b.at), X: x}
}

func (b arith) bitcast(k types.Kind, x hast.Expr) hast.Expr {
	return &hast.Convert{Typed: typed(x.Type().WithKind(k), b.at), X: x, How: hast.Bitcast}
}

// number is a constant of an integer type, wrapped to it.
func (b arith) number(t types.Type, v int64) hast.Expr {
	return &hast.Const{Typed: typed(t, b.at), Words: []types.Word{types.Wrap(t.Kind, types.Int(v))}}
}

func (b arith) zero(k types.Kind) hast.Expr {
	return &hast.Const{Typed: typed(types.Scalar(k), b.at), Words: []types.Word{0}}
}
