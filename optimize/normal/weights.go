package normal

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// What is multiplied by pixels and depends on nothing but constants and the variables of sums and loops whose ranges are constant is an entry of a constant array, as if the program had
// declared a mask of it:
//
//	sum(exp(-(j*j + i*i) / 4.5) * src[y+j][x+i] for j in -3:4, i in -3:4)
//
// So later phases know weights in one form: they separate them into rows and columns, leave out those that are 0, and compute none for each pixel. Entries are what the instances would have
// computed, to the bit; where a device's functions round otherwise than the reference, they are nearer to it.

// A weigher makes such arrays.
type weigher struct {
	whole   wholer               // of the pipeline at hand
	ranges  map[*hast.Var]extent // of variables of sums and loops, and of lets that are phases of instances
	lets    *hast.Lets           // what is computed with constants and such variables
	reduced map[*hast.Reduce]hast.Expr
	arrays  map[string]*hast.Const // by what they hold
	left    int                    // so many entries may still be made: devices have little memory for constants
	before  *before                // what is computed before the stage at hand; nil where nothing may be
	uniform *hast.Lets             // lets of the stage at hand that are computed with values of the host, too
	window  bool                   // whether the sum at hand has two variables, as those over windows that may be separated
}

// An extent is what a variable of a sum or loop reaches, both ends included, and how many were met before it: those around it, and others.
type extent struct {
	lo, hi int64
	number int
}

// few bounds the entries of arrays of what is as cheap to compute as to look up: those of windows.
const few = 1 << 10

// newWeigher is that of a program.
func newWeigher() *weigher {
	return &weigher{ranges: map[*hast.Var]extent{}, lets: &hast.Lets{}, reduced: map[*hast.Reduce]hast.Expr{}, arrays: map[string]*hast.Const{}, left: most}
}

// stmts is a list of statements whose weights are entries of arrays.
func (w *weigher) stmts(list []hast.Stmt) []hast.Stmt {
	out := make([]hast.Stmt, len(list))
	for i, s := range list {
		out[i] = w.stmt(s)
	}
	return out
}

// stmt is one of them.
func (w *weigher) stmt(s hast.Stmt) hast.Stmt {
	switch s := s.(type) {
	case *hast.Define:
		x := *s
		if x.Init != nil {
			x.Init = w.defined(s)
		}
		return &x
	case *hast.Set:
		x := *s
		x.Value = w.value(s.Value)
		return &x
	case *hast.Store:
		x := *s
		x.Value = w.value(s.Value)
		return &x
	case *hast.If:
		return &hast.If{Cond: w.expr(s.Cond), Then: w.stmts(s.Then), Else: w.stmts(s.Else), At: s.At}
	case *hast.For:
		w.bind(s.Space)
	}
	return hast.MapBodies(s, w.stmts)
}

// defined is what a definition gives its variable.
func (w *weigher) defined(s *hast.Define) hast.Expr {
	w.know(s.Var, s.Init)
	return w.value(s.Init)
}

// know notes what a let stands for, in a body or on the host, if that is computed with constants and variables whose range is known.
func (w *weigher) know(v *hast.Var, init hast.Expr) {
	if n, ok := phases(init); ok && v.Class == hast.Value {
		w.ranges[v] = extent{0, n - 1, len(w.ranges)}
		return
	}
	if (v.Class == hast.Value || v.Class == hast.HostValue) && w.closed(init) {
		w.lets.Define(v, init)
	} else if v.Class == hast.Value && w.uniform != nil && w.sameForAll(init) {
		w.uniform.Define(v, w.expanded(init))
	}
}

// phases is how many values the rest of a variable of a stage by a number has.
func phases(e hast.Expr) (n int64, ok bool) {
	x, isOp := e.(*hast.Op)
	if !isOp || x.Op != ops.Mod || x.T != types.Scalar(types.I32) {
		return 0, false
	}
	v, isRef := x.Args[0].(*hast.Ref)
	n, known := hast.Number(x.Args[1])
	return n, isRef && v.Var.Class == hast.Iterator && known && n > 0 && n <= most
}

// value is what a statement computes. Integers may become coordinates, whose form tells where pixels are, and stay but for the sums in them.
func (w *weigher) value(e hast.Expr) hast.Expr {
	if e.Type().Kind.IsInt() {
		return w.expr(e)
	}
	return w.factors(e, false)
}

// expr is an expression whose sums have entries of arrays for weights.
func (w *weigher) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Reduce:
			return w.reduce(e)
		case *hast.Load, *hast.Window:
			return e // coordinates stay as they are
		}
		return nil
	})
}

// reduce is a sum, or another reduction, that stands in several places of a statement as one node, and does so then.
func (w *weigher) reduce(r *hast.Reduce) hast.Expr {
	if w.reduced[r] == nil {
		w.reduced[r] = w.reduceOnce(r)
	}
	return w.reduced[r]
}

// reduceOnce is what becomes of one reduction.
func (w *weigher) reduceOnce(r *hast.Reduce) hast.Expr {
	if c := w.entry(r, false); c != nil {
		return c
	}
	w.bind(r.Space)
	outer := w.window
	w.window = len(r.Space.Vars) == 2
	elem := w.factors(r.Elem, false)
	w.window = outer
	if elem == r.Elem {
		return r
	}
	x := *r
	x.Elem = elem
	return &x
}

// bind notes what the variables of a space reach, where that is known.
func (w *weigher) bind(s hast.Space) {
	for k, reach := range block.Reaches(s, most) {
		if s.Vars[k] != nil && s.Vars[k].Type == types.Scalar(types.I32) {
			w.ranges[s.Vars[k]] = extent{reach[0], reach[1], len(w.ranges)}
		}
	}
}

// factors is a value with entries of arrays for its factors, and for those of its terms. Of a product says whether the value is a factor of one.
func (w *weigher) factors(e hast.Expr, ofProduct bool) hast.Expr {
	if c := w.entry(e, ofProduct); c != nil {
		return c
	}
	switch x := e.(type) {
	case *hast.Op:
		switch x.Op {
		case ops.Mul:
			ofProduct = true
		case ops.Add, ops.Sub, ops.Div:
			ofProduct = false
		case ops.Neg:
		default:
			return w.expr(e)
		}
	case *hast.Convert, *hast.Splat:
	case *hast.Select:
		ofProduct = false
	default:
		return w.expr(e)
	}
	return hast.Map(e, func(x hast.Expr) hast.Expr {
		if x == e {
			return nil
		}
		return w.factors(x, ofProduct)
	})
}

// closed reports whether a value is computed with constants and variables whose range is known.
func (w *weigher) closed(e hast.Expr) bool {
	return evaluate.Closed(e, func(v *hast.Var) bool {
		_, bound := w.ranges[v]
		return bound || w.lets.Of(v) != nil
	})
}

// expanded is a value with what lets stand for.
func (w *weigher) expanded(e hast.Expr) hast.Expr { return w.lets.Expanded(e) }

// entry is the entry of an array that a value is, or a number where it is the same at all times; nil where it stays.
func (w *weigher) entry(e hast.Expr, ofProduct bool) hast.Expr {
	t := e.Type()
	switch {
	case !t.IsScalar() || t.Kind == types.Bool || t.Kind == types.BF16 || types.Promote(t.Kind) != t.Kind || isEntry(e):
		return nil
	case !w.closed(e):
		return w.pixel(e, ofProduct)
	}
	x := w.expanded(e)
	vars, limit := w.named(x), w.limit(x, ofProduct)
	if len(vars) == 0 && limit < most || len(vars) > types.MaxRank {
		return nil
	}
	points := w.box(vars, min(limit, w.left))
	words, ok := evaluate.Over(x, vars, points)
	switch {
	case len(points) == 0 || !ok:
		return nil
	case len(vars) == 0:
		return &hast.Const{Typed: hast.Typed{T: t, At: e.Span()}, Words: words}
	}
	return w.elem(e, vars, words)
}

// isEntry reports whether a value is a constant, or known as a weight already.
func isEntry(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Const:
		return true
	case *hast.Elem:
		_, constant := e.X.(*hast.Const)
		return constant
	}
	return false
}

// limit is how many entries the array of a value may have. What takes no more than to look it up is left, but for weights of windows, which may be separated.
func (w *weigher) limit(e hast.Expr, ofProduct bool) int {
	limit := 0
	if w.window && ofProduct {
		limit = few
	}
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Ref, *hast.Convert, *hast.Select, *hast.Elem:
		case *hast.Op:
			if !light[e.Op] {
				limit = most
			}
		default:
			limit = most
		}
	})
	return limit
}

// light are the operators that take a device about an instruction.
var light = map[ops.Op]bool{
	ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Neg: true, ops.Abs: true, ops.Min: true, ops.Max: true, ops.Shl: true, ops.Shr: true, ops.And: true, ops.Or: true, ops.Xor: true,
	ops.Eq: true, ops.Ne: true, ops.Lt: true, ops.Le: true, ops.Gt: true, ops.Ge: true, ops.LAnd: true, ops.LOr: true, ops.Not: true,
}

// named are the variables of sums and loops around that a value names, the outer ones first.
func (w *weigher) named(e hast.Expr) (vars []*hast.Var) {
	own := map[*hast.Var]bool{} // of sums in it
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			for _, v := range e.Space.Vars {
				own[v] = true
			}
		case *hast.Ref:
			if !own[e.Var] && !slices.Contains(vars, e.Var) {
				vars = append(vars, e.Var)
			}
		}
	})
	slices.SortFunc(vars, func(u, v *hast.Var) int { return w.ranges[u].number - w.ranges[v].number })
	return vars
}

// box are the points between the least and the greatest values of variables; nil where these are more than some.
func (w *weigher) box(vars []*hast.Var, limit int) [][]int64 {
	s := hast.Space{Vars: vars}
	for _, v := range vars {
		s.Ranges = append(s.Ranges, hast.Range{Lo: hast.Int(w.ranges[v].lo), Hi: hast.Int(w.ranges[v].hi + 1), Step: 1})
	}
	points, _ := block.Points(s, max(limit, 1)) // a number is one point
	return points
}

// elem is the entry of an array of words that variables name in the place of a value.
func (w *weigher) elem(e hast.Expr, vars []*hast.Var, words []types.Word) hast.Expr {
	dims, index := make([]int, len(vars)), make([]hast.Expr, len(vars))
	for k, v := range vars {
		r := w.ranges[v]
		dims[k], index[k] = int(r.hi-r.lo+1), hast.Plus(hast.RefTo(v), -r.lo)
	}
	t := e.Type().Array(dims...)
	key := fmt.Sprint(t, words)
	if w.arrays[key] == nil {
		w.arrays[key] = &hast.Const{Typed: hast.Typed{T: t, At: e.Span()}, Words: words}
		w.left -= len(words)
	}
	return &hast.Elem{Typed: hast.Typed{T: e.Type(), At: e.Span()}, X: w.arrays[key], Index: index, InRange: true}
}
