package block

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// sum counts the products of a sum over bytes, and the dot products that rows of four make of them.
func (a *analysis) sum(e *hast.Reduce) {
	points, ok := Points(e.Space, a.unroll)
	load := byteOf(e.Elem)
	if !ok || len(points) < 2 || load == nil || e.Op != hast.Sum || e.T != i32 || e.Where != nil || a.stored[load.Image.Base()] != nil {
		return
	}
	rows := map[int]Span{}
	for _, p := range points {
		for i, v := range e.Space.Vars {
			a.ranges[v] = [2]int64{p[i], p[i]}
			defer delete(a.ranges, v)
		}
		at, ok := a.out.Place(a.out.Scope, load.Image, load.Index)
		if !ok || at.X.Stride != 1 {
			return
		}
		row, seen := rows[at.Y.Lo]
		if !seen {
			row = at.X
		}
		rows[at.Y.Lo] = row.join(at.X)
	}
	a.out.Taps += len(points)
	for _, row := range rows {
		a.out.Dots += (row.Hi - row.Lo + 4) / 4
	}
}

// byteOf is the read of a byte that an element of a sum is, as it is or times a constant of 8 bits; nil where it is none.
func byteOf(e hast.Expr) *hast.Load {
	switch e := e.(type) {
	case *hast.Convert:
		if e.T == i32 && e.How != hast.Bitcast {
			return byteOf(e.X)
		}
	case *hast.Load:
		if e.Image.Elem == types.Scalar(types.U8) && Channels(e.Image) == 1 {
			return e
		}
	case *hast.Op:
		if e.Op != ops.Mul {
			return nil
		}
		for i, x := range e.Args {
			if load := byteOf(e.Args[1-i]); load != nil && small(x) {
				return load
			}
		}
	}
	return nil
}

// small reports whether an expression is a constant of 8 bits, or an element of an array of such.
func small(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Convert:
		return e.T.Kind.IsInt() && small(e.X)
	case *hast.Elem:
		return small(e.X)
	case *hast.Const:
		for _, w := range e.Words {
			if !e.T.Kind.IsInt() || w.Int() < -128 || w.Int() > 127 {
				return false
			}
		}
		return true
	}
	return false
}
