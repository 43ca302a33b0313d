package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Instances beside each other add up almost the same pixels where they have moving sums (block.Moving): n of them, of w points each, have w - n + 1 points in common. These are added up once for
// all; of those before, each instance has the last ones, and of those behind the first ones, whose sums go on from one instance to the next. Nothing is taken away again, so that a sum has no
// more roundings than any other of its terms, whatever lies beside them. Four sums of 17 points are 24 additions in place of 64. It is the same of least and greatest values, which are shared in any
// mode: eight of 15 points are 35 operations in place of 112.

// A movingBlock is a block of instances that share moving sums.
type movingBlock struct {
	*strip
	size    [2]int
	at      func(dim int, k kir.Expr) // has the strip be at the k-th place of the block, or behind it
	bundles [][]*block.Moving         // those that are computed side by side
	arrays  map[*block.Moving]*kir.Var
}

// moving finds the moving sums of a stage that are shared by the instances of a block: all that they read is loaded for the whole block.
func (t *strip) moving(s *hast.Stage, size [2]int, at func(dim int, k kir.Expr)) *movingBlock {
	m := &movingBlock{strip: t, size: size, at: at, arrays: map[*block.Moving]*kir.Var{}}
	for _, sum := range block.MovingSums(s) {
		if !sum.Extreme() && t.plan.opts.Mode == kir.Strict || !sum.Shared(size[sum.Dim]) || !t.holds(sum) {
			continue
		}
		k := slices.IndexFunc(m.bundles, func(list []*block.Moving) bool { return list[0].Beside(sum) })
		if k < 0 {
			k, m.bundles = len(m.bundles), append(m.bundles, nil)
		}
		m.bundles[k] = append(m.bundles[k], sum)
	}
	return m
}

// holds reports whether all that a moving sum reads is in windows of the block.
func (t *strip) holds(m *block.Moving) bool {
	b, i := t.body, m.Of.Space.Vars[0]
	b.vars[i] = i32(m.Lo)
	defer delete(b.vars, i)
	held := true
	hast.Walk(m.Elem, func(e hast.Expr) {
		load, ok := e.(*hast.Load)
		if !ok {
			return
		}
		found, p := t.what.Find(t.scope(), load.Image, load.Index, load.Rule)
		k := slices.Index(t.what.Windows, found)
		held = held && k >= 0 && onePlace(p.X) && onePlace(p.Y) && t.windows[k] != nil && !t.windows[k].own
	})
	return held
}

// compute computes the sums along an axis: of rows for the row at hand, of columns for the whole block.
func (m *movingBlock) compute(dim int) {
	if m == nil {
		return
	}
	for _, bundle := range m.bundles {
		if bundle[0].Dim == dim {
			m.bundle(bundle)
		}
	}
}

// bundle computes sums side by side, of so many instances after the other that share them.
func (m *movingBlock) bundle(list []*block.Moving) {
	dim := list[0].Dim
	n := m.size[dim]
	for _, sum := range list {
		m.arrays[sum] = m.body.declare(movingName(sum), sum.Of.T.Array(m.shape(dim, n)...), true, nil)
	}
	each := list[0].Together(n)
	for first := 0; first < n; first += each {
		m.piece(list, first, each)
	}
}

// movingName is what an array of sums is called.
func movingName(m *block.Moving) string {
	if m.Extreme() {
		return m.Of.Op.String() + "s"
	}
	return "sums"
}

// piece computes those of n instances from the first one on, place after place.
func (m *movingBlock) piece(list []*block.Moving, first, n int) {
	b, dim, points := m.body, list[0].Dim, list[0].N
	common, behind := make([]*kir.Var, len(list)), make([]*kir.Var, len(list))
	for i, sum := range list {
		common[i] = b.declare("common", sum.Of.T.Array(m.shape(dim, 1)...), true, nil)
		if n > 2 {
			behind[i] = b.declare("behind", sum.Of.T.Array(m.shape(dim, 1)...), true, nil)
		}
	}
	at := func(q int) kir.Expr { return i32(int64(first + q)) }
	m.before(list, first, n)
	m.terms(list, at(n-1), func(i int, other, term kir.Expr) { m.add(list[i], common[i], 0, other, m.begun(list[i], term), true) })
	b.unrolled("q", points-n, func(q kir.Expr) {
		m.terms(list, b.op(i32T, ops.Add, q, at(n)), func(i int, other, term kir.Expr) { m.add(list[i], common[i], 0, other, term, false) })
	})
	for i, sum := range list {
		m.others(dim, func(other kir.Expr) {
			for k := range n {
				m.add(sum, m.arrays[sum], first+k, other, m.element(common[i], 0, other), k == n-1)
			}
		})
	}
	for k := 1; k < n; k++ {
		m.terms(list, at(points-1+k), func(i int, other, term kir.Expr) {
			if n > 2 {
				m.add(list[i], behind[i], 0, other, term, k == 1)
				term = m.element(behind[i], 0, other)
			}
			m.add(list[i], m.arrays[list[i]], first+k, other, term, false)
		})
	}
}

// before adds up what each instance has before that which all have. Sums take one place after the other, so that terms are added as the language has it; extremes, whose order does not matter, go
// back from the last one, so that each goes on from that of the instance behind.
func (m *movingBlock) before(list []*block.Moving, first, n int) {
	if !list[0].Extreme() {
		for q := range n - 1 {
			m.terms(list, i32(int64(first+q)), func(i int, other, term kir.Expr) {
				for k := range q + 1 {
					m.add(list[i], m.arrays[list[i]], first+k, other, term, k == q)
				}
			})
		}
		return
	}
	for k := n - 2; k >= 0; k-- {
		m.terms(list, i32(int64(first+k)), func(i int, other, term kir.Expr) {
			to := m.arrays[list[i]]
			m.add(list[i], to, first+k, other, term, true)
			if k < n-2 {
				m.add(list[i], to, first+k, other, m.element(to, first+k+1, other), false)
			}
		})
	}
}

// begun is the first term of what all have. Extremes of floats begin with what every number wins against, which is what there is of nothing but NaN.
func (m *movingBlock) begun(of *block.Moving, term kir.Expr) kir.Expr {
	if t := of.Of.T; of.Extreme() && t.Kind.IsFloat() {
		return m.body.op(t, foldOps[of.Of.Op], m.body.identity(of.Of.Op, t), term)
	}
	return term
}

// shape is that of an array with n numbers for each line of the block that the sums are along.
func (m *movingBlock) shape(dim, n int) []int {
	if dim == 0 {
		return []int{n}
	}
	return []int{n, m.size[0]}
}

// others runs f for each of these lines: columns of the block, or the row at hand, which has no number.
func (m *movingBlock) others(dim int, f func(other kir.Expr)) {
	if dim == 0 {
		f(nil)
		return
	}
	m.body.unrolled("u", m.size[0], f)
}

// terms runs f for the terms of all sums at a place.
func (m *movingBlock) terms(list []*block.Moving, place kir.Expr, f func(i int, other, term kir.Expr)) {
	b, dim := m.body, list[0].Dim
	m.others(dim, func(other kir.Expr) {
		if other != nil {
			m.at(1-dim, other)
		}
		m.at(dim, place)
		for i, sum := range list {
			v := sum.Of.Space.Vars[0]
			b.vars[v] = i32(sum.Lo)
			term := b.expr(sum.Elem)
			delete(b.vars, v)
			if !simple(term) {
				term = ref(b.declare("term", sum.Of.T, false, term))
			}
			f(i, other, term)
		}
	})
}

// element is the k-th number that an array has for a line.
func (m *movingBlock) element(array *kir.Var, k int, other kir.Expr) kir.Expr {
	index := []kir.Expr{i32(int64(k))}
	if other != nil {
		index = append(index, other)
	}
	return m.body.elemOf(array, index)
}

// add adds a value to such a number, or has it be the first; for extremes, it takes the better one.
func (m *movingBlock) add(of *block.Moving, array *kir.Var, k int, other, value kir.Expr, first bool) {
	b := m.body
	to := m.element(array, k, other)
	if !first {
		value = b.op(array.Type.Elem(), foldOps[of.Of.Op], to, value)
	}
	b.emit(&kir.Assign{Placed: b.placed(), Var: array, Index: to.(*kir.Elem).Index, Value: value})
}

// known has the instance at a place of the block take what has been computed of its sums.
func (m *movingBlock) known(u, v kir.Expr) {
	if m == nil {
		return
	}
	for sum, array := range m.arrays {
		index := []kir.Expr{u}
		if sum.Dim == 1 {
			index = []kir.Expr{v, u}
		}
		if m.body.totals == nil {
			m.body.totals = map[*hast.Reduce]kir.Expr{}
		}
		m.body.totals[sum.Of] = m.body.elemOf(array, index)
	}
}

// done has instances elsewhere compute sums by themselves.
func (m *movingBlock) done() {
	if m == nil {
		return
	}
	for sum := range m.arrays {
		delete(m.body.totals, sum.Of)
	}
}
