package hast

import (
	"imgc/ops"
	"imgc/types"
)

// Int is a constant of kind i32.
func Int(v int64) Expr { return &Const{Typed: Typed{T: i32}, Words: []types.Word{types.Int(v)}} }

// Binary is an operator whose result has the type of its first operand.
func Binary(op ops.Op, x, y Expr) Expr {
	return &Op{Typed: Typed{x.Type(), x.Span()}, Op: op, Args: []Expr{x, y}}
}

// Plus is an i32 that is k more.
func Plus(x Expr, k int64) Expr {
	switch {
	case k == 0:
		return x
	case k < 0:
		return Binary(ops.Sub, x, Int(-k))
	}
	return Binary(ops.Add, x, Int(k))
}

// Compare is an operator on scalars whose result is a bool.
func Compare(op ops.Op, x, y Expr) Expr {
	return &Op{Typed: Typed{types.Scalar(types.Bool), x.Span()}, Op: op, Args: []Expr{x, y}}
}

// And joins two conditions, of which nil is true.
func And(x, y Expr) Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return Compare(ops.LAnd, x, y)
}
