package gather

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
)

// plain is what a pixel is computed by without the arrays that it is an element of; nil where one of these is not computed element by element.
func (b *blocks) plain(e hast.Expr) hast.Expr {
	ok := true
	out := hast.Map(e, func(e hast.Expr) hast.Expr {
		x, is := e.(*hast.Elem)
		if !is || !ok {
			return nil
		}
		at, inside := place(x)
		if !inside {
			return nil
		}
		to := b.element(x.X, at, x.At)
		if ok = to != nil && terms(to) <= mostTerms; !ok {
			return e
		}
		return to
	})
	if !ok {
		return nil
	}
	return out
}

// place is which element of an array one is; false where that is not constant, or none.
func place(e *hast.Elem) (at []int, inside bool) {
	for k, i := range e.Index {
		n, known := hast.Number(i)
		if !known || n < 0 || n >= int64(e.X.Type().Dims[k]) {
			return nil, false
		}
		at = append(at, int(n))
	}
	return at, true
}

// element is the element of an array at a place, as it stands somewhere in the text; nil where the array is not computed element by element.
func (b *blocks) element(array hast.Expr, at []int, text source.Span) hast.Expr {
	typed := hast.Typed{T: array.Type().Elem(), At: text}
	switch e := array.(type) {
	case *hast.Const:
		n, words := flat(e, at), int(typed.T.Lanes)
		return &hast.Const{Typed: typed, Words: e.Words[n*words : (n+1)*words]}
	case *hast.Ref:
		if init := b.arrays[e.Var]; init != nil {
			return b.element(init, at, text)
		}
	case *hast.Convert:
		if x := b.element(e.X, at, text); x != nil {
			return &hast.Convert{Typed: typed, X: x, How: e.How}
		}
	case *hast.Splat:
		x := b.plain(e.X)
		if x == nil || x.Type() == typed.T {
			return x
		}
		return &hast.Splat{Typed: typed, X: x}
	case *hast.Op:
		return b.operated(e, at, typed)
	case *hast.Select:
		yes, no := b.element(e.Then, at, text), b.element(e.Else, at, text)
		if e.Cond.Type().IsScalar() && yes != nil && no != nil {
			return &hast.Select{Typed: typed, Cond: e.Cond, Then: yes, Else: no}
		}
	case *hast.Array:
		return b.plain(e.Elems[flat(e, at)])
	case *hast.Transpose:
		return b.element(e.X, []int{at[1], at[0]}, text)
	case *hast.MatMul:
		return b.product(e, at, typed)
	case *hast.Window:
		return hast.Pixels(e).(*hast.Array).Elems[flat(e, at)]
	}
	return nil
}

// operated is what an operator makes of the elements of its operands.
func (b *blocks) operated(e *hast.Op, at []int, typed hast.Typed) hast.Expr {
	text := typed.At
	out := &hast.Op{Typed: typed, Op: e.Op}
	for _, x := range e.Args {
		if x.Type().IsArray() {
			x = b.element(x, at, text)
		} else {
			x = b.plain(x)
		}
		if x == nil {
			return nil
		}
		out.Args = append(out.Args, x)
	}
	return out
}

// product is an element of a product of matrices, whose products are added up in their order from the first one on.
func (b *blocks) product(e *hast.MatMul, at []int, typed hast.Typed) hast.Expr {
	text := typed.At
	var sum hast.Expr
	for k := range e.X.Type().Shape()[1] {
		x, y := b.element(e.X, []int{at[0], k}, text), b.element(e.Y, []int{k, at[1]}, text)
		if x == nil || y == nil {
			return nil
		}
		p := &hast.Op{Typed: typed, Op: ops.Mul, Args: []hast.Expr{x, y}}
		if sum == nil {
			sum = p
			continue
		}
		sum = &hast.Op{Typed: typed, Op: ops.Add, Args: []hast.Expr{sum, p}}
	}
	return sum
}

// flat is the number of an element, row by row.
func flat(e hast.Expr, at []int) int {
	n := 0
	for k, d := range slices.All(e.Type().Shape()) {
		n = n*d + at[k]
	}
	return n
}
