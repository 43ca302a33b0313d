package interp

import (
	"math"

	"imgc/ops"
	"imgc/types"
)

// floating lists Go's types for the float kinds that it computes in; f16 and bf16 are rounded by package types.
type floating interface{ float32 | float64 }

type floatMaker = func(x, y floatFn) floatFn

// floatMakers has the operators of f32 and f64 that are worth a closure of their own. Operands are exact in float64, so a
// result rounded to T is the correctly rounded one (see ops).
var floatMakers = map[types.Kind]map[ops.Op]floatMaker{types.F32: floatTable[float32](), types.F64: floatTable[float64]()}

func floatTable[T floating]() map[ops.Op]floatMaker {
	return map[ops.Op]floatMaker{
		ops.Add: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return float64(T(x(fr) + y(fr))) }
		},
		ops.Sub: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return float64(T(x(fr) - y(fr))) }
		},
		ops.Mul: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return float64(T(x(fr) * y(fr))) }
		},
		ops.Div: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return float64(T(x(fr) / y(fr))) }
		},
		ops.Min: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return minFloat(x(fr), y(fr)) }
		},
		ops.Max: func(x, y floatFn) floatFn {
			return func(fr *frame) float64 { return maxFloat(x(fr), y(fr)) }
		},
	}
}

// floatOrders has the comparisons of floats of any kind.
var floatOrders = map[ops.Op]func(x, y floatFn) intFn{
	ops.Eq: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) == y(fr)) } },
	ops.Ne: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) != y(fr)) } },
	ops.Lt: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) < y(fr)) } },
	ops.Le: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) <= y(fr)) } },
	ops.Gt: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) > y(fr)) } },
	ops.Ge: func(x, y floatFn) intFn { return func(fr *frame) int64 { return truth(x(fr) >= y(fr)) } },
}

// floatUnaries has the functions whose result needs no rounding, or only that of T.
var floatUnaries = map[ops.Op]func(float64) float64{
	ops.Neg: func(v float64) float64 { return -v }, ops.Abs: math.Abs,
	ops.Floor: math.Floor, ops.Ceil: math.Ceil, ops.Trunc: math.Trunc, ops.Sqrt: math.Sqrt,
}

// minFloat lets NaN lose, and takes -0 for less than 0.
func minFloat(a, b float64) float64 {
	if a < b || b != b {
		return a
	}
	if b < a || a != a {
		return b
	}
	return min(a, b)
}

func maxFloat(a, b float64) float64 {
	if a > b || b != b {
		return a
	}
	if b > a || a != a {
		return b
	}
	return max(a, b)
}

func floatBinary(op ops.Op, k types.Kind, x, y floatExpr) floatExpr {
	f, g := x.eval, y.eval
	code := floatCode(func(fr *frame) float64 {
		return ops.Eval(op, k, types.Float(f(fr)), types.Float(g(fr))).Float()
	})
	if maker := floatMakers[k][op]; maker != nil {
		code = floatCode(maker(f, g))
	}
	if k == types.F32 && op == ops.Mul {
		code = f32Product(x, y, code)
	}
	return foldedFloat(code, x.constant && y.constant)
}

// f32Product spares the call for a constant coefficient.
func f32Product(x, y, otherwise floatExpr) floatExpr {
	if x.constant {
		x, y = y, x
	}
	if !y.constant || x.constant {
		return otherwise
	}
	f, by := x.eval, y.value
	return floatCode(func(fr *frame) float64 { return float64(float32(f(fr) * by)) })
}

func floatUnary(op ops.Op, k types.Kind, x floatExpr) floatExpr {
	f := x.eval
	code := floatCode(func(fr *frame) float64 { return ops.Eval(op, k, types.Float(f(fr))).Float() })
	if g := floatUnaries[op]; g != nil && k == types.F64 {
		code = floatCode(func(fr *frame) float64 { return g(f(fr)) })
	} else if g != nil && k == types.F32 {
		code = floatCode(func(fr *frame) float64 { return float64(float32(g(f(fr)))) })
	}
	return foldedFloat(code, x.constant)
}

func floatTernary(op ops.Op, k types.Kind, x, y, z floatExpr) floatExpr {
	f, g, h := x.eval, y.eval, z.eval
	code := floatCode(func(fr *frame) float64 {
		return ops.Eval(op, k, types.Float(f(fr)), types.Float(g(fr)), types.Float(h(fr))).Float()
	})
	if op == ops.Clamp {
		code = floatCode(func(fr *frame) float64 { return minFloat(maxFloat(f(fr), g(fr)), h(fr)) })
	}
	return foldedFloat(code, x.constant && y.constant && z.constant)
}

func foldedFloat(code floatExpr, constant bool) floatExpr {
	if constant {
		return floatConst(code.eval(nowhere()))
	}
	return code
}

// floatTest compiles a truth about floats: a comparison, isnan or isinf.
func floatTest(op ops.Op, k types.Kind, args []floatExpr) intExpr {
	constant := true
	for _, x := range args {
		constant = constant && x.constant
	}
	f := args[0].eval
	code := intCode(func(fr *frame) int64 { return ops.Eval(op, k, types.Float(f(fr))).Int() })
	if len(args) == 2 {
		code = intCode(floatOrders[op](f, args[1].eval))
	}
	return foldedInt(code, constant)
}
