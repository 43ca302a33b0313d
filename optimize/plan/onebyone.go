package plan

import (
	"imgc/hast"
	"imgc/hast/bounds"
	"imgc/interval"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Where bytes lie in words, lowering computes two instances at a time, in halves of words, what has a form there (lower/quads.go, lower/lanes.go, lower/truths.go). What has none is computed
// for one instance after the other: binary patterns, of eight of each, took 122 us on an H200 for 8192 x 8192 pixels, where 63 were predicted as if these went two at a time.

// A singling finds which values of a stage neighbours compute one by one, and what that takes.
type singling struct {
	block.Combiner
	w      *work
	single map[*hast.Var]bool // values that are
	same   map[*hast.Var]bool // values that are the same for all instances
	within map[*hast.Var]interval.Interval
	seen   map[hast.Expr]bool
	ops    feature.Ops
}

// oneByOne are the operations of a stage in halves of words that are for one instance after the other.
func (w *work) oneByOne(d schedule.Decisions) feature.Ops {
	unroll := max(d.Unroll, defaultUnroll)
	return memo.Of(&w.singles, unroll, func() feature.Ops {
		what := block.Analyze(w.stage.Of, unroll)
		if what.Alone != "" || !makesChoices(w.perComponent().Of.Body) { // no item computes several, or all of it has forms
			return feature.Ops{}
		}
		s := &singling{
			Combiner: block.Combiner{Stage: what, Unroll: unroll, Lets: map[*hast.Var]*block.Combination{}},
			w:        w, single: map[*hast.Var]bool{}, same: map[*hast.Var]bool{}, within: map[*hast.Var]interval.Interval{}, seen: map[hast.Expr]bool{},
		}
		hast.WalkBody(w.perComponent().Of.Body, s.stmt, nil)
		return s.ops
	})
}

func (s *singling) stmt(st hast.Stmt) {
	if d, ok := st.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil {
		s.single[d.Var], s.same[d.Var], s.within[d.Var] = s.isSingle(d.Init), !s.varies(d.Init), s.bounds(d.Init)
		s.Lets[d.Var] = s.Of(d.Init)
		return
	}
	exprs, _ := hast.Parts(st)
	for _, e := range exprs {
		s.isSingle(e)
	}
}

func (s *singling) bounds(e hast.Expr) interval.Interval {
	return bounds.Of(e, func(e hast.Expr) (iv interval.Interval, ok bool) {
		if r, isRef := e.(*hast.Ref); isRef {
			iv, ok = s.within[r.Var]
		}
		return iv, ok
	})
}

// isSingle reports whether neighbours compute a value one by one, and counts what that takes, once.
func (s *singling) isSingle(e hast.Expr) (single bool) {
	if known, ok := s.seen[e]; ok {
		return known
	}
	if s.Of(e) == nil {
		single = s.computes(e)
	}
	s.seen[e] = single
	return single
}

// computes is isSingle of a value that is no sum of bytes.
func (s *singling) computes(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Ref:
		return s.single[e.Var]
	case *hast.Convert:
		if e.X.Type().IsScalar() && (e.X.Type().Kind.IsInt() || e.X.Type().Kind == types.Bool) && e.T.Kind.IsInt() {
			single := s.isSingle(e.X)
			if !single && e.X.Type().Kind == types.Bool {
				s.ops[feature.Logic] += halfOfTruth
			}
			return single
		}
	case *hast.Op:
		if s.compares(e) {
			return false
		}
		if !e.Op.Lazy() && e.T.IsScalar() {
			return s.operator(e)
		}
	case *hast.Select:
		if s.selects(e) {
			s.ops[feature.Logic] += 2 * halfOfTruth
			return false
		}
	case *hast.Reduce:
		if s.folds(e) {
			return s.isSingle(e.Elem)
		}
		if s.countsTruths(e) {
			return false
		}
	}
	s.apart(e)
	return true
}

// halfOfTruth is what an instance has of taking what is true of two out of a word, beside what comparing and choosing take.
const halfOfTruth = 0.5

// compares reports whether a condition is one of halves of words: a comparison of what lies there, or such conditions together.
func (s *singling) compares(e *hast.Op) bool {
	if e.T != types.Scalar(types.Bool) || !s.AtHand(e) {
		return false
	}
	switch {
	case e.Op == ops.Not:
		return !s.isSingle(e.Args[0])
	case e.Op == ops.LAnd, e.Op == ops.LOr:
		return !s.isSingle(e.Args[0]) && !s.isSingle(e.Args[1])
	case !block.ComparesHalves[e.Op] || !e.Args[0].Type().IsScalar() || !e.Args[0].Type().Kind.IsInt():
		return false
	}
	all, some := s.bounds(e.Args[0]).Join(s.bounds(e.Args[1])), false
	for _, a := range e.Args {
		_, number := hast.Number(a)
		some = some || !number && !s.isSingle(a)
	}
	return some && all.Hi-all.Lo <= int64(types.Highest(types.I16).Int())
}

// selects reports whether a choice is one between halves of words.
func (s *singling) selects(e *hast.Select) bool {
	iv := s.bounds(e)
	return e.T.IsScalar() && e.T.Kind.IsInt() && s.AtHand(e) && !s.isSingle(e.Cond) && !s.isSingle(e.Then) && !s.isSingle(e.Else) && iv.Hi-min(iv.Lo, 0) <= types.Highest(types.U16).Int()
}

// countsTruths reports whether a reduction is one of conditions in halves of words, and gives its variables the values of a point then.
func (s *singling) countsTruths(e *hast.Reduce) bool {
	points, known := block.Points(e.Space, s.Unroll)
	if !truths[e.Op] || e.Where != nil || !known || len(points) == 0 || e.Elem.Type() != types.Scalar(types.Bool) {
		return false
	}
	s.Bind(e.Space.Vars, points[0])
	return s.AtHand(e.Elem) && !s.isSingle(e.Elem)
}

// folds reports whether a reduction is folded in halves of words, where they have its elements, and gives its variables the values of a point then.
func (s *singling) folds(e *hast.Reduce) bool {
	points, known := block.Points(e.Space, s.Unroll)
	if e.Op != hast.Min && e.Op != hast.Max && e.Op != hast.Median || e.Where != nil || !known || len(points) == 0 || !e.T.IsScalar() || !e.T.Kind.IsInt() || e.Elem.Type() != e.T {
		return false
	}
	s.Bind(e.Space.Vars, points[0])
	return true
}

// operator is isSingle of an operator of which all operands are computed.
func (s *singling) operator(e *hast.Op) bool {
	inWords := false
	for _, a := range e.Args {
		_, number := hast.Number(a)
		inWords = !s.isSingle(a) && !number || inWords
	}
	if by, ok := hast.Number(e.Args[len(e.Args)-1]); ok && len(e.Args) == 2 {
		from, sum := s.bounds(e.Args[0]), s.Of(e.Args[0])
		n, shifts := block.ShiftOf(e.Op, by)
		switch {
		case from.Lo < 0 || by < 1:
		case shifts && sum != nil && 1 <= n && n <= 8 && from.Hi>>n <= types.Highest(types.U8).Int(): // a byte of a sum that is so much larger
			return false
		case (e.Op == ops.Div || e.Op == ops.FloorDiv) && by > 1 && from.Hi/by <= types.Highest(types.U8).Int(): // a byte of a product
			return true
		}
	}
	if iv := s.bounds(e); inWords && block.InHalves[e.Op] && e.T.Kind.IsInt() && iv.Hi-min(iv.Lo, 0) <= types.Highest(types.U16).Int() {
		return false
	}
	s.add(e)
	return true
}

// apart counts a value all of which is computed for one instance after the other.
func (s *singling) apart(e hast.Expr) {
	if _, done := s.seen[e]; done || s.Of(e) != nil {
		return
	}
	s.seen[e] = true
	if r, ok := e.(*hast.Reduce); ok {
		s.reduction(r)
		return
	}
	s.add(e)
	hast.EachOperand(e, s.apart)
}

// reduction counts one of which each point is taken for one instance after the other. What is computed of one pixel alone is computed once for all that read it.
func (s *singling) reduction(r *hast.Reduce) {
	points, known := block.Points(r.Space, s.Unroll)
	if s.folds(r) || !known {
		return
	}
	times, pixels, before := float64(len(points)), 0, s.ops
	hast.Walk(r.Elem, func(e hast.Expr) {
		if _, ok := e.(*hast.Load); ok {
			pixels++
		}
	})
	if s.apart(r.Elem); pixels > 1 {
		for p := range s.ops {
			s.ops[p] += (times - 1) * (s.ops[p] - before[p])
		}
	}
	if truths[r.Op] {
		s.ops[feature.Logic] += times
	}
}

// add counts what a value takes beyond its operands, if it is compared or chosen: what is added and multiplied for each instance shares instructions, or goes to the pipe of products. What all
// instances have alike is computed once.
func (s *singling) add(e hast.Expr) {
	if !chooses(e) || !s.varies(e) {
		return
	}
	own := feature.OfExpr(e, s.w.fast)
	hast.EachOperand(e, func(x hast.Expr) {
		for p, n := range feature.OfExpr(x, s.w.fast) {
			own[p] -= n
		}
	})
	for p, n := range own {
		s.ops[p] += max(0, n) // operands may have something in common
	}
}

// makesChoices reports whether anything in a body is compared or chosen.
func makesChoices(body []hast.Stmt) (found bool) {
	hast.WalkBody(body, nil, func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		found = found || chooses(e) || ok && truths[r.Op]
	})
	return found
}

// truths are the reductions of what is true.
var truths = map[hast.ReduceOp]bool{hast.Count: true, hast.Any: true, hast.All: true}

// chooses reports whether an expression compares, or makes choices of what has been compared.
func chooses(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Select:
		return true
	case *hast.Op:
		return e.T.Kind == types.Bool
	}
	return false
}

// varies reports whether a value depends on the instance.
func (s *singling) varies(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			found = found || !r.Var.Class.OfHost() && !s.same[r.Var]
		}
	})
	return found
}
