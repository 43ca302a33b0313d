package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// localImage declares an image of a pipeline, with a comprehension, a copy or a fill for its value.
func (e *env) localImage(s *syntax.Image, label *syntax.Name) {
	if s.Type == nil {
		return
	}
	m := e.newImage(s.Name, s.Type, hast.Local)
	e.ownRule(m, s.Border)
	if e.nests {
		e.emit(&hast.Fresh{Image: m.img, At: s.At})
	}
	if s.Value != nil {
		e.imageValue(whole{m: m, at: s.At}, s.Value, s.Clauses, label)
	}
	e.declare(s.Name, m)
}

// imageAssign is an assignment to an image in a pipeline.
func (e *env) imageAssign(m *imageEnt, t target, s *syntax.Assign, label *syntax.Name) {
	whole := len(t.subs) == 0 || m.img.Elem.IsValid() && e.isPart(m, t.subs)
	if !whole {
		e.strayClauses(s.Clauses)
	}
	switch {
	case !e.writable(m, t):
		e.subscriptErrors(t.subs)
		e.discard(s.Value)
	case s.Op != "=" && !e.holdsSomething(m, s.Target):
		e.discard(s.Value)
	case m.img.Elem.IsValid() && e.isPart(m, t.subs):
		if plane := e.plane(m, t.subs, t.at); plane != nil {
			e.assignImage(plane, s, s.Clauses, label)
			return
		}
		e.discard(s.Value)
	case len(t.subs) > 0:
		e.writePixel(m, t, s, label)
	default:
		e.assignImage(m, s, s.Clauses, label)
	}
}

// strayClauses reports clauses behind a value that is no comprehension of an image.
func (e *env) strayClauses(clauses []*syntax.Clause) {
	if len(clauses) > 0 {
		e.errorf(diag.BadIteration, clauses[0].At, "clauses belong to a comprehension").
			Note("write [e for y, x] before them; a rule for an image itself stands in its declaration, and the clauses of an iterate before its body")
	}
}

// assignImage is an assignment to all pixels of an image, which for a += e reads each of them first.
func (e *env) assignImage(m *imageEnt, s *syntax.Assign, clauses []*syntax.Clause, label *syntax.Name) {
	w := whole{m: m, at: s.At}
	if s.Op != "=" {
		m.read = true
		w.update = s
	}
	e.imageValue(w, s.Value, clauses, label)
}

// A whole is an image that a statement gives a new value.
type whole struct {
	m      *imageEnt
	update *syntax.Assign // of a += e and the like; nil of an assignment
	at     source.Span
}

// pixel is the new value of the pixel at the variables of a stage.
func (w whole) pixel(e *env, st *stage, o operand) hast.Expr {
	return w.pixelAt(e, indices(st.node.Space.Vars), o)
}

func (w whole) pixelAt(e *env, index []hast.Expr, o operand) hast.Expr {
	if w.update != nil {
		load := &hast.Load{Typed: typed(w.m.img.Elem, w.update.Target.Span()), Image: w.m.img}
		for _, x := range index {
			load.Index = append(load.Index, hast.Coord{X: x, Below: true, Above: true})
		}
		o = e.updatedBy(runtime(load), o, w.update)
	}
	return e.expr(e.assign(o, w.m.img.Elem, w.m.img.Name))
}

// indices are variables as subscripts.
func indices(vars []*hast.Var) []hast.Expr {
	index := make([]hast.Expr, len(vars))
	for i, v := range vars {
		index[i] = ref(v, v.At)
	}
	return index
}

// discard checks a value whose place has been reported.
func (e *env) discard(x syntax.Expr) {
	if l, ok := x.(*syntax.List); ok && l.For != nil {
		return // its variables take their extents from the place
	}
	if m := e.bareImage(x); m != nil {
		m.read = true
		return
	}
	e.operand(x)
}

// imageValue writes a whole image: by a comprehension, from another image, or with one value.
func (e *env) imageValue(w whole, value syntax.Expr, clauses []*syntax.Clause, label *syntax.Name) {
	if l, ok := syntax.Unparen(value).(*syntax.List); ok && l.For != nil {
		e.imageComprehension(w, l, clauses, label)
		return
	}
	e.strayClauses(clauses)
	if src := e.imageOf(value); src != nil {
		e.copyImage(w, src, value, label)
		return
	}
	e.fill(w, value, label)
}

// imageComprehension is image a = [e for y, x] clauses: an iterate that assigns every pixel.
func (e *env) imageComprehension(w whole, l *syntax.List, clauses []*syntax.Clause, label *syntax.Name) {
	m, at := w.m, w.at
	vars := l.For.Vars
	over := m
	if l.For.Over != nil {
		vars = nil
		for _, n := range l.For.Names {
			vars = append(vars, &syntax.Var{Place: n.Place, Name: n})
		}
		over = e.over(l.For.Over, len(vars))
	}
	ok := over != nil && over.img.Elem.IsValid() && m.img.Elem.IsValid()
	if ok && len(vars) != m.img.Rank() {
		e.errorf(diag.BadIteration, l.For.At, "%s has %s, this names %s", m.img.Name, plural(m.img.Rank(), "axis", "axes"), plural(len(vars), "variable")).
			Note("write [e for %s], one variable for each axis", listedVars(m.img.Rank()))
		ok = false
	}
	if len(l.Elems) != 1 {
		e.errorf(diag.BadReduction, l.At, "a list takes one expression before for, not %d", len(l.Elems))
		return
	}
	var spans []*span1
	if ok {
		spans, ok = e.iteration(vars, over)
	}
	st, inner := e.newStage(label, at)
	ok = ok && inner.stageSpace(st, spans, l.For)
	if !ok {
		inner.badVars(vars)
	}
	inner.clauses(st, clauses)
	o := inner.operand(l.Elems[0])
	inner.earlyReads(st)
	e.unusedRules(st)
	m.written = true
	if !ok {
		return
	}
	e.finishStage(st, m, w.pixel(inner, st, o), at)
	e.reducedBefore(st)
}

func listedVars(rank int) string {
	s := ""
	for i, a := range axisNames[len(axisNames)-rank:] {
		if i > 0 {
			s += ", "
		}
		s += a
	}
	return s
}

// finishStage gives a stage the body that stores one value at the point of its variables.
func (e *env) finishStage(st *stage, m *imageEnt, value hast.Expr, at source.Span) {
	if value == nil {
		return
	}
	index := indices(st.node.Space.Vars)
	st.node.Body = []hast.Stmt{&hast.Store{Image: m.img, Index: index, Value: value, At: at}}
	st.writes(m.img)
	e.addStage(st)
}

// wholeSpace runs over every pixel of an image.
func (e *env) wholeSpace(m *imageEnt, at source.Span) hast.Space {
	var space hast.Space
	names := axisNames[len(axisNames)-m.img.Rank():]
	for i, x := range m.img.Extent {
		v := &hast.Var{Name: names[i], Type: types.Scalar(types.I32), Class: hast.Iterator, At: at}
		space.Vars = append(space.Vars, v)
		lo := m.lower(i)
		space.Ranges = append(space.Ranges, hast.Range{Lo: intConst(lo, at), Hi: plusOrSame(x, lo, at), Step: 1})
	}
	return space
}

// fill gives every pixel of an image one value.
func (e *env) fill(w whole, value syntax.Expr, label *syntax.Name) {
	m, at := w.m, w.at
	o := e.operand(value)
	m.written = true
	if !o.valid() || !m.img.Elem.IsValid() {
		return
	}
	st, _ := e.newStage(label, at)
	st.node.Space = e.wholeSpace(m, at)
	e.finishStage(st, m, w.pixel(e, st, o), at)
}

// copyImage is a = b.
func (e *env) copyImage(w whole, src *imageEnt, value syntax.Expr, label *syntax.Name) {
	m, at := w.m, w.at
	if e.resampleInto(w, src, label) {
		return
	}
	src.read = true
	st, inner := e.newStage(label, at)
	readable := inner.readable(src, value)
	m.written = true
	if !readable || !m.img.Elem.IsValid() || !src.img.Elem.IsValid() {
		return
	}
	if m.img == src.img && w.update == nil {
		e.errorf(diag.CopyMismatch, at, "%s is assigned to itself", m.img.Name)
		return
	}
	if m.img.Rank() != src.img.Rank() {
		e.errorf(diag.CopyMismatch, value.Span(), "%s has %s, %s has %d", m.img.Name, plural(m.img.Rank(), "axis", "axes"), src.img.Name, src.img.Rank())
		return
	}
	if !e.sameExtent(m.img, src.img, at) {
		return
	}
	st.node.Space = e.wholeSpace(m, at)
	load := &hast.Load{Typed: typed(src.img.Elem, value.Span()), Image: src.img}
	for i, v := range st.node.Space.Vars {
		x := plusOrSame(ref(v, at), src.lower(i)-m.lower(i), at) // the first pixel goes to the first
		load.Index = append(load.Index, hast.Coord{X: x, Below: true, Above: true})
	}
	o := runtime(load)
	if w.update == nil && (src.img.Elem.Lanes != m.img.Elem.Lanes || !types.Holds(src.img.Elem.Kind, m.img.Elem.Kind)) {
		e.errorf(diag.CopyMismatch, value.Span(), "%s has pixels of %s, %s of %s", m.img.Name, m.img.Elem, src.img.Name, src.img.Elem).
			Note("write %s = [%s(%s) for %s]", m.img.Name, m.img.Elem, src.example(), listedVars(src.img.Rank()))
		return
	}
	e.finishStage(st, m, w.pixel(e, st, o), at)
}

// sameExtent makes sure that two images have equal extents: now, or by a check at entry.
func (e *env) sameExtent(a, b *hast.Image, at source.Span) bool {
	for i := range a.Extent {
		x, y := a.Extent[i], b.Extent[i]
		if hast.Equal(x, y) {
			continue
		}
		cx, okx := constInt(x)
		cy, oky := constInt(y)
		if okx && oky {
			e.errorf(diag.CopyMismatch, at, "%s has the extent %d on axis %d, %s has %d", a.Name, cx, i, b.Name, cy)
			return false
		}
		e.entryCheck(&hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Eq, Args: []hast.Expr{x, y}}, at,
			"%s and %s need equal extents, because %s", a.Name, b.Name, excerpt(at))
	}
	return true
}

// writePixel is a[i] = e in a pipeline: a stage of one instance.
func (e *env) writePixel(m *imageEnt, t target, s *syntax.Assign, label *syntax.Name) {
	st, _ := e.newStage(label, s.At)
	ok := m.img.Elem.IsValid()
	if ok && len(t.subs) != m.img.Rank() {
		e.wrongStore(m, t)
		ok = false
	}
	if ok && isBlock(t.subs) {
		e.writeBlock(m, t, s, label)
		return
	}
	names := axisNames[len(axisNames)-min(len(t.subs), len(axisNames)):]
	var index []hast.Expr
	known := true // to the host
	for i, sub := range t.subs {
		x := e.expr(e.toIndex(e.operand(sub.Start)))
		if x == nil || i >= len(names) {
			ok = false
			continue
		}
		index = append(index, x)
		if known = known && !computed(x); known {
			x = e.awaited(x)
		}
		v := &hast.Var{Name: names[i], Type: types.Scalar(types.I32), Class: hast.Iterator, At: sub.At}
		st.node.Space.Vars = append(st.node.Space.Vars, v)
		st.node.Space.Ranges = append(st.node.Space.Ranges, hast.Range{Lo: x, Hi: plus(x, 1, sub.At), Step: 1})
	}
	value := e.operand(s.Value)
	m.written = true
	w := whole{m: m, at: s.At}
	if s.Op != "=" {
		w.update, m.read = s, true
	}
	switch {
	case !ok || !value.valid():
	case known:
		e.finishStage(st, m, w.pixel(e, st, value), s.At)
	default:
		e.writeSomewhere(st, m, index, w.pixelAt(e, index, value), s.At)
	}
}

// writeSomewhere gives a stage one instance, which writes a pixel whose place the device computes.
func (e *env) writeSomewhere(st *stage, m *imageEnt, index []hast.Expr, value hast.Expr, at source.Span) {
	if value == nil {
		return
	}
	v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: at}
	st.node.Space = hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: intConst(0, at), Hi: intConst(1, at), Step: 1}}}
	st.node.Body = []hast.Stmt{&hast.Store{Image: m.img, Index: index, Value: value, At: at}}
	st.writes(m.img)
	e.addStage(st)
}
