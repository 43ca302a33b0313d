package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A scan of few lines has few work-items, each of which waits for what it reads in every step, unless the reads of several steps are under way together. Those
// of images that the scan does not write, or has not written yet (see inplace.go), at places that follow from the instance alone, can be made before the steps are computed.

// Ahead is one read, or several of neighbours along an axis, which every step makes.
type Ahead struct {
	Image *hast.Image
	Index []hast.Coord
	Rule  *hast.Rule
	Along int // axis of which pixels from 0 to Count-1 are read; -1 where one is
	Count int
	scope Scope
}

// Steps are what a work-item does one after the other: the instances of a line of a scan, or of a chunk of one.
type Steps struct {
	Var  *hast.Var
	Down bool // its values descend
	Body []hast.Stmt
	Loop *hast.For // of a chunk; nil of a line
}

// StepsOf finds the steps of a stage's work-items; nil of a stage that has none.
func StepsOf(s *hast.Stage) *Steps {
	switch {
	case s.Where != nil || len(s.Fused) > 0 || s.Scan.Meet():
	case s.Scan != nil:
		return &Steps{Var: s.Space.Vars[s.Scan.Axis], Down: s.Scan.Down, Body: s.Body}
	default:
		for _, st := range s.Body {
			if loop, ok := st.(*hast.For); ok && loop.Chunk {
				return &Steps{Var: loop.Space.Vars[0], Down: loop.Space.Ranges[0].Step < 0, Body: loop.Body, Loop: loop}
			}
		}
	}
	return nil
}

// AheadOf lists the reads of the steps of a stage that can be made before these are computed.
func AheadOf(s *hast.Stage) []*Ahead {
	steps := StepsOf(s)
	if steps == nil {
		return nil
	}
	r := &aheadReads{scope: withLets(s.Space.Vars, steps.Body), counters: map[*hast.Var]int{}}
	if steps.Loop != nil {
		r.scope.Iterators = append(slices.Clone(s.Space.Vars), steps.Var)
	}
	r.body(steps.Body)
	written := map[*hast.Image]bool{}
	hast.EachStore(s.Body, func(st *hast.Store) { written[st.Image.Base()] = true })
	return slices.DeleteFunc(r.list, func(a *Ahead) bool { return written[a.Image.Base()] && !a.asItWas(s, steps) })
}

// iterators is a scope that knows iteration variables alone.
func iterators(vars []*hast.Var) Scope {
	return Scope{Iterators: vars, Range: func(*hast.Var) (lo, hi int64, ok bool) { return 0, 0, false }}
}

// withLets is one that knows what the lets of a body stand for, too.
func withLets(vars []*hast.Var, body []hast.Stmt) Scope {
	scope := iterators(vars)
	scope.Lets = map[*hast.Var]hast.Expr{}
	for _, st := range body {
		if d, ok := st.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil {
			scope.Lets[d.Var] = d.Init
		}
	}
	return scope
}

// withoutLets are coordinates in terms of iteration variables alone, as far as they can be taken apart.
func (s *Scope) withoutLets(index []hast.Coord) []hast.Coord {
	out := slices.Clone(index)
	for k, c := range out {
		l, ok := s.Linear(c.X)
		if !ok || l.Div != 0 {
			continue
		}
		typed := hast.Typed{T: types.Scalar(types.I32), At: c.X.Span()}
		number := func(v int64) hast.Expr { return &hast.Const{Typed: typed, Words: []types.Word{types.Int(v)}} }
		op := func(o ops.Op, x, y hast.Expr) hast.Expr {
			return &hast.Op{Typed: typed, Op: o, Args: []hast.Expr{x, y}}
		}
		switch {
		case l.Var == nil:
			out[k].X = number(l.Lo)
			continue
		case l.Stride == 1:
			out[k].X = &hast.Ref{Typed: typed, Var: l.Var}
		default:
			out[k].X = op(ops.Mul, &hast.Ref{Typed: typed, Var: l.Var}, number(l.Stride))
		}
		if l.Lo != 0 {
			out[k].X = op(ops.Add, out[k].X, number(l.Lo))
		}
	}
	return out
}

type aheadReads struct {
	scope    Scope
	counters map[*hast.Var]int // of loops that always run from 0 on, and how far
	list     []*Ahead
}

// body looks at what every instance comes to.
func (r *aheadReads) body(list []hast.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *hast.Define:
			r.expr(st.Init)
		case *hast.Set:
			r.expr(st.Value)
		case *hast.Store:
			r.expr(st.Value)
		case *hast.For:
			if v, n := counted(st); v != nil && !slices.ContainsFunc(st.Body, leaves) {
				r.counters[v] = n
				r.body(st.Body)
			}
		}
		if leaves(st) {
			return
		}
	}
}

// expr looks at what is always computed of an expression.
func (r *aheadReads) expr(e hast.Expr) {
	each := func(list ...hast.Expr) {
		for _, x := range list {
			r.expr(x)
		}
	}
	switch e := e.(type) {
	case *hast.Op:
		if e.Op.Lazy() {
			each(e.Args[0])
			return
		}
		each(e.Args...)
	case *hast.Convert:
		each(e.X)
	case *hast.Splat:
		each(e.X)
	case *hast.Select:
		each(e.Cond)
	case *hast.Vec:
		each(e.Parts...)
	case *hast.Swizzle:
		each(e.X)
	case *hast.Elem:
		each(e.X)
	case *hast.Call:
		each(e.Args...)
	case *hast.Load:
		r.take(e.Image, e.Index, e.Rule)
	case *hast.Window:
		r.window(e)
	}
}

// window takes a run of pixels along one axis.
func (r *aheadReads) window(w *hast.Window) {
	x := &Ahead{Image: w.Image, Rule: w.Rule, Along: -1, Index: make([]hast.Coord, len(w.Axes))}
	for k, a := range w.Axes {
		x.Index[k] = a.Start
		if !a.Colon {
			continue
		}
		start, known := hast.Number(a.Start.X)
		if x.Along >= 0 || !known || a.Stride != 1 || start != 0 {
			return
		}
		x.Along, x.Count = k, a.Count
	}
	if x.Along >= 0 {
		r.add(x)
	}
}

// take takes a pixel, or those that a loop reads.
func (r *aheadReads) take(m *hast.Image, index []hast.Coord, rule *hast.Rule) {
	x := &Ahead{Image: m, Index: index, Rule: rule, Along: -1, Count: 1}
	for k, c := range index {
		if v, ok := c.X.(*hast.Ref); ok && r.counters[v.Var] > 0 {
			if x.Along >= 0 {
				return
			}
			x.Along, x.Count = k, r.counters[v.Var]
		}
	}
	r.add(x)
}

func (r *aheadReads) add(x *Ahead) {
	x.scope = r.scope
	kind := x.Image.Elem.Kind
	if kind == types.F16 || kind == types.BF16 || !r.places(x) {
		return
	}
	x.Index = r.scope.withoutLets(x.Index)
	for _, y := range r.list {
		if y.Along == x.Along && y.Has(x.Image, x.Index, x.Rule) {
			y.Count = max(y.Count, x.Count)
			return
		}
	}
	r.list = append(r.list, x)
}

// places reports whether the iteration variables say where a read is.
func (r *aheadReads) places(x *Ahead) bool {
	for k, c := range x.Index {
		if k == x.Along {
			if c.Below || c.Above {
				return false
			}
			continue
		}
		if l, ok := r.scope.Linear(c.X); !ok || !l.Single() || l.Div != 0 {
			return false
		}
	}
	return true
}

// Has reports whether a read of the stage is at the same place, but for its coordinate along the axis of several.
func (a *Ahead) Has(m *hast.Image, index []hast.Coord, rule *hast.Rule) bool {
	if m != a.Image || rule != a.Rule {
		return false
	}
	for k, c := range index {
		if k == a.Along {
			if c.Below || c.Above {
				return false
			}
			continue
		}
		mine, ok1 := a.scope.Linear(a.Index[k].X)
		theirs, ok2 := a.scope.Linear(c.X)
		if !ok1 || !ok2 || mine != theirs || c.Below != a.Index[k].Below || c.Above != a.Index[k].Above {
			return false
		}
	}
	return true
}

// hasWindow is Has for a run of pixels along the axis of several.
func (a *Ahead) hasWindow(w *hast.Window) bool {
	starts := make([]hast.Coord, len(w.Axes))
	for k, x := range w.Axes {
		if starts[k] = x.Start; x.Colon && k != a.Along {
			return false
		}
	}
	return a.Has(w.Image, starts, w.Rule)
}

// Components are how many components a step reads so.
func Components(list []*Ahead) int {
	n := 0
	for _, a := range list {
		n += a.Count * a.Image.Elem.Words()
	}
	return n
}
