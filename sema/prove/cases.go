package prove

import "slices"

// maxSplits bounds the case distinctions of one question.
const maxSplits = 400

// question is one conjunction of formulas on its way to a verdict.
type question struct {
	sys      *System
	formulas []Formula // as asked, which a model is checked against
	vars     []Var     // the columns; column i is vars[i-1]
	columns  map[Var]int
	omega    omega
	splits   int
	fixings  int  // combinations of factors' values that may still be tried
	fixing   bool // products are being linearised by fixing factors
}

// cases is a conjunction: atoms, of which none is NonZero, and disjunctions that have not been split yet.
type cases struct {
	atoms []Atom
	ors   []Or
	never bool // False was among them
	vague bool // something that cannot be expressed was left out
}

// add puts a formula into the conjunction. What nothing is known about is left out.
func (c *cases) add(f Formula) {
	switch f := f.(type) {
	case And:
		for _, part := range f {
			c.add(part)
		}
	case Or:
		switch {
		case len(f) == 0:
			c.never = true
		case vague(f):
			c.vague = true
		case len(f) == 1:
			c.add(f[0])
		default:
			c.ors = append(c.ors, f)
		}
	case Atom:
		switch {
		case f.Lin.unknown:
			c.vague = true
		case f.Rel == NonZero:
			zero := Lin{}
			c.ors = append(c.ors, Or{GT(f.Lin, zero), LT(f.Lin, zero)})
		default:
			c.atoms = append(c.atoms, f)
		}
	default:
		c.vague = true
	}
}

// with returns the conjunction with one more formula, without disjunction number i.
func (c *cases) with(f Formula, i int) *cases {
	next := &cases{
		atoms: append([]Atom(nil), c.atoms...),
		ors:   append(append([]Or(nil), c.ors[:i]...), c.ors[i+1:]...),
		vague: c.vague,
	}
	next.add(f)
	return next
}

// ask prepares a question.
func (s *System) ask(formulas []Formula) (*question, *cases) {
	all, vars := s.defs.closure(formulas)
	q := &question{
		sys:      s,
		formulas: formulas,
		columns:  make(map[Var]int, len(vars)),
		omega:    omega{scopes: make([]scope, 1, len(vars)+1), work: maxCombinations},
		splits:   maxSplits,
		fixings:  maxFixings,
	}
	for _, v := range vars {
		q.number(v)
	}
	c := &cases{}
	for _, f := range all {
		c.add(f)
	}
	return q, c
}

// number gives a variable the next column.
func (q *question) number(v Var) {
	q.vars = append(q.vars, v)
	q.columns[v] = len(q.vars)
	q.omega.scopes = append(q.omega.scopes, q.sys.scopeOf(v))
}

// decide gives the verdict on a conjunction of formulas. Feasible means that the model satisfies all of them, as far as
// anything is known about them.
func (s *System) decide(formulas []Formula) (verdict, Model) {
	q, c := s.ask(formulas)
	return q.decide(c)
}

// decide solves the atoms alone first. Only if their solution does not do, a disjunction that it violates is split.
func (q *question) decide(c *cases) (verdict, Model) {
	found, m := q.solveAtoms(c)
	switch {
	case found == infeasible:
		return infeasible, Model{}
	case found == feasible && q.verified(m):
		return feasible, m
	}
	violated := 0
	if found == feasible {
		asSolved := Model{values: m.values} // definitions are not looked at: they are among what may be violated
		violated = slices.IndexFunc(c.ors, func(or Or) bool { return !asSolved.satisfies(or) })
	}
	if violated < 0 || len(c.ors) == 0 {
		return q.fixProducts(c)
	}
	all := infeasible
	for _, alternative := range c.ors[violated] {
		if q.splits--; q.splits < 0 {
			return undecided, Model{}
		}
		switch found, m := q.decide(c.with(alternative, violated)); found {
		case feasible:
			return feasible, m
		case undecided:
			all = undecided
		}
	}
	return all, Model{}
}

// verified reports whether a model satisfies everything that was asked, with defined variables computed.
func (q *question) verified(m Model) bool {
	return !slices.ContainsFunc(q.formulas, func(f Formula) bool { return !m.satisfies(f) })
}

// solveAtoms decides the conjunction without its disjunctions.
func (q *question) solveAtoms(c *cases) (verdict, Model) {
	if c.never {
		return infeasible, Model{}
	}
	eq, ge := q.rows(c, 0)
	found, values := q.omega.solve(eq, ge)
	if found != feasible {
		return found, Model{}
	}
	m := Model{values: make(map[Var]int64, len(q.vars)), defs: q.sys.defs}
	for i, v := range q.vars {
		m.values[v] = values[i+1]
	}
	return feasible, m
}

// rows writes the atoms, and what follows for products from them, as rows with some columns to spare.
func (q *question) rows(c *cases, spare int) (eq, ge []row) {
	for _, a := range append(q.productFacts(c.atoms), c.atoms...) {
		r := q.row(a.Lin, len(q.vars)+1+spare)
		if a.Rel == Zero {
			eq = append(eq, r)
		} else {
			ge = append(ge, r)
		}
	}
	return eq, ge
}

func (q *question) row(e Lin, width int) row {
	r := make(row, width)
	r[0] = e.constant
	for _, t := range e.terms {
		r[q.columns[t.Var]] = t.Coef
	}
	return r
}

// lin is the expression of a row.
func (q *question) lin(r row) Lin {
	e := K(r[0])
	for i := 1; i < len(r); i++ {
		if r[i] != 0 {
			e = e.addScaled(V(q.vars[i-1]), r[i])
		}
	}
	return e
}
