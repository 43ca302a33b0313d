package sema

import (
	"fmt"
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// Control flow of the host: if, for, while and var in a pipeline decide which stages run. What the entry needs to know, the
// extents of images and assumptions, is computed from sizes and scalar parameters, before any of it runs.

// control checks a step that is control flow.
func (e *env) control(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.If:
		e.ifHost(s)
	case *syntax.For:
		e.forHost(s)
	case *syntax.While:
		e.whileHost(s)
	case *syntax.Break:
		e.leaveHostLoop(s, "break", &hast.BreakHost{At: s.At})
	case *syntax.Continue:
		e.leaveHostLoop(s, "continue", &hast.ContinueHost{At: s.At})
	}
}

func (e *env) emit(s hast.Step) { e.pipe.p.Steps = append(e.pipe.p.Steps, s) }

// branch checks a statement that has a scope of its own, and returns its steps.
func (e *env) branch(s syntax.Stmt) []hast.Step {
	inner := e.nested()
	inner.nests = true
	return e.apart(func() { inner.within(s) })
}

// within checks a statement, or those of a block.
func (e *env) within(s syntax.Stmt) {
	list := []syntax.Stmt{s}
	if b, ok := s.(*syntax.Block); ok {
		list = b.Stmts
	}
	for i, sub := range list {
		e.step(sub, nil)
		if i+1 < len(list) && leaves(sub) {
			if _, empty := list[i+1].(*syntax.Empty); !empty {
				e.warnf(diag.Unreachable, list[i+1].Span(), "this statement is never reached").NoteAt(sub.Span(), "the statement before it always leaves")
			}
		}
	}
	e.unused()
}

// under is e where a condition holds, or does not hold, for what the entry checks.
func (e *env) under(cond hast.Expr, holds bool) *env {
	inner := *e
	if cond == nil || !e.knownAtEntry(cond) {
		return &inner
	}
	cond = e.withoutLets(cond)
	if !holds {
		cond = &hast.Op{Typed: typed(types.Scalar(types.Bool), cond.Span()), Op: ops.Not, Args: []hast.Expr{cond}}
	}
	inner.guards = append(e.guards[:len(e.guards):len(e.guards)], cond)
	return &inner
}

func (e *env) ifHost(s *syntax.If) {
	cond := e.hostValue(e.condition(s.Cond, "if"))
	step := &hast.IfHost{Cond: cond, Then: e.under(cond, true).branch(s.Then), At: s.At}
	if s.Else != nil {
		step.Else = e.under(cond, false).branch(s.Else)
	}
	if cond != nil {
		e.emit(step)
	}
}

func (e *env) whileHost(s *syntax.While) {
	inner := e.nested()
	inner.loop, inner.again = true, true
	var cond hast.Expr
	known := len(e.pipe.images)
	before := e.apart(func() { cond = inner.hostValue(inner.condition(s.Cond, "while")) })
	before = e.once(before, e.pipe.images[:known])
	step := &hast.WhileHost{Cond: cond, Body: inner.branch(s.Body), At: s.At}
	if cond == nil {
		return
	}
	if len(before) > 0 { // each round begins with what computes the condition
		step.Cond = &hast.Const{Typed: typed(types.Scalar(types.Bool), s.Cond.Span()), Words: []types.Word{1}}
		leave := &hast.IfHost{Cond: cond, Else: []hast.Step{&hast.BreakHost{At: s.At}}, At: s.At}
		step.Body = append(append(before, leave), step.Body...)
	}
	e.emit(step)
}

// once emits those of the steps before each round of a loop that fetch what does not change in it, a scalar among the images from
// before the loop, and returns the others.
func (e *env) once(steps []hast.Step, before []*imageEnt) []hast.Step {
	return slices.DeleteFunc(steps, func(s hast.Step) bool {
		f, ok := s.(*hast.Fetch)
		if !ok || !e.pipe.scalars[f.From] || !slices.ContainsFunc(before, func(m *imageEnt) bool { return m.img == f.From }) {
			return false
		}
		e.emit(f)
		return true
	})
}

// apart returns the steps that do emits, instead of making them the next ones.
func (e *env) apart(do func()) []hast.Step {
	outer := e.pipe.p.Steps
	e.pipe.p.Steps = nil
	e.pipe.changed(nil) // it may run after any of them, and what follows after any of these
	do()
	e.pipe.changed(nil)
	inner := e.pipe.p.Steps
	e.pipe.p.Steps = outer
	return inner
}

func (e *env) forHost(s *syntax.For) {
	vars := []*syntax.Var{s.Var}
	spans, ok := e.iteration(vars, nil)
	if !ok {
		inner := e.unbound(vars)
		inner.loop, inner.again = true, true
		inner.branch(s.Body)
		return
	}
	if spans[0].domain != nil || spans[0].mask != nil {
		e.forOffsets(s, spans[0])
		return
	}
	inner := e.nested()
	inner.loop, inner.again = true, true
	inner.pixelwise = e.pixelwise || e.pixelByPixel(s)
	space, ok := inner.declareSpans(spans, hast.HostLoop, s.Var.At)
	ok = ok && e.hostSpace(&space)
	body := inner.branch(s.Body)
	if ok {
		e.emit(&hast.ForHost{Var: space.Vars[0], Range: space.Ranges[0], Body: body, At: s.At})
	}
}

// hostSpace makes the bounds of ranges ones that the host knows.
func (e *env) hostSpace(space *hast.Space) bool {
	for i := range space.Ranges {
		r := &space.Ranges[i]
		r.Lo, r.Hi = e.awaited(r.Lo), e.awaited(r.Hi)
		if r.Lo == nil || r.Hi == nil {
			return false
		}
	}
	return true
}

func (e *env) leaveHostLoop(s syntax.Stmt, word string, step hast.Step) {
	if !e.loop {
		e.errorf(diag.Misplaced, s.Span(), "%s stands outside a loop", word)
		return
	}
	e.emit(step)
}

// hostVar is a var of a pipeline.
func (e *env) hostVar(s *syntax.Let) {
	x, t, ok := e.initial(s, "var")
	ent := newVar(s.Name, t, hast.HostMutable)
	ok = ok && e.onePixel(x)
	if ok && (e.device[s.Name.Text] || t.IsVector() || computed(x)) {
		e.deviceVar(ent, s.At)
		e.setDevice(ent.img, x, s.At)
		e.declare(s.Name, ent)
		return
	}
	e.declare(s.Name, ent)
	if !ok {
		ent.v.Type = types.Type{}
		return
	}
	e.emit(&hast.DefineHost{Var: ent.v, Value: e.awaited(x), At: s.At})
}

// setHost assigns to a var of the host.
func (e *env) setHost(ent *varEnt, t target, s *syntax.Assign) {
	if !ent.v.Type.IsValid() || len(t.subs) > 0 {
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		if ent.v.Type.IsValid() {
			e.errorf(diag.BadSubscript, t.at, "%s is a scalar and has no elements", ent.v.Name)
		}
		return
	}
	current := operand{typ: ent.v.Type, at: t.at, x: ref(ent.v, t.name.At)}
	if ent.img != nil {
		current.x = loadVar(ent, t.name.At)
		if x := e.expr(e.assign(e.updated(current, s), ent.v.Type, ent.v.Name)); x != nil {
			e.setDevice(ent.img, x, s.At)
		}
		return
	}
	x := e.hostValue(e.assign(e.updated(current, s), ent.v.Type, ent.v.Name))
	if x != nil {
		e.emit(&hast.SetHost{Var: ent.v, Value: x, At: s.At})
	}
}

// swap checks swap(a, b), which exchanges the contents of two images.
func (e *env) swap(s *syntax.CallStmt) {
	if len(s.Args) != 2 {
		for _, a := range s.Args {
			e.discard(a)
		}
		e.errorf(diag.Misplaced, s.At, "swap takes two images, not %s", plural(len(s.Args), "argument"))
		return
	}
	if p, q := e.barePyramid(s.Args[0]), e.barePyramid(s.Args[1]); p != nil && q != nil {
		e.swapPyramids(p, q, s.At)
		return
	}
	a, b := e.swapped(s.Args[0]), e.swapped(s.Args[1])
	if a == nil || b == nil || !a.img.Elem.IsValid() || !b.img.Elem.IsValid() {
		return
	}
	d := func(format string, args ...any) *diag.Diagnostic {
		return e.errorf(diag.CopyMismatch, s.At, format, args...)
	}
	switch {
	case a.img == b.img:
		d("%s is swapped with itself", a.img.Name)
	case a.img.Elem != b.img.Elem:
		d("%s has pixels of %s, %s of %s", a.img.Name, a.img.Elem, b.img.Name, b.img.Elem).
			Note("swap exchanges what two images of one type hold")
	case a.img.Rank() != b.img.Rank():
		d("%s has %s, %s has %d", a.img.Name, plural(a.img.Rank(), "axis", "axes"), b.img.Name, b.img.Rank())
	case !slices.Equal(a.img.Lower, b.img.Lower):
		d("%s and %s do not start at the same indices", a.img.Name, b.img.Name).Note("declare both with the same index ranges")
	case lineAxis(a.img) != lineAxis(b.img):
		d("the last extent of one of %s and %s is a number, that of the other is not", a.img.Name, b.img.Name).
			Note("declare both with the same extents")
	case e.sameExtent(a.img, b.img, s.At):
		e.emit(&hast.Swap{A: a.img, B: b.img, At: s.At})
		e.pipe.changed(a.img)
		e.pipe.changed(b.img)
	}
}

// lineAxis tells images apart that lie differently in memory: a short constant last extent is a part of the pixel.
func lineAxis(m *hast.Image) int {
	n, ok := constInt(m.Extent[m.Rank()-1])
	if ok && m.Rank() >= 3 && n <= 4 {
		return m.Rank() - 3
	}
	return m.Rank() - 2
}

// swapped is an argument of swap; nil after an error. It counts as read and written.
func (e *env) swapped(x syntax.Expr) *imageEnt {
	m := e.bareImage(x)
	if m != nil && m.img.View != nil {
		e.errorf(diag.CopyMismatch, x.Span(), "%s is a view, and swap exchanges storage, which a view has none of", m.img.Name).
			NoteAt(m.at, "%s is declared here", m.img.Name)
		return nil
	}
	if m == nil {
		if o := e.operand(x); o.valid() {
			e.errorf(diag.WrongUse, x.Span(), "swap takes images, this is %s", o.typ)
		}
		return nil
	}
	m.read, m.written = true, true
	if !e.writable(m, target{at: x.Span()}) {
		return nil
	}
	return m
}

// knownAtEntry reports whether a host expression can be computed before the first step: from sizes, scalar parameters, and
// lets of these; for each level, where it speaks of levels.
func (e *env) knownAtEntry(x hast.Expr) bool { return e.changing(x) == nil }

// changing is a variable in a host expression that has no value before the first step; nil without one.
func (e *env) changing(x hast.Expr) *hast.Var {
	var parts []hast.Expr
	switch x := x.(type) {
	case *hast.Ref:
		_, let := e.pipe.lets[x.Var]
		if let || x.Var.Class == hast.SizeVar || x.Var.Class == hast.ScalarIn || x.Var.Class == hast.HostLevel {
			return nil
		}
		return x.Var
	case *hast.Op:
		parts = x.Args
	case *hast.Convert:
		parts = []hast.Expr{x.X}
	case *hast.Splat:
		parts = []hast.Expr{x.X}
	case *hast.Select:
		parts = []hast.Expr{x.Cond, x.Then, x.Else}
	case *hast.Vec:
		parts = x.Parts
	case *hast.Swizzle:
		parts = []hast.Expr{x.X}
	}
	for _, p := range parts {
		if v := e.changing(p); v != nil {
			return v
		}
	}
	return nil
}

// entryCheck adds a condition that the entry tests, where the conditions around this place hold.
func (e *env) entryCheck(cond hast.Expr, at source.Span, format string, args ...any) {
	for _, g := range e.guards {
		t := typed(types.Scalar(types.Bool), at)
		cond = &hast.Op{Typed: t, Op: ops.LOr, Args: []hast.Expr{&hast.Op{Typed: t, Op: ops.Not, Args: []hast.Expr{g}}, cond}}
	}
	check := &hast.Check{Cond: cond, Over: e.levelsIn(cond), Message: fmt.Sprintf(format, args...), At: at}
	e.pipe.p.Checks = append(e.pipe.p.Checks, check)
}

// atEntry reports an extent or assumption that is not known at entry; it returns the expression in terms of sizes and scalar
// parameters, nil after an error.
func (e *env) atEntry(x hast.Expr, what string) hast.Expr {
	if computed(x) {
		e.errorf(diag.BadExtent, x.Span(), "%s is known when the pipeline is called, and this is computed on the device", what).
			Note("sizes, scalar parameters and lets that are computed from them are known")
		return nil
	}
	x = e.awaited(x) // calls of funcs written out
	if v := e.changing(x); v != nil {
		e.errorf(diag.BadExtent, x.Span(), "%s is known when the pipeline is called, %s is not: it is %s", what, v.Name, classNouns[v.Class]).
			NoteAt(v.At, "%s is declared here", v.Name).
			Note("sizes, scalar parameters and lets that are computed from them are known")
		return nil
	}
	return e.withoutLets(x)
}
