package fuse

import (
	"fmt"
	"maps"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
)

// Siblings are stages over the same space that read the same images: one kernel that does what all of them do loads each pixel once. So is a stage and one that reads its pixels, each instance its own
// alone, which the kernel has before it stores them: an image that is counted as well as kept.
//
// Stages at other scales are siblings, too, as those that make brightness of each pixel and colour of 2 x 2: an instance of the coarsest computes what it has below itself of the finer ones, which
// are parts that store what they keep.

// Join makes a stage, with what is fused with it, run beside its sibling. Otherwise nothing changes, and Join says why, as the end of
// a sentence.
func (g *Groups) Join(s *hast.Stage) (why string) {
	x := g.of(s)
	last, why := g.sibling(x)
	if last == nil {
		return why
	}
	if why := g.beside(x, last); why != "" {
		return why
	}
	parts, beside := last.parts, last.beside
	last.parts = inOrder(append(slices.Clone(parts), x.parts...))
	last.beside = inOrder(append(append(slices.Clone(beside), x.beside...), x))
	if all := g.together(last); len(all.Fused) > 0 || all.Reduced != nil {
		if why := g.made.whyApart(all, g.opts); why != "" {
			last.parts, last.beside = parts, beside
			return fmt.Sprintf("beside %s: %s", last.Name, why)
		}
	}
	for _, part := range slices.Concat(x.parts, x.beside, []*stage{x}) {
		part.into = inOrder(append(slices.DeleteFunc(part.into, func(y *stage) bool { return y == x }), last))
	}
	return ""
}

// Sibling is the stage at the end of the group that Join would have a stage run beside, with all that is fused with it, and the stage
// itself; nil where there is none.
func (g *Groups) Sibling(s *hast.Stage) (self, sibling *hast.Stage) {
	x := g.of(s)
	last, _ := g.sibling(x)
	if last == nil {
		return nil, nil
	}
	return g.together(x), g.together(last)
}

// sibling is the last stage of the group of the next stage behind x that reads an image which x reads, and whose space is the same; where there is none, of one at another scale.
func (g *Groups) sibling(x *stage) (last *stage, why string) {
	if x.Scan != nil || len(x.into) != 1 || x.into[0] != x {
		return nil, "it runs step by step, or is a part of another one already"
	}
	like := func(last *stage) bool { return sameSpace(x.Stage, last.Stage) }
	scaled := func(last *stage) bool { return g.scaled(x, last) && g.beside(x, last) == "" }
	for _, alike := range []func(last *stage) bool{like, scaled} {
		if last := g.nextLike(x, alike); last != nil {
			return last, ""
		}
	}
	return nil, "no stage behind it reads what it reads, over the same points"
}

// nextLike is sibling for some spaces.
func (g *Groups) nextLike(x *stage, alike func(last *stage) bool) *stage {
	mine := g.reads(x)
	for _, y := range g.stages {
		if !same(y.list, x.list) || y.index <= x.index || !touches(mine, y.read) && (!handsOn(x, y) || g.moves(x, y, true) != "") {
			continue
		}
		if last := y.into[0]; alike(last) && last.Scan == nil && samePoints(x.Stage, g.together(last)) {
			return last
		}
	}
	return nil
}

// HandsOn reports whether the sibling of a stage reads what that writes.
func (g *Groups) HandsOn(s *hast.Stage) bool {
	x := g.of(s)
	last, _ := g.sibling(x)
	return last != nil && slices.ContainsFunc(g.members(last), func(y *stage) bool { return handsOn(x, y) })
}

// handsOn reports whether the instances of a later stage read what those of x write, each its own pixel alone.
func handsOn(x, later *stage) bool {
	if later.index <= x.index || later.Scan != nil || x.Scan != nil || !straight(x.Stage) || !sameSpace(x.Stage, later.Stage) {
		return false
	}
	m := written(x.Stage)[0]
	return slices.Contains(later.read, m) && !touches([]*hast.Image{m}, later.written) && !slices.ContainsFunc(later.read, func(n *hast.Image) bool { return n != m && n.Base() == m }) &&
		ownPixel(later.Stage, func(n *hast.Image) bool { return n == m })
}

// sameSpace reports whether two stages have the same instances, but for what they call them.
func sameSpace(x, y *hast.Stage) bool {
	if len(x.Space.Vars) != len(y.Space.Vars) || len(x.Space.Vars) == 0 {
		return false
	}
	for k, r := range x.Space.Ranges {
		s := y.Space.Ranges[k]
		if r.Step != s.Step || !hast.Equal(r.Lo, s.Lo) || !hast.Equal(r.Hi, s.Hi) {
			return false
		}
	}
	return true
}

// scaled reports whether two groups are at scales that differ: the instances of each stage of the one that does not lie in the other's space are so many to one of the other.
func (g *Groups) scaled(x, last *stage) bool {
	a, _, _ := g.atScales(x)
	b, _, _ := g.atScales(last)
	return !block.IsPart(a.Stage) && !block.IsPart(b.Stage) && (isFiner(a.Stage, b.Stage) || isFiner(b.Stage, a.Stage))
}

// isFiner reports whether a stage has so many instances along each axis, not one along all of them, for each of another, but that some at the end may be without one.
func isFiner(x, than *hast.Stage) bool {
	several := false
	for k, r := range x.Space.Ranges {
		n := 0
		if len(x.Space.Ranges) == len(than.Space.Ranges) {
			n, _ = block.Scale(r, than.Space.Ranges[k])
		}
		if n == 0 {
			return false
		}
		several = several || n > 1
	}
	return several
}

// atScales are those of a group's stages that its kernel has the instances of, which are the coarsest: the last of them and those beside it; and the finer ones.
func (g *Groups) atScales(last *stage) (coarsest *stage, beside, finer []*stage) {
	coarsest = last
	for _, s := range last.beside {
		if isFiner(coarsest.Stage, s.Stage) {
			coarsest = s
		}
	}
	all := append(slices.Clone(last.beside), last)
	for _, s := range all {
		if sameSpace(s.Stage, coarsest.Stage) {
			beside, coarsest = append(beside, s), s
		} else {
			finer = append(finer, s)
		}
	}
	return coarsest, beside[:len(beside)-1], finer
}

// reads are the images that a stage and what is fused with it read.
func (g *Groups) reads(x *stage) (list []*hast.Image) {
	for _, s := range g.members(x) {
		list = append(list, s.read...)
	}
	return list
}

// members are the stages of the group that ends with one.
func (g *Groups) members(last *stage) []*stage {
	return slices.Concat(last.parts, last.beside, []*stage{last})
}

// beside says why what a stage does cannot be done where its sibling runs, and in any order with it.
func (g *Groups) beside(x, last *stage) string {
	if x.Where != nil || last.Where != nil {
		return "not every instance runs"
	}
	for _, s := range g.members(x) {
		if slices.Contains(last.parts, s) { // both groups compute it for themselves
			continue
		}
		if why := g.moves(s, last, true); why != "" {
			return why
		}
		for _, t := range g.members(last) {
			switch {
			case touchesWritten(s, t) && (slices.Contains(last.parts, t) || len(x.parts) > 0 || !handsOn(s, t)):
				return fmt.Sprintf("%s touches what %s writes", t.Name, s.Name)
			case touches(s.read, t.written):
				return fmt.Sprintf("%s writes what %s reads", t.Name, s.Name)
			}
		}
	}
	return ""
}

// touchesWritten reports whether a stage reads or writes what another one writes. At another scale it may write what lies beside that in the same image.
func touchesWritten(s, t *stage) bool {
	return touches(s.written, t.read) || touches(s.written, t.written) && (sameSpace(s.Stage, t.Stage) || !areApart(s.written, t.written))
}

// areApart reports whether all images of two lists that have the same storage are parts of it that are known to lie side by side, as brightness and colour do in one image.
func areApart(a, b []*hast.Image) bool {
	for _, x := range a {
		for _, y := range b {
			if touches([]*hast.Image{x}, []*hast.Image{y}) && !endsBefore(x, y) && !endsBefore(y, x) {
				return false
			}
		}
	}
	return true
}

// endsBefore reports whether a part of an image is known to end, along some axis, where another one begins or before that.
func endsBefore(x, y *hast.Image) bool {
	if x.View == nil || y.View == nil || x.View.Of != y.View.Of {
		return false
	}
	own := 0 // axes of the view
	for k, axis := range x.View.Axes {
		extent := hast.Int(1)
		if axis.Kept {
			extent = x.Extent[own]
			own++
		}
		if n, known := linear.Difference(y.View.Axes[k].First, hast.Binary(ops.Add, axis.First, extent)); known && n >= 0 {
			return true
		}
	}
	return false
}

// merged is the body of a stage behind those of its siblings, over its variables.
func merged(last *stage, siblings []*stage) []hast.Stmt {
	m := &merger{vars: map[*hast.Var]*hast.Var{}}
	handed := map[*hast.Image]*hast.Var{} // what siblings hand on
	for i, s := range siblings {
		body := having(renamed(s.Stage, last.Space.Vars).Body, handed)
		if slices.ContainsFunc(append(slices.Clone(siblings[i+1:]), last), func(t *stage) bool { return handsOn(s, t) }) {
			body = handing(body, handed)
		}
		m.add(body)
	}
	m.add(having(last.Body, handed))
	return m.body
}

// handing is the body of a straight stage that has what it writes last in a variable, too, which it enters.
func handing(body []hast.Stmt, handed map[*hast.Image]*hast.Var) []hast.Stmt {
	body = hast.Renewed(body)
	last := *body[len(body)-1].(*hast.Store)
	v := valueOf(&last)
	let := &hast.Define{Var: v, Init: last.Value, At: last.At}
	last.Value = &hast.Ref{Typed: hast.Typed{T: v.Type, At: last.At}, Var: v}
	handed[last.Image] = v
	return slices.Concat(body[:len(body)-1], []hast.Stmt{let, &last})
}

// having is a body that has pixels of its instance from variables.
func having(body []hast.Stmt, handed map[*hast.Image]*hast.Var) []hast.Stmt {
	if len(handed) == 0 {
		return body
	}
	return hast.MapStmts(body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if l, ok := e.(*hast.Load); ok && handed[l.Image] != nil {
				return &hast.Ref{Typed: l.Typed, Var: handed[l.Image]}
			}
			return nil
		})
	})
}

// samePoints reports whether long reductions of two siblings run over the same points, if both have any: else each would read its own.
func samePoints(x, y *hast.Stage) bool {
	m := &merger{vars: map[*hast.Var]*hast.Var{}}
	m.add(y.Body)
	if !slices.ContainsFunc(m.reductions, long) {
		return true
	}
	before := len(m.reductions)
	m.add(renamed(x, y.Space.Vars).Body)
	return !slices.ContainsFunc(m.reductions[before:], long)
}

// long reports whether a reduction runs over many points, or as many as only the sizes tell.
func long(r *hast.Reduce) bool {
	total := int64(1)
	for _, s := range r.Space.Ranges {
		n, ok := block.TripCount(s)
		if !ok || n > manyPoints {
			return true
		}
		total *= n
	}
	return r.Space.Points == nil && total > manyPoints
}

// manyPoints is how many points of a reduction are so many that what it reads is not read by neighbouring instances at once.
const manyPoints = 64

// A merger puts bodies one behind the other, of which none reads what another one writes. Values that an earlier one has defined already
// are not defined again, and reductions over the same points have the same variables, so that one loop can do for all of them.
type merger struct {
	body       []hast.Stmt
	vars       map[*hast.Var]*hast.Var // that stand for others
	lets       []*hast.Define
	reductions []*hast.Reduce // those not inside of others, with spaces that differ
}

func (m *merger) add(body []hast.Stmt) {
	var lets []*hast.Define
	var reductions []*hast.Reduce
	for _, st := range body {
		st = hast.MapStmts([]hast.Stmt{st}, func(e hast.Expr) hast.Expr { return m.expr(e, &reductions) })[0]
		d, ok := st.(*hast.Define)
		if ok && d.Var.Class == hast.Value && d.Init != nil {
			if known := m.known(d); known != nil {
				m.vars[d.Var] = known
				continue
			}
			lets = append(lets, d)
		}
		m.body = append(m.body, st)
	}
	m.lets, m.reductions = append(m.lets, lets...), append(m.reductions, reductions...)
}

// known is the variable of an earlier body that has the value which is defined.
func (m *merger) known(d *hast.Define) *hast.Var {
	for _, let := range m.lets {
		if let.Var.Type == d.Var.Type && sameValues(let.Init, d.Init, let.Init) {
			return let.Var
		}
	}
	return nil
}

// expr is an expression over the variables of earlier bodies, where it has such; reductions that are new go to fresh.
func (m *merger) expr(e hast.Expr, fresh *[]*hast.Reduce) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			if v := m.vars[e.Var]; v != nil {
				return &hast.Ref{Typed: e.Typed, Var: v}
			}
		case *hast.Reduce:
			return m.reduce(e, fresh)
		}
		return nil
	})
}

// reduce is a reduction over the variables of an earlier one over the same points. Those inside of it keep theirs.
func (m *merger) reduce(e *hast.Reduce, fresh *[]*hast.Reduce) hast.Expr {
	inner := &merger{vars: m.vars}
	var none []*hast.Reduce
	operands := func(x hast.Expr) hast.Expr { return inner.expr(x, &none) }
	x := *e
	x.Space.Ranges = slices.Clone(e.Space.Ranges)
	for k, r := range x.Space.Ranges {
		x.Space.Ranges[k].Lo, x.Space.Ranges[k].Hi = operands(r.Lo), operands(r.Hi)
	}
	if same := m.space(x.Space); same != nil {
		for k, v := range x.Space.Vars {
			m.vars[v] = same.Space.Vars[k]
		}
		x.Space = same.Space
	} else { // what it is over may be that of another reduction, too, where a stage is inlined more than once
		*fresh = append(*fresh, &x)
		inner.vars = maps.Clone(m.vars)
		for _, v := range x.Space.Vars {
			delete(inner.vars, v)
		}
	}
	if x.Elem = operands(e.Elem); e.Where != nil {
		x.Where = operands(e.Where)
	}
	if e.Init != nil {
		x.Init = operands(e.Init)
	}
	return &x
}

// bounds are where the ranges of a space begin and end.
func bounds(s hast.Space) (list []hast.Expr) {
	for _, r := range s.Ranges {
		list = append(list, r.Lo, r.Hi)
	}
	return list
}

// space is an earlier reduction over the same ranges.
func (m *merger) space(s hast.Space) *hast.Reduce {
	for _, r := range m.reductions {
		if s.Points == nil && sameValues(r.Space.Ranges, s.Ranges, bounds(r.Space)...) {
			return r
		}
	}
	return nil
}
