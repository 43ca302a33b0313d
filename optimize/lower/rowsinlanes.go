package lower

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// What the rows of a window come to in halves of words, where instances above and below each other add up multiples of it: it is computed once for each row that a block loads, before its first
// instance. Left to compilers, which see the sums of all instances with those of rows in them, it is not: LLVM takes the rows whose weights are alike for one sum of products (reassociation), and
// the kernel of a binomial of 5 x 5 had 41 additions and products for each four bytes where 20 do.

// rowSums are what rows come to in the columns of a block, by their kinds: in arrays of rows of words, two for each quad.
type rowSums struct {
	first int // quad of a row
	of    map[string]*kir.Var
}

// sumRows computes what the rows of all sums in halves come to of which a block has several multiples.
func (q *quads) sumRows() {
	q.rows = rowSums{}
	if q.item[1] == 1 {
		return
	}
	columns := q.inRow()
	q.rows = rowSums{first: columns.From * q.sides() / block.PerWord, of: map[string]*kir.Var{}}
	n := (columns.To - columns.From) * q.sides() / block.PerWord
	for _, r := range q.repeatedRows() {
		w := q.windows[r.Window]
		sums := q.body.declare("rows", u32T.Array(w.rows, 2*n), true, nil)
		q.sumRow(r, sums, w.rows, n)
		q.rows.of[r.Kind()] = sums
	}
}

// repeatedRows are one of each kind of rows that sums have several of, for one instance, in windows of which neighbours below each other read neighbouring rows.
func (q *quads) repeatedRows() (list []*block.Row) {
	count := map[string]int{}
	for _, c := range block.Sums(q.of, q.what, q.body.unroll) {
		if len(c.Taps) < 2 || !q.inHalves(c) {
			continue
		}
		for _, r := range c.Rows() {
			kind := r.Kind()
			if len(r.Taps) > 1 && q.stride(q.windows[r.Window], 1) == 1 {
				if count[kind]++; count[kind] == 2 {
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// sumRow computes what rows like one come to in all rows of its window, for so many quads.
func (q *quads) sumRow(r *block.Row, sums *kir.Var, rows, n int) {
	b := q.body
	b.unrolled("v", rows, func(v kir.Expr) {
		b.unrolled("u", n, func(u kir.Expr) {
			q.seen, q.line, q.number = map[string]kir.Expr{}, v, b.op(i32T, ops.Add, u, i32(int64(q.rows.first)))
			for i := range 2 {
				at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(2)), i32(int64(i)))
				q.keep(sums, []kir.Expr{v, at}, q.sumOfRow(r, i))
			}
		})
	})
	q.line = nil
}

// rowSum is what a row comes to over a factor of all its weights, in word i of the quad at hand; nil where it has not been computed before.
func (q *quads) rowSum(r *block.Row, i int) kir.Expr {
	sums := q.rows.of[r.Kind()]
	if sums == nil {
		return nil
	}
	b := q.body
	w := q.windows[r.Window]
	row := q.element(&w.tile, q.rowOf(block.Tap{Window: r.Window, Y: r.Y}), 0, 0)[0]
	quad := b.op(i32T, ops.Sub, q.number, i32(int64(q.rows.first)))
	return b.elemOf(sums, []kir.Expr{row, b.op(i32T, ops.Add, b.op(i32T, ops.Mul, quad, i32(2)), i32(int64(i)))})
}
