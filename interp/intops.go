package interp

import (
	"imgc/ops"
	"imgc/types"
)

// integer lists Go's types for the integer kinds. A generic function over them is compiled once for each, so that wrapping
// to the kind is a conversion that costs nothing.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// intMaker builds the closure of an operator from its operands' closures.
type intMaker = func(x, y intFn) intFn

// intMakers has, for each integer kind, the operators that are worth a closure of their own; the others go through ops.Eval.
var intMakers = map[types.Kind]map[ops.Op]intMaker{
	types.I8: intTable[int8](), types.I16: intTable[int16](), types.I32: intTable[int32](), types.I64: intTable[int64](),
	types.U8: intTable[uint8](), types.U16: intTable[uint16](), types.U32: intTable[uint32](), types.U64: intTable[uint64](),
	types.Bool: {ops.Eq: eqInts[uint8], ops.Ne: neInts[uint8], ops.LAnd: andThen, ops.LOr: orElseThen},
}

func intTable[T integer]() map[ops.Op]intMaker {
	return map[ops.Op]intMaker{
		ops.Add: addInts[T], ops.Sub: subInts[T], ops.Mul: mulInts[T], ops.Div: divInts[T], ops.Rem: remInts[T],
		ops.And: andInts, ops.Or: orInts, ops.Xor: xorInts, ops.Shl: shlInts[T], ops.Shr: shrInts[T],
		ops.Eq: eqInts[T], ops.Ne: neInts[T], ops.Lt: ltInts[T], ops.Le: leInts[T],
		ops.Gt:  func(x, y intFn) intFn { return ltInts[T](y, x) },
		ops.Ge:  func(x, y intFn) intFn { return leInts[T](y, x) },
		ops.Min: minInts[T], ops.Max: maxInts[T], ops.Mod: modInts[T], ops.FloorDiv: floorDivInts[T],
	}
}

func addInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(T(x(fr)) + T(y(fr))) }
}

func subInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(T(x(fr)) - T(y(fr))) }
}

func mulInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(T(x(fr)) * T(y(fr))) }
}

func divInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(quo(T(x(fr)), T(y(fr)))) }
}

func remInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(rem(T(x(fr)), T(y(fr)))) }
}

func modInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 {
		a, b := T(x(fr)), T(y(fr))
		r := rem(a, b)
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return int64(r)
	}
}

func floorDivInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 {
		a, b := T(x(fr)), T(y(fr))
		q := quo(a, b)
		if r := rem(a, b); r != 0 && (r < 0) != (b < 0) {
			q--
		}
		return int64(q)
	}
}

func quo[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

func rem[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// Of canonical words and, or and xor are canonical.

func andInts(x, y intFn) intFn { return func(fr *frame) int64 { return x(fr) & y(fr) } }
func orInts(x, y intFn) intFn  { return func(fr *frame) int64 { return x(fr) | y(fr) } }
func xorInts(x, y intFn) intFn { return func(fr *frame) int64 { return x(fr) ^ y(fr) } }

func shlInts[T integer](x, y intFn) intFn {
	last := bitsOf[T]() - 1
	return func(fr *frame) int64 { return int64(T(x(fr)) << (uint64(y(fr)) & last)) }
}

func shrInts[T integer](x, y intFn) intFn {
	last := bitsOf[T]() - 1
	return func(fr *frame) int64 { return int64(T(x(fr)) >> (uint64(y(fr)) & last)) }
}

// bitsOf is the width of T: how often a one can be shifted before it is gone.
func bitsOf[T integer]() uint64 {
	n := uint64(0)
	for one := T(1); one != 0; one <<= 1 {
		n++
	}
	return n
}

func minInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(min(T(x(fr)), T(y(fr)))) }
}

func maxInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return int64(max(T(x(fr)), T(y(fr)))) }
}

func eqInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return truth(T(x(fr)) == T(y(fr))) }
}

func neInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return truth(T(x(fr)) != T(y(fr))) }
}

func ltInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return truth(T(x(fr)) < T(y(fr))) }
}

func leInts[T integer](x, y intFn) intFn {
	return func(fr *frame) int64 { return truth(T(x(fr)) <= T(y(fr))) }
}

func andThen(x, y intFn) intFn {
	return func(fr *frame) int64 {
		if x(fr) == 0 {
			return 0
		}
		return y(fr)
	}
}

func orElseThen(x, y intFn) intFn {
	return func(fr *frame) int64 {
		if x(fr) != 0 {
			return 1
		}
		return y(fr)
	}
}

// truth is 1 or 0; Go compiles it without a branch.
func truth(b bool) int64 {
	var v uint8
	if b {
		v = 1
	}
	return int64(v)
}

// intBinary compiles op on two integers or bools of kind k (the second of any integer kind for a shift).
func intBinary(op ops.Op, k types.Kind, x, y intExpr) intExpr {
	if k == types.I32 {
		if special, ok := i32Binary(op, x, y); ok {
			return special
		}
	}
	code := intCode(evalInts2(op, k, x.eval, y.eval))
	if maker := intMakers[k][op]; maker != nil {
		code = intCode(maker(x.eval, y.eval))
	}
	return foldedInt(code, x.constant() && y.constant())
}

// foldedInt replaces code by its value where that depends on nothing.
func foldedInt(code intExpr, constant bool) intExpr {
	if constant {
		return intConst(code.eval(nowhere()))
	}
	return code
}

// nowhere is a frame for code that reads no variable.
func nowhere() *frame { return &frame{w: make([]types.Word, 1)} }

func evalInts2(op ops.Op, k types.Kind, x, y intFn) intFn {
	return func(fr *frame) int64 {
		return ops.Eval(op, k, types.Int(x(fr)), types.Int(y(fr))).Int()
	}
}

// i32Binary is for what indices and small coefficients are made of: i32 with a constant on one side.
func i32Binary(op ops.Op, x, y intExpr) (intExpr, bool) {
	switch {
	case op == ops.Add && x.affine && y.constant():
		return shifted(x, y.add), true
	case op == ops.Add && y.affine && x.constant():
		return shifted(y, x.add), true
	case op == ops.Sub && x.affine && y.constant():
		return shifted(x, -y.add), true
	case op == ops.Mul && y.constant() && !x.constant():
		return scaled(x.eval, y.add), true
	case op == ops.Mul && x.constant() && !y.constant():
		return scaled(y.eval, x.add), true
	case op == ops.Div && y.constant() && y.add > 0 && !x.constant():
		f, d := x.eval, int32(y.add)
		return intCode(func(fr *frame) int64 { return int64(int32(f(fr)) / d) }), true
	}
	return intExpr{}, false
}

// shifted is x + add in i32.
func shifted(x intExpr, add int64) intExpr {
	slot, add := x.slot, int64(int32(x.add+add))
	if slot == 0 {
		return intConst(add)
	}
	return intExpr{
		eval:   func(fr *frame) int64 { return int64(int32(int64(fr.w[slot]) + add)) },
		affine: true, slot: slot, add: add,
	}
}

func scaled(f intFn, by int64) intExpr {
	if by == 1 {
		return intCode(f)
	}
	return intCode(func(fr *frame) int64 { return int64(int32(f(fr) * by)) })
}

// intUnary compiles op on one integer or bool of kind k.
func intUnary(op ops.Op, k types.Kind, x intExpr) intExpr {
	f := x.eval
	code := intCode(func(fr *frame) int64 { return ops.Eval(op, k, types.Int(f(fr))).Int() })
	switch {
	case op == ops.Not:
		code = intCode(func(fr *frame) int64 { return f(fr) ^ 1 })
	case op == ops.Neg && k == types.I32:
		code = intCode(func(fr *frame) int64 { return int64(int32(-f(fr))) })
	case op == ops.Abs && k == types.I32:
		code = intCode(func(fr *frame) int64 { v := f(fr); return int64(int32(max(v, -v))) })
	}
	return foldedInt(code, x.constant())
}

// intTernary compiles op on three integers of kind k.
func intTernary(op ops.Op, k types.Kind, x, y, z intExpr) intExpr {
	constant := x.constant() && y.constant() && z.constant()
	if op == ops.Clamp {
		atLeast := intMakers[k][ops.Max](x.eval, y.eval)
		return foldedInt(intCode(intMakers[k][ops.Min](atLeast, z.eval)), constant)
	}
	f, g, h := x.eval, y.eval, z.eval
	return foldedInt(intCode(func(fr *frame) int64 {
		return ops.Eval(op, k, types.Int(f(fr)), types.Int(g(fr)), types.Int(h(fr))).Int()
	}), constant)
}
