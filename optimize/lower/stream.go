package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Sums by rows. An item goes down its rows of instances and loads each row of the windows once. The row is added to the sums of all
// rows of instances that it belongs to, to each in the order of the program, so that the results are the same bits as of a sum at
// once; then the sums of one row of instances are complete, their instances are computed and stored, and the sums move up by
// one row. What is held is the rows that are in use or on their way and one number for each sum that has begun, not the whole window.
//
// The loop is written out, in which all moves vanish, or is left a loop for large masks and long strips.

// A rowSum is a sum by rows while it is computed.
type rowSum struct {
	*block.Sum
	array  *kir.Var          // sums that have begun: by how many more rows they wait for, and by the instance in the row
	terms  interval.Interval // of all rows
	alike  []string          // what rows add that others of the sum add as well, by the row, "" for others; nil where the order is kept
	bounds interval.Interval // of a complete sum
}

// stream computes the item's rows, loading vectors or pixels.
func (t *strip) stream(whole bool) {
	b := t.body
	load, mend := t.pixelRow, func(*window, kir.Expr, kir.Expr) {}
	if whole {
		at := map[*window]edges{}
		for _, w := range t.rings {
			at[w] = t.edges(w)
		}
		load = func(w *window, r, row kir.Expr) { t.loadRow(w, at[w], r, row) }
		mend = func(w *window, r, row kir.Expr) { t.mendRow(w, at[w], r, row) } // where it is used: it waits for the load
	}
	t.sums = t.begin()
	for _, w := range t.rings {
		t.array(&w.tile, w.Image.Name+"_rows")
		b.unrolled("v", w.rows-1, func(r kir.Expr) { load(w, r, t.row(w, r)) })
	}
	behind := int64(t.behind)
	rounds := kir.Looped
	switch {
	case whole && t.decided.Rolled == 0:
		rounds = kir.WrittenOut
	case whole:
		rounds = kir.AnyForm
	}
	written := rounds == kir.WrittenOut
	count := i32(int64(t.tall))
	if t.length != nil {
		count = t.length
	}
	if !written {
		count = b.once("rows", b.op(i32T, ops.Min, count, b.op(i32T, ops.Sub, t.end[1], t.first[1])))
	}
	i := b.loopVar("i", interval.Between(0, behind+int64(t.tall)-1))
	stmts := b.inside(false, func() {
		for _, w := range t.rings {
			last := i32(int64(w.rows - 1))
			load(w, last, t.row(w, b.op(i32T, ops.Add, ref(i), last)))
		}
		for _, w := range t.rings {
			mend(w, i32(0), t.row(w, ref(i)))
		}
		t.addRow()
		y := b.op(i32T, ops.Sub, ref(i), i32(behind))
		t.completed(y, behind > 0, written, whole)
		for _, w := range t.rings {
			t.moveUp(w)
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: b.op(i32T, ops.Add, count, i32(behind)), Step: 1, Rounds: rounds, Body: stmts})
}

// begin makes the arrays of the sums.
func (t *strip) begin() (sums []*rowSum) {
	b := t.body
	for _, s := range t.what.Rows.Sums {
		n := t.what.Rows.Hi - s.First + 1
		v := b.declare(s.Of.Op.String()+"s", s.Of.T.Array(n, t.item[0]), true, nil)
		b.unrolled("v", n, func(r kir.Expr) {
			b.unrolled("u", t.item[0], func(u kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: []kir.Expr{r, u}, Value: zero(s.Of.T)})
			})
		})
		sums = append(sums, &rowSum{Sum: s, array: v})
	}
	return sums
}

// addRow adds the row in use to all sums, the oldest first, and moves each up by one place.
func (t *strip) addRow() {
	b := t.body
	t.summing = true
	t.rounds(0, "u", func() {
		for _, s := range t.sums {
			s.terms, s.alike = b.termsOf(s), b.alikeOf(s)
			hi, once := t.what.Rows.Hi, map[string]kir.Expr{}
			for j := range hi - s.First + 1 {
				row := hi - j
				var before kir.Expr
				if row > s.First {
					before = b.elemOf(s.array, []kir.Expr{i32(int64(j + 1)), t.column()})
				}
				if row <= s.Last() {
					before = b.withRow(s, before, row-s.First, once)
				}
				if row == s.Last() {
					s.bounds = rangeOf(before, b.bounds)
				}
				b.emit(&kir.Assign{Placed: b.placed(), Var: s.array, Index: []kir.Expr{i32(int64(j)), t.column()}, Value: before})
			}
		}
	})
	t.summing = false
}

// withRow is a sum with the points of one of its rows, or these alone. In fast mode what several rows add alike is added up once; once has what has
// been, of the row in use.
func (b *body) withRow(s *rowSum, before kir.Expr, row int, once map[string]kir.Expr) kir.Expr {
	if s.alike == nil {
		return b.partial(s.Of, before, s.Rows[row], s.terms)
	}
	what := s.alike[row]
	if what == "" {
		return b.byWeights(s, before, row, once)
	}
	if once[what] == nil {
		once[what] = b.byWeights(s, nil, row, once)
	}
	if before == nil {
		return once[what]
	}
	return b.op(s.Of.T, ops.Add, before, once[what])
}

// alikeOf finds the rows of a sum of floats that add the same of the row in use, as those at equal distances from the middle of most masks do, "" for
// others; nil where the order is that of the program.
func (b *body) alikeOf(s *rowSum) []string {
	if b.opts.Mode != kir.Fast || s.Of.Op != hast.Sum || !rounds(s.Of) || s.Of.Where != nil {
		return nil
	}
	alike, rows := make([]string, len(s.Rows)), map[string]int{}
	for i, points := range s.Rows {
		b.inside(false, func() {
			for _, e := range b.elements(s.Of, points) {
				alike[i] += e.key
			}
		})
		rows[alike[i]]++
	}
	for i, what := range alike {
		if rows[what] < 2 || len(s.Rows[i]) < 2 {
			alike[i] = ""
		}
	}
	return alike
}

// An element is what a point adds to a sum, and its key.
type element struct {
	kir.Expr
	key string
}

// elements are what points add to a sum.
func (b *body) elements(e *hast.Reduce, points [][]int64) (list []element) {
	ids := map[*kir.Var]int{}
	b.reducePoints(e, reducer{step: func(x kir.Expr) { list = append(list, element{x, key(x, ids)}) }}, points)
	return list
}

// byWeights is a sum with the points of a row, where those that are multiplied by the same number are added up before: masks whose columns are alike at
// equal distances from the middle have such pairs, which all their rows share.
func (b *body) byWeights(s *rowSum, before kir.Expr, row int, once map[string]kir.Expr) kir.Expr {
	var weights []element // constants; nil for what is not multiplied by one
	terms := map[string][]element{}
	ids := map[*kir.Var]int{}
	for _, e := range b.elements(s.Of, s.Rows[row]) {
		weight, term := weighted(e.Expr)
		w := element{Expr: weight}
		if weight != nil {
			w.key = key(weight, ids)
		}
		if terms[w.key] == nil {
			weights = append(weights, w)
		}
		terms[w.key] = append(terms[w.key], element{term, key(term, ids)})
	}
	r := b.folder(s.Of, before, trips(s.Of.Space), s.terms)
	r.begin()
	for _, w := range weights {
		sum := b.termsOnce(s.Of, terms[w.key], once)
		if w.Expr != nil {
			sum = b.op(s.Of.T, ops.Mul, w.Expr, sum)
		}
		r.step(sum)
	}
	return r.end()
}

// termsOnce is the sum of some terms, which is there once.
func (b *body) termsOnce(e *hast.Reduce, terms []element, once map[string]kir.Expr) kir.Expr {
	sum, all := terms[0].Expr, terms[0].key
	for _, x := range terms[1:] {
		sum, all = b.op(e.T, ops.Add, sum, x.Expr), all+"+"+x.key
	}
	if len(terms) == 1 {
		return sum
	}
	if once[all] == nil {
		once[all] = b.once("together", sum)
	}
	return once[all]
}

// weighted takes a product with a constant apart.
func weighted(e kir.Expr) (weight, term kir.Expr) {
	if op, ok := e.(*kir.Op); ok && op.Op == ops.Mul && len(op.Args) == 2 {
		for i, x := range op.Args {
			if c, ok := x.(*kir.Const); ok {
				return c, op.Args[1-i]
			}
		}
	}
	return nil, e
}

// completed computes and stores the row of instances whose sums are complete, the y-th of the item, if there is one.
func (t *strip) completed(y kir.Expr, late, written, whole bool) {
	b := t.body
	var some kir.Expr
	if late {
		some = b.op(boolType, ops.Ge, y, i32(0))
	}
	first := t.first[1]
	at := b.op(i32T, ops.Add, first, y)
	if written {
		some = b.and(some, b.op(boolType, ops.Lt, at, t.end[1]))
	}
	finish := func() {
		t.onRow(at)
		fetch, put := t.fetchPixels, t.putPixels
		if whole {
			fetch, put = t.fetchWhole, t.putWhole
		}
		t.declare()
		t.fetch(fetch)
		t.compute()
		t.put(put)
		t.first[1], t.y = first, nil
	}
	if some == nil {
		finish()
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: some, Then: b.inside(false, finish)})
}

// moveUp makes room for the next row.
func (t *strip) moveUp(w *window) {
	b := t.body
	for r := range w.rows - 1 {
		b.unrolled("u", (w.left+w.width+w.right)*w.per, func(u kir.Expr) {
			u = b.op(i32T, ops.Add, u, i32(int64(w.lead.size-w.left*w.per)))
			next := b.elemOf(w.array, []kir.Expr{i32(int64(r + 1)), u})
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{i32(int64(r)), u}, Value: next})
		})
	}
}

// partial folds the elements at points into what came before; nil for nothing. All elements of the reduction lie in all.
func (b *body) partial(e *hast.Reduce, before kir.Expr, points [][]int64, all interval.Interval) kir.Expr {
	r := b.folder(e, before, trips(e.Space), all)
	r.begin()
	b.reducePoints(e, r, points)
	return r.end()
}

// termsOf bounds the elements of a sum by rows, which it lowers to see.
func (b *body) termsOf(s *rowSum) interval.Interval {
	if s.Of.Op != hast.Sum || !s.Of.T.Kind.IsInt() {
		return interval.All
	}
	terms, some := interval.All, false
	see := reducer{step: func(elem kir.Expr) {
		term := rangeOf(elem, b.bounds)
		if some {
			term = term.Join(terms)
		}
		terms, some = term, true
	}}
	b.inside(false, func() {
		for _, row := range s.Rows {
			b.reducePoints(s.Of, see, row)
		}
	})
	return terms
}

// summedByRows is a reduction whose value is there already; nil where it is not.
func (b *body) summedByRows(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil {
		return nil
	}
	t := b.kernel.blocks
	for _, s := range t.sums {
		if s.Of == e {
			v := b.declare(e.Op.String(), e.T, false, b.elemOf(s.array, []kir.Expr{i32(0), t.column()}))
			b.bounds[v] = s.bounds
			return ref(v)
		}
	}
	return nil
}
