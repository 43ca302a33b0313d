package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/syntax"
)

// skipRule is the rule of writes that do nothing outside of their image.
const skipRule = "skip"

// ruleNames are the named border rules.
var ruleNames = hast.RuleNames[:]

// ruleKinds finds a border rule by its name.
var ruleKinds = func() map[string]hast.RuleKind {
	kinds := map[string]hast.RuleKind{}
	for k, name := range hast.RuleNames {
		kinds[name] = hast.RuleKind(k)
	}
	return kinds
}()

// ruleKind resolves the name of a border rule and checks that it has a value where it needs one.
func (e *env) ruleKind(r *syntax.Rule) (hast.RuleKind, bool) {
	k, ok := ruleKinds[r.Name.Text]
	if _, byFormula := e.scope.find(r.Name.Text).(*borderEnt); byFormula {
		k, ok = hast.Formula, true
	}
	switch {
	case !ok:
		e.unknownRule(r)
	case k == hast.Constant && r.Arg == nil:
		e.errorf(diag.RuleValue, r.At, "constant needs the value outside the image").Note("write constant(0)")
		ok = false
	case k != hast.Constant && r.Arg != nil:
		e.errorf(diag.RuleValue, r.At, "%s takes no value", r.Name.Text).Note("only constant(v) has one")
		ok = false
	}
	return k, ok
}

func (e *env) unknownRule(r *syntax.Rule) {
	switch {
	case r.Name.Text == skipRule:
		e.errorf(diag.RuleValue, r.At, "skip is a rule for the writes of one iterate to one image").
			Note("write border(a: skip) behind an iterate that writes a; outside of a the write does nothing")
		return
	case e.partialName(r.Name.Text):
		return
	}
	switch ent := e.scope.find(r.Name.Text).(type) {
	case nil:
	case *badEnt:
		return
	default:
		e.errorf(diag.WrongUse, r.Name.At, "%s is %s and no border rule", r.Name.Text, ent.noun()).Note("the rules are %s", listed(ruleNames))
		return
	}
	d := e.errorf(diag.UnknownRule, r.Name.At, "there is no border rule %s", r.Name.Text)
	if here, ok := foreignRule(r.Name.Text); ok {
		d.Note("write %s", here)
		return
	}
	own := e.scope.visible(func(x entity) bool { _, ok := x.(*borderEnt); return ok })
	suggest(d, r.Name.Text, append(own, ruleNames...))
	d.Note("the rules are %s", listed(ruleNames))
}

// resolveRule makes the rule for images of one element type. e is the surroundings on the host.
func (e *env) resolveRule(r *syntax.Rule, m *hast.Image) (*hast.Rule, bool) {
	k, ok := e.ruleKind(r)
	switch {
	case ok && k == hast.Formula:
		return e.formula(e.scope.find(r.Name.Text).(*borderEnt), m, r)
	case !ok || k != hast.Constant:
		return &hast.Rule{Kind: k}, ok
	}
	v := e.hostValue(e.assign(e.operand(r.Arg), m.Elem, "outside "+m.Name+" the pixel"))
	if v == nil {
		return nil, false
	}
	return &hast.Rule{Kind: k, Value: v}, true
}

// ownRule resolves the rule that an image was declared with.
func (e *env) ownRule(m *imageEnt, r *syntax.Rule) {
	if r == nil || !m.img.Elem.IsValid() {
		return
	}
	rule, ok := e.resolveRule(r, m.img)
	m.rule, m.badRule = rule, !ok
	m.declaredRule, m.ruleHome = r, e
}

// A clauseRule is the rule of one border clause, or of one image in it.
type clauseRule struct {
	syntax *syntax.Rule
	name   syntax.Name // of the image; no name in a clause for all images
	used   bool
}

// rule is the border rule for reads of an image in the stage at hand: of the stage's clause for this image, of its clause
// for all, of the image. It is nil where none of them has one.
func (e *env) rule(m *imageEnt) (*hast.Rule, bool) {
	s := e.stage
	clause := s.clauses[m]
	if clause == nil && m.of != nil {
		clause = s.clauses[m.of.whole]
	}
	if clause == nil {
		clause = s.forAll
	}
	if clause == nil {
		return m.rule, !m.badRule
	}
	clause.used = true
	if r, ok := s.rules[m]; ok {
		return r, r != nil
	}
	before := e.diags.Len()
	r, ok := s.host.resolveRule(clause.syntax, m.img)
	if !ok {
		r = nil
	}
	for _, d := range e.diags.Since(before) {
		if clause == s.forAll && clause.syntax.Arg != nil {
			d.Note("where the rule is for some of the images that are read, name these: border(a: %s)", excerpt(clause.syntax.At))
		}
	}
	s.rules[m] = r
	return r, ok
}

// borderClause enters a stage's border clause.
func (e *env) borderClause(s *stage, b *syntax.BorderClause, at syntax.Node) {
	if b.All != nil {
		if s.forAll != nil {
			e.errorf(diag.RuleValue, at.Span(), "a second border clause for all images").
				NoteAt(s.forAll.syntax.At, "the first is here")
			return
		}
		s.forAll = &clauseRule{syntax: b.All}
		e.ruleKind(b.All)
		return
	}
	for _, n := range b.Named {
		ent := e.scope.find(n.Image.Text)
		m, ok := ent.(*imageEnt)
		if p, all := ent.(*pyramidEnt); all {
			m, ok = p.whole, true
		}
		switch {
		case ok && n.Rule.Name.Text == skipRule:
			e.skipClause(s, m, n)
		case ok && s.clauses[m] != nil:
			e.errorf(diag.RuleValue, n.At, "a second border rule for %s", n.Image.Text).NoteAt(s.clauses[m].syntax.At, "the first is here")
		case ok:
			s.clauses[m] = &clauseRule{syntax: n.Rule, name: n.Image}
			s.order = append(s.order, m)
			e.ruleKind(n.Rule)
		case ent == nil:
			e.unknown(n.Image.Text, n.Image.At, func(x entity) bool { _, ok := x.(*imageEnt); return ok })
		default:
			if _, bad := ent.(*badEnt); !bad {
				e.errorf(diag.WrongUse, n.Image.At, "%s is %s; border rules are for images", n.Image.Text, ent.noun())
			}
		}
	}
}

// skipClause enters border(a: skip).
func (e *env) skipClause(s *stage, m *imageEnt, n *syntax.NamedRule) {
	switch {
	case s.skips[m] != nil:
		e.errorf(diag.RuleValue, n.At, "skip stands twice for %s", n.Image.Text).NoteAt(s.skips[m].syntax.At, "the first is here")
	case n.Rule.Arg != nil:
		e.errorf(diag.RuleValue, n.Rule.At, "skip takes no value")
	default:
		s.skips[m] = &clauseRule{syntax: n.Rule, name: n.Image}
		s.skipped = append(s.skipped, m)
	}
}

// unusedRules warns of rules for images that the stage does not read.
func (e *env) unusedRules(s *stage) {
	if e.errors > 0 || e.partial {
		return
	}
	for _, m := range s.order {
		if c := s.clauses[m]; !c.used {
			e.warnf(diag.Unused, c.name.At, "this iterate does not read %s, so its border rule has no effect", m.img.Name)
		}
	}
	for _, m := range s.skipped {
		if c := s.skips[m]; !c.used {
			e.warnf(diag.Unused, c.name.At, "this iterate does not write %s, so skip has no effect", m.img.Name)
		}
	}
}
