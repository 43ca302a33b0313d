package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// traverse checks traverse (p, q) { ... }.
func (e *env) traverse(s *syntax.Traverse) {
	t := &traversal{up: e.trav, node: &hast.Traverse{At: s.At}}
	bound, ok := e.traversed(s)
	inner := e.nested()
	inner.trav, inner.loop, inner.nests, inner.again = t, false, true, true
	t.node.Levels = &hast.Levels{Level: levelVar("level", s.At), At: s.At}
	if ok {
		t.node.Levels.Count = bound[0].pyr.Own().Count
	}
	elems := make([]types.Type, len(bound))
	for i, p := range bound {
		if elems[i] = p.pyr.Elem; !ok { // nothing that the body says of its levels would make sense
			p.pyr.Elem = types.Type{}
		}
		p.bound = t
		t.node.Names = append(t.node.Names, p.pyr.Name)
		if ok {
			p.countedBy(t.node.Levels)
		}
	}
	t.node.Body = inner.branch(s.Body)
	for i, p := range bound {
		p.bound, p.pyr.Elem = nil, elems[i]
	}
	if ok {
		e.emit(t.node)
	}
}

// traversed resolves the pyramids of a traverse. They have the same number of levels: by the text, or by a check at entry.
func (e *env) traversed(s *syntax.Traverse) (bound []*pyramidEnt, ok bool) {
	ok = true
	for _, name := range s.Names {
		p := e.traversedPyramid(name, bound)
		if p == nil {
			ok = false
			continue
		}
		p.read = true
		bound = append(bound, p)
		ok = ok && p.pyr.Elem.IsValid()
	}
	if !ok {
		return bound, false
	}
	first := bound[0].pyr
	for i, p := range bound[1:] {
		x, y := first.Own().Count, p.pyr.Own().Count
		cx, okx := constInt(x)
		cy, oky := constInt(y)
		switch {
		case hast.Equal(x, y):
		case okx && oky:
			e.errorf(diag.CopyMismatch, s.Names[i+1].At, "%s has %s, %s has %d", first.Name, plural(int(cx), "level"), p.pyr.Name, cy).
				Note("the pyramids of a traverse have the same number of levels")
			return bound, false
		default:
			e.entryCheck(&hast.Op{Typed: typed(types.Scalar(types.Bool), s.At), Op: ops.Eq, Args: []hast.Expr{x, y}}, s.At,
				"%s and %s need the same number of levels, because one traverse goes through both", first.Name, p.pyr.Name)
		}
	}
	return bound, true
}

func (e *env) traversedPyramid(name syntax.Name, earlier []*pyramidEnt) *pyramidEnt {
	ent := e.scope.find(name.Text)
	p, ok := ent.(*pyramidEnt)
	switch {
	case ent == nil:
		e.unknown(name.Text, name.At, func(x entity) bool { _, ok := x.(*pyramidEnt); return ok })
		return nil
	case !ok:
		if _, bad := ent.(*badEnt); !bad {
			e.errorf(diag.WrongUse, name.At, "traverse goes through pyramids, %s is %s", name.Text, ent.noun())
		}
		return nil
	case p.bound != nil:
		e.errorf(diag.WrongUse, name.At, "%s is gone through by the traverse around this one already", name.Text).
			NoteAt(p.bound.node.At, "it begins here")
		return nil
	}
	for _, q := range earlier {
		if p == q {
			e.errorf(diag.WrongUse, name.At, "%s stands twice in this traverse", name.Text)
			return nil
		}
	}
	return p
}

// descend checks descend; and descend n { ... }.
func (e *env) descend(s *syntax.Descend) {
	if e.trav == nil {
		e.errorf(diag.Misplaced, s.At, "descend stands outside a traverse").Note("it runs the body of the traverse around it one level coarser")
		return
	}
	step := &hast.Descend{Of: e.trav.node, Times: intConst(1, s.At), At: s.At}
	ok := true
	if s.Times != nil {
		step.Times = e.hostValue(e.assign(e.operand(s.Times), types.Scalar(types.I32), "how often to descend"))
		ok = step.Times != nil
	}
	if s.Between != nil {
		inner := *e
		inner.loop = false
		step.Between = inner.branch(s.Between)
	}
	if ok {
		e.emit(step)
		e.pipe.changed(nil)
	}
}

// swapPyramids checks swap of two pyramids, which exchanges every level.
func (e *env) swapPyramids(p, q *pyramidEnt, at source.Span) {
	p.read, p.written, q.read, q.written = true, true, true, true
	a, b := p.pyr, q.pyr
	if !a.Elem.IsValid() || !b.Elem.IsValid() {
		return
	}
	d := func(format string, args ...any) *diag.Diagnostic {
		return e.errorf(diag.CopyMismatch, at, format, args...)
	}
	switch {
	case p == q:
		d("%s is swapped with itself", a.Name)
		return
	case a.Elem != b.Elem:
		d("%s has pixels of %s, %s of %s", a.Name, a.Elem, b.Name, b.Elem).Note("swap exchanges what two pyramids of one type hold")
		return
	case len(p.scale) != len(q.scale):
		d("%s has %s, %s has %d", a.Name, plural(len(p.scale), "axis", "axes"), b.Name, len(q.scale))
		return
	}
	for i := range p.scale {
		if p.scale[i] != q.scale[i] || lowerOf(p.whole.img, i) != lowerOf(q.whole.img, i) {
			d("the levels of %s and %s differ on axis %d", a.Name, b.Name, i).Note("declare both with the same extents, index ranges and scale")
			return
		}
	}
	if lineAxis(p.whole.img) != lineAxis(q.whole.img) {
		d("the last extent of one of %s and %s is a number, that of the other is not", a.Name, b.Name)
		return
	}
	if !e.sameExtent(p.whole.img, q.whole.img, at) {
		return
	}
	x, y := a.Own().Count, b.Own().Count
	if !hast.Equal(x, y) {
		e.entryCheck(&hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Eq, Args: []hast.Expr{x, y}}, at,
			"%s and %s need the same number of levels, because %s", a.Name, b.Name, excerpt(at))
	}
	e.emit(&hast.SwapPyramids{A: a, B: b, At: at})
	e.pipe.changed(nil)
}

// levelsIn lists what counts the levels that a condition speaks of, outermost first.
func (e *env) levelsIn(cond hast.Expr) []*hast.Levels {
	var list []*hast.Levels
	for _, l := range e.trav.over() {
		if hast.Mentions(cond, l) {
			list = append(list, l)
		}
	}
	return list
}
