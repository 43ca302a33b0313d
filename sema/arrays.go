package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// matrixProduct is x * y of two arrays. A 1-D array is a row on the left and a column on the right, and the result has lost
// that extent again.
func (e *env) matrixProduct(x syntax.Node, a, b operand) operand {
	if a.typ.Rank > 2 || b.typ.Rank > 2 || a.typ.Lanes != b.typ.Lanes {
		e.errorf(diag.ShapeMismatch, x.Span(), "* of the arrays %s and %s is no matrix product", a.typ, b.typ).
			Note("matrices have one or two extents; write .* to multiply element by element")
		return invalid(x.Span())
	}
	kind, ok := e.operandKind(ops.Mul, ops.Mul.Info(), "*", x, []operand{a, b})
	if !ok {
		return invalid(x.Span())
	}
	row, column := a.typ.Rank == 1, b.typ.Rank == 1
	if row {
		a = e.reshape(a, a.typ.Elem().Array(1, a.typ.Len()))
	}
	if column {
		b = e.reshape(b, b.typ.Elem().Array(b.typ.Len(), 1))
	}
	if a.typ.Dims[1] != b.typ.Dims[0] {
		e.errorf(diag.ShapeMismatch, x.Span(), "the matrix product of %s and %s needs equal inner extents", a.typ, b.typ).
			Note("write .* to multiply element by element, transpose(m) to exchange the extents")
		return invalid(x.Span())
	}
	t := a.typ.Elem().WithKind(kind).Array(int(a.typ.Dims[0]), int(b.typ.Dims[1]))
	product := e.multiply(x, t, kind, a, b)
	if !product.valid() {
		return product
	}
	if row && column && product.con == nil {
		zero := intConst(0, x.Span())
		return runtime(elementAt(product.x, []hast.Expr{zero, zero}, x.Span()))
	}
	return e.reshape(product, productShape(t, row, column))
}

// productShape drops the extents of 1 that 1-D operands brought.
func productShape(t types.Type, row, column bool) types.Type {
	switch {
	case row && column:
		return t.Elem()
	case row:
		return t.Elem().Array(int(t.Dims[1]))
	case column:
		return t.Elem().Array(int(t.Dims[0]))
	}
	return t
}

func (e *env) multiply(x syntax.Node, t types.Type, kind types.Kind, a, b operand) operand {
	a, b = e.meet(a, kind), e.meet(b, kind)
	if a.con != nil && b.con != nil {
		return e.foldProduct(x, t, kind, a.con, b.con)
	}
	left, right := e.expr(e.toKind(a, kind)), e.expr(e.toKind(b, kind))
	if left == nil || right == nil {
		return invalid(x.Span())
	}
	return runtime(&hast.MatMul{Typed: typed(t, x.Span()), X: left, Y: right})
}

func (e *env) foldProduct(x syntax.Node, t types.Type, kind types.Kind, a, b *constant) operand {
	rows, inner, columns := int(a.typ.Dims[0]), int(a.typ.Dims[1]), int(b.typ.Dims[1])
	elem := t.Elem()
	out := &constant{typ: t, soft: a.soft && b.soft}
	for r := range rows {
		for c := range columns {
			var sum *constant
			for k := range inner {
				p, err := foldOp(ops.Mul, kind, elem, []*constant{a.element(r*inner + k), b.element(k*columns + c)})
				if err == nil && sum != nil {
					p, err = foldOp(ops.Add, kind, elem, []*constant{sum, p})
				}
				if err != nil {
					e.errorf(diag.ConstantArithmetic, x.Span(), "%s", err)
					return invalid(x.Span())
				}
				sum = p
			}
			out.nums = append(out.nums, sum.nums...)
		}
	}
	return constOperand(out.settle(), x.Span())
}

// transpose exchanges the extents of a matrix. A 1-D array is a row, which becomes a column.
func (e *env) transpose(x syntax.Node, o operand) operand {
	if !o.valid() {
		return invalid(x.Span())
	}
	if !o.typ.IsArray() || o.typ.Rank > 2 {
		e.errorf(diag.ShapeMismatch, x.Span(), "transpose takes an array of one or two extents, this is %s", o.typ)
		return invalid(x.Span())
	}
	if o.typ.Rank == 1 {
		return e.placed(e.reshape(o, o.typ.Elem().Array(o.typ.Len(), 1)), x)
	}
	rows, columns := int(o.typ.Dims[0]), int(o.typ.Dims[1])
	t := o.typ.Elem().Array(columns, rows)
	if o.con == nil {
		return runtime(&hast.Transpose{Typed: typed(t, x.Span()), X: o.x})
	}
	out := &constant{typ: t, soft: o.con.soft}
	for c := range columns {
		for r := range rows {
			out.nums = append(out.nums, o.con.element(r*columns+c).nums...)
		}
	}
	return constOperand(out, x.Span())
}

// elementsOf takes an array apart, row by row; anything else is one element.
func elementsOf(x hast.Expr) []hast.Expr {
	t := x.Type()
	if !t.IsArray() {
		return []hast.Expr{x}
	}
	if a, ok := x.(*hast.Array); ok {
		return a.Elems
	}
	elems := make([]hast.Expr, 0, t.Len())
	for i := range t.Len() {
		index := make([]hast.Expr, t.Rank)
		rest := i
		for d := int(t.Rank) - 1; d >= 0; d-- {
			index[d] = intConst(int64(rest%int(t.Dims[d])), x.Span())
			rest /= int(t.Dims[d])
		}
		elems = append(elems, elementAt(x, index, x.Span()))
	}
	return elems
}

// elementAt is one element of an array, in range. The index moves into operators that work element by element, so that one
// element of a window is one pixel and not the whole window read for it.
func elementAt(x hast.Expr, index []hast.Expr, at source.Span) hast.Expr {
	t := x.Type()
	if !t.IsArray() {
		return x
	}
	elem := typed(t.Elem(), at)
	switch x := x.(type) {
	case *hast.Const:
		if lanes := int(t.Lanes); uniform(x.Words, lanes) {
			return &hast.Const{Typed: elem, Words: x.Words[:lanes]}
		}
	case *hast.Window:
		return pixelOf(x, index, at)
	case *hast.Op:
		args := make([]hast.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = elementAt(a, index, at)
		}
		return &hast.Op{Typed: elem, Op: x.Op, Args: args}
	case *hast.Convert:
		return &hast.Convert{Typed: elem, X: elementAt(x.X, index, at), How: x.How}
	case *hast.Splat:
		if x.X.Type() == elem.T {
			return x.X
		}
		return &hast.Splat{Typed: elem, X: x.X}
	case *hast.Select:
		if x.Cond.Type().IsScalar() {
			return &hast.Select{Typed: elem, Cond: x.Cond, Then: elementAt(x.Then, index, at), Else: elementAt(x.Else, index, at)}
		}
	case *hast.Transpose:
		return elementAt(x.X, []hast.Expr{index[1], index[0]}, at)
	case *hast.Reshape:
		if inner := x.X.Type(); inner.Rank == 1 || t.Rank == 1 {
			return elementAt(x.X, alignIndex(index, t, inner, at), at)
		}
	}
	return &hast.Elem{Typed: elem, X: x, Index: index, InRange: true}
}

// uniform is true where every element of an array, of the given number of lanes, is the same.
func uniform(words []types.Word, lanes int) bool {
	for i, w := range words[lanes:] {
		if w != words[i] {
			return false
		}
	}
	return true
}

// alignIndex turns an index of an array of extents t into one of the same elements with the extents of inner, where both
// are 1-D but for extents of 1.
func alignIndex(index []hast.Expr, t, inner types.Type, at source.Span) []hast.Expr {
	run := hast.Expr(intConst(0, at)) // the index along the only extent that may exceed 1
	for d := range int(t.Rank) {
		if t.Dims[d] > 1 {
			run = index[d]
		}
	}
	out := make([]hast.Expr, inner.Rank)
	placed := false
	for d := range out {
		out[d] = intConst(0, at)
		if inner.Dims[d] > 1 && !placed {
			out[d], placed = run, true
		}
	}
	return out
}

// pixelOf is one pixel of a window.
func pixelOf(w *hast.Window, index []hast.Expr, at source.Span) hast.Expr {
	coords := make([]hast.Coord, len(w.Axes))
	next := 0
	for i, a := range w.Axes {
		x := a.Start.X
		if a.Colon {
			x = sum(x, times(index[next], int64(a.Stride), at), at)
			next++
		}
		coords[i] = hast.Coord{X: x, Below: true, Above: true}
	}
	return &hast.Load{Typed: typed(w.T.Elem(), at), Image: w.Image, Index: coords, Rule: w.Rule}
}

// sum is x + y in i32, constants merged: (v - 1) + 2 is v + 1, and (v - 1) + (d + 1) is v + d.
func sum(x, y hast.Expr, at source.Span) hast.Expr {
	if v, ok := constInt(y); ok {
		return plus(x, v, at)
	}
	x, kx := splitSum(x)
	y, ky := splitSum(y)
	if x == nil {
		return plus(y, kx+ky, at)
	}
	return plus(binaryInt(ops.Add, x, y, at), kx+ky, at)
}

// splitSum separates the constant that an i32 sum ends in; the rest is nil where nothing else is there.
func splitSum(x hast.Expr) (hast.Expr, int64) {
	if v, ok := constInt(x); ok {
		return nil, v
	}
	if o, ok := x.(*hast.Op); ok && (o.Op == ops.Add || o.Op == ops.Sub) {
		if v, ok := constInt(o.Args[1]); ok {
			if o.Op == ops.Sub {
				v = -v
			}
			return o.Args[0], v
		}
	}
	return x, 0
}
