package normal

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// An entry of a constant array, computed with constants or with the same entries of others, is an entry of another constant array: masks that are divided by their sum where
// they are used are known by what they are, and nothing is divided for each pixel and entry. The values are those that the instances would have computed.

// entryOps are what such entries are computed by: of floats all of them, of integers those that do not fail.
var entryOps = map[ops.Op]bool{ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Div: true, ops.Min: true, ops.Max: true, ops.Neg: true, ops.Abs: true}

// entry is what takes the place of an expression: of an operator or a conversion itself, with entries in it, where it is none. Nothing is looked at twice, which in nested ones would be
// twice at each depth.
func entry(e hast.Expr) hast.Expr {
	switch x := e.(type) {
	case *hast.Op:
		return entryOfOp(x)
	case *hast.Convert:
		return entryOfConvert(x)
	}
	return nil
}

func entryOfOp(x *hast.Op) hast.Expr {
	if !entryOps[x.Op] || !x.T.IsScalar() || x.Op == ops.Div && !x.T.Kind.IsFloat() {
		return nil
	}
	args := make([]hast.Expr, len(x.Args))
	var of *hast.Elem
	changed := false
	for i, a := range x.Args {
		args[i] = hast.Map(a, entry)
		changed = changed || args[i] != a
		if e, ok := args[i].(*hast.Elem); ok && of == nil && ofConstant(e) {
			of = e
		}
	}
	if of != nil {
		if c := entryOf(of, x, args); c != nil {
			return c
		}
	}
	if !changed {
		return x
	}
	return &hast.Op{Typed: x.Typed, Op: x.Op, Args: args}
}

// entryOf is an operator on entries at the place of one of them, and on constants, as an entry; nil where it has other operands.
func entryOf(of *hast.Elem, x *hast.Op, args []hast.Expr) hast.Expr {
	words := make([][]types.Word, len(args))
	for i, a := range args {
		if words[i] = wordsLike(of, a, x.T); words[i] == nil {
			return nil
		}
	}
	out := make([]types.Word, len(words[0]))
	for i := range out {
		at := make([]types.Word, len(words))
		for k := range words {
			at[k] = words[k][i]
		}
		out[i] = ops.Eval(x.Op, x.T.Kind, at...)
	}
	return entryLike(of, x.Typed, out)
}

func entryOfConvert(x *hast.Convert) hast.Expr {
	operand := hast.Map(x.X, entry)
	of, ok := operand.(*hast.Elem)
	if !ok || !ofConstant(of) || !x.T.IsScalar() || x.How != hast.Wrap {
		if operand == x.X {
			return x
		}
		return &hast.Convert{Typed: x.Typed, X: operand, How: x.How}
	}
	c := of.X.(*hast.Const)
	out := make([]types.Word, len(c.Words))
	for i, w := range c.Words {
		out[i] = types.Convert(w, c.T.Kind, x.T.Kind)
	}
	return entryLike(of, x.Typed, out)
}

// ofConstant reports whether an element is certainly an entry of a constant array of scalars: outside it is 0, whatever is computed of the entries. Arrays larger than
// masks are, of which data says what is read, stay the only ones: memory for constants holds few of them.
func ofConstant(e *hast.Elem) bool {
	c, ok := e.X.(*hast.Const)
	return ok && len(c.Words) <= most && e.InRange && e.T.IsScalar() && c.T.Lanes == 1 && len(e.Index) == len(c.T.Shape())
}

// wordsLike are, for all entries of the array that of is one of, what an expression of a type is where of is that entry; nil where it is something else.
func wordsLike(of *hast.Elem, e hast.Expr, t types.Type) []types.Word {
	n := len(of.X.(*hast.Const).Words)
	if e.Type() != t {
		return nil
	}
	switch e := e.(type) {
	case *hast.Const:
		words := make([]types.Word, n)
		for i := range words {
			words[i] = e.Words[0]
		}
		return words
	case *hast.Elem:
		if !ofConstant(e) || !sameIndex(e, of) {
			return nil
		}
		return e.X.(*hast.Const).Words
	}
	return nil
}

// sameIndex reports whether two entries have the same place in arrays of one shape.
func sameIndex(x, y *hast.Elem) bool {
	if len(x.Index) != len(y.Index) {
		return false
	}
	a, b := x.X.(*hast.Const).T.Shape(), y.X.(*hast.Const).T.Shape()
	for k := range x.Index {
		if a[k] != b[k] || !hast.Equal(x.Index[k], y.Index[k]) {
			return false
		}
	}
	return true
}

// entryLike is the entry at the same place of an array of other values.
func entryLike(of *hast.Elem, t hast.Typed, words []types.Word) *hast.Elem {
	c := of.X.(*hast.Const)
	x := *of
	x.Typed, x.X = t, &hast.Const{Typed: hast.Typed{T: c.T.WithKind(t.T.Kind), At: c.At}, Words: words}
	return &x
}
