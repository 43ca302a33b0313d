package interp

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// elem compiles the indexing of an array that is computed as a whole.
func (c *compiler) elem(e *hast.Elem) block {
	shape := e.X.Type().Shape()
	if len(e.Index) != len(shape) {
		throw(e.At, "%d indices for an array of type %s", len(e.Index), e.X.Type())
	}
	x, n := c.block(e.X), e.T.Words()
	if c.certainly(e.Index, shape) {
		at, _ := c.constantElement(e.Index, shape)
		return block{eval: x.eval, at: x.at + at*n, n: n}
	}
	find := c.elementIndex(e.Index, shape)
	to := c.reserve(n)
	return block{at: to, n: n, eval: func(fr *frame) {
		x.run(fr)
		switch i := int(find(fr)); {
		case i < 0:
			clear(fr.w[to : to+n])
		case n == 1:
			fr.w[to] = fr.w[x.at+i]
		default:
			copy(fr.w[to:to+n], fr.w[x.at+i*n:])
		}
	}}
}

// elementIndex compiles the number of an element, row by row; -1 where an index is outside.
func (c *compiler) elementIndex(index []hast.Expr, shape []int) intFn {
	code := make([]intFn, len(index))
	for i, e := range index {
		code[i] = c.int(e).eval
	}
	switch len(index) {
	case 1:
		f, n := code[0], uint64(shape[0])
		return func(fr *frame) int64 {
			if i := f(fr); uint64(i) < n {
				return i
			}
			return -1
		}
	case 2:
		f, g, rows, cols := code[0], code[1], uint64(shape[0]), int64(shape[1])
		return func(fr *frame) int64 {
			i, j := f(fr), g(fr)
			if uint64(i) < rows && uint64(j) < uint64(cols) {
				return i*cols + j
			}
			return -1
		}
	}
	return func(fr *frame) int64 {
		at, outside := int64(0), false
		for k, f := range code {
			i := f(fr)
			outside = outside || uint64(i) >= uint64(shape[k])
			at = at*int64(shape[k]) + i
		}
		if outside {
			return -1
		}
		return at
	}
}

// elementOf rewrites the indexing of an array to an expression that computes that element and no other: an element of a
// sum is a sum of elements, one of a window is a pixel. It returns nil where the index may be outside the array, or where
// the element takes the whole array.
func (c *compiler) elementOf(e *hast.Elem) hast.Expr {
	if !e.InRange && !c.certainly(e.Index, e.X.Type().Shape()) {
		return nil
	}
	return c.pick(e.X, e.Index, e.T)
}

// certainly is true where all indices are constants within the shape.
func (c *compiler) certainly(index []hast.Expr, shape []int) bool {
	for i, e := range index {
		v, ok := c.constantIndex(e)
		if !ok || v < 0 || v >= int64(shape[i]) {
			return false
		}
	}
	return true
}

// constantIndex is the value of an index that is made of constants and variables that the compiler knows.
func (c *compiler) constantIndex(e hast.Expr) (int64, bool) {
	switch e := e.(type) {
	case *hast.Const:
		return e.Words[0].Int(), true
	case *hast.Ref:
		if words, ok := c.known(e.Var); ok {
			return words[0].Int(), true
		}
	case *hast.Op:
		for _, a := range e.Args {
			if _, ok := c.constantIndex(a); !ok {
				return 0, false
			}
		}
		code := c.int(e)
		return code.add, code.constant()
	}
	return 0, false
}

// pick is the element of type t of x at an index that is in range; nil where there is no cheaper way than the whole of x.
func (c *compiler) pick(x hast.Expr, index []hast.Expr, t types.Type) hast.Expr {
	element := func(of hast.Expr) hast.Expr {
		if !of.Type().IsArray() {
			return of
		}
		return &hast.Elem{Typed: hast.Typed{T: of.Type().Elem(), At: of.Span()}, X: of, Index: index, InRange: true}
	}
	typed := hast.Typed{T: t, At: x.Span()}
	switch x := x.(type) {
	case *hast.Const:
		if at, ok := c.constantElement(index, x.T.Shape()); ok {
			n := t.Words()
			return &hast.Const{Typed: typed, Words: x.Words[at*n : (at+1)*n], Name: x.Name}
		}
	case *hast.Array:
		if at, ok := c.constantElement(index, x.T.Shape()); ok {
			return x.Elems[at]
		}
	case *hast.Op:
		args := make([]hast.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = element(a)
		}
		return &hast.Op{Typed: typed, Op: x.Op, Args: args}
	case *hast.Convert:
		return &hast.Convert{Typed: typed, X: element(x.X), How: x.How}
	case *hast.Splat:
		if x.X.Type() == t {
			return x.X
		}
		return &hast.Splat{Typed: typed, X: x.X}
	case *hast.Select:
		cond := x.Cond
		if cond.Type().IsArray() {
			cond = element(cond)
		}
		return &hast.Select{Typed: typed, Cond: cond, Then: element(x.Then), Else: element(x.Else)}
	case *hast.Transpose:
		return &hast.Elem{Typed: typed, X: x.X, Index: []hast.Expr{index[1], index[0]}, InRange: true}
	case *hast.Window:
		return pickPixel(x, index, typed)
	}
	return nil
}

// constantElement is the number of an element, row by row, where all indices are constants. None is where one of them is outside: that is so where no instance
// gets, as behind a condition that none of a sum's points fulfils, and where every index is proved to be inside.
func (c *compiler) constantElement(index []hast.Expr, shape []int) (int, bool) {
	at := 0
	for k, n := range shape {
		i, ok := c.constantIndex(index[k])
		if !ok || i < 0 || i >= int64(n) {
			return 0, false
		}
		at = at*n + int(i)
	}
	return at, true
}

// pickPixel is an element of a window as a load.
func pickPixel(x *hast.Window, index []hast.Expr, typed hast.Typed) hast.Expr {
	i32 := hast.Typed{T: types.Scalar(types.I32), At: x.At}
	load := &hast.Load{Typed: typed, Image: x.Image, Rule: x.Rule}
	used := 0
	for _, ax := range x.Axes {
		coord := ax.Start
		if ax.Colon {
			offset := index[used]
			used++
			if ax.Stride != 1 {
				by := &hast.Const{Typed: i32, Words: []types.Word{types.Int(int64(ax.Stride))}}
				offset = &hast.Op{Typed: i32, Op: ops.Mul, Args: []hast.Expr{offset, by}}
			}
			coord.X = &hast.Op{Typed: i32, Op: ops.Add, Args: []hast.Expr{coord.X, offset}}
		}
		load.Index = append(load.Index, coord)
	}
	return load
}
