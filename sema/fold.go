package sema

import (
	"fmt"
	"math/big"

	"imgc/ops"
	"imgc/types"
)

// foldInt has the exact meaning of each operator on integers. One that is missing is computed at the width of its kind.
var foldInt = map[ops.Op]func(a []*big.Int) *big.Int{
	ops.Neg: func(a []*big.Int) *big.Int { return new(big.Int).Neg(a[0]) },
	ops.Add: func(a []*big.Int) *big.Int { return new(big.Int).Add(a[0], a[1]) },
	ops.Sub: func(a []*big.Int) *big.Int { return new(big.Int).Sub(a[0], a[1]) },
	ops.Mul: func(a []*big.Int) *big.Int { return new(big.Int).Mul(a[0], a[1]) },
	ops.Div: func(a []*big.Int) *big.Int { return new(big.Int).Quo(a[0], a[1]) },
	ops.Rem: func(a []*big.Int) *big.Int { return new(big.Int).Rem(a[0], a[1]) },
	ops.And: func(a []*big.Int) *big.Int { return new(big.Int).And(a[0], a[1]) },
	ops.Or:  func(a []*big.Int) *big.Int { return new(big.Int).Or(a[0], a[1]) },
	ops.Xor: func(a []*big.Int) *big.Int { return new(big.Int).Xor(a[0], a[1]) },
	ops.Abs: func(a []*big.Int) *big.Int { return new(big.Int).Abs(a[0]) },
	ops.Sign: func(a []*big.Int) *big.Int {
		return big.NewInt(int64(a[0].Sign()))
	},
	ops.Min: func(a []*big.Int) *big.Int { return least(a[0], a[1]) },
	ops.Max: func(a []*big.Int) *big.Int { return greatest(a[0], a[1]) },
	ops.Clamp: func(a []*big.Int) *big.Int {
		return least(greatest(a[0], a[1]), a[2])
	},
	ops.FloorDiv: func(a []*big.Int) *big.Int {
		q, _ := floorDivMod(a[0], a[1])
		return q
	},
	ops.Mod: func(a []*big.Int) *big.Int {
		_, m := floorDivMod(a[0], a[1])
		return m
	},
}

// compareInt has the order of integers; the argument is Cmp's result.
var compareInt = map[ops.Op]func(order int) bool{
	ops.Eq: func(o int) bool { return o == 0 },
	ops.Ne: func(o int) bool { return o != 0 },
	ops.Lt: func(o int) bool { return o < 0 },
	ops.Le: func(o int) bool { return o <= 0 },
	ops.Gt: func(o int) bool { return o > 0 },
	ops.Ge: func(o int) bool { return o >= 0 },
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func greatest(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// floorDivMod divides with a quotient rounded down; the remainder has the divisor's sign.
func floorDivMod(a, b *big.Int) (q, m *big.Int) {
	q, m = new(big.Int).QuoRem(a, b, new(big.Int))
	if m.Sign() != 0 && m.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		m.Add(m, b)
	}
	return q, m
}

// maxShift bounds the count of a shift of a soft constant, the width of the widest kind.
const maxShift = 64

// foldOp computes an operator on constants whose components have been brought to one class: kind says in which kind the
// operation is, t is the result's type. Every argument is a scalar or has t's lanes and extents. The error says what has no
// value in exact arithmetic.
func foldOp(op ops.Op, kind types.Kind, t types.Type, args []*constant) (*constant, error) {
	out := &constant{typ: t, soft: true, nums: make([]num, t.Words())}
	spread := make([]*constant, len(args))
	for i, a := range args {
		spread[i] = a.splat(t)
		out.soft = out.soft && a.soft
	}
	component := make([]num, len(args))
	for i := range out.nums {
		for k, a := range spread {
			component[k] = a.nums[i]
		}
		n, err := foldNum(op, kind, out.soft, component)
		if err != nil {
			return nil, err
		}
		out.nums[i] = n
	}
	if op.Info().Result != ops.Same {
		out.soft = false
	}
	return out.settle(), nil
}

func foldNum(op ops.Op, kind types.Kind, soft bool, args []num) (num, error) {
	if kind.IsInt() {
		return foldIntNum(op, kind, soft, args)
	}
	words := make([]types.Word, len(args))
	wide := kind
	if kind.IsFloat() {
		wide = types.F64
	}
	for i, a := range args {
		words[i] = a.word(wide)
	}
	w := ops.Eval(op, wide, words...)
	if op.Info().Result == ops.Truth {
		return fromWord(types.Bool, w), nil
	}
	return fromWord(wide, w), nil
}

func foldIntNum(op ops.Op, kind types.Kind, soft bool, args []num) (num, error) {
	ints := make([]*big.Int, len(args))
	for i, a := range args {
		ints[i] = a.i
	}
	switch op {
	case ops.Div, ops.Rem, ops.Mod, ops.FloorDiv:
		if ints[1].Sign() == 0 {
			return num{}, fmt.Errorf("division by zero in a constant")
		}
	case ops.Shl, ops.Shr:
		return foldShift(op, kind, soft, ints[0], ints[1])
	case ops.BitNot:
		v := new(big.Int).Not(ints[0])
		if kind.IsUnsigned() && !soft {
			return fromWord(kind, types.Wrap(kind, lowBits(v))), nil
		}
		return num{i: v}, nil
	}
	if holds, ok := compareInt[op]; ok {
		return boolNum(holds(ints[0].Cmp(ints[1]))), nil
	}
	if f, ok := foldInt[op]; ok {
		return num{i: f(ints)}, nil
	}
	words := make([]types.Word, len(ints))
	for i, v := range ints {
		words[i] = types.Wrap(kind, lowBits(v))
	}
	w := ops.Eval(op, kind, words...)
	if op.Info().Result == ops.Index {
		kind = types.I32
	}
	return fromWord(kind, w), nil
}

// foldShift shifts exactly. The count of a constant with a kind of its own is taken modulo the width, as at run time.
func foldShift(op ops.Op, kind types.Kind, soft bool, v, count *big.Int) (num, error) {
	if !soft {
		count = big.NewInt(int64(lowBits(count)) & int64(kind.Bits()-1))
	}
	if count.Sign() < 0 || count.Cmp(big.NewInt(maxShift)) >= 0 {
		return num{}, fmt.Errorf("a constant is shifted by %s bits; the count must be from 0 to %d", count, maxShift-1)
	}
	n := uint(count.Uint64())
	if op == ops.Shl {
		return num{i: new(big.Int).Lsh(v, n)}, nil
	}
	return num{i: new(big.Int).Rsh(v, n)}, nil
}

// foldVector computes an op of whole vectors.
func foldVector(op ops.Op, t types.Type, args []*constant) *constant {
	wide := types.F64
	if args[0].typ.Kind == types.Bool {
		wide = types.Bool
	}
	soft := wide != types.Bool
	var words [2][]types.Word
	for i, a := range args {
		soft = soft && a.soft
		for _, n := range a.nums {
			words[i] = append(words[i], n.word(wide))
		}
	}
	out := &constant{typ: t, soft: soft}
	for _, w := range ops.EvalVector(op, wide, words[0], words[1]) {
		out.nums = append(out.nums, fromWord(wide, w))
	}
	return out.settle()
}
