package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/syntax"
	"imgc/types"
)

var conversions = map[string]hast.How{"": hast.Wrap, "sat": hast.Saturate, "bitcast": hast.Bitcast}

// conversion checks T(e), sat<T>(e), bitcast<T>(e) and the making of a vector from parts, T(a, b, ...).
func (e *env) conversion(x *syntax.Conv) operand {
	args := make([]operand, len(x.Args))
	ok := true
	for i, a := range x.Args {
		args[i] = e.operand(a)
		ok = ok && args[i].valid()
	}
	if x.For != nil {
		e.errorf(diag.BadReduction, x.For.At, "a conversion takes no iteration; only reductions and lists do").
			Note("write [e for ...] for an array")
		return invalid(x.At)
	}
	t := e.valueType(x.Type)
	if !t.IsValid() || !ok {
		return invalid(x.At)
	}
	how := conversions[x.How]
	switch {
	case len(args) == 0:
		e.errorf(diag.ArgumentCount, x.At, "%s needs a value to convert", t)
		return invalid(x.At)
	case how == hast.Bitcast:
		return e.bitcast(x, t, args)
	case len(args) == 1 && (args[0].typ.Lanes == t.Lanes || args[0].typ.Lanes == 1 || t.Lanes == 1):
		o := e.convert(e.placed(args[0], x), t.Kind, how)
		if args[0].typ.Lanes < t.Lanes {
			return e.splat(o, types.Vector(t.Kind, int(t.Lanes)).Array(args[0].typ.Shape()...))
		}
		return o
	}
	return e.vector(x, t, args, how)
}

// placed is the operand at the place of the whole expression, so that messages about the result show all of it.
func (e *env) placed(o operand, x syntax.Node) operand {
	o.at = x.Span()
	return o
}

// vector makes a vector from scalars and shorter vectors, each converted to the vector's kind.
func (e *env) vector(x *syntax.Conv, t types.Type, args []operand, how hast.How) operand {
	lanes := 0
	for _, a := range args {
		if a.typ.IsArray() {
			e.errorf(diag.VectorParts, a.at, "a vector is made of scalars and vectors, this is %s", a.typ)
			return invalid(x.At)
		}
		lanes += int(a.typ.Lanes)
	}
	if t.Lanes == 1 {
		e.errorf(diag.ArgumentCount, x.At, "%s converts one value, not %d", t, len(args)).
			Note("a vector of %d is %s", lanes, types.Vector(t.Kind, min(lanes, 4)))
		return invalid(x.At)
	}
	if lanes != int(t.Lanes) {
		e.errorf(diag.VectorParts, x.At, "%s has %d components, these parts have %d", t, t.Lanes, lanes)
		return invalid(x.At)
	}
	for i := range args {
		args[i] = e.convert(args[i], t.Kind, how)
	}
	if folded := joinConstants(args, t); folded != nil {
		return constOperand(folded, x.At)
	}
	var parts []hast.Expr
	for _, a := range args {
		parts = append(parts, e.lanesOf(a)...)
	}
	return runtime(&hast.Vec{Typed: typed(t, x.At), Parts: parts})
}

// joinConstants puts the components of constants side by side; nil where an operand is not constant.
func joinConstants(args []operand, t types.Type) *constant {
	c := &constant{typ: t}
	for _, a := range args {
		if a.con == nil {
			return nil
		}
		c.nums = append(c.nums, a.con.nums...)
	}
	return c
}

// lanesOf takes a vector apart.
func (e *env) lanesOf(o operand) []hast.Expr {
	x := e.expr(o)
	if x == nil || o.typ.Lanes == 1 {
		return []hast.Expr{x}
	}
	parts := make([]hast.Expr, o.typ.Lanes)
	for i := range parts {
		parts[i] = &hast.Swizzle{Typed: typed(types.Scalar(o.typ.Kind), o.at), X: x, Lanes: []int{i}}
	}
	return parts
}

func (e *env) bitcast(x *syntax.Conv, t types.Type, args []operand) operand {
	a := args[0]
	if len(args) > 1 {
		e.errorf(diag.ArgumentCount, x.At, "bitcast converts one value, not %d", len(args))
		return invalid(x.At)
	}
	k := t.Kind
	if k.Bits() != a.typ.Kind.Bits() || k == types.Bool || a.typ.Kind == types.Bool {
		e.errorf(diag.OperandKind, x.At, "bitcast<%s> takes a value of %d bits that is no bool, this is %s", k, k.Bits(), a.typ)
		return invalid(x.At)
	}
	if t.Lanes != 1 && t.Lanes != a.typ.Lanes {
		e.errorf(diag.VectorParts, x.At, "%s has %s, this value has %d", t, plural(int(t.Lanes), "component"), a.typ.Lanes)
		return invalid(x.At)
	}
	if a.con != nil {
		if e.expr(a) == nil {
			return invalid(x.At)
		}
		return constOperand(recast(a.con, k), x.At)
	}
	return runtime(&hast.Convert{Typed: typed(a.typ.WithKind(k), x.At), X: a.x, How: hast.Bitcast})
}

// recast reads the stored bytes of a constant as another kind of the same width.
func recast(c *constant, k types.Kind) *constant {
	words := c.words()
	var bytes [8]byte
	for i, w := range words {
		types.Store(c.typ.Kind, bytes[:], w)
		words[i] = types.Load(k, bytes[:])
	}
	return fromWords(c.typ.WithKind(k), words)
}
