package lower

import (
	"math"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// The median of as many values as a range turns out to have, or of very many, is found bit by bit, and none of them is kept: values are
// mapped to unsigned numbers of the same order, and that of the median is the largest which no more than (n-1)/2 of them are below. All
// values are looked at once for each bit.

// maxKept is the number of values up to which a work-item keeps all of them instead.
const maxKept = 1024

// keys are these numbers for a kind.
type keys struct {
	of   types.Type // u32 or u64
	bits int
}

func keysOf(k types.Kind) keys {
	switch {
	case k.Bits() == 64:
		return keys{types.Scalar(types.U64), 64}
	case k.IsFloat():
		return keys{u32T, 32}
	}
	return keys{u32T, k.Bits()}
}

func (k keys) number(v int64) kir.Expr { return intConst(k.of.Kind, v) }

// highest is the bit of the sign of a float.
func (k keys) highest() kir.Expr {
	if k.bits == 64 {
		return k.number(math.MinInt64)
	}
	return k.number(1 << 31)
}

// last is the key of NaN.
func (k keys) last() kir.Expr {
	if k.bits == 64 {
		return k.number(-1)
	}
	return k.number(math.MaxUint32)
}

// float is the kind with as many bits as keys have.
func (k keys) float() types.Type {
	if k.bits == 64 {
		return types.Scalar(types.F64)
	}
	return types.Scalar(types.F32)
}

// key is the number of a value.
func (b *body) key(k keys, x kir.Expr) kir.Expr {
	if !x.Type().Kind.IsFloat() {
		lowest := types.Lowest(x.Type().Kind).Int()
		return b.op(k.of, ops.Sub, b.convert(k.of, x, kir.Wrap), k.wrapped(lowest))
	}
	x = b.once("v", b.convert(k.float(), x, kir.Wrap))
	word := b.once("word", b.convert(k.of, x, kir.Bitcast))
	negative := b.op(boolType, ops.Ne, b.op(k.of, ops.And, word, k.highest()), k.number(0))
	key := choice(negative, b.op(k.of, ops.BitNot, word), b.op(k.of, ops.Or, word, k.highest()))
	return choice(b.op(boolType, ops.IsNan, x), k.last(), key)
}

// valueOf is the value of a key.
func (b *body) valueOf(k keys, key kir.Expr, t types.Type) kir.Expr {
	if !t.Kind.IsFloat() {
		lowest := types.Lowest(t.Kind).Int()
		return b.convert(t, b.op(k.of, ops.Add, key, k.wrapped(lowest)), kir.Wrap)
	}
	positive := b.op(boolType, ops.Ne, b.op(k.of, ops.And, key, k.highest()), k.number(0))
	word := choice(positive, b.op(k.of, ops.Xor, key, k.highest()), b.op(k.of, ops.BitNot, key))
	nan := constant(k.float(), []types.Word{types.Float(math.NaN())}, "")
	x := choice(b.op(boolType, ops.Eq, key, k.last()), nan, b.convert(k.float(), word, kir.Bitcast))
	return b.convert(t, x, kir.Wrap)
}

// wrapped is a number modulo 2^bits of the keys' kind.
func (k keys) wrapped(v int64) kir.Expr {
	if k.of.Kind == types.U32 {
		v = int64(uint32(v))
	}
	return k.number(v)
}

func choice(cond, then, els kir.Expr) kir.Expr {
	return &kir.Select{Typed: kir.Typed{T: then.Type()}, Cond: cond, Then: then, Else: els}
}

// medianByBits finds it, lane by lane; over nothing it is 0.
func (b *body) medianByBits(e *hast.Reduce) kir.Expr {
	k, lanes := keysOf(e.T.Kind), int(e.T.Lanes)
	scalar := e.T.WithLanes(1)
	n := b.tally("n")
	found := make([]*kir.Var, lanes)
	for l := range found {
		found[l] = b.declare("found", k.of, true, k.number(0))
	}
	bit := &hast.Var{Name: "bit", Type: i32T, Class: hast.Loop, At: e.At}
	b.loop(hast.Space{Vars: []*hast.Var{bit}, Ranges: []hast.Range{downFrom(k.bits - 1)}}, func() {
		b.emit(&kir.Assign{Placed: b.placed(), Var: n, Value: i32(0)})
		tried, below := make([]kir.Expr, lanes), make([]*kir.Var, lanes)
		for l := range lanes {
			one := b.op(k.of, ops.Shl, k.number(1), b.vars[bit])
			tried[l] = ref(b.declare("tried", k.of, false, b.op(k.of, ops.Or, ref(found[l]), one)))
			below[l] = b.tally("below")
		}
		b.each(e, func(elem kir.Expr) {
			elem = b.once("elem", elem)
			b.add(n, i32(1))
			for l := range lanes {
				less := b.op(boolType, ops.Lt, b.key(k, b.lane(elem, l)), tried[l])
				b.add(below[l], choice(less, i32(1), i32(0)))
			}
		})
		rank := b.declare("rank", i32T, false, b.op(i32T, ops.Div, b.op(i32T, ops.Sub, ref(n), i32(1)), i32(2)))
		for l := range lanes {
			few := b.op(boolType, ops.Le, ref(below[l]), ref(rank))
			b.emit(&kir.Assign{Placed: b.placed(), Var: found[l], Value: choice(few, tried[l], ref(found[l]))})
		}
	})
	parts := make([]kir.Expr, lanes)
	for l := range lanes {
		some := b.op(boolType, ops.Gt, ref(n), i32(0))
		parts[l] = b.once("median", choice(some, b.valueOf(k, ref(found[l]), scalar), zero(scalar)))
	}
	if lanes == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: parts}
}

// downFrom runs over a number and those below it, to 0.
func downFrom(n int) hast.Range {
	number := func(v int) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: i32T}, Words: []types.Word{types.Int(int64(v))}}
	}
	return hast.Range{Lo: number(n), Hi: number(-1), Step: -1}
}

// each takes every element of a reduction.
func (b *body) each(e *hast.Reduce, step func(elem kir.Expr)) {
	b.loop(e.Space, func() { b.reducePoint(e, reducer{step: step}) })
}

// tally declares a count from 0 on.
func (b *body) tally(name string) *kir.Var {
	v := b.declare(name, i32T, true, i32(0))
	b.bounds[v] = interval.Between(0, math.MaxInt32-1)
	return v
}

func (b *body) add(v *kir.Var, x kir.Expr) {
	b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: b.op(i32T, ops.Add, ref(v), x)})
}
