package lower

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A reduction computes into accumulators, point by point in the order of its space. Up to Options.Unroll points with constant
// coordinates are written out; else it is a loop.

// A reducer is how one reduction is carried out: begin declares the accumulators, step takes one element, end is the result. Skip, where it is not nil, has the result so far lie where so many more
// elements like those taken would have it.
type reducer struct {
	begin func()
	step  func(elem kir.Expr)
	skip  func(n int64)
	end   func() kir.Expr
}

// reduce takes the first form of a reduction that there is for it.
func (b *body) reduce(e *hast.Reduce) kir.Expr {
	for _, form := range [...]func(*body, *hast.Reduce) kir.Expr{
		(*body).foundTotal, (*body).median, (*body).matrixSum, (*body).dot4, (*body).reducedByRows, (*body).teamReduce, (*body).besideEachOther, (*body).interleaved, (*body).summedByRows,
	} {
		if x := form(b, e); x != nil {
			return x
		}
	}
	return b.foldPoints(e)
}

// foundTotal is a result that is there already; nil where it is not.
func (b *body) foundTotal(e *hast.Reduce) kir.Expr { return b.totals[e] }

// reducedByRows is a reduction of which neighbours share what rows have of it; nil where they do not.
func (b *body) reducedByRows(e *hast.Reduce) kir.Expr {
	if b.kernel == nil || b.kernel.rows == nil {
		return nil
	}
	for _, form := range [...]func(*rows, *hast.Reduce) kir.Expr{(*rows).fromLine, (*rows).fromBlock, (*rows).separated} {
		if x := form(b.kernel.rows, e); x != nil {
			return x
		}
	}
	return nil
}

// foldPoints is a reduction point by point, by a loop or written out.
func (b *body) foldPoints(e *hast.Reduce) kir.Expr {
	points, unrolled := b.points(e.Space)
	r := b.reducer(e, trips(e.Space))
	r.begin()
	switch {
	case !unrolled:
		inside := func(visit func(hast.Expr)) { hast.Walk(e.Elem, visit) }
		b.loopIn(e.Space, b.sliding(e.Space, inside), func() { b.reducePoint(e, r) })
	case b.kernel != nil && b.kernel.rows != nil && b.kernel.rows.knowing():
		b.tryPoints(e, r, points)
	default:
		b.reducePoints(e, r, points)
	}
	return r.end()
}

// tryPoints takes the elements at so many points that all is known that a trial of rows asks for.
func (b *body) tryPoints(e *hast.Reduce, r reducer, points [][]int64) {
	some := b.kernel.rows.tried(e, points)
	left := len(points) - len(some)
	if left > 0 && r.skip != nil && len(some) > 1 { // before the last one, which is added as it will be then
		last := len(some) - 1
		b.reducePoints(e, r, some[:last])
		r.skip(int64(left))
		some = some[last:]
	}
	if b.reducePoints(e, r, some); left > 0 && b.kernel.rows.probe != nil {
		b.kernel.rows.probe.cut()
	}
}

// reducePoints takes the elements at points, one after the other.
func (b *body) reducePoints(e *hast.Reduce, r reducer, points [][]int64) {
	for _, p := range points {
		for i, v := range e.Space.Vars {
			b.vars[v] = i32(p[i])
		}
		b.reducePoint(e, r)
	}
}

// reducePoint takes the element at the current point, where it takes part.
func (b *body) reducePoint(e *hast.Reduce, r reducer) {
	if e.Where == nil {
		r.step(b.expr(e.Elem))
		return
	}
	cond := b.expr(e.Where)
	if v, ok := constInt(cond); ok {
		if v != 0 {
			r.step(b.expr(e.Elem))
		}
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, func() { r.step(b.expr(e.Elem)) })})
}

// points lists the points of a space that is written out.
func (b *body) points(s hast.Space) ([][]int64, bool) { return block.Points(s, b.unroll) }

// trips is the number of points of a space, or a large number where it is not constant.
func trips(s hast.Space) int64 {
	if s.Points != nil {
		return int64(len(s.Points))
	}
	total := int64(1)
	for _, r := range s.Ranges {
		n, ok := block.TripCount(r)
		if !ok || n > math.MaxInt32 {
			return math.MaxInt32
		}
		if total *= n; total > math.MaxInt32 {
			return math.MaxInt32
		}
	}
	return total
}

func (b *body) reducer(e *hast.Reduce, trips int64) reducer {
	switch e.Op {
	case hast.Mean:
		return b.meanReducer(e)
	case hast.Count:
		return b.countReducer(e, trips)
	case hast.ArgMin, hast.ArgMax:
		return b.argReducer(&argBest{e: e})
	case hast.Fold:
		call := func(acc, elem kir.Expr) kir.Expr {
			return &kir.Call{Typed: kir.Typed{T: e.T}, Func: b.funcs[e.Func], Args: []kir.Expr{acc, elem}}
		}
		return b.accumulate(&accumulation{of: e, name: "acc", start: func() kir.Expr { return b.expr(e.Init) }, apply: call})
	}
	return b.folder(e, nil, trips, interval.All)
}

// folder folds by an operator, on from a result so far if that is not nil, in which case all elements of the reduction lie in all.
func (b *body) folder(e *hast.Reduce, before kir.Expr, trips int64, all interval.Interval) reducer {
	apply := func(acc, elem kir.Expr) kir.Expr { return b.op(e.T, foldOps[e.Op], acc, elem) }
	f := &accumulation{of: e, name: e.Op.String(), start: func() kir.Expr { return b.identity(e.Op, e.T) }, apply: apply, trips: trips}
	if before != nil {
		f.start, f.resumed, f.within = func() kir.Expr { return before }, true, all
	}
	return b.accumulate(f)
}

// foldOps are the operators that put together what reductions reduce.
var foldOps = map[hast.ReduceOp]ops.Op{
	hast.Sum: ops.Add, hast.Product: ops.Mul, hast.Min: ops.Min, hast.Max: ops.Max, hast.Any: ops.LOr, hast.All: ops.LAnd,
}

// identity is the result over nothing.
func (b *body) identity(op hast.ReduceOp, t types.Type) kir.Expr {
	return constant(t, slices.Repeat([]types.Word{op.Identity(t.Kind)}, t.Words()), "")
}

// An accumulation puts elements into one variable. The running sum of an integer reduction has a known range: that of trips terms
// so far, as long as each stays in the range of all, so that sums of pixels times coefficients are plain additions. Folding
// into the identity matters to floats (-0, NaN), but the first integer term stands for itself, and outside of strict mode a
// float sum starts with its first term too.
type accumulation struct {
	*body
	of      *hast.Reduce
	name    string
	start   func() kir.Expr // what the variable begins with
	apply   func(acc, elem kir.Expr) kir.Expr
	trips   int64             // how many terms there are, at most
	resumed bool              // it begins with the result over terms before
	within  interval.Interval // what these and those that are to come lie in, where it is resumed

	acc     *kir.Var
	terms   interval.Interval // what those so far lie in
	written int               // places at which a term is put in
	looped  bool              // one of these is in a loop, or terms came before
}

// accumulate is how an accumulation is carried out.
func (b *body) accumulate(f *accumulation) reducer {
	f.body, f.looped = b, f.resumed
	return reducer{begin: f.begin, step: f.step, skip: f.skip, end: f.end}
}

func (f *accumulation) begin() {
	init := f.start()
	f.acc = f.declare(f.name, f.of.T, true, init)
	f.bounds[f.acc] = rangeOf(init, f.bounds)
}

func (f *accumulation) step(elem kir.Expr) {
	f.looped = f.looped || f.home[f.acc] != f.scope
	term := rangeOf(elem, f.bounds)
	if f.written++; f.written == 1 && f.beginsWithTerm() && !f.looped && f.of.Where == nil {
		if d := f.lastDecl(f.acc); d != nil {
			d.Init, f.terms = elem, term
			f.bounds[f.acc] = term
			return
		}
	}
	switch {
	case f.resumed:
		f.terms = f.within
	case f.written == 1:
		f.terms = term
	default:
		f.terms = f.terms.Join(term)
	}
	if f.looped {
		f.bounds[f.acc] = sumOf(f.of, f.terms, f.trips-1)
	}
	value := f.apply(ref(f.acc), elem)
	f.emit(&kir.Assign{Placed: f.placed(), Var: f.acc, Value: value})
	if !f.looped {
		f.bounds[f.acc] = rangeOf(value, f.bounds)
	}
}

// beginsWithTerm reports whether the first term may stand for itself.
func (f *accumulation) beginsWithTerm() bool {
	return f.of.Op != hast.Fold && (f.of.T.Kind.IsInt() || f.of.Op == hast.Sum && f.opts.Mode != kir.Strict)
}

func (f *accumulation) skip(n int64) {
	if f.of.Op == hast.Sum && f.of.T.Kind.IsInt() {
		f.bounds[f.acc] = f.bounds[f.acc].Plus(f.terms.Times(interval.Point(n))).Wrap(f.of.T.Kind)
	}
}

func (f *accumulation) end() kir.Expr {
	if f.looped {
		f.bounds[f.acc] = sumOf(f.of, f.terms, f.trips)
	}
	return ref(f.acc)
}

// sumOf bounds a sum of at most so many terms, as it is computed: what may wrap around is any value of its kind.
func sumOf(e *hast.Reduce, term interval.Interval, most int64) interval.Interval {
	if e.Op != hast.Sum {
		return interval.All
	}
	total, ok := interval.Of(ops.Mul, term, interval.Between(0, max(0, most)))
	if !ok {
		return interval.All
	}
	return total.Join(interval.Point(0)).Wrap(e.T.Kind)
}

// lastDecl moves the declaration of v to the end of its scope, where the first term is known.
func (b *body) lastDecl(v *kir.Var) *kir.Decl {
	s := b.home[v]
	for i, st := range s.stmts {
		if d, ok := st.(*kir.Decl); ok && d.Var == v {
			s.stmts = append(append(s.stmts[:i:i], s.stmts[i+1:]...), d)
			return d
		}
	}
	return nil
}

// adder adds elements up from zero on.
func (b *body) adder(sum *hast.Reduce, name string, trips int64) reducer {
	start := func() kir.Expr { return zero(sum.T) }
	apply := func(acc, elem kir.Expr) kir.Expr { return b.op(sum.T, ops.Add, acc, elem) }
	return b.accumulate(&accumulation{of: sum, name: name, start: start, apply: apply, trips: trips})
}

func (b *body) meanReducer(e *hast.Reduce) reducer {
	of := e.T.WithKind(hast.SumKind(e.Elem.Type().Kind))
	sum := b.adder(&hast.Reduce{Typed: hast.Typed{T: of, At: e.At}, Op: hast.Sum, Space: e.Space, Where: e.Where}, "total", trips(e.Space))
	var n *kir.Var
	fixed := int64(-1)
	if _, ok := b.constTrips(e.Space); ok && e.Where == nil {
		fixed = trips(e.Space)
	}
	return reducer{
		begin: func() {
			sum.begin()
			if fixed < 0 {
				n = b.declare("n", i32T, true, i32(0))
				b.bounds[n] = interval.Between(0, math.MaxInt32-1)
			}
		},
		step: func(elem kir.Expr) {
			sum.step(b.convert(of, elem, kir.Wrap))
			if fixed < 0 {
				b.emit(&kir.Assign{Placed: b.placed(), Var: n, Value: b.op(i32T, ops.Add, ref(n), i32(1))})
			}
		},
		end: func() kir.Expr {
			total := b.convert(e.T, sum.end(), kir.Wrap)
			scalar := e.T.WithLanes(1)
			if fixed == 0 {
				return zero(e.T)
			}
			if fixed > 0 {
				return b.op(e.T, ops.Div, total, b.splat(e.T, convert(i32(fixed), scalar.Kind)))
			}
			count := b.splat(e.T, b.convert(scalar, ref(n), kir.Wrap))
			some := b.op(boolType, ops.Gt, ref(n), i32(0))
			return b.once("mean", &kir.Select{Typed: kir.Typed{T: e.T}, Cond: some, Then: b.op(e.T, ops.Div, total, count), Else: zero(e.T)})
		},
	}
}

// constTrips reports whether the number of points is known.
func (b *body) constTrips(s hast.Space) (int64, bool) {
	if s.Points == nil {
		for _, r := range s.Ranges {
			if _, ok := block.TripCount(r); !ok {
				return 0, false
			}
		}
	}
	return trips(s), true
}

func (b *body) countReducer(e *hast.Reduce, trips int64) reducer {
	sum := &hast.Reduce{Typed: hast.Typed{T: e.T}, Op: hast.Sum, Space: e.Space, Where: e.Where}
	r := b.adder(sum, "count", trips)
	step := r.step
	r.step = func(elem kir.Expr) {
		if e.T.IsScalar() {
			step(&kir.Select{Typed: kir.Typed{T: e.T}, Cond: elem, Then: i32(1), Else: i32(0)})
		} else {
			step(&kir.Convert{Typed: kir.Typed{T: e.T}, X: elem, Exact: true}) // component by component
		}
	}
	return r
}

// An argBest is the best value so far, and where it was seen.
type argBest struct {
	e           *hast.Reduce
	best, found *kir.Var
	where       []*kir.Var // by variable
	anyOrder    bool       // points do not come in the order of the space
}

func (a *argBest) better() ops.Op {
	if a.e.Op == hast.ArgMax {
		return ops.Gt
	}
	return ops.Lt
}

// place is where the best value is.
func (a *argBest) place() []kir.Expr {
	out := make([]kir.Expr, len(a.where))
	for i, v := range a.where {
		out[i] = ref(v)
	}
	return out
}

// here is the point of a space that is at hand.
func (b *body) here(s hast.Space) []kir.Expr {
	out := make([]kir.Expr, len(s.Vars))
	for i, v := range s.Vars {
		out[i] = b.vars[v]
	}
	return out
}

// argReducer keeps the best value and where it was seen. A value replaces the best if there is none yet or if it is better.
func (b *body) argReducer(a *argBest) reducer {
	e, t := a.e, a.e.Elem.Type()
	a.where = make([]*kir.Var, len(e.Space.Vars))
	return reducer{
		begin: func() {
			a.best = b.declare("best", t, true, zero(t))
			a.found = b.declare("found", boolType, true, zero(boolType))
			for i, v := range e.Space.Vars {
				a.where[i] = b.declare("best_"+v.Name, i32T, true, i32(0))
			}
		},
		step: func(elem kir.Expr) {
			elem = b.once("e", elem)
			var tie kir.Expr
			if a.anyOrder {
				tie = b.and(b.op(boolType, ops.Eq, elem, ref(a.best)), b.earlier(e.Space, b.here(e.Space), a.place()))
			}
			var where []kir.Stmt
			for i, v := range e.Space.Vars {
				where = append(where, &kir.Assign{Placed: b.placed(), Var: a.where[i], Value: b.vars[v]})
			}
			b.takeBest(a, elem, tie, where)
		},
		end: func() kir.Expr {
			if len(a.where) == 1 {
				return ref(a.where[0])
			}
			parts := make([]kir.Expr, len(a.where))
			for i := range a.where { // the fastest axis is lane 0
				parts[i] = ref(a.where[len(a.where)-1-i])
			}
			return &kir.Vec{Typed: kir.Typed{T: e.T}, Parts: parts}
		},
	}
}

// takeBest takes a value if there is none yet, if it is better or on another condition, nil for none, and what else is to be done then.
func (b *body) takeBest(a *argBest, elem, or kir.Expr, then []kir.Stmt) {
	elem = b.once("e", elem)
	cond := b.op(boolType, a.better(), elem, ref(a.best))
	if or != nil {
		cond = b.or(cond, or)
	}
	cond = b.op(boolType, ops.LOr, b.op(boolType, ops.Not, ref(a.found)), cond)
	if elem.Type().Kind.IsFloat() { // NaN has no place
		cond = b.and(b.op(boolType, ops.Not, b.op(boolType, ops.IsNan, elem)), cond)
	}
	set := func(v *kir.Var, e kir.Expr) kir.Stmt { return &kir.Assign{Placed: b.placed(), Var: v, Value: e} }
	best := []kir.Stmt{set(a.best, elem), set(a.found, intConst(types.Bool, 1))}
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: append(best, then...)})
}

// median collects the values and selects the lower median, NaN last: after k exchanges of the least remaining value to the
// front, position k is in its place.
func (b *body) median(e *hast.Reduce) kir.Expr {
	if e.Op != hast.Median {
		return nil
	}
	if n, known := b.constTrips(e.Space); !known || n > maxKept || e.Where != nil {
		return b.medianByBits(e)
	}
	points, unrolled := b.points(e.Space)
	n := int(trips(e.Space))
	if n == 0 {
		return zero(e.T)
	}
	values := b.declare("values", e.T.Array(n), true, nil)
	store := func(i kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: values, Index: []kir.Expr{i}, Value: b.expr(e.Elem)})
	}
	if unrolled {
		for i, p := range points {
			for k, v := range e.Space.Vars {
				b.vars[v] = i32(p[k])
			}
			store(i32(int64(i)))
		}
	} else {
		next := b.declare("next", i32T, true, i32(0))
		b.loop(e.Space, func() {
			store(ref(next))
			b.bounds[next] = interval.Between(0, int64(n))
			b.emit(&kir.Assign{Placed: b.placed(), Var: next, Value: b.op(i32T, ops.Add, ref(next), i32(1))})
		})
	}
	if n <= maxNetwork {
		f := b.medianFunc(e.T, n)
		return b.once("median", &kir.Call{Typed: kir.Typed{T: e.T}, Func: f, Args: []kir.Expr{ref(values)}})
	}
	b.selectLeast(values, n, (n-1)/2)
	return b.elemOf(values, []kir.Expr{i32(int64((n - 1) / 2))})
}

// selectLeast brings the least rank+1 values of an array to its front, in order.
func (b *body) selectLeast(values *kir.Var, n, rank int) {
	t := values.Type.Elem()
	k := b.loopVar("k", interval.Between(0, int64(rank)))
	j := b.loopVar("j", interval.Between(1, int64(n)-1))
	inner := b.inside(false, func() {
		x := ref(b.declare("p", t, false, b.elemOf(values, []kir.Expr{ref(k)})))
		y := ref(b.declare("q", t, false, b.elemOf(values, []kir.Expr{ref(j)})))
		exchange := b.exchanged(t, x, y)
		set := func(i kir.Expr, first bool) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: values, Index: []kir.Expr{i}, Value: exchange(first)})
		}
		set(ref(k), true)
		set(ref(j), false)
	})
	outer := b.inside(false, func() {
		from := b.op(i32T, ops.Add, ref(k), i32(1))
		b.emit(&kir.For{Placed: b.placed(), Var: j, Lo: from, Hi: i32(int64(n)), Step: 1, Body: inner})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: k, Lo: i32(0), Hi: i32(int64(rank) + 1), Step: 1, Body: outer})
}

// exchanged returns the lesser (true) or the greater of x and y by lanes, where NaN is greater than every number.
func (b *body) exchanged(t types.Type, x, y kir.Expr) func(least bool) kir.Expr {
	if !t.Kind.IsFloat() {
		return func(least bool) kir.Expr {
			if least {
				return b.op(t, ops.Min, x, y)
			}
			return b.op(t, ops.Max, x, y)
		}
	}
	return func(least bool) kir.Expr {
		return b.lanewise(t, int(t.Lanes), []kir.Expr{x, y}, func(t types.Type, p []kir.Expr) kir.Expr {
			swap := b.op(boolType, ops.LOr, b.op(boolType, ops.Lt, p[1], p[0]), b.and(b.op(boolType, ops.IsNan, p[0]), b.op(boolType, ops.Not, b.op(boolType, ops.IsNan, p[1]))))
			if least {
				return &kir.Select{Typed: kir.Typed{T: t}, Cond: swap, Then: p[1], Else: p[0]}
			}
			return &kir.Select{Typed: kir.Typed{T: t}, Cond: swap, Then: p[0], Else: p[1]}
		})
	}
}
