package sema

import (
	"fmt"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A stage is an iterate, image comprehension, copy or fill while it is being checked.
type stage struct {
	node    *hast.Stage
	host    *env // its surroundings
	label   string
	first   *hast.Image // that it writes
	forAll  *clauseRule // of a border clause without names; nil without
	clauses map[*imageEnt]*clauseRule
	order   []*imageEnt               // of the keys of clauses
	skips   map[*imageEnt]*clauseRule // images with border(a: skip), for writes
	skipped []*imageEnt               // the keys of skips, in order
	rules   map[*imageEnt]*hast.Rule
	scanned bool // it has a scan clause, be it a wrong one
	early   []earlyRead
	reduced []imageUse // images that the body reduces, which is done before the stage
}

// An imageUse is an image where it is named.
type imageUse struct {
	image *imageEnt
	at    syntax.Node
}

// reducedBefore reports images that a stage reduces and writes: what it writes would come too late for the reduction.
func (e *env) reducedBefore(st *stage) {
	for _, u := range st.reduced {
		if stores(st.node.Body, u.image.img) {
			e.errorf(diag.ReadsWritten, u.at.Span(), "all of %s is reduced here, and the instances write it", u.image.img.Name).
				Note("instances run in any order; reduce it before: let v = %s;", excerpt(u.at.Span()))
		}
	}
}

// stores reports whether statements write an image.
func stores(list []hast.Stmt, m *hast.Image) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Store:
			if s.Image.Base() == m.Base() {
				return true
			}
		case *hast.If:
			if stores(s.Then, m) || stores(s.Else, m) {
				return true
			}
		case *hast.For:
			if stores(s.Body, m) {
				return true
			}
		case *hast.While:
			if stores(s.Body, m) {
				return true
			}
		}
	}
	return false
}

// writes notes that the stage writes an image.
func (s *stage) writes(m *hast.Image) {
	if s.first == nil {
		s.first = m
	}
}

// newStage starts a stage; its body is checked in the env that is returned.
func (e *env) newStage(label *syntax.Name, at source.Span) (*stage, *env) {
	s := &stage{
		node: &hast.Stage{At: at}, host: e,
		clauses: map[*imageEnt]*clauseRule{}, skips: map[*imageEnt]*clauseRule{}, rules: map[*imageEnt]*hast.Rule{},
	}
	if label != nil {
		s.label = label.Text
	}
	if e.in != nil {
		s.node.Within = e.in.calls
	}
	inner := e.nested()
	inner.where, inner.stage, inner.loop = inBody, s, false
	return s, inner
}

// addStage makes the stage a step of the pipeline.
func (e *env) addStage(s *stage) {
	e.pipe.stages = append(e.pipe.stages, s)
	e.pipe.p.Steps = append(e.pipe.p.Steps, s.node)
	for m := range stored(s.node.Body, map[*hast.Image]bool{}) {
		e.pipe.changed(m)
	}
}

// stored adds to images those that a list of statements writes.
func stored(body []hast.Stmt, images map[*hast.Image]bool) map[*hast.Image]bool {
	for _, s := range body {
		switch s := s.(type) {
		case *hast.Store:
			images[s.Image] = true
		case *hast.If:
			stored(s.Else, stored(s.Then, images))
		case *hast.For:
			stored(s.Body, images)
		case *hast.While:
			stored(s.Body, images)
		}
	}
	return images
}

// refSubs are the subscripts of a reference, as those of an expression.
func refSubs(r *syntax.Ref) []syntax.Sub {
	var subs []syntax.Sub
	for _, x := range r.Subs {
		subs = append(subs, syntax.Sub{Place: syntax.Place{At: x.Span()}, Start: x})
	}
	return subs
}

// over is the image that an iteration takes its extents from; nil after an error.
func (e *env) over(r *syntax.Ref, vars int) *imageEnt {
	ent, subs := e.leveled(e.scope.find(r.Name.Text), refSubs(r), r.At)
	m, ok := ent.(*imageEnt)
	switch {
	case ent == nil:
		e.unknown(r.Name.Text, r.Name.At, func(x entity) bool { _, ok := x.(*imageEnt); return ok })
		return nil
	case !ok:
		if _, bad := ent.(*badEnt); !bad {
			d := e.errorf(diag.BadIteration, r.At, "over takes an image, %s is %s", r.Name.Text, ent.noun())
			if k, isConst := ent.(*constEnt); isConst && k.kind != "const" {
				d.Note("write d in %s for the offsets of a %s", r.Name.Text, k.kind)
			}
		}
		return nil
	case !m.img.Elem.IsValid():
		return nil
	case len(subs) >= m.img.Rank():
		e.errorf(diag.BadIteration, r.At, "%s has %s, so that this is no plane of it", r.Name.Text, plural(m.img.Rank(), "axis", "axes"))
		return nil
	case len(subs) > 0:
		m = e.overPlane(m, subs)
	}
	if vars != m.img.Rank() {
		e.errorf(diag.BadIteration, r.At, "%s has %s, this names %s", excerpt(r.At), plural(m.img.Rank(), "axis", "axes"), plural(vars, "variable")).
			NoteAt(m.at, "%s is declared here", r.Name.Text).
			Note("name one variable for each axis, the last is the fastest in memory").
			Note("or give ranges in place of over: %s", overComponents(m.img, vars))
		return nil
	}
	return m
}

// overComponents are ranges as an iterate has them, of components too where it names one variable more than the image has axes.
func overComponents(m *hast.Image, vars int) string {
	if m.Rank() == 2 && vars == 3 && m.Elem.IsVector() {
		return fmt.Sprintf("(y in 0:H, x in 0:W, c in 0:%d), c the components src[y][x][c]", m.Elem.Lanes)
	}
	return "(y in 0:H, x in 0:W)"
}

// overPlane is a plane as far as iterations need it: its extents.
func (e *env) overPlane(m *imageEnt, subs []syntax.Sub) *imageEnt {
	for _, s := range subs {
		e.toIndex(e.operand(s.Start))
	}
	n := len(subs)
	img := &hast.Image{Name: m.img.Name, Dir: m.img.Dir, Elem: m.img.Elem, Extent: m.img.Extent[n:], At: m.img.At}
	if m.img.Lower != nil {
		img.Lower = m.img.Lower[n:]
	}
	return &imageEnt{declared: m.declared, img: img, dir: m.dir, usage: m.usage}
}

// iterate checks an iterate of a pipeline.
func (e *env) iterate(s *syntax.Iterate, label *syntax.Name) {
	st, inner := e.newStage(label, s.At)
	st.node.Independent = s.Independent
	var over *imageEnt
	ok := true
	if s.Over != nil {
		over = e.over(s.Over, len(s.Vars))
		ok = over != nil
	}
	var spans []*span1
	if ok {
		spans, ok = e.iteration(s.Vars, over)
	}
	ok = ok && inner.stageSpace(st, spans, s)
	if !ok {
		inner.badVars(s.Vars)
	}
	inner.clauses(st, s.Clauses)
	st.node.Body = inner.scoped(s.Body)
	inner.earlyReads(st)
	e.reducedBefore(st)
	e.unusedRules(st)
	switch {
	case !ok:
	case st.first != nil:
		e.addStage(st)
	case e.errors == 0 && !e.partial:
		e.warnf(diag.Unused, s.At, "this iterate writes no image, so it has no effect")
	}
}

// badVars declares variables of a list that was reported, so that the body says nothing about them.
func (e *env) badVars(vars []*syntax.Var) {
	for _, v := range vars {
		if _, ok := e.scope.names[v.Name.Text]; !ok {
			e.scope.names[v.Name.Text] = &badEnt{declared{v.At}}
		}
	}
}

// stageSpace enters the iteration variables of a stage.
func (e *env) stageSpace(st *stage, spans []*span1, at syntax.Node) bool {
	if len(spans) > types.MaxRank {
		e.errorf(diag.BadIteration, at.Span(), "an iteration has at most %d variables, this has %d", types.MaxRank, len(spans))
		return false
	}
	space, ok := e.boxed(st, spans)
	if !ok {
		return false
	}
	if len(space.Vars) > types.MaxRank {
		e.errorf(diag.BadIteration, at.Span(), "an iteration has at most %d variables, this has %d with those of the offsets", types.MaxRank, len(space.Vars))
		return false
	}
	if !st.host.hostSpace(&space) {
		return false
	}
	st.node.Space = space
	return true
}

// clauses checks the clauses of a stage in the surroundings of its body.
func (e *env) clauses(st *stage, list []*syntax.Clause) {
	for _, c := range list { // reads in a where clause follow the border clauses, wherever they stand
		switch {
		case c.Border != nil:
			e.borderClause(st, c.Border, c)
		case c.Scan != nil:
			e.scan(st, c)
		}
	}
	for _, c := range list {
		if c.Where == nil {
			continue
		}
		cond := e.expr(e.condition(c.Where, "where"))
		if cond == nil {
			continue
		}
		st.restrict(cond)
	}
}
