package access

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/source"
)

type (
	// A read is a Load or a Window, which is a Load of count coordinates on each axis.
	read struct {
		image *hast.Image
		axes  []axis
		rule  **hast.Rule // the node's own
		scope *scope
		stage *hast.Stage
		at    source.Span
		block bool // a Window
		// own is set in a border by formula, which has its own name for the image.
		own bool
	}
	// An axis is one subscript of a read: count coordinates, stride apart.
	axis struct {
		coord         *hast.Coord // the node's own
		count, stride int64
	}
	// An elem is an index into an array: of an Elem, or of the target of a Set.
	elem struct {
		index   []hast.Expr
		extents []int
		text    string
		inRange *bool // the Elem's own; nil for a Set
		scope   *scope
		at      source.Span
	}
	// A store is one Store and where it stands.
	store struct {
		*hast.Store
		scope  *scope
		stage  *hast.Stage
		inside []prove.Formula // of a store that skips: what makes it happen
		// sure is set where nothing but the conditions in scope decides whether the store is reached: no loop around it
		// can end early.
		sure bool
	}
	// A bounded is a host expression that must fit i32: an extent, or a bound of a stage.
	bounded struct {
		expr  hast.Expr
		what  string // "tmp", "the range of y"
		at    source.Span
		scope *scope
	}
)

// A walker lists the accesses of a pipeline or func in the order of the text.
type walker struct {
	diags   *diag.List
	reads   []*read
	elems   []*elem
	stores  []*store
	bounds  []*bounded
	funcs   []*hast.Func // called, once each
	known   map[*hast.Func]bool
	stage   *hast.Stage
	region  *region
	touches []touched
	clock   int // counts the stages and swaps
	endless int // loops around that can end early
}

// stageBody lists the accesses of a stage that stands under s.
func (w *walker) stageBody(st *hast.Stage, s *scope) {
	w.stage = st
	defer func() {
		w.stage = nil
		w.clock++
	}()
	for i, v := range st.Space.Vars {
		r := st.Space.Ranges[i]
		for _, e := range []hast.Expr{r.Lo, r.Hi} {
			w.expr(e, s)
			w.bounds = append(w.bounds, &bounded{e, "the range of " + v.Name, spanOr(e.Span(), st.At), s})
		}
	}
	inner := s.instance(&st.Space, storedIn(st.Body, map[*hast.Image]bool{}))
	if st.Where != nil {
		w.expr(st.Where, inner)
		inner = inner.given(st.Where, true)
	}
	w.stmts(st.Body, inner)
}

// stmts walks a list of statements and returns the scope behind them; falls is false if control never gets there.
func (w *walker) stmts(body []hast.Stmt, s *scope) (after *scope, falls bool) {
	falls = true
	for _, st := range body {
		if !falls {
			break // the rest is never reached
		}
		switch st := st.(type) {
		case *hast.Define:
			if st.Init != nil {
				w.expr(st.Init, s)
			}
			s = s.enter(assigned{st.Var, st.Init})
		case *hast.Set:
			s = w.set(st, s)
		case *hast.Store:
			w.exprs(st.Index, s)
			w.expr(st.Value, s)
			w.called(st.Func)
			w.touch(st.Image, w.stage)
			w.stores = append(w.stores, &store{Store: st, scope: s, stage: w.stage, sure: w.endless == 0})
		case *hast.If:
			s, falls = w.branch(st, s)
		case *hast.For:
			s = w.forLoop(st, s)
		case *hast.While:
			s = w.whileLoop(st, s)
		case *hast.Return:
			w.expr(st.Value, s)
			falls = false
		case *hast.Break, *hast.Continue:
			falls = false
		}
	}
	return s, falls
}

// set walks an assignment. Elements of arrays are not followed: the array merely changes.
func (w *walker) set(st *hast.Set, s *scope) *scope {
	w.exprs(st.Index, s)
	w.expr(st.Value, s)
	if len(st.Index) == 0 {
		return s.enter(assigned{st.Var, st.Value})
	}
	w.elems = append(w.elems, &elem{index: st.Index, extents: st.Var.Type.Shape(), text: st.Var.Name, scope: s, at: st.At})
	return s.enter(changed{map[*hast.Var]bool{st.Var: true}})
}

// branch walks both sides of an if. Where one of them leaves, what follows knows which one was taken.
func (w *walker) branch(st *hast.If, s *scope) (after *scope, falls bool) {
	w.expr(st.Cond, s)
	then, thenFalls := w.stmts(st.Then, s.given(st.Cond, true))
	els, elseFalls := w.stmts(st.Else, s.given(st.Cond, false))
	switch vars := assignedIn(st.Else, assignedIn(st.Then, map[*hast.Var]bool{})); {
	case thenFalls && !elseFalls:
		return then, true
	case elseFalls && !thenFalls:
		return els, true
	case thenFalls && len(vars) > 0:
		return s.enter(merged{st.Cond, then, els, vars}), true
	default:
		return s, thenFalls
	}
}

func (w *walker) forLoop(st *hast.For, s *scope) *scope {
	w.space(&st.Space, s)
	inner := s.enter(ranging{&st.Space})
	return w.loop(st.Body, inner, s, nil)
}

func (w *walker) whileLoop(st *hast.While, s *scope) *scope {
	return w.loop(st.Body, s, s, st.Cond)
}

// loop walks the body of a loop under the scope inner, and returns what is known behind the loop, which stands in s.
func (w *walker) loop(body []hast.Stmt, inner, s *scope, cond hast.Expr) *scope {
	broken := hasBreak(body)
	vars := assignedIn(body, map[*hast.Var]bool{})
	if len(vars) > 0 {
		inner = inner.enter(changed{vars})
		s = s.enter(changed{vars})
	}
	if cond != nil {
		w.expr(cond, inner)
		inner = inner.given(cond, true)
		if !broken {
			s = s.enter(condition{cond: cond, sure: true})
		}
	}
	early := broken || cond != nil
	if early {
		w.endless++
	}
	w.stmts(body, inner)
	if early {
		w.endless--
	}
	return s
}

func (w *walker) space(sp *hast.Space, s *scope) {
	for _, r := range sp.Ranges {
		w.expr(r.Lo, s)
		w.expr(r.Hi, s)
	}
}

func (w *walker) exprs(es []hast.Expr, s *scope) {
	for _, e := range es {
		w.expr(e, s)
	}
}

// expr lists the accesses inside an expression.
func (w *walker) expr(e hast.Expr, s *scope) {
	switch e := e.(type) {
	case *hast.Op:
		w.op(e, s)
	case *hast.Select:
		w.expr(e.Cond, s)
		if e.Cond.Type().IsScalar() {
			w.expr(e.Then, s.given(e.Cond, true))
			w.expr(e.Else, s.given(e.Cond, false))
			return
		}
		w.expr(e.Then, s)
		w.expr(e.Else, s)
	case *hast.Elem:
		w.expr(e.X, s)
		w.exprs(e.Index, s)
		w.elems = append(w.elems, &elem{e.Index, e.X.Type().Shape(), text(e.X), &e.InRange, s, e.At})
	case *hast.Load:
		w.load(e, s)
	case *hast.Window:
		w.window(e, s)
	case *hast.Call:
		w.exprs(e.Args, s)
		w.called(e.Func)
	case *hast.Reduce:
		w.reduce(e, s)
	default:
		hast.EachOperand(e, func(x hast.Expr) { w.expr(x, s) })
	}
}

// op walks an operator; the right side of && and || is computed under a condition.
func (w *walker) op(e *hast.Op, s *scope) {
	w.expr(e.Args[0], s)
	rest := s
	if e.Type().IsScalar() {
		switch e.Op {
		case ops.LAnd:
			rest = s.given(e.Args[0], true)
		case ops.LOr:
			rest = s.given(e.Args[0], false)
		}
	}
	w.exprs(e.Args[1:], rest)
}

func (w *walker) load(e *hast.Load, s *scope) {
	r := &read{image: e.Image, rule: &e.Rule, scope: s, stage: w.stage, at: e.At}
	for i := range e.Index {
		w.expr(e.Index[i].X, s)
		r.axes = append(r.axes, axis{&e.Index[i], 1, 1})
	}
	w.touch(e.Image, w.stage)
	w.reads = append(w.reads, r)
}

func (w *walker) window(e *hast.Window, s *scope) {
	r := &read{image: e.Image, rule: &e.Rule, scope: s, stage: w.stage, at: e.At, block: true}
	for i := range e.Axes {
		a := &e.Axes[i]
		w.expr(a.Start.X, s)
		r.axes = append(r.axes, axis{&a.Start, int64(a.Count), int64(a.Stride)})
	}
	w.touch(e.Image, w.stage)
	w.reads = append(w.reads, r)
}

func (w *walker) reduce(e *hast.Reduce, s *scope) {
	w.space(&e.Space, s)
	if e.Init != nil {
		w.expr(e.Init, s)
	}
	if e.Where != nil {
		w.expr(e.Where, s.enter(ranging{&e.Space}))
	}
	w.expr(e.Elem, s.within(e))
	w.called(e.Func)
}

// called notes a func; nil stands for none.
func (w *walker) called(f *hast.Func) {
	if f != nil && !w.known[f] {
		w.known[f] = true
		w.funcs = append(w.funcs, f)
	}
}

// spanOr is s, or t where s names no place.
func spanOr(s, t source.Span) source.Span {
	if s.IsValid() {
		return s
	}
	return t
}
