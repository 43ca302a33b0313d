package prove

import (
	"cmp"
	"slices"
)

// Limits on what is derived for one obligation. Beyond them a check is stricter than need be, or there is none.
const (
	maxLeaves    = 64 // cases that are projected
	maxCondition = 24 // inequalities of parameters kept of a projected case
	maxClauses   = 12 // of a check
)

// leaves appends the conjunctions without disjunctions that a conjunction consists of, those proved infeasible left out.
// ok is false beyond the limits.
func (q *question) leaves(c *cases, out []*cases) (all []*cases, ok bool) {
	if found, _ := q.solveAtoms(c); found == infeasible {
		return out, true
	}
	if len(c.ors) == 0 {
		return append(out, c), len(out) < maxLeaves
	}
	for _, alternative := range c.ors[0] {
		if q.splits--; q.splits < 0 {
			return nil, false
		}
		if out, ok = q.leaves(c.with(alternative, 0), out); !ok {
			return nil, false
		}
	}
	return out, true
}

// projection eliminates everything but parameters from a conjunction.
type projection struct {
	q     *question
	fixed []bool // columns that stay
	spare int    // columns of the rows that have no variable yet
	eq    []row
	ge    []row
	kept  []row // equalities of parameters only
	exact bool  // no values of the parameters were added
	dark  bool  // rather lose values than add them
}

// project returns a condition on the parameters that holds wherever the conjunction has a solution; exact if nowhere
// else. possible is false if it has none. What is computed from parameters (H/2) is projected away too if that is exact.
func (q *question) project(c *cases) (condition []Atom, exact, possible bool) {
	for _, stays := range []func(Var) bool{
		func(v Var) bool { return q.sys.scopes[v] == param },
		func(v Var) bool { return q.sys.scopeOf(v) == param },
	} {
		p := q.projection(c, stays)
		if condition, exact, possible = p.run(); exact || !possible {
			return condition, exact, possible
		}
		// Too wide by the real shadows perhaps, but not if the dark ones, which are too narrow, come to the same.
		inner := q.projection(c, stays)
		inner.dark = true
		if narrow, sure, some := inner.run(); some && sure && q.sys.implies(condition, narrow) {
			return condition, true, true
		}
	}
	return condition, false, true
}

func (q *question) projection(c *cases, stays func(Var) bool) *projection {
	p := &projection{q: q, spare: len(c.atoms)/2 + 4, exact: !c.vague && len(c.ors) == 0, fixed: []bool{true}}
	p.eq, p.ge = q.rows(c, p.spare)
	for _, v := range q.vars {
		p.fixed = append(p.fixed, stays(v))
		if !stays(v) && q.sys.isProduct(v) {
			p.exact = false // its rows do not say all about it
		}
	}
	return p
}

// run eliminates the locals. With dark set, exact means that no values were added, though some may be lost.
func (p *projection) run() (condition []Atom, exact, possible bool) {
	o := &p.q.omega
	o.work, o.lossy = maxCombinations, false
	for {
		if !p.solveEqualities() {
			return nil, false, false
		}
		var consistent bool
		if p.ge, p.eq, consistent = tightened(p.ge); !consistent {
			return nil, false, false
		}
		if len(p.eq) > 0 {
			continue
		}
		v, exact := o.cheapest(p.ge, p.fixed)
		if v == 0 {
			break
		}
		p.eliminate(v, exact)
	}
	for _, r := range p.kept {
		condition = append(condition, Atom{p.q.lin(r), Zero})
	}
	for _, r := range p.ge {
		condition = append(condition, Atom{p.q.lin(r), NonNegative})
	}
	return condition, p.exact && !o.lossy, true
}

// eliminate projects column v away.
func (p *projection) eliminate(v int, exact bool) {
	lower, upper, rest := bounds(p.ge, v)
	shadow, ok := p.q.omega.shadow(lower, upper, rest, v, p.dark && !exact)
	if !ok {
		shadow = rest
	}
	p.exact = p.exact && (exact || p.dark) && ok
	p.ge = shadow
}

// solveEqualities substitutes locals until only equalities of parameters are left; it returns false if one cannot hold.
func (p *projection) solveEqualities() bool {
	for len(p.eq) > 0 {
		if p.q.omega.work--; p.q.omega.work < 0 {
			p.eq, p.exact = nil, false // fewer equalities, a wider condition
			break
		}
		e := p.eq[0]
		g := e.content()
		switch {
		case g == 0 && e[0] != 0, g > 1 && e[0]%g != 0:
			return false
		case g == 0:
			p.eq = p.eq[1:]
			continue
		}
		e = e.divided(g)
		var step assignment
		switch first, count, content := p.locals(e); {
		case count == 0:
			p.kept = append(p.kept, e)
			p.eq = p.eq[1:]
			continue
		case count == 1 && content > 1:
			var ok bool
			if step, ok = p.quotient(e, first); !ok {
				p.forget(first)
				continue
			}
			if p.fixed[first] { // it is that quotient
				continue
			}
		default:
			step = solvedFor(e, p.q.omega.scopes, p.fixed)
		}
		var ok1, ok2 bool
		eq, ok1 := substituteAll(p.eq, step)
		ge, ok2 := substituteAll(p.ge, step)
		if !ok1 || !ok2 {
			p.forget(step.column)
			continue
		}
		p.eq, p.ge = eq, ge
	}
	return true
}

// forget gives up all rows with column v.
func (p *projection) forget(v int) {
	mentions := func(r row) bool { return r[v] != 0 }
	p.eq = slices.DeleteFunc(slices.Clone(p.eq), mentions)
	p.ge = slices.DeleteFunc(slices.Clone(p.ge), mentions)
	p.exact = false
}

// locals counts the columns of an equality that are to go, and the greatest common divisor of their coefficients.
func (p *projection) locals(e row) (first, count int, content int64) {
	for i := len(e) - 1; i > 0; i-- {
		if e[i] != 0 && !p.fixed[i] {
			first, count, content = i, count+1, gcd(content, e[i])
		}
	}
	return first, count, content
}

// quotient solves a*v + e == 0, with v the only local: v is floordiv(-e, a), a variable of parameters only, and what is
// left of the equality says that a divides e. ok is false if there is no column for it.
func (p *projection) quotient(e row, v int) (step assignment, ok bool) {
	a := e[v]
	rest := slices.Clone(e)
	rest[v] = 0
	numerator := p.q.lin(rest).Neg()
	if a < 0 {
		a, numerator = -a, numerator.Neg()
	}
	quotient := p.q.sys.Div(numerator, a)
	for _, t := range quotient.terms {
		if column := p.q.columns[t.Var]; column != 0 {
			p.fixed[column] = true
			continue
		}
		if len(p.q.vars)+1 >= len(e) {
			return assignment{}, false
		}
		p.q.number(t.Var)
		p.fixed = append(p.fixed, true)
	}
	return assignment{v, p.q.row(quotient, len(e))}, !quotient.unknown
}

// residual returns clauses on the parameters under which the negation of an obligation is impossible, in the simplest
// terms that the entry's facts allow. ok is false if there are none but False; exact says that they are needed, too.
func (s *System) residual(negation Formula) (clauses []Clause, exact, ok bool) {
	q, c := s.ask(s.facts(negation))
	exact = true
	leaves, complete := q.leaves(c, nil)
	if !complete {
		leaves, exact = []*cases{c}, false
	}
	for _, leaf := range leaves {
		condition, isExact, possible := q.project(leaf)
		if !possible {
			continue
		}
		if len(condition) > maxCondition {
			slices.SortStableFunc(condition, simplerFirst)
			condition, isExact = condition[:maxCondition], false
		}
		exact = exact && isExact
		clause := s.negatedClause(condition)
		if len(clause) == 0 {
			return nil, exact, false
		}
		if !slices.ContainsFunc(clauses, func(c Clause) bool { return c.String() == clause.String() }) {
			clauses = append(clauses, clause)
		}
		if len(clauses) > maxClauses {
			return nil, false, false
		}
	}
	return s.withoutImplied(clauses), exact, true
}

// negatedClause is the negation of a conjunction, after what is known at entry is left out of it.
func (s *System) negatedClause(condition []Atom) Clause {
	condition = s.withoutKnown(condition)
	if plain, ok := s.withoutDefined(condition); ok {
		condition = plain
	}
	var clause Clause
	for _, a := range rejoined(condition) {
		a.Lin = s.withRemainders(a.Lin)
		clause = append(clause, a.negated().(Atom))
	}
	return clause
}

// withoutKnown drops atoms that follow from the others and what is known at entry, the simplest ones last.
func (s *System) withoutKnown(condition []Atom) []Atom {
	for i, a := range slices.Clone(condition) {
		if a.Rel == Zero && !s.mentionsDefined(a) { // of which one half is known perhaps
			condition[i].Rel = NonNegative
			condition = append(condition, Atom{a.Lin.Neg(), NonNegative})
		}
	}
	slices.SortStableFunc(condition, func(a, b Atom) int { return simplerFirst(b, a) })
	for i := 0; i < len(condition); {
		others := s.givenParams()
		for j, a := range condition {
			if j != i {
				others = append(others, a)
			}
		}
		if s.impossible(append(others, Not(condition[i]))) {
			condition = slices.Delete(condition, i, i+1)
		} else {
			i++
		}
	}
	slices.Reverse(condition)
	return condition
}

func (s *System) mentionsDefined(a Atom) bool {
	return slices.ContainsFunc(a.Lin.terms, func(t Term) bool { _, defined := s.defs[t.Var]; return defined })
}

// withoutDefined looks for a condition of the same meaning without quotients and the like, which a reader will prefer:
// W >= 2 for W > (W+1)/2.
func (s *System) withoutDefined(condition []Atom) ([]Atom, bool) {
	if !slices.ContainsFunc(condition, s.mentionsDefined) {
		return nil, false
	}
	q, c := s.ask(conjunction(condition))
	plain, _, possible := q.projection(c, func(v Var) bool { return s.scopes[v] == param }).run()
	if !possible || slices.ContainsFunc(plain, s.mentionsDefined) || !s.implies(plain, condition) {
		return nil, false
	}
	return s.withoutKnown(plain), true
}

// implies reports whether, at entry, every one of the conclusions follows from the conditions.
func (s *System) implies(conditions, conclusions []Atom) bool {
	known := s.givenParams(conjunction(conditions)...)
	return !slices.ContainsFunc(conclusions, func(a Atom) bool {
		return !s.impossible(append(slices.Clip(known), Not(a)))
	})
}

func conjunction(atoms []Atom) []Formula {
	out := make([]Formula, len(atoms))
	for i, a := range atoms {
		out[i] = a
	}
	return out
}

// rejoined makes one equality of two opposite inequalities.
func rejoined(atoms []Atom) []Atom {
	var out []Atom
	for _, a := range atoms {
		half := slices.IndexFunc(out, func(b Atom) bool { return b.Rel == NonNegative && b.Lin.Equal(a.Lin.Neg()) })
		if a.Rel == NonNegative && half >= 0 {
			out[half].Rel = Zero
		} else {
			out = append(out, a)
		}
	}
	return out
}

func simplerFirst(a, b Atom) int {
	return cmp.Or(cmp.Compare(a.weight(), b.weight()), cmp.Compare(a.String(), b.String()))
}

// weight orders conditions by how much there is to read.
func (a Atom) weight() int {
	w := 0
	for _, t := range a.Lin.terms {
		w += 2 + len(t.Var)
		if abs(t.Coef) != 1 {
			w++
		}
	}
	return w
}

// withoutImplied drops clauses that follow from the others and what is known at entry.
func (s *System) withoutImplied(clauses []Clause) []Clause {
	slices.SortStableFunc(clauses, func(a, b Clause) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a.String(), b.String()))
	})
	for i := 0; i < len(clauses); {
		others := s.givenParams()
		for j, c := range clauses {
			if j != i {
				others = append(others, c.Formula())
			}
		}
		if s.impossible(append(others, Not(clauses[i].Formula()))) {
			clauses = slices.Delete(clauses, i, i+1)
		} else {
			i++
		}
	}
	return clauses
}

// impossible reports whether formulas are proved to contradict each other. It is asked many times to make one check
// simpler, so it gives up early.
func (s *System) impossible(formulas []Formula) bool {
	q, c := s.ask(formulas)
	q.omega.work, q.splits, q.fixings = maxCombinations/6, maxSplits/8, 0
	found, _ := q.decide(c)
	return found == infeasible
}
