package recurrence

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

var (
	i32      = types.Scalar(types.I32)
	i64      = types.Scalar(types.I64)
	boolType = types.Scalar(types.Bool)
)

func typed(t types.Type, at source.Span) hast.Typed { return hast.Typed{T: t, At: at} }

func ref(v *hast.Var) hast.Expr { return &hast.Ref{Typed: typed(v.Type, v.At), Var: v} }

// all is a constant with one word in every component.
func all(t types.Type, w types.Word) hast.Expr {
	words := make([]types.Word, t.Words())
	for i := range words {
		words[i] = w
	}
	return &hast.Const{Typed: typed(t, source.Span{}), Words: words}
}

// number is a constant with one value in every component.
func number(t types.Type, v int64) hast.Expr {
	return all(t, types.Convert(types.Int(v), types.I64, t.Kind))
}

// op applies an operator whose result has the type of its operands.
func op(o ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(args[0].Type(), args[0].Span()), Op: o, Args: args}
}

func convert(x hast.Expr, t types.Type) hast.Expr {
	if x.Type() == t {
		return x
	}
	if c, ok := x.(*hast.Const); ok {
		words := make([]types.Word, len(c.Words))
		for i, w := range c.Words {
			words[i] = types.Convert(w, c.T.Kind, t.Kind)
		}
		return &hast.Const{Typed: typed(t, c.At), Words: words}
	}
	return &hast.Convert{Typed: typed(t, x.Span()), X: x}
}

func isInt(x hast.Expr, v int64) bool {
	c, ok := hast.Number(x)
	return ok && c == v
}

// plus and times leave out what changes nothing.
func plus(x, y hast.Expr) hast.Expr {
	switch {
	case isInt(x, 0):
		return y
	case isInt(y, 0):
		return x
	}
	return op(ops.Add, x, y)
}

func times(x hast.Expr, k int64) hast.Expr {
	switch {
	case k == 1:
		return x
	case isInt(x, 0):
		return x
	}
	return op(ops.Mul, x, number(x.Type(), k))
}

// ceilDiv is x / y rounded up, for x >= 0 and y >= 1.
func ceilDiv(x, y hast.Expr) hast.Expr {
	return op(ops.Div, op(ops.Sub, op(ops.Add, x, y), number(x.Type(), 1)), y)
}

// add computes an operator on pixels of type t as the language does: small integers in i32, which wraps.
func inPixels(o ops.Op, x, y hast.Expr) hast.Expr {
	t := x.Type()
	wide := t.WithKind(types.Promote(t.Kind))
	return convert(op(o, convert(x, wide), convert(y, wide)), t)
}

func define(v *hast.Var, x hast.Expr) hast.Stmt { return &hast.Define{Var: v, Init: x, At: v.At} }

func set(v *hast.Var, x hast.Expr) hast.Stmt { return &hast.Set{Var: v, Value: x, At: v.At} }

// hostLet is a step that gives a new host value of type i32 its value.
func hostLet(name string, x hast.Expr, at source.Span) (*hast.DefineHost, hast.Expr) {
	v := &hast.Var{Name: name, Type: i32, Class: hast.HostValue, At: at}
	return &hast.DefineHost{Var: v, Value: convert(x, i32), At: at}, ref(v)
}
