package plan

import (
	"cmp"
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// An extreme is the least or the greatest of integers around an instance, as lowering folds those in halves of words: each row from the middle outwards, so that
// rows have beginnings in common with each other and with those of other instances, and then the rows.
type extreme struct {
	all   feature.Ops // of the program, of all points
	inRow float64     // for each row that is loaded
	rows  float64     // for each instance
}

// extremes are those of a stage whose reductions are written out under decisions.
func (w *work) extremes(d schedule.Decisions) []extreme {
	unroll := max(d.Unroll, defaultUnroll)
	return memo.Of(&w.extreme, unroll, func() (list []extreme) {
		hast.WalkBody(w.perComponent().Of.Body, nil, func(e hast.Expr) {
			if r, ok := e.(*hast.Reduce); ok {
				if x, ok := w.extremeOf(r, unroll); ok {
					list = append(list, x)
				}
			}
		})
		return list
	})
}

// extremeOf is a reduction as lowering folds it in halves; ok is false where it is none of integers around an instance.
func (w *work) extremeOf(r *hast.Reduce, unroll int) (x extreme, ok bool) {
	points, known := block.Points(r.Space, unroll)
	if r.Op != hast.Min && r.Op != hast.Max || r.Where != nil || !r.T.IsScalar() || !r.T.Kind.IsInt() || !known || len(points) == 0 || len(r.Space.Vars) != 2 {
		return x, false
	}
	x.all = feature.OfPoint(r, w.fast)
	for p := range x.all {
		x.all[p] *= float64(len(points))
	}
	rows := map[int64][]int64{}
	left, right := points[0][1], points[0][1]
	for _, p := range points {
		rows[p[0]] = append(rows[p[0]], p[1])
		left, right = min(left, p[1]), max(right, p[1])
	}
	begun := map[string]bool{} // beginnings of rows
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b int64) int {
			return cmp.Compare(block.FromMiddle(a, left, right), block.FromMiddle(b, left, right))
		})
		for n := 2; n <= len(row); n++ {
			begun[fmt.Sprint(row[:n])] = true
		}
	}
	x.inRow, x.rows = float64(len(begun)), float64(len(rows)-1)
	return x, true
}

// products are the operations of a stage, of all points, in sums of products of what it reads, which halves of words do not hold: sums of squares of 7 x 7 bytes and of products of two images
// take 0.88 ms in halves on an H200, 8192 x 8192, where two at a time would take 0.45.
func (w *work) products(d schedule.Decisions) feature.Ops {
	unroll := max(d.Unroll, defaultUnroll)
	return memo.Of(&w.product, unroll, func() (all feature.Ops) {
		hast.WalkBody(w.perComponent().Of.Body, nil, func(e hast.Expr) {
			r, ok := e.(*hast.Reduce)
			if !ok || r.Op != hast.Sum || !r.T.IsScalar() || !r.T.Kind.IsInt() || !ofPixels(r.Elem) {
				return
			}
			points, _ := block.Points(r.Space, unroll)
			for p, n := range feature.OfPoint(r, w.fast) {
				all[p] += n * float64(len(points))
			}
		})
		return all
	})
}

// ofPixels reports whether a value has a product of two pixels in it.
func ofPixels(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		if x, ok := e.(*hast.Op); ok && x.Op == ops.Mul {
			found = found || reads(x.Args[0]) && reads(x.Args[1])
		}
	})
	return found
}

// reads reports whether a value is made of pixels.
func reads(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		_, load := e.(*hast.Load)
		found = found || load
	})
	return found
}
