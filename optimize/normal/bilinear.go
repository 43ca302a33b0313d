package normal

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A row of constants times a matrix of pixels times a column of constants, as resampling has them,
//
//	DOWN * f32(src[2*y-5 : 12][2*x-5 : 12]) * DOWN
//
// is a sum of all pixels of the matrix under the mask that is the product of both: later phases separate it as any other, and neighbours share what they sum. As products of matrices each instance
// had 156 multiply-adds of 144 pixels, where 12 and 12 for each row do. Floats are added in another order, so that exact programs keep theirs.

// bilinear has such products as sums, those of floats where results need not be exact.
func bilinear(list []hast.Stmt, exact bool) []hast.Stmt {
	x := arraysOf(list)
	return hast.MapStmts(list, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			at, ok := e.(*hast.Elem)
			if !ok || !at.InRange || exact && at.T.Kind.IsFloat() {
				return nil
			}
			row, matrix, column := x.between(at.X)
			if matrix == nil {
				return nil
			}
			return x.weighed(row, matrix, column, at)
		})
	})
}

// between takes an array of one element apart that is a matrix of pixels between a row of constants and a column; nil where it is anything else.
func (x *ofArrays) between(e hast.Expr) (row *hast.Const, matrix hast.Expr, column *hast.Const) {
	outer, ok := hast.Unshaped(e).(*hast.MatMul)
	if !ok || count(outer) != 1 {
		return nil, nil, nil
	}
	if inner, ok := hast.Unshaped(outer.X).(*hast.MatMul); ok {
		row, _ = hast.Unshaped(inner.X).(*hast.Const)
		column, _ = hast.Unshaped(outer.Y).(*hast.Const)
		matrix = inner.Y
	} else if inner, ok := hast.Unshaped(outer.Y).(*hast.MatMul); ok {
		row, _ = hast.Unshaped(outer.X).(*hast.Const)
		column, _ = hast.Unshaped(inner.Y).(*hast.Const)
		matrix = inner.X
	}
	if row == nil || column == nil || !x.cheap(matrix) || !ofPair(matrix.Type(), row, column) {
		return nil, nil, nil
	}
	return row, matrix, column
}

// ofPair reports whether a matrix of scalars has as many rows as a row has entries, and as many columns as a column.
func ofPair(t types.Type, row, column *hast.Const) bool {
	shape := t.Shape()
	return len(shape) == 2 && t.Lanes == 1 && shape[0] == len(row.Words) && shape[1] == len(column.Words) && shape[0]*shape[1] <= most
}

// count is how many elements an array has.
func count(e hast.Expr) int {
	n := 1
	for _, d := range e.Type().Shape() {
		n *= d
	}
	return n
}

// weighed is the sum of the elements of a matrix, in the place of an element of one.
func (x *ofArrays) weighed(row *hast.Const, matrix hast.Expr, column *hast.Const, at *hast.Elem) hast.Expr {
	t := matrix.Type()
	mask := &hast.Const{Typed: hast.Typed{T: t, At: row.At}}
	for _, a := range row.Words {
		for _, b := range column.Words {
			mask.Words = append(mask.Words, ops.Eval(ops.Mul, t.Kind, a, b))
		}
	}
	space := hast.Space{}
	place := &hast.Elem{Typed: at.Typed, InRange: true}
	for k, name := range [2]string{"j", "i"} {
		v := &hast.Var{Name: name, Type: types.Scalar(types.I32), Class: hast.Loop, At: at.At}
		space.Vars = append(space.Vars, v)
		space.Ranges = append(space.Ranges, hast.Range{Lo: hast.Int(0), Hi: hast.Int(int64(t.Shape()[k])), Step: 1})
		place.Index = append(place.Index, hast.RefTo(v))
	}
	weight := *place
	weight.X = mask
	return &hast.Reduce{Typed: at.Typed, Op: hast.Sum, Space: space, Elem: hast.Binary(ops.Mul, &weight, x.at(matrix, place))}
}
